package planner

import (
	"bytes"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
)

// swagger is the format of the documents that say most of a version.
const swagger = "swagger"

// borrowStatuses sets the Status of each resource whose version describes no
// response, as deployment-template schemas do not: what its requests have, united
// with the Status of the nearest later version that describes one, else of the
// nearest earlier one.
func (b *builder) borrowStatuses() {
	lenders := b.lenders()
	for _, p := range b.sorted() {
		if p.Alias {
			continue // takes its twin's, below
		}
		own := b.version(p.APIVersion)
		taken := match.ByName(plan.Described(own))
		united := b.unitedStatuses(p, own, lenders)
		for i := range p.Resources {
			r := &p.Resources[i]
			if !own.Resource(r.ARMType).Requested {
				continue
			}
			r.StatusTypes = keepApart(r.Kind, united[r.StatusFrom].Reachable(naming.Status(r.Kind)), taken)
			for _, t := range r.StatusTypes {
				taken[naming.Fold(t.Name)] = t
			}
		}
	}
	b.shareStatuses()
}

// unitedStatuses sets StatusFrom of the resources of a package, and returns the types
// of their Statuses by that. Resources that borrow from one version share types.
func (b *builder) unitedStatuses(p *match.Package, own *ir.Version, lenders map[string][]*ir.Version) map[string]*ir.Version {
	united, kinds := map[string]*ir.Version{"": own}, map[string][]string{}
	for i := range p.Resources {
		r := &p.Resources[i]
		if from := nearestTo(own, lenders[naming.Fold(r.ARMType)]); own.Resource(r.ARMType).Requested && from != nil {
			r.StatusFrom = from.APIVersion
			kinds[r.StatusFrom] = append(kinds[r.StatusFrom], r.Kind)
		}
	}
	for from, kinds := range kinds {
		united[from] = unite(own, b.version(from), kinds)
	}
	return united
}

// shareStatuses sets the borrowed Statuses of aliases to those of their twins.
func (b *builder) shareStatuses() {
	for _, p := range b.packages {
		twin := b.packages[b.names[p.APIVersion]]
		for i := range p.Resources {
			r := &p.Resources[i]
			if own := twin.Resource(r.Kind); p.Alias && own != nil {
				r.StatusFrom, r.StatusTypes = own.StatusFrom, own.StatusTypes
			}
		}
	}
}

// lenders returns the versions whose Status of a resource others may borrow, by its folded
// type. They are those with Swagger, if there are any: what older versions have published
// stays when versions from other sources are added.
func (b *builder) lenders() map[string][]*ir.Version {
	all := map[string][]*ir.Version{}
	for _, v := range b.Versions {
		for _, r := range v.Resources {
			if !r.Requested {
				all[naming.Fold(r.Type)] = append(all[naming.Fold(r.Type)], v)
			}
		}
	}
	for armType, versions := range all {
		other := func(v *ir.Version) bool { return !slices.Contains(v.Sources, swagger) }
		if onlySwagger := slices.DeleteFunc(slices.Clone(versions), other); len(onlySwagger) > 0 {
			all[armType] = onlySwagger
		}
	}
	return all
}

// nearestTo returns the nearest of some versions after one, else the nearest before it, or
// nil if there is none.
func nearestTo(own *ir.Version, versions []*ir.Version) *ir.Version {
	i, _ := slices.BinarySearchFunc(versions, own.APIVersion, func(v *ir.Version, target string) int {
		return naming.CompareVersions(v.APIVersion, target)
	})
	switch {
	case len(versions) == 0:
		return nil
	case i == len(versions):
		return versions[i-1]
	}
	return versions[i]
}

// sameInFiles reports whether two types are the same in a file, which has no places of a
// spec.
func sameInFiles(a, b *ir.Type) bool {
	x, errA := ir.Canonical(a)
	y, errB := ir.Canonical(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// keepApart returns the types of a borrowed Status. If the package has a different
// type of one of their names already, the names of those below the Status get the
// kind as a prefix. That happens if two resources of a package borrow their Statuses
// from different versions.
func keepApart(kind string, types []*ir.Type, taken map[string]*ir.Type) []*ir.Type {
	differs := slices.ContainsFunc(types, func(t *ir.Type) bool {
		other := taken[naming.Fold(t.Name)]
		return other != nil && !sameInFiles(t, other)
	})
	if !differs {
		return types
	}
	rename := func(name string) string {
		if name == naming.Status(kind) {
			return name
		}
		return kind + name
	}
	renamed := make([]*ir.Type, len(types))
	for i, t := range types {
		copied := *t
		copied.Name = rename(t.Name)
		copied.Properties = slices.Clone(t.Properties)
		for j, p := range t.Properties {
			property := *p
			property.Type = p.Type.Clone()
			if leaf := property.Type.Leaf(); leaf.Named != "" {
				leaf.Named = rename(leaf.Named)
			}
			copied.Properties[j] = &property
		}
		renamed[i] = &copied
	}
	slices.SortFunc(renamed, func(a, b *ir.Type) int { return compareNames(a, b) })
	return renamed
}
