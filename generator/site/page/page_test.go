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

// run runs a program of testdata with site.js, and reads what it prints.
func run(t *testing.T, program string, into any, args ...string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, so the script was not run")
	}
	text, err := exec.Command(node, append([]string{"testdata/" + program, "site.js"}, args...)...).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestSearch(t *testing.T) {
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
	var got search
	run(t, "search.js", &got, "groups.js="+string(groups), "shop/search.js="+string(properties))
	const in = " shop.example.com, Contoso.Shop/carts"
	t.Run("scripts are loaded when they are needed", func(t *testing.T) {
		equal(t, "at first", got.LoadedAtFirst, []string{})
		equal(t, "after opening", got.LoadedAfterOpening, []string{"groups.js"})
		equal(t, "after searching, the group of the page first", got.LoadedAfterSearching,
			[]string{"groups.js", "shop/search.js", "gone/search.js"})
	})
	t.Run("several scripts are one search", func(t *testing.T) { equal(t, "searches", got.Frames, 1) })
	t.Run("a slash opens it, and is a slash where somebody types", func(t *testing.T) {
		equal(t, "open", []bool{got.OpenWhileTyping, got.SlashPrevented, got.Open}, []bool{false, true, true})
	})
	t.Run("it finds kinds, properties, paths and ARM types", func(t *testing.T) {
		equal(t, "a kind", got.Kind, []string{"Cart" + in})
		equal(t, "a property, without those below it", got.Property, []string{"Cart spec.sku" + in})
		equal(t, "a path", got.Path, []string{"Cart spec.sku.name" + in})
		equal(t, "a property of a kind", got.Below, []string{"Cart spec.name" + in, "Cart spec.sku.name" + in})
		equal(t, "an ARM type", got.ArmType, []string{"Order shop.example.com, Contoso.Shop/orders"})
		equal(t, "nothing", got.None, []string{})
	})
	t.Run("text of a spec is text", func(t *testing.T) {
		equal(t, "found", got.Hostile, []string{"Cart spec.<img src=x onerror=alert(1)>" + in})
	})
	t.Run("it says what is found, and which files are missing", func(t *testing.T) {
		equal(t, "status", got.Status, "0 found; 1 file of the search cannot be loaded")
	})
	t.Run("arrows choose, around the ends, and Enter follows", func(t *testing.T) {
		equal(t, "chosen", got.Chosen, []int{0, 1, 2, 1, 0, 2})
		equal(t, "told to screen readers", got.Active, "result-2")
		equal(t, "followed", got.Clicked, got.Addresses[:1])
		equal(t, "open after Enter", got.OpenAfterEnter, false)
	})
	t.Run("addresses stay in the site", func(t *testing.T) {
		equal(t, "addresses", strings.Join(got.Addresses, " "),
			"file:///site/shop/types.v2/na%25me%23.html#name file:///site/shop/cart/v2.html#spec.name "+
				"file:///site/shop/cart/v2.html#spec.sku.name")
	})
	t.Run("the property of the address is unfolded", func(t *testing.T) { equal(t, "unfolded", got.Unfolded, true) })
}

// kind is what testdata/kind.js has seen.
type kind struct {
	Options, First, All, None, Turned, Addresses, Address []string
	Copied, Refused, Without                              []string
	Changed                                               string
}

func TestKind(t *testing.T) {
	var got kind
	run(t, "kind.js", &got, `[
		[["property"], ["2020"], ["2021"], ["2022"]],
		[["spec.age"], ["integer", "same"], ["went", "went gone"], ["back: integer", "back", "v2022.html#spec.age"]],
		[["spec.home"], ["Home", "same"], ["went", "went gone"], ["", ""]],
		[["spec.home.door"], ["string", "same"], ["", ""], ["", ""]],
		[["spec.mail"], ["", ""], ["string", "came", "v2021.html#spec.mail"], ["required", "required", "v2022.html#spec.mail"]],
		[["spec.name"], ["string", "same", "v2020.html#spec.name"], ["=", "same", "v2021.html#spec.name"], ["matches a", "limits", "v2022.html#spec.name"]],
		[["spec.new"], ["", ""], ["", ""], ["moved here: <b>", "moved", "v2022.html#spec.new"]],
		[["spec.old"], ["string", "same"], ["=", "same"], ["moved away", "moved gone"]],
		[["spec.work"], ["", ""], ["Work", "came"], ["=", "same"]],
		[["spec.work.desk"], ["", ""], ["", ""], ["string", "came"]],
		[["spec.work.seat"], ["", ""], ["string", "same"], ["went", "went gone"]]
	]`)
	last := []string{
		"7 changes from 2021 to 2022",
		"spec.age|back: integer|2022|back|v2022.html#spec.age",
		"spec.mail|required|2022|required|v2022.html#spec.mail",
		"spec.name|matches a|2022|limits|v2022.html#spec.name",
		"spec.new|moved here: <b>|2022|moved|v2022.html#spec.new",
		"spec.old|moved away|2022|moved gone|",
		"spec.work.desk|came: string|2022|came|",
		"spec.work.seat|went|2022|went gone|",
	}
	all := []string{
		"9 changes from 2020 to 2022",
		"spec.age|went|2021|went gone|", "spec.age|back: integer|2022|back|v2022.html#spec.age",
		"spec.home|went|2021|went gone|",
		"spec.mail|came: string|2021|came|v2021.html#spec.mail", "spec.mail|required|2022|required|v2022.html#spec.mail",
		"spec.name|matches a|2022|limits|v2022.html#spec.name",
		"spec.new|moved here: <b>|2022|moved|v2022.html#spec.new",
		"spec.old|moved away|2022|moved gone|",
		"spec.work|came: Work|2021|came|",
	}
	t.Run("the last two versions are compared at first", func(t *testing.T) {
		equal(t, "options", got.Options, []string{"2020", "2021", "2022"})
		equal(t, "changes", got.First, last)
	})
	t.Run("each step on the way is listed, without what comes and goes with its parent", func(t *testing.T) {
		equal(t, "changes", got.All, all)
	})
	t.Run("a version does not differ from itself", func(t *testing.T) {
		equal(t, "changes", got.None, []string{"no changes from 2020 to 2020"})
	})
	t.Run("the older one is the first, whichever is chosen first", func(t *testing.T) {
		equal(t, "changes", got.Turned, []string{
			"4 changes from 2020 to 2021",
			"spec.age|went|2021|went gone|", "spec.home|went|2021|went gone|",
			"spec.mail|came: string|2021|came|v2021.html#spec.mail", "spec.work|came: Work|2021|came|",
		})
	})
	t.Run("an address names two versions", func(t *testing.T) {
		equal(t, "made", got.Addresses, []string{"#2020..2022", "#2020..2020", "#2021..2020"})
		equal(t, "read", got.Address, all)
		equal(t, "read again", got.Changed, "4 changes from 2020 to 2021")
	})
	t.Run("a text is copied, and selected where that is refused", func(t *testing.T) {
		equal(t, "copied", got.Copied, []string{"around", "copied", "", "kind: Cart\n"})
		equal(t, "refused", got.Refused, []string{"around", "selected: press Ctrl+C", "", "kind: Cart\n"})
		equal(t, "no clipboard", got.Without, []string{"around", "selected: press Ctrl+C", "", "kind: Cart\n"})
	})
}

func TestRelease(t *testing.T) {
	var got struct {
		Options, To []string
		Own         string
		Alone       []any
	}
	run(t, "release.js", &got,
		"../releases.js="+string(Call("releases", []string{"1.2.3", "2.0.0", "<b>"})),
		"../1.2.3/pages.js="+string(Call("pages", []string{
			"index.html", "shop/a b/v1.html", "shop/cart/index.html", "shop/cart/v1.html", "shop/index.html",
		})))
	t.Run("it shows all releases, and the own one", func(t *testing.T) {
		equal(t, "options", got.Options, []string{"1.2.3", "2.0.0", "<b>"})
		equal(t, "own", got.Own, "2.0.0")
	})
	t.Run("it leads to the same page of another release, or to the nearest one above it", func(t *testing.T) {
		const site, other = "file:///site/../1.2.3/", "file:///site/../9.9.9/"
		equal(t, "pages", got.To, []string{
			site + "shop/cart/v1.html#spec", site + "shop/cart/index.html#spec", site + "shop/index.html#spec", site + "index.html#spec",
			site + "index.html", site + "index.html", site + "shop/a%20b/v1.html#spec", other + "index.html",
		})
	})
	t.Run("a site that is in no release has none", func(t *testing.T) { equal(t, "alone", got.Alone, []any{0.0}) })
}
