package reconcile

import (
	"context"
	"net/http"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// put sends the resource, unless ARM's limits or the family hold it back.
func (r *run) put(ctx context.Context, how decide.Put) (again time.Time, err error) {
	request, with, m, s := r.request, r.with, &r.memory.known, r.sent
	if how.Absent {
		err := r.report(ctx, &problem{reason: ReasonNotFound, message: request.ID + " is gone, and is made again"})
		if err != nil {
			return time.Time{}, err
		}
	}
	digest, key, _, err := r.digest(ctx, request, "")
	if err != nil {
		return time.Time{}, err
	}
	put := client.Request{
		ID: request.ID, APIVersion: request.APIVersion, Body: request.Body,
		Secrets: client.NewSecrets(r.refs.secrets...), Tenant: r.object.GetNamespace(),
	}
	if s != nil && s.Phase == record.Sending && r.confirmed && !m.Sent && r.now.Before(s.Time.Add(stateLimit)) {
		// ARM may be at work on what another instance has sent, and refuse it meanwhile.
		answer, again, err := r.readFirst(ctx, request.ID, request.APIVersion, true)
		if err != nil || !again.IsZero() {
			return again, err
		}
		if answer != nil && answer.Progress == client.AtWork {
			return r.now.Add(r.jitter(atWorkAgain, r.now)), &problem{reason: ReasonInProgress,
				message: "ARM is at work on what another instance of the operator has sent: " + answer.State}
		}
	}
	if again := r.op.turns.take(r.families(request.ID), r.ref, r.now); !again.IsZero() {
		return again, nil
	}
	before, err := r.goesOnFrom(ctx, request.ID)
	if err != nil {
		return time.Time{}, err
	}
	next := r.nextRecord(how)
	next.Digest, next.Key = digest, key
	next.Keep(before)
	var listed map[string][]string
	var seen looks
	if len(request.Collections) > 0 {
		if listed, seen, again, err = r.withChildren(ctx, &put, next, before); err != nil || !again.IsZero() {
			return again, err
		}
		next.Unchecked = before.Unchecked || len(seen) > 0
	}
	// What is not sent, as the family is busy, takes no place from others.
	if wait := with.Reserve(ctx, http.MethodPut, &put); wait > 0 && how.Resend {
		return r.now.Add(wait), nil
	} else if wait > 0 {
		// Nothing is noted, or thousands that wait would keep the API server busy.
		return r.now.Add(wait), &problem{reason: ReasonThrottled, message: client.Limited}
	}
	if with.Secret != "" {
		// Before the Secret has a finalizer for it, or nobody would take that away
		// if the operator stopped in between and the object went.
		if err := r.update(ctx, hold); err != nil {
			return time.Time{}, err
		}
	}
	unsigned := ""
	if s != nil && !r.confirmed {
		unsigned = r.object.GetAnnotations()[annotation.Sent]
	}
	if err := r.note(ctx, next); err != nil {
		return time.Time{}, err
	}
	m.Wrote, m.Sent = r.now, true
	answer, err := with.Put(ctx, put)
	if e, ok := client.AsError(err); ok && e.DidNothing() {
		if unsigned != "" {
			err = r.writeUnsigned(ctx, s, unsigned)
		} else {
			next.Phase, next.Inline, next.Unchecked = record.Refused, before.Inline, before.Unchecked
			err = r.writeRecord(ctx, next)
		}
		if err != nil {
			return time.Time{}, err
		}
		r.giveUp()
		return r.refused(e, digest)
	}
	r.noteLooks(before.Unchecked, seen)
	if err != nil {
		return r.refused(err, digest)
	}
	done := *next
	done.Inline = listed
	if m.Put.Tried != digest { // or an operation that fails would go on with the waits of the Spec before
		m.Put.Failures = 0
	}
	m.Put.Tried, m.Put.Next, m.Operation = digest, time.Time{}, decide.Operation{Pending: &done}
	if answer.Operation != nil {
		return r.begun(answer.Operation)
	}
	if err := r.noteAccepted(ctx); err != nil {
		return time.Time{}, err
	}
	if again, err = r.show(ctx, answer); err == nil && again.IsZero() && r.sent.Unchecked {
		again = r.now // to look at the children
	}
	return again, err
}

// atWorkAgain is how long to wait before looking again whether ARM is at work.
const atWorkAgain = 20 * time.Second

// nextRecord returns the record of a PUT, which lacks the digest.
func (r *run) nextRecord(how decide.Put) *record.Record {
	next := &record.Record{Phase: record.Sending, UID: r.object.GetUID(), Generation: r.object.GetGeneration(),
		Time: r.now.UTC().Truncate(time.Second), ID: r.request.ID, Credential: r.with.Secret, Attempt: 1}
	if s := r.sent; s != nil && r.confirmed {
		next.Exists, next.Attempt, next.Maybe = s.Exists && !how.Absent, s.Attempt+1, s.Maybe || s.Phase == record.Sending
		if s.Credential != next.Credential {
			next.Previous = s.Credential
		}
	}
	return next
}

// goesOnFrom returns the record that the one of a PUT to an id goes on from: the object's
// own, or the one that it had before it was restored from a backup, or an empty one.
func (r *run) goesOnFrom(ctx context.Context, id string) (_ *record.Record, err error) {
	before := r.sent
	if before == nil {
		if before, err = r.op.keys.Restored(ctx, r.object); err != nil {
			return nil, err
		}
	} else if !r.confirmed {
		before = nil
	}
	if before == nil || !arm.SameID(before.ID, id) {
		return new(record.Record), nil
	}
	return before, nil
}

// hold adds the finalizer.
func hold(object resource) error {
	controllerutil.AddFinalizer(object, annotation.ResourceFinalizer)
	return nil
}

// note takes the claim of the id, and writes what is about to be sent, with the
// finalizer and the reference to the owner, in one write, which fails if the object has
// changed.
func (r *run) note(ctx context.Context, next *record.Record) (err error) {
	if err := r.claim(ctx, next.ID); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			r.giveUp()
		}
	}()
	unlock, err := r.op.credentials.Hold(ctx, r.object.GetNamespace(), r.with)
	if err != nil {
		return err
	}
	defer unlock()
	version, old := r.request.APIVersion, r.object.GetAnnotations()[annotation.SentAPIVersion]
	err = r.adopt(ctx, func(object resource) error {
		controllerutil.AddFinalizer(object, annotation.ResourceFinalizer)
		if err := r.op.keys.Write(ctx, next, object); err != nil {
			return err
		}
		object.GetAnnotations()[annotation.SentAPIVersion] = version
		return nil
	})
	if err != nil {
		return err
	}
	r.sent, r.confirmed = next, true
	r.memory.held = []string{next.Credential, next.Previous}
	if old != "" && old != version {
		r.op.events.Eventf(r.object, nil, corev1.EventTypeNormal, ReasonAPIVersionChanged, "Reconcile",
			"the operator speaks to ARM in API version %s from now on, before it was %s", version, old)
	}
	return nil
}

// adopt changes the object, and sets the reference to the owner besides, under a lock with
// which an owner that leaves its resource in ARM removes the references to itself.
func (r *run) adopt(ctx context.Context, change func(resource) error) error {
	if owner := r.refs.owner; owner != nil {
		defer r.op.locks.Lock(owner.GetUID())()
	}
	err := r.update(ctx, func(object resource) error {
		if to := r.ownerReference(ctx); to != nil {
			object.SetOwnerReferences(append(object.GetOwnerReferences(), *to))
		}
		return change(object)
	})
	r.seen.Orphan = r.seen.Orphan && err != nil
	return err
}

// ownerReference returns the reference to the owner, if the object lacks it, or nil.
func (r *run) ownerReference(ctx context.Context) *metav1.OwnerReference {
	if r.refs.owner == nil {
		return nil
	}
	uid := r.refs.owner.GetUID()
	if slices.ContainsFunc(r.object.GetOwnerReferences(), func(o metav1.OwnerReference) bool { return o.UID == uid }) {
		return nil
	}
	k := r.refs.ownerKind
	current := k.new()
	if r.op.get(ctx, k, ctrlclient.ObjectKeyFromObject(r.refs.owner), current) != nil ||
		current.GetUID() != uid || !current.GetDeletionTimestamp().IsZero() {
		return nil
	}
	return &metav1.OwnerReference{APIVersion: k.servedVersion(), Kind: k.Kind, Name: current.GetName(), UID: uid}
}

// noteAccepted notes that ARM has done what it was sent.
func (r *run) noteAccepted(ctx context.Context) error {
	m := &r.memory.known
	next := *m.Operation.Pending
	next.Phase, next.Exists = record.Accepted, true
	m.Put, m.Reads.Last = decide.Attempts{}, time.Time{} // to be read
	r.shown(next.ID)
	if r.op.harmed.remove(r.ref) {
		r.op.changed(r.ref)
	}
	return r.writeRecord(ctx, &next)
}

// refused decides when a refused PUT is sent again.
func (r *run) refused(err error, digest string) (again time.Time, _ error) {
	e, ok := client.AsError(err)
	if !ok {
		return time.Time{}, err
	}
	// An operation may end after the Spec can no longer be sent.
	if spec, err := conversion.GetVersionedSpec(r.object, r.op.scheme); err == nil {
		if hook, ok := spec.(ErrorClassifier); ok {
			e.Class = hook.ClassifyError(e)
		}
	}
	p := refusal(e, r.with.Name())
	m := &r.memory.known.Put
	if m.Tried != digest {
		m.Failures = 0
	}
	switch e.Class {
	case client.NotSent:
		return r.now.Add(decide.FirstRetry), nil
	case client.Throttled:
		// The request says nothing about its content.
		m.Next = r.now.Add(r.jitter(e.RetryAfter, r.now))
	case client.Invalid:
		m.Next = r.turn(r.op.options.Refresh)
	default:
		m.Failures++
		m.Next = r.now.Add(max(e.RetryAfter, r.backoff(m.Failures)))
		p.lasts(e, m.Failures, m.Code)
	}
	m.Tried, m.Refusal, m.Code = digest, p, e.Code
	return m.Next, m.Refusal
}
