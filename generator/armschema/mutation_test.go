package armschema_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

// Whatever stands at any place of a document, Load answers with a version that
// keeps its promises, or with errors.
func TestAnyValueInAnyPlaceIsReadOrRefused(t *testing.T) {
	read, refused := 0, 0
	for _, g := range goldens(t) {
		for _, root := range g.roots {
			var document any
			if json.Unmarshal(g.files[root], &document) != nil {
				continue // the case of invalid JSON
			}
			original := g.files[root]
			mutate(document, func(any) {}, func() {
				text, err := json.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				g.files[root] = text
				v, err := g.load()
				if err != nil {
					refused++
					return
				}
				read++
				checkVersion(t, v)
				if _, err := ir.Encode(v); err != nil {
					t.Errorf("%s: %v\n%s", g.dir, err, text)
				}
			})
			g.files[root] = original
		}
	}
	t.Logf("%d documents read, %d refused", read, refused)
	if read < 1000 || refused < 1000 {
		t.Error("the mutations are too tame or too wild to show anything")
	}
}

// mutate puts other values in the place of each value below at, one at a time.
func mutate(at any, set func(any), try func()) {
	for _, other := range []any{nil, true, 1.5, "x", "#/definitions/Sku", []any{}, []any{"x"}, map[string]any{}, map[string]any{"type": "object", "properties": map[string]any{"x": map[string]any{}}}} {
		set(other)
		try()
	}
	set(at)
	switch at := at.(type) {
	case []any:
		for i := range at {
			mutate(at[i], func(v any) { at[i] = v }, try)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(at)) {
			value := at[name]
			mutate(value, func(v any) { at[name] = v }, try)
			delete(at, name)
			try()
			at[name] = value
		}
	}
}
