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
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// AfterReader is a Status with a hook that reads more from an answer than the tags of its fields say.
type AfterReader interface {
	AfterRead(ctx context.Context, body []byte) error
}

// shownAnswer describes the answer of ARM that the Status shows. While the resource has the
// same ETag, and nobody has written the object, there is nothing new.
type shownAnswer struct {
	etag, url, resourceVersion string
	at                         time.Time
}

// etagTrust is how long an ETag is used. Each service decides what an ETag covers, and may
// leave out what a Status has.
const etagTrust = 24 * time.Hour

// reading reads the resource of an object into its Status.
type reading struct{ *run }

// readDue reads the resource because a refresh is due or the object is not ready. If ARM has it no longer, the
// reconcile goes on.
func (r reading) readDue(ctx context.Context) decide.Outcome {
	o := r.refresh(ctx, decide.Recreate)
	if _, isSet := o.At(); o.Ends() && o.Cause() == nil && !isSet && r.sent.Unchecked && !r.memory.children.IsCompared() {
		return decide.ComeBack(r.now.Add(decide.FirstRetry)) // to compare the children
	}
	return o
}

// refresh reads the resource. If ARM does not have it, with the proof that the use takes, refresh notes that, and the
// reconcile goes on.
func (r reading) refresh(ctx context.Context, use decide.Use) decide.Outcome {
	m := &r.memory.known
	etag := ""
	if w := r.memory.shown; !m.Wanted && isReady(r.object) && w.url == r.request.URL() &&
		w.resourceVersion == r.object.GetResourceVersion() && r.now.Sub(w.at) < etagTrust {
		etag = w.etag
	}
	answer, err := r.read(ctx, r.request.ID, r.request.APIVersion, etag)
	if err == nil && answer.Status == http.StatusNotModified {
		o := delivery{r.run}.deliver(ctx, true)
		if !o.Ends() {
			r.noteShown()
		}
		return stopAfterDelivery(o)
	}
	r.memory.shown = shownAnswer{}
	if err == nil {
		o := r.show(ctx, answer, true)
		if o.Cause() == nil {
			r.memory.shown = shownAnswer{answer.ETag, r.request.URL(), r.object.GetResourceVersion(), r.now}
		}
		return o
	}
	e, ok := client.AsError(err)
	if !ok {
		return decide.Stop(err)
	}
	if !saysGone(e) {
		return comeBack(r.countARMRefusal(decide.GetRequest, e, true))
	}
	proven, again := r.isAbsent(ctx, e, decide.GetRequest, use, r.request.ID, r.request.APIVersion)
	switch {
	case proven:
		m.Happened(decide.Answered)
		r.found.Absent, r.absent = true, true
		return decide.GoOn()
	case r.mayBeHidden():
		return r.postpone(decide.GetRequest, again).Because(&problem.Problem{
			Reason: ReasonNotVisible, Message: "ARM has made the resource, and does not show it yet"})
	}
	return r.postpone(decide.GetRequest, again)
}

// noteShown notes that the Status shows what ARM has, and that the outputs are written.
func (r reading) noteShown() {
	r.memory.known.Read, r.memory.known.Wanted = r.now, false
	r.memory.known.Happened(decide.Shown)
}

// show writes ARM's answer to the Status, and sets Ready when the outputs are there. isGet reports whether it is the
// answer to a GET, which shows what ARM has.
func (r reading) show(ctx context.Context, answer *client.Answer, isGet bool) decide.Outcome {
	m := &r.memory.known
	if answer.Body != nil {
		if err := r.decode(ctx, answer.Body); err != nil {
			next, _ := r.countRefusal(decide.GetRequest, decide.Refusal{Kind: decide.Unreadable})
			return decide.ComeBack(next).Because(&problem.Problem{Reason: ReasonUnreadable, Stalled: true, Message: err.Error()})
		}
	}
	switch answer.Progress {
	case client.AtWork:
		next, _ := r.countRefusal(decide.GetRequest, decide.Refusal{Kind: decide.Unfinished, Age: r.now.Sub(m.Wrote)})
		return decide.ComeBack(next).Because(&problem.Problem{Reason: ReasonInProgress, Message: "ARM is at work: " + answer.State})
	case client.EndedBadly:
		m.Happened(decide.Answered)
		m.Read = r.now
		return decide.Stop(&problem.Problem{Reason: ReasonFailedInARM, Stalled: true,
			Message: "the last change of the resource, whoever made it, ended as " + answer.State +
				"; a change of the Spec sends it again"})
	}
	var again time.Time
	if isGet {
		var err error
		if again, err = (drift{r.run}).compare(ctx, answer.Body); err != nil {
			return decide.Stop(err)
		}
	} else {
		drift{r.run}.notCompared()
	}
	if o := (delivery{r.run}).deliver(ctx, true); o.Ends() {
		return o
	}
	r.noteShown()
	if r.contested != nil {
		return decide.Stop(r.contested)
	}
	if err := r.report(ctx, nil); err != nil || r.found.Drifted {
		r.probed, r.found.Probed = answer, true
		return decide.GoOnUnless(err)
	}
	if m.Wanted = !again.IsZero(); m.Wanted {
		return decide.ComeBack(again)
	}
	return decide.Stop(nil)
}

// decode decodes a body into the Status. The conditions and the observed generation stay.
func (r reading) decode(ctx context.Context, body []byte) error {
	status, err := conversion.NewEmptyVersionedStatus(r.object, r.op.scheme)
	if err != nil {
		return err
	}
	ignored, err := arm.Decode(body, status)
	if err != nil {
		return err
	}
	// Some services leave out the id, always or sometimes, or change its spelling between
	// answers. Neither is a change that has to be written.
	if id := kinds.FieldOf[*string](status, "Id"); id != nil {
		shown := kinds.FieldOf[*string](r.object.GetStatus(), "Id")
		switch {
		case *id == nil:
			*id = &r.request.ID
		case shown != nil && *shown != nil && arm.SameID(**id, **shown):
			*id = *shown
		}
	}
	if hook, ok := status.(AfterReader); ok {
		if err := hook.AfterRead(ctx, body); err != nil {
			return errors.New(hiddenTexts(body, status).Remove(err.Error()))
		}
	}
	conditions, observed := *kinds.ConditionsOf(r.object), *kinds.ObservedGenerationOf(r.object)
	defer func() {
		*kinds.ConditionsOf(r.object), *kinds.ObservedGenerationOf(r.object) = conditions, observed
		r.reportMisfits(ignored.Misfits)
	}()
	return r.object.SetStatus(status)
}

// reportMisfits sets the condition that names the properties which the Status lacks because of
// their types. That is not a failure: only the service can mend it, and the request was not wrong.
func (r reading) reportMisfits(all []arm.Misfit) {
	const most = 10
	var properties, texts []string
	for _, m := range all {
		if !slices.Contains(properties, m.Property) {
			properties = append(properties, m.Property)
			texts = append(texts, m.String())
			r.op.metrics.countMisfit(r.kind, m.Property)
		}
	}
	if len(texts) == 0 {
		meta.RemoveStatusCondition(kinds.ConditionsOf(r.object), StatusIncomplete)
		return
	}
	if rest := len(texts) - most; rest > 0 {
		texts = append(texts[:most], fmt.Sprintf("and %d more", rest))
	}
	message := fmt.Sprintf("ARM answers these with other types than its API version %s has, and the Status lacks them: %s",
		r.request.APIVersion, strings.Join(texts, "; "))
	meta.SetStatusCondition(kinds.ConditionsOf(r.object), metav1.Condition{
		Type: StatusIncomplete, Status: metav1.ConditionTrue, Reason: ReasonOtherTypes, ObservedGeneration: r.object.GetGeneration(),
		Message: limit(client.NewSecrets(r.resolver.secrets...).Remove(message))})
}

// hiddenTexts returns the strings of an answer that are not in the Status. ARM may send back a
// secret, even one that is no longer in any Secret.
func hiddenTexts(body []byte, status any) client.Secrets {
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

// observe keeps the Status up to date, and writes nothing to ARM.
func (r reading) observe(ctx context.Context) decide.Outcome {
	m := &r.memory.known
	if m.Operation.Current != nil {
		m.Operation.Current = nil // it ends without the operator
		m.Read = time.Time{}
	}
	if err := r.prepareObserving(ctx); err != nil {
		return decide.Stop(err)
	}
	switch action := r.state().Reading().(type) {
	case decide.Wait:
		return action.Outcome
	case decide.Deliver:
		return stopAfterDelivery(delivery{r.run}.deliver(ctx, false))
	}
	o := r.refresh(ctx, decide.Report)
	if r.found.Absent {
		m.Read = r.now
		return decide.Stop(&problem.Problem{
			Reason: ReasonNotFound, Stalled: true,
			Message: r.request.ID + " does not exist, and with the policy skip the operator does not create it",
		})
	}
	return o
}

// prepareObserving finds the id of the resource and the credential to read it with.
func (r reading) prepareObserving(ctx context.Context) error {
	spec, err := r.spec()
	if err != nil {
		return err
	}
	id, err := arm.ID(ctx, spec, r.object.GetName(), r.resolver)
	if err != nil {
		return specProblem(err)
	}
	if err := r.op.cluster.Namespaces.Permit(r.name.Namespace, id, nil); err != nil {
		return err
	}
	if r.credential, err = r.op.credentialFor(ctx, r.object, r.resolver.dependOn); err != nil {
		return err
	}
	r.request = &arm.Request{ID: id, Resource: spec.ARMResource()}
	return r.updateWithOwner(ctx, addFinalizer)
}
