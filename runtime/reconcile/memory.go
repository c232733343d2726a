package reconcile

import (
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
)

// memory holds what this instance knows of an object. Without it something is asked or
// written again, and nothing else.
type memory struct {
	uid types.UID
	// known is what decisions depend on, and children is what is known of the children.
	known    decide.Memory
	children family.Memory
	// reconciled reports whether this instance has reconciled the object, and so has
	// confirmed its record if it could.
	reconciled bool
	// shown is the answer of ARM that the Status shows.
	shown shownAnswer
	// missing has, by id, when ARM first answered that it does not have a resource, if it has not shown it since.
	missing map[string]time.Time
	// outputs has the resourceVersions of the Secrets and ConfigMaps with outputs, as
	// they were last written or read.
	outputs map[ref]string
	// credentialSecrets has the Secrets whose credentials the object has sent something with, or "".
	credentialSecrets []string
	// leftTo is the other operator that the object was left to when an event last said so.
	leftTo string
	// since is when the object was made or changed, if it has not been ready since.
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
}

// get returns the memory of an object, which is new if the object is.
func (s *memories) get(of ref, object metav1.Object) *memory {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	m := s.byObject[of]
	if m == nil || m.uid != object.GetUID() {
		// An instance may have waited for hours until it led.
		now := s.now()
		m = &memory{uid: object.GetUID(), known: decide.Memory{First: now, Wrote: now, Read: now}}
		s.byObject[of] = m
	}
	if s.retry[of] {
		delete(s.retry, of)
		m.known.TryAgain()
	}
	return m
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
}

// tryAgain lets what was refused be tried at once for some objects.
func (s *memories) tryAgain(all []ref) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, of := range all {
		s.retry[of] = true
	}
}

// tryNamespace lets what was refused be tried at once for the objects of a namespace, and returns them.
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

// isReconciled reports whether this instance has reconciled an object.
func (s *memories) isReconciled(of ref, uid types.UID) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	m := s.byObject[of]
	return m != nil && m.uid == uid && m.reconciled
}
