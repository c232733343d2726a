package kinds

import (
	"sync"

	toolscache "k8s.io/client-go/tools/cache"
)

// ListRights holds whether the API server permits the lists of a kind, and whether they fail for another reason: one
// list of all objects, or one in each namespace.
type ListRights struct {
	mutex sync.Mutex
	// refused holds, for each list, whether the API server refuses it now.
	refused map[toolscache.SharedIndexInformer]bool
	// failing holds, for each list that fails now for another reason, the error.
	failing map[toolscache.SharedIndexInformer]error
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

// Fail notes that a list of the kind has failed although the API server permits it, and reports whether it had not
// before.
func (r *ListRights) Fail(list toolscache.SharedIndexInformer, err error) (changed bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.failing == nil {
		r.failing = map[toolscache.SharedIndexInformer]error{}
	}
	changed = r.failing[list] == nil
	r.failing[list], r.failed = err, true
	return changed
}

// Succeed notes that a list of the kind has succeeded, and reports whether it had failed before.
func (r *ListRights) Succeed(list toolscache.SharedIndexInformer) (changed bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	changed = r.failing[list] != nil
	delete(r.failing, list)
	return changed
}

// Failure returns why a list of the kind fails now although the API server permits it, or nil.
func (r *ListRights) Failure() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, err := range r.failing {
		return err
	}
	return nil
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
