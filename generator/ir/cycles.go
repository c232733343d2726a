package ir

import "slices"

// Edge is a property that leads from a type to another one.
type Edge struct{ From, Property, To string }

// Cycle is a strongly connected part of the graph of types: each of its types
// contains all of them. Its edges are in the order in which a walk from the
// resources meets them; Back has those that lead back to a type on the path of the
// walk.
type Cycle struct{ Edges, Back []Edge }

// Cycles returns the parts of the graph of types that contain themselves, if the
// properties are left out for which a function reports true. It finds them by
// Tarjan's algorithm.
func (v *Version) Cycles(without func(Edge) bool) []*Cycle {
	w := typeWalker{
		without: without, types: map[string]*Type{}, index: map[string]int{}, low: map[string]int{},
		open: map[string]bool{}, part: map[string]int{},
	}
	for _, t := range v.Types {
		w.types[t.Name] = t
	}
	for _, r := range v.Resources {
		w.visit(r.Spec)
		w.visit(r.Status)
	}
	parts := make([]*Cycle, w.parts)
	var found []*Cycle
	within := func(e Edge) *Cycle {
		n := w.part[e.From]
		if n != w.part[e.To] {
			return nil
		}
		if parts[n] == nil {
			parts[n] = &Cycle{}
			found = append(found, parts[n])
		}
		return parts[n]
	}
	for _, e := range w.edges {
		if c := within(e); c != nil {
			c.Edges = append(c.Edges, e)
		}
	}
	for _, e := range w.back {
		if c := within(e); c != nil {
			c.Back = append(c.Back, e)
		}
	}
	return found
}

// typeWalker is the state of Tarjan's algorithm.
type typeWalker struct {
	without    func(Edge) bool
	types      map[string]*Type
	index, low map[string]int
	path       []string // not yet in a part
	open       map[string]bool
	part       map[string]int
	parts      int
	edges      []Edge
	back       []Edge
	active     []string
}

func (w *typeWalker) visit(name string) {
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
		e := Edge{name, p.Name, to}
		if w.types[to] == nil || w.without(e) {
			continue
		}
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
