// Package evolutiontest has groups for tests of what shows their evolution. Its main
// function is [Input].
package evolutiontest

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/planner"
)

// Exports is the group.yaml of a group with one resource, Person.
const Exports = "exports:\n  Contoso.Crm/persons: {kind: Person}\n"

// Input plans a group with one resource, Person. Types are lines such as
// "Person_Spec: name string, next Node". Behind a first line "requested" they describe
// no response.
func Input(tb testing.TB, yaml string, specs map[string]string, hooks ...plan.HookSource) evolution.Input {
	tb.Helper()
	decisions, err := config.Parse("group.yaml", []byte(yaml))
	if err != nil {
		tb.Fatal(err)
	}
	in := evolution.Input{Config: decisions}
	for apiVersion, types := range specs {
		types, requested := strings.CutPrefix(types, "requested\n")
		if !strings.Contains(types, "Person_Status:") {
			types += "\nPerson_Status: conditions conditions"
		}
		v := &ir.Version{Provider: "Contoso.Crm", APIVersion: apiVersion, Resources: []*ir.Resource{
			{Type: "Contoso.Crm/persons", Kind: "Person", Scopes: []ir.Scope{ir.ResourceGroup}, Spec: "Person_Spec",
				Status: "Person_Status", Requested: requested},
		}}
		for _, line := range strings.Split(types, "\n") {
			v.Types = append(v.Types, typ(strings.TrimSpace(line)))
		}
		v.Sort()
		in.Shapes = append(in.Shapes, v)
	}
	in.Packages, err = planner.Build(planner.Options{
		Group: "crm.azure.armature.dev", Provider: "Contoso.Crm", ImportPrefix: "example.com/crm", Patterns: naming.Default,
		Config: decisions, Versions: in.Shapes, Hooks: hooks,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// typ returns the type that a line describes.
func typ(line string) *ir.Type {
	name, properties, _ := strings.Cut(line, ": ")
	t := &ir.Type{Name: name, Kind: ir.Object, Status: strings.HasSuffix(name, naming.Status(""))}
	for _, p := range strings.Split(properties, ", ") {
		name, ref, _ := strings.Cut(p, " ")
		property := &ir.Property{Name: name, GoName: naming.Go(name), Type: ir.TypeRef{Primitive: ir.Primitive(ref)}}
		if ref[0] < 'a' {
			property.Type = ir.TypeRef{Named: ref}
		}
		t.Properties = append(t.Properties, property)
	}
	return t
}
