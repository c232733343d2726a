package kinds

import (
	"sync"

	toolscache "k8s.io/client-go/tools/cache"
)

// ListRights holds whether the API server permits the lists of a kind: one list of all objects, or one in
// each namespace.
type ListRights struct {
	mutex sync.Mutex
	// refused holds, for each list, whether the API server refuses it now.
	refused map[toolscache.SharedIndexInformer]bool
	// failed reports whether a list has failed, for whatever reason.
	failed bool
}

// IsRefused reports whether the API server refuses a list of the kind now.
func (r *ListRights) IsRefused() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, refused := range r.refused {
		if refused {
			return true
		}
	}
	return false
}

// HasFailed reports whether a list of the kind has failed.
func (r *ListRights) HasFailed() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.failed
}

// Fail notes that a list of the kind has failed.
func (r *ListRights) Fail() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.failed = true
}

// Set notes whether the API server refuses a list, and reports whether that changes IsRefused.
func (r *ListRights) Set(list toolscache.SharedIndexInformer, refused bool) (changed bool) {
	before := r.IsRefused()
	r.mutex.Lock()
	if r.refused == nil {
		r.refused = map[toolscache.SharedIndexInformer]bool{}
	}
	r.refused[list], r.failed = refused, r.failed || refused
	r.mutex.Unlock()
	return before != r.IsRefused()
}
