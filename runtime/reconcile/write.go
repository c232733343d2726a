package reconcile

import (
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

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
	r.hasWritten(next)
	return nil
}

// writeUnsigned writes a record, given its text, that is not the operator's own.
func (r *run) writeUnsigned(ctx context.Context, next *record.Record, text string) error {
	err := r.update(ctx, func(object kinds.Resource) error {
		object.GetAnnotations()[annotation.Sent] = text
		return nil
	})
	if err == nil {
		r.sent, r.confirmed, r.memory.record = next, false, text
	}
	return err
}

// hasWritten notes that the object has a record which this instance has written.
func (r *run) hasWritten(next *record.Record) {
	r.sent, r.confirmed = next, true
	r.memory.known.Recorded, r.memory.record = next.Time, r.object.GetAnnotations()[annotation.Sent]
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

// addFinalizer adds the finalizer.
func addFinalizer(object kinds.Resource) error {
	controllerutil.AddFinalizer(object, annotation.ResourceFinalizer)
	return nil
}

// updateWithOwner updates the object and sets the reference to its owner. It holds the lock under
// which an owner that leaves its resource in ARM removes the references to itself.
func (r *run) updateWithOwner(ctx context.Context, change func(kinds.Resource) error) error {
	if owner := r.resolver.owner; owner != nil {
		defer r.op.locks.Lock(owner.GetUID())()
	}
	err := r.update(ctx, func(object kinds.Resource) error {
		if to := r.ownerReference(ctx); to != nil {
			object.SetOwnerReferences(append(object.GetOwnerReferences(), *to))
		}
		return change(object)
	})
	r.found.Orphan = r.found.Orphan && err != nil
	return err
}

// ownerReference returns the reference to the owner if the object lacks it, or nil.
func (r *run) ownerReference(ctx context.Context) *metav1.OwnerReference {
	if r.resolver.owner == nil {
		return nil
	}
	uid := r.resolver.owner.GetUID()
	if slices.ContainsFunc(r.object.GetOwnerReferences(), func(o metav1.OwnerReference) bool { return o.UID == uid }) {
		return nil
	}
	k := r.resolver.ownerKind
	current := k.New()
	if r.op.cluster.Objects.Get(ctx, k, ctrlclient.ObjectKeyFromObject(r.resolver.owner), current) != nil ||
		current.GetUID() != uid || !current.GetDeletionTimestamp().IsZero() {
		return nil
	}
	return &metav1.OwnerReference{APIVersion: k.ServedVersion(), Kind: k.Kind, Name: current.GetName(), UID: uid}
}

// reportUnwritable reports by an event and a metric that the operator may not write an object: a
// condition would be a write too.
func (r *Reconciler) reportUnwritable(object kinds.Resource, of ref, m *memory, p *problem.Problem) {
	setReady(object, p, "")
	r.metrics.observeObject(of, object)
	r.event(object, m, corev1.EventTypeWarning, p.Reason, p.Message)
}

// refusedWrite is an error of the API server that refuses a write of the operator to an object.
type refusedWrite struct{ error }

func (w *refusedWrite) Unwrap() error { return w.error }

// classifyWriteError returns the error of a write of an object as a *refusedWrite if the same write will be
// refused again, by an admission policy or because the object is too large. Other errors stay as they are.
func classifyWriteError(err error) error {
	text := err.Error()
	if apierrors.IsForbidden(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) ||
		apierrors.IsRequestEntityTooLargeError(err) || strings.Contains(text, "request is too large") || // of etcd
		strings.Contains(text, "message larger than max") {
		return &refusedWrite{err}
	}
	return err
}

// reportRefusedWrite reports that the API server refuses what the operator writes into the object: by a
// condition alone, without the refused changes, or if that is refused too by an event and a metric. It
// returns when to try again.
func (r *run) reportRefusedWrite(ctx context.Context, why *refusedWrite) (again time.Duration) {
	p := &problem.Problem{Reason: ReasonWriteRefused, Stalled: true,
		Message: "the API server refuses what the operator writes into the object: " + why.Error()}
	r.object = r.before.DeepCopyObject().(kinds.Resource)
	if r.report(ctx, p) != nil {
		r.op.reportUnwritable(r.object, r.name, r.memory, p)
	}
	next, _ := r.countRefusal(decide.WriteRequest, decide.Refusal{})
	return next.Sub(r.now)
}
