package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Shape is the API version as a package has it: the package's own resources,
// each with a Status, and the types that these reach; of a storage package in
// the storage shape. It leaves v alone. An emitter declares exactly these types.
func Shape(pkg *Package, v *ir.Version) *ir.Version {
	shape := &ir.Version{Provider: v.Provider, APIVersion: v.APIVersion, Types: slices.Clone(v.Types)}
	var roots []string
	for _, r := range pkg.Resources {
		own := v.Resource(r.ARMType)
		if own == nil {
			continue
		}
		resource := *own
		if resource.Status == "" {
			resource.Status = naming.Status(r.Kind)
			shape.Types = append(shape.Types, r.StatusTypes...)
		}
		shape.Resources = append(shape.Resources, &resource)
		roots = append(roots, resource.Spec, resource.Status)
	}
	slices.SortFunc(shape.Resources, func(a, b *ir.Resource) int { return cmp.Compare(a.Type, b.Type) })
	slices.SortFunc(shape.Types, func(a, b *ir.Type) int { return cmp.Compare(a.Name, b.Name) })
	shape.Types = slices.CompactFunc(shape.Types, func(a, b *ir.Type) bool { return a.Name == b.Name })
	shape.Types = shape.Reachable(roots...)
	if pkg.Role == Storage {
		return storageShape(shape)
	}
	return shape
}

// NeighbourPairs are the pairs of a package and one of its neighbours.
type NeighbourPairs struct {
	Neighbour Neighbour
	// Kinds of the resources that convert with the neighbour, sorted.
	Kinds []string
	// Pairs are sorted by the name of the type here. The Spec and the Status
	// of each resource are among them, and every pair that another one needs.
	Pairs []*Pair
	// Formers are the versions that only bags bring here, in the order of
	// [Package.Formers].
	Formers []FormerPairs
}

// Pair returns the pair of a type here, or nil.
func (n *NeighbourPairs) Pair(here string) *Pair {
	for _, p := range n.Pairs {
		if p.Here.Name == here {
			return p
		}
	}
	return nil
}

// Pairs returns how the types of a package convert, for each neighbour in the
// order of pkg.Neighbours. The API version is the package's own, in the shape
// that [transform.Shape] makes; v is left alone.
func Pairs(pkg *Package, v *ir.Version) []NeighbourPairs {
	here := Shape(pkg, v).Types
	all := make([]NeighbourPairs, len(pkg.Neighbours))
	for i, n := range pkg.Neighbours {
		there := n.Types
		if pkg.Role == API || pkg.Alias {
			storage := *pkg
			storage.Role = Storage
			there = Shape(&storage, v).Types
		}
		all[i] = pairsWith(pkg, n, here, there)
	}
	return all
}

// pairsWith makes the pairs with one neighbour.
func pairsWith(pkg *Package, n Neighbour, here, there []*ir.Type) NeighbourPairs {
	result := NeighbourPairs{Neighbour: n}
	m := newMatcher(pkg, n.Name, here, there)
	m.formers = newFormers(pkg, n.Name, here, there)
	for _, r := range pkg.Resources {
		if r.Next == n.Name {
			result.Kinds = append(result.Kinds, r.Kind)
			m.pair(naming.Spec(r.Kind))
			m.pair(naming.Status(r.Kind))
		}
	}
	result.Pairs = m.sorted()
	result.Formers = m.formers.pairs()
	return result
}

// sorted are the pairs that were made, by the name of the type here.
func (m *matcher) sorted() []*Pair {
	return slices.SortedFunc(maps.Values(m.pairs), func(a, b *Pair) int { return cmp.Compare(a.Here.Name, b.Here.Name) })
}
