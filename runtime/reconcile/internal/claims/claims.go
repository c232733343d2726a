// Package claims determines which object an ARM id belongs to: the object whose record says that ARM took
// its PUT, or may have taken it. Neither an id in a Spec nor a PUT that ARM refused is a claim: otherwise
// whoever can create objects could keep the objects of others from their resources.
package claims

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Claims holds the claims that this process has taken: a cache may not show their records yet. The zero
// value holds none.
type Claims struct {
	mutex   sync.Mutex
	holders map[string]Holder
}

// Holder is the object that holds a claim.
type Holder struct {
	UID types.UID
	named.Object
}

// Take claims an id for an object, or returns the other object that holds it. recorded returns another
// object whose record claims the id, or nil; it is called under the lock.
func (c *Claims) Take(id string, by Holder, recorded func() (*Holder, error)) (other *Holder, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id = arm.IDKey(id)
	if held, found := c.holders[id]; found && held.Object != by.Object {
		return &held, nil
	}
	if other, err = recorded(); err != nil || other != nil {
		return other, err
	}
	maps.DeleteFunc(c.holders, func(_ string, h Holder) bool { return h.Object == by.Object })
	if c.holders == nil {
		c.holders = map[string]Holder{}
	}
	c.holders[id] = by
	return nil, nil
}

// Other returns the object that holds an id, or nil if none does or it is the given one.
func (c *Claims) Other(id string, than named.Object) *Holder {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if held, found := c.holders[arm.IDKey(id)]; found && held.Object != than {
		return &held
	}
	return nil
}

// Release gives up the claim of an object, and reports whether it had one.
func (c *Claims) Release(of named.Object) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	before := len(c.holders)
	maps.DeleteFunc(c.holders, func(_ string, h Holder) bool { return h.Object == of })
	return len(c.holders) < before
}

// Hold is an object and the record by which it holds an id. The zero value has no object.
type Hold struct {
	object metav1.Object
	sent   *record.Record
}

// HoldOf returns the hold of an object with a record.
func HoldOf(object metav1.Object, sent *record.Record) Hold { return Hold{object, sent} }

// Before reports whether h precedes other as the holder of the id. An object that is not being deleted
// comes first, then the one whose PUT was later, then the one that was created earlier. The uid decides
// between objects that were created in the same second.
func (h Hold) Before(other Hold) bool {
	if other.object == nil {
		return true
	}
	deleting := func(h Hold) int {
		if h.object.GetDeletionTimestamp().IsZero() {
			return 0
		}
		return 1
	}
	return cmp.Or(
		deleting(h)-deleting(other),
		other.sent.Time.Compare(h.sent.Time),
		h.object.GetCreationTimestamp().Compare(other.object.GetCreationTimestamp().Time),
		cmp.Compare(h.object.GetUID(), other.object.GetUID()),
	) < 0
}

// Holds reports whether an object holds the id in its record. It does if the record is the operator's own, which
// confirmed reports, and says that ARM may have the resource. An object that is being deleted without the operator's
// finalizer is done with its resource, whoever else keeps the object.
func Holds(object metav1.Object, sent *record.Record, confirmed bool) bool {
	released := !object.GetDeletionTimestamp().IsZero() && !slices.Contains(object.GetFinalizers(), annotation.ResourceFinalizer)
	return confirmed && sent.MayExist() && !released
}

// Index is the index of objects by the keys of the ARM ids in their records.
const Index = annotation.Domain + "/id"

// Keys returns the keys of an object for the index.
func Keys(object client.Object) []string {
	if s := record.Of(object); s.MayExist() {
		return []string{arm.IDKey(s.ID)}
	}
	return nil
}
