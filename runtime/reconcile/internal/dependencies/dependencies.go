// Package dependencies records which objects depend on which.
package dependencies

import (
	"slices"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// Graph is a graph of which objects depend on which. A reconcile adds everything that
// it is about to read, including what does not exist, so that a later change wakes the object. After
// a start every object is reconciled once, which fills the graph.
type Graph struct {
	mutex        sync.Mutex
	dependencies map[named.Object]map[named.Object]bool // by the object that depends
	dependents   map[named.Object]map[named.Object]bool // by the object that is depended on
	// watch and changed are the arguments of [New], and stops holds the functions that end the watches.
	watch   func(on named.Object, changed func(named.Object)) (stop func())
	changed func(on named.Object, dependents []named.Object)
	stops   map[named.Object]func()
}

// New returns an empty graph. watch is called when an object begins to depend on a Secret or a ConfigMap:
// it watches that, calls its argument changed on each change, and returns a function that ends the watch.
// The argument changed of New is called with what has changed and the objects that depend on it.
func New(watch func(on named.Object, changed func(named.Object)) (stop func()),
	changed func(on named.Object, dependents []named.Object)) *Graph {
	return &Graph{
		dependencies: map[named.Object]map[named.Object]bool{}, dependents: map[named.Object]map[named.Object]bool{},
		watch: watch, changed: changed, stops: map[named.Object]func(){},
	}
}

// Add notes that an object depends on another.
func (d *Graph) Add(object, on named.Object) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.dependencies[object][on] {
		return
	}
	put(d.dependencies, object, on)
	put(d.dependents, on, object)
	if (on.GroupKind == named.SecretKind || on.GroupKind == named.ConfigMapKind) && d.stops[on] == nil {
		d.stops[on] = d.watch(on, d.contentChanged)
	}
}

// contentChanged is called by the watch of a Secret or a ConfigMap.
func (d *Graph) contentChanged(on named.Object) { d.changed(on, d.Dependents(on)) }

func put(m map[named.Object]map[named.Object]bool, key, value named.Object) {
	if m[key] == nil {
		m[key] = map[named.Object]bool{}
	}
	m[key][value] = true
}

// Keep removes the dependencies of an object, except those in kept.
func (d *Graph) Keep(object named.Object, kept map[named.Object]bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for on := range d.dependencies[object] {
		if kept[on] {
			continue
		}
		delete(d.dependencies[object], on)
		delete(d.dependents[on], object)
		if len(d.dependents[on]) > 0 {
			continue
		}
		delete(d.dependents, on)
		if stop := d.stops[on]; stop != nil {
			stop()
			delete(d.stops, on)
		}
	}
	if len(d.dependencies[object]) == 0 {
		delete(d.dependencies, object)
	}
}

// Dependents returns the objects that depend on another, sorted by kind and name.
func (d *Graph) Dependents(on named.Object) []named.Object {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	all := make([]named.Object, 0, len(d.dependents[on]))
	for object := range d.dependents[on] {
		all = append(all, object)
	}
	slices.SortFunc(all, func(a, b named.Object) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// searched is how many objects and dependencies a search for a cycle looks at. Meanwhile no other object can be
// reconciled, and a longer cycle would not be read.
const searched = 10_000

// Cycle returns the path of dependencies from on to object, by which object depends on itself if it depends
// on on, or nil if there is none among the first 10,000 that it looks at.
func (d *Graph) Cycle(object, on named.Object) []named.Object {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	visited, looked := map[named.Object]bool{}, 0
	var find func(at named.Object) []named.Object
	find = func(at named.Object) []named.Object {
		if at == object {
			return []named.Object{at}
		}
		if visited[at] {
			return nil
		}
		visited[at] = true
		for next := range d.dependencies[at] {
			if looked++; looked > searched {
				return nil
			}
			if rest := find(next); rest != nil {
				return append([]named.Object{at}, rest...)
			}
		}
		return nil
	}
	return find(on)
}
