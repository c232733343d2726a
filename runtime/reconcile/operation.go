package reconcile

import (
	"context"
	"net/http"
	"time"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

const (
	// askResource is the number of refused polls in a row after which the operator reads the
	// resource itself, which shows the progress as well.
	askResource = 3
	// operationLimit is how long ARM may report that it is at work on a PUT before the PUT is
	// sent again. The longest recorded operation took 51 minutes, but some services take
	// hours.
	operationLimit = 24 * time.Hour
	// stateLimit is how long a provisioningState alone may report this before the PUT counts
	// as done. Some services leave such a state for ever.
	stateLimit = time.Hour
	// deletionLimit is how long ARM may report that it is at work on a DELETE before the DELETE is sent again.
	deletionLimit = 30 * time.Minute
)

// polling follows an operation of ARM.
type polling struct{ *run }

// awaitOperation keeps an operation to poll it later, and reports that it is in progress.
func (r polling) awaitOperation(o *client.Operation) decide.Outcome {
	m := &r.memory.known
	m.Operation.Current, m.Operation.Due = o, r.now.Add(o.Wait())
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

// poll polls the operation. The reconcile goes on even if the operation has not ended, because
// the Spec may have changed meanwhile. A problem found later is reported in place of the progress.
func (r polling) poll(ctx context.Context) decide.Outcome {
	if r.found.Polled = true; !r.object.GetDeletionTimestamp().IsZero() {
		return r.followDuringDeletion(ctx)
	}
	o := r.follow(ctx)
	_, isProblem := problem.Of(o.Cause())
	if r.memory.known.Operation.Current == nil || o.Cause() != nil && !isProblem {
		return o
	}
	r.progress = o.Cause()
	return decide.GoOn()
}

// follow polls the operation of a PUT. If it has succeeded, follow notes that in the record, and the reconcile goes on.
func (r polling) follow(ctx context.Context) decide.Outcome {
	m := &r.memory.known
	var err error
	if r.credential, err = r.op.credentialFor(ctx, r.object, r.resolver.dependOn); err != nil {
		m.Operation.Due, _ = r.countRefusal(decide.PollRequest, decide.Refusal{Kind: decide.NoCredential})
		return decide.Stop(err)
	}
	since := r.now.Sub(m.Wrote)
	answer, err := r.credential.Poll(ctx, m.Operation.Current)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return decide.Stop(err)
	case isRefusal && (e.Failed || r.isResourceAbsent(ctx, e)):
		m.Operation.Current = nil
		return sending{r.run}.putRefused(err, m.Operation.Pending.Digest)
	case since > operationLimit:
		m.Operation.Current = nil
		return decide.GoOn()
	case isRefusal:
		return r.pollRefused(e)
	}
	r.noteExists(m.Operation.Pending.ID)
	if answer.Operation != nil && !(answer.Operation.OfResource() && since > stateLimit) {
		return r.awaitOperation(answer.Operation)
	}
	sending{r.run}.noteAccepted()
	return decide.GoOn()
}

// isResourceAbsent reports whether a refused poll shows that ARM does not have the resource that it was to make. That
// it has forgotten the operation shows nothing.
func (r polling) isResourceAbsent(ctx context.Context, e *client.Error) bool {
	o := r.memory.known.Operation
	version, err := kinds.ARMVersionOf(r.object, r.op.scheme)
	if err != nil || !saysGone(e) || !o.Current.OfResource() {
		return false
	}
	proven, _ := r.isAbsent(ctx, e, decide.PollRequest, decide.Recreate, o.Pending.ID, version)
	return proven
}

// pollRefused decides when to poll again after ARM has refused a poll, and reports the refusal.
// After some refusals it reads the resource itself.
func (r polling) pollRefused(e *client.Error) decide.Outcome {
	m := &r.memory.known
	due, p := r.countARMRefusal(decide.PollRequest, e, false)
	m.Operation.Due = due
	if p == nil {
		return decide.ComeBack(due)
	}
	if m.Refusals[decide.PollRequest].Count >= askResource {
		m.Operation.Current = m.Operation.Current.AskResource()
	}
	p.Message = "ARM is at work, and refuses to report its progress: " + p.Message
	return decide.ComeBack(due).Because(p)
}

// followDuringDeletion polls an operation of an object that is being deleted. The result of a
// PUT no longer matters, but ARM may create the resource until it ends.
func (r polling) followDuringDeletion(ctx context.Context) decide.Outcome {
	m := &r.memory.known
	deletes, late := m.Operation.Current.Method() == http.MethodDelete, r.now.Sub(m.Wrote) >= deletionLimit
	answer, err := r.credential.Poll(ctx, m.Operation.Current)
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return decide.Stop(err)
	case isRefusal && e.Failed && deletes:
		m.Operation.Current = nil
		return deletion{r.run}.deletionRefused(ctx, e)
	case isRefusal && !e.Failed && !e.Gone() && m.Refusals[decide.PollRequest].Count < askResource && !late:
		return r.pollRefused(e)
	case !isRefusal && answer.Operation != nil && !late:
		return r.awaitOperation(answer.Operation)
	case !isRefusal && answer.Operation != nil:
		m.Operation.Current = nil // ARM is asked for the deletion once more
		return decide.ComeBack(r.after(decide.Backoff)).Because(&problem.Problem{
			Reason: ReasonDeletionSlow, Message: "ARM has not ended the operation, and is asked again", Refused: true,
		})
	}
	// It has ended, or polling it does not show whether it has.
	m.Operation.Current = nil
	if deletes {
		m.Deletion.Done, m.Deletion.Confirmed = r.now, !isRefusal && answer.Status < http.StatusBadRequest
		m.Happened(decide.Deleted)
	} else {
		m.Deletion.Ended = !isRefusal || e.Failed
	}
	return decide.GoOn()
}
