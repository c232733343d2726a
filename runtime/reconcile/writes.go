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

// reportUnwritable says of an object that the operator may not write it, by an event and a metric: a
// condition is a write too.
func (r *Reconciler) reportUnwritable(object kinds.Resource, of ref, m *memory, p *problem.Problem) {
	setReady(object, p, "")
	r.metrics.observeObject(of, object)
	r.event(object, m, corev1.EventTypeWarning, p.Reason, p.Message)
}

// refusedWrite is the API server's refusal of what the operator writes into an object.
type refusedWrite struct{ error }

func (w *refusedWrite) Unwrap() error { return w.error }

// classifyWriteError returns the error of a write of an object. It is a *refusedWrite if the same write will
// be refused again: by an admission policy, or as the object is too large.
func classifyWriteError(err error) error {
	text := err.Error()
	if apierrors.IsForbidden(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) ||
		apierrors.IsRequestEntityTooLargeError(err) || strings.Contains(text, "request is too large") || // of etcd
		strings.Contains(text, "message larger than max") {
		return &refusedWrite{err}
	}
	return err
}

// reportRefusedWrite says that the API server refuses what is written into the object, where it can: by a
// condition, without what else is new. It returns when to try again.
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
