// Package reconcile manages Azure resources through the generated kinds. [Setup]
// adds the controllers of all kinds of a scheme, or of some, to a manager of
// controller-runtime. [Reconciler] decides everything from the object, what it
// refers to, and the Azure Resource Manager (ARM). Its memory only saves it from
// reading or writing again, so that it can be stopped at any moment: the annotation
// [annotation.Sent] records what ARM was sent, and a stop costs at most one PUT of
// the same content.
package reconcile

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// forget drops what is known about an object that no longer exists, and wakes its dependents.
func (r *Reconciler) forget(of ref) {
	r.memories.forget(of)
	r.unmanage(of)
	r.families.Forget(of)
	r.wakeDependents(of)
}

// release releases the credentials of an object that no longer exists. Usually they were released
// before its finalizer was removed, but somebody else may have removed the finalizer.
func (r *Reconciler) release(ctx context.Context, of ref) error {
	m := r.memories.find(of)
	if m == nil {
		return nil
	}
	for _, name := range m.credentialSecrets {
		if name == "" {
			continue
		}
		err := r.credentials.Release(ctx, types.NamespacedName{Namespace: of.Namespace, Name: name}, m.uid)
		if p, isProblem := problem.Of(err); isProblem && p.Reason == ReasonSecretForbidden {
			continue
		} else if err != nil {
			return err
		}
	}
	return nil
}

// reconcile reconciles an object, and returns when to do so again.
func (r *Reconciler) reconcile(ctx context.Context, k *kinds.Kind, name types.NamespacedName) (_ reconcile.Result, err error) {
	of := named.Of(k.GroupKind, name)
	ctx, span := r.startSpan(ctx, of)
	defer func() {
		if err != nil {
			span.SetStatus(codes.Error, "the API server refused something")
		}
		span.End()
	}()
	if wait := r.startDelay(ctx, k); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	object := k.New()
	if err := r.cluster.Objects.Get(ctx, k, name, object); apierrors.IsNotFound(err) {
		return r.forgetDeleted(ctx, of)
	} else if err != nil {
		return reconcile.Result{}, err
	}
	object = object.DeepCopyObject().(kinds.Resource) // the cache has the original
	memory := r.memories.get(of, object)
	manages, namespaceErr := r.cluster.Namespaces.Manages(name.Namespace)
	denied := r.cluster.Storage.Denied(wiring.Place{Group: of.Group, Namespace: of.Namespace})
	switch {
	case namespaceErr == wiring.ErrUnknownNamespace:
		return reconcile.Result{RequeueAfter: time.Second}, nil
	case !manages:
		r.unmanage(of)
		return reconcile.Result{}, nil
	case r.operator.isForeign(object):
		r.leave(object, of, memory)
		return reconcile.Result{}, nil
	case denied != nil:
		r.reportUnwritable(object, of, memory, denied)
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	}
	run, err := r.newRun(ctx, k, of, object, memory)
	if err != nil {
		defer func() { r.metrics.observeObject(of, run.object) }()
		return run.retryAfterError(ctx, err)
	}
	defer run.cleanUp()
	outcome := decide.Stop(namespaceErr)
	if namespaceErr == nil {
		outcome = run.steps(ctx)
	}
	return run.reportOutcome(ctx, span, outcome)
}

// startSpan starts the span of a reconcile.
func (r *Reconciler) startSpan(ctx context.Context, of ref) (context.Context, trace.Span) {
	ctx, span := r.tracer.Start(ctx, "reconcile "+of.Kind, trace.WithAttributes(
		attribute.String("k8s.namespace.name", of.Namespace),
		attribute.String("k8s.object.group", of.Group),
		attribute.String("k8s.object.kind", of.Kind),
		attribute.String("k8s.object.name", of.Name)))
	if span.SpanContext().HasTraceID() {
		ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("traceID", span.SpanContext().TraceID().String()))
	}
	return ctx, span
}

// startDelay returns how long to wait because the operator cannot reconcile objects of a kind yet, or 0 if it can.
func (r *Reconciler) startDelay(ctx context.Context, k *kinds.Kind) time.Duration {
	switch {
	case !r.kinds.IsDiscovered() || !k.IsListed():
		return time.Second
	case k.Rights.IsRefused():
		return wiring.Recheck // nothing can be written either
	case allow(ctx, r.options) != nil:
		return decide.FirstRetry
	}
	return 0
}

// forgetDeleted releases the credentials of an object that no longer exists, and forgets it.
func (r *Reconciler) forgetDeleted(ctx context.Context, of ref) (reconcile.Result, error) {
	err := r.release(ctx, of)
	if p, isProblem := problem.Of(err); isProblem && p.OfKind() {
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	r.forget(of)
	return reconcile.Result{}, nil
}
