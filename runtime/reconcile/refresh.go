package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
)

// AfterReader is a Status that takes more from an answer than its tags say.
type AfterReader interface {
	AfterRead(ctx context.Context, body []byte) error
}

// whole is an answer of ARM that the object shows: as long as the resource has its
// ETag, and nobody has written the object since, there is nothing new.
type whole struct {
	etag, url, resourceVersion string
	at                         time.Time
}

// wholeAgain is for how long an ETag is believed. What it stands for is up to the
// service, which may leave out what a Status has.
const wholeAgain = 24 * time.Hour

// refresh reads the resource. If ARM has none, it is seen to be absent.
func (r *run) refresh(ctx context.Context) (again time.Time, err error) {
	m := &r.memory.known
	etag := ""
	if w := r.memory.whole; isReady(r.object) && w.url == r.request.URL() && w.resourceVersion == r.object.GetResourceVersion() &&
		r.now.Sub(w.at) < wholeAgain {
		etag = w.etag
	}
	answer, err := r.read(ctx, r.request.ID, r.request.APIVersion, etag)
	if err == nil && answer.Status == http.StatusNotModified {
		again, done, err := r.deliver(ctx, true)
		if done {
			m.Read(r.now)
		}
		return again, err
	}
	r.memory.whole = whole{}
	if err == nil {
		if again, err = r.show(ctx, answer); err == nil {
			r.memory.whole = whole{answer.ETag, r.request.URL(), r.object.GetResourceVersion(), r.now}
		}
		return again, err
	}
	e, ok := client.AsError(err)
	if !ok {
		return time.Time{}, err
	}
	switch {
	case r.isGone(e, r.request.ID):
		m.Reads.Failures, r.seen.Absent = 0, true
		return time.Time{}, nil
	case e.Gone() && r.notYetVisible():
		return r.readSoon(), &problem{reason: ReasonNotVisible, message: "ARM has made the resource, and does not show it yet"}
	case e.Gone():
		return r.readSoon(), nil
	}
	m.Reads.Failures++
	m.Reads.Next = r.now.Add(max(e.RetryAfter, r.backoff(m.Reads.Failures)))
	switch {
	case e.Class == client.NotSent, e.Class == client.Throttled:
		return m.Reads.Next, nil
	case isReady(r.object) && m.Reads.Failures < 5 && (e.Class == client.Unknown || e.Class == client.Retriable):
		return m.Reads.Next, nil // nothing is known to be wrong
	}
	return m.Reads.Next, refusal(e, r.with.Name())
}

// isGone reports whether an error shows that ARM has a resource no longer which it had, or may have
// had. A single 404 may be a mistake. So it takes two, some seconds apart, if ARM has not shown the
// resource in between, and none counts while ARM may not show yet what it has made. Whatever sends
// something because of a 404 asks this.
func (r *run) isGone(e *client.Error, id string) bool {
	m, key := r.memory, claims.Key(id)
	if !e.Gone() || r.notYetVisible() {
		return false
	}
	if first, found := m.missed[key]; found {
		return r.now.Sub(first) >= decide.FirstRetry
	}
	if m.missed == nil {
		m.missed = map[string]time.Time{}
	}
	m.missed[key] = r.now
	return false
}

// shown notes that ARM has a resource, or is at work on it.
func (r *run) shown(id string) { delete(r.memory.missed, claims.Key(id)) }

// notYetVisible reports whether ARM may not show yet what it has made, or is at work on.
func (r *run) notYetVisible() bool {
	m, s := &r.memory.known, r.sent
	return s != nil && (s.Exists || !r.confirmed || m.Operation.Is != nil) && r.now.Sub(m.Wrote) <= visible
}

// readSoon returns when to ask again whether ARM has a resource.
func (r *run) readSoon() time.Time {
	m := &r.memory.known.Reads
	m.Next = r.now.Add(decide.FirstRetry)
	return m.Next
}

// read reads the resource, unless it still has the ETag, or asks whether it exists if
// it cannot be read. HEAD is for nothing else: it costs as much of ARM's limits as GET,
// and does not say what has changed.
func (r *run) read(ctx context.Context, id, version, etag string) (*client.Answer, error) {
	request := client.Request{ID: id, APIVersion: version, Tenant: r.object.GetNamespace(), IfNoneMatch: etag}
	answer, err := r.with.Get(ctx, request)
	if e, ok := client.AsError(err); ok && e.Status == http.StatusMethodNotAllowed {
		answer, err = &client.Answer{}, r.with.Head(ctx, request)
	}
	if err == nil {
		r.shown(id)
	}
	return answer, err
}

// show makes the Status of what ARM has, and Ready, when the outputs are there.
func (r *run) show(ctx context.Context, answer *client.Answer) (again time.Time, err error) {
	m := &r.memory.known
	if answer.Body != nil {
		if err := r.decode(ctx, answer.Body); err != nil {
			m.Reads.Failures++
			m.Reads.Next = r.now.Add(r.backoff(m.Reads.Failures))
			return m.Reads.Next, &problem{reason: ReasonUnreadable, stalled: true, message: err.Error()}
		}
	}
	switch answer.Progress {
	case client.AtWork:
		m.Reads.Failures++
		wait := r.backoff(m.Reads.Failures)
		if r.now.Sub(m.Wrote) < stateLimit {
			wait = min(wait, time.Minute)
		}
		m.Reads.Next = r.now.Add(wait)
		return m.Reads.Next, &problem{reason: ReasonInProgress, message: "ARM is at work: " + answer.State}
	case client.EndedBadly:
		m.Reads.Failures, m.Reads.Last = 0, r.now
		return time.Time{}, &problem{reason: ReasonFailedInARM, stalled: true,
			message: "the last change of the resource, whoever made it, ended as " + answer.State + "; a change of the Spec sends it again"}
	}
	if again, done, err := r.deliver(ctx, true); !done {
		return again, err
	}
	m.Read(r.now)
	return time.Time{}, r.report(ctx, nil)
}

// decode reads a body into the Status. What the operator reports stays.
func (r *run) decode(ctx context.Context, body []byte) error {
	status, err := conversion.NewEmptyVersionedStatus(r.object, r.op.scheme)
	if err != nil {
		return err
	}
	ignored, err := arm.Decode(body, status)
	if err != nil {
		return err
	}
	// Some services leave it out, others sometimes, or spell it in one answer otherwise than in
	// the next: that is nothing new to write.
	if id := fieldOf[*string](status, "Id"); id != nil {
		shown := fieldOf[*string](r.object.GetStatus(), "Id")
		switch {
		case *id == nil:
			*id = &r.request.ID
		case shown != nil && *shown != nil && arm.SameID(**id, **shown):
			*id = *shown
		}
	}
	if hook, ok := status.(AfterReader); ok {
		if err := hook.AfterRead(ctx, body); err != nil {
			return errors.New(unshown(body, status).Remove(err.Error()))
		}
	}
	conditions, observed := *conditionsOf(r.object), *observedGenerationOf(r.object)
	defer func() {
		*conditionsOf(r.object), *observedGenerationOf(r.object) = conditions, observed
		r.tellMisfits(ignored.Misfits)
	}()
	return r.object.SetStatus(status)
}

// tellMisfits says which properties the Status lacks because of their types. That is no
// failure: nobody but the service can mend it, and what it was sent is not wrong.
func (r *run) tellMisfits(all []arm.Misfit) {
	const most = 10
	var properties, told []string
	for _, m := range all {
		if !slices.Contains(properties, m.Property) {
			properties = append(properties, m.Property)
			told = append(told, m.String())
			r.op.metrics.leaveOut(r.kind, m.Property)
		}
	}
	if len(told) == 0 {
		meta.RemoveStatusCondition(conditionsOf(r.object), StatusIncomplete)
		return
	}
	if rest := len(told) - most; rest > 0 {
		told = append(told[:most], fmt.Sprintf("and %d more", rest))
	}
	message := fmt.Sprintf("ARM answers these with other types than its API version %s has, and the Status lacks them: %s",
		r.request.APIVersion, strings.Join(told, "; "))
	meta.SetStatusCondition(conditionsOf(r.object), metav1.Condition{
		Type: StatusIncomplete, Status: metav1.ConditionTrue, Reason: ReasonOtherTypes, ObservedGeneration: r.object.GetGeneration(),
		Message: limit(client.NewSecrets(r.refs.secrets...).Remove(message))})
}

// unshown returns the texts of an answer that are not in the Status. ARM may send a
// secret back, also one that no Secret has any more.
func unshown(body []byte, status any) client.Secrets {
	var answer map[string]any
	shown, err := json.Marshal(status)
	if err != nil || json.Unmarshal(body, &answer) != nil {
		return client.NewSecrets(string(body))
	}
	var all []string
	add := func(text string) {
		if quoted, _ := json.Marshal(text); !bytes.Contains(shown, quoted) {
			all = append(all, text)
		}
	}
	var walk func(any, int)
	walk = func(value any, depth int) {
		switch value := value.(type) {
		case string:
			add(value)
		case []any:
			for _, v := range value {
				walk(v, depth+1)
			}
		case map[string]any:
			for name, v := range value {
				if depth > 1 { // below the properties, where a value of another type may be an object
					add(name)
				}
				walk(v, depth+1)
			}
		}
	}
	for _, known := range []string{"id", "name", "type"} {
		delete(answer, known)
	}
	walk(answer, 0)
	return client.NewSecrets(all...)
}

// watch keeps the Status up to date, and writes nothing to ARM.
func (r *run) watch(ctx context.Context) (again time.Time, err error) {
	m := &r.memory.known
	if m.Operation.Is != nil {
		m.Operation.Is = nil // ARM ends it alone
		m.Reads.Last = time.Time{}
	}
	spec, err := r.spec()
	if err != nil {
		return time.Time{}, err
	}
	id, err := arm.ID(ctx, spec, r.object.GetName(), r.refs)
	if err != nil {
		return time.Time{}, specProblem(err)
	}
	if err := r.op.permit(r.ref.Namespace, id, nil); err != nil {
		return time.Time{}, err
	}
	if r.with, err = r.op.credentialFor(ctx, r.object, r.refs.look); err != nil {
		return time.Time{}, err
	}
	if err := r.adopt(ctx, hold); err != nil {
		return time.Time{}, err
	}
	r.request = &arm.Request{ID: id, Resource: spec.ARMResource()}
	switch action := r.state().Reading().(type) {
	case decide.Wait:
		return action.Until, nil
	case decide.Deliver:
		again, _, err = r.deliver(ctx, false)
		return again, err
	}
	again, err = r.refresh(ctx)
	if r.seen.Absent {
		m.Reads.Last = r.now
		return time.Time{}, &problem{
			reason: ReasonNotFound, stalled: true, message: id + " does not exist, and the policy is not to make it",
		}
	}
	return again, err
}
