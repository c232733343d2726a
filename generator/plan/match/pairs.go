package match

import (
	"cmp"
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Pairs returns the steps that convert the types of a package, for each neighbour
// in the order of pkg.Neighbours. The shape is the [plan.Shape] of the package; Pairs
// does not change it.
func Pairs(pkg *Package, shape *ir.Version) []plan.NeighbourPairs {
	all := make([]plan.NeighbourPairs, len(pkg.Neighbours))
	for i, n := range pkg.Neighbours {
		all[i] = pairsWith(pkg, n, shape.Types, plan.TypesThere(pkg.Package, n, shape))
	}
	return all
}

// pairsWith makes the pairs with one neighbour.
func pairsWith(pkg *Package, n plan.Neighbour, here, there []*ir.Type) plan.NeighbourPairs {
	result := plan.NeighbourPairs{Neighbour: n}
	m := New(pkg, n.Name, ByName(here), ByName(there))
	m.formers = newFormers(pkg, n.Name, m.here, m.there)
	for _, r := range pkg.Resources {
		if r.Next == n.Name {
			result.Kinds = append(result.Kinds, r.Kind)
			m.pair(naming.Spec(r.Kind), naming.Spec(r.Kind))
			m.pair(naming.Status(r.Kind), naming.Status(r.Kind))
		}
	}
	result.Pairs = m.sorted()
	result.Formers = m.formers.pairs()
	return result
}

// sorted returns the pairs that were made, sorted by the names of the types here and there.
func (m *Matcher) sorted() []*plan.Pair {
	return slices.SortedFunc(maps.Values(m.pairs), func(a, b *plan.Pair) int {
		return cmp.Or(cmp.Compare(a.Here.Name, b.Here.Name), cmp.Compare(a.There.Name, b.There.Name))
	})
}
