package reconcile

import (
	"context"
	"net/http"
	"time"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
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
	// deletionLimit is how long ARM may say that it is at work on a DELETE, before it is sent once more.
	deletionLimit = 30 * time.Minute
)

// polling follows an operation that ARM is at work on.
type polling struct{ *run }

// awaitOperation keeps an operation to ask for later, and says so meanwhile.
func (r polling) awaitOperation(o *client.Operation) decide.Outcome {
	m := &r.memory.known
	m.Operation.Is, m.Operation.Due = o, r.now.Add(o.Wait())
	m.Happened(decide.Begun)
	message := "ARM is at work"
	if o.State() != "" {
		message += ": " + o.State()
	}
	reason := ReasonInProgress
	if o.Method() == http.MethodDelete {
		reason = ReasonDeleting
	}
	return decide.ComeBack(m.Operation.Due).Because(&problem.Problem{Reason: reason, Message: message})
}

// poll asks how the operation goes. If the Spec may have changed meanwhile, that is not the
// end of the reconcile, and what is found then is said in place of the progress.
func (r polling) poll(ctx context.Context) decide.Outcome {
	if r.found.Polled = true; !r.object.GetDeletionTimestamp().IsZero() {
		return r.followDuringDeletion(ctx)
	}
	o := r.follow(ctx)
	_, isProblem := problem.Of(o.Cause())
	if r.memory.known.Operation.Is == nil || o.Cause() != nil && !isProblem {
		return o
	}
	r.progress = o.Cause()
	return decide.GoOn()
}

// follow asks how a PUT goes. If it has ended well, the record says so, and the reconcile goes on.
func (r polling) follow(ctx context.Context) decide.Outcome {
	m := &r.memory.known
	var err error
	if r.credential, err = r.op.credentialFor(ctx, r.object, r.resolver.dependOn); err != nil {
		m.Operation.Due, _ = r.countRefusal(decide.PollRequest, decide.Refusal{Kind: decide.NoCredential})
		return decide.Stop(err)
	}
	since := r.now.Sub(m.Wrote)
	answer, err := r.credential.Poll(ctx, m.Operation.Is)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return decide.Stop(err)
	case isRefusal && (e.Failed || r.isGone(e, m.Operation.Pending.ID)):
		m.Operation.Is = nil
		return sending{r.run}.putRefused(err, m.Operation.Pending.Digest)
	case since > operationLimit:
		m.Operation.Is = nil
		return decide.GoOn()
	case isRefusal:
		return r.pollRefused(e)
	}
	r.noteExists(m.Operation.Pending.ID)
	if answer.Operation != nil && !(answer.Operation.OfResource() && since > stateLimit) {
		return r.awaitOperation(answer.Operation)
	}
	// What cannot be noted, as the cache is behind, is asked for again, or it would be sent
	// again.
	if err := (sending{r.run}).noteAccepted(ctx); err != nil {
		return decide.Stop(err)
	}
	m.Operation.Is = nil
	return decide.GoOn()
}

// pollRefused decides when to ask again for an operation that ARM does not tell of, and
// says so. The resource itself is asked after some refusals.
func (r polling) pollRefused(e *client.Error) decide.Outcome {
	m := &r.memory.known
	due, p := r.countARMRefusal(decide.PollRequest, e, false)
	m.Operation.Due = due
	if p == nil {
		return decide.ComeBack(due)
	}
	if m.Refusals[decide.PollRequest].Count >= askResource {
		m.Operation.Is = m.Operation.Is.AskResource()
	}
	p.Message = "ARM is at work, and refuses to tell how it goes: " + p.Message
	return decide.ComeBack(due).Because(p)
}

// followDuringDeletion follows an operation that was under way when the object was deleted.
// How a PUT ends does not matter any more, but ARM may make the resource until then.
func (r polling) followDuringDeletion(ctx context.Context) decide.Outcome {
	m := &r.memory.known
	deletes, late := m.Operation.Is.Method() == http.MethodDelete, r.now.Sub(m.Wrote) >= deletionLimit
	answer, err := r.credential.Poll(ctx, m.Operation.Is)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return decide.Stop(err)
	case isRefusal && e.Failed && deletes:
		m.Operation.Is = nil
		return deletion{r.run}.deletionRefused(ctx, e)
	case isRefusal && !e.Failed && !e.Gone() && m.Refusals[decide.PollRequest].Count < askResource && !late:
		return r.pollRefused(e)
	case !isRefusal && answer.Operation != nil && !late:
		return r.awaitOperation(answer.Operation)
	case !isRefusal && answer.Operation != nil:
		m.Operation.Is = nil // it is asked for once more
		return decide.ComeBack(r.after(decide.Backoff)).Because(&problem.Problem{
			Reason: ReasonDeletionSlow, Message: "ARM has not ended the operation, and is asked again", Refused: true,
		})
	}
	// It has ended, or nobody can know by asking for it.
	m.Operation.Is = nil
	if deletes {
		m.Deletion.Done = r.now
		m.Happened(decide.Deleted)
	} else {
		m.Deletion.Ended = !isRefusal || e.Failed
	}
	return decide.GoOn()
}
