package documentstest

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

// anyValueInAnyPlace tries a reader on the cases with whatever else at any
// place of them: it answers with a version that keeps its promises, or with
// errors.
func anyValueInAnyPlace(t *testing.T, read Reader) {
	made, refused := 0, 0
	for _, c := range Cases(t) {
		for _, root := range c.Roots {
			original := c.Files[root]
			var document any
			if json.Unmarshal(original, &document) != nil {
				continue // the case of invalid JSON
			}
			mutate(document, func(any) {}, func() {
				text, err := json.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				c.Files[root] = text
				v, err := read(c.Input())
				if err != nil {
					refused++
					return
				}
				made++
				Check(t, v)
				if _, err := ir.Encode(v); err != nil {
					t.Errorf("%s: %v\n%s", c.Dir, err, text)
				}
			})
			c.Files[root] = original
		}
	}
	t.Logf("%d documents read, %d refused", made, refused)
	if made < 1000 || refused < 1000 {
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
