// Package dependencies knows which objects depend on which.
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
	mutex sync.Mutex
	of    map[named.Object]map[named.Object]bool // by the object that depends
	on    map[named.Object]map[named.Object]bool // by the object that is depended on
	// watch and changed are the arguments of [New], and watched has what ends the watches.
	watch   func(on named.Object, changed func(named.Object)) (stop func())
	changed func(on named.Object, dependents []named.Object)
	watched map[named.Object]func()
}

// New returns an empty graph. watch starts a watch of a Secret or a ConfigMap on which an object begins to
// depend, which calls changed, and returns a function that ends it. changed is called with what has changed and
// the objects that depend on it.
func New(watch func(on named.Object, changed func(named.Object)) (stop func()),
	changed func(on named.Object, dependents []named.Object)) *Graph {
	return &Graph{
		of: map[named.Object]map[named.Object]bool{}, on: map[named.Object]map[named.Object]bool{},
		watch: watch, changed: changed, watched: map[named.Object]func(){},
	}
}

// Add notes that an object depends on another.
func (d *Graph) Add(object, on named.Object) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.of[object][on] {
		return
	}
	put(d.of, object, on)
	put(d.on, on, object)
	if (on.GroupKind == named.SecretKind || on.GroupKind == named.ConfigMapKind) && d.watched[on] == nil {
		d.watched[on] = d.watch(on, d.contentChanged)
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

// Keep removes what an object depends on, apart from some.
func (d *Graph) Keep(object named.Object, some map[named.Object]bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for on := range d.of[object] {
		if some[on] {
			continue
		}
		delete(d.of[object], on)
		delete(d.on[on], object)
		if len(d.on[on]) > 0 {
			continue
		}
		delete(d.on, on)
		if stop := d.watched[on]; stop != nil {
			stop()
			delete(d.watched, on)
		}
	}
	if len(d.of[object]) == 0 {
		delete(d.of, object)
	}
}

// Dependents returns the objects that depend on one, in order.
func (d *Graph) Dependents(on named.Object) []named.Object {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	all := make([]named.Object, 0, len(d.on[on]))
	for object := range d.on[on] {
		all = append(all, object)
	}
	slices.SortFunc(all, func(a, b named.Object) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// Cycle returns the objects through which an object depends on itself, beginning with one that it depends on, or nil.
func (d *Graph) Cycle(object, on named.Object) []named.Object {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	visited := map[named.Object]bool{}
	var find func(at named.Object) []named.Object
	find = func(at named.Object) []named.Object {
		if at == object {
			return []named.Object{at}
		}
		if visited[at] {
			return nil
		}
		visited[at] = true
		for next := range d.of[at] {
			if rest := find(next); rest != nil {
				return append([]named.Object{at}, rest...)
			}
		}
		return nil
	}
	return find(on)
}
