package reconcile

import (
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
)

// memory holds what this instance knows about an object. If it is lost, something is read or
// written again, and nothing worse happens.
type memory struct {
	uid types.UID
	// known has what decisions depend on, and children what is known about the children.
	known    decide.Memory
	children family.Memory
	// reconciled reports whether this instance has reconciled the object, and so has
	// confirmed its record if it could.
	reconciled bool
	// shown is the answer of ARM that the Status shows.
	shown shownAnswer
	// missing has, by the keys of ids, the answers that ARM does not have a resource, unless it has shown it since.
	missing map[string]decide.Absence
	// paths are those of the record that the Spec sets or ARM still shows, nil if that is not known.
	paths paths.Hashes
	// drift is what is known of what somebody else has changed in ARM.
	drift drifting
	// adoption is what the first PUT changes of what the object takes over, as a message, or "".
	adoption string
	// record is the annotation with the record that this instance last wrote, "" if it has written none.
	record string
	// outputs has the resourceVersions at which the Secrets and ConfigMaps with outputs were
	// last written or read.
	outputs map[ref]string
	// credentialSecrets names the Secrets with whose credentials the object was sent. "" stands for none.
	credentialSecrets []string
	// leftTo is the other operator to which the object was left, according to the last event about it.
	leftTo string
	// since is when the object was created or changed, or zero if it has been ready since.
	since  time.Time
	events eventReasons
}

// memories are the memories of all objects.
type memories struct {
	now      func() time.Time
	mutex    sync.Mutex
	byObject map[ref]*memory
	// retry holds the objects whose last refusal may no longer apply, because something they depend on has changed.
	retry map[ref]bool
	// wanted holds the objects of which others miss an output.
	wanted map[ref]bool
}

// get returns the memory of an object. A new object has a new memory.
func (s *memories) get(of ref, object metav1.Object) *memory {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	m := s.byObject[of]
	if m == nil || m.uid != object.GetUID() {
		// Not the start of the instance: it may have waited for hours before it became the leader.
		now := s.now()
		m = &memory{uid: object.GetUID(), known: decide.Memory{First: now, Wrote: now, Read: now}}
		s.byObject[of] = m
	}
	if s.retry[of] {
		delete(s.retry, of)
		m.known.TryAgain()
	}
	if s.wanted[of] {
		delete(s.wanted, of)
		m.known.Wanted = true
	}
	return m
}

// want lets an object be read from ARM at its next reconcile, because others miss an output of it.
func (s *memories) want(of ref) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.wanted[of] = true
}

// find returns the memory of an object, or nil.
func (s *memories) find(of ref) *memory {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.byObject[of]
}

// forget drops the memory of an object.
func (s *memories) forget(of ref) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.byObject, of)
	delete(s.retry, of)
	delete(s.wanted, of)
}

// tryAgain lets some objects retry refused requests at once.
func (s *memories) tryAgain(all []ref) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, of := range all {
		s.retry[of] = true
	}
}

// tryNamespace lets the objects of a namespace retry refused requests at once, and returns the objects.
func (s *memories) tryNamespace(name string) (all []ref) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for of := range s.byObject {
		if of.Namespace == name {
			s.retry[of] = true
			all = append(all, of)
		}
	}
	return all
}

// setReconciled notes that this instance has reconciled an object.
func (s *memories) setReconciled(m *memory) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	m.reconciled = true
}

// isReconciled reports whether this instance has reconciled an object, and since when it knows the object.
func (s *memories) isReconciled(of ref, uid types.UID) (first time.Time, is bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	m := s.byObject[of]
	if m == nil || m.uid != uid || !m.reconciled {
		return time.Time{}, false
	}
	return m.known.First, true
}
