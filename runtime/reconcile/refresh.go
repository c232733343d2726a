package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
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

// refreshDue reports whether a time to read the resource has come since it was
// read.
func (r *run) refreshDue() bool {
	return r.memory.read.IsZero() || r.next(r.options.Refresh).Add(-r.options.Refresh).After(r.memory.read)
}

// refresh reads the resource if it is time, or if the Status does not say how it
// is. It returns absent if there is no such resource.
func (r *run) refresh(ctx context.Context, with *credential, request *arm.Request) (again time.Time, absent bool, err error) {
	m := r.memory
	if isReady(r.object) && !r.refreshDue() {
		again, _, err = r.deliver(ctx, with, request, false)
		return again, false, err
	}
	if r.now.Before(m.nextRead) {
		return m.nextRead, false, nil
	}
	etag := ""
	if w := m.whole; isReady(r.object) && w.url == request.URL() && w.resourceVersion == r.object.GetResourceVersion() &&
		r.now.Sub(w.at) < wholeAgain {
		etag = w.etag
	}
	answer, err := r.read(ctx, with, request.ID, request.APIVersion, etag)
	if err == nil && answer.Status == http.StatusNotModified {
		again, done, err := r.deliver(ctx, with, request, true)
		if done {
			m.read, m.reads, m.nextRead = r.now, 0, time.Time{}
		}
		return again, false, err
	}
	m.whole = whole{}
	if err == nil {
		if again, err = r.show(ctx, with, request, answer.Body); err == nil {
			m.whole = whole{answer.ETag, request.URL(), r.object.GetResourceVersion(), r.now}
		}
		return again, false, err
	}
	e, ok := client.AsError(err)
	if !ok {
		return time.Time{}, false, err
	}
	if e.Gone() && r.now.Sub(m.wrote) > visible {
		m.reads = 0
		return time.Time{}, true, nil
	}
	m.reads++
	m.nextRead = r.now.Add(max(e.RetryAfter, r.backoff(m.reads)))
	switch {
	case e.Gone():
		m.nextRead = r.now.Add(r.jitter(firstRetry, r.now))
		return m.nextRead, false, &problem{reason: ReasonNotVisible, message: "ARM has made the resource, and does not show it yet"}
	case e.Class == client.NotSent, e.Class == client.Throttled:
		return m.nextRead, false, nil
	case isReady(r.object) && m.reads < 5 && (e.Class == client.Unknown || e.Class == client.Retriable):
		return m.nextRead, false, nil // nothing is known to be wrong
	}
	return m.nextRead, false, refusal(e, with.Name())
}

// read reads the resource, unless it still has the ETag, or asks whether it exists if
// it cannot be read. HEAD is for nothing else: it costs as much of ARM's limits as GET,
// and does not say what has changed.
func (r *run) read(ctx context.Context, with *credential, id, version, etag string) (*client.Answer, error) {
	request := client.Request{ID: id, APIVersion: version, Tenant: r.object.GetNamespace(), IfNoneMatch: etag}
	answer, err := with.Get(ctx, request)
	if e, ok := client.AsError(err); ok && e.Status == http.StatusMethodNotAllowed {
		return &client.Answer{}, with.Head(ctx, request)
	}
	return answer, err
}

// show makes the Status of what ARM has, and Ready, when the outputs are there.
func (r *run) show(ctx context.Context, with *credential, request *arm.Request, body []byte) (again time.Time, err error) {
	m := r.memory
	if body != nil {
		if err := r.decode(ctx, body); err != nil {
			m.reads++
			m.nextRead = r.now.Add(r.backoff(m.reads))
			return m.nextRead, &problem{reason: ReasonUnreadable, stalled: true, message: err.Error()}
		}
	}
	switch state := client.ProvisioningState(body); {
	case client.AtWork(state):
		m.reads++
		wait := r.backoff(m.reads)
		if r.now.Sub(m.wrote) < stateLimit {
			wait = min(wait, time.Minute)
		}
		m.nextRead = r.now.Add(wait)
		return m.nextRead, &problem{reason: ReasonInProgress, message: "ARM is at work: " + state}
	case client.IsFailure(state):
		m.reads, m.read = 0, r.now
		return time.Time{}, &problem{reason: ReasonFailedInARM, stalled: true,
			message: "the last change of the resource, whoever made it, ended as " + state + "; a change of the Spec sends it again"}
	}
	if err := r.noteShown(ctx, body); err != nil {
		return time.Time{}, err
	}
	if again, done, err := r.deliver(ctx, with, request, true); !done {
		return again, err
	}
	m.read, m.reads, m.nextRead = r.now, 0, time.Time{}
	return time.Time{}, r.report(ctx, nil)
}

// decode reads a body into the Status. What the operator reports stays.
func (r *run) decode(ctx context.Context, body []byte) error {
	status, err := conversion.NewEmptyVersionedStatus(r.object, r.scheme)
	if err != nil {
		return err
	}
	if _, err := arm.Decode(body, status); err != nil {
		return err
	}
	if hook, ok := status.(AfterReader); ok {
		if err := hook.AfterRead(ctx, body); err != nil {
			return errors.New(unshown(body, status).Remove(err.Error()))
		}
	}
	conditions, observed := *conditionsOf(r.object), *observedGenerationOf(r.object)
	defer func() { *conditionsOf(r.object), *observedGenerationOf(r.object) = conditions, observed }()
	return r.object.SetStatus(status)
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
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			if quoted, _ := json.Marshal(value); !bytes.Contains(shown, quoted) {
				all = append(all, value)
			}
		case []any:
			for _, v := range value {
				walk(v)
			}
		case map[string]any:
			for _, v := range value {
				walk(v)
			}
		}
	}
	for _, known := range []string{"id", "name", "type"} {
		delete(answer, known)
	}
	walk(answer)
	return client.NewSecrets(all...)
}

// watch keeps the Status up to date, and writes nothing to ARM.
func (r *run) watch(ctx context.Context) (again time.Time, err error) {
	if r.memory.operation != nil {
		r.memory.operation = nil // ARM ends it alone
		r.memory.read = time.Time{}
	}
	spec, err := r.spec()
	if err != nil {
		return time.Time{}, err
	}
	id, err := arm.ID(ctx, spec, r.object.GetName(), r.resolver)
	if err != nil {
		return time.Time{}, specProblem(err)
	}
	with, err := r.credentialFor(ctx, r.object, r.look)
	if err != nil {
		return time.Time{}, err
	}
	before := r.object.DeepCopyObject().(resource)
	controllerutil.AddFinalizer(r.object, annotation.ResourceFinalizer)
	unlock := r.refer(ctx)
	err = r.patch(ctx, before)
	unlock()
	if err != nil {
		return time.Time{}, err
	}
	again, absent, err := r.refresh(ctx, with, &arm.Request{ID: id, Resource: spec.ARMResource()})
	if absent {
		r.memory.read = r.now
		return time.Time{}, &problem{
			reason: ReasonNotFound, stalled: true, message: id + " does not exist, and the policy is not to make it",
		}
	}
	return again, err
}
