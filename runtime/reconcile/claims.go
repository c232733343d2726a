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
// others returns one that has sent something to the id, or nil; it is called under
// the lock.
func (c *claims) take(id string, by holder, others func() (*holder, error)) (*holder, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id = claimKey(id)
	if held, found := c.holders[id]; found && held.uid != by.uid {
		return &held, nil
	} else if found {
		return nil, nil
	}
	other, err := others()
	if err != nil || other != nil {
		return other, err
	}
	if c.holders == nil {
		c.holders = map[string]holder{}
	}
	c.holders[id] = by
	return nil, nil
}

// release gives up all claims of an object.
func (c *claims) release(of ref) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.DeleteFunc(c.holders, func(_ string, h holder) bool { return h.ref == of })
}
