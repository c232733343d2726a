package reconcile

import (
	"context"
	"fmt"

	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// claiming claims the ARM id of an object.
type claiming struct{ *run }

// claim claims an id for the object, before a request to it is sent.
func (r claiming) claim(ctx context.Context, id string) error {
	by := claims.Holder{UID: r.object.GetUID(), Object: r.name}
	other, err := r.op.claims.Take(id, by, func() (*claims.Holder, error) { return r.claimant(ctx, id) })
	if err != nil || other == nil {
		return err
	}
	return r.claimedBy(other, id)
}

// checkHolder returns a problem if another object holds the id.
func (r claiming) checkHolder(ctx context.Context, id string) error {
	other := r.op.claims.Other(id, r.name)
	if other == nil {
		var err error
		if other, err = r.claimant(ctx, id); err != nil || other == nil {
			return err
		}
	}
	return r.claimedBy(other, id)
}

// release gives up the object's claim, unless its record holds the id, or ARM is at work on a DELETE that this instance
// has sent for it. While the cache does not show the record that this instance has written, the claim stays.
func (r claiming) release() {
	d, written := r.memory.known.Deletion, r.memory.record
	isBehind := written != "" && r.object.GetAnnotations()[annotation.Sent] != written
	deletes := controllerutil.ContainsFinalizer(r.object, annotation.ResourceFinalizer) &&
		!r.object.GetDeletionTimestamp().IsZero() && (r.memory.known.Operation.Current != nil || !d.Done.IsZero())
	if !isBehind && !deletes && !claims.Holds(r.object, r.sent, r.confirmed) && r.op.claims.Release(r.name) {
		r.op.wakeDependents(r.name)
	}
}

// claimedBy returns the problem of an id that another object holds. Its message names no
// object of another namespace.
func (r claiming) claimedBy(other *claims.Holder, id string) *problem.Problem {
	r.resolver.dependOn(other.Object)
	return &problem.Problem{Reason: ReasonConflict, Stalled: true,
		Message: fmt.Sprintf("%s belongs to %s, which has created it in ARM or is about to: delete one of the two objects, or give "+
			"this one another name in Azure or another owner", id, other.Object.NameIn(r.name.Namespace))}
}

// claimant returns another object that holds an id before this one, by its record, or nil. Of
// several, it returns the one from which ARM accepted the last PUT: whoever may write an object
// may write back an old record of it. An object that is being deleted comes last.
func (r claiming) claimant(ctx context.Context, id string) (*claims.Holder, error) {
	var first *claims.Holder
	var held claims.Hold
	if claims.Holds(r.object, r.sent, r.confirmed) && arm.SameID(r.sent.ID, id) {
		held = claims.HoldOf(r.object, r.sent)
	}
	var same []*kinds.Kind
	for _, k := range r.op.kinds.All {
		if r.kind.SharesType(k) {
			same = append(same, k)
		}
	}
	q := kinds.Query{Kinds: same, Index: claims.Index, Key: arm.IDKey(id)}
	err := r.op.cluster.Objects.Each(ctx, q, func(k *kinds.Kind, other kinds.Resource) error {
		if other.GetUID() == r.object.GetUID() {
			return nil
		}
		sent, err := r.holdingRecord(ctx, k, other)
		if sent == nil || err != nil {
			return err
		}
		if hold := claims.HoldOf(other, sent); hold.Before(held) {
			of := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(other))
			held, first = hold, &claims.Holder{UID: other.GetUID(), Object: of}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return first, nil
}

// holdingRecord returns the record of an object if it holds the id that the record names, or nil. An
// object with an unconfirmed record is reconciled first, unless another operator manages it: its PUT
// shows whether it has the resource.
func (r claiming) holdingRecord(ctx context.Context, k *kinds.Kind, other kinds.Resource) (*record.Record, error) {
	sent, confirmed, err := r.op.keys.Read(ctx, other)
	switch {
	case err != nil, !sent.MayExist():
		return nil, err
	case claims.Holds(other, sent, confirmed):
		return sent, nil
	case confirmed:
		return nil, nil
	}
	of := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(other))
	if _, is := r.op.memories.isReconciled(of, other.GetUID()); is {
		return nil, nil
	}
	return nil, r.awaitReconcile(of, other, sent.ID)
}

// awaitReconcile returns the problem of an object that waits until another one is reconciled, which may have an id. It
// returns nil if that is another operator's to do.
func (r claiming) awaitReconcile(of ref, other kinds.Resource, id string) error {
	manages, err := r.op.cluster.Namespaces.Manages(of.Namespace)
	if r.op.operator.isForeign(other) || err == nil && !manages {
		return nil
	}
	r.resolver.dependOn(of)
	r.op.cluster.Wake(of)
	return &problem.Problem{Reason: ReasonInProgress, After: decide.FirstRetry, Message: fmt.Sprintf(
		"the operator first checks whether %s belongs to %s", id, of.NameIn(r.name.Namespace))}
}
