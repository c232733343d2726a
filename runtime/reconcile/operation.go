package reconcile

import (
	"context"
	"net/http"
	"time"

	"github.com/armature-dev/armature/runtime/arm/client"
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

// begun keeps an operation to ask for later.
func (r *run) begun(ctx context.Context, o *client.Operation) (again time.Time, err error) {
	r.memory.operation, r.memory.due, r.memory.polls = o, r.now.Add(o.Wait()), 0
	message := "ARM is at work"
	if o.State() != "" {
		message += ": " + o.State()
	}
	reason := ReasonInProgress
	if o.Method() == http.MethodDelete {
		reason = ReasonDeleting
	}
	return r.memory.due, r.report(ctx, &problem{reason: reason, message: message})
}

// follow asks how a PUT goes. Afterwards there is no operation if it has ended, and no
// error if it has ended well, which the record says.
func (r *run) follow(ctx context.Context) (again time.Time, err error) {
	m := r.memory
	if r.now.Before(m.due) {
		return m.due, nil
	}
	with, err := r.credentialFor(ctx, r.object, r.look)
	if err != nil {
		return time.Time{}, err
	}
	since := r.now.Sub(m.wrote)
	answer, err := with.Poll(ctx, m.operation)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return time.Time{}, err
	case isRefusal && (e.Failed || e.Gone() && since > visible):
		m.operation = nil
		return r.refused(err, with, m.pending.Digest)
	case since > operationLimit:
		m.operation = nil
		return time.Time{}, nil
	case isRefusal:
		return r.pollRefused(e, with)
	case answer.Operation != nil && !(answer.Operation.OfResource() && since > stateLimit):
		return r.begun(ctx, answer.Operation)
	}
	// What cannot be noted, as the cache is behind, is asked for again, or it would be sent
	// again.
	if err := r.noteAccepted(ctx); err != nil {
		return time.Time{}, err
	}
	m.operation = nil
	return time.Time{}, nil
}

// pollRefused decides when to ask again for an operation that ARM does not tell of, and
// says so. The resource itself is asked after some refusals.
func (r *run) pollRefused(e *client.Error, with *credential) (again time.Time, err error) {
	m := r.memory
	if e.Class == client.NotSent || e.Class == client.Throttled {
		m.due = r.now.Add(max(e.RetryAfter, r.jitter(firstRetry, m.due)))
		return m.due, nil
	}
	if m.polls++; m.polls >= askResource {
		m.operation = m.operation.AskResource()
	}
	m.due = r.now.Add(max(e.RetryAfter, r.backoff(m.polls)))
	p := refusal(e, with.Name())
	p.message = "ARM is at work, and refuses to tell how it goes: " + p.message
	return m.due, p
}

// followBefore follows an operation that was under way when the object was deleted.
// How a PUT ends does not matter any more, but ARM may make the resource until then.
func (r *run) followBefore(ctx context.Context, with *credential) (again time.Time, err error) {
	m := r.memory
	if r.now.Before(m.due) {
		return m.due, nil
	}
	deletes, late := m.operation.Method() == http.MethodDelete, r.now.Sub(m.wrote) >= deletionLimit
	answer, err := with.Poll(ctx, m.operation)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return time.Time{}, err
	case isRefusal && e.Failed && deletes:
		m.operation = nil
		return r.deletionRefused(e, with)
	case isRefusal && !e.Failed && !e.Gone() && m.polls < askResource && !late:
		return r.pollRefused(e, with)
	case !isRefusal && answer.Operation != nil && !late:
		return r.begun(ctx, answer.Operation)
	case !isRefusal && answer.Operation != nil:
		m.operation = nil // it is asked for once more
		return r.now.Add(r.backoff(1)), &problem{
			reason: ReasonDeletionSlow, message: "ARM has not ended the operation, and is asked again", refused: true,
		}
	}
	// It has ended, or nobody can know by asking for it.
	m.operation = nil
	if deletes {
		m.deleted, m.reads = r.now, 0
	}
	return time.Time{}, nil
}
