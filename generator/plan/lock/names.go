package lock

import (
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// names returns the names that properties keep: those in the old lock, else those at
// versions that are published, else those that a property has where it loses its short
// name. A name is given once: what would get it too is named when the plan is made anew.
func names(packages []*plan.Package, old *Lock) map[string]map[string]string {
	published := map[string]bool{}
	for _, r := range old.Resources {
		for _, version := range r.Versions {
			published[version] = true
		}
	}
	var kept, own, other []ir.PropertyName
	for _, p := range packages {
		for _, n := range p.Names {
			switch name := old.Names[n.Type][n.ARM]; {
			case name != "":
				n.Name = name
				kept = append(kept, n)
			case published[p.Name]:
				own = append(own, n)
			default:
				other = append(other, n)
			}
		}
	}
	slices.SortStableFunc(other, func(a, b ir.PropertyName) int { return len(b.Name) - len(a.Name) })
	var locked map[string]map[string]string
	for _, n := range slices.Concat(kept, own, other) {
		names := locked[n.Type]
		taken := slices.ContainsFunc(slices.Collect(maps.Values(names)),
			func(name string) bool { return naming.Fold(name) == naming.Fold(n.Name) })
		if names[n.ARM] != "" || taken {
			continue
		}
		if locked == nil {
			locked = map[string]map[string]string{}
		}
		if names == nil {
			names = map[string]string{}
			locked[n.Type] = names
		}
		names[n.ARM] = n.Name
	}
	return locked
}

// names adds an error for each name that the plan has and the lock does not keep.
func (c *lockChecker) names(want *Lock) {
	for _, typ := range slices.Sorted(maps.Keys(want.Names)) {
		for _, arm := range slices.Sorted(maps.Keys(want.Names[typ])) {
			if name := want.Names[typ][arm]; c.lock.Names[typ][arm] != name {
				c.accept("names", "ARM's %s of %s is to be named %s at all versions, because another property has "+
					"or had its name; names in group.yaml gives it another one", arm, typ, name)
			}
		}
	}
}
