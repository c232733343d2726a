package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// recordOf returns the record of what an object has sent, nil if there is none, and
// whether it is the operator's own.
func (r *Reconciler) recordOf(ctx context.Context, object resource) (_ *record.Record, confirmed bool, err error) {
	s := record.Of(object)
	if s == nil {
		return nil, false, nil
	}
	confirmed, err = r.keys.Confirms(ctx, s)
	return s, confirmed, err
}

// writeRecord writes the record of what was sent.
func (r *run) writeRecord(ctx context.Context, next *record.Record) error {
	err := r.update(ctx, func(object resource) error { return r.op.keys.Write(ctx, next, object) })
	if err != nil {
		return err
	}
	r.sent, r.confirmed = next, true
	return nil
}

// digest is that of the keys. Whether the lists of a Spec are complete is part of what is sent.
func (r *run) digest(ctx context.Context, request *arm.Request, id string) (digest, key string, known bool, err error) {
	if r.completeLists() && len(request.Collections) > 0 {
		other := *request
		other.Body = append(slices.Clone(request.Body), "\n"+reference.InlineComplete...)
		request = &other
	}
	return r.op.keys.Digest(ctx, request, id)
}

// update changes the metadata, and writes it if that has changed something. It fails if the
// object has changed meanwhile. What is not written yet of the Status stays so.
func (r *run) update(ctx context.Context, change func(resource) error) error {
	before := r.object.DeepCopyObject().(resource)
	if err := change(r.object); err != nil {
		return err
	}
	if equality.Semantic.DeepEqual(metadataOf(before), metadataOf(r.object)) {
		return nil
	}
	status := before.GetStatus()
	if err := r.op.patch(ctx, r.object, before); err != nil {
		return err
	}
	r.before = r.object.DeepCopyObject().(resource)
	return r.object.SetStatus(status)
}

// patch writes what has changed of an object, unless somebody else has changed it.
func (r *Reconciler) patch(ctx context.Context, object, before ctrlclient.Object) error {
	return r.client.Patch(ctx, object, ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{}))
}

func metadataOf(r resource) []any {
	return []any{r.GetAnnotations(), r.GetFinalizers(), r.GetOwnerReferences()}
}

// unconfirmed returns the problem of a record that is not the operator's own.
func unconfirmed(id, what string) *problem {
	return &problem{reason: ReasonUnconfirmed, stalled: true, message: fmt.Sprintf(
		"the annotation %s names %s, and the operator has no key that shows that it wrote this itself; %s", annotation.Sent, id, what)}
}

// confirm writes a record anew that is not the operator's own, because an older release
// wrote it, or its key is lost, or because somebody else did. What the Spec means is
// the same id, so if ARM has the resource, the object has it as if it had just sent it.
func (r *run) confirm(ctx context.Context) (again time.Time, err error) {
	if !r.object.GetDeletionTimestamp().IsZero() {
		return r.confirmToDelete(ctx)
	}
	answer, again, err := r.readFirst(ctx, r.request.ID, r.request.APIVersion)
	found := answer != nil
	if err != nil || !again.IsZero() {
		return again, err
	}
	next := *r.sent
	digest, key, _, err := r.digest(ctx, r.request, "")
	if err != nil {
		return time.Time{}, err
	}
	before, _, known, err := r.digest(ctx, r.request, next.Key)
	if err != nil {
		return time.Time{}, err
	}
	// Without its key a digest says nothing, but the generation still does.
	if same := before == next.Digest; known && same || !known && next.Generation == r.object.GetGeneration() {
		next.Digest = digest
	} else {
		next.Digest = ""
	}
	if next.Digest == digest { // so ARM has the lists of the Spec
		if next.Inline, err = inline.Names(r.request.Body, r.request.Collections); err != nil {
			return time.Time{}, err
		}
	}
	next.Parent, next.Shown = 0, ""
	if next.Key, next.Exists, next.Maybe = key, found, false; !found {
		next.Phase = record.Refused
	}
	if err := r.writeRecord(ctx, &next); err != nil {
		return time.Time{}, err
	}
	return time.Time{}, r.digests(ctx)
}

// confirmToDelete is confirm for an object that is being deleted. Its id must be of its
// own type, and what its Spec and its owner say.
func (r *run) confirmToDelete(ctx context.Context) (again time.Time, err error) {
	id := r.sent.ID
	if armType, ok := arm.TypeOf(id); !ok || !slices.Contains(r.kind.armTypes, strings.ToLower(armType)) {
		return time.Time{}, unconfirmed(id, "it is not of the object's type, and is not deleted: remove the annotation")
	}
	version, err := r.armVersion()
	if err != nil {
		return time.Time{}, err
	}
	answer, again, err := r.readFirst(ctx, id, version)
	found := answer != nil
	if err != nil || !again.IsZero() {
		return again, err
	}
	next := *r.sent
	if found {
		spec, err := r.spec()
		if err != nil {
			return time.Time{}, err
		}
		r.refs.deleting = true
		means, err := arm.ID(ctx, spec, r.object.GetName(), r.refs)
		if isOfAPI(err) {
			return time.Time{}, err
		}
		if err != nil || !arm.SameID(means, id) {
			return time.Time{}, unconfirmed(id, fmt.Sprintf("the Spec does not mean it, and it is not deleted: "+
				"set azureName and owner back, or %s to %s, which leaves it in Azure", annotation.ReconcilePolicy, annotation.PolicyDetach))
		}
	}
	key, err := r.op.keys.Current(ctx)
	if err != nil {
		return time.Time{}, err
	}
	if next.Digest, next.Key, next.Exists, next.Maybe = "", key, found, false; !found {
		next.Phase = record.Refused
	}
	return time.Time{}, r.writeRecord(ctx, &next)
}
