package facts

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	fuzz "github.com/google/gofuzz"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/internal/golden"
)

const update = "./bazelw run //tools/add -- shop --update"

// shop is a version with each fact that the format has.
func shop() *ir.Version {
	number, text := int64(24), ir.TypeRef{Primitive: ir.String}
	half := 0.5
	v := &ir.Version{
		Provider: "Contoso.Shop", APIVersion: "2020-01-01", Sources: []string{"swagger", "bicep"},
		Resources: []*ir.Resource{
			{
				Type: "Contoso.Shop/orders", Scopes: []ir.Scope{ir.ResourceGroup, ir.Subscription},
				Path:       "/subscriptions/{s}/orders/{name}",
				NameLimits: &ir.Validation{Pattern: "^[a-z]+$", MaxLength: &number}, Spec: "Order", Status: "Order", Requested: true,
				Collections: []ir.Collection{{Path: "properties/lines", Type: "Contoso.Shop/orders/lines", Flat: true}},
			},
			{Type: "Contoso.Shop/orders/settings/default", ARM: "Contoso.Shop/orders/settings", Scopes: []ir.Scope{ir.ResourceGroup},
				Parent: "Contoso.Shop/orders", FixedName: "default", NoDelete: true, Spec: "Sale"},
		},
		Actions: []ir.Action{{Resource: "Contoso.Shop/orders", Name: "listKeys", Secret: true, Values: []ir.ActionValue{
			{Path: "any", Any: true}, {Path: "keys[].value", Secret: true, Base64: true}}}},
		Types: []*ir.Type{
			{Name: "Color", Kind: ir.Enum, Base: ir.String, Open: true, Values: values("red", "1.0", "10")},
			{Name: "None", Kind: ir.Enum, Base: ir.Integer},
			{Name: "Nothing", Kind: ir.Object, Source: "bicep"},
			{Name: "Order", Kind: ir.Object, Properties: []*ir.Property{
				{Spread: true, Type: ir.TypeRef{Map: &ir.TypeRef{Primitive: ir.Any}}},
				{ARM: "@odata.type", Type: text, Required: true, CreateOnly: true, Default: `"a<b>"`},
				{ARM: "color", Type: ir.TypeRef{Named: "Color"}, Source: "bicep", Default: `"red"`},
				{ARM: "count", Type: ir.TypeRef{Primitive: ir.Integer}, MayBeFraction: true, Likely: ir.LikelyFraction,
					Validation: &ir.Validation{Minimum: &half, ExclusiveMinimum: true, Maximum: &half, ExclusiveMaximum: true,
						MultipleOf: &half, Format: "int32"}},
				{ARM: "id", Type: text, ReadOnly: true, IsARMID: true, ResourceTypes: []string{"Contoso.Shop/a", "Contoso.Shop/b"}},
				{ARM: "lines", Type: ir.TypeRef{Items: &ir.TypeRef{Map: &ir.TypeRef{Items: &ir.TypeRef{Named: "Nothing"}}}},
					ListKeys: []string{"a", "b/c"}, Default: `[{"properties":[1]}]`,
					Validation:     &ir.Validation{MinItems: &number, MaxItems: &number, UniqueItems: true},
					ItemValidation: &ir.Validation{MinLength: &number, OtherPattern: "^(?!-)"}},
				{ARM: "pin", Type: text, WriteOnly: true, IsSecret: true},
			}},
			{Name: "Sale", Kind: ir.Object, Discriminator: "kind", VariantOptional: true, Properties: []*ir.Property{
				{Variant: "Order", Type: ir.TypeRef{Named: "Order"}}, {ARM: "owner", Type: text, Likely: ir.LikelyID},
				{ARM: "owners", Type: ir.TypeRef{Map: &text}, Likely: ir.LikelyIDKeys},
			}},
		},
	}
	sortRaw(v)
	return v
}

func values(texts ...string) []ir.EnumValue {
	var all []ir.EnumValue
	for i, name := range naming.EnumNames(texts) {
		all = append(all, ir.EnumValue{Value: texts[i], Name: name})
	}
	return all
}

// equal ignores what a file does not have: places, and Kubernetes' kinds and names.
var equal = cmp.Options{cmpopts.IgnoreTypes(jsontree.Place{}), cmpopts.EquateEmpty()}

func TestEncode(t *testing.T) {
	t.Run("the text is that of the golden file", func(t *testing.T) {
		text, err := Encode(shop())
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, filepath.Join("testdata", "shop.facts.json"), string(text))
	})
	t.Run("a version that was written is read as it was", func(t *testing.T) {
		text, err := Encode(shop())
		if err != nil {
			t.Fatal(err)
		}
		v, err := Decode("shop.facts.json", string(text), update)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shop(), v, equal); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("every fact of the raw form is written and read", testEveryFact)
}

// testEveryFact fills the raw form with random values. A field that the format forgets is
// not read again.
func testEveryFact(t *testing.T) {
	random := fuzz.New().RandSource(rand.NewSource(1)).NilChance(0.3).NumElements(0, 3).Funcs(
		func(p *ir.Property, c fuzz.Continue) {
			c.FuzzNoCustom(p)
			p.Encoding = []ir.Encoding{"", ir.Base64, ir.Base64URL}[c.Intn(3)]
			// The raw form has no names of Kubernetes, and no descriptions in a file.
			p.Name, p.GoName, p.Doc, p.ValueOf, p.At = "", "", "", "", jsontree.Place{}
			p.Flattened, p.Raw, p.AzureName, p.MergeOnly, p.WholeSecret = false, false, false, false, false
			p.Default = []string{"", "true", `{"a":[1,2.50,"x"]}`}[c.Intn(3)]
		},
		func(r *ir.TypeRef, c fuzz.Continue) {
			*r = []ir.TypeRef{{Primitive: ir.Boolean}, {Named: "T0"}, {Items: &ir.TypeRef{Named: "T1"}}}[c.Intn(3)]
		},
		func(v *ir.Validation, c fuzz.Continue) {
			c.FuzzNoCustom(v)
			v.Pattern, v.OtherPattern = "", ""
			v.SetPattern([]string{"", "^a$", "(?!a)"}[c.Intn(3)])
			if *v == (ir.Validation{}) {
				v.UniqueItems = true
			}
		},
		func(t *ir.Type, c fuzz.Continue) {
			c.FuzzNoCustom(t)
			t.Status, t.Doc, t.Kind, t.Base, t.Open, t.Values = false, "", ir.Object, "", false, nil
		},
		func(r *ir.Resource, c fuzz.Continue) {
			c.FuzzNoCustom(r)
			r.Kind, r.Spec, r.Status, r.Outputs, r.Scopes, r.GUIDName = "", "T0", "T1", nil, []ir.Scope{ir.Tenant}, false
		},
		func(s *string, c fuzz.Continue) { *s = []string{"", "a", `b"<>`, "ü"}[c.Intn(4)] },
	)
	for range 300 {
		v := &ir.Version{Provider: "Contoso.Shop", APIVersion: "2020-01-01"}
		random.Fuzz(&v.Sources)
		random.Fuzz(&v.Resources)
		random.Fuzz(&v.Actions)
		for _, name := range []string{"T0", "T1", "T2"} {
			typ := new(ir.Type)
			random.Fuzz(typ)
			typ.Name = name
			v.Types = append(v.Types, typ)
		}
		drop(v)
		text, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode("x", string(text), update)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(v, back, equal); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	}
}

// drop drops elements that are nil.
func drop(v *ir.Version) {
	var resources []*ir.Resource
	for _, r := range v.Resources {
		if r != nil {
			resources = append(resources, r)
		}
	}
	v.Resources = resources
	for _, t := range v.Types {
		var properties []*ir.Property
		for _, p := range t.Properties {
			if p != nil {
				properties = append(properties, p)
			}
		}
		t.Properties = properties
	}
}

func TestDecode(t *testing.T) {
	text, err := os.ReadFile("testdata/shop.facts.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ behavior, old, new, want string }{
		{"no JSON", `"facts": 1,`, `"facts": ,`, `shop.facts.json:2:10: invalid JSON: `},
		{"another format", `"facts": 1,`, `"facts": 2,`, `shop.facts.json:2:10: the format of the facts is 2, expected 1; `},
		{"no format", `"facts": 1,` + "\n", ``, `shop.facts.json:1:1: the format of the facts is nothing, expected 1; `},
		{"an unknown fact", `"readOnly": true`, `"readonly": true`, `no fact is called "readonly"; `},
		{"a fact of the wrong type", `"readOnly": true`, `"readOnly": "yes"`, `"readOnly" is a string, which it cannot be; `},
		{"an unknown type", `"type": "Color"`, `"type": "Colour"`, `there is no type "Colour"; did you mean "Color"?; `},
		{"a body that is no object", `"request": "Sale"`, `"request": "Color"`, `the request is "Color", expected a type with properties`},
		{"a name that is no Go name", `{"name": "None"`, `{"name": "None struct{}; var X"`,
			`shop.facts.json:22:11: the name "None struct{}; var X" is none of a Go type; `},
		{"an enum of another base", `"base": "integer"`, `"base": "object"`,
			`the base of an enum is "object", expected string, integer or number; `},
		{"an unknown scope", `["resourceGroup"]`, `["resourcegroup"]`,
			`the scope is "resourcegroup", expected one of [resourceGroup subscription tenant extension]; `},
		{"a second type of a name", `{"name": "None"`, `{"name": "Color"`, `a second type is called Color; `},
		{"another order", `{"name": "pin"`, `{"name": "a"`, `shop.facts.json:27:1: found the line `},
		{"another spelling", `"readOnly": true`, `"readOnly":  true`, `shop.facts.json:29:1: found the line `},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			changed := strings.Replace(string(text), test.old, test.new, 1)
			if changed == string(text) {
				t.Fatalf("the file has no %s", test.old)
			}
			_, err := Decode("shop.facts.json", changed, update)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if test.behavior != "no JSON" && !strings.HasSuffix(err.Error(), "; "+update+" writes the file again") {
				t.Errorf("%v does not say what to do", err)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	property := func(v *ir.Version, name string) *ir.Property {
		for _, p := range v.Type("Order").Properties {
			if p.ARM == name {
				return p
			}
		}
		t.Fatalf("Order has no %s", name)
		return nil
	}
	for _, test := range []struct {
		behavior string
		change   func(*ir.Version)
		want     []string
	}{
		{"nothing changed", func(*ir.Version) {}, nil},
		{"a description", func(v *ir.Version) { property(v, "pin").Doc = "A number." }, nil},
		{"a property is gone", func(v *ir.Version) { v.Type("Order").Properties = v.Type("Order").Properties[1:] }, []string{
			`Order.*: the specs no longer have it; it was {"spread": true, "type": "map[string]any"}`}},
		{"a property became required", func(v *ir.Version) { property(v, "pin").Required = true }, []string{
			`Order.pin: the specs now say {"name": "pin", "type": "string", "required": true, "writeOnly": true, "secret": true}; ` +
				`it was {"name": "pin", "type": "string", "writeOnly": true, "secret": true}`}},
		{"a text became an integer", func(v *ir.Version) { property(v, "pin").Type.Primitive = ir.Integer }, []string{
			`Order.pin: the specs now say {"name": "pin", "type": "integer", "writeOnly": true, "secret": true}; ` +
				`it was {"name": "pin", "type": "string", "writeOnly": true, "secret": true}`}},
		{"a value is new", func(v *ir.Version) { v.Type("Color").Values = values("red", "1.0", "10", "blue") }, []string{
			`value blue of Color: the specs have it now: "blue"`}},
		{"a type and a resource are new", func(v *ir.Version) {
			v.Types = append(v.Types, &ir.Type{Name: "Zone", Kind: ir.Object})
			v.Resources = append(v.Resources, &ir.Resource{Type: "Contoso.Shop/zones", Spec: "Zone"})
		}, []string{`resource Contoso.Shop/zones: the specs have it now: {"type": "Contoso.Shop/zones", "scopes": [], "request": "Zone"}`,
			`type Zone: the specs have it now: {"name": "Zone"}`}},
		{"the value of an action is gone", func(v *ir.Version) { v.Actions[0].Values = v.Actions[0].Values[:1] }, []string{
			`keys[].value of the action listKeys of Contoso.Shop/orders: the specs no longer have it; it was ` +
				`{"path": "keys[].value", "secret": true, "base64": true}`}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			specs := shop()
			test.change(specs)
			var got []string
			if err := Compare(shop(), specs, update); err != nil {
				got = strings.Split(err.Error(), "\n")
				const last = "the specs of Contoso.Shop 2020-01-01 have changed since its facts were written; " + update +
					" accepts what they say now, and prints what it means for stored objects and for clients"
				if got[len(got)-1] != last {
					t.Errorf("the last line is %s\nwant %s", got[len(got)-1], last)
				}
				got = got[:len(got)-1]
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	specs, v := shop(), shop()
	specs.Notes = []ir.Note{{Kind: ir.Skipped, Reason: "a test"}}
	for _, typ := range specs.Types {
		typ.Doc = "Type " + typ.Name
		for i := range typ.Values {
			typ.Values[i].Doc = "Value " + typ.Values[i].Value
		}
		for _, p := range typ.Properties {
			p.Doc = "Property " + p.Path()
		}
	}
	Describe(v, specs)
	if diff := cmp.Diff(specs, v, equal); diff != "" {
		t.Error(diff)
	}
}

func TestSelect(t *testing.T) {
	v := shop()
	Select(v, map[string]string{"contoso.shop/Orders": "Order"})
	var types []string
	for _, typ := range v.Types {
		types = append(types, typ.Name)
	}
	want := []string{"Color", "Nothing", "Order"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
	if len(v.Resources) != 1 || v.Resources[0].Kind != "Order" || v.Resources[0].Type != "contoso.shop/Orders" {
		t.Errorf("the resources are %+v", v.Resources)
	}
	if len(v.Actions) != 1 {
		t.Errorf("%d actions, want that of the exported type", len(v.Actions))
	}
}
