package reconcile

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// adoption finds out whose resource is at the id of an object that is not known to have made it.
type adoption struct{ *run }

// probe reads the resource before the first PUT. If ARM has it, and not from the object, nothing is sent, unless the
// object is to take it over.
func (r adoption) probe(ctx context.Context) decide.Outcome {
	use := decide.FirstPut
	if r.sent.MayExist() {
		use = decide.Report // after a PUT without an answer
	}
	answer, o := r.readFirst(ctx, decide.ProbeRequest, r.request.ID, r.request.APIVersion, use)
	if o.Ends() {
		return o
	}
	r.found.Probed = true
	if r.probed = answer; answer == nil || r.isFromObject(answer.Body) {
		return decide.GoOn()
	}
	byOwner, err := r.isMadeByOwner(ctx)
	switch {
	case err != nil:
		return decide.Stop(err)
	case byOwner:
		return decide.GoOn()
	case r.policy().TakesOver():
		r.adopts = true
		return decide.GoOn()
	}
	return r.refuse(answer.Body)
}

// refuse returns the outcome for an object whose resource is somebody else's. It is looked for again at the next
// refresh, or when the object or its namespace changes.
func (r adoption) refuse(body []byte) decide.Outcome {
	since := ""
	if at, found := arm.CreatedAt(body); found {
		since = " since " + at.UTC().Format(time.RFC3339)
	}
	p := &problem.Problem{Reason: ReasonAlreadyExists, Stalled: true, Message: fmt.Sprintf(
		"ARM has %s%s, and not from this object, so nothing is sent: give the object another name in Azure, or set its annotation "+
			"%s to %s, which only reads it, to %s, by which it gets what the Spec says and keeps the rest, or to %s, by which it gets "+
			"what the Spec says and nothing else", r.request.ID, since,
		annotation.Adopt, annotation.AdoptObserve, annotation.AdoptAdopt, annotation.AdoptExact)}
	m := &r.memory.known
	m.Put = decide.Attempt{Digest: r.found.Digest, Refusal: p}
	m.Postpone(decide.PutRequest, r.nextTurn(r.op.options.Refresh))
	return decide.ComeBack(m.Next(decide.PutRequest)).Because(p)
}

// isFromObject reports whether ARM may have the resource from the object: its record says that a PUT had no answer, and
// ARM has not created the resource before or after that. Before that PUT ARM did not have it.
func (r adoption) isFromObject(body []byte) bool {
	return r.confirmed && r.sent.MayExist() && !r.sent.Adopted && r.sent.MayHaveMade(body)
}

// isMadeByOwner reports whether ARM makes the resource along with that of its owner, which the operator manages: the
// only one of its type, one that ARM cannot delete, or one that the last PUT of the owner listed.
func (r adoption) isMadeByOwner(ctx context.Context) (bool, error) {
	owner := r.resolver.owner
	if owner == nil || r.op.cluster.Namespaces.PolicyOf(owner).Observes() {
		return false, nil
	}
	sent, confirmed, err := r.op.keys.Read(ctx, owner)
	if err != nil || !confirmed || !sent.Exists {
		return false, err
	}
	return r.request.FixedName != "" || r.kind.NoDelete || r.isListed(sent), nil
}

// isListed reports whether the record of the owner lists the resource in one of its collections.
func (r adoption) isListed(ofOwner *record.Record) bool {
	name := strings.ToLower(r.request.Name)
	for _, names := range ofOwner.Inline {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// keepsRest reports whether a PUT of what ARM has keeps what the Spec does not name: of what the object has taken over
// so, and of what ARM has made along with the owner.
func (r adoption) keepsRest(ctx context.Context) (bool, error) {
	switch adopt := r.policy().Adopt; {
	case adopt == annotation.AdoptExact:
		return false, nil
	case adopt == annotation.AdoptAdopt && (r.adopts || r.sent != nil && r.confirmed && r.sent.Adopted):
		return true, nil
	}
	return r.isMadeByOwner(ctx)
}

// overlay changes a PUT so that it keeps of the resource what the Spec does not name, as ARM shows it now. What the
// Spec has set before, and no longer sets, is not kept.
func (r adoption) overlay(ctx context.Context, s *outgoing) decide.Outcome {
	if r.absent {
		return decide.GoOn()
	}
	keeps, err := r.keepsRest(ctx)
	if err != nil || !keeps && !r.adopts {
		return decide.GoOnUnless(err)
	}
	shown, o := r.shownBefore(ctx, s)
	if shown == nil {
		return o
	}
	laid, err := r.lay(shown.Body, s)
	if err != nil {
		return decide.Stop(&problem.Problem{Reason: ReasonUnreadable, Stalled: true, Message: err.Error()})
	}
	sent := s.Body
	if keeps {
		sent, s.IfMatch = laid.Body, shown.ETag
	}
	if r.adopts {
		if r.memory.adoption, err = r.describe(laid, sent); err != nil {
			return decide.Stop(err)
		}
	}
	s.Body = sent
	return decide.GoOn()
}

// lay lays the body of a PUT over what ARM shows, but for the lists of children.
func (r adoption) lay(shown []byte, s *outgoing) (*arm.Overlaid, error) {
	status, err := conversion.NewEmptyVersionedStatus(r.object, r.op.scheme)
	if err != nil {
		return nil, err
	}
	set, err := r.specPaths()
	if err != nil {
		return nil, err
	}
	if shown, err = inline.Without(shown, r.request.Collections); err != nil {
		return nil, err
	}
	dropped := func(path string) bool { return s.Before.Paths.Has(path) && !slices.Contains(set, path) }
	return arm.Overlay{Spec: r.versioned, Status: status, Drops: dropped}.Lay(shown, s.Body)
}

// describe returns what the first PUT changes of what is taken over, and which secrets it lacks.
func (r adoption) describe(laid *arm.Overlaid, sent []byte) (string, error) {
	before, _, err := r.specOf(laid.Shown)
	if err != nil {
		return "", err
	}
	after, _, err := r.specOf(sent)
	if err != nil {
		return "", err
	}
	changed, err := paths.Changed(before, after)
	if err != nil {
		return "", err
	}
	what := "the first PUT has changed nothing"
	if len(changed) > 0 {
		what = "the first PUT has changed " + listed(changed)
	}
	if len(laid.MissingSecrets) > 0 {
		what += ", and it had none of " + listed(laid.MissingSecrets) + ", which ARM does not show"
	}
	return what, nil
}

// specOf returns the Spec of a body, with placeholders for secrets, and whether all of the body fits it.
func (r *run) specOf(body []byte) (_ any, fits bool, err error) {
	spec := reflect.New(reflect.TypeOf(r.versioned).Elem()).Interface()
	keep := func(string, string) (reference.Secret, error) { return reference.Secret{Name: "-", Key: "-"}, nil }
	ignored, err := arm.Decoder{KeepSecret: keep}.Decode(body, spec)
	return spec, len(ignored.Misfits) == 0, err
}

// listed returns paths for a message.
func listed(all []string) string { return strings.Join(firstTen(all), ", ") }

// firstTen returns the first ten of what a message lists, and how many others there are.
func firstTen(all []string) []string {
	const most = 10
	if rest := len(all) - most; rest > 0 {
		return append(slices.Clone(all[:most]), fmt.Sprintf("%d more", rest))
	}
	return all
}

// setCondition sets the condition that tells that the object has taken its resource over.
func (r adoption) setCondition() {
	conditions := kinds.ConditionsOf(r.object)
	if r.sent == nil || !r.confirmed || !r.sent.Adopted || !r.sent.Exists {
		meta.RemoveStatusCondition(conditions, Adopted)
		return
	}
	before := meta.FindStatusCondition(*conditions, Adopted)
	if r.memory.adoption == "" && before != nil { // of another instance
		return
	}
	meta.SetStatusCondition(conditions, metav1.Condition{Type: Adopted, Status: metav1.ConditionTrue, Reason: ReasonAdopted,
		Message:            limit(cmp.Or(r.memory.adoption, "ARM had the resource before the object")),
		ObservedGeneration: r.object.GetGeneration()})
}
