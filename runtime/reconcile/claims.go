package reconcile

import (
	"maps"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// claims are those of objects on ARM ids. An id belongs to one object; whoever else
// names it is refused. The annotation of an object that has sent something is its
// claim; here are those of this process, whose annotations a cache may not show yet.
type claims struct {
	mutex   sync.Mutex
	holders map[string]holder
}

// holder is the object that holds a claim.
type holder struct {
	uid types.UID
	ref
}

func claimKey(id string) string { return strings.ToLower(strings.Trim(id, "/")) }

// take takes the claim of an id for an object, or returns the object that has it.
// An object has one claim: moved reports whether it gave up another. others returns
// one that has sent something to the id, or nil; it is called under the lock.
func (c *claims) take(id string, by holder, others func() (*holder, error)) (other *holder, moved bool, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id = claimKey(id)
	held, found := c.holders[id]
	if found && held.ref == by.ref {
		// An object of the same name and another uid is gone.
		c.holders[id] = by
		return nil, false, nil
	}
	before := len(c.holders)
	maps.DeleteFunc(c.holders, func(_ string, h holder) bool { return h.ref == by.ref })
	moved = len(c.holders) < before
	if found {
		return &held, moved, nil
	}
	if other, err = others(); err != nil || other != nil {
		return other, moved, err
	}
	if c.holders == nil {
		c.holders = map[string]holder{}
	}
	c.holders[id] = by
	return nil, moved, nil
}

// release gives up all claims of an object.
func (c *claims) release(of ref) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.DeleteFunc(c.holders, func(_ string, h holder) bool { return h.ref == of })
}
