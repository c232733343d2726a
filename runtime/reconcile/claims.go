package reconcile

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// claim takes the claim of an id, for a request that is about to be sent.
func (r *run) claim(ctx context.Context, id string) error {
	by := claims.Holder{UID: r.object.GetUID(), Object: r.ref}
	other, err := r.op.claims.Take(id, by, func() (*claims.Holder, error) { return r.claimant(ctx, id) })
	if err != nil || other == nil {
		return err
	}
	return r.claimedBy(other, id)
}

// free returns the problem of an id that another object holds, if one does.
func (r *run) free(ctx context.Context, id string) error {
	other := r.op.claims.Other(id, r.ref)
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
	if !r.sent.MayExist() && r.op.claims.Release(r.ref) {
		r.op.changed(r.ref)
	}
}

// claimedBy returns the problem of an id that another object holds. Nobody is told the
// names of another namespace.
func (r *run) claimedBy(other *claims.Holder, id string) *problem {
	r.refs.look(other.Object)
	return &problem{reason: ReasonConflict, stalled: true,
		message: fmt.Sprintf("%s belongs to %s, from which ARM has it or is about to: delete one of the two objects, or give this one "+
			"another name in Azure or another owner", id, r.nameOf(other.Object))}
}

// nameOf returns the name of another object for a message.
func (r *run) nameOf(other ref) string {
	if other.Namespace != r.ref.Namespace {
		return "an object of another namespace"
	}
	return other.String()
}

// claimant returns another object whose record says that it holds an id.
func (r *run) claimant(ctx context.Context, id string) (*claims.Holder, error) {
	var first resource
	var of *kind
	for _, k := range r.op.kinds.all {
		switch {
		case !r.kind.sharesType(k), k.is() == absent:
			continue
		case k.is() == elsewhere:
			return nil, k.unserved()
		}
		list, err := k.newList()
		if err != nil {
			return nil, err
		}
		if err := r.op.list(ctx, k, list, ctrlclient.MatchingFields{claims.Index: claims.Key(id)}); err != nil {
			return nil, err
		}
		err = meta.EachListItem(list, func(item runtime.Object) error {
			other := item.(resource)
			if other.GetUID() == r.object.GetUID() {
				return nil
			}
			holds, err := r.holds(ctx, k, other)
			if holds && (first == nil || claims.Older(other, first)) {
				first, of = other, k
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	// Of two that hold it, as after an upgrade from a release that let them, the older one has it.
	if first == nil || r.sent.MayExist() && r.confirmed && arm.SameID(r.sent.ID, id) && claims.Older(r.object, first) {
		return nil, nil
	}
	return &claims.Holder{UID: first.GetUID(), Object: named.Of(of.GroupKind, ctrlclient.ObjectKeyFromObject(first))}, nil
}

// holds reports whether an object holds the id in its record. One whose record is not
// confirmed yet is reconciled first, unless that is another operator's to do.
func (r *run) holds(ctx context.Context, k *kind, other resource) (bool, error) {
	sent, confirmed, err := r.op.recordOf(ctx, other)
	if err != nil || !sent.MayExist() || confirmed {
		return confirmed && sent.MayExist(), err
	}
	of := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(other))
	manages, err := r.op.manages(other.GetNamespace())
	if r.op.hasJudged(of, other.GetUID()) || r.op.isOthers(other) || err == nil && !manages {
		return false, nil
	}
	r.refs.look(of)
	r.op.wake(of)
	return false, &problem{reason: ReasonInProgress, message: fmt.Sprintf(
		"the operator looks first whether %s belongs to %s", sent.ID, r.nameOf(of))}
}
