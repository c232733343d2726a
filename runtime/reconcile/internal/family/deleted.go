package family

import (
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// Deleted holds the resources that this instance has deleted and then found to be gone, as long as that
// matters. An instance that does not know this waits until ARM must have shown everything. The zero value
// is empty.
type Deleted struct {
	mutex sync.Mutex
	at    map[string]time.Time // by the key of the id
}

// Add adds a resource that is gone.
func (d *Deleted) Add(id string, at time.Time) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	maps.DeleteFunc(d.at, func(_ string, old time.Time) bool { return at.Sub(old) > decide.Visible })
	if d.at == nil {
		d.at = map[string]time.Time{}
	}
	d.at[arm.IDKey(id)] = at
}

// Has reports whether this instance has found a resource to be gone a moment ago.
func (d *Deleted) Has(id string) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	_, found := d.at[arm.IDKey(id)]
	return found
}

// Contained reports whether a resource that contained the given one was found to be gone at a time or after
// it.
func (d *Deleted) Contained(id string, since time.Time) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	id = arm.IDKey(id)
	for parent, at := range d.at {
		if strings.HasPrefix(id, parent+"/") && !at.Before(since) {
			return true
		}
	}
	return false
}

// objectSet is a set of objects. The zero value is empty.
type objectSet struct {
	mutex sync.Mutex
	all   map[named.Object]bool
}

func (s *objectSet) add(o named.Object) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.all == nil {
		s.all = map[named.Object]bool{}
	}
	s.all[o] = true
}

func (s *objectSet) has(o named.Object) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.all[o]
}

// remove reports whether the object was in the set.
func (s *objectSet) remove(o named.Object) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	was := s.all[o]
	delete(s.all, o)
	return was
}
