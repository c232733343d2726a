package reconcile

import (
	"slices"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// ref names an object in the cluster.
type ref = named.Object

// dependencies knows which objects look at which. A reconcile notes everything that
// it looks at, what does not exist included, before it looks; so a change that
// comes later wakes the object. After a start every object is reconciled once, which
// fills it.
type dependencies struct {
	mutex sync.Mutex
	of    map[ref]map[ref]bool // by who looks
	on    map[ref]map[ref]bool // by what is looked at
	// watch is called when somebody begins to look at a Secret or a ConfigMap, and
	// returns what ends the watch.
	watch   func(ref) (stop func())
	stopped map[ref]func()
}

func newDependencies(watch func(ref) func()) *dependencies {
	return &dependencies{of: map[ref]map[ref]bool{}, on: map[ref]map[ref]bool{}, watch: watch, stopped: map[ref]func(){}}
}

// add notes that one looks at another.
func (d *dependencies) add(who, what ref) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.of[who][what] {
		return
	}
	put(d.of, who, what)
	put(d.on, what, who)
	if (what.GroupKind == named.SecretKind || what.GroupKind == named.ConfigMapKind) && d.watch != nil && d.stopped[what] == nil {
		d.stopped[what] = d.watch(what)
	}
}

func put(m map[ref]map[ref]bool, key, value ref) {
	if m[key] == nil {
		m[key] = map[ref]bool{}
	}
	m[key][value] = true
}

// keep forgets what an object looks at, apart from some.
func (d *dependencies) keep(who ref, what map[ref]bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for old := range d.of[who] {
		if what[old] {
			continue
		}
		delete(d.of[who], old)
		delete(d.on[old], who)
		if len(d.on[old]) > 0 {
			continue
		}
		delete(d.on, old)
		if stop := d.stopped[old]; stop != nil {
			stop()
			delete(d.stopped, old)
		}
	}
	if len(d.of[who]) == 0 {
		delete(d.of, who)
	}
}

// who returns the objects that look at one, in order.
func (d *dependencies) who(what ref) []ref {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	all := make([]ref, 0, len(d.on[what]))
	for who := range d.on[what] {
		all = append(all, who)
	}
	slices.SortFunc(all, func(a, b ref) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// cycle returns the objects by which one waits for itself, starting with what it
// looks at, or nil.
func (d *dependencies) cycle(who, what ref) []ref {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	seen := map[ref]bool{}
	var find func(at ref) []ref
	find = func(at ref) []ref {
		if at == who {
			return []ref{at}
		}
		if seen[at] {
			return nil
		}
		seen[at] = true
		for next := range d.of[at] {
			if rest := find(next); rest != nil {
				return append([]ref{at}, rest...)
			}
		}
		return nil
	}
	return find(what)
}
