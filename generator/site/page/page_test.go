package page

import (
	"encoding/json"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestCall(t *testing.T) {
	got := string(Call("groups", "</script><!--", []string{"\u2028\u2029\n&"}))
	const want = `armature.groups("\u003c/script\u003e\u003c!--",["\u2028\u2029\n\u0026"]);` + "\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestScript(t *testing.T) {
	t.Run("style sheet and script have at most 60 kB", func(t *testing.T) {
		if n := len(Style) + len(Script); n > 60_000 {
			t.Errorf("they have %d bytes", n)
		}
	})
	t.Run("it makes no HTML and no code of texts", func(t *testing.T) {
		makes := regexp.MustCompile(`(inner|outer|Adjacent)HTML|document\.write|DOMParser|srcdoc|eval\(|Function\(|set(Timeout|Interval)\(`)
		if found := makes.FindAll(Script, -1); found != nil {
			t.Errorf("it has %q", found)
		}
	})
	t.Run("it loads nothing of another host", func(t *testing.T) {
		if found := regexp.MustCompile(`https?:|//[a-z]+\.|fetch\(|XMLHttp|import\(`).FindAll(append(Script, Style...), -1); found != nil {
			t.Errorf("it has %q", found)
		}
	})
}

// search is what testdata/search.js has seen.
type search struct {
	Unfolded, OpenWhileTyping, SlashPrevented, Open, OpenAfterEnter         bool
	LoadedAtFirst, LoadedAfterOpening, LoadedAfterSearching                 []string
	Kind, Property, Path, Below, ArmType, Hostile, None, Clicked, Addresses []string
	Status, Active                                                          string
	Frames                                                                  int
	Chosen                                                                  []int
}

func TestSearch(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, so the search was not run")
	}
	groups := Call("groups", []any{
		[]any{"shop", "shop.example.com", []any{
			[]string{"Cart", "Contoso.Shop/carts", "cart"}, []string{"Order", "Contoso.Shop/orders", "order"},
		}},
		[]any{"gone", "gone.example.com", []any{}},
	})
	properties := Call("properties", "shop.example.com",
		[]any{
			[]any{"Cart", []any{
				[]any{"cart/v2.html", []any{"spec", []any{"sku", []any{"name", "tier"}, "name"}}},
				[]any{"cart/v1.html", []any{"spec", []any{"sku", []any{"old"}, "<img src=x onerror=alert(1)>"}}},
			}},
		},
		[]any{[]any{"Name", []any{[]any{"types.v2/na%me#.html", []any{"name"}}}}})
	files := []string{"groups.js=" + string(groups), "shop/search.js=" + string(properties)}
	text, err := exec.Command(node, append([]string{"testdata/search.js", "site.js"}, files...)...).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	var got search
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	equal := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	const in = " shop.example.com, Contoso.Shop/carts"
	t.Run("scripts are loaded when they are needed", func(t *testing.T) {
		equal("at first", got.LoadedAtFirst, []string{})
		equal("after opening", got.LoadedAfterOpening, []string{"groups.js"})
		equal("after searching, the group of the page first", got.LoadedAfterSearching,
			[]string{"groups.js", "shop/search.js", "gone/search.js"})
	})
	t.Run("several scripts are one search", func(t *testing.T) { equal("searches", got.Frames, 1) })
	t.Run("a slash opens it, and is a slash where somebody types", func(t *testing.T) {
		equal("open", []bool{got.OpenWhileTyping, got.SlashPrevented, got.Open}, []bool{false, true, true})
	})
	t.Run("it finds kinds, properties, paths and ARM types", func(t *testing.T) {
		equal("a kind", got.Kind, []string{"Cart" + in})
		equal("a property, without those below it", got.Property, []string{"Cart spec.sku" + in})
		equal("a path", got.Path, []string{"Cart spec.sku.name" + in})
		equal("a property of a kind", got.Below, []string{"Cart spec.name" + in, "Cart spec.sku.name" + in})
		equal("an ARM type", got.ArmType, []string{"Order shop.example.com, Contoso.Shop/orders"})
		equal("nothing", got.None, []string{})
	})
	t.Run("text of a spec is text", func(t *testing.T) {
		equal("found", got.Hostile, []string{"Cart spec.<img src=x onerror=alert(1)>" + in})
	})
	t.Run("it says what is found, and which files are missing", func(t *testing.T) {
		equal("status", got.Status, "0 found; 1 file of the search cannot be loaded")
	})
	t.Run("arrows choose, around the ends, and Enter follows", func(t *testing.T) {
		equal("chosen", got.Chosen, []int{0, 1, 2, 1, 0, 2})
		equal("told to screen readers", got.Active, "result-2")
		equal("followed", got.Clicked, got.Addresses[:1])
		equal("open after Enter", got.OpenAfterEnter, false)
	})
	t.Run("addresses stay in the site", func(t *testing.T) {
		equal("addresses", strings.Join(got.Addresses, " "),
			"file:///site/shop/types.v2/na%25me%23.html#name file:///site/shop/cart/v2.html#spec.name "+
				"file:///site/shop/cart/v2.html#spec.sku.name")
	})
	t.Run("the property of the address is unfolded", func(t *testing.T) { equal("unfolded", got.Unfolded, true) })
}
