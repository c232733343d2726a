package reconcile

import (
	"context"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// ErrorClassifier is a Spec with a hook that classifies the refusals of its service.
type ErrorClassifier interface {
	ClassifyError(*client.Error) client.Class
}

// sending sends the resource of an object.
type sending struct{ *run }

// put sends the resource, unless ARM's limits or the family hold it back.
func (r sending) put(ctx context.Context, how decide.Put) decide.Outcome {
	if how.Correct {
		r.memory.known.Wanted = true // until it is sent
	}
	if how.Absent {
		message := r.request.ID + " no longer exists in ARM, and is created again"
		err := r.report(ctx, &problem.Problem{Reason: ReasonNotFound, Message: message})
		if err != nil {
			return decide.Stop(err)
		}
	}
	if o := r.awaitOther(ctx); o.Ends() {
		return o
	}
	if at := r.op.families.TakeTurn(r.name, r.kind, r.request.ID); !at.IsZero() {
		return decide.ComeBack(at)
	}
	s, o := r.prepareSending(ctx, how)
	if o.Ends() {
		return o
	}
	// Reserve last: a PUT that its family holds back takes no place from others.
	if wait := r.credential.Reserve(ctx, http.MethodPut, &s.Request); wait > 0 && how.Correct {
		return decide.ComeBack(r.now.Add(wait))
	} else if wait > 0 {
		// Write no record: thousands of waiting objects would keep the API server busy.
		return decide.ComeBack(r.now.Add(wait)).Because(&problem.Problem{Reason: ReasonThrottled, Message: client.Limited})
	}
	if r.credential.Secret != "" {
		// This comes before the Secret gets a finalizer for the object. Otherwise nobody would
		// remove that one if the operator stopped in between and the object was deleted.
		if err := r.update(ctx, addFinalizer); err != nil {
			return decide.Stop(err)
		}
	}
	if err := r.begin(ctx, s.Next); err != nil {
		return decide.Stop(err)
	}
	r.memory.known.Wrote, r.memory.known.Sent = r.now, true
	r.memory.drift.before = s.Before.Baseline
	if how.Correct {
		drift{r.run}.corrects()
	}
	answer, err := r.send(ctx, s)
	return r.handleAnswer(ctx, s, answer, err)
}

// outgoing is a PUT that is about to be sent.
type outgoing struct {
	family.Put
	digest string
	// oldRecord is the record before the PUT, and unsigned its text if it is not the operator's own, otherwise "".
	oldRecord *record.Record
	unsigned  string
	// exists reports whether ARM has the resource, though it has answered before the PUT that it does not.
	exists bool
}

// awaitOther waits while ARM is at work on a PUT of another instance, because ARM may refuse other PUTs meanwhile.
func (r sending) awaitOther(ctx context.Context) decide.Outcome {
	s := r.sent
	if s == nil || s.Phase != record.Sending || !r.confirmed || r.memory.known.Sent || !r.now.Before(s.Time.Add(stateLimit)) {
		return decide.GoOn()
	}
	answer, o := (host{r.run}).Read(ctx, decide.GetRequest, r.request.ID, r.request.APIVersion, decide.Report)
	if o.Ends() || answer == nil || answer.Progress != client.AtWork {
		return o
	}
	return decide.ComeBack(r.after(decide.AtWorkForOther)).Because(&problem.Problem{Reason: ReasonInProgress,
		Message: "ARM is at work on what another instance of the operator has sent: " + answer.State})
}

// prepareSending returns the PUT of the request, with the children that the PUT would delete if they were not in it.
func (r sending) prepareSending(ctx context.Context, how decide.Put) (*outgoing, decide.Outcome) {
	digest, key, _, err := r.digest(ctx, r.request, "")
	if err != nil {
		return nil, decide.Stop(err)
	}
	before, err := r.previousRecord(ctx, r.request.ID)
	if err != nil {
		return nil, decide.Stop(err)
	}
	s := &outgoing{digest: digest, oldRecord: r.sent, Put: family.Put{Before: before, Next: r.nextRecord(how), Request: client.Request{
		ID: r.request.ID, APIVersion: r.request.APIVersion, Body: r.request.Body,
		Secrets: client.NewSecrets(r.resolver.secrets...), Tenant: r.object.GetNamespace(), Auxiliary: r.auxiliary,
	}}}
	s.Next.Digest, s.Next.Key = digest, key
	if s.Next.Paths, err = (drift{r.run}).pathsWith(before); err != nil {
		return nil, decide.Stop(err)
	}
	if s.Next.Inputs, err = r.inputHashes(ctx, key); err != nil {
		return nil, decide.Stop(err)
	}
	if r.adopts { // what it takes over is what it has read
		s.IfMatch = r.probed.ETag
	}
	s.Next.Keep(before)
	if r.sent != nil && !r.confirmed {
		s.unsigned = r.object.GetAnnotations()[annotation.Sent]
	}
	if o := (adoption{r.run}).overlay(ctx, s); o.Ends() {
		return s, o
	}
	if how.Correct {
		if err := (drift{r.run}).clear(s); err != nil {
			return nil, decide.Stop(err)
		}
	}
	if o := r.keepIgnored(ctx, s); o.Ends() || len(r.request.Collections) == 0 {
		return s, o
	}
	return s, r.member().AddChildren(ctx, &s.Put)
}

// shownBefore returns what ARM shows of the resource before a PUT. If it shows nothing, because there is none or nobody
// can read it, the answer is nil and the reconcile goes on, or ends with the outcome.
func (r *run) shownBefore(ctx context.Context, s *outgoing) (*client.Answer, decide.Outcome) {
	if r.probed == nil && !r.found.Probed {
		answer, o := r.readFirst(ctx, decide.GetRequest, s.ID, s.APIVersion, decide.Report)
		if o.Ends() {
			return nil, o
		}
		r.probed, r.found.Probed = answer, true
	}
	if r.probed == nil || r.probed.Body == nil {
		return nil, decide.GoOn()
	}
	return r.probed, decide.GoOn()
}

// handleAnswer handles ARM's answer to a PUT.
func (r sending) handleAnswer(ctx context.Context, s *outgoing, answer *client.Answer, err error) decide.Outcome {
	m := &r.memory.known
	if e, ok := client.AsError(err); ok && e.DidNothing() {
		if err := r.restore(ctx, s); err != nil {
			return decide.Stop(err)
		}
		if s.exists && r.sent.Exists {
			return host{r.run}.Contradict(s.ID, "refuses to create it, because it exists")
		}
		return r.putRefused(e, s.digest) // if it exists, the next attempt shows whose it is
	}
	r.member().Sent(&s.Put)
	if err != nil {
		m.Operation = decide.Operation{} // ARM may be at work on this PUT by now, and no longer on an earlier one
		return r.putRefused(err, s.digest)
	}
	done := *s.Next
	done.Inline = s.Listed
	if m.Put.Digest != s.digest { // otherwise a failing operation would continue the delays of the previous Spec
		m.Happened(decide.Edited)
	}
	m.Put.Digest, m.Operation = s.digest, decide.Operation{Pending: &done}
	m.Postpone(decide.PutRequest, time.Time{})
	if answer.Operation != nil {
		return polling{r.run}.awaitOperation(answer.Operation)
	}
	r.noteAccepted()
	// What ARM answers to a PUT is often what it was sent, and not what it has made of it.
	read, err := r.read(ctx, s.ID, s.APIVersion, "")
	isRead := err == nil && read.Body != nil
	if r.found.Same, r.found.Probed, r.probed = true, isRead, read; isRead {
		answer = read
	}
	o := reading{r.run}.show(ctx, answer, isRead)
	switch _, isSet := o.At(); {
	case o.Cause() != nil || isSet || !r.sent.Unchecked:
		return o
	case isRead:
		return decide.GoOn() // to compare the children
	}
	return decide.ComeBack(r.now)
}

// restore writes the record after a PUT that changed nothing in ARM. If ARM has the resource after all, the record says
// what it said before.
func (r sending) restore(ctx context.Context, s *outgoing) error {
	if s.unsigned != "" {
		return r.writeUnsigned(ctx, s.oldRecord, s.unsigned)
	}
	s.Next.Phase, s.Next.Inline, s.Next.Unchecked = record.Refused, s.Before.Inline, s.Before.Unchecked
	s.Next.Paths, s.Next.Inputs = s.Before.Paths, s.Before.Inputs
	if s.oldRecord.MayExist() {
		s.Next.Time = s.oldRecord.Time
	}
	if s.exists && s.oldRecord != nil {
		s.Next.Phase, s.Next.Exists, s.Next.Maybe = s.oldRecord.Phase, s.oldRecord.Exists, s.oldRecord.Maybe
		s.Next.Digest, s.Next.Key, s.Next.Generation = s.oldRecord.Digest, s.oldRecord.Key, s.oldRecord.Generation
		s.Next.Baseline = s.oldRecord.Baseline
	}
	return r.writeRecord(ctx, s.Next)
}

// settle reads the resource of a record that is in doubt: a PUT of long ago may have created it, and ARM refuses
// the PUTs since. If ARM does not have it, or has created it later, the doubt is over, and the object holds no id.
func (r sending) settle(ctx context.Context) decide.Outcome {
	answer, o := r.readFirst(ctx, decide.GetRequest, r.sent.ID, r.request.APIVersion, decide.EndDoubt)
	if o.Ends() && o.Cause() == nil {
		return o
	}
	r.found.Settled = true
	if o.Ends() { // ARM refuses to tell, and the doubt stays
		return decide.GoOn()
	}
	if answer != nil {
		if _, later := r.sent.Predates(answer.Body); !later {
			r.doubt = fmt.Sprintf("; ARM has %s, and nobody knows whether from this object, whose PUT of %s had no answer: if it is "+
				"somebody else's, remove the annotation %s, otherwise mend what ARM refuses", r.sent.ID,
				r.sent.Maybe.Format(time.RFC3339), annotation.Sent)
			return decide.GoOn()
		}
	}
	next := *r.sent
	next.Maybe = time.Time{}
	return decide.GoOnUnless(r.writeRecord(ctx, &next))
}

// nextRecord returns the record of a PUT, without the digest.
func (r sending) nextRecord(how decide.Put) *record.Record {
	next := &record.Record{Phase: record.Sending, UID: r.object.GetUID(), Generation: r.object.GetGeneration(),
		Time: r.now.UTC().Truncate(time.Second), ID: r.request.ID, Credential: r.credential.Secret, Attempt: 1, Adopted: r.adopts}
	if s := r.sent; s != nil && r.confirmed {
		next.Exists, next.Attempt, next.Maybe = s.Exists && !how.Absent, s.Attempt+1, s.Maybe
		next.Adopted = next.Adopted || s.Adopted && !how.Absent
		if s.Phase == record.Sending && s.Maybe.IsZero() {
			next.Maybe = s.Time
		}
		if s.Credential != next.Credential {
			next.Previous = s.Credential
		}
	}
	return next
}

// previousRecord returns the record that the record of a PUT to an id continues: the object's
// own, or the one that it had before it was restored from a backup, or an empty one.
func (r sending) previousRecord(ctx context.Context, id string) (_ *record.Record, err error) {
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

// begin claims the id. Then it writes the record of what is about to be sent, the finalizer
// and the reference to the owner in one write, which fails if the object has changed.
func (r sending) begin(ctx context.Context, next *record.Record) error {
	if err := (claiming{r.run}).claim(ctx, next.ID); err != nil {
		return err
	}
	unlock, err := r.op.credentials.Hold(ctx, r.object.GetNamespace(), r.credential)
	if err != nil {
		return err
	}
	defer unlock()
	version, old := r.request.APIVersion, r.object.GetAnnotations()[annotation.SentAPIVersion]
	err = r.updateWithOwner(ctx, func(object kinds.Resource) error {
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
	r.hasWritten(next)
	r.memory.credentialSecrets = []string{next.Credential, next.Previous}
	if old != "" && old != version {
		r.op.cluster.Events.Eventf(r.object, nil, corev1.EventTypeNormal, ReasonAPIVersionChanged, "Reconcile",
			"the operator now uses API version %s in requests to ARM; before it was %s", version, old)
	}
	return nil
}

// noteAccepted notes that ARM has carried out the PUT. The record is written with what the next GET shows, or at the
// end of the reconcile.
func (r sending) noteAccepted() {
	m := &r.memory.known
	next := *m.Operation.Pending
	next.Phase, next.Exists, next.Maybe = record.Accepted, true, time.Time{}
	if next.Adopted && (r.sent == nil || !r.sent.Exists) { // nil if somebody has removed the record
		r.op.cluster.Events.Eventf(r.object, nil, corev1.EventTypeNormal, ReasonAdopted, "Reconcile",
			"%s was there before the object: %s", next.ID, r.memory.adoption)
	}
	m.Put, m.Read = decide.Attempt{}, time.Time{} // so that the resource is read
	m.Happened(decide.Accepted)
	r.noteExists(next.ID)
	r.acceptedOf, m.Operation.Current = m.Operation, nil
	r.sent, r.confirmed, r.accepted = &next, true, &next
}

// putRefused decides when a refused PUT is sent again.
func (r sending) putRefused(err error, digest string) decide.Outcome {
	e, ok := client.AsError(err)
	if !ok {
		return decide.Stop(err)
	}
	// When an operation ends, the Spec may no longer be valid: then there is no hook.
	if spec, err := conversion.GetVersionedSpec(r.object, r.op.scheme); err == nil {
		if hook, ok := spec.(ErrorClassifier); ok {
			e.Class = hook.ClassifyError(e)
		}
	}
	m := &r.memory.known
	if m.Put.Digest != digest {
		m.Happened(decide.Edited)
	}
	next, p := r.countARMRefusal(decide.PutRequest, e, false)
	if p != nil {
		p.Message += r.doubt
		m.Put = decide.Attempt{Digest: digest, Refusal: p}
	}
	return comeBack(next, p)
}
