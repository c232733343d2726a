package crd

import (
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/shape"
)

func TestOperatorRules(t *testing.T) {
	key, id := ir.Output{Name: "key", Action: "listKeys"}, ir.Output{Name: "id"}
	children := []ir.Collection{{}}
	for _, row := range []struct {
		behavior string
		resource ir.Resource
		want     []string
	}{
		{"outputs of an action, and of the Status", ir.Resource{Outputs: []ir.Output{key, id}}, []string{
			".secrets !has(self.secrets) || self.secrets.all(k, k in ['key', 'id'])",
			".configMaps !has(self.configMaps) || self.configMaps.all(k, k in ['id'])",
			".inlineChildren !has(self.inlineChildren)"}},
		{"no output that a ConfigMap may have: expressions may go into one",
			ir.Resource{Outputs: []ir.Output{key}, Collections: children}, []string{
				".secrets !has(self.secrets) || self.secrets.all(k, k in ['key'])",
				".configMaps !has(self.configMaps) || self.configMaps.size() == 0"}},
		{"children alone: no expressions, for which the operator has no right", ir.Resource{Collections: children}, []string{
			".secrets !has(self.secrets) || self.secrets.size() == 0",
			".configMaps !has(self.configMaps) || self.configMaps.size() == 0",
			".expressions !has(self.expressions)",
			".secretMetadata !has(self.secretMetadata)"}},
	} {
		row.resource.Spec = "Spec"
		pkg := &shape.Package{Version: &ir.Version{Resources: []*ir.Resource{&row.resource}}}
		var got []string
		for _, rule := range OperatorRules(pkg, &ir.Type{Name: "Spec"}, &ir.Property{Type: ir.TypeRef{Primitive: ir.OperatorSpec}}) {
			got = append(got, rule.FieldPath+" "+rule.Rule)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.behavior, got, row.want)
		}
	}
}
