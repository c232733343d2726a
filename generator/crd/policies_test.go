package crd

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/shape"
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
		{Name: "v20210101", Role: plan.API, Resources: kinds("Widget", "Part")},
		{Name: "v20210101storage", Role: plan.Storage, Resources: kinds("Widget", "Part")},
		{Name: "v20200101", Role: plan.API, Retired: true, Resources: kinds("Widget")},
		{Name: "v1alpha1api20200101", Role: plan.API, Alias: true, Resources: kinds("Widget")},
	}, &lock.Lock{Resources: map[string]lock.Resource{"Widget": {
		Hub:      "v20210101storage",
		Versions: []string{"v20190101", "v20210101"},
		Former:   []string{"v20180101storage"},
		Aliases:  []string{"v1alpha1api20200101storage"},
		Released: []string{"v1alpha1api20170101storage"},
	}}})
	want := map[string][]string{
		"Part": {"v20210101"},
		"Widget": {
			"v1alpha1api20170101", "v1alpha1api20200101", "v20180101", "v20190101", "v20200101", "v20210101",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIdentities(t *testing.T) {
	version := func(properties ...*ir.Property) listing {
		v := &ir.Version{
			Resources: []*ir.Resource{{Type: "T", Spec: "Spec", Status: "Status"}},
			Types:     []*ir.Type{{Name: "Spec", Properties: properties}, {Name: "Status"}},
		}
		pkg := shape.New(&plan.Package{Role: plan.API, Resources: []plan.Resource{{ARMType: "T"}}}, v)
		return listing{pkg: pkg, Resource: pkg.Declared()[0]}
	}
	property := func(name string, primitive ir.Primitive) *ir.Property {
		return &ir.Property{Name: name, Type: ir.TypeRef{Primitive: primitive}}
	}
	owner, anyOwner := property("owner", ir.Owner), property("owner", ir.AnyOwner)
	azureName := &ir.Property{Name: "azureName", Type: ir.TypeRef{Primitive: ir.String}, AzureName: true}
	got := policiesOf(map[string][]listing{
		"Ordinary":            {version(owner, azureName)},
		"Extension":           {version(anyOwner, azureName), version(anyOwner, azureName)},
		"ExtensionSinceLater": {version(owner, azureName), version(anyOwner, azureName)},
		"Singleton":           {version(owner), version(owner, property("azureName", ir.String))},
		"OfTheTenant":         {version(azureName), version(azureName, property("owner", ir.String))},
	})
	want := manifests.Policies{AnyOwner: []string{"Extension"}, NoOwner: []string{"OfTheTenant"}, FixedName: []string{"Singleton"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
