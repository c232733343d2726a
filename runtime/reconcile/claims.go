package reconcile

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// claims are those of objects on ARM ids. An id belongs to the object whose PUT ARM has
// taken, or may have taken, as its record says. To name an id in a Spec is no claim,
// nor is a PUT that ARM refused: otherwise whoever can create objects could keep those
// of others from their resources. Here are the claims of this process, whose records a
// cache may not show yet.
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
// others returns one whose record has it, or nil; it is called under the lock.
func (c *claims) take(id string, by holder, others func() (*holder, error)) (other *holder, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id = claimKey(id)
	if held, found := c.holders[id]; found && held.ref != by.ref {
		return &held, nil
	}
	if other, err = others(); err != nil || other != nil {
		return other, err
	}
	maps.DeleteFunc(c.holders, func(_ string, h holder) bool { return h.ref == by.ref })
	if c.holders == nil {
		c.holders = map[string]holder{}
	}
	c.holders[id] = by
	return nil, nil
}

// holder returns the object that holds an id, if it is another one.
func (c *claims) holder(id string, than ref) *holder {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if held, found := c.holders[claimKey(id)]; found && held.ref != than {
		return &held
	}
	return nil
}

// release gives up the claim of an object, and reports whether it had one.
func (c *claims) release(of ref) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	before := len(c.holders)
	maps.DeleteFunc(c.holders, func(_ string, h holder) bool { return h.ref == of })
	return len(c.holders) < before
}

// claim takes the claim of an id, for a request that is about to be sent.
func (r *run) claim(ctx context.Context, id string) error {
	other, err := r.op.claims.take(id, holder{r.object.GetUID(), r.ref}, func() (*holder, error) { return r.claimant(ctx, id) })
	if err != nil || other == nil {
		return err
	}
	return r.claimedBy(other, id)
}

// free returns the problem of an id that another object holds, if one does.
func (r *run) free(ctx context.Context, id string) error {
	other := r.op.claims.holder(id, r.ref)
	if other == nil {
		var err error
		if other, err = r.claimant(ctx, id); err != nil || other == nil {
			return err
		}
	}
	return r.claimedBy(other, id)
}

// giveUp gives up the claim of an object from which ARM cannot have anything.
func (r *run) giveUp() {
	if !r.sent.MayExist() && r.op.claims.release(r.ref) {
		r.op.changed(r.ref)
	}
}

// claimedBy returns the problem of an id that another object holds. Nobody is told the
// names of another namespace.
func (r *run) claimedBy(other *holder, id string) *problem {
	r.refs.look(other.ref)
	return &problem{reason: ReasonConflict, stalled: true,
		message: fmt.Sprintf("%s belongs to %s, which had it first", id, r.nameOf(other.ref))}
}

// nameOf returns the name of another object for a message.
func (r *run) nameOf(other ref) string {
	if other.Namespace != r.ref.Namespace {
		return "an object of another namespace"
	}
	return other.String()
}

// claimant returns another object whose record says that it holds an id.
func (r *run) claimant(ctx context.Context, id string) (*holder, error) {
	var first resource
	var of *kind
	for _, k := range r.op.kinds.all {
		switch {
		case !r.kind.sharesType(k), availability(k.availability.Load()) == absent:
			continue
		case availability(k.availability.Load()) == elsewhere:
			return nil, k.unserved()
		}
		list, err := k.newList()
		if err != nil {
			return nil, err
		}
		if err := r.op.reader.List(ctx, list, ctrlclient.MatchingFields{idIndex: claimKey(id)}); err != nil {
			return nil, err
		}
		err = meta.EachListItem(list, func(item runtime.Object) error {
			other := item.(resource)
			if other.GetUID() == r.object.GetUID() {
				return nil
			}
			holds, err := r.holds(ctx, k, other)
			if holds && (first == nil || older(other, first)) {
				first, of = other, k
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	// Of two that hold it, as after an upgrade from a release that let them, the older one has it.
	if first == nil || r.sent.MayExist() && r.confirmed && arm.SameID(r.sent.ID, id) && older(r.object, first) {
		return nil, nil
	}
	return &holder{first.GetUID(), ref{of.GroupKind, ctrlclient.ObjectKeyFromObject(first)}}, nil
}

// holds reports whether an object holds the id in its record. One whose record is not
// confirmed yet is reconciled first.
func (r *run) holds(ctx context.Context, k *kind, other resource) (bool, error) {
	sent, confirmed, err := r.op.recordOf(ctx, other)
	if err != nil || !sent.MayExist() || confirmed {
		return confirmed && sent.MayExist(), err
	}
	of := ref{k.GroupKind, ctrlclient.ObjectKeyFromObject(other)}
	if r.op.hasJudged(of, other.GetUID()) {
		return false, nil
	}
	r.refs.look(of)
	r.op.wake(of)
	return false, &problem{reason: ReasonInProgress, message: fmt.Sprintf(
		"the operator looks first whether %s belongs to %s", sent.ID, r.nameOf(of))}
}

// older reports whether an object was created before another. The uid decides for
// those of one second.
func older(a, b metav1.Object) bool {
	at, bt := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if at.Equal(&bt) {
		return a.GetUID() < b.GetUID()
	}
	return at.Before(&bt)
}

// idIndex is the index of objects by the ARM id in their records.
const idIndex = "armature.dev/id"

func indexID(object ctrlclient.Object) []string {
	if s := record.Of(object); s.MayExist() {
		return []string{claimKey(s.ID)}
	}
	return nil
}
