package reconcile

import (
	"context"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// send puts the resource, unless it is too early. absent reports whether ARM has the
// resource no longer.
func (r *run) send(ctx context.Context, with *credential, request *arm.Request, absent bool) (again time.Time, err error) {
	digest, key, _, err := r.digest(ctx, request, "")
	if err != nil {
		return time.Time{}, err
	}
	m, s := r.memory, r.sent
	if m.tried == digest && r.now.Before(m.next) {
		if m.refusal == nil {
			return m.next, nil
		}
		return m.next, m.refusal
	}
	if until := r.outcome(); r.now.Before(until) {
		before, _, known, err := r.digest(ctx, request, s.Key)
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
	unlock, ok := r.lockFamily(request.ID)
	if !ok {
		return r.now.Add(familyBusy), nil
	}
	defer unlock()
	next := &record.Record{Phase: record.Sending, UID: r.object.GetUID(), Generation: r.object.GetGeneration(),
		Digest: digest, Key: key, ID: request.ID, Credential: with.Secret, Attempt: 1, Writes: 1}
	if s != nil {
		next.Exists, next.Attempt, next.Maybe = s.Exists && !absent, s.Attempt+1, s.Maybe || s.Phase == record.Sending
		next.Writes = s.Writes + 1
		if s.Credential != next.Credential {
			next.Previous = s.Credential
		}
	}
	var listed, before map[string][]string
	if len(request.Collections) > 0 {
		if s != nil {
			before = s.Inline
		}
		if listed, again, err = r.withChildren(ctx, with, request, &put, next); err != nil || !again.IsZero() {
			return again, err
		}
	}
	if r.kind.isElement {
		if _, next.Parent, err = r.parent(ctx, request.ID); err != nil {
			return time.Time{}, err
		}
		if next.Parent == 0 {
			next.Parent = -1 // there is no such object yet
		}
	}
	if with.Secret != "" {
		// Before the Secret has a finalizer for it, or nobody would take that away
		// if the operator stopped in between and the object went.
		if err := r.hold(ctx); err != nil {
			return time.Time{}, err
		}
	}
	if err := r.note(ctx, with, next, request.APIVersion); err != nil {
		return time.Time{}, err
	}
	m.wrote, m.sent = r.now, true
	if r.kind.hasElements {
		r.writes.set(request.ID, next.Writes)
	}
	answer, err := with.Put(ctx, put)
	if e, ok := client.AsError(err); ok && e.DidNothing() {
		next.Phase, next.Inline, next.Writes = record.Refused, before, next.Writes-1
		if r.kind.hasElements {
			r.writes.set(request.ID, next.Writes)
		}
		if err := r.writeRecord(ctx, next); err != nil {
			return time.Time{}, err
		}
		r.giveUp()
	}
	if err != nil {
		return r.refused(err, with, digest)
	}
	done := *next
	done.Inline = listed
	m.tried, m.next, m.pending, m.operation, m.polls = digest, time.Time{}, &done, nil, 0
	if answer.Operation != nil {
		return r.begun(ctx, answer.Operation)
	}
	if state := client.ProvisioningState(answer.Body); client.IsFailure(state) {
		return r.refused(&client.Error{Class: client.Retriable, Failed: true, Code: "Operation" + state,
			Message: "ARM took the PUT, and the resource is " + state}, with, digest)
	}
	if err := r.noteAccepted(ctx); err != nil {
		return time.Time{}, err
	}
	return r.show(ctx, with, request, answer.Body)
}

// outcome returns until when a PUT may be under way that another instance handed
// over, before it was stopped or frozen. Until then nothing else is sent, or ARM
// might get the older content last.
func (r *run) outcome() time.Time {
	if r.sent == nil || r.sent.Phase != record.Sending || r.memory.sent {
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

// note takes the claim of the id, and writes what is about to be sent, with the
// finalizer and the reference to the owner, in one write, which fails if the object has
// changed.
func (r *run) note(ctx context.Context, with *credential, next *record.Record, version string) (err error) {
	if err := r.claim(ctx, next.ID); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			r.giveUp()
		}
	}()
	unlock, err := r.credentials.Hold(ctx, r.object.GetNamespace(), with)
	if err != nil {
		return err
	}
	defer unlock()
	before := r.object.DeepCopyObject().(resource)
	controllerutil.AddFinalizer(r.object, annotation.ResourceFinalizer)
	unlockOwner := r.refer(ctx)
	defer unlockOwner()
	if err := r.keys.Write(ctx, next, r.object); err != nil {
		return err
	}
	old := r.object.GetAnnotations()[annotation.SentAPIVersion]
	r.object.GetAnnotations()[annotation.SentAPIVersion] = version
	if err := r.patch(ctx, before); err != nil {
		return err
	}
	r.sent, r.confirmed = next, true
	r.memory.held = []string{next.Credential, next.Previous}
	if old != "" && old != version {
		r.events.Eventf(r.object, nil, corev1.EventTypeNormal, "APIVersionChanged", "Reconcile",
			"the operator speaks to ARM in API version %s from now on, before it was %s", version, old)
	}
	return nil
}

// refer sets the reference to the owner, under a lock with which an owner that
// leaves its resource in ARM removes the references to itself.
func (r *run) refer(ctx context.Context) (unlock func()) {
	if r.owner == nil {
		return func() {}
	}
	unlock = r.locks.Lock(r.owner.GetUID())
	current := r.ownerKind.new()
	if r.reader.Get(ctx, ctrlclient.ObjectKeyFromObject(r.owner), current) != nil ||
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

// noteAccepted notes that ARM has done what it was sent.
func (r *run) noteAccepted(ctx context.Context) error {
	m := r.memory
	next := *m.pending
	next.Phase, next.Exists = record.Accepted, true
	m.tried, m.refusal, m.failures, m.next = "", nil, 0, time.Time{}
	m.read = time.Time{} // to be read
	return r.writeRecord(ctx, &next)
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
	if _, isOfCredential := problemOf(e); isOfCredential {
		e.Class = client.Retriable // nobody tells when the API server gives a token
	}
	switch e.Class {
	case client.NotSent:
		return r.now.Add(firstRetry), nil
	case client.Throttled:
		// The request says nothing about its content.
		m.next = r.now.Add(r.jitter(e.RetryAfter, r.now))
	case client.Invalid, client.Unauthorized:
		m.next = r.next(r.options.Refresh)
	default:
		m.failures++
		m.next = r.now.Add(max(e.RetryAfter, r.backoff(m.failures)))
	}
	m.tried, m.refusal = digest, refusal(e, with.Name())
	return m.next, m.refusal
}
