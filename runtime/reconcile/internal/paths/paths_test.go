package paths

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func of(t *testing.T, text string) []string {
	t.Helper()
	all, err := Of(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"b": {"y": 1}, "a": 1}`: `spec.a spec.b spec.b.y`,
		`{"tags": {"a,b": "1"}}`:  `spec.tags spec.tags["a,b"]`,
		`{"rules": [{"name": "web", "port": 80}, {"name": "a]b"}]}`: `spec.rules spec.rules[name="a]b"] ` +
			`spec.rules[name=web] spec.rules[name="a]b"].name spec.rules[name=web].name spec.rules[name=web].port`,
		`{"ports": [80, 81], "pairs": [{"name": "a"}, {"name": "a"}], "mixed": [{"name": "a"}, {}]}`: `spec.mixed spec.pairs spec.ports`,
		`{}`: ``,
	} {
		if got := strings.Join(of(t, text), " "); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestOfWithoutEmpty(t *testing.T) {
	got, err := OfWithoutEmpty(json.RawMessage(`{"a": [], "b": {}, "c": {"d": []}, "e": [1], "f": "", "g": 0}`))
	if want := "spec.c spec.e spec.f spec.g"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %q, %v, want %s", got, err, want)
	}
}

func TestHashes(t *testing.T) {
	before := of(t, `{"sku": {"name": "S1", "tier": "S"}, "color": "red", "rooms": 3}`)
	h := Hash(before, nil)
	t.Run("they say what ARM keeps", func(t *testing.T) {
		now := of(t, `{"rooms": 4, "size": 1}`)
		shown := of(t, `{"rooms": 4, "sku": {"name": "S1", "tier": "S"}, "color": "red", "made": "2020"}`)
		for _, row := range []struct{ spec, shown, want []string }{
			{now, shown, []string{"spec.color", "spec.sku"}},
			{of(t, `{"sku": {"name": "S1"}}`), of(t, `{"sku": {"name": "S1", "tier": "S"}}`), []string{"spec.sku.tier"}},
			{now, now, nil},
		} {
			if got, _ := h.Kept(row.spec, row.shown); !reflect.DeepEqual(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		}
		_, all := h.Kept(now, shown)
		if !all.Has("spec.sku.tier") || all.Has("spec.rooms") || all.Has("spec.made") {
			t.Error("the hashes of others are among those of what is kept")
		}
	})
	t.Run("others are kept beside those of a Spec", func(t *testing.T) {
		now := of(t, `{"rooms": 4}`)
		both := Hash(now, h)
		if !both.HasOthers(now) || !both.Has("spec.color") || !both.Has("spec.rooms") {
			t.Error("they are not")
		}
		if Hash(now, nil).HasOthers(now) || both.Has("spec.none") {
			t.Error("there are others")
		}
	})
	t.Run("there are at most 2 KiB, and the shallow ones stay", func(t *testing.T) {
		var deep, all []string
		for i := range 1000 {
			deep = append(deep, fmt.Sprintf(`"p%d": 1`, i))
		}
		text := `{"a": 1, "b": {` + strings.Join(deep, ",") + `}}`
		all = of(t, text)
		h := Hash(all, Hash([]string{"spec.old"}, nil))
		stored, err := json.Marshal(h)
		if err != nil || len(stored) > 2<<10+2 {
			t.Errorf("there are %d bytes", len(stored))
		}
		if !h.Has("spec.a") || !h.Has("spec.b") || !h.Has(all[100]) || h.Has("spec.old") {
			t.Error("what is shallow is not there")
		}
	})
	t.Run("what is no hash does no harm", func(t *testing.T) {
		odd := Hashes("abcdefgh")
		if odd.Has("spec.a") || len(Hash(nil, odd)) != hashSize || Hash(nil, nil) != nil {
			t.Error("it does")
		}
	})
}

func TestChanged(t *testing.T) {
	before := `{"sku": {"name": "S1", "tier": "S"}, "color": "red", "zones": ["1", "2"], "rules": [{"name": "a", "port": 1}, {"name": "b"}]}`
	for after, want := range map[string]string{
		before: "",
		`{"color": "red", "zones": ["2", "1"], "rules": [{"name": "b"}, {"name": "a", "port": 2}], "size": {"x": 1}}`: "spec.rules[name=a].port " +
			"spec.size spec.sku spec.zones",
		`{"sku": {"name": "S2", "tier": "S"}, "color": null, "zones": ["1", "2"], "rules": [{"name": "a", "port": 1}]}`: "spec.color " +
			"spec.rules[name=b] spec.sku.name",
	} {
		got, err := Changed(json.RawMessage(before), json.RawMessage(after))
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("to %s: got %q, %v, want %s", after, got, err, want)
		}
	}
}
