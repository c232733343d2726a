package transform

import (
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/google/go-cmp/cmp"
)

// object makes a raw object of string properties, and of named ones.
func object(name string, properties ...*ir.Property) *ir.Type {
	return &ir.Type{Name: name, Kind: ir.Object, Properties: properties}
}

func text(name string) *ir.Property { return primitive(name, ir.String) }

func primitive(name string, of ir.Primitive) *ir.Property {
	return &ir.Property{Name: name, Type: ir.TypeRef{Primitive: of}}
}

func named(name, typ string) *ir.Property {
	return &ir.Property{Name: name, Type: ir.TypeRef{Items: &ir.TypeRef{Named: typ}}}
}

// set changes a property.
func set(p *ir.Property, changes ...func(*ir.Property)) *ir.Property {
	for _, change := range changes {
		change(p)
	}
	return p
}

func readOnly(p *ir.Property) *ir.Property { return set(p, func(p *ir.Property) { p.ReadOnly = true }) }

func required(p *ir.Property) { p.Required = true }
func secret(p *ir.Property)   { p.IsSecret = true }

func enum(name string, values ...string) *ir.Type {
	t := &ir.Type{Name: name, Kind: ir.Enum, Base: ir.String}
	for _, v := range values {
		t.Values = append(t.Values, ir.EnumValue{Value: v})
	}
	return t
}

// version makes a version of one format whose resources have the types as Specs.
func version(format string, resources map[string]string, types ...*ir.Type) *ir.Version {
	v := &ir.Version{Provider: "Contoso.Crm", APIVersion: "2020-01-01", Sources: []string{format}, Types: types}
	for kind, spec := range resources {
		v.Resources = append(v.Resources, &ir.Resource{Type: "Contoso.Crm/" + kind, Kind: kind, Spec: spec})
	}
	v.Sort()
	return v
}

// answered makes the Spec of each resource its Status too.
func answered(v *ir.Version) *ir.Version {
	for _, r := range v.Resources {
		r.Status = r.Spec
	}
	return v
}

// merged merges versions, and checks that these do not change.
func merged(t *testing.T, sources ...*ir.Version) *ir.Version {
	t.Helper()
	before, err := ir.Canonical(sources)
	if err != nil {
		t.Fatal(err)
	}
	v := Merge(sources, nil)
	if after, _ := ir.Canonical(sources); string(after) != string(before) {
		t.Error("Merge changed its input")
	}
	return v
}

func TestMerge(t *testing.T) {
	t.Run("the second adds the resources that the first lacks", testMergeAdds)
	t.Run("a type whose responses have more is another type", testMergeResponses)
	t.Run("a response is taken from whoever has one", testMergeStatus)
	t.Run("an action has the values of all", testMergeActions)
	t.Run("a resource has no DELETE if either says so", testMergeNoDelete)
	t.Run("one version alone stays what it is", func(t *testing.T) {
		v := version("swagger", map[string]string{"Person": "Person"}, object("Person", text("p")))
		if diff := cmp.Diff(v, merged(t, v)); diff != "" {
			t.Error(diff)
		}
	})
}

func testMergeNoDelete(t *testing.T) {
	source := func(format string, noDelete bool) *ir.Version {
		v := version(format, map[string]string{"Person": "Person"}, object("Person", text("p")))
		v.Resources[0].NoDelete = noDelete
		return v
	}
	for _, test := range []struct {
		first, second *ir.Version
		want          bool
	}{
		{source("swagger", true), source("bicep", false), true},
		{source("bicep", false), source("swagger", true), true},
		{source("swagger", false), source("bicep", false), false},
	} {
		if got := merged(t, test.first, test.second).Resources[0].NoDelete; got != test.want {
			t.Errorf("%s before %s: NoDelete = %v, want %v", test.first.Sources[0], test.second.Sources[0], got, test.want)
		}
	}
}

func testMergeAdds(t *testing.T) {
	swagger := version("swagger", map[string]string{"Person": "Person"},
		object("Person", named("homes", "Address"), named("skills", "Skill")),
		object("Address", text("street"), readOnly(text("geo"))),
		object("Skill", text("name")),
		object("LoopA", named("b", "LoopB")),
		object("LoopB", named("a", "LoopA"), text("x")),
	)
	schema := version("jsonschema", map[string]string{"person": "Person", "Pet": "Pet"},
		object("Person", text("other"), named("homes", "Address")),
		object("Pet", named("homes", "Address"), named("skills", "skill"), named("loop", "LoopA"), named("toys", "Toy")),
		object("Address", text("street"), text("code")),
		object("skill", text("name"), text("grade")),
		object("LoopA", named("b", "LoopB")),
		object("LoopB", named("a", "LoopA"), text("y")),
		object("Toy", text("name")),
		object("Unreached", text("name")),
	)
	schema.Notes = []ir.Note{
		{Kind: ir.Skipped, Subject: "skill.grade", Reason: "taken, and renamed"},
		{Kind: ir.Skipped, Subject: "Pet", Reason: "taken"},
		{Kind: ir.Skipped, Subject: "Person.other", Reason: "taken with the property"},
		{Kind: ir.Skipped, Subject: "Address.street", Reason: "dropped, because the first knows the property"},
		{Kind: ir.Skipped, Reason: "about no type, so taken"},
		{Kind: ir.Skipped, Subject: "Unreached.name", Reason: "dropped"},
	}
	want := `Person: Person
Pet: Pet

Address object
  code string
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
  other string
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
  skipped Person.other: taken with the property
  skipped Pet: taken
  skipped skillSchema.grade: taken, and renamed
`
	// The types of this test have no Go names, so what render says of these does not matter.
	if diff := cmp.Diff(want, withoutGoNames(render(merged(t, swagger, schema)))); diff != "" {
		t.Error(diff)
	}
}

// The schema knows no responses, so its Address is that of Swagger; another
// format may know more of them than Swagger does.
func testMergeResponses(t *testing.T) {
	first := version("swagger", map[string]string{"Person": "Person"},
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
		second := version("bicep", map[string]string{"Pet": "Pet"},
			test.address,
			object("Pet"),
			object("PetResponse", named("homes", "Address")),
		)
		second.Resources[0].Status = "PetResponse"
		all := merged(t, first, second)
		pet := all.Resource("Contoso.Crm/Pet")
		if pet.Status != "PetResponse" || all.Type(pet.Status).Properties[0].Type.Leaf().Named != test.want {
			t.Errorf("%s: the response of Pet has %s, want %s", pet.Status, all.Type(pet.Status).Properties[0].Type, test.want)
		}
	}
}

func testMergeStatus(t *testing.T) {
	swagger := version("swagger", map[string]string{"Person": "Person"}, object("Person", named("homes", "Address")),
		object("Address", text("street")))
	bicep := version("bicep", map[string]string{"Person": "Body"}, object("Body", named("homes", "Home"), readOnly(text("state"))),
		object("Home", text("street")))
	bicep.Resources[0].Status = "Body"
	all := merged(t, swagger, bicep)
	// Both halves of bicep types are one type, whose partner Person has what responses have too.
	if got := all.Resources[0].Status; got != "Person" || all.Type(got).Property("state") == nil {
		t.Errorf("the Status is %s", got)
	}
}

func testMergeActions(t *testing.T) {
	swagger := version("swagger", map[string]string{"Person": "Person"}, object("Person"))
	swagger.Actions = []ir.Action{{Resource: "Contoso.Crm/Person", Name: "listKeys", Values: []ir.ActionValue{{Path: "key1"}}}}
	bicep := version("bicep", map[string]string{"Person": "Person"}, object("Person"))
	both := []ir.ActionValue{{Path: "key1", Secret: true}, {Path: "key2"}}
	ping := ir.Action{Resource: "Contoso.Crm/Person", Name: "ping", Values: []ir.ActionValue{{Path: "time"}}}
	bicep.Actions = []ir.Action{{Resource: "Contoso.Crm/Person", Name: "listkeys", Secret: true, Values: both}, ping}
	want := []ir.Action{{Resource: "Contoso.Crm/Person", Name: "listKeys", Secret: true, Values: both}, ping}
	if diff := cmp.Diff(want, merged(t, swagger, bicep).Actions); diff != "" {
		t.Error(diff)
	}
}

// limited gives a property a greatest length.
func limited(n int64) func(*ir.Property) {
	return func(p *ir.Property) { p.Validation = &ir.Validation{MaxLength: &n} }
}

// TestMergeProperty merges one property that two formats describe.
func TestMergeProperty(t *testing.T) {
	const of = "is %s, as swagger says, which decides because it says more of an API; bicep says %s"
	contradiction := func(first, second string) string {
		return strings.NewReplacer("%s,", first+",", "says %s", "says "+second).Replace(of)
	}
	for _, test := range []struct {
		behavior            string
		first, second, want *ir.Property
		note                string
	}{
		{"a number if the second says so", primitive("p", ir.Integer), primitive("p", ir.Number), primitive("p", ir.Number), ""},
		{"a number if the first says so", primitive("p", ir.Number), primitive("p", ir.Integer), primitive("p", ir.Number), ""},
		{
			"a secret, an id or create-only if anybody says so", text("p"),
			set(text("p"), secret, func(p *ir.Property) { p.CreateOnly, p.IsARMID = true, true }),
			set(text("p"), secret, func(p *ir.Property) { p.CreateOnly, p.IsARMID = true, true }), "",
		},
		{
			"a description, a default and keys from the second where the first has none", text("p"),
			set(text("p"), func(p *ir.Property) { p.Doc, p.Default, p.ListKeys = "Text.", `"x"`, []string{"name"} }),
			set(text("p"), func(p *ir.Property) { p.Doc, p.Default, p.ListKeys = "Text.", `"x"`, []string{"name"} }), "",
		},
		{
			"a description, a default and keys of the first",
			set(text("p"), func(p *ir.Property) { p.Doc, p.Default, p.ListKeys = "Text.", `"x"`, []string{"name"} }),
			set(text("p"), func(p *ir.Property) { p.Doc, p.Default, p.ListKeys = "Other.", `"y"`, []string{"id"} }),
			set(text("p"), func(p *ir.Property) { p.Doc, p.Default, p.ListKeys = "Text.", `"x"`, []string{"name"} }), "",
		},
		{
			"the first decides on the limits", text("p"),
			set(text("p"), func(p *ir.Property) { p.Validation = &ir.Validation{Pattern: "x"} }), text("p"),
			contradiction("without limits", `limited by pattern "x"`),
		},
		{
			"the same limits, of which the second knows the format", set(text("p"), limited(24)),
			set(text("p"), limited(24), func(p *ir.Property) { p.Validation.Format = "uuid" }), set(text("p"), limited(24)), "",
		},
		{
			"the first decides on one limit", set(text("p"), limited(24)), set(text("p"), limited(30)), set(text("p"), limited(24)),
			contradiction("limited by maxLength 24", "limited by maxLength 30"),
		},
		{
			"the first decides who writes it", text("p"), set(text("p"), func(p *ir.Property) { p.ReadOnly = true }), text("p"),
			contradiction("in requests", "read-only"),
		},
		{
			"the first decides who writes it, if it is ARM", set(text("p"), func(p *ir.Property) { p.ReadOnly = true }), text("p"),
			set(text("p"), func(p *ir.Property) { p.ReadOnly = true }), contradiction("read-only", "in requests"),
		},
		{"the first decides on the type", text("p"), primitive("p", ir.Integer), text("p"), contradiction("string", "integer")},
		{"the first decides what is required", text("p"), set(text("p"), required), text("p"), contradiction("optional", "required")},
		{"any content is no contradiction", primitive("p", ir.Any), text("p"), primitive("p", ir.Any), ""},
		{"a name in another case is the same", text("p"), set(text("P"), secret), set(text("p"), secret), ""},
		{
			"an object is no list of objects", named("p", "Home"), &ir.Property{Name: "p", Type: ir.TypeRef{Named: "Home"}},
			named("p", "Home"), contradiction("list of object", "object"),
		},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			home := object("Home", text("street"))
			got := merged(t,
				version("swagger", map[string]string{"Person": "Person"}, object("Person", test.first), home),
				version("bicep", map[string]string{"Person": "Person"}, object("Person", test.second), home))
			want := version("swagger", map[string]string{"Person": "Person"}, object("Person", test.want), home)
			want.Sources = []string{"swagger", "bicep"}
			if test.note != "" {
				want.Notes = []ir.Note{{Kind: ir.Approximated, Subject: "Person.p", Reason: test.note}}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMergeAnswers tests that nobody asks who writes what only answers have.
func TestMergeAnswers(t *testing.T) {
	both := func(source string, age *ir.Property) *ir.Version {
		v := version(source, map[string]string{"Person": "Person"}, object("Person", text("name")), object("Answer", age))
		v.Resources[0].Status = "Answer"
		return v
	}
	if got := merged(t, both("swagger", readOnly(text("age"))), both("bicep", text("age"))); len(got.Notes) > 0 {
		t.Errorf("got %v", got.Notes)
	}
}

// TestMergeTypes merges types that stand at the same place under different names.
func TestMergeTypes(t *testing.T) {
	variant := func(value, typ string) *ir.Property {
		return &ir.Property{Variant: value, Type: ir.TypeRef{Named: typ}}
	}
	union := func(t *ir.Type) *ir.Type {
		t.Discriminator = "kind"
		return t
	}
	for _, test := range []struct {
		behavior      string
		first, second []*ir.Type // the first of each is the body of Person
		want          string     // the members of the body, and the notes
	}{
		{
			"a property that only the second has is optional",
			[]*ir.Type{object("Person", text("a"))},
			[]*ir.Type{object("Body", set(text("b"), required))},
			"a b",
		},
		{
			"a type of an added property is the partner of its type",
			[]*ir.Type{object("Person", named("homes", "Address")), object("Address", text("street"))},
			[]*ir.Type{object("Body", named("homes", "Home"), named("offices", "Home")), object("Home", text("street"))},
			"homes:Address(street) offices:Address(street)",
		},
		{
			"one type of the second that is two of the first fills both",
			[]*ir.Type{object("Person", named("homes", "Address"), named("offices", "Office")), object("Address"), object("Office")},
			[]*ir.Type{object("Body", named("homes", "Home"), named("offices", "Home")), object("Home", text("street"))},
			"homes:Address(street) offices:Office(street)",
		},
		{
			"values of an enum that differ",
			[]*ir.Type{object("Person", named("c", "Color")), enum("Color", "red")},
			[]*ir.Type{object("Person", named("c", "Colour")), enum("Colour", "red", "blue")},
			"c:Color; Color is the values red, as swagger says, which decides because it says more of an API; bicep says blue, red",
		},
		{
			"variants of a union by one discriminator",
			[]*ir.Type{union(object("Person", variant("Cat", "Cat"))), object("Cat")},
			[]*ir.Type{union(object("Person", variant("Cat", "Cat"), variant("Dog", "Dog"))), object("Cat", text("lives")), object("Dog")},
			"=Cat:Cat(lives) =Dog:Dog",
		},
		{
			"a union that the first does not know",
			[]*ir.Type{object("Person", text("kind"))},
			[]*ir.Type{union(object("Person", variant("Cat", "Cat"), text("age"))), object("Cat")},
			"age kind; Person is no union, as swagger says, which decides because it says more of an API; bicep says a union by kind",
		},
		{
			"a discriminator that the second does not know",
			[]*ir.Type{union(object("Person", variant("Cat", "Cat"))), object("Cat")},
			[]*ir.Type{object("Person", text("kind"), text("age"))},
			"=Cat:Cat age",
		},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			body := func(types []*ir.Type) map[string]string { return map[string]string{"Person": types[0].Name} }
			got := merged(t, version("swagger", body(test.first), slices.Clone(test.first)...),
				version("bicep", body(test.second), slices.Clone(test.second)...))
			if diff := cmp.Diff(test.want, members(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// members returns the properties of the one body of a version, with their types and
// what is in these, and the notes.
func members(v *ir.Version) string {
	var parts []string
	for _, p := range v.Type(v.Resources[0].Spec).Properties {
		part := p.Path()
		if typ := v.Type(p.Type.Leaf().Named); typ != nil {
			part += ":" + typ.Name
			var inner []string
			for _, q := range typ.Properties {
				inner = append(inner, q.Path())
			}
			if inner != nil {
				part += "(" + strings.Join(inner, " ") + ")"
			}
		}
		if p.Required {
			part += "!"
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	text := strings.Join(parts, " ")
	for _, n := range v.Notes {
		text += "; " + n.Subject + " " + n.Reason
	}
	return text
}

// TestKnown adds a source that describes responses to a version that was published
// without them.
func TestKnown(t *testing.T) {
	requests := func() *ir.Version {
		return version("jsonschema", map[string]string{"Person": "Person"}, object("Person", text("p"), text("q")))
	}
	both := func() *ir.Version {
		v := version("bicep", map[string]string{"Person": "Person"}, object("Person", text("p")),
			object("PersonData", text("p"), readOnly(text("r"))))
		v.Resources[0].Status = "PersonData"
		return v
	}
	shaped := func(known *ir.Version) string {
		v, err := Shape(Merge([]*ir.Version{both(), requests()}, known),
			&config.Load{Exports: map[string]string{"Contoso.Crm/Person": "Person"}})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range v.Type("Person_Status").Properties {
			names = append(names, p.Name)
		}
		return strings.Join(names, " ")
	}
	for _, test := range []struct {
		behavior string
		known    *ir.Version
		want     string
	}{
		{"a version that was not published has the response", nil, "conditions observedGeneration p r"},
		{"a published Status keeps what requests have", Merge([]*ir.Version{requests()}, nil),
			"conditions id name observedGeneration p q r type"},
		{"it keeps that when it is read again",
			Merge([]*ir.Version{both(), requests()}, Merge([]*ir.Version{requests()}, nil)),
			"conditions id name observedGeneration p q r type"},
		{"a published response changes nothing", Merge([]*ir.Version{both()}, nil), "conditions observedGeneration p r"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if got := shaped(test.known); got != test.want {
				t.Errorf("the Status has %s, want %s", got, test.want)
			}
		})
	}
}
