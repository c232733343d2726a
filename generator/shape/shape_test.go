package shape

import (
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

// TestListKeys tests which lists the API server merges by keys.
func TestListKeys(t *testing.T) {
	text := ir.TypeRef{Primitive: ir.String}
	pet := &ir.Type{Name: "Pet", Kind: ir.Object, Properties: []*ir.Property{
		{Name: "name", Type: text, Required: true},
		{Name: "color", Type: text}}}
	p := &Package{types: map[string]*ir.Type{"Pet": pet}}
	pets := ir.TypeRef{Items: &ir.TypeRef{Named: "Pet"}}
	for _, test := range []struct {
		behavior string
		list     *ir.Property
		want     []string
	}{
		{"by keys that an element must have", &ir.Property{Type: pets, ListKeys: []string{"name"}}, []string{"name"}},
		{"not by one that it need not have", &ir.Property{Type: pets, ListKeys: []string{"name", "color"}}, nil},
		{"not by keys that serve merging alone", &ir.Property{Type: pets, ListKeys: []string{"name"}, MergeOnly: true}, nil},
		{"conditions by their types", &ir.Property{Type: ir.TypeRef{Primitive: ir.Conditions}}, []string{"type"}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if got := p.ListKeys(test.list); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
