package reconcile

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

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
