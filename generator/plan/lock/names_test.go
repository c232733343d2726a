package lock

import (
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/google/go-cmp/cmp"
)

// raw returns a version of persons that have some properties in ARM beside
// "properties", and some inside.
func raw(apiVersion string, beside, inside []string) *ir.Version {
	properties := func(names []string) []*ir.Property {
		var all []*ir.Property
		for _, name := range names {
			all = append(all, &ir.Property{Name: name, Type: ir.TypeRef{Primitive: ir.String}})
		}
		return all
	}
	v := &ir.Version{Provider: "Contoso.Crm", APIVersion: apiVersion,
		Resources: []*ir.Resource{{
			Type: "Contoso.Crm/persons", Kind: "Person", Scopes: []ir.Scope{ir.ResourceGroup}, Spec: "Person",
			Status: "Person",
		}},
		Types: []*ir.Type{
			{Name: "Person", Kind: ir.Object,
				Properties: append(properties(beside), &ir.Property{Name: "properties", Type: ir.TypeRef{Named: "PersonProperties"}})},
			{Name: "PersonProperties", Kind: ir.Object, Properties: properties(inside)},
		}}
	v.Sort()
	return v
}

// TestNames follows the names of properties from a first plan to later versions that
// bring others of the same name.
func TestNames(t *testing.T) {
	first := raw("2020-01-01", []string{"id", "kind"}, []string{"etag", "size"})
	second := raw("2021-01-01", []string{"etag", "id", "kind"}, []string{"etag", "id", "kind", "size"})
	planned := func(lock *Lock, versions ...*ir.Version) []*plan.Package {
		t.Helper()
		var shaped []*ir.Version
		for _, v := range versions {
			s, err := transform.Shape(v, &config.Load{Exports: map[string]string{"Contoso.Crm/persons": "Person"}, Pins: lock.Names})
			if err != nil {
				t.Fatal(err)
			}
			shaped = append(shaped, s)
		}
		packages, err := planner.Build(optionsOf(plantest.Group(t, plantest.PersonYAML), shaped...))
		if err != nil {
			t.Fatal(err)
		}
		return packages
	}
	// update writes the lock until nothing changes, as a person does who is told to.
	update := func(lock *Lock, versions ...*ir.Version) (*Lock, []*plan.Package) {
		t.Helper()
		for range 3 {
			packages := planned(lock, versions...)
			if Check(packages, nil, lock, "apis/crm", "lock.bzl", nil) == nil {
				return lock, packages
			}
			lock = New(packages, nil, lock)
		}
		t.Fatal("the lock is not accepted after it was written three times")
		return nil, nil
	}
	check := func(lock *Lock, packages []*plan.Package, want map[string]string) {
		t.Helper()
		if diff := cmp.Diff(want, lock.Names["Person"]); diff != "" {
			t.Error(diff)
		}
		for _, p := range packages {
			for _, n := range p.Names {
				if n.Name != want[n.ARM] {
					t.Errorf("%s of %s is named %s, the lock has %s", n.ARM, p.Name, n.Name, want[n.ARM])
				}
			}
		}
	}
	byRule := map[string]string{
		"etag": "etag", "properties/etag": "propertiesEtag", "id": "armId", "properties/id": "id",
		"kind": "kind", "properties/kind": "propertiesKind",
	}

	t.Run("a property has one name at all versions of a new group", func(t *testing.T) {
		lock, packages := update(&Lock{}, first, second)
		check(lock, packages, byRule)
	})
	t.Run("a published name stays where it is", func(t *testing.T) {
		lock, packages := update(&Lock{}, first)
		check(lock, packages, nil)
		lock, packages = update(lock, first, second)
		check(lock, packages, map[string]string{
			"etag": "armEtag", "properties/etag": "etag", "id": "id", "properties/id": "propertiesId",
			"kind": "kind", "properties/kind": "propertiesKind",
		})
	})
	t.Run("a locked name stays when the other property goes", func(t *testing.T) {
		lock, _ := update(&Lock{}, second)
		lock, packages := update(lock, second, raw("2022-01-01", []string{"id"}, []string{"etag", "kind"}))
		check(lock, packages, byRule)
	})
	t.Run("a name that the lock lacks is refused", func(t *testing.T) {
		lock, packages := update(&Lock{}, second)
		delete(lock.Names["Person"], "id")
		if err := Check(packages, nil, lock, "apis/crm", "lock.bzl", nil); err == nil {
			t.Error("the lock was accepted")
		}
	})
}
