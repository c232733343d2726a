package sample

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// shop has a resource whose Spec has each kind of value, and one below it.
func shop(apiVersion string) *ir.Version {
	text := ir.TypeRef{Primitive: ir.String}
	v := &ir.Version{APIVersion: apiVersion, Resources: []*ir.Resource{
		{Type: "Contoso.Shop/shops", Kind: "Shop", Scopes: []ir.Scope{ir.ResourceGroup}, Spec: "Shop_Spec", Status: "Shop_Status",
			NameLimits: &ir.Validation{Pattern: "^[0-9]+$", MinLength: new(int64(3))}},
		{Type: "Contoso.Shop/shops/shelves", Kind: "Shelf", Scopes: []ir.Scope{ir.ResourceGroup}, Parent: "Contoso.Shop/shops",
			Spec: "Shelf_Spec", Status: "Shelf_Status"},
	}, Types: []*ir.Type{
		{Name: "Shop_Spec", Kind: ir.Object, Properties: []*ir.Property{
			{Name: "azureName", Type: text, AzureName: true},
			{Name: "location", Type: text},
			{Name: "manager", Type: ir.TypeRef{Named: "Manager"}, Required: true},
			{Name: "optional", Type: text},
			{Name: "owner", Type: ir.TypeRef{Primitive: ir.Owner}},
			{Name: "password", Type: ir.TypeRef{Primitive: ir.Secret}, Required: true},
			{Name: "shelf", Type: ir.TypeRef{Primitive: ir.Reference}, Required: true,
				ResourceTypes: []string{"Contoso.Shop/shops/shelves"}},
			{Name: "size", Type: ir.TypeRef{Named: "Size"}, Required: true},
			{Name: "seats", Type: ir.TypeRef{Primitive: ir.Integer}, Required: true,
				Validation: &ir.Validation{Minimum: new(4.0), ExclusiveMinimum: true}},
			{Name: "tables", Type: ir.TypeRef{Items: &ir.TypeRef{Named: "Table"}}, Required: true},
		}},
		{Name: "Shelf_Spec", Kind: ir.Object, Properties: []*ir.Property{{Name: "owner", Type: ir.TypeRef{Primitive: ir.Owner}}}},
		{Name: "Shop_Status", Kind: ir.Object, Status: true},
		{Name: "Shelf_Status", Kind: ir.Object, Status: true},
		{Name: "Manager", Kind: ir.Object, Discriminator: "kind", Properties: []*ir.Property{
			{Name: "person", Variant: "Person", Type: ir.TypeRef{Named: "Person"}},
			{Name: "robot", Variant: "Robot", Type: ir.TypeRef{Named: "Robot"}},
		}},
		{Name: "Person", Kind: ir.Object, Properties: []*ir.Property{{Name: "email", Type: text, Required: true}}},
		{Name: "Robot", Kind: ir.Object},
		{Name: "Size", Kind: ir.Enum, Base: ir.String,
			Values: []ir.EnumValue{{Value: "Small", Name: "Small"}, {Value: "Big", Name: "Big"}}},
		{Name: "Table", Kind: ir.Object, Properties: []*ir.Property{
			{Name: "under", Type: ir.TypeRef{Items: &ir.TypeRef{Named: "Table"}}, Required: true},
		}},
	}}
	v.Sort()
	return v
}

func pkg(name, apiVersion string, kinds ...string) *plan.Package {
	p := &plan.Package{Group: "shop.azure.armature.dev", Name: name, APIVersion: apiVersion, Role: plan.API}
	for _, kind := range kinds {
		armType := map[string]string{"Shop": "Contoso.Shop/shops", "Shelf": "Contoso.Shop/shops/shelves"}[kind]
		p.Resources = append(p.Resources, plan.Resource{Kind: kind, ARMType: armType})
	}
	return p
}

func TestAll(t *testing.T) {
	samples, err := All([]*plan.Package{
		pkg("v20210101", "2021-01-01", "Shelf", "Shop"),
		pkg("v20220101alpha1", "2022-01-01-preview", "Shelf", "Shop"),
	}, []*ir.Version{shop("2021-01-01"), shop("2022-01-01-preview")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range samples {
		if !s.Newest {
			const preview = "apiVersion: shop.azure.armature.dev/v20220101alpha1\n"
			if s.File() != "v20220101alpha1/"+strings.ToLower(s.Kind)+".yaml" || !strings.Contains(string(s.YAML), preview) {
				t.Errorf("%s: want a sample of the preview:\n%s", s.File(), s.YAML)
			}
			continue
		}
		got = append(got, s.File()+"\n"+string(s.YAML))
	}
	want := []string{`shelf.yaml
apiVersion: shop.azure.armature.dev/v20210101
kind: Shelf
metadata:
  name: mysample
spec:
  owner:
    name: mysample
`, `shop.yaml
apiVersion: v1
kind: Secret
metadata:
  name: mysample-shop
stringData:
  password: Sample-Passw0rd
---
apiVersion: shop.azure.armature.dev/v20210101
kind: Shop
metadata:
  name: mysample
spec:
  azureName: "111"
  location: westeurope
  manager:
    robot: {}
  owner:
    name: mysample
  password:
    key: password
    name: mysample-shop
  seats: 5
  shelf:
    armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Shop/shops/mysample/shelves/mysample
  size: Small
  tables:
  - under: []
`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestText(t *testing.T) {
	limits := func(pattern string, least, most int64) *ir.Validation {
		return &ir.Validation{Pattern: pattern, MinLength: &least, MaxLength: &most}
	}
	for _, test := range []struct {
		property string
		limits   *ir.Validation
		want     string // "" for any that fits
	}{
		{"location", nil, "westeurope"},
		{"name", limits("", 1, 4), "PT1H"},
		{"code", limits("", 50, 60), ""},
		{"code", limits("^[0-9]{3}-x?(a|b)+$", 9, 10), ""},
		{"code", limits(`^(?:[A-Z]|\d){2,5}$`, 5, 5), ""},
		{"id", limits(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, 0, 36), "00000000-0000-0000-0000-000000000000"},
	} {
		got, err := text(test.property, test.limits)
		if err != nil || !fits(got, test.limits) || test.want != "" && got != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.property, got, err, test.want)
		}
	}
	if got, err := text("name", limits("^$", 1, 2)); err == nil {
		t.Errorf("nothing fits, and got %q", got)
	}
}

func TestID(t *testing.T) {
	const group = "/subscriptions/" + UnknownID + "/resourceGroups/mysample"
	for armType, want := range map[string]string{
		"microsoft.resources/resourcegroups":    group,
		"Microsoft.Storage/storageAccounts":     group + "/providers/Microsoft.Storage/storageAccounts/mysample",
		"Microsoft.Network/vnets/subnets":       group + "/providers/Microsoft.Network/vnets/mysample/subnets/mysample",
		"Microsoft.Compute/locations":           "/subscriptions/" + UnknownID + "/providers/Microsoft.Compute/locations/westeurope",
		"Microsoft.Management/managementGroups": "/providers/Microsoft.Management/managementGroups/mysample",
	} {
		if got := id(armType); got != want {
			t.Errorf("%s: got %s, want %s", armType, got, want)
		}
		if got := typeOf(want); !strings.EqualFold(got, armType) {
			t.Errorf("%s has the type %q, want %s", want, got, armType)
		}
	}
	for _, other := range []any{nil, "", "/", "/providers/Microsoft.Authorization/roleDefinitions/" + UnknownID} {
		if got := typeOf(other); got != "" {
			t.Errorf("%v has the type %s, although it is no id of a sample", other, got)
		}
	}
}

func TestKnownName(t *testing.T) {
	v := shop("2021-01-01")
	for _, r := range v.Resources {
		if r.Kind == "Shop" {
			r.KnownNames = []string{"first", "second"}
		}
	}
	samples, err := All([]*plan.Package{pkg("v20210101", "2021-01-01", "Shelf", "Shop")}, []*ir.Version{v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		if s.File() == "shop.yaml" && !strings.Contains(string(s.YAML), "  azureName: first\n") {
			t.Errorf("the name is none of those that are known:\n%s", s.YAML)
		}
	}
}

// TestRecursion has types that contain themselves in ways that Azure's have: automation rules of securityinsights and
// filters of costmanagement.
func TestRecursion(t *testing.T) {
	list := ir.TypeRef{Items: &ir.TypeRef{Named: "Condition"}}
	two := &ir.Validation{MinItems: new(int64(2))}
	union := []*ir.Type{
		{Name: "Condition", Kind: ir.Object, Discriminator: "kind", Properties: []*ir.Property{
			{Name: "all", Variant: "All", Type: ir.TypeRef{Named: "All"}},
			{Name: "one", Variant: "One", Type: ir.TypeRef{Named: "One"}},
		}},
		{Name: "All", Kind: ir.Object, Properties: []*ir.Property{{Name: "inner", Type: list, Required: true, Validation: two}}},
		{Name: "One", Kind: ir.Object, Properties: []*ir.Property{{Name: "word", Type: ir.TypeRef{Primitive: ir.String}, Required: true}}},
	}
	object := func(required bool) []*ir.Type {
		return []*ir.Type{{Name: "Condition", Kind: ir.Object, Properties: []*ir.Property{
			{Name: "inner", Type: list, Required: required, Validation: two},
		}}}
	}
	for _, test := range []struct {
		behavior  string
		types     []*ir.Type
		want, err string
	}{
		{"a union takes a variant that ends", union, "condition:\n    one:\n      word: mysample\n", ""},
		{"a list that is not required ends", object(false), "condition: {}\n", ""},
		{"an object that requires itself", object(true), "", "Shelf at v20210101: condition: inner: Condition requires itself"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			v := shop("2021-01-01")
			spec := v.Type("Shelf_Spec")
			spec.Properties = append(spec.Properties, &ir.Property{Name: "condition", Type: ir.TypeRef{Named: "Condition"}, Required: true})
			v.Types = append(v.Types, test.types...)
			v.Sort()
			samples, err := All([]*plan.Package{pkg("v20210101", "2021-01-01", "Shelf")}, []*ir.Version{v}, nil)
			if got := ""; test.err != "" {
				if err != nil {
					got = err.Error()
				}
				if got != test.err {
					t.Errorf("error = %q, want %q", got, test.err)
				}
				return
			}
			if err != nil || !strings.Contains(string(samples[0].YAML), test.want) {
				t.Errorf("%v, %+v; want %q", err, samples, test.want)
			}
		})
	}
}
