package transform

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

// TestDigests tests that a digest changes with what a package and the CRD declare, and with
// nothing else.
func TestDigests(t *testing.T) {
	digest := func(change func(*ir.Version)) string {
		t.Helper()
		v := shapeCase(t, "a_resource_is_flattened")
		change(v)
		digests, err := Digests(v)
		if err != nil {
			t.Fatal(err)
		}
		return digests[v.Resources[0].Type]
	}
	spec := func(v *ir.Version) *ir.Type { return v.Type(v.Resources[0].Spec) }
	before := digest(func(*ir.Version) {})
	for _, test := range []struct {
		behavior string
		change   func(*ir.Version)
		changes  bool
	}{
		{"a description", func(v *ir.Version) { spec(v).Properties[0].Doc = "Another." }, false},
		{"a note", func(v *ir.Version) { v.Notes = append(v.Notes, ir.Note{Reason: "a test"}) }, false},
		{"the path of the PUT", func(v *ir.Version) { v.Resources[0].Path = "/another" }, false},
		{"the lack of a DELETE", func(v *ir.Version) { v.Resources[0].NoDelete = true }, false},
		{"a type that the resource does not reach", func(v *ir.Version) { v.Types = append(v.Types, &ir.Type{Name: "Zzz"}) }, false},
		{"a limit", func(v *ir.Version) { spec(v).Properties[0].Validation = &ir.Validation{Pattern: "^x$"} }, true},
		{"a limit on names", func(v *ir.Version) { v.Resources[0].NameLimits = &ir.Validation{Pattern: "^x$"} }, true},
		{"a property that is required", func(v *ir.Version) { spec(v).Properties[0].Required = !spec(v).Properties[0].Required }, true},
		{"a property that is gone", func(v *ir.Version) { spec(v).Properties = spec(v).Properties[1:] }, true},
		{"a type of the Status", func(v *ir.Version) {
			v.Type(v.Resources[0].Status).Properties[0].Type = ir.TypeRef{Primitive: ir.Any}
		}, true},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if changed := digest(test.change) != before; changed != test.changes {
				t.Errorf("the digest changes: %v, want %v", changed, test.changes)
			}
		})
	}
}
