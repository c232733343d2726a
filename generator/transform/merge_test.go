package transform

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/google/go-cmp/cmp"
)

// object makes a raw object of string properties, and of named ones.
func object(name string, properties ...*ir.Property) *ir.Type {
	return &ir.Type{Name: name, Kind: ir.Object, Properties: properties}
}

func text(name string) *ir.Property {
	return &ir.Property{Name: name, Type: ir.TypeRef{Primitive: ir.String}}
}

func named(name, typ string) *ir.Property {
	return &ir.Property{Name: name, Type: ir.TypeRef{Items: &ir.TypeRef{Named: typ}}}
}

func readOnly(p *ir.Property) *ir.Property {
	p.ReadOnly = true
	return p
}

func version(resources map[string]string, types ...*ir.Type) *ir.Version {
	v := &ir.Version{Provider: "Contoso.Crm", APIVersion: "2020-01-01", Types: types}
	for kind, spec := range resources {
		v.Resources = append(v.Resources, &ir.Resource{Type: "Contoso.Crm/" + kind, Kind: kind, Spec: spec})
	}
	v.Sort()
	return v
}

func TestMerge(t *testing.T) {
	t.Run("the second adds what the first lacks", testMergeAdds)
	t.Run("a type whose responses have more is another type", testMergeResponses)
	t.Run("one version alone is returned", func(t *testing.T) {
		v := version(map[string]string{"Person": "Person"}, object("Person"))
		if Merge(v, nil) != v || Merge(nil, v) != v {
			t.Error("want the one that is given")
		}
	})
}

func testMergeAdds(t *testing.T) {
	swagger := version(map[string]string{"Person": "Person"},
		object("Person", named("homes", "Address"), named("skills", "Skill"), named("loop", "LoopA")),
		object("Address", text("street"), readOnly(text("geo"))),
		object("Skill", text("name")),
		object("LoopA", named("b", "LoopB")),
		object("LoopB", named("a", "LoopA"), text("x")),
	)
	schema := version(map[string]string{"person": "Person", "Pet": "Pet"},
		object("Person", text("other")),
		object("Pet", named("homes", "Address"), named("skills", "skill"), named("loop", "LoopA"), named("toys", "Toy")),
		object("Address", text("street")),
		object("skill", text("name"), text("grade")),
		object("LoopA", named("b", "LoopB")),
		object("LoopB", named("a", "LoopA"), text("y")),
		object("Toy", text("name")),
		object("Unreached", text("name")),
	)
	schema.Notes = []ir.Note{
		{Kind: ir.Skipped, Subject: "skill.grade", Reason: "taken, and renamed"},
		{Kind: ir.Skipped, Subject: "Pet", Reason: "taken"},
		{Kind: ir.Skipped, Reason: "about no type, so taken"},
		{Kind: ir.Skipped, Subject: "Unreached.name", Reason: "dropped"},
	}
	before, err := ir.Canonical([]*ir.Version{swagger, schema})
	if err != nil {
		t.Fatal(err)
	}
	got := render(Merge(swagger, schema))
	want := `Person: Person
Pet: Pet

Address object
  geo string RAW FORM
  street string

LoopA object
  b []LoopB

LoopASchema object
  b []LoopBSchema

LoopB object
  a []LoopA
  x string

LoopBSchema object
  a []LoopASchema
  y string

Person object
  homes []Address
  loop []LoopA
  skills []Skill

Pet object
  homes []Address
  loop []LoopASchema
  skills []skillSchema
  toys []Toy

Skill object
  name string

Toy object
  name string

skillSchema object
  grade string
  name string

notes:
  skipped : about no type, so taken
  skipped Pet: taken
  skipped skillSchema.grade: taken, and renamed
`
	// The types of this test have no Go names, so what render says of these does not matter.
	if diff := cmp.Diff(want, withoutGoNames(got)); diff != "" {
		t.Error(diff)
	}
	if after, _ := ir.Canonical([]*ir.Version{swagger, schema}); string(after) != string(before) {
		t.Error("Merge changed its input")
	}
}

// The schema knows no responses, so its Address is that of Swagger; another
// format may know more of them than Swagger does.
func testMergeResponses(t *testing.T) {
	first := version(map[string]string{"Person": "Person"},
		object("Person", named("homes", "Address")),
		object("Address", text("street"), readOnly(text("geo"))),
	)
	for _, test := range []struct {
		address *ir.Type
		want    string
	}{
		{object("Address", text("street"), readOnly(text("geo"))), "Address"},
		{object("Address", text("street"), readOnly(text("code"))), "AddressSchema"},
		{object("Address", text("street"), readOnly(named("geo", "Address"))), "AddressSchema"},
	} {
		second := version(map[string]string{"Pet": "Pet"},
			test.address,
			object("Pet"),
			object("PetResponse", named("homes", "Address")),
		)
		second.Resources[0].Status = "PetResponse"
		merged := Merge(first, second)
		pet := merged.Resource("Contoso.Crm/Pet")
		if pet.Status != "PetResponse" || merged.Type(pet.Status).Properties[0].Type.Leaf().Named != test.want {
			t.Errorf("%s: the response of Pet has %s, want %s", pet.Status, merged.Type(pet.Status).Properties[0].Type, test.want)
		}
	}
}
