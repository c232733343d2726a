package reconcile

import (
	"context"
	"net/http"
	"time"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
)

const (
	// askResource is the number of polls in a row that ARM refuses, after which the
	// resource itself is asked: a poll is not the only way to know.
	askResource = 3
	// operationLimit is how long ARM may say that it is at work on a PUT, before it is
	// sent once more. The longest that was recorded took 51 minutes, but some services
	// take hours.
	operationLimit = 24 * time.Hour
	// stateLimit is how long a provisioningState alone may say so, before the PUT counts
	// as done. Some services leave such a state for ever.
	stateLimit = time.Hour
)

// begun keeps an operation to ask for later, and returns when and what to say meanwhile.
func (r *run) begun(o *client.Operation) (again time.Time, p *problem) {
	m := &r.memory.known.Operation
	m.Is, m.Due, m.Refused = o, r.now.Add(o.Wait()), 0
	message := "ARM is at work"
	if o.State() != "" {
		message += ": " + o.State()
	}
	reason := ReasonInProgress
	if o.Method() == http.MethodDelete {
		reason = ReasonDeleting
	}
	return m.Due, &problem{reason: reason, message: message}
}

// poll asks how the operation goes. If the Spec may have changed meanwhile, that is not the
// end of the reconcile, and what is found then is told in place of how it goes.
func (r *run) poll(ctx context.Context) (again time.Time, ended bool, err error) {
	if r.seen.Polled = true; !r.object.GetDeletionTimestamp().IsZero() {
		again, err = r.followBefore(ctx)
		return again, !again.IsZero(), err
	}
	again, err = r.follow(ctx)
	p, isProblem := problemOf(err)
	if r.memory.known.Operation.Is == nil || err != nil && !isProblem {
		return again, err != nil || !again.IsZero(), err
	}
	r.underway = p
	return time.Time{}, false, nil
}

// follow asks how a PUT goes. Afterwards there is no operation if it has ended, and no
// error if it has ended well, which the record says.
func (r *run) follow(ctx context.Context) (again time.Time, err error) {
	m := &r.memory.known
	if r.with, err = r.op.credentialFor(ctx, r.object, r.refs.look); err != nil {
		m.Operation.Refused++ // nor does it help to try at once
		m.Operation.Due = r.now.Add(min(r.backoff(m.Operation.Refused), time.Minute))
		return time.Time{}, err
	}
	since := r.now.Sub(m.Wrote)
	answer, err := r.with.Poll(ctx, m.Operation.Is)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return time.Time{}, err
	case isRefusal && (e.Failed || r.isGone(e, m.Operation.Pending.ID)):
		m.Operation.Is = nil
		return r.refused(err, m.Operation.Pending.Digest)
	case since > operationLimit:
		m.Operation.Is = nil
		return time.Time{}, nil
	case isRefusal:
		return r.pollRefused(e)
	}
	r.shown(m.Operation.Pending.ID)
	if answer.Operation != nil && !(answer.Operation.OfResource() && since > stateLimit) {
		return r.begun(answer.Operation)
	}
	// What cannot be noted, as the cache is behind, is asked for again, or it would be sent
	// again.
	if err := r.noteAccepted(ctx); err != nil {
		return time.Time{}, err
	}
	m.Operation.Is = nil
	return time.Time{}, nil
}

// pollRefused decides when to ask again for an operation that ARM does not tell of, and
// says so. The resource itself is asked after some refusals.
func (r *run) pollRefused(e *client.Error) (again time.Time, err error) {
	m := &r.memory.known.Operation
	if e.Class == client.NotSent || e.Class == client.Throttled {
		m.Due = r.now.Add(max(e.RetryAfter, r.jitter(decide.FirstRetry, m.Due)))
		return m.Due, nil
	}
	if m.Refused++; m.Refused >= askResource {
		m.Is = m.Is.AskResource()
	}
	m.Due = r.now.Add(max(e.RetryAfter, r.backoff(m.Refused)))
	p := refusal(e, r.with.Name())
	p.message = "ARM is at work, and refuses to tell how it goes: " + p.message
	return m.Due, p
}

// followBefore follows an operation that was under way when the object was deleted.
// How a PUT ends does not matter any more, but ARM may make the resource until then.
func (r *run) followBefore(ctx context.Context) (again time.Time, err error) {
	m := &r.memory.known
	deletes, late := m.Operation.Is.Method() == http.MethodDelete, r.now.Sub(m.Wrote) >= deletionLimit
	answer, err := r.with.Poll(ctx, m.Operation.Is)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return time.Time{}, err
	case isRefusal && e.Failed && deletes:
		m.Operation.Is = nil
		return r.deletionRefused(ctx, e)
	case isRefusal && !e.Failed && !e.Gone() && m.Operation.Refused < askResource && !late:
		return r.pollRefused(e)
	case !isRefusal && answer.Operation != nil && !late:
		return r.begun(answer.Operation)
	case !isRefusal && answer.Operation != nil:
		m.Operation.Is = nil // it is asked for once more
		return r.now.Add(r.backoff(1)), &problem{
			reason: ReasonDeletionSlow, message: "ARM has not ended the operation, and is asked again", refused: true,
		}
	}
	// It has ended, or nobody can know by asking for it.
	m.Operation.Is = nil
	if deletes {
		m.Deletion.Done, m.Deletion.Reads = r.now, 0
	} else {
		m.Deletion.Ended = !isRefusal || e.Failed
	}
	return time.Time{}, nil
}
