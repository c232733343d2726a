package reconcile

import (
	"context"
	"fmt"
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
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
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

// writeAccepted writes the record of a PUT that ARM has carried out, if it is not written yet. If the cache is behind,
// the write fails. Then the operation is kept, to poll it again: without it the PUT would be sent again.
func (r *run) writeAccepted(ctx context.Context) error {
	if r.accepted == nil {
		return nil
	}
	err := r.writeRecord(ctx, r.accepted)
	if err != nil {
		r.memory.known.Operation = r.acceptedOf
	}
	return err
}

// hasWritten notes that the object has a record which this instance has written.
func (r *run) hasWritten(next *record.Record) {
	if r.accepted != nil {
		r.accepted = nil
		if r.op.families.Written(r.name) {
			r.op.wakeDependents(r.name)
		}
	}
	r.sent, r.confirmed = next, true
	r.memory.known.Recorded, r.memory.record = next.Time, r.object.GetAnnotations()[annotation.Sent]
}

// digest returns the digest of a request, as [record.Keys.Digest] does. It includes whether the lists are complete,
// and leaves out what somebody else manages.
func (r *run) digest(ctx context.Context, request *arm.Request, id string) (digest, key string, known bool, err error) {
	if len(r.ignores) > 0 {
		other := *request
		if other.Body, err = r.keeper().Without(request.Body); err != nil {
			return "", "", false, err
		}
		request = &other
	}
	if r.completeLists() && len(request.Collections) > 0 {
		other := *request
		other.Body = append(slices.Clone(request.Body), "\n"+reference.InlineComplete...)
		request = &other
	}
	return r.op.keys.Digest(ctx, request, id)
}

// update calls change, marks the object as managed by this operator, and writes the metadata if it is different then.
// It fails if somebody has changed the object meanwhile. Changes of the Status are kept, but not written.
func (r *run) update(ctx context.Context, change func(kinds.Resource) error) error {
	before := r.object.DeepCopyObject().(kinds.Resource)
	if err := change(r.object); err != nil {
		return err
	}
	if !r.op.operator.manages(r.object) {
		r.op.operator.mark(r.object)
	}
	if equality.Semantic.DeepEqual(metadataOf(before), metadataOf(r.object)) {
		return nil
	}
	status := before.GetStatus()
	if err := r.op.patch(ctx, r.object, before); err != nil {
		return err
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

// writer is the client that the operator writes with. An error of a write is a *refusedWrite if the same write will be
// refused again, by an admission policy or because the object is too large. Other errors stay as they are.
type writer struct{ ctrlclient.Client }

func (w writer) Create(ctx context.Context, o ctrlclient.Object, options ...ctrlclient.CreateOption) error {
	return w.classify(o, w.Client.Create(ctx, o, options...))
}

func (w writer) Update(ctx context.Context, o ctrlclient.Object, options ...ctrlclient.UpdateOption) error {
	return w.classify(o, w.Client.Update(ctx, o, options...))
}

func (w writer) Patch(ctx context.Context, o ctrlclient.Object, patch ctrlclient.Patch, options ...ctrlclient.PatchOption) error {
	return w.classify(o, w.Client.Patch(ctx, o, patch, options...))
}

func (w writer) Delete(ctx context.Context, o ctrlclient.Object, options ...ctrlclient.DeleteOption) error {
	return w.classify(o, w.Client.Delete(ctx, o, options...))
}

func (w writer) Status() ctrlclient.SubResourceWriter { return statusWriter{w.Client.Status(), w} }

// statusWriter writes the Status for a writer.
type statusWriter struct {
	ctrlclient.SubResourceWriter
	of writer
}

func (s statusWriter) Update(ctx context.Context, o ctrlclient.Object, options ...ctrlclient.SubResourceUpdateOption) error {
	return s.of.classify(o, s.SubResourceWriter.Update(ctx, o, options...))
}

func (s statusWriter) Patch(ctx context.Context, o ctrlclient.Object, patch ctrlclient.Patch,
	options ...ctrlclient.SubResourcePatchOption) error {
	return s.of.classify(o, s.SubResourceWriter.Patch(ctx, o, patch, options...))
}

// classify returns the error of a write of an object.
func (w writer) classify(object ctrlclient.Object, err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if !apierrors.IsForbidden(err) && !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) &&
		!apierrors.IsRequestEntityTooLargeError(err) && !strings.Contains(text, "request is too large") && // of etcd
		!strings.Contains(text, "message larger than max") {
		return err
	}
	kind, unknown := w.GroupVersionKindFor(object)
	if unknown != nil {
		return err
	}
	return &refusedWrite{err, named.Of(kind.GroupKind(), ctrlclient.ObjectKeyFromObject(object)), conceal(object, text)}
}

// conceal returns an error of the API server, which may repeat a Secret or a ConfigMap that was written, without its
// content.
func conceal(object ctrlclient.Object, text string) string {
	var secrets []string
	for _, value := range outputs.Data(object) {
		secrets = append(secrets, string(value))
	}
	return client.NewSecrets(secrets...).Remove(text)
}

// refusedWrite is an error of the API server that refuses a write of the operator to an object.
type refusedWrite struct {
	error
	of   ref
	text string
}

func (w *refusedWrite) Error() string { return w.text }

func (w *refusedWrite) Unwrap() error { return w.error }

// reportRefusedWrite reports that the API server refuses what the operator writes into the object or another one, as
// reportFault does.
func (r *run) reportRefusedWrite(ctx context.Context, why *refusedWrite) (again time.Duration) {
	what := "the object"
	if why.of != r.name {
		what = why.of.NameIn(r.name.Namespace)
	}
	return r.reportFault(ctx, &problem.Problem{Reason: ReasonWriteRefused, Stalled: true,
		Message: fmt.Sprintf("the API server refuses what the operator writes into %s: %s", what, why)})
}

// reportFault reports a problem in the cluster: by a condition alone, without other changes, or if that is refused too
// by an event and a metric. It returns when to try again.
func (r *run) reportFault(ctx context.Context, p *problem.Problem) (again time.Duration) {
	r.object = r.before.DeepCopyObject().(kinds.Resource)
	if r.report(ctx, p) != nil {
		r.op.reportUnwritable(r.object, r.name, r.memory, p)
	}
	next, _ := r.countRefusal(decide.WriteRequest, decide.Refusal{})
	return next.Sub(r.now)
}
