package emit

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
)

// edge is a property that leads from a type to another one.
type edge struct{ from, property, to string }

// stop names a property at which a schema stops.
type stop struct{ typeName, property string }

// stops returns the properties at which the schemas in a CRD stop, because a schema
// is a tree, and costs an API server memory.
//
// A Spec stops at a smallest set of properties without which no type contains itself.
// Of several smallest sets that is one that leaves the types nearest to a resource
// whole.
//
// A Status shows the exported resources in it, but none in these, of which there are
// kinds: those of network would have a thousand schemas of neighbors' neighbors. And
// it stops at each property that leads back to a type that is as near to a Status, or
// nearer, so that a type that contains itself is whole where it is nearest.
func stops(v *ir.Version) map[stop]bool {
	all := neighbors(v)
	depths := depthsBelowStatuses(v, all)
	for _, cycle := range cycles(v, all) {
		edges := cycle.edges
		if v.Type(edges[0].from).Status {
			edges = slices.DeleteFunc(edges, func(e edge) bool { return depths[e.to] > depths[e.from] })
		} else {
			edges = fewest(cycle)
		}
		for _, e := range edges {
			all[stop{e.from, e.property}] = true
		}
	}
	return all
}

// neighbors returns the properties below Statuses, but those of a Status itself, that
// hold exported resources.
func neighbors(v *ir.Version) map[stop]bool {
	statuses, bodies := map[string]bool{}, map[string]bool{}
	for _, r := range v.Resources {
		statuses[r.Status] = true
	}
	for _, t := range v.Types {
		bodies[t.Name] = t.Neighbor
	}
	found := map[stop]bool{}
	for _, t := range v.Types {
		for _, p := range t.Properties {
			if !statuses[t.Name] && bodies[p.Type.Leaf().Named] {
				found[stop{t.Name, p.Name}] = true
			}
		}
	}
	return found
}

// depthsBelowStatuses returns how far types are from the nearest Status, of which the
// depth is 1, without some properties.
func depthsBelowStatuses(v *ir.Version, without map[stop]bool) map[string]int {
	depths := map[string]int{}
	var queue []*ir.Type
	reach := func(name string, depth int) {
		if t := v.Type(name); t != nil && depths[name] == 0 {
			depths[name] = depth
			queue = append(queue, t)
		}
	}
	for _, r := range v.Resources {
		reach(r.Status, 1)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		for _, p := range t.Properties {
			if !without[stop{t.Name, p.Name}] {
				reach(p.Type.Leaf().Named, depths[t.Name]+1)
			}
		}
	}
	return depths
}

// cycle is a strongly connected part of the graph of types. Its edges are in the
// order in which a walk from the resources meets them; back has those of them
// that lead back to a type on the path of the walk.
type cycle struct{ edges, back []edge }

// cycles finds the strongly connected parts of the graph without some of its edges,
// by Tarjan's algorithm.
func cycles(v *ir.Version, without map[stop]bool) []*cycle {
	w := walker{without: without, types: map[string]*ir.Type{}, index: map[string]int{}, low: map[string]int{}, open: map[string]bool{}, part: map[string]int{}}
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
	without    map[stop]bool
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
		if w.types[to] == nil || w.without[stop{name, p.Name}] {
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
