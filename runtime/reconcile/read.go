package reconcile

import (
	"context"
	"fmt"
	"net/http"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// isAbsent notes that ARM has answered that it does not have a resource, and reports whether that shows it, with the
// answers before, so far as a use needs. If not, it returns when to ask again. request is the kind of the request. Call
// it before anything is done because of such an answer. None counts while ARM may not show yet what it has created.
func (r *run) isAbsent(ctx context.Context, e *client.Error, request decide.Request, use decide.Use, id, version string) (
	bool, decide.Outcome) {
	if use != decide.Release && use != decide.ReleaseUndone && r.mayBeHidden() { // a deletion waits for that by itself
		return false, decide.ComeBack(r.now.Add(decide.FirstRetry))
	}
	absence := r.noteMissing(e, id)
	proven, needsList := absence.Proves(use, r.op.options.Outage)
	if !needsList {
		return proven, decide.ComeBack(absence.Next(use, r.op.options.Outage))
	}
	listed, err := r.credential.Lists(ctx, client.Request{ID: id, APIVersion: version, Tenant: r.object.GetNamespace()})
	refusal, isRefusal := client.AsError(err)
	switch {
	case listed:
		r.noteExists(id)
		return false, decide.ComeBack(r.now.Add(decide.FirstRetry)).Because(&problem.Problem{Reason: ReasonNotVisible, Message: fmt.Sprintf(
			"ARM answers that it does not have %s, and its list has it: nothing is sent or given up before the two agree", id)})
	case isRefusal && mayPass(refusal) && r.memory.known.Refusals[request].Count < listTries:
		return false, comeBack(r.countARMRefusal(request, refusal, true))
	}
	absence.Unlisted = true // or nobody can read the list
	r.memory.missing[arm.IDKey(id)] = absence
	return true, decide.GoOn()
}

// listTries is how often a list is asked for in vain that ARM may show later.
const listTries = 5

// mayPass reports whether a refusal to read may pass by itself.
func mayPass(e *client.Error) bool {
	return e.Class == client.Throttled || e.Class == client.Unknown || e.Class == client.NotSent || e.IsBusy() ||
		e.Status >= http.StatusInternalServerError
}

// saysGone reports whether a refusal counts as an answer that ARM does not have a resource.
func saysGone(e *client.Error) bool { return e.Gone() || e.MayBeGone() }

// noteMissing notes an answer that ARM does not have a resource, and returns all answers that say so. e is nil if
// the answer was a DELETE with status 204.
func (r *run) noteMissing(e *client.Error, id string) decide.Absence {
	m := r.memory
	if m.missing == nil {
		m.missing = map[string]decide.Absence{}
	}
	absence := m.missing[arm.IDKey(id)].With(r.now, e != nil && !e.Gone())
	m.missing[arm.IDKey(id)] = absence
	return absence
}

// noteExists notes that ARM has a resource, or is at work on it.
func (r *run) noteExists(id string) { delete(r.memory.missing, arm.IDKey(id)) }

// mayBeHidden reports whether ARM may have created the resource, or may be creating it, and not show it yet.
func (r *run) mayBeHidden() bool {
	m, s := &r.memory.known, r.sent
	return s != nil && (s.Exists || !r.confirmed || m.Operation.Current != nil) && r.now.Sub(m.Wrote) <= decide.Visible
}

// postpone postpones the next request of a kind until the time of an outcome, and returns the outcome.
func (r *run) postpone(request decide.Request, until decide.Outcome) decide.Outcome {
	at, _ := until.At()
	r.memory.known.Postpone(request, at)
	return until
}

// readFirst reads a resource for a decision about what to send. The answer is nil if ARM does not have the resource,
// with the proof that the use takes.
func (r *run) readFirst(ctx context.Context, request decide.Request, id, version string, use decide.Use) (*client.Answer, decide.Outcome) {
	m := &r.memory.known
	if at := m.NextRead(); r.now.Before(at) {
		return nil, decide.ComeBack(at)
	}
	if absence, known := r.memory.missing[arm.IDKey(id)]; known {
		proven, _ := absence.Proves(use, r.op.options.Outage)
		if next := absence.Next(use, r.op.options.Outage); !proven && r.now.Before(next) {
			return nil, decide.ComeBack(next)
		}
	}
	answer, err := r.read(ctx, id, version, "")
	e, isRefusal := client.AsError(err)
	switch {
	case err == nil:
		r.noteAnswered(request)
		return answer, decide.GoOn()
	case !isRefusal:
		return nil, decide.Stop(err)
	case !saysGone(e):
		return nil, comeBack(r.countARMRefusal(request, e, false))
	}
	proven, again := r.isAbsent(ctx, e, request, use, id, version)
	if !proven {
		return nil, again
	}
	r.noteAnswered(request)
	r.absent = r.absent || r.request != nil && arm.SameID(id, r.request.ID)
	return nil, decide.GoOn()
}

// noteAnswered notes that ARM has answered a request about the resource. One of many children that was read does not
// end the refusals of the others.
func (r *run) noteAnswered(request decide.Request) {
	if request != decide.ChildRequest {
		r.memory.known.Happened(decide.Answered)
	}
}

// read reads a resource, unless it still has the ETag. If the resource cannot be read, it asks
// by HEAD whether the resource exists. HEAD is not used otherwise: it counts as much as GET
// towards ARM's limits, and does not say what has changed.
func (r *run) read(ctx context.Context, id, version, etag string) (*client.Answer, error) {
	request := client.Request{ID: id, APIVersion: version, Tenant: r.object.GetNamespace(), IfNoneMatch: etag}
	answer, err := r.credential.Get(ctx, request)
	if e, ok := client.AsError(err); ok && e.Status == http.StatusMethodNotAllowed {
		answer, err = &client.Answer{}, r.credential.Head(ctx, request)
	}
	if err == nil {
		r.noteExists(id)
	}
	return answer, err
}
