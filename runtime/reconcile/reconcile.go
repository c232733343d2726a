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
	"hash/fnv"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
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
	firstRetry = 5 * time.Second
	lastRetry  = 10 * time.Minute
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
	// wake puts an object into the queue of its kind.
	wake func(ref)
	// lost is told of a kind that the cluster serves no longer.
	lost func(*kind)
	// looked reports whether what the cluster serves is known.
	looked  atomic.Bool
	options Options
	kinds   *kinds

	dependencies *dependencies
	claims       *claims
	credentials  credentials
	keys         *keys
	locks        locks
	metrics      *meters
	tracer       trace.Tracer

	mutex    sync.Mutex
	memories map[ref]*memory
	// stirred has the objects that something has changed for that they may have
	// been refused for.
	stirred map[ref]bool
}

// memory holds what the operator knows of an object and the cluster does not.
// Without it something is asked again, and nothing else.
type memory struct {
	uid types.UID
	// first is when this instance first saw the object. sent reports whether it has
	// sent something for it since.
	first     time.Time
	sent      bool
	operation *client.Operation
	due       time.Time // to ask for the operation
	pending   *sent     // what is accepted when the operation ends
	// tried is the digest of the last request that was refused, failures how often
	// in a row, and next when to try it again.
	tried    string
	failures int
	next     time.Time
	// wrote is when the last write was handed over, read when the resource was
	// last read.
	wrote, read time.Time
	reads       int       // without success in a row
	nextRead    time.Time // not before
	whole       whole
	// outputs has the resourceVersions of the Secrets and ConfigMaps with outputs, as
	// they were written or seen last.
	outputs map[ref]string
	// since is when the object was made or changed, if it has not been ready since.
	since time.Time
	// deleted is when ARM has done a DELETE.
	deleted time.Time
}

func (r *Reconciler) remember(of ref, object metav1.Object) *memory {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	m := r.memories[of]
	if m == nil || m.uid != object.GetUID() {
		// An instance may have waited for hours until it was its turn.
		now := r.options.Now()
		m = &memory{uid: object.GetUID(), first: now, read: now, wrote: now}
		r.memories[of] = m
	}
	if r.stirred[of] {
		delete(r.stirred, of)
		m.tried, m.next, m.nextRead = "", time.Time{}, time.Time{}
	}
	return m
}

// forget drops what is known of an object that is gone.
func (r *Reconciler) forget(of ref) {
	r.mutex.Lock()
	delete(r.memories, of)
	delete(r.stirred, of)
	r.mutex.Unlock()
	r.dependencies.keep(of, nil)
	r.claims.release(of)
	r.metrics.stands(of, standing{})
	for _, other := range r.dependencies.who(of) {
		r.wake(other)
	}
}

// run is one reconcile of an object.
type run struct {
	*Reconciler
	kind   *kind
	ref    ref
	before resource // the object as it was read
	memory *memory
	now    time.Time
	// resends reports whether ARM has what is about to be sent.
	resends bool
	// asked is what the Spec asks of the operator itself.
	asked reference.OperatorSpec
	*resolver
}

// reconcile does what is to be done about an object now, and returns when to come
// back.
func (r *Reconciler) reconcile(ctx context.Context, k *kind, name types.NamespacedName) (_ reconcile.Result, err error) {
	of := ref{k.GroupKind, name}
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
	if !r.looked.Load() {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	if r.allow(ctx) != nil {
		return reconcile.Result{RequeueAfter: firstRetry}, nil
	}
	object := k.new()
	if err := r.reader.Get(ctx, name, object); apierrors.IsNotFound(err) {
		r.forget(of)
		return reconcile.Result{}, nil
	} else if err != nil {
		return reconcile.Result{}, err
	}
	object = object.DeepCopyObject().(resource) // the cache has the original
	do := &run{Reconciler: r, kind: k, ref: of, before: object.DeepCopyObject().(resource),
		memory: r.remember(of, object), now: r.options.Now(), resolver: r.newResolver(of, object)}
	defer func() {
		r.dependencies.keep(of, do.looks)
		r.metrics.stands(of, standingOf(do.object, of))
	}()
	if m := do.memory; m.since.IsZero() && !isReady(object) {
		if m.since = do.now; sentOf(object) == nil {
			m.since = object.GetCreationTimestamp().Time
		}
	}
	again, err := do.do(ctx)
	switch p, isProblem := problemOf(err); {
	case isProblem:
		span.SetAttributes(attribute.String("armature.reason", p.reason))
		if p.stalled {
			span.SetStatus(codes.Error, p.reason)
		}
		err = do.report(ctx, p)
		if p.reason == ReasonVersionUnserved {
			again = do.now.Add(lookAgain)
		}
	case apierrors.IsConflict(err):
		// The cache is behind, and its next event comes too.
		return reconcile.Result{RequeueAfter: time.Second}, nil
	case apierrors.IsNotFound(err):
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	if again.IsZero() {
		if again = do.next(do.options.Refresh); do.options.Resend > 0 {
			if resend := do.next(do.options.Resend); resend.Before(again) {
				again = resend
			}
		}
	}
	return reconcile.Result{RequeueAfter: max(again.Sub(do.now), time.Millisecond)}, nil
}

// do returns when to come back, or the zero time for the next refresh. An error
// that is a *problem becomes the conditions.
func (r *run) do(ctx context.Context) (again time.Time, err error) {
	if !r.object.GetDeletionTimestamp().IsZero() {
		return r.delete(ctx)
	}
	if err := r.renewReferences(ctx); err != nil {
		return time.Time{}, err
	}
	policy := policyOf(r.object)
	if p := policy.problem(); p != nil {
		return time.Time{}, p
	}
	if policy == policySkip {
		return r.watch(ctx)
	}
	return r.manage(ctx)
}

// manage makes ARM have what the Spec says.
func (r *run) manage(ctx context.Context) (again time.Time, err error) {
	if s := sentOf(r.object); s != nil && s.mayExist() {
		// Somebody may have taken the finalizer away, and the resource would stay.
		if err := r.hold(ctx); err != nil {
			return time.Time{}, err
		}
	}
	// What is under way comes first, whatever else is wrong by now.
	if r.memory.operation != nil {
		if again, err := r.follow(ctx); err != nil || !again.IsZero() {
			return again, err
		}
	}
	request, err := r.request(ctx)
	if err != nil {
		return time.Time{}, err
	}
	s := sentOf(r.object)
	if s != nil && s.mayExist() && !arm.SameID(s.ID, request.ID) {
		return time.Time{}, &problem{reason: ReasonIDChanged, stalled: true, message: fmt.Sprintf(
			"the Spec now means %s, but this object made %s: set azureName and owner back, or delete the object and create another",
			request.ID, s.ID)}
	}
	if err := r.claim(ctx, request.ID); err != nil {
		return time.Time{}, err
	}
	credential, err := r.credentialFor(ctx, r.object, r.look)
	if err != nil {
		return time.Time{}, err
	}
	if s != nil && s.Previous != "" {
		if err := r.letGo(ctx, s.Previous); err != nil {
			return time.Time{}, err
		}
		s.Previous = ""
		before := r.object.DeepCopyObject().(resource)
		s.write(r.object)
		if err := r.patch(ctx, before); err != nil {
			return time.Time{}, err
		}
	}
	if s != nil && s.Phase == accepted {
		digest, _, known, err := r.keys.digest(ctx, request, s.Key)
		if err != nil {
			return time.Time{}, err
		}
		same := known && digest == s.Digest
		if r.resends = same && r.resendDue(); same && !r.resends {
			again, absent, err := r.refresh(ctx, credential, request)
			if !absent {
				return again, err
			}
			s.Exists = false // it is made once more
		}
	}
	return r.send(ctx, credential, request, s)
}

// request makes the request of the Spec.
func (r *run) request(ctx context.Context) (*arm.Request, error) {
	if conversion.IsNewer(r.object, r.scheme) {
		return nil, &problem{reason: ReasonVersionUnserved, message: fmt.Sprintf(
			"it is written for %s, which this release of the operator does not know: install the operator of the "+
				"same release as the CRDs, or set the annotation %s to an older version",
			r.object.OriginalGVK().Version, annotation.APIVersion)}
	}
	spec, err := r.spec()
	if err != nil {
		return nil, err
	}
	request, err := arm.NewRequest(ctx, spec, r.object.GetName(), r.resolver)
	if err != nil {
		return nil, specProblem(err)
	}
	if hook, ok := spec.(BeforeSender); ok {
		if err := hook.BeforeSend(ctx, request); err != nil {
			return nil, &problem{reason: ReasonHook, stalled: true, message: err.Error()}
		}
	}
	return request, nil
}

// spec returns the Spec at the version in which ARM is spoken to, and keeps what it asks
// of the operator itself.
func (r *run) spec() (arm.ARMTransformer, error) {
	versioned, err := conversion.GetVersionedSpec(r.object, r.scheme)
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
	return errors.As(err, &status) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// claim takes the claim of an id.
func (r *run) claim(ctx context.Context, id string) error {
	other, moved, err := r.claims.take(id, holder{r.object.GetUID(), r.ref}, func() (*holder, error) {
		return r.claimant(ctx, id)
	})
	if moved { // the Spec meant another id before
		r.changed(r.ref)
	}
	if err != nil {
		return err
	}
	if other == nil {
		return nil
	}
	r.look(other.ref)
	return &problem{reason: ReasonConflict, stalled: true, message: fmt.Sprintf("%s belongs to %v, which was first", id, other.ref)}
}

// claimant returns another object that has sent something to an id.
func (r *run) claimant(ctx context.Context, id string) (*holder, error) {
	for _, k := range r.kinds.all {
		switch {
		case !r.kind.sharesType(k), availability(k.availability.Load()) == absent:
			continue
		case availability(k.availability.Load()) == elsewhere:
			return nil, k.unserved()
		}
		list, err := k.newList()
		if err != nil {
			return nil, err
		}
		if err := r.reader.List(ctx, list, ctrlclient.MatchingFields{idIndex: claimKey(id)}); err != nil {
			return nil, err
		}
		var first resource
		err = meta.EachListItem(list, func(item runtime.Object) error {
			other := item.(resource)
			if other.GetUID() != r.object.GetUID() && (first == nil || older(other, first)) {
				first = other
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if own := sentOf(r.object); first != nil && (own == nil || older(first, r.object)) {
			return &holder{first.GetUID(), ref{k.GroupKind, ctrlclient.ObjectKeyFromObject(first)}}, nil
		}
	}
	return nil, nil
}

// older reports whether an object was created before another. The uid decides for
// those of one second.
func older(a, b metav1.Object) bool {
	at, bt := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if at.Equal(&bt) {
		return a.GetUID() < b.GetUID()
	}
	return at.Before(&bt)
}

// idIndex is the index of objects by the ARM id that they have sent something to.
const idIndex = "armature.dev/id"

func indexID(object ctrlclient.Object) []string {
	if s := sentOf(object); s != nil {
		return []string{claimKey(s.ID)}
	}
	return nil
}

func (k *kind) sharesType(other *kind) bool {
	for _, a := range k.armTypes {
		for _, b := range other.armTypes {
			if a == b {
				return true
			}
		}
	}
	return false
}

// send puts the resource, unless it is too early.
func (r *run) send(ctx context.Context, with *credential, request *arm.Request, s *sent) (again time.Time, err error) {
	digest, key, _, err := r.keys.digest(ctx, request, "")
	if err != nil {
		return time.Time{}, err
	}
	m := r.memory
	if m.tried == digest && r.now.Before(m.next) {
		return m.next, nil // the conditions say why
	}
	if until := r.outcome(); s != nil && r.now.Before(until) {
		before, _, known, err := r.keys.digest(ctx, request, s.Key)
		if err != nil {
			return time.Time{}, err
		}
		if !known || before != s.Digest {
			return until, r.waits()
		}
	}
	put := client.Request{
		ID: request.ID, APIVersion: request.APIVersion, Body: request.Body,
		Secrets: client.NewSecrets(r.secrets...), Tenant: r.object.GetNamespace(),
	}
	if wait := with.Reserve(ctx, http.MethodPut, &put); wait > 0 && r.resends {
		return r.now.Add(wait), nil
	} else if wait > 0 {
		// Nothing is noted, or thousands that wait would keep the API server busy.
		return r.now.Add(wait), &problem{reason: ReasonThrottled, message: client.Limited}
	}
	next := &sent{Phase: sending, UID: r.object.GetUID(), Generation: r.object.GetGeneration(), Digest: digest, Key: key, ID: request.ID,
		Credential: with.secret, Attempt: 1}
	if s != nil {
		next.Exists, next.Attempt, next.Maybe = s.Exists, s.Attempt+1, s.Maybe || s.Phase == sending
		if s.Credential != next.Credential {
			next.Previous = s.Credential
		}
	}
	if with.secret != "" {
		// Before the Secret has a finalizer for it, or nobody would take that away
		// if the operator stopped in between and the object went.
		if err := r.hold(ctx); err != nil {
			return time.Time{}, err
		}
	}
	unlock, err := r.holdCredential(ctx, r.object.GetNamespace(), with)
	if err != nil {
		return time.Time{}, err
	}
	before := r.object.GetAnnotations()[annotation.SentAPIVersion]
	err = r.note(ctx, next, request.APIVersion)
	unlock()
	if err != nil {
		return time.Time{}, err
	}
	if before != "" && before != request.APIVersion {
		r.events.Eventf(r.object, nil, corev1.EventTypeNormal, "APIVersionChanged", "Reconcile",
			"the operator speaks to ARM in API version %s from now on, before it was %s", request.APIVersion, before)
	}
	m.wrote, m.sent = r.now, true
	answer, err := with.Put(ctx, put)
	if e, ok := client.AsError(err); ok && e.DidNothing() && next.mayExist() {
		next.Phase = refused
		before := r.object.DeepCopyObject().(resource)
		next.write(r.object)
		if err := r.patch(ctx, before); err != nil {
			return time.Time{}, err
		}
	}
	if err != nil {
		return r.refused(err, with, digest)
	}
	m.tried, m.next, m.pending = digest, time.Time{}, next
	if answer.Operation != nil {
		return r.begun(ctx, answer.Operation)
	}
	if state := client.ProvisioningState(answer.Body); arm.IsResource(answer.Body, request.ID) && client.IsFailure(state) {
		return r.refused(&client.Error{Class: client.Retriable, Failed: true, Code: "Operation" + state,
			Message: "ARM took the PUT, and the resource is " + state}, with, digest)
	}
	return r.accept(ctx, with, request, answer.Body)
}

// outcome returns until when a PUT may be under way that another instance handed
// over, before it was stopped or frozen. Until then nothing else is sent, or ARM
// might get the older content last.
func (r *run) outcome() time.Time {
	if s := sentOf(r.object); s == nil || s.Phase != sending || r.memory.sent {
		return time.Time{}
	}
	return r.memory.first.Add(r.options.RequestTimeout)
}

// waits returns why nothing is sent before that.
func (r *run) waits() *problem {
	return &problem{reason: ReasonInProgress, message: "another instance of the operator sent something before " +
		"it was stopped, and ARM may not have got it yet"}
}

// hold adds the finalizer, if the object does not have it.
func (r *run) hold(ctx context.Context) error {
	if controllerutil.ContainsFinalizer(r.object, annotation.ResourceFinalizer) {
		return nil
	}
	before := r.object.DeepCopyObject().(resource)
	controllerutil.AddFinalizer(r.object, annotation.ResourceFinalizer)
	return r.patch(ctx, before)
}

// note writes what is about to be sent, with the finalizer and the reference to
// the owner, in one write, which fails if the object has changed.
func (r *run) note(ctx context.Context, next *sent, version string) error {
	before := r.object.DeepCopyObject().(resource)
	controllerutil.AddFinalizer(r.object, annotation.ResourceFinalizer)
	unlock := r.refer()
	defer unlock()
	next.write(r.object)
	r.object.GetAnnotations()[annotation.SentAPIVersion] = version
	return r.patch(ctx, before)
}

// patch writes the metadata, if it has changed.
func (r *run) patch(ctx context.Context, before resource) error {
	if equality.Semantic.DeepEqual(metadataOf(before), metadataOf(r.object)) {
		return nil
	}
	if err := r.client.Patch(ctx, r.object, ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	r.before = r.object.DeepCopyObject().(resource)
	return nil
}

func metadataOf(r resource) []any {
	return []any{r.GetAnnotations(), r.GetFinalizers(), r.GetOwnerReferences()}
}

// refer sets the reference to the owner, under a lock with which an owner that
// leaves its resource in ARM removes the references to itself.
func (r *run) refer() (unlock func()) {
	if r.owner == nil {
		return func() {}
	}
	unlock = r.locks.lock(r.owner.GetUID())
	current := r.ownerKind.new()
	if r.reader.Get(context.Background(), ctrlclient.ObjectKeyFromObject(r.owner), current) != nil ||
		current.GetUID() != r.owner.GetUID() || !current.GetDeletionTimestamp().IsZero() {
		return unlock
	}
	to := metav1.OwnerReference{
		APIVersion: r.ownerKind.servedVersion(), Kind: r.ownerKind.Kind, Name: r.owner.GetName(), UID: r.owner.GetUID(),
	}
	all := r.object.GetOwnerReferences()
	for _, o := range all {
		if o.UID == to.UID {
			return unlock
		}
	}
	r.object.SetOwnerReferences(append(all, to))
	return unlock
}

// renewReferences makes the references to owners name the API version at which this
// release refers to them. A release serves the one of the release before no longer
// some day, and the garbage collector finds no owner then.
func (r *run) renewReferences(ctx context.Context) error {
	isOld := func(o metav1.OwnerReference) bool {
		k := r.kinds.byOwner(o)
		return k != nil && o.APIVersion != k.servedVersion()
	}
	all := r.object.GetOwnerReferences()
	if !slices.ContainsFunc(all, isOld) {
		return nil
	}
	before := r.object.DeepCopyObject().(resource)
	for i, o := range all {
		if isOld(o) {
			all[i].APIVersion = r.kinds.byOwner(o).servedVersion()
		}
	}
	return r.patch(ctx, before)
}

// begun keeps an operation to ask for later.
func (r *run) begun(ctx context.Context, o *client.Operation) (again time.Time, err error) {
	r.memory.operation, r.memory.due = o, r.now.Add(o.Wait())
	message := "ARM is at work"
	if o.State() != "" {
		message += ": " + o.State()
	}
	reason := ReasonInProgress
	if o.Method() == http.MethodDelete {
		reason = ReasonDeleting
	}
	return r.memory.due, r.report(ctx, &problem{reason: reason, message: message})
}

// follow asks how a PUT goes. It returns no time if the operation has ended well,
// and the object says so.
func (r *run) follow(ctx context.Context) (again time.Time, err error) {
	m := r.memory
	if r.now.Before(m.due) {
		return m.due, nil
	}
	with, err := r.credentialFor(ctx, r.object, r.look)
	if err != nil {
		return time.Time{}, err
	}
	answer, err := with.Poll(ctx, m.operation)
	if err != nil {
		e, _ := client.AsError(err)
		if e == nil {
			return time.Time{}, err
		}
		if e.Failed || e.Gone() && r.now.Sub(m.wrote) > visible {
			m.operation = nil
			return r.refused(err, with, m.pending.Digest)
		}
		m.due = r.now.Add(max(e.RetryAfter, r.jitter(firstRetry, m.due)))
		return m.due, nil
	}
	if answer.Operation != nil {
		return r.begun(ctx, answer.Operation)
	}
	m.operation = nil
	return time.Time{}, r.noteAccepted(ctx)
}

// noteAccepted notes that ARM has done what it was sent.
func (r *run) noteAccepted(ctx context.Context) error {
	m := r.memory
	s := *m.pending
	s.Phase, s.Exists = accepted, true
	m.tried, m.failures, m.next = "", 0, time.Time{}
	m.read = time.Time{} // to be read
	before := r.object.DeepCopyObject().(resource)
	s.write(r.object)
	return r.patch(ctx, before)
}

// accept notes that ARM has done what it was sent, and shows what it has made.
func (r *run) accept(ctx context.Context, with *credential, request *arm.Request, body []byte) (again time.Time, err error) {
	if err := r.noteAccepted(ctx); err != nil {
		return time.Time{}, err
	}
	if arm.IsResource(body, request.ID) {
		return r.show(ctx, with, request, body)
	}
	again, _, err = r.refresh(ctx, with, request)
	return again, err
}

// refused decides when a refused PUT is sent again.
func (r *run) refused(err error, with *credential, digest string) (again time.Time, _ error) {
	e, ok := client.AsError(err)
	if !ok {
		return time.Time{}, err
	}
	// An operation may end after the Spec can no longer be sent.
	if spec, err := conversion.GetVersionedSpec(r.object, r.scheme); err == nil {
		if hook, ok := spec.(ErrorClassifier); ok {
			e.Class = hook.ClassifyError(e)
		}
	}
	m := r.memory
	if m.tried != digest {
		m.failures = 0
	}
	p := refusal(e, with.name())
	switch e.Class {
	case client.NotSent:
		return r.now.Add(firstRetry), nil
	case client.Throttled:
		// The request says nothing about its content.
		m.tried, m.next = digest, r.now.Add(r.jitter(e.RetryAfter, r.now))
	case client.Invalid, client.Unauthorized:
		m.tried, m.next = digest, r.next(r.options.Refresh)
	default:
		m.failures++
		m.tried, m.next = digest, r.now.Add(max(e.RetryAfter, r.backoff(m.failures)))
	}
	return m.next, p
}

// backoff returns how long to wait after a number of failures in a row.
func (r *run) backoff(failures int) time.Duration {
	return r.jitter(min(firstRetry<<min(failures-1, 10), lastRetry), r.now)
}

// jitter lengthens a time by up to a fifth, so that what began together does not
// go on together.
func (r *run) jitter(d time.Duration, salt time.Time) time.Duration {
	h := fnv.New32a()
	fmt.Fprint(h, r.object.GetUID(), salt.UnixNano())
	return d + time.Duration(float64(d)*float64(h.Sum32()%1000)/5000)
}

// next returns when the resource is to be read or sent next, for an interval of these.
// The times of an object follow from its uid, so that they are spread, and the same
// after a restart.
func (r *run) next(every time.Duration) time.Time {
	h := fnv.New64a()
	h.Write([]byte(r.object.GetUID()))
	interval := int64(every)
	offset := int64(h.Sum64() % uint64(interval))
	since := (r.now.UnixNano() - offset) / interval
	return time.Unix(0, (since+1)*interval+offset)
}

// resendDue reports whether a time to send the resource once more has come since it
// was sent. While ARM is at work on it, it has not.
func (r *run) resendDue() bool {
	every := r.options.Resend
	return every > 0 && r.memory.reads == 0 && r.next(every).Add(-every).After(r.memory.wrote)
}

// report writes the Status with the conditions: ready if p is nil. Every problem comes
// through here before anybody sees it, so here the secrets that the run has read are
// removed from its message, whoever wrote that.
func (r *run) report(ctx context.Context, p *problem) error {
	if p != nil {
		p.message = client.NewSecrets(r.secrets...).Remove(p.message)
	}
	if setReady(r.object, p) {
		reason, message, kind := ReasonSucceeded, "ARM has what the Spec says", corev1.EventTypeNormal
		if p != nil {
			reason, message = p.reason, p.message
			if p.stalled {
				kind = corev1.EventTypeWarning
			}
		}
		// These three say nothing that a condition does not.
		if reason != ReasonInProgress && reason != ReasonDeleting && reason != ReasonThrottled {
			r.events.Eventf(r.object, nil, kind, reason, "Reconcile", "%s", message[:min(len(message), 1000)])
		}
		level := 1
		if p != nil && p.stalled {
			level = 0
		}
		log.FromContext(ctx).V(level).Info("condition changed", "reason", reason, "message", message, "armID", r.armID())
	}
	if p == nil && !r.memory.since.IsZero() {
		r.metrics.ready(r.kind, r.now.Sub(r.memory.since))
		r.memory.since = time.Time{}
	}
	if equality.Semantic.DeepEqual(r.before, r.object) {
		return nil
	}
	if err := r.client.Status().Update(ctx, r.object); err != nil {
		return err
	}
	r.before = r.object.DeepCopyObject().(resource)
	return nil
}

// armID returns the ARM id that something was sent to, or "".
func (r *run) armID() string {
	if s := sentOf(r.object); s != nil {
		return s.ID
	}
	return ""
}

// each calls do with each object of kinds in a namespace.
func (r *Reconciler) each(ctx context.Context, reader ctrlclient.Reader, of []*kind, namespace string, do func(resource) error) error {
	for _, k := range of {
		switch availability(k.availability.Load()) {
		case absent:
			continue
		case elsewhere:
			return k.unserved()
		}
		list, err := k.newList()
		if err != nil {
			return err
		}
		if err := reader.List(ctx, list, ctrlclient.InNamespace(namespace)); apierrors.IsNotFound(err) {
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
