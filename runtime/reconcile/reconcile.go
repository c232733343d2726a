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
	"slices"
	"sync"
	"sync/atomic"
	"time"

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
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/locks"
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
	credentials  *credentials.Store
	keys         *record.Keys
	locks        locks.Locks
	writes       writes
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
	due       time.Time      // to ask for the operation
	pending   *record.Record // what is accepted when the operation ends
	polls     int            // that were refused in a row
	// tried is the digest of the last request that was refused, refusal why, failures
	// how often in a row, and next when to try it again.
	tried    string
	refusal  *problem
	failures int
	next     time.Time
	// judged reports whether this instance has reconciled the object, and so has
	// confirmed its record if it could.
	judged bool
	// wrote is when the last write was handed over, read when the resource was
	// last read.
	wrote, read time.Time
	reads       int       // without success in a row
	nextRead    time.Time // not before
	whole       whole
	// outputs has the resourceVersions of the Secrets and ConfigMaps with outputs, as
	// they were written or seen last.
	outputs map[ref]string
	// held has the Secrets whose credentials the object has sent something with, or "".
	held []string
	// since is when the object was made or changed, if it has not been ready since.
	since time.Time
	// deleted is when ARM has done a DELETE, and ifMatch what the next one has to have.
	deleted time.Time
	ifMatch string
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
		m.tried, m.refusal, m.next, m.nextRead = "", nil, time.Time{}, time.Time{}
	}
	return m
}

// hasJudged reports whether this instance has reconciled an object.
func (r *Reconciler) hasJudged(of ref, uid types.UID) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	m := r.memories[of]
	return m != nil && m.uid == uid && m.judged
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
	*Reconciler
	kind   *kind
	ref    ref
	before resource // the object as it was read
	memory *memory
	now    time.Time
	// sent is the record of what was sent, nil if there is none. confirmed reports
	// whether it is the operator's own; otherwise no resource is deleted or left alone
	// because of it.
	sent      *record.Record
	confirmed bool
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
		err := r.release(ctx, of)
		if p, isProblem := problemOf(err); isProblem && p.reason == ReasonVersionUnserved {
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
	do := &run{Reconciler: r, kind: k, ref: of, before: object.DeepCopyObject().(resource),
		memory: memory, now: r.options.Now(), resolver: r.newResolver(of, object)}
	if do.sent, do.confirmed, err = r.recordOf(ctx, object); err != nil {
		return reconcile.Result{}, err
	}
	if do.sent != nil {
		memory.held = []string{do.sent.Credential, do.sent.Previous}
	}
	defer func() {
		r.dependencies.keep(of, do.looks)
		r.metrics.stands(of, standingOf(do.object, of))
	}()
	if m := do.memory; m.since.IsZero() && !isReady(object) {
		if m.since = do.now; do.sent == nil {
			m.since = object.GetCreationTimestamp().Time
		}
	}
	again, err := do.do(ctx)
	do.memory.judged = true
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
	if r.sent.MayExist() {
		// Somebody may have taken the finalizer away, and the resource would stay.
		if err := r.hold(ctx); err != nil {
			return time.Time{}, err
		}
	}
	m := r.memory
	if m.operation == nil {
		return r.bring(ctx)
	}
	// What is under way comes first, whatever else is wrong by now.
	again, err = r.follow(ctx)
	if _, isProblem := problemOf(err); err != nil && !isProblem {
		return time.Time{}, err
	}
	switch {
	case m.operation == nil && err == nil && again.IsZero():
		return r.bring(ctx)
	case m.operation == nil:
		return again, err
	}
	// A Spec that has changed meanwhile does not wait for the end, which may be hours
	// away. ARM takes it, or says that it is busy.
	request, problem := r.request(ctx)
	if problem != nil {
		return again, err
	}
	digest, _, known, problem := r.digest(ctx, request, m.pending.Key)
	if problem != nil || !known || digest == m.pending.Digest {
		return again, err
	}
	if p, isProblem := problemOf(err); isProblem {
		if err := r.report(ctx, p); err != nil {
			return time.Time{}, err
		}
	}
	sooner, err := r.bring(ctx)
	if m.operation != nil && (sooner.IsZero() || m.due.Before(sooner)) {
		sooner = m.due
	}
	return sooner, err
}

// bring sends what the Spec says, unless ARM has it.
func (r *run) bring(ctx context.Context) (again time.Time, err error) {
	request, err := r.request(ctx)
	if err != nil {
		return time.Time{}, err
	}
	if s := r.sent; s.MayExist() && !arm.SameID(s.ID, request.ID) {
		p := &problem{reason: ReasonIDChanged, stalled: true, message: fmt.Sprintf(
			"the Spec now means %s, but this object made %s: set azureName and owner back, or delete the object and create another",
			request.ID, s.ID)}
		if !r.confirmed {
			p = unconfirmed(s.ID, "the Spec means "+request.ID+": if that is right, remove the annotation")
		}
		return time.Time{}, p
	}
	credential, err := r.credentialFor(ctx, r.object, r.look)
	if err != nil {
		return time.Time{}, err
	}
	if err := r.free(ctx, request.ID); err != nil {
		return time.Time{}, err
	}
	if err := r.alone(ctx, request); err != nil {
		return time.Time{}, err
	}
	if r.sent.MayExist() && !r.confirmed {
		if again, err := r.confirm(ctx, credential, request); err != nil || !again.IsZero() {
			return again, err
		}
	}
	if s := r.sent; s != nil && s.Previous != "" {
		if err := r.letGo(ctx, s.Previous); err != nil {
			return time.Time{}, err
		}
		next := *s
		next.Previous = ""
		if err := r.writeRecord(ctx, &next); err != nil {
			return time.Time{}, err
		}
	}
	absent := false
	if s := r.sent; s != nil && s.Phase == record.Accepted {
		digest, _, known, err := r.digest(ctx, request, s.Key)
		if err != nil {
			return time.Time{}, err
		}
		same := known && digest == s.Digest
		if r.resends = same && r.resendDue(); same && !r.resends {
			changed, err := r.heirless(ctx, request)
			if err != nil {
				return time.Time{}, err
			}
			if r.kind.isElement && !changed {
				if changed, absent, again, err = r.compare(ctx, credential, request); err != nil || !again.IsZero() {
					return again, err
				}
			}
			if !changed && !absent {
				if again, absent, err = r.refresh(ctx, credential, request); !absent {
					return again, err
				}
			}
		}
	}
	if absent {
		err := r.report(ctx, &problem{reason: ReasonNotFound, message: request.ID + " is gone, and is made again"})
		if err != nil {
			return time.Time{}, err
		}
	}
	return r.send(ctx, credential, request, absent)
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
