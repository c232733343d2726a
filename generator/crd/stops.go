package crd

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
)

// Stop names a property at which a schema stops.
type Stop struct{ Type, Property string }

// Stops returns the properties at which the schemas in a CRD stop, because a schema
// is a tree, and costs an API server memory.
//
// A Status stops at the objects that the Spec has too. It shows the others, and stops
// at the objects in these. Most of what is below is in the Spec, or is another resource,
// of which there is a kind: those of network would have a thousand schemas of
// neighbors' neighbors.
//
// A Spec stops at the properties of another resource in it: the one of a network interface
// has the public addresses that it refers to, with all that they have.
//
// Otherwise a Spec stops at a smallest set of properties without which no type contains
// itself. Of several smallest sets that is one that leaves the types nearest to a
// resource whole.
func Stops(v *ir.Version) map[Stop]bool {
	all := map[Stop]bool{}
	statuses := map[string]bool{}
	for _, r := range v.Resources {
		statuses[r.Status] = true
	}
	// objects returns the types of the properties of a type that hold objects.
	objects := func(name string) map[string]*ir.Type {
		types := map[string]*ir.Type{}
		for _, p := range v.Type(name).Properties {
			if t := v.Type(p.Type.Leaf().Named); t != nil && t.Kind == ir.Object {
				types[p.Name] = t
			}
		}
		return types
	}
	for _, r := range v.Resources {
		spec := objects(r.Spec)
		for property, shown := range objects(r.Status) {
			if spec[property] != nil || statuses[shown.Name] {
				all[Stop{r.Status, property}] = true
				continue
			}
			for below := range objects(shown.Name) {
				all[Stop{shown.Name, below}] = true
			}
		}
	}
	for _, t := range v.Types {
		if isResource(t) && objects(t.Name)["properties"] != nil {
			all[Stop{t.Name, "properties"}] = true
		}
	}
	for _, cycle := range v.Cycles(func(e ir.Edge) bool { return all[Stop{e.From, e.Property}] }) {
		for _, e := range fewest(cycle) {
			all[Stop{e.From, e.Property}] = true
		}
	}
	return all
}

// isResource reports whether a type in a Spec is another resource, whose id is enough
// for ARM: beside the id it has a location, as resources do that are in no other one.
func isResource(t *ir.Type) bool {
	has := func(name string, of ir.Primitive) bool {
		return slices.ContainsFunc(t.Properties, func(p *ir.Property) bool { return p.ARMName() == name && p.Type.Primitive == of })
	}
	return has("id", ir.Reference) && has("location", ir.String)
}

// tries bounds the search for the fewest edges of a part.
const tries = 10_000

// fewest returns a smallest set of edges without which the part has no cycle. If
// the search takes too long, it returns the back edges of the walk, which are
// always enough. Fewer edges mean a smaller schema: a type that is cut where many
// ways lead through it is not repeated below all others.
func fewest(c *ir.Cycle) []ir.Edge {
	s := newSearch(c)
	for size := 1; size < len(c.Back) && s.tries > 0; size++ {
		s.choose(nil, size)
		if s.best != nil {
			chosen := make([]ir.Edge, size)
			for i, n := range s.best {
				chosen[i] = s.order[n]
			}
			return chosen
		}
	}
	return c.Back
}

// search looks for sets of edges without which a part has no cycle. It knows an
// edge by its place in the order of preference, and a type by a number.
type search struct {
	order    []ir.Edge
	from, to []int
	next     [][]int // the edges from a type
	gone     []bool  // the edges that are chosen or counted
	tries    int
	best     []int // the first set that was found, by preference
}

func newSearch(c *ir.Cycle) *search {
	s := &search{order: slices.Clone(c.Back), gone: make([]bool, len(c.Edges)), tries: tries}
	for _, e := range c.Edges {
		if !slices.Contains(s.order, e) {
			s.order = append(s.order, e)
		}
	}
	numbers := map[string]int{}
	number := func(name string) int {
		n, known := numbers[name]
		if !known {
			n = len(s.next)
			numbers[name], s.next = n, append(s.next, nil)
		}
		return n
	}
	for i, e := range s.order {
		from, to := number(e.From), number(e.To)
		s.from, s.to = append(s.from, from), append(s.to, to)
		s.next[from] = append(s.next[from], i)
	}
	return s
}

// choose tries all sets of the chosen edges and some more. Any set has an edge of
// each cycle, so only those of one cycle can be the next to choose, and none is
// enough if there are more cycles without a common edge.
func (s *search) choose(chosen []int, more int) {
	s.tries--
	if s.tries < 0 {
		return
	}
	cycle, apart := s.cycles(more)
	if apart == 0 {
		set := slices.Sorted(slices.Values(chosen))
		if s.best == nil || slices.Compare(set, s.best) < 0 {
			s.best = set
		}
	}
	if apart > more {
		return
	}
	for _, n := range cycle {
		s.gone[n] = true
		s.choose(append(slices.Clip(chosen), n), more-1)
		s.gone[n] = false
	}
}

// cycles returns a shortest cycle, and how many cycles without a common edge it
// finds. It stops when there are more than enough.
func (s *search) cycles(enough int) (cycle []int, apart int) {
	var counted []int
	for apart <= enough {
		c := s.shortest()
		if c == nil {
			break
		}
		if apart == 0 {
			cycle = c
		}
		apart++
		for _, n := range c {
			s.gone[n] = true
		}
		counted = append(counted, c...)
	}
	for _, n := range counted {
		s.gone[n] = false
	}
	return cycle, apart
}

// shortest returns the edges of a shortest cycle, or nil. It walks breadth first
// from each type.
func (s *search) shortest() []int {
	var best []int
	by := make([]int, len(s.next)) // the edge by which a type was reached, plus 1
	var queue []int
	for start := range s.next {
		clear(by)
		queue = append(queue[:0], start)
		for len(queue) > 0 && by[start] == 0 {
			at := queue[0]
			queue = queue[1:]
			for _, n := range s.next[at] {
				if to := s.to[n]; !s.gone[n] && by[to] == 0 {
					by[to] = n + 1
					queue = append(queue, to)
				}
			}
		}
		if by[start] == 0 {
			continue
		}
		c := []int{by[start] - 1}
		for at := s.from[c[0]]; at != start; at = s.from[c[len(c)-1]] {
			c = append(c, by[at]-1)
		}
		if best == nil || len(c) < len(best) {
			best = c
		}
	}
	return best
}
