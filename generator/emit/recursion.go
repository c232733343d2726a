package emit

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
)

// edge is a property that leads from a type to another one.
type edge struct{ from, property, to string }

// backEdge names a property at which the schema of a recursive type stops.
type backEdge struct{ typeName, property string }

// backEdges returns a smallest set of properties without which no type contains
// itself. A CRD's schema is a tree, and stops at these properties. Of several
// smallest sets it returns one that leaves the types nearest to a resource whole.
func backEdges(v *ir.Version) map[backEdge]bool {
	cut := map[backEdge]bool{}
	for _, cycle := range cycles(v) {
		for _, e := range fewest(cycle) {
			cut[backEdge{e.from, e.property}] = true
		}
	}
	return cut
}

// cycle is a strongly connected part of the graph of types. Its edges are in the
// order in which a walk from the resources meets them; back has those of them
// that lead back to a type on the path of the walk.
type cycle struct{ edges, back []edge }

// cycles finds the strongly connected parts by Tarjan's algorithm.
func cycles(v *ir.Version) []*cycle {
	w := walker{types: map[string]*ir.Type{}, index: map[string]int{}, low: map[string]int{}, open: map[string]bool{}, part: map[string]int{}}
	for _, t := range v.Types {
		w.types[t.Name] = t
	}
	for _, r := range v.Resources {
		w.visit(r.Spec)
		w.visit(r.Status)
	}
	parts := make([]*cycle, w.parts)
	var found []*cycle
	within := func(e edge) *cycle {
		n := w.part[e.from]
		if n != w.part[e.to] {
			return nil
		}
		if parts[n] == nil {
			parts[n] = &cycle{}
			found = append(found, parts[n])
		}
		return parts[n]
	}
	for _, e := range w.edges {
		if c := within(e); c != nil {
			c.edges = append(c.edges, e)
		}
	}
	for _, e := range w.back {
		if c := within(e); c != nil {
			c.back = append(c.back, e)
		}
	}
	return found
}

// walker is the state of Tarjan's algorithm.
type walker struct {
	types      map[string]*ir.Type
	index, low map[string]int
	path       []string // not yet in a part
	open       map[string]bool
	part       map[string]int
	parts      int
	edges      []edge
	back       []edge
	active     []string
}

func (w *walker) visit(name string) {
	t := w.types[name]
	if t == nil || w.index[name] != 0 {
		return
	}
	w.index[name] = len(w.index) + 1
	w.low[name] = w.index[name]
	w.path, w.open[name] = append(w.path, name), true
	w.active = append(w.active, name)
	for _, p := range t.Properties {
		to := p.Type.Leaf().Named
		if w.types[to] == nil {
			continue
		}
		e := edge{name, p.Name, to}
		w.edges = append(w.edges, e)
		if slices.Contains(w.active, to) {
			w.back = append(w.back, e)
		}
		w.visit(to)
		if w.open[to] {
			w.low[name] = min(w.low[name], w.low[to])
		}
	}
	w.active = w.active[:len(w.active)-1]
	if w.low[name] != w.index[name] {
		return
	}
	for {
		last := w.path[len(w.path)-1]
		w.path, w.open[last] = w.path[:len(w.path)-1], false
		w.part[last] = w.parts
		if last == name {
			break
		}
	}
	w.parts++
}

// tries is how many sets of edges fewest tries before it takes the back edges of
// the walk, which are always enough.
const tries = 100_000

// fewest returns a smallest set of edges without which the part has no cycle.
func fewest(c *cycle) []edge {
	order := slices.Clone(c.back)
	for _, e := range c.edges {
		if !slices.Contains(order, e) {
			order = append(order, e)
		}
	}
	budget := tries
	var chosen []edge
	var choose func(from, size int) bool
	choose = func(from, size int) bool {
		if size == 0 {
			budget--
			return acyclic(c.edges, chosen)
		}
		for i := from; i+size <= len(order) && budget > 0; i++ {
			chosen = append(chosen, order[i])
			if choose(i+1, size-1) {
				return true
			}
			chosen = chosen[:len(chosen)-1]
		}
		return false
	}
	for size := 1; size < len(c.back) && budget > 0; size++ {
		if choose(0, size) {
			return chosen
		}
	}
	return c.back
}

// acyclic reports whether the part has no cycle without some of its edges.
func acyclic(edges, without []edge) bool {
	next := map[string][]string{}
	for _, e := range edges {
		if !slices.Contains(without, e) {
			next[e.from] = append(next[e.from], e.to)
		}
	}
	const active, done = 1, 2
	state := map[string]int{}
	var loops func(name string) bool
	loops = func(name string) bool {
		if state[name] != 0 {
			return state[name] == active
		}
		state[name] = active
		if slices.ContainsFunc(next[name], loops) {
			return true
		}
		state[name] = done
		return false
	}
	for from := range next {
		if loops(from) {
			return false
		}
	}
	return true
}
