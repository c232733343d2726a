package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// newRun returns a run for an object that the operator manages. If the keys of records cannot be read,
// the run is without a record.
func (r *Reconciler) newRun(ctx context.Context, k *kinds.Kind, of ref, object kinds.Resource, memory *memory) (*run, error) {
	run := &run{op: r, kind: k, name: of, object: object, before: object.DeepCopyObject().(kinds.Resource),
		memory: memory, now: r.options.Now(), resolver: r.newResolver(of, object)}
	var err error
	if run.sent, run.confirmed, err = r.keys.Read(ctx, object); err != nil {
		return run, err
	}
	if run.sent != nil {
		memory.credentialSecrets = []string{run.sent.Credential, run.sent.Previous}
	}
	if memory.since.IsZero() && !isReady(object) {
		if memory.since = run.now; run.sent == nil {
			memory.since = object.GetCreationTimestamp().Time
		}
	}
	return run, nil
}

// cleanUp ends the turn of the object in its families, and saves what the object depends on.
func (r *run) cleanUp() {
	due := time.Time{}
	if o := r.memory.known.Operation; o.Current != nil && r.now.Sub(r.memory.known.Wrote) < family.MaxWait {
		due = o.Due
	}
	r.op.families.EndTurn(r.name, due)
	claiming{r}.release()
	r.op.dependencies.Keep(r.name, r.resolver.dependsOn)
	r.op.metrics.observeObject(r.name, r.object)
}

// reportOutcome reports the problem of an outcome, if it has one, and returns when to reconcile the object again.
func (r *run) reportOutcome(ctx context.Context, span trace.Span, outcome decide.Outcome) (reconcile.Result, error) {
	r.op.memories.setReconciled(r.memory)
	err := outcome.Cause()
	if p, isProblem := problem.Of(err); isProblem {
		span.SetAttributes(attribute.String("armature.reason", p.Reason))
		if p.Stalled {
			span.SetStatus(codes.Error, p.Reason)
		}
		err = r.report(ctx, p)
		switch {
		case p.After > 0:
			outcome = decide.ComeBack(r.now.Add(p.After))
		case p.OfKind():
			outcome = decide.ComeBack(r.now.Add(wiring.Recheck))
		case p.Reason == ReasonNamespaceForbidden:
			outcome = decide.ComeBack(r.after(decide.Granted))
		}
	}
	// Of a ready object that there is nothing to do about, an annotation may have changed, or that of its namespace.
	stops := err == nil && drift{r}.stopsTelling()
	if err == nil && isReady(r.object) && r.object.GetDeletionTimestamp().IsZero() && (r.setStays() || stops) {
		err = r.writeStatus(ctx)
	}
	if err != nil {
		return r.retryAfterError(ctx, err)
	}
	r.memory.known.Happened(decide.Written)
	at, isSet := outcome.At()
	if !isSet {
		at = r.nextTurn(r.op.options.Refresh)
	}
	return reconcile.Result{RequeueAfter: max(at.Sub(r.now), time.Millisecond)}, nil
}

// retryAfterError returns when to reconcile the object again after an error of the API server.
func (r *run) retryAfterError(ctx context.Context, err error) (reconcile.Result, error) {
	group := wiring.StorageDenied(err)
	refused, notListed, invalid := (*refusedWrite)(nil), (*kinds.NotListedError)(nil), (*record.InvalidKeysError)(nil)
	// What is wrong with other objects says nothing about what ARM has, so a ready object stays ready.
	settled := isReady(r.object) && r.object.GetDeletionTimestamp().IsZero()
	switch {
	case apierrors.IsConflict(err): // the cache is behind; its next event enqueues the object too
		return reconcile.Result{RequeueAfter: time.Second}, nil
	case apierrors.IsNotFound(err): // the object is gone, or the cluster no longer serves the version
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	case group != "":
		at := wiring.Place{Group: group, Namespace: r.name.Namespace}
		r.op.cluster.Storage.Deny(at, err)
		r.op.reportUnwritable(r.object, r.name, r.memory, r.op.cluster.Storage.Denied(at))
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	case errors.As(err, &refused) && !(settled && refused.of == r.op.keysSecret()):
		return reconcile.Result{RequeueAfter: r.reportRefusedWrite(ctx, refused)}, nil
	case errors.As(err, &invalid) && !settled:
		p := &problem.Problem{Reason: ReasonKeysInvalid, Stalled: true, Message: invalid.Error()}
		return reconcile.Result{RequeueAfter: r.reportFault(ctx, p)}, nil
	}
	r.memory.known.Happened(decide.Written)
	if errors.As(err, &notListed) {
		log.FromContext(ctx).V(1).Info("waiting for the objects of another kind", "kind", notListed.Kind.Stored)
		if p := notListed.Kind.NotListed(); p != nil && !settled {
			if err := r.report(ctx, p); err != nil {
				return r.retryAfterError(ctx, err)
			}
		}
		return reconcile.Result{RequeueAfter: decide.FirstRetry}, nil
	}
	return reconcile.Result{}, err
}

// steps takes one action after the other, until it can only wait. A problem in its outcome becomes the conditions.
func (r *run) steps(ctx context.Context) decide.Outcome {
	if p := kinds.Undecodable(r.object); p != nil {
		return decide.Stop(p)
	}
	if err := (preparation{r}).prepare(ctx); err != nil {
		return decide.Stop(err)
	}
	drift{r}.prepare()
	for range maxActions {
		outcome := r.act(ctx, decide.Next(r.state()))
		if !outcome.Ends() {
			continue
		}
		if err := r.writeAccepted(ctx); err != nil {
			return decide.Stop(err)
		}
		// The operation is polled when it is due, whatever else is wrong.
		if o := r.memory.known.Operation; o.Current != nil && o.Due.After(r.now) {
			outcome = outcome.NoLaterThan(o.Due)
		}
		return outcome
	}
	return decide.Stop(fmt.Errorf("%v: found no end after %d actions, next is %#v", r.name, maxActions, decide.Next(r.state())))
}

// maxActions is more than the number of actions that a reconcile can need.
const maxActions = 50

// state returns what the next decision depends on.
func (r *run) state() decide.State {
	o := r.object
	return decide.State{
		Now:   r.now,
		Times: decide.Times{Refresh: r.op.options.Refresh, Request: r.op.options.RequestTimeout},
		Object: decide.Object{
			UID: o.GetUID(), Policy: r.policy(), Deleting: !o.GetDeletionTimestamp().IsZero(),
			HasFinalizer: controllerutil.ContainsFinalizer(o, annotation.ResourceFinalizer), Ready: isReady(o),
			Family: r.kind.HasElements || r.kind.IsElement,
		},
		Record: r.sent, Confirmed: r.confirmed, Memory: r.memory.known, Found: r.found,
	}
}

// act takes the action that was decided.
func (r *run) act(ctx context.Context, action decide.Action) decide.Outcome {
	switch action := action.(type) {
	case decide.Wait:
		return action.Because(r.progress)
	case decide.Tell:
		return action.Because(r.problemOf(action))
	case decide.Put:
		return sending{r}.put(ctx, action)
	case decide.Deliver:
		return stopAfterDelivery(delivery{r}.deliver(ctx, false))
	case decide.Observe:
		return reading{r}.observe(ctx)
	case decide.Detach:
		return decide.Stop(deletion{r}.detach(ctx, action.Why))
	case decide.Finish:
		return decide.Stop(deletion{r}.finish(ctx))
	case decide.Probe:
		return adoption{r}.probe(ctx)
	case decide.AddFinalizer:
		return decide.GoOnUnless(r.update(ctx, addFinalizer))
	case decide.Poll:
		return polling{r}.poll(ctx)
	case decide.Resolve:
		return decide.GoOnUnless(resolution{r}.resolve(ctx))
	case decide.CheckFree:
		return decide.GoOnUnless(resolution{r}.checkFree(ctx))
	case decide.ConfirmRecord:
		return deletion{r}.confirm(ctx)
	case decide.ReleaseCredential:
		return decide.GoOnUnless(resolution{r}.releasePrevious(ctx))
	case decide.SetOwner:
		return decide.GoOnUnless(r.updateWithOwner(ctx, func(kinds.Resource) error { return nil }))
	case decide.Compare:
		return r.compare(ctx)
	case decide.Read:
		return reading{r}.readDue(ctx)
	case decide.CheckOwner:
		return decide.GoOnUnless(deletion{r}.checkOwner(ctx))
	case decide.Authorize:
		return decide.GoOnUnless(deletion{r}.authorize(ctx))
	case decide.Settle:
		return sending{r}.settle(ctx)
	case decide.Verify:
		return deletion{r}.verify(ctx)
	case decide.Claim:
		return decide.GoOnUnless(deletion{r}.claimToDelete(ctx))
	case decide.Delete:
		return deletion{r}.deleteResource(ctx)
	case decide.CheckGone:
		return deletion{r}.checkGone(ctx)
	}
	return decide.Stop(fmt.Errorf("found the action %T, expected one that run.act knows", action))
}

// problemOf returns the problem to report for a decision that the object cannot go on.
func (r *run) problemOf(decision decide.Tell) error {
	switch decision.Why {
	case decide.PolicyInvalid:
		return &problem.Problem{Reason: ReasonInvalidPolicy, Stalled: true, Message: r.policy().Problem()}
	case decide.Protected:
		return &problem.Problem{Reason: ReasonProtected, Stalled: true, Refused: true, Message: fmt.Sprintf(
			"%s is protected: set the annotation %s to %s or %s", r.sent.ID, annotation.Deletion, annotation.DeletionDelete,
			annotation.DeletionDetach)}
	case decide.IDUnconfirmed:
		return unconfirmed(r.sent.ID, "the Spec means "+r.found.ID+": if that is right, remove the annotation")
	case decide.IDChanged:
		return &problem.Problem{Reason: ReasonIDChanged, Stalled: true, Message: fmt.Sprintf(
			"the Spec now means %s, but this object made %s: set azureName and owner back, or delete the object and create another",
			r.found.ID, r.sent.ID)}
	case decide.OtherInstance:
		return &problem.Problem{Reason: ReasonInProgress, Message: "another instance of the operator sent a request before " +
			"it was stopped, and ARM may not have received it yet"}
	}
	return decision.Cause
}
