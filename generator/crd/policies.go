package crd

import (
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// policiesOf returns what the policies of a group ask of its kinds. The properties
// owner and azureName mean something else where they are not what the ARM id consists
// of.
func policiesOf(kinds map[string][]listing) manifests.Policies {
	policies := manifests.Policies{Names: namesOf(kinds), Enums: enumsOf(kinds), Demands: demandsOf(kinds)}
	policies.Fixed, policies.IDs = fixedOf(kinds)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		var anyOwner, owner, azureName bool
		for _, v := range kinds[kind] {
			spec := v.pkg.Type(v.Shape.Spec)
			if p := spec.Property("owner"); p != nil {
				anyOwner = anyOwner || p.Type.Primitive == ir.AnyOwner
				owner = owner || p.Type.Primitive == ir.Owner
			}
			if p := spec.Property("azureName"); p != nil {
				azureName = azureName || p.AzureName
			}
		}
		switch {
		case owner:
		case anyOwner:
			policies.AnyOwner = append(policies.AnyOwner, kind)
		default:
			policies.NoOwner = append(policies.NoOwner, kind)
		}
		if !azureName {
			policies.FixedName = append(policies.FixedName, kind)
		}
	}
	return policies
}

// publishedVersions returns the API versions of each kind, also those that are
// retired, and those that the lock says have been served: a user may have chosen
// any of them.
func publishedVersions(packages []*plan.Package, lock *lock.Lock) map[string][]string {
	published := map[string][]string{}
	for _, p := range packages {
		for _, r := range p.Resources {
			if p.Role == plan.API {
				published[r.Kind] = append(published[r.Kind], p.Name)
			}
		}
	}
	for kind, names := range published {
		locked := lock.Resources[kind]
		names = append(names, locked.Versions...)
		for _, storage := range slices.Concat(locked.Former, locked.Aliases, locked.Released) {
			version, _ := apiversion.CutStorage(storage)
			names = append(names, version)
		}
		slices.Sort(names)
		published[kind] = slices.Compact(names)
	}
	return published
}
