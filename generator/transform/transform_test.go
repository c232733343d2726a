package transform

import (
	"regexp"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/google/go-cmp/cmp"
)

func withoutGoNames(text string) string {
	return regexp.MustCompile(` go\b ?`).ReplaceAllString(text, "")
}

func shapeCase(t *testing.T, name string) *ir.Version {
	t.Helper()
	folder := "testdata/" + name
	raw := decode(t, folder+"/raw.json")
	shaped, err := Shape(raw, readLoad(t, folder, raw))
	if err != nil {
		t.Fatal(err)
	}
	return shaped
}

// TestAPI tests that an edit of a description, a limit or a note does not change
// api.json, so that nothing made from it is built again.
func TestAPI(t *testing.T) {
	shaped := shapeCase(t, "a_resource_is_flattened")
	full := render(shaped)
	before, err := ir.Encode(API(shaped))
	if err != nil {
		t.Fatal(err)
	}
	if render(shaped) != full {
		t.Error("API changed its input")
	}
	edited := shapeCase(t, "a_resource_is_flattened")
	edited.Notes = append(edited.Notes, ir.Note{Reason: "new"})
	edited.Resources[0].NameLimits = &ir.Validation{Pattern: "new"}
	for _, typ := range edited.Types {
		typ.Doc += " more"
		for i := range typ.Values {
			typ.Values[i].Doc += " more"
		}
		for _, p := range typ.Properties {
			p.Doc += " more"
			p.Validation, p.ItemValidation = &ir.Validation{Pattern: "new"}, nil
		}
	}
	after, err := ir.Encode(API(edited))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(before), string(after)); diff != "" {
		t.Error(diff)
	}
	edited.Type("Person_Spec").Property("firstName").Required = true
	if after, _ := ir.Encode(API(edited)); string(after) == string(before) {
		t.Error("a change of the Go types does not change the API")
	}
}

// TestLimited tests that an edit of a description or a note does not change limits.json,
// and that an edit of a limit does.
func TestLimited(t *testing.T) {
	encoded := func(edit func(*ir.Version)) string {
		t.Helper()
		v := shapeCase(t, "a_resource_is_flattened")
		edit(v)
		text, err := ir.Encode(Limited(v))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	firstName := func(v *ir.Version) *ir.Property { return v.Type("Person_Spec").Property("firstName") }
	before := encoded(func(*ir.Version) {})
	for name, test := range map[string]struct {
		edit    func(*ir.Version)
		changes bool
	}{
		"a note":           {func(v *ir.Version) { v.Notes = append(v.Notes, ir.Note{Reason: "new"}) }, false},
		"a description":    {func(v *ir.Version) { firstName(v).Doc += " more" }, false},
		"a limit":          {func(v *ir.Version) { firstName(v).Validation = &ir.Validation{Pattern: "new"} }, true},
		"a limit on names": {func(v *ir.Version) { v.Resources[0].NameLimits = &ir.Validation{Pattern: "new"} }, true},
	} {
		if after := encoded(test.edit); (after != before) != test.changes {
			t.Errorf("an edit of %s changes it: %v, want %v", name, !test.changes, test.changes)
		}
	}
}

func TestNotes(t *testing.T) {
	shaped := shapeCase(t, "references_and_secrets")
	rest, notes := Notes(shaped)
	if len(rest.Notes) != 0 || len(notes.Notes) == 0 || !slices.Equal(notes.Notes, shaped.Notes) {
		t.Errorf("got %v and %v", rest.Notes, notes.Notes)
	}
	if notes.Provider != shaped.Provider || notes.APIVersion != shaped.APIVersion || len(notes.Types) != 0 {
		t.Errorf("got notes of %v, want provider, version and notes only", notes)
	}
}

// TestShapeOrder tests that the result does not depend on the order in which a
// reader finds resources and types.
func TestShapeOrder(t *testing.T) {
	for _, name := range []string{"kinds_keep_their_names", "a_union_in_a_property", "references_and_secrets"} {
		folder := "testdata/" + name
		want := render(shapeCase(t, name))
		raw := decode(t, folder+"/raw.json")
		for _, typ := range raw.Types {
			slices.Reverse(typ.Properties)
		}
		slices.Reverse(raw.Resources)
		slices.Reverse(raw.Notes)
		shaped, err := Shape(raw, readLoad(t, folder, raw))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, render(shaped)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestLikelyID(t *testing.T) {
	str := ir.TypeRef{Primitive: ir.String}
	for _, test := range []struct {
		reason string
		p      ir.Property
		want   bool
	}{
		{"the name is enough", ir.Property{Name: "storageResourceId", Type: str}, true},
		{"an ARM id", ir.Property{Name: "subnetArmId", Type: str}, true},
		{"a list", ir.Property{Name: "networkResourceIds", Type: ir.TypeRef{Items: &str}}, true},
		{"the description says it", ir.Property{Name: "subnetId", Type: str, Doc: "The full resource ID of a subnet."}, true},
		{"its form is shown", ir.Property{Name: "subnet", Type: str, Doc: "Such as /subscriptions/{id}/…"}, true},
		{"its form is required", ir.Property{Name: "subnet", Type: str, Validation: &ir.Validation{Pattern: "^/Subscriptions/"}}, true},
		{"an identity is given by its id", ir.Property{Name: "userAssignedIdentity", Type: str}, true},
		{"another id", ir.Property{Name: "tenantId", Type: str, Doc: "The tenant."}, false},
		{"not the name of an id", ir.Property{Name: "grid", Type: str, Doc: "A resource identifier."}, false},
		{"not a string", ir.Property{Name: "vmResourceId", Type: ir.TypeRef{Primitive: ir.Any}}, false},
	} {
		if got := likely(&test.p) == ir.LikelyID; got != test.want {
			t.Errorf("%s: %s: got %v", test.reason, test.p.Name, got)
		}
	}
}

func TestLikelySecret(t *testing.T) {
	for name, want := range map[string]bool{
		"adminPassword": true, "clientSecret": true, "primaryKey": true, "key": true, "connectionString": true,
		"rdb-storage-connection-string": true,
		"sasToken":                      true, "storageAccountKey": true, "primaryConnectionString": true, "token": true,
		"protectedSettings": true,
		"partitionKey":      false, "publicKey": false, "keyName": false, "passwordPolicy": false, "secretUrl": false,
		"sortKey": false, "monkey": false,
	} {
		for _, primitive := range []ir.Primitive{ir.String, ir.Any, ir.Boolean} {
			p := &ir.Property{Name: name, Type: ir.TypeRef{Primitive: primitive}}
			if got := likelySecret(p, "Store"); got != (want && primitive != ir.Boolean) {
				t.Errorf("%s, which is %s: got %v", name, primitive, got)
			}
		}
	}
}

func TestReferenceName(t *testing.T) {
	one, many := ir.TypeRef{Primitive: ir.Reference}, ir.TypeRef{Items: &ir.TypeRef{Primitive: ir.Reference}}
	for _, test := range []struct {
		name string
		ref  ir.TypeRef
		want string
	}{
		{"subnetId", one, "subnetReference"},
		{"vnetSubnetID", one, "vnetSubnetReference"},
		{"id", one, "reference"},
		{"ids", many, "references"},
		{"subnetIds", many, "subnetReferences"},
		{"subnetId", many, "subnetReferences"},
		{"storageResourceId", one, "storageResourceReference"},
		{"grid", one, "gridReference"},
		{"subnet", many, "subnetReferences"},
	} {
		if got := referenceName(test.name, test.ref); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// TestMarks tests that each mark of group.yaml, and its opposite, changes a property of which it says something new.
func TestMarks(t *testing.T) {
	id := func(p *ir.Property) { p.IsARMID = true }
	pets := named("x", "Pet")
	keys := func(p *ir.Property) { p.ListKeys = []string{"name"} }
	types := func(p *ir.Property) { p.ResourceTypes = []string{"Contoso.Crm/pets"} }
	bytes := func(p *ir.Property) { p.IsSecret, p.Encoding = true, ir.Base64 }
	fraction := func(p *ir.Property) { p.MayBeFraction, p.Likely = true, ir.LikelyFraction }
	cases := map[string]struct {
		property *ir.Property
		mark     config.Mark // with its values
	}{
		config.Base64:         {property: set(text("x"), secret)},
		config.Children:       {pets, config.Mark{Type: "Contoso.Crm/people/pets"}},
		config.CreateOnly:     {property: text("x")},
		config.EnumMark:       {named("x", "Color"), config.Mark{Enum: &config.Enum{Values: []string{"red"}}}},
		config.LimitsMark:     {text("x"), config.Mark{Limits: &config.Limits{Pattern: "^a"}}},
		config.ListKeys:       {pets, config.Mark{Values: []string{"name"}}},
		config.Number:         {property: primitive("x", ir.Integer)},
		config.MissingMark:    {text("y"), config.Mark{Missing: &config.Missing{Type: "[]string", Since: "2020-01-01"}}},
		config.ReadOnly:       {property: text("x")},
		config.Reference:      {property: text("x")},
		config.Required:       {property: text("x")},
		config.ResourceTypes:  {set(text("x"), id), config.Mark{Values: []string{"Contoso.Crm/pets"}}},
		config.RoleDefinition: {property: text("x")},
		config.Secret:         {property: text("x")},
		config.Untyped:        {property: text("x")},
		config.ValueFrom:      {property: text("x")},
		config.WriteOnly:      {property: text("x")},

		config.Not(config.Base64):        {property: set(text("x"), bytes)},
		config.Not(config.Children):      {property: pets},
		config.Not(config.CreateOnly):    {property: set(text("x"), func(p *ir.Property) { p.CreateOnly = true })},
		config.Not(config.ListKeys):      {property: set(named("x", "Pet"), keys)},
		config.Not(config.Number):        {property: set(primitive("x", ir.Integer), fraction)},
		config.Not(config.ReadOnly):      {property: readOnly(text("x"))},
		config.Not(config.Reference):     {property: set(text("x"), id)},
		config.Not(config.Required):      {property: set(text("x"), func(p *ir.Property) { p.Required = true })},
		config.Not(config.ResourceTypes): {property: set(text("x"), id, types)},
		config.Not(config.Secret):        {property: set(text("x"), secret)},
		config.Not(config.ValueFrom):     {property: text("clientId")},
		config.Not(config.WriteOnly):     {property: set(text("x"), func(p *ir.Property) { p.WriteOnly = true })},
	}
	for _, m := range config.Marks() {
		t.Run(m.String(), func(t *testing.T) {
			test, known := cases[m.String()]
			if !known {
				t.Fatal("the test has no property on which the mark has an effect")
			}
			named := test.mark
			m.Type, m.Values, m.Limits, m.Enum, m.Missing = named.Type, named.Values, named.Limits, named.Enum, named.Missing
			raw := answered(version("swagger", map[string]string{"Person": "Person"},
				object("Person", test.property), object("Pet", text("name")), enum("Color", "blue")))
			raw.Resources[0].Type = "Contoso.Crm/people"
			if m.Not && m.Name == config.Children {
				raw.Resources[0].Collections = []ir.Collection{{Path: "x", Type: "Contoso.Crm/people/pets"}}
			}
			load := exportAll(raw)
			before, err := Shape(raw, load)
			if err != nil {
				t.Fatal(err)
			}
			entry := "Person.x"
			if m.Not && m.Name == config.ValueFrom { // its effect is on what has a certain name
				entry = "Person.clientId"
			}
			load.Properties = config.Properties{entry: {m}}
			after, err := Shape(raw, load)
			if err != nil {
				t.Fatal(err)
			}
			if entry := m.Entry(entry); !slices.Contains(after.Used, entry) {
				t.Errorf("no effect is recorded: found %v, want %s", after.Used, entry)
			}
			if isQuestion := m.Not && m.Name == config.Number; !isQuestion && cmp.Equal(before.Types, after.Types) &&
				cmp.Equal(before.Resources, after.Resources) {
				t.Error("the shape is as it was")
			} else if isQuestion && cmp.Equal(before.Notes, after.Notes) {
				t.Error("the notes are as they were")
			}
		})
	}
}

// TestLikelyReadOnly tests that what looks like something that only ARM writes is asked for, until group.yaml says what
// it is.
func TestLikelyReadOnly(t *testing.T) {
	texts := ir.TypeRef{Items: &ir.TypeRef{Primitive: ir.String}}
	for _, test := range []struct {
		reason   string
		property *ir.Property
		marks    []config.Mark
		asks     bool
	}{
		{"an ETag in a manifest is wrong after the first change", text("eTag"), nil, true},
		{"ARM alone knows how far it is", text("provisioningState"), nil, true},
		{"a spec says so", readOnly(text("provisioningState")), nil, false},
		{"many states are switches", text("state"), nil, false},
		{"a list of ETags is a condition", &ir.Property{Name: "etag", Type: texts}, nil, false},
		{"a person says so", text("createdAt"), []config.Mark{{Name: config.ReadOnly}}, false},
		{"a person says that it is not", text("createdAt"), []config.Mark{{Name: config.ReadOnly, Not: true}}, false},
	} {
		t.Run(test.reason, func(t *testing.T) {
			raw := answered(version("swagger", map[string]string{"Person": "Person"}, object("Person", test.property, text("x"))))
			load := exportAll(raw)
			entry := "Person." + test.property.Name
			load.Properties = config.Properties{entry: test.marks}
			shaped, err := Shape(raw, load)
			if err != nil {
				t.Fatal(err)
			}
			if asks := slices.ContainsFunc(shaped.Notes, func(n ir.Note) bool { return n.Kind == ir.NotAssessed }); asks != test.asks {
				t.Errorf("it asks: %v, want %v", asks, test.asks)
			}
			for _, m := range test.marks {
				if !slices.Contains(shaped.Used, m.Entry(entry)) {
					t.Errorf("the mark %s has no effect: %v", m, shaped.Used)
				}
			}
		})
	}
}

// TestCorrectionOfAll tests that a correction after which nothing is left of an object in requests has an effect.
func TestCorrectionOfAll(t *testing.T) {
	raw := answered(version("swagger", map[string]string{"Person": "Person"}, object("Person", text("x"), named("pet", "Pet")),
		object("Pet", text("etag"), named("again", "Pet"))))
	load := exportAll(raw)
	mark := config.Mark{Name: config.ReadOnly}
	load.Properties = config.Properties{"Pet.etag": {mark}}
	shaped, err := Shape(raw, load)
	if err != nil {
		t.Fatal(err)
	}
	if shaped.Type("Person_Spec").Property("pet") != nil || shaped.Type("Person_Status").Property("pet") == nil {
		t.Error("want the object in answers only")
	}
	if !slices.Contains(shaped.Used, mark.Entry("Pet.etag")) {
		t.Errorf("the mark has no effect: %v", shaped.Used)
	}
}

// TestListKeys tests which keys of lists the API server has.
func TestListKeys(t *testing.T) {
	name := func() *ir.Property { return set(text("name"), func(p *ir.Property) { p.Required = true }) }
	keys := []string{"name"}
	believed := &ir.Property{Name: "pets", Type: ir.TypeRef{Items: &ir.TypeRef{Named: "Pet"}}, ListKeys: keys}
	for _, test := range []struct {
		behavior string
		list     *ir.Property
		key      *ir.Property
		marks    []config.Mark
		// mergeOnly says whether the keys serve merging alone, asks whether the report asks what shows that ARM has
		// them, and isUsed whether the mark has an effect.
		mergeOnly, asks, isUsed bool
	}{
		{"of which nobody has said anything: they are asked for", believed, name(), nil, false, true, false},
		{"with evidence", believed, name(), []config.Mark{{Name: config.ListKeys, Values: keys, Why: "so", Source: "a"}},
			false, false, true},
		{"without evidence they serve merging alone", believed, name(),
			[]config.Mark{{Name: config.ListKeys, Values: keys, Merge: config.MergeOnly}}, true, false, true},
		{"that an element need not have are in no schema anyway", believed, text("name"),
			[]config.Mark{{Name: config.ListKeys, Values: keys, Merge: config.MergeOnly}}, false, false, false},
		{"that group.yaml alone has", &ir.Property{Name: "pets", Type: believed.Type}, name(),
			[]config.Mark{{Name: config.ListKeys, Values: keys, Merge: config.MergeOnly}}, true, false, true},
		{"of a spec, in place of which group.yaml has others", set(&ir.Property{Name: "pets", Type: believed.Type},
			func(p *ir.Property) { p.ListKeys = []string{"color"} }), name(),
			[]config.Mark{{Name: config.ListKeys, Values: keys, Why: "so", Source: "a"}}, false, false, true},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			raw := answered(version("swagger", map[string]string{"Person": "Person"}, object("Person", test.list),
				object("Pet", test.key, text("color"))))
			load := exportAll(raw)
			load.Properties = config.Properties{"Person.pets": test.marks}
			shaped, err := Shape(raw, load)
			if err != nil {
				t.Fatal(err)
			}
			p := shaped.Type("Person_Spec").Property("pets")
			if !slices.Equal(p.ListKeys, keys) || p.MergeOnly != test.mergeOnly {
				t.Errorf("got keys %v, for merging alone: %v", p.ListKeys, p.MergeOnly)
			}
			if asks := slices.ContainsFunc(shaped.Notes, func(n ir.Note) bool { return n.Kind == ir.NotAssessed }); asks != test.asks {
				t.Errorf("it asks: %v", asks)
			}
			if isUsed := slices.Contains(shaped.Used, "listKeys/Person.pets"); isUsed != test.isUsed {
				t.Errorf("the mark has an effect: %v", isUsed)
			}
		})
	}
}

// TestMissing adds a property that no spec has.
func TestMissing(t *testing.T) {
	for _, test := range []struct {
		behavior, property, since string
		want                      string // the path of the property in a Spec, or ""
	}{
		{"beside what a body has inside properties", "hat", "2020-01-01", "properties/hat"},
		{"at a version before ARM had it", "hat", "2099-01-01", ""},
		{"where a spec has it by now", "AGE", "2020-01-01", ""},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			raw := answered(version("swagger", map[string]string{"Person": "Person"},
				object("Person", &ir.Property{Name: "properties", Type: ir.TypeRef{Named: "Inner"}}), object("Inner", text("age"))))
			load := exportAll(raw)
			load.Properties = config.Properties{"Person." + test.property: {{Name: config.MissingMark,
				Missing: &config.Missing{Type: "string", Since: test.since}}}}
			shaped, err := Shape(raw, load)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, p := range shaped.Type("Person_Spec").Properties {
				if p.ARMName() == test.property {
					got = p.Path()
				}
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if isUsed := slices.Contains(shaped.Used, "missing/Person."+test.property); isUsed != (test.want != "") {
				t.Errorf("it is used: %v", isUsed)
			}
		})
	}
}

// TestCorrectName gives the name of a resource other limits than its spec has.
func TestCorrectName(t *testing.T) {
	length := func(n int64) *int64 { return &n }
	raw := answered(version("swagger", map[string]string{"Person": "Person"}, object("Person", text("x"))))
	raw.Resources[0].Type = "Contoso.Crm/people"
	raw.Resources[0].NameLimits = &ir.Validation{MinLength: length(1), MaxLength: length(99)}
	load := exportAll(raw)
	for name, test := range map[string]struct {
		longest int64
		isUsed  bool
	}{
		"another greatest length": {24, true},
		"what the spec says":      {99, false},
	} {
		t.Run(name, func(t *testing.T) {
			load.NameLimits = map[string]*config.Limits{"Contoso.Crm/people": {MaxLength: &test.longest}}
			shaped, err := Shape(raw, load)
			if err != nil {
				t.Fatal(err)
			}
			want := &ir.Validation{MinLength: length(1), MaxLength: &test.longest}
			if diff := cmp.Diff(want, shaped.Resources[0].NameLimits); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := slices.Contains(shaped.Used, "name/Contoso.Crm/people"); got != test.isUsed {
				t.Errorf("it is used: %v", got)
			}
		})
	}
}
