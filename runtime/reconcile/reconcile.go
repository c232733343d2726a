// Package reconcile manages Azure resources through the generated kinds. [Setup]
// adds the controllers of all kinds of a scheme, or of some, to a manager of
// controller-runtime. [Reconciler] decides everything from the object, what it
// refers to, and the Azure Resource Manager (ARM). What it keeps in memory is no
// more than when to ask again, so that it can be stopped at any moment: the
// annotation [annotation.Sent] says what ARM was sent, and a stop costs at most one
// PUT of the same content.
package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/dependencies"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/locks"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
	"github.com/armature-dev/armature/runtime/reference"
)

// deletionLimit is how long a resource may be there after its DELETE has ended.
const deletionLimit = 30 * time.Minute

// BeforeSender is a Spec that changes its request before it is sent.
type BeforeSender interface {
	BeforeSend(context.Context, *arm.Request) error
}

// ErrorClassifier is a Spec that knows refusals of its service.
type ErrorClassifier interface {
	ClassifyError(*client.Error) client.Class
}

// ref names an object in the cluster.
type ref = named.Object

// Reconciler reconciles the objects of all kinds.
type Reconciler struct {
	wiring.Cluster
	options  Options
	operator operator
	scheme   *runtime.Scheme
	kinds    *kinds.Set

	memories     *memories
	dependencies *dependencies.Graph
	claims       claims.Claims
	credentials  *credentials.Store
	keys         *record.Keys
	locks        locks.Locks
	families     *family.Families
	metrics      *meters
	tracer       trace.Tracer
}

// unmanage drops what is known of an object that is not the operator's to manage.
func (r *Reconciler) unmanage(of ref) {
	r.dependencies.Keep(of, nil)
	r.claims.Release(of)
	r.metrics.setState(of, objectState{})
}

// forget drops what is known of an object that is gone.
func (r *Reconciler) forget(of ref) {
	r.memories.forget(of)
	r.unmanage(of)
	r.families.Forget(of)
	r.wakeDependents(of)
}

// wakeDependents wakes the objects that depend on one.
func (r *Reconciler) wakeDependents(on ref) {
	for _, object := range r.dependencies.Dependents(on) {
		r.Wake(object)
	}
}

// release releases the credentials of an object that is gone. Mostly they were released before, with
// its finalizer, but somebody may have taken that away.
func (r *Reconciler) release(ctx context.Context, of ref) error {
	m := r.memories.find(of)
	if m == nil {
		return nil
	}
	for _, name := range m.held {
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

// run is one reconcile of an object.
type run struct {
	op     *Reconciler
	kind   *kinds.Kind
	ref    ref
	object kinds.Resource
	before kinds.Resource // the object as the API server has it
	memory *memory
	now    time.Time
	refs   *resolver // of what the object refers to
	// sent is the record of what was sent, nil if there is none. confirmed reports
	// whether it is the operator's own.
	sent      *record.Record
	confirmed bool
	// found is what this reconcile has found out so far. Once it says that the Spec is resolved, request is
	// the request; once it says that the id is free, or the deletion authorized, with is the credential.
	found   decide.Findings
	request *arm.Request
	with    *credentials.Credential
	// progress says how the operation goes, if ARM was asked and it has not ended.
	progress error
	// asked is what the Spec asks of the operator itself.
	asked reference.OperatorSpec
}

// reconcile does what is to be done about an object now, and returns when to come back.
func (r *Reconciler) reconcile(ctx context.Context, k *kinds.Kind, name types.NamespacedName) (_ reconcile.Result, err error) {
	of := named.Of(k.GroupKind, name)
	ctx, span := r.startSpan(ctx, of)
	defer func() {
		if err != nil {
			span.SetStatus(codes.Error, "the API server refused something")
		}
		span.End()
	}()
	if wait := r.notReady(ctx, k); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	object := k.New()
	if err := r.Objects.Get(ctx, k, name, object); apierrors.IsNotFound(err) {
		return r.gone(ctx, of)
	} else if err != nil {
		return reconcile.Result{}, err
	}
	object = object.DeepCopyObject().(kinds.Resource) // the cache has the original
	memory := r.memories.get(of, object)
	manages, namespaceErr := r.Namespaces.Manages(name.Namespace)
	denied := r.Storage.Denied(wiring.Place{Group: of.Group, Namespace: of.Namespace})
	switch {
	case namespaceErr == wiring.ErrUnknownNamespace:
		return reconcile.Result{RequeueAfter: time.Second}, nil
	case !manages:
		r.unmanage(of)
		return reconcile.Result{}, nil
	case r.operator.leaves(object):
		r.leave(object, of, memory)
		return reconcile.Result{}, nil
	case denied != nil:
		r.unwritable(object, of, memory, denied)
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	}
	do, err := r.newRun(ctx, k, of, object, memory)
	if err != nil {
		return reconcile.Result{}, err
	}
	defer do.close()
	outcome := decide.Stop(namespaceErr)
	if namespaceErr == nil {
		outcome = do.steps(ctx)
	}
	return do.end(ctx, span, outcome)
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

// notReady returns how long the objects of a kind wait for what the operator itself lacks, or 0.
func (r *Reconciler) notReady(ctx context.Context, k *kinds.Kind) time.Duration {
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

// gone forgets an object that is gone.
func (r *Reconciler) gone(ctx context.Context, of ref) (reconcile.Result, error) {
	err := r.release(ctx, of)
	if p, isProblem := problem.Of(err); isProblem && p.OfKind() {
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	r.forget(of)
	return reconcile.Result{}, nil
}

// newRun returns the reconcile of an object that the operator manages.
func (r *Reconciler) newRun(ctx context.Context, k *kinds.Kind, of ref, object kinds.Resource, memory *memory) (*run, error) {
	do := &run{op: r, kind: k, ref: of, object: object, before: object.DeepCopyObject().(kinds.Resource),
		memory: memory, now: r.options.Now(), refs: r.newResolver(of, object)}
	var err error
	if do.sent, do.confirmed, err = r.keys.Read(ctx, object); err != nil {
		return nil, err
	}
	if do.sent != nil {
		memory.held = []string{do.sent.Credential, do.sent.Previous}
	}
	if memory.since.IsZero() && !isReady(object) {
		if memory.since = do.now; do.sent == nil {
			memory.since = object.GetCreationTimestamp().Time
		}
	}
	return do, nil
}

// close ends the turn of the object in its families, and keeps what it depends on.
func (r *run) close() {
	due := time.Time{}
	if o := r.memory.known.Operation; o.Is != nil && r.now.Sub(r.memory.known.Wrote) < family.MaxWait {
		due = o.Due
	}
	r.op.families.EndTurn(r.ref, due)
	r.op.dependencies.Keep(r.ref, r.refs.looks)
	r.op.metrics.observeObject(r.ref, r.object)
}

// end says what there is to say of an outcome, and returns when the object is reconciled again.
func (r *run) end(ctx context.Context, span trace.Span, outcome decide.Outcome) (reconcile.Result, error) {
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
	if err != nil {
		return r.failed(ctx, err)
	}
	r.memory.known.Happened(decide.Written)
	at, isSet := outcome.At()
	if !isSet {
		if at = r.turn(r.op.options.Refresh); r.op.options.Resend > 0 {
			if resend := r.turn(r.op.options.Resend); resend.Before(at) {
				at = resend
			}
		}
	}
	return reconcile.Result{RequeueAfter: max(at.Sub(r.now), time.Millisecond)}, nil
}

// failed returns when the object is reconciled again after an error of the API server.
func (r *run) failed(ctx context.Context, err error) (reconcile.Result, error) {
	group := wiring.StorageDenied(err)
	refused, notListed := (*refusedWrite)(nil), (*kinds.NotListedError)(nil)
	switch {
	case apierrors.IsConflict(err): // the cache is behind, and its next event comes too
		return reconcile.Result{RequeueAfter: time.Second}, nil
	case apierrors.IsNotFound(err): // or the cluster does not serve the version any more
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	case group != "":
		at := wiring.Place{Group: group, Namespace: r.ref.Namespace}
		r.op.Storage.Deny(at, err)
		r.op.unwritable(r.object, r.ref, r.memory, r.op.Storage.Denied(at))
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	case errors.As(err, &refused):
		return reconcile.Result{RequeueAfter: r.writeRefused(ctx, refused)}, nil
	}
	r.memory.known.Happened(decide.Written)
	if errors.As(err, &notListed) {
		// Nothing is known of the object because of that, so nothing is said of it.
		log.FromContext(ctx).V(1).Info("waiting for the objects of another kind", "kind", notListed.Kind.Stored)
		return reconcile.Result{RequeueAfter: decide.FirstRetry}, nil
	}
	return reconcile.Result{}, err
}

// steps does one thing after the other, until there is nothing to do but wait. A *problem in its outcome becomes the
// conditions.
func (r *run) steps(ctx context.Context) decide.Outcome {
	if err := r.prepare(ctx); err != nil {
		return decide.Stop(err)
	}
	for range mostActions {
		outcome := r.act(ctx, decide.Next(r.state()))
		if !outcome.Ends() {
			continue
		}
		// The operation is asked for when it is due, whatever else is wrong.
		if o := r.memory.known.Operation; o.Is != nil && o.Due.After(r.now) {
			outcome = outcome.NoLaterThan(o.Due)
		}
		return outcome
	}
	return decide.Stop(fmt.Errorf("%v: found no end after %d actions, next is %#v", r.ref, mostActions, decide.Next(r.state())))
}

// prepare marks the object and renews what it has of the release before.
func (r *run) prepare(ctx context.Context) error {
	if err := r.mark(ctx); err != nil {
		return err
	}
	if !r.object.GetDeletionTimestamp().IsZero() {
		return nil
	}
	if r.sent.MayExist() && kinds.PolicyOf(r.object) != kinds.PolicySkip {
		// An operation under way stays in the scopes, too.
		if err := r.op.Namespaces.Permit(r.ref.Namespace, r.sent.ID, nil); err != nil {
			return err
		}
	}
	return r.renewReferences(ctx)
}

// mostActions is more than a reconcile has.
const mostActions = 50

// state returns what the next decision depends on.
func (r *run) state() decide.State {
	o := r.object
	return decide.State{
		Now:   r.now,
		Times: decide.Times{Refresh: r.op.options.Refresh, Resend: r.op.options.Resend, Request: r.op.options.RequestTimeout},
		Object: decide.Object{
			UID: o.GetUID(), Policy: string(kinds.PolicyOf(o)), Deleting: !o.GetDeletionTimestamp().IsZero(),
			HasFinalizer: controllerutil.ContainsFinalizer(o, annotation.ResourceFinalizer), Ready: isReady(o),
			Family: r.kind.HasElements || r.kind.IsElement,
		},
		Record: r.sent, Confirmed: r.confirmed, Memory: r.memory.known, Found: r.found,
	}
}

// act does what was decided.
func (r *run) act(ctx context.Context, action decide.Action) decide.Outcome {
	switch action := action.(type) {
	case decide.Wait:
		return action.Because(r.progress)
	case decide.Tell:
		return action.Because(r.problemOf(action))
	case decide.Put:
		return r.put(ctx, action)
	case decide.Deliver:
		return delivered(r.deliver(ctx, false))
	case decide.Observe:
		return r.observe(ctx)
	case decide.Detach:
		return decide.Stop(r.detach(ctx, action.Why))
	case decide.Finish:
		return decide.Stop(r.finish(ctx))
	case decide.AddFinalizer:
		return next(r.update(ctx, addFinalizer))
	case decide.Poll:
		return r.poll(ctx)
	case decide.Resolve:
		return next(r.resolve(ctx))
	case decide.CheckFree:
		return next(r.checkFree(ctx))
	case decide.ConfirmRecord:
		return r.confirm(ctx)
	case decide.ReleaseCredential:
		return next(r.releasePrevious(ctx))
	case decide.SetOwner:
		return next(r.adopt(ctx, func(kinds.Resource) error { return nil }))
	case decide.Compare:
		return r.compare(ctx)
	case decide.Read:
		return r.readDue(ctx)
	case decide.CheckOwner:
		return next(r.checkOwner(ctx))
	case decide.Authorize:
		return next(r.authorize(ctx))
	case decide.Claim:
		return next(r.claimToDelete(ctx))
	case decide.Delete:
		return r.remove(ctx)
	case decide.CheckGone:
		return r.checkGone(ctx)
	}
	return decide.Stop(fmt.Errorf("found the action %T, expected one that can be done", action))
}

// next returns the outcome of a step that another step follows, unless there is an error.
func next(err error) decide.Outcome {
	if err != nil {
		return decide.Stop(err)
	}
	return decide.GoOn()
}

// problemOf returns the problem of an object that does not go on.
func (r *run) problemOf(tell decide.Tell) error {
	switch tell.Why {
	case decide.PolicyInvalid:
		return kinds.PolicyOf(r.object).Problem()
	case decide.IDUnconfirmed:
		return unconfirmed(r.sent.ID, "the Spec means "+r.found.ID+": if that is right, remove the annotation")
	case decide.IDChanged:
		return &problem.Problem{Reason: ReasonIDChanged, Stalled: true, Message: fmt.Sprintf(
			"the Spec now means %s, but this object made %s: set azureName and owner back, or delete the object and create another",
			r.found.ID, r.sent.ID)}
	case decide.OtherInstance:
		return &problem.Problem{Reason: ReasonInProgress, Message: "another instance of the operator sent something before " +
			"it was stopped, and ARM may not have got it yet"}
	}
	return tell.Cause
}

// resolve makes the request of the Spec, and compares it with what ARM is at work on.
func (r *run) resolve(ctx context.Context) error {
	r.found.Resolved = true
	request, err := r.newRequest(ctx)
	if err == nil {
		r.request, r.found.ID = request, request.ID
	}
	if o := r.memory.known.Operation; err == nil && o.Is != nil {
		var digest string
		var known bool
		digest, _, known, err = r.digest(ctx, request, o.Pending.Key)
		r.found.Pending = !known || digest == o.Pending.Digest
	}
	if _, isProblem := problem.Of(err); isProblem {
		r.found.Unresolved = err
		return nil
	}
	r.found.Orphan = r.ownerReference(ctx) != nil
	return err
}

// digests compares the request with the record.
func (r *run) digests(ctx context.Context) (err error) {
	if r.found.Digest, _, _, err = r.digest(ctx, r.request, ""); err != nil {
		return err
	}
	if r.sent == nil {
		return nil
	}
	digest, _, known, err := r.digest(ctx, r.request, r.sent.Key)
	r.found.Same = known && digest == r.sent.Digest
	return err
}

// checkFree looks for the credential, and for another object that has the resource.
func (r *run) checkFree(ctx context.Context) (err error) {
	if r.with, err = r.op.credentialFor(ctx, r.object, r.refs.look); err != nil {
		return err
	}
	if err := r.free(ctx, r.request.ID); err != nil {
		return err
	}
	if err := r.member().ListedTwice(ctx); err != nil {
		return err
	}
	r.found.Free = true
	return r.digests(ctx)
}

// releasePrevious releases the credential of the PUT before the last one.
func (r *run) releasePrevious(ctx context.Context) error {
	if err := r.releaseCredential(ctx, r.sent.Previous); err != nil {
		return err
	}
	next := *r.sent
	next.Previous = ""
	return r.writeRecord(ctx, &next)
}

// newRequest makes the request of the Spec.
func (r *run) newRequest(ctx context.Context) (*arm.Request, error) {
	if conversion.IsNewer(r.object, r.op.scheme) {
		return nil, &problem.Problem{Reason: ReasonVersionUnserved, Message: fmt.Sprintf(
			"it is written for %s, which this release of the operator does not know: install the operator of the "+
				"same release as the CRDs, or set the annotation %s to an older version",
			r.object.OriginalGVK().Version, annotation.APIVersion)}
	}
	spec, err := r.spec()
	if err != nil {
		return nil, err
	}
	if err := r.refs.readSecrets(ctx, spec); err != nil {
		return nil, specProblem(err)
	}
	request, err := arm.NewRequest(ctx, spec, r.object.GetName(), r.refs)
	if err != nil {
		return nil, specProblem(err)
	}
	if hook, ok := spec.(BeforeSender); ok {
		if err := hook.BeforeSend(ctx, request); err != nil {
			return nil, &problem.Problem{Reason: ReasonHook, Stalled: true, Message: err.Error()}
		}
	}
	if err := r.op.Namespaces.Permit(r.ref.Namespace, request.ID, request.Body); err != nil {
		return nil, err
	}
	return request, nil
}

// spec returns the Spec at the version in which ARM is spoken to, and keeps what it asks
// of the operator itself.
func (r *run) spec() (arm.ARMTransformer, error) {
	versioned, err := conversion.GetVersionedSpec(r.object, r.op.scheme)
	if unsent := (*conversion.UnsentError)(nil); errors.As(err, &unsent) {
		return nil, &problem.Problem{Reason: ReasonVersionLacks, Stalled: true, Message: err.Error()}
	} else if err != nil {
		return nil, &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Message: err.Error()}
	}
	r.asked = operatorSpecOf(versioned)
	return versioned.(arm.ARMTransformer), nil
}

// specProblem returns the problem of a Spec that gives no request or no id, or the
// error as it is if the API server is its cause.
func specProblem(err error) error {
	p, isProblem := problem.Of(err)
	switch {
	case isProblem && p.Placeless:
		return p
	case isProblem: // the error says besides where in the Spec
		return &problem.Problem{Reason: p.Reason, Stalled: p.Stalled, Message: err.Error()}
	case kinds.IsAPIError(err):
		return err
	}
	return &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Message: err.Error()}
}

// renewReferences makes the references to owners name the API version at which this
// release refers to them. A release serves the one of the release before no longer
// some day, and the garbage collector finds no owner then.
func (r *run) renewReferences(ctx context.Context) error {
	isOld := func(o metav1.OwnerReference) bool {
		k := r.op.kinds.ByOwner(o)
		return k != nil && o.APIVersion != k.ServedVersion()
	}
	all := slices.Clone(r.object.GetOwnerReferences())
	if !slices.ContainsFunc(all, isOld) {
		return nil
	}
	return r.update(ctx, func(object kinds.Resource) error {
		for i, o := range all {
			if isOld(o) {
				all[i].APIVersion = r.op.kinds.ByOwner(o).ServedVersion()
			}
		}
		object.SetOwnerReferences(all)
		return nil
	})
}

// after returns the time after a delay.
func (r *run) after(delay decide.Delay) time.Time {
	return r.now.Add(delay.After(1, r.memory.uid, r.now))
}

// refuse counts a refusal, and returns when to send such a request again and what to say.
func (r *run) refuse(request decide.Request, refusal decide.Refusal) (next time.Time, say decide.Say) {
	return r.memory.known.Refuse(request, refusal, decide.Moment{Now: r.now, UID: r.memory.uid, Refresh: r.op.options.Refresh})
}

// refused counts a refusal of ARM. It returns when to send such a request again, and the problem, or nil if the
// conditions stay as they are. harmless reports whether a ready object stays ready without the answer.
func (r *run) refused(request decide.Request, e *client.Error, harmless bool) (next time.Time, p *problem.Problem) {
	refusal := decide.RefusalOf(e)
	refusal.Harmless = harmless && isReady(r.object)
	next, say := r.refuse(request, refusal)
	if say == decide.Nothing {
		return next, nil
	}
	return next, refusalProblem(e, r.with.Name(), say)
}

// comeBack returns the outcome of a refusal.
func comeBack(next time.Time, p *problem.Problem) decide.Outcome {
	if p == nil {
		return decide.ComeBack(next)
	}
	return decide.ComeBack(next).Because(p)
}

// turn returns when the object comes next, for an interval of these.
func (r *run) turn(every time.Duration) time.Time { return decide.Turn(r.memory.uid, every, r.now) }

// armID returns the ARM id that something was sent to, or "".
func (r *run) armID() string {
	if r.sent == nil {
		return ""
	}
	return r.sent.ID
}
