package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// hotel is a version with a kind whose Spec has each kind of value.
func hotel() *shape.Package {
	text, named := ir.TypeRef{Primitive: ir.String}, func(name string) ir.TypeRef { return ir.TypeRef{Named: name} }
	list := func(of ir.TypeRef) ir.TypeRef { return ir.TypeRef{Items: &of} }
	v := &ir.Version{APIVersion: "2022-01-01", Resources: []*ir.Resource{
		{Type: "Contoso.Stay/hotels", Kind: "Hotel", Scopes: []ir.Scope{ir.Subscription}, Spec: "Hotel_Spec", Status: "Hotel_Status",
			Collections: []ir.Collection{{Path: "properties/suites", Type: "Contoso.Stay/hotels/suites"}}},
	}, Types: []*ir.Type{
		{Name: "Hotel_Spec", Kind: ir.Object, Properties: []*ir.Property{
			{Name: "adminLogin", Type: text, Flattened: true},
			{Name: "bank", Type: ir.TypeRef{Primitive: ir.Reference}, ARM: "bankId", Flattened: true},
			{Name: "code", Type: text, Flattened: true},
			{Name: "floors", Type: ir.TypeRef{Primitive: ir.Integer}, Flattened: true, Validation: &ir.Validation{Maximum: new(9.0)}},
			{Name: "guest", Type: text, Flattened: true},
			{Name: "height", Type: ir.TypeRef{Primitive: ir.Number}, Flattened: true},
			{Name: "heights", Type: list(ir.TypeRef{Primitive: ir.Integer}), Flattened: true},
			{Name: "host", Type: text, Flattened: true},
			{Name: "identity", Type: named("Identity")},
			{Name: "location", Type: text},
			{Name: "open", Type: ir.TypeRef{Primitive: ir.Boolean}, Flattened: true},
			{Name: "password", Type: ir.TypeRef{Primitive: ir.Secret}, Flattened: true},
			{Name: "payment", Type: named("Payment"), Flattened: true},
			{Name: "region", Type: text, Flattened: true},
			{Name: "rooms", Type: list(named("Room")), Flattened: true},
			{Name: "sku", Type: named("Sku")},
			{Name: "suites", Type: list(named("Room")), Flattened: true},
			{Name: "tenant", Type: text, Flattened: true},
			{Name: "color", Type: named("Color"), Flattened: true},
		}},
		{Name: "Hotel_Status", Kind: ir.Object, Status: true},
		{Name: "Sku", Kind: ir.Object, Properties: []*ir.Property{{Name: "name", Type: text}}},
		{Name: "Identity", Kind: ir.Object, Properties: []*ir.Property{{Name: "type", Type: text},
			{Name: "users", Type: ir.TypeRef{Map: &ir.TypeRef{Primitive: ir.Any}}}}},
		{Name: "Room", Kind: ir.Object, Properties: []*ir.Property{
			{Name: "name", Type: text}, {Name: "beds", Type: ir.TypeRef{Primitive: ir.Integer}},
			{Name: "doorId", Type: text}, {Name: "id", Type: ir.TypeRef{Primitive: ir.Reference}}}},
		{Name: "Payment", Kind: ir.Object, Discriminator: "kind", Properties: []*ir.Property{
			{Name: "card", Variant: "Card", Type: named("Card")}, {Name: "cash", Variant: "Cash", Type: named("Cash")}}},
		{Name: "Card", Kind: ir.Object, Properties: []*ir.Property{{Name: "digits", Type: ir.TypeRef{Primitive: ir.Integer}}}},
		{Name: "Cash", Kind: ir.Object},
		{Name: "Color", Kind: ir.Enum, Base: ir.String, Open: true, Values: []ir.EnumValue{{Value: "Red", Name: "Red"}}},
	}}
	v.Sort()
	return shape.New(&plan.Package{Name: "v20220101", Group: "stay.azure.armature.dev", APIVersion: "2022-01-01", Role: plan.API,
		Resources: []plan.Resource{{Kind: "Hotel", ARMType: "Contoso.Stay/hotels"}}}, v)
}

// rawHotel is the version as the specs have it. needed is a property without which ARM refuses
// others.
func rawHotel(needed string) *ir.Version {
	v := &ir.Version{Resources: []*ir.Resource{{Type: "Contoso.Stay/hotels", Spec: "Hotel"}}, Types: []*ir.Type{
		{Name: "Hotel", Kind: ir.Object, Properties: []*ir.Property{{ARM: "properties", Type: ir.TypeRef{Named: "HotelProperties"}}}},
		{Name: "HotelProperties", Kind: ir.Object, Properties: []*ir.Property{
			{ARM: needed, Type: ir.TypeRef{Primitive: ir.String}, Required: true}}},
	}}
	v.Sort()
	return v
}

const hotelID = "/subscriptions/s/resourceGroups/g/providers/Contoso.Stay/hotels/ritz"

// given returns what an example with a body gives of a hotel, as YAML, or "" for nothing.
func given(t *testing.T, body string) string {
	t.Helper()
	if !json.Valid([]byte(body)) {
		t.Fatalf("no JSON: %s", body)
	}
	c := newCandidate(hotel(), rawHotel("none"), "Hotel", []byte(`{"parameters": {"hotelName": "Ritz", "hotel": `+body+`}}`))
	if c == nil {
		return ""
	}
	text, err := yaml.Marshal(c.values)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCandidate(t *testing.T) {
	for _, test := range []struct{ reason, body, want string }{
		{"numbers and booleans", `{"properties": {"floors": 3, "height": 2.5, "open": false}}`, "floors: 3\nheight: 2.5\nopen: false\n"},
		{"a number that the version does not allow", `{"properties": {"floors": 10, "open": true}}`, "open: true\n"},
		{"a value of an enum, as the enum spells it", `{"properties": {"color": "RED"}}`, "color: Red\n"},
		{"a value that the enum does not list", `{"properties": {"color": "Mauve"}}`, ""},
		{"a reference, by its type", `{"properties": {"bankId": "/subscriptions/s/resourceGroups/g/providers/Contoso.Bank/banks/b/tills/t"}}`,
			"bank: Contoso.Bank/banks/tills\n"},
		{"a reference that is a placeholder", `{"properties": {"bankId": "{the id of a bank}"}}`, ""},
		{"a secret, without its value", `{"properties": {"password": "hunter2"}}`, "password: secret\n"},
		{"a constant", `{"properties": {"code": "10.0.0.0/16"}}`, "code: 10.0.0.0/16\n"},
		{"a text of digits", `{"properties": {"code": "80"}}`, "code: \"80\"\n"},
		{"a word, which somebody made up", `{"properties": {"guest": "Guest1"}}`, ""},
		{"a sentence", `{"properties": {"guest": "A GUEST"}}`, ""},
		{"a host", `{"properties": {"host": "https://contoso.com"}}`, ""},
		{"a time, which has passed", `{"properties": {"code": "2020-01-01T00:00:00Z"}}`, ""},
		{"one letter again and again", `{"properties": {"code": "AAAAAA"}}`, ""},
		{"a digest", `{"properties": {"code": "0123456789012345"}}`, ""},
		{"a word that names a product", `{"sku": {"name": "Standard_LRS"}}`, "sku:\n    name: Standard_LRS\n"},
		{"the name of the resource", `{"properties": {"guest": "ritz"}}`, "guest: mysample\n"},
		{"a name of the user's", `{"properties": {"adminLogin": "joe"}}`, "adminLogin: mysample\n"},
		{"a region", `{"properties": {"region": "eastus"}}`, "region: westeurope\n"},
		{"a GUID", `{"properties": {"tenant": "0badc0de-0000-4000-8000-00000000cafe"}}`, "tenant: 00000000-0000-0000-0000-000000000000\n"},
		{"the first element of a list that gives something", `{"properties": {"heights": ["a", 4, 5]}}`, "heights:\n    - 4\n"},
		{"the name of a part, and not its own id",
			`{"properties": {"rooms": [{"name": "a", "id": "` + hotelID + `/rooms/a"}]}}`, "rooms:\n    - name: mysample\n"},
		{"a part with an id that is no reference is left out",
			`{"properties": {"rooms": [{"beds": 2, "doorId": "` + hotelID + `/doors/d"}]}}`, ""},
		{"a resource in a list, whose kind has a sample of its own", `{"properties": {"suites": [{"name": "a", "beds": 2}]}}`,
			"suites:\n    - beds: 2\n      name: mysample2\n"},
		{"an object with ids as keys is left out", `{"identity": {"type": "USER", "users": {"` + hotelID + `": {}}}}`, ""},
		{"a variant", `{"properties": {"payment": {"kind": "Card", "digits": 4}}}`, "payment:\n    card:\n        digits: 4\n"},
		{"the location", `{"location": "WESTUS"}`, ""},
		{"what the version does not have", `{"properties": {"pool": true}}`, ""},
	} {
		if diff := cmp.Diff(test.want, given(t, test.body)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
	for body, want := range map[string]string{
		`{"parameters": {"hotel": {"properties": {"floors": 3, "host": "https://contoso.com", "open": true}}}}`: "floors: 3\nhost: mysample\nopen: true\n",
		`{"parameters": {"hotel": {"sku": {"name": "S1"}}}}`:                                                    "sku:\n    name: S1\n",
	} {
		text, err := yaml.Marshal(newCandidate(hotel(), rawHotel("host"), "Hotel", []byte(body)).values)
		if err != nil || string(text) != want {
			t.Errorf("with what ARM needs beside others: got %s, %v, want %s", text, err, want)
		}
	}
	body := `{"parameters": {"hotel": {"properties": {"bankId": "` + hotelID + `"}}}}`
	if c := newCandidate(hotel(), rawHotel("none"), "Hotel", []byte(body)); c == nil || !c.copies {
		t.Error("what refers to its own type is a copy of another")
	}
	if c := newCandidate(hotel(), rawHotel("none"), "Hotel", []byte("{")); c != nil {
		t.Errorf("what is no example gives %v", c.values)
	}
}

func TestCandidateCompare(t *testing.T) {
	for _, test := range []struct {
		reason        string
		better, worse candidate
	}{
		{"what makes the resource", candidate{file: "a/CreateOrUpdate.json", optional: 1}, candidate{file: "a/Stop.json", optional: 1}},
		{"what says more than is required", candidate{file: "a/CreateMore.json", optional: 1}, candidate{file: "a/Create.json"}},
		{"what needs few others", candidate{file: "a/CreateMore.json", optional: 1},
			candidate{file: "a/Create.json", optional: 1, references: 1}},
		{"what is no copy of another", candidate{file: "a/CreateMore.json", optional: 1, references: 2},
			candidate{file: "a/Create.json", optional: 1, references: 1, copies: true}},
		{"the ordinary case", candidate{file: "long/Create.json", optional: 1, leaves: 9}, candidate{file: "a/CreateIn.json", optional: 1}},
		{"the smaller one", candidate{file: "a/CreateB.json", optional: 1}, candidate{file: "a/CreateA.json", optional: 1, leaves: 1}},
	} {
		if test.better.compare(&test.worse) >= 0 || test.worse.compare(&test.better) <= 0 {
			t.Errorf("%s is better: %s, not %s", test.reason, test.better.file, test.worse.file)
		}
	}
}

// TestSamplesFile tests which entries of samples.yaml an update makes anew.
func TestSamplesFile(t *testing.T) {
	root, specs := repository(t)
	change, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop"})
	if err != nil {
		t.Fatal(err)
	}
	if err := change.Write(root); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "apis", "contososhop", "samples.yaml")
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	evidence := " # OrderPut.json of 2022-01-01"
	if !strings.Contains(string(made), "\nOrder:"+evidence+"\n  couriersReferences:\n") {
		t.Fatalf("the example gives nothing of the order:\n%s", made)
	}
	head, _, _ := strings.Cut(string(made), "Order:")
	for _, test := range []struct{ reason, text, want string }{
		{"an entry with an example is made anew", head + "Order:" + evidence + "\n  couriersReferences: []\n", string(made)},
		{"an entry without an example is a person's", head + "Order: # mine\n  couriersReferences: [] # none\n", ""},
		{"a comment of a person's stays", head + "# Two.\nOrder:\n  # No couriers.\n  couriersReferences: []\n", ""},
	} {
		if err := os.WriteFile(file, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		change, err := PlanUpdate(Update{Repository: Repository{Root: root}, Specs: specs, Group: "contososhop"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, string(change.Files["apis/contososhop/samples.yaml"])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
	t.Run("an entry whose example the checkout lacks stays", func(t *testing.T) {
		if err := os.WriteFile(file, made, 0o644); err != nil {
			t.Fatal(err)
		}
		examples, err := filepath.Glob(filepath.Join(string(specs), "azure-rest-api-specs/specification/*/*/*/*/*/examples"))
		if err != nil || len(examples) == 0 {
			t.Fatalf("the specs have no examples: %v", err)
		}
		for _, folder := range examples {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
		change, err := PlanUpdate(Update{Repository: Repository{Root: root}, Specs: specs, Group: "contososhop"})
		if err != nil || change.Files["apis/contososhop/samples.yaml"] != nil {
			t.Errorf("%v\n%s", err, change.Files["apis/contososhop/samples.yaml"])
		}
	})
	t.Run("a file that is no YAML is an error", func(t *testing.T) {
		if err := os.WriteFile(file, []byte("Order: ["), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := PlanUpdate(Update{Repository: Repository{Root: root}, Specs: specs, Group: "contososhop"})
		if err == nil || !strings.Contains(err.Error(), "apis/contososhop/samples.yaml:1:1: not YAML") {
			t.Errorf("got %v", err)
		}
	})
}
