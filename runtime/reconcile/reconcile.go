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
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
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
	"github.com/armature-dev/armature/runtime/reconcile/internal/locks"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// policy is the value of [annotation.ReconcilePolicy].
type policy string

const (
	policyManage policy = annotation.PolicyManage
	policySkip   policy = annotation.PolicySkip
	policyDetach policy = annotation.PolicyDetach
)

func policyOf(object metav1.Object) policy {
	if p := policy(object.GetAnnotations()[annotation.ReconcilePolicy]); p != "" {
		return p
	}
	return policyManage
}

func (p policy) problem() *problem {
	switch p {
	case policyManage, policySkip, policyDetach:
		return nil
	}
	return &problem{reason: ReasonInvalidPolicy, stalled: true,
		message: fmt.Sprintf("found %q in the annotation %s, expected %s, %s or %s", string(p), annotation.ReconcilePolicy,
			policyManage, policySkip, policyDetach)}
}

// Times.
const (
	// visible is how long ARM may take to show what it has made, or that it is gone.
	visible = 20 * time.Second
	// deletionLimit is how long a resource may be there after its DELETE has ended.
	deletionLimit = 30 * time.Minute
)

// BeforeSender is a Spec that changes its request before it is sent.
type BeforeSender interface {
	BeforeSend(context.Context, *arm.Request) error
}

// ErrorClassifier is a Spec that knows refusals of its service.
type ErrorClassifier interface {
	ClassifyError(*client.Error) client.Class
}

// Reconciler reconciles the objects of all kinds.
type Reconciler struct {
	client ctrlclient.Client
	reader ctrlclient.Reader // of kinds, may be a cache
	live   ctrlclient.Reader // of the API server itself
	scheme *runtime.Scheme
	events events.EventRecorder
	// namespace returns the metadata of a namespace.
	namespace func(name string) (metav1.Object, error)
	// wake puts an object into the queue of its kind.
	wake func(ref)
	// lost is told of a kind that the cluster serves no longer.
	lost func(*kind)
	// looked reports whether what the cluster serves is known.
	looked  atomic.Bool
	options Options
	kinds   *kinds

	dependencies *dependencies
	claims       claims.Claims
	credentials  *credentials.Store
	keys         *record.Keys
	locks        locks.Locks
	departed     departed
	harmed       refs // children that a PUT of their parent has changed
	turns        *turns
	storage      storageRights
	metrics      *meters
	log          logr.Logger // of what concerns no object
	tracer       trace.Tracer

	mutex    sync.Mutex
	memories map[ref]*memory
	// stirred has the objects that something has changed for that they may have
	// been refused for.
	stirred map[ref]bool
}

// memory holds what this instance knows of an object. Without it something is asked or
// written again, and nothing else.
type memory struct {
	uid types.UID
	// known is what decisions depend on.
	known decide.Memory
	// judged reports whether this instance has reconciled the object, and so has
	// confirmed its record if it could.
	judged bool
	whole  whole
	// missed is, by id, when ARM did not show a resource for the first time since it did.
	missed map[string]time.Time
	// looks are what ARM showed of the children before the last PUT, and harmed those that it
	// has changed, nil if that is not known yet.
	looks  looks
	harmed map[ref]bool
	// outputs has the resourceVersions of the Secrets and ConfigMaps with outputs, as
	// they were written or seen last.
	outputs map[ref]string
	// held has the Secrets whose credentials the object has sent something with, or "".
	held []string
	// leftTo is the other operator that the object was left to when that was told.
	leftTo string
	// refusedWrites is how many writes of the object the API server has refused in a row.
	refusedWrites int
	// since is when the object was made or changed, if it has not been ready since.
	since time.Time
	told  told
}

func (r *Reconciler) remember(of ref, object metav1.Object) *memory {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	m := r.memories[of]
	if m == nil || m.uid != object.GetUID() {
		// An instance may have waited for hours until it was its turn.
		now := r.options.Now()
		m = &memory{uid: object.GetUID(), known: decide.Memory{First: now, Wrote: now, Reads: decide.Reads{Last: now}}}
		r.memories[of] = m
	}
	if r.stirred[of] {
		delete(r.stirred, of)
		m.known.Stir()
	}
	return m
}

// judge notes that this instance has reconciled an object.
func (r *Reconciler) judge(m *memory) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	m.judged = true
}

// hasJudged reports whether this instance has reconciled an object.
func (r *Reconciler) hasJudged(of ref, uid types.UID) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	m := r.memories[of]
	return m != nil && m.uid == uid && m.judged
}

// standAside lets go what is known of an object that is not the operator's to manage.
func (r *Reconciler) standAside(of ref) {
	r.dependencies.keep(of, nil)
	r.claims.Release(of)
	r.metrics.stands(of, standing{})
}

// forget drops what is known of an object that is gone.
func (r *Reconciler) forget(of ref) {
	r.mutex.Lock()
	delete(r.memories, of)
	delete(r.stirred, of)
	r.mutex.Unlock()
	r.standAside(of)
	r.harmed.remove(of)
	r.endTurn(of, time.Time{})
	for _, other := range r.dependencies.who(of) {
		r.wake(other)
	}
}

// release lets the credentials of an object go that is gone. Mostly they went before, with
// its finalizer, but somebody may have taken that away.
func (r *Reconciler) release(ctx context.Context, of ref) error {
	r.mutex.Lock()
	m := r.memories[of]
	r.mutex.Unlock()
	if m == nil {
		return nil
	}
	for _, name := range m.held {
		if name == "" {
			continue
		}
		err := r.credentials.Release(ctx, types.NamespacedName{Namespace: of.Namespace, Name: name}, m.uid)
		if p, isProblem := problemOf(err); isProblem && p.reason == ReasonSecretForbidden {
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
	kind   *kind
	ref    ref
	object resource
	before resource // the object as the API server has it
	memory *memory
	now    time.Time
	refs   *resolver // of what the object refers to
	// sent is the record of what was sent, nil if there is none. confirmed reports
	// whether it is the operator's own.
	sent      *record.Record
	confirmed bool
	// seen is what decisions depend on, and request and with are what it says was found: the
	// request of the Spec and the credential.
	seen    decide.Seen
	request *arm.Request
	with    *credentials.Credential
	// underway says how the operation goes, if ARM was asked for it and it has not ended.
	underway *problem
	// asked is what the Spec asks of the operator itself.
	asked reference.OperatorSpec
}

// reconcile does what is to be done about an object now, and returns when to come
// back.
func (r *Reconciler) reconcile(ctx context.Context, k *kind, name types.NamespacedName) (_ reconcile.Result, err error) {
	of := named.Of(k.GroupKind, name)
	ctx, span := r.tracer.Start(ctx, "reconcile "+k.Kind, trace.WithAttributes(
		attribute.String("k8s.namespace.name", name.Namespace),
		attribute.String("k8s.object.group", k.Group),
		attribute.String("k8s.object.kind", k.Kind),
		attribute.String("k8s.object.name", name.Name)))
	defer func() {
		if err != nil {
			span.SetStatus(codes.Error, "the API server refused something")
		}
		span.End()
	}()
	if span.SpanContext().HasTraceID() {
		ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("traceID", span.SpanContext().TraceID().String()))
	}
	if !r.looked.Load() || !k.isSeen() {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	if k.rights.isRefused() {
		return reconcile.Result{RequeueAfter: lookAgain}, nil // nothing can be written either
	}
	if r.allow(ctx) != nil {
		return reconcile.Result{RequeueAfter: decide.FirstRetry}, nil
	}
	object := k.new()
	if err := r.reader.Get(ctx, name, object); apierrors.IsNotFound(err) {
		err := r.release(ctx, of)
		if p, isProblem := problemOf(err); isProblem && p.ofKind() {
			return reconcile.Result{RequeueAfter: lookAgain}, nil
		} else if err != nil {
			return reconcile.Result{}, err
		}
		r.forget(of)
		return reconcile.Result{}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	object = object.DeepCopyObject().(resource) // the cache has the original
	memory := r.remember(of, object)
	manages, unknown := r.manages(name.Namespace)
	if unknown == errNotSeen {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	} else if !manages {
		r.standAside(of)
		return reconcile.Result{}, nil
	}
	if r.isOthers(object) {
		r.leave(object, of, memory)
		return reconcile.Result{}, nil
	}
	if at := (place{of.Group, of.Namespace}); r.storage.denied(at) {
		r.unwritable(object, of, memory, r.unwritten(at))
		return reconcile.Result{RequeueAfter: lookAgain}, nil
	}
	do := &run{op: r, kind: k, ref: of, object: object, before: object.DeepCopyObject().(resource),
		memory: memory, now: r.options.Now(), refs: r.newResolver(of, object)}
	if do.sent, do.confirmed, err = r.recordOf(ctx, object); err != nil {
		return reconcile.Result{}, err
	}
	if do.sent != nil {
		memory.held = []string{do.sent.Credential, do.sent.Previous}
	}
	defer func() {
		due := time.Time{}
		if o := memory.known.Operation; o.Is != nil && do.now.Sub(memory.known.Wrote) < familyWaits {
			due = o.Due
		}
		r.endTurn(of, due)
		r.dependencies.keep(of, do.refs.looks)
		r.metrics.shows(of, do.object)
	}()
	if m := do.memory; m.since.IsZero() && !isReady(object) {
		if m.since = do.now; do.sent == nil {
			m.since = object.GetCreationTimestamp().Time
		}
	}
	again, err := time.Time{}, unknown
	if err == nil {
		again, err = do.do(ctx)
	}
	r.judge(memory)
	if p, isProblem := problemOf(err); isProblem {
		span.SetAttributes(attribute.String("armature.reason", p.reason))
		if p.stalled {
			span.SetStatus(codes.Error, p.reason)
		}
		err = do.report(ctx, p)
		switch {
		case p.after > 0:
			again = do.now.Add(p.after)
		case p.ofKind():
			again = do.now.Add(lookAgain)
		case p.reason == ReasonNamespaceForbidden:
			again = do.now.Add(do.jitter(time.Minute, do.now))
		}
	}
	// The cache is behind, and its next event comes too; or the cluster does not serve the version
	// any more.
	if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	} else if apierrors.IsNotFound(err) {
		return reconcile.Result{RequeueAfter: lookAgain}, nil
	}
	if group := storageDenied(err); group != "" {
		at := place{group, of.Namespace}
		r.deny(at, err)
		r.unwritable(do.object, of, memory, r.unwritten(at))
		return reconcile.Result{RequeueAfter: lookAgain}, nil
	}
	if refused := (*refusedWrite)(nil); errors.As(err, &refused) {
		return reconcile.Result{RequeueAfter: do.writeRefused(ctx, refused)}, nil
	}
	memory.refusedWrites = 0
	if unseen := (*unseenError)(nil); errors.As(err, &unseen) {
		// Nothing is known of the object because of that, so nothing is said of it.
		log.FromContext(ctx).V(1).Info("waiting for the objects of another kind", "kind", unseen.kind.stored)
		return reconcile.Result{RequeueAfter: decide.FirstRetry}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	if again.IsZero() {
		if again = do.turn(r.options.Refresh); r.options.Resend > 0 {
			if resend := do.turn(r.options.Resend); resend.Before(again) {
				again = resend
			}
		}
	}
	return reconcile.Result{RequeueAfter: max(again.Sub(do.now), time.Millisecond)}, nil
}

// do does one thing after the other, until there is nothing to do but wait, and returns
// when to come back, or the zero time for the next refresh. An error that is a *problem
// becomes the conditions.
func (r *run) do(ctx context.Context) (again time.Time, err error) {
	if err := r.mark(ctx); err != nil {
		return time.Time{}, err
	}
	if r.object.GetDeletionTimestamp().IsZero() {
		if r.sent.MayExist() && policyOf(r.object) != policySkip {
			// Also what is under way stays in the scopes.
			if err := r.op.permit(r.ref.Namespace, r.sent.ID, nil); err != nil {
				return time.Time{}, err
			}
		}
		if err := r.renewReferences(ctx); err != nil {
			return time.Time{}, err
		}
	}
	for range mostActions {
		ended := false
		if again, ended, err = r.act(ctx, decide.Next(r.state())); err != nil || ended {
			// What is under way is asked for when it is time, whatever else is wrong.
			if o := r.memory.known.Operation; o.Is != nil && o.Due.After(r.now) && (again.IsZero() || o.Due.Before(again)) {
				again = o.Due
			}
			return again, err
		}
	}
	return time.Time{}, fmt.Errorf("%v: found no end after %d actions, next is %#v", r.ref, mostActions, decide.Next(r.state()))
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
			UID: o.GetUID(), Policy: string(policyOf(o)), Deleting: !o.GetDeletionTimestamp().IsZero(),
			Held: controllerutil.ContainsFinalizer(o, annotation.ResourceFinalizer), Ready: isReady(o),
			Family: r.kind.hasElements || r.kind.isElement,
		},
		Record: r.sent, Confirmed: r.confirmed, Memory: r.memory.known, Seen: r.seen,
	}
}

// act does one thing. It reports whether that ends the reconcile, and returns when to come
// back then.
func (r *run) act(ctx context.Context, action decide.Action) (again time.Time, ended bool, err error) {
	switch action := action.(type) {
	case decide.Wait:
		if again = action.Until; r.underway != nil {
			err = r.underway
		}
	case decide.Tell:
		again, err = action.Until, r.tell(action)
	case decide.Put:
		again, err = r.put(ctx, action)
	case decide.Deliver:
		again, _, err = r.deliver(ctx, false)
	case decide.Watch:
		again, err = r.watch(ctx)
	case decide.Detach:
		err = r.detach(ctx, action.Why)
	case decide.Finish:
		err = r.finish(ctx)
	case decide.Hold:
		return time.Time{}, false, r.update(ctx, hold)
	case decide.Poll:
		return r.poll(ctx)
	case decide.Resolve:
		return time.Time{}, false, r.resolve(ctx)
	case decide.Check:
		return time.Time{}, false, r.check(ctx)
	case decide.Confirm:
		again, err = r.confirm(ctx)
		return again, !again.IsZero(), err
	case decide.LetGo:
		return time.Time{}, false, r.letGoPrevious(ctx)
	case decide.Refer:
		return time.Time{}, false, r.adopt(ctx, func(resource) error { return nil })
	case decide.Compare:
		again, err = r.compare(ctx)
		return again, !again.IsZero(), err
	case decide.Read:
		if again, err = r.refresh(ctx); err == nil && again.IsZero() && r.sent.Unchecked && r.memory.harmed == nil {
			again = r.now.Add(unsettled) // to look at the children
		}
		return again, !r.seen.Absent, err
	case decide.AskOwner:
		r.seen.OwnerGoes, err = r.ownerGoes(ctx)
		r.seen.OwnerAsked = err == nil
		return time.Time{}, false, err
	case decide.Authorize:
		return time.Time{}, false, r.authorize(ctx)
	case decide.Claim:
		return time.Time{}, false, r.claimToDelete(ctx)
	case decide.Delete:
		again, err = r.remove(ctx)
		return again, r.memory.known.Deletion.Done.IsZero() || !again.IsZero(), err
	case decide.Gone:
		again, err = r.gone(ctx)
	default:
		err = fmt.Errorf("found the action %T, expected one that can be done", action)
	}
	return again, true, err
}

// tell returns the problem of an object that has to wait.
func (r *run) tell(why decide.Tell) error {
	switch why.What {
	case decide.BadPolicy:
		return policyOf(r.object).problem()
	case decide.Stranger:
		return unconfirmed(r.sent.ID, "the Spec means "+r.seen.ID+": if that is right, remove the annotation")
	case decide.OtherID:
		return &problem{reason: ReasonIDChanged, stalled: true, message: fmt.Sprintf(
			"the Spec now means %s, but this object made %s: set azureName and owner back, or delete the object and create another",
			r.seen.ID, r.sent.ID)}
	case decide.Underway:
		return &problem{reason: ReasonInProgress, message: "another instance of the operator sent something before " +
			"it was stopped, and ARM may not have got it yet"}
	}
	return why.Cause
}

// resolve makes the request of the Spec, and compares it with what ARM is at work on.
func (r *run) resolve(ctx context.Context) error {
	r.seen.Resolved = true
	request, err := r.newRequest(ctx)
	if err == nil {
		r.request, r.seen.ID = request, request.ID
	}
	if o := r.memory.known.Operation; err == nil && o.Is != nil {
		var digest string
		var known bool
		digest, _, known, err = r.digest(ctx, request, o.Pending.Key)
		r.seen.Pending = !known || digest == o.Pending.Digest
	}
	if _, isProblem := problemOf(err); isProblem {
		r.seen.Unresolved = err
		return nil
	}
	r.seen.Orphan = r.ownerReference(ctx) != nil
	return err
}

// digests compares the request with the record.
func (r *run) digests(ctx context.Context) (err error) {
	if r.seen.Digest, _, _, err = r.digest(ctx, r.request, ""); err != nil {
		return err
	}
	if r.sent == nil {
		return nil
	}
	digest, _, known, err := r.digest(ctx, r.request, r.sent.Key)
	r.seen.Same = known && digest == r.sent.Digest
	return err
}

// check looks for the credential, and whether nobody else has the resource.
func (r *run) check(ctx context.Context) (err error) {
	if r.with, err = r.op.credentialFor(ctx, r.object, r.refs.look); err != nil {
		return err
	}
	if err := r.free(ctx, r.request.ID); err != nil {
		return err
	}
	if err := r.alone(ctx); err != nil {
		return err
	}
	r.seen.Free = true
	return r.digests(ctx)
}

// letGoPrevious lets the credential go that was used before the last PUT.
func (r *run) letGoPrevious(ctx context.Context) error {
	if err := r.letGo(ctx, r.sent.Previous); err != nil {
		return err
	}
	next := *r.sent
	next.Previous = ""
	return r.writeRecord(ctx, &next)
}

// newRequest makes the request of the Spec.
func (r *run) newRequest(ctx context.Context) (*arm.Request, error) {
	if conversion.IsNewer(r.object, r.op.scheme) {
		return nil, &problem{reason: ReasonVersionUnserved, message: fmt.Sprintf(
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
			return nil, &problem{reason: ReasonHook, stalled: true, message: err.Error()}
		}
	}
	if err := r.op.permit(r.ref.Namespace, request.ID, request.Body); err != nil {
		return nil, err
	}
	return request, nil
}

// spec returns the Spec at the version in which ARM is spoken to, and keeps what it asks
// of the operator itself.
func (r *run) spec() (arm.ARMTransformer, error) {
	versioned, err := conversion.GetVersionedSpec(r.object, r.op.scheme)
	if unsent := (*conversion.UnsentError)(nil); errors.As(err, &unsent) {
		return nil, &problem{reason: ReasonVersionLacks, stalled: true, message: err.Error()}
	} else if err != nil {
		return nil, &problem{reason: ReasonInvalidSpec, stalled: true, message: err.Error()}
	}
	r.asked = operatorSpecOf(versioned)
	return versioned.(arm.ARMTransformer), nil
}

// specProblem returns the problem of a Spec that gives no request or no id, or the
// error as it is if the API server is its cause.
func specProblem(err error) error {
	p, isProblem := problemOf(err)
	switch {
	case isProblem && p.placeless:
		return p
	case isProblem: // the error says besides where in the Spec
		return &problem{reason: p.reason, stalled: p.stalled, message: err.Error()}
	case isOfAPI(err):
		return err
	}
	return &problem{reason: ReasonInvalidSpec, stalled: true, message: err.Error()}
}

// isOfAPI reports whether an error comes from the API server, and not from a Spec.
func isOfAPI(err error) bool {
	var status apierrors.APIStatus
	var unseen *unseenError
	return errors.As(err, &status) || errors.As(err, &unseen) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// renewReferences makes the references to owners name the API version at which this
// release refers to them. A release serves the one of the release before no longer
// some day, and the garbage collector finds no owner then.
func (r *run) renewReferences(ctx context.Context) error {
	isOld := func(o metav1.OwnerReference) bool {
		k := r.op.kinds.byOwner(o)
		return k != nil && o.APIVersion != k.servedVersion()
	}
	all := slices.Clone(r.object.GetOwnerReferences())
	if !slices.ContainsFunc(all, isOld) {
		return nil
	}
	return r.update(ctx, func(object resource) error {
		for i, o := range all {
			if isOld(o) {
				all[i].APIVersion = r.op.kinds.byOwner(o).servedVersion()
			}
		}
		object.SetOwnerReferences(all)
		return nil
	})
}

// backoff returns how long to wait after a number of failures in a row.
func (r *run) backoff(failures int) time.Duration {
	return decide.Backoff(r.memory.uid, failures, r.now)
}

// jitter lengthens a time by up to a fifth.
func (r *run) jitter(d time.Duration, salt time.Time) time.Duration {
	return decide.Jitter(r.memory.uid, d, salt)
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

// each calls do with each object of kinds in a namespace.
func (r *Reconciler) each(ctx context.Context, reader ctrlclient.Reader, of []*kind, namespace string, do func(resource) error) error {
	for _, k := range of {
		switch k.is() {
		case absent:
			continue
		case elsewhere:
			return k.unserved()
		}
		if !k.isSeen() {
			return k.unserved()
		}
		list, err := k.newList()
		if err != nil {
			return err
		}
		err = reader.List(ctx, list, ctrlclient.InNamespace(namespace))
		if apierrors.IsForbidden(err) {
			return &problem{reason: ReasonKindForbidden, stalled: true, message: k.forbidden()}
		}
		if apierrors.IsNotFound(err) {
			// Its CRD is gone, or serves another version: who knows is asked.
			k.availability.Store(int32(elsewhere))
			r.lost(k)
			return k.unserved()
		} else if err != nil {
			return err
		}
		err = meta.EachListItem(list, func(item runtime.Object) error { return do(item.(resource)) })
		if err != nil {
			return err
		}
	}
	return nil
}
