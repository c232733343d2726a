package emit

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Only an object that is the other side's in memory is taken over as it is.
func TestObjectsThatAreAlikeAreTakenOver(t *testing.T) {
	text, number := ir.TypeRef{Primitive: ir.String}, ir.TypeRef{Primitive: ir.Integer}
	object := func(name string, properties ...any) *ir.Type {
		o := &ir.Type{Name: name, Kind: ir.Object}
		for i := 0; i < len(properties); i += 2 {
			name := properties[i].(string)
			o.Properties = append(o.Properties, &ir.Property{Name: name, GoName: capital(name), Type: properties[i+1].(ir.TypeRef)})
		}
		return o
	}
	named := func(name string) ir.TypeRef { return ir.TypeRef{Named: name} }
	list := func(r ir.TypeRef) ir.TypeRef { return ir.TypeRef{Items: &r} }
	mapOf := func(r ir.TypeRef) ir.TypeRef { return ir.TypeRef{Map: &r} }

	rule := object("Rule", "a", text, "b", number)
	for _, test := range []struct {
		why         string
		here, there []*ir.Type // the first is a property of the Spec
		pkg         plan.Package
		want        string
	}{
		{why: "the same", here: []*ir.Type{rule}, there: []*ir.Type{rule}, want: "Take"},
		{why: "a property less", here: []*ir.Type{rule}, there: []*ir.Type{object("Rule", "a", text)}},
		{why: "a property more", here: []*ir.Type{object("Rule", "a", text)}, there: []*ir.Type{rule}},
		{why: "another type", here: []*ir.Type{rule}, there: []*ir.Type{object("Rule", "a", number, "b", number)}},
		{why: "a property by another name", here: []*ir.Type{rule}, there: []*ir.Type{object("Rule", "a", text, "c", number)},
			pkg: plan.Package{PropertyRenames: []plan.PropertyRename{{Neighbour: "there", Type: "Rule", Here: "b", There: "c"}}}, want: "Take"},
		{why: "in another place", here: []*ir.Type{object("Rule", "a", text, "b", text)}, there: []*ir.Type{object("Rule", "a", text, "b", text)},
			pkg: plan.Package{PropertyRenames: []plan.PropertyRename{{Neighbour: "there", Type: "Rule", Here: "a", There: "b"}, {Neighbour: "there", Type: "Rule", Here: "b", There: "a"}}}},
		{why: "lists and maps of scalars", here: []*ir.Type{object("Rule", "a", list(text), "b", mapOf(text))}, there: []*ir.Type{object("Rule", "a", list(text), "b", mapOf(text))}, want: "Take"},
		{why: "lists of objects", here: []*ir.Type{object("Rule", "a", list(named("Part"))), object("Part", "a", text)},
			there: []*ir.Type{object("Rule", "a", list(named("Part"))), object("Part", "a", text)}, want: "Take"},
		{why: "maps of objects", here: []*ir.Type{object("Rule", "a", mapOf(named("Part"))), object("Part", "a", text)},
			there: []*ir.Type{object("Rule", "a", mapOf(named("Part"))), object("Part", "a", text)}},
		{why: "an object below differs", here: []*ir.Type{object("Rule", "a", list(named("Part"))), object("Part", "a", text)},
			there: []*ir.Type{object("Rule", "a", list(named("Part"))), object("Part", "a", text, "b", text)}},
		{why: "recursion", here: []*ir.Type{object("Rule", "a", list(named("Rule")), "b", text)}, there: []*ir.Type{object("Rule", "a", list(named("Rule")), "b", text)}, want: "Take"},
		{why: "a hook may see both", here: []*ir.Type{rule}, there: []*ir.Type{rule}, pkg: plan.Package{Hooks: []plan.Hook{{}}}},
		{why: "of an API version, which have other types", here: []*ir.Type{rule}, there: []*ir.Type{rule}, pkg: plan.Package{Role: plan.API}},
	} {
		root := object("Thing_Spec", "rule", named("Rule"))
		pkg := test.pkg
		pkg.Name, pkg.Resources = "here", []plan.Resource{{Kind: "Thing", ARMType: "M.T/things", Next: "there"}}
		if pkg.Role == "" {
			pkg.Role = plan.Storage
		}
		status := object("Thing_Status")
		pkg.Neighbours = []plan.Neighbour{{Name: "there", Types: append([]*ir.Type{root, status}, test.there...)}}
		v := &ir.Version{Types: append([]*ir.Type{root, status}, test.here...), Resources: []*ir.Resource{{Type: "M.T/things", Spec: "Thing_Spec", Status: "Thing_Status"}}}
		g := &converter{pkg: &pkg}
		pair := plan.Pairs(&pkg, v)[0]
		for _, d := range []direction{to, from} {
			if got := g.takes(pair.Pair("Rule"), d); got != test.want {
				t.Errorf("%s: %q %s", test.why, got, d)
			}
		}
	}
}
