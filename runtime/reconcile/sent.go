package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// writeRecord writes the record of what was sent.
func (r *run) writeRecord(ctx context.Context, next *record.Record) error {
	err := r.update(ctx, func(object kinds.Resource) error { return r.op.keys.Write(ctx, next, object) })
	if err != nil {
		return err
	}
	r.sent, r.confirmed = next, true
	return nil
}

// writeUnsigned writes back a record that is not the operator's own, after ARM has refused the
// PUT that was to show what is true of it.
func (r *run) writeUnsigned(ctx context.Context, s *sending) error {
	err := r.update(ctx, func(object kinds.Resource) error {
		object.GetAnnotations()[annotation.Sent] = s.unsigned
		return nil
	})
	if err == nil {
		r.sent, r.confirmed = s.was, false
	}
	return err
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
func (r *run) update(ctx context.Context, change func(kinds.Resource) error) error {
	before := r.object.DeepCopyObject().(kinds.Resource)
	if err := change(r.object); err != nil {
		return err
	}
	if equality.Semantic.DeepEqual(metadataOf(before), metadataOf(r.object)) {
		return nil
	}
	status := before.GetStatus()
	if err := r.op.patch(ctx, r.object, before); err != nil {
		return written(err)
	}
	r.before = r.object.DeepCopyObject().(kinds.Resource)
	return r.object.SetStatus(status)
}

// patch writes what has changed of an object, unless somebody else has changed it.
func (r *Reconciler) patch(ctx context.Context, object, before ctrlclient.Object) error {
	return r.Client.Patch(ctx, object, ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{}))
}

func metadataOf(r kinds.Resource) []any {
	return []any{r.GetAnnotations(), r.GetFinalizers(), r.GetOwnerReferences()}
}

// unconfirmed returns the problem of a record that is not the operator's own.
func unconfirmed(id, what string) *problem.Problem {
	return &problem.Problem{Reason: ReasonUnconfirmed, Stalled: true, Message: fmt.Sprintf(
		"the annotation %s names %s, and the operator has no key that shows that it wrote this itself; %s", annotation.Sent, id, what)}
}

// confirm decides about the deletion of an object whose record is not the operator's own,
// because its key is lost, or because somebody else wrote it. It deletes what its Spec and
// its owner mean, if that is of its type: whether the credential may, ARM says. Otherwise
// the object goes only if ARM has nothing under the id.
func (r *run) confirm(ctx context.Context) decide.Outcome {
	id := r.sent.ID
	if armType, ok := arm.TypeOf(id); !ok || !slices.Contains(r.kind.ARMTypes, strings.ToLower(armType)) {
		return decide.Stop(unconfirmed(id, "it is not of the object's type, and is not deleted: remove the annotation"))
	}
	spec, err := r.spec()
	if err == nil {
		var means string
		r.refs.deleting = true
		if means, err = arm.ID(ctx, spec, r.object.GetName(), r.refs); kinds.IsAPIError(err) {
			return decide.Stop(err)
		}
		r.found.Meant = err == nil && arm.SameID(means, id)
	}
	if r.found.Meant {
		return decide.GoOn()
	}
	version, err := kinds.ARMVersionOf(r.object, r.op.scheme)
	if err != nil {
		return decide.Stop(err)
	}
	answer, o := r.readFirst(ctx, decide.GetRequest, id, version, true)
	if o.Ends() {
		return o
	}
	if answer != nil {
		return decide.Stop(unconfirmed(id, fmt.Sprintf("the Spec does not mean it, and it is not deleted: "+
			"set azureName and owner back, or %s to %s, which leaves it in Azure", annotation.ReconcilePolicy, annotation.PolicyDetach)))
	}
	if o := r.mayCome(ctx, version); o.Ends() {
		return o
	}
	r.sent = &record.Record{Phase: record.Refused, UID: r.sent.UID, ID: id, Credential: r.sent.Credential, Previous: r.sent.Previous}
	return decide.GoOn()
}
