package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
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
	case r.policy().Adopt == annotation.AdoptExact:
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
			"%s to %s, which only reads it, or to %s, by which it gets what the Spec says and nothing else", r.request.ID, since,
		annotation.Adopt, annotation.AdoptObserve, annotation.AdoptExact)}
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
