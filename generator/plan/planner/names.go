package planner

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// addNames sets the names of properties that collide in some version, in all packages
// whose versions have them.
func (b *builder) addNames() {
	collide := map[string]map[string]bool{} // by type and path
	for _, v := range b.Versions {
		for _, n := range v.Names {
			if collide[n.Type] == nil {
				collide[n.Type] = map[string]bool{}
			}
			collide[n.Type][n.ARM] = true
		}
	}
	for _, p := range b.packages {
		if p.Role == plan.API && !p.Alias {
			p.Names = namesIn(b.version(p.APIVersion), collide)
		}
	}
}

// namesIn returns the names that some properties have in a version. Where a Spec has a
// reference of another name, that of the Status counts.
func namesIn(v *ir.Version, collide map[string]map[string]bool) []ir.PropertyName {
	known := &ir.Version{Names: slices.Clone(v.Names)}
	for _, t := range v.Types {
		base := naming.Common(t.Name)
		for _, p := range t.Properties {
			n := ir.PropertyName{Type: base, ARM: p.Path(), Name: p.Name}
			same := func(other ir.PropertyName) bool { return other.Type == n.Type && other.ARM == n.ARM }
			if collide[base][n.ARM] && p.Type.Leaf().Primitive != ir.Reference && !slices.ContainsFunc(known.Names, same) {
				known.Names = append(known.Names, n)
			}
		}
	}
	known.Sort()
	return known.Names
}
