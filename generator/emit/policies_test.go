package emit

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/google/go-cmp/cmp"
)

func TestPublishedVersions(t *testing.T) {
	kinds := func(kinds ...string) (resources []plan.Resource) {
		for _, kind := range kinds {
			resources = append(resources, plan.Resource{Kind: kind})
		}
		return resources
	}
	got := publishedVersions([]*plan.Package{
		{Name: "v1beta20210101", Role: plan.API, Resources: kinds("Widget", "Part")},
		{Name: "v1beta20210101storage", Role: plan.Storage, Resources: kinds("Widget", "Part")},
		{Name: "v1beta20200101", Role: plan.API, Retired: true, Resources: kinds("Widget")},
		{Name: "v1alpha1api20200101", Role: plan.API, Alias: true, Resources: kinds("Widget")},
	}, &lock.Lock{Resources: map[string]lock.Resource{"Widget": {
		Hub:      "v1beta20210101storage",
		Versions: []string{"v1beta20190101", "v1beta20210101"},
		Former:   []string{"v1beta20180101storage"},
		Aliases:  []string{"v1alpha1api20200101storage"},
		Released: []string{"v1alpha1api20170101storage"},
	}}})
	want := map[string][]string{
		"Part": {"v1beta20210101"},
		"Widget": {
			"v1alpha1api20170101", "v1alpha1api20200101", "v1beta20180101", "v1beta20190101", "v1beta20200101", "v1beta20210101",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLists(t *testing.T) {
	got := lists(map[string][]string{"B": {"v1", "v2"}, "A": {"v1", "v2"}, "C": {"v2"}})
	if want := "[{'kinds': ['A', 'B'], 'versions': ['v1', 'v2']}, {'kinds': ['C'], 'versions': ['v2']}]"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

func TestIdentities(t *testing.T) {
	version := func(properties ...*ir.Property) crdVersion {
		return crdVersion{
			pkg:      &goPackage{types: map[string]*ir.Type{"Spec": {Name: "Spec", Properties: properties}}},
			resource: resource{Resource: &plan.Resource{}, shape: &ir.Resource{Spec: "Spec"}},
		}
	}
	property := func(name string, primitive ir.Primitive) *ir.Property {
		return &ir.Property{Name: name, Type: ir.TypeRef{Primitive: primitive}}
	}
	owner, anyOwner := property("owner", ir.Owner), property("owner", ir.AnyOwner)
	azureName := &ir.Property{Name: "azureName", Type: ir.TypeRef{Primitive: ir.String}, AzureName: true}
	got := identitiesOf(map[string][]crdVersion{
		"Ordinary":            {version(owner, azureName)},
		"Extension":           {version(anyOwner, azureName), version(anyOwner, azureName)},
		"ExtensionSinceLater": {version(owner, azureName), version(anyOwner, azureName)},
		"Singleton":           {version(owner), version(owner, property("azureName", ir.String))},
		"OfTheTenant":         {version(azureName), version(azureName, property("owner", ir.String))},
	})
	want := identities{anyOwner: []string{"Extension"}, noOwner: []string{"OfTheTenant"}, fixedName: []string{"Singleton"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(identities{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
