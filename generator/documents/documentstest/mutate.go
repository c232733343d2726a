package documentstest

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
)

// testMutations puts other values in each place of the cases. A reader must
// return a version that passes Check, or an error.
func testMutations(t *testing.T, reader documents.Reader) {
	made, refused := 0, 0
	for _, c := range Cases(t) {
		for _, root := range c.Roots {
			original := c.Files[root]
			var document any
			if json.Unmarshal(original, &document) != nil {
				continue // one case is invalid JSON
			}
			mutate(document, func(any) {}, func() {
				text, err := json.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				c.Files[root] = text
				v, err := reader.Read(c.Input())
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
		t.Error("too few documents were read or refused for the test to mean anything")
	}
}

// mutate replaces each value below at, one at a time, and calls try after each
// replacement. The function set replaces at itself.
func mutate(at any, set func(any), try func()) {
	for _, other := range []any{nil, true, 1.5, "x", "#/definitions/Sku", []any{}, []any{"x"}, map[string]any{},
		map[string]any{"type": "object", "properties": map[string]any{"x": map[string]any{}}}} {
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
