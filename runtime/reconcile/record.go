package reconcile

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// writeRecord writes the record of what was sent.
func (r *run) writeRecord(ctx context.Context, next *record.Record) error {
	err := r.update(ctx, func(object kinds.Resource) error { return r.op.keys.Write(ctx, next, object) })
	if err != nil {
		return err
	}
	r.hasWritten(next)
	return nil
}

// hasWritten notes that the object has a record which this instance has written.
func (r *run) hasWritten(next *record.Record) {
	r.sent, r.confirmed = next, true
	r.memory.known.Recorded = next.Time
}

// digest returns the digest of a request, as [record.Keys.Digest] does. It includes whether the lists are complete.
func (r *run) digest(ctx context.Context, request *arm.Request, id string) (digest, key string, known bool, err error) {
	if r.completeLists() && len(request.Collections) > 0 {
		other := *request
		other.Body = append(slices.Clone(request.Body), "\n"+reference.InlineComplete...)
		request = &other
	}
	return r.op.keys.Digest(ctx, request, id)
}

// update calls change and writes the metadata if it is different then. It fails if somebody has
// changed the object meanwhile. Changes of the Status are kept, but not written.
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
		return classifyWriteError(err)
	}
	r.before = r.object.DeepCopyObject().(kinds.Resource)
	return r.object.SetStatus(status)
}

// patch writes the changes of an object. It fails if somebody else has changed the object.
func (r *Reconciler) patch(ctx context.Context, object, before ctrlclient.Object) error {
	return r.cluster.Client.Patch(ctx, object, ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{}))
}

func metadataOf(r kinds.Resource) []any {
	return []any{r.GetAnnotations(), r.GetFinalizers(), r.GetOwnerReferences()}
}
