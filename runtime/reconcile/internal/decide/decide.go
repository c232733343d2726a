// Package decide decides what the operator does next about an object. [Next] is a function
// of what is known, and does nothing itself: whoever does what it says knows more, and asks
// again, until it says to wait.
package decide

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// State is all that a decision depends on.
type State struct {
	Now    time.Time
	Times  Times
	Object Object
	// Record is the record of what was sent, nil if there is none. Confirmed reports
	// whether it is the operator's own; otherwise a resource is only deleted that the Spec
	// means, and none is left alone because of it.
	Record    *record.Record
	Confirmed bool
	Memory    Memory
	Seen      Seen
}

// Times are those that the operator is told.
type Times struct {
	// Refresh is how often a resource is read, Resend how often it is sent though nothing
	// has changed, 0 for never.
	Refresh, Resend time.Duration
	// Request is how long a request to ARM can be under way.
	Request time.Duration
}

// Object is what the cluster has.
type Object struct {
	UID    types.UID
	Policy string // a value of [annotation.ReconcilePolicy], never ""
	// Deleting reports whether it is being deleted, Held whether it has the finalizer, and
	// Ready whether Ready is true for what it says now.
	Deleting, Held, Ready bool
	// Family reports whether its resource has, or is in, a list of resources.
	Family bool
}

// Seen is what this reconcile has found out.
type Seen struct {
	// Polled reports whether ARM was asked how the operation goes.
	Polled bool

	// Resolved reports whether the Spec has been made a request, and Unresolved why it
	// cannot be one.
	Resolved   bool
	Unresolved error
	// ID is that of the request. Digest stands for its content, and is Same if it is that of
	// the record, Pending if it is that of the operation under way.
	ID            string
	Digest        string
	Same, Pending bool
	// Orphan reports whether the object lacks the reference to its owner.
	Orphan bool

	// Free reports whether nobody else has the id, and there is a credential.
	Free bool
	// Compared reports whether the family has been looked at, Changed whether the resource is
	// not as it was sent, because of its family, and Absent whether ARM has it no longer.
	Compared, Changed, Absent bool

	// OwnerAsked reports whether the owner has been looked at, and OwnerGoes why the object
	// waits for it, nil if it does not.
	OwnerAsked bool
	OwnerGoes  error
	// Authorized reports whether there is a credential to delete with, Claimed whether it was
	// asked who has the id, and Taken who else has it.
	Authorized, Claimed bool
	Taken               string
	// Meant reports whether the id of a record that is not the operator's own is what the Spec
	// means.
	Meant bool
}

// Action is what to do next: one of the types below.
type Action interface{ action() }

// The actions that end a reconcile.
type (
	// Wait waits until a time, or for the next refresh if it is zero.
	Wait struct{ Until time.Time }
	// Tell says why the object is not ready, and waits.
	Tell struct {
		What  What
		Cause error
		Until time.Time
	}
	// Put sends the resource. Absent reports whether ARM had it and has it no longer, Resend
	// whether ARM has what is sent.
	Put struct{ Absent, Resend bool }
	// Deliver writes the outputs that are missing.
	Deliver struct{}
	// Watch reads the resource of an object that is only looked at.
	Watch struct{}
	// Detach lets the object go and leaves the resource, Finish after that is gone.
	Detach struct{ Why string }
	Finish struct{}
)

// The actions after which there is a next one, unless they fail.
type (
	// Hold adds the finalizer that somebody has taken away.
	Hold struct{}
	// Poll asks how the operation goes.
	Poll struct{}
	// Resolve makes a request of the Spec.
	Resolve struct{}
	// Check looks for a credential, and whether somebody else has the resource.
	Check struct{}
	// Confirm looks whether a record that is not the operator's own is what the Spec means.
	Confirm struct{}
	// LetGo lets the credential go that was used before.
	LetGo struct{}
	// Refer sets the reference to the owner.
	Refer struct{}
	// Compare looks whether the family has changed the resource.
	Compare struct{}
	// Read reads the resource.
	Read struct{}
	// AskOwner looks whether ARM deletes the resource with that of the owner.
	AskOwner struct{}
	// Authorize looks for the credential to delete with.
	Authorize struct{}
	// Claim takes the id for the deletion.
	Claim struct{}
	// Delete deletes the resource, and Gone looks whether it is gone.
	Delete struct{}
	Gone   struct{}
)

// What is a reason not to go on.
type What int

// The reasons.
const (
	// BadPolicy is of a policy that is none.
	BadPolicy What = iota
	// BadSpec is of a Spec that is no request: Cause says why.
	BadSpec
	// OtherID is of a Spec that means another id than was sent, Stranger of one whose record
	// is besides not the operator's own.
	OtherID
	Stranger
	// Refused is of a request that ARM has refused, and that is not repeated yet.
	Refused
	// Underway is of a PUT of another instance that ARM may still get.
	Underway
	// WithOwner is of a resource that goes with that of its owner.
	WithOwner
)

func (Wait) action()      {}
func (Tell) action()      {}
func (Put) action()       {}
func (Deliver) action()   {}
func (Watch) action()     {}
func (Detach) action()    {}
func (Finish) action()    {}
func (Hold) action()      {}
func (Poll) action()      {}
func (Resolve) action()   {}
func (Check) action()     {}
func (Confirm) action()   {}
func (LetGo) action()     {}
func (Refer) action()     {}
func (Compare) action()   {}
func (Read) action()      {}
func (AskOwner) action()  {}
func (Authorize) action() {}
func (Claim) action()     {}
func (Delete) action()    {}
func (Gone) action()      {}

// Next returns what to do next.
func Next(s State) Action {
	deleting := s.Object.Deleting
	switch s.Object.Policy {
	case annotation.PolicyManage, annotation.PolicyDetach, annotation.PolicySkip:
	default:
		if deleting && !s.Object.Held {
			return Wait{}
		}
		return Tell{What: BadPolicy}
	}
	switch {
	case deleting:
		return s.deletion()
	case s.Object.Policy == annotation.PolicySkip:
		return Watch{}
	}
	return s.management()
}

// management makes ARM have what the Spec says.
func (s State) management() Action {
	r, m, seen := s.Record, s.Memory, s.Seen
	atWork := m.Operation.Is != nil
	switch {
	case r.MayExist() && !s.Object.Held:
		return Hold{}
	// What is under way comes first, whatever else is wrong by now.
	case atWork && !seen.Polled && !s.Now.Before(m.Operation.Due):
		return Poll{}
	case !seen.Resolved:
		return Resolve{}
	// A Spec that has changed meanwhile does not wait for the end, which may be hours away.
	// ARM takes it, or says that it is busy.
	case atWork && seen.Unresolved == nil && seen.Pending:
		return Wait{m.Operation.Due}
	case seen.Unresolved != nil:
		return Tell{What: BadSpec, Cause: seen.Unresolved}
	case r.MayExist() && !arm.SameID(r.ID, seen.ID) && !s.Confirmed:
		return Tell{What: Stranger}
	case r.MayExist() && !arm.SameID(r.ID, seen.ID):
		return Tell{What: OtherID}
	case !seen.Free:
		return Check{}
	case r != nil && s.Confirmed && r.Previous != "":
		return LetGo{}
	}
	// What a record says that is not the operator's own is sent once more: ARM says whether the
	// object may have the resource.
	done := r != nil && s.Confirmed && r.Phase == record.Accepted && seen.Same
	resend := done && s.ResendDue()
	switch {
	case !done || resend || seen.Absent:
	case seen.Orphan:
		return Refer{}
	case s.Object.Family && !seen.Compared:
		return Compare{}
	case !seen.Changed:
		return s.Reading()
	}
	switch until := s.Outcome(); {
	case m.Put.Tried == seen.Digest && s.Now.Before(m.Put.Next):
		return Tell{What: Refused, Cause: m.Put.Refusal, Until: m.Put.Next}
	case s.Now.Before(until) && !seen.Same:
		return Tell{What: Underway, Until: until}
	}
	return Put{Absent: seen.Absent, Resend: resend}
}

// Reading reads the resource if it is time, or if the Status does not say how it is.
func (s State) Reading() Action {
	switch {
	case s.Object.Ready && !s.RefreshDue():
		return Deliver{}
	case s.Now.Before(s.Memory.Reads.Next):
		return Wait{s.Memory.Reads.Next}
	}
	return Read{}
}

// deletion deletes the resource, and lets the object go when it is gone. An object that
// never sent anything, or nothing that ARM took, deletes nothing.
func (s State) deletion() Action {
	r, m, seen := s.Record, s.Memory, s.Seen
	switch {
	case !s.Object.Held:
		return Wait{}
	case s.Object.Policy != annotation.PolicyManage:
		return Detach{Why: "the policy is " + s.Object.Policy}
	case r != nil && r.Phase == record.Done:
		return Finish{}
	case !r.MayExist():
		return Detach{}
	case !seen.OwnerAsked:
		return AskOwner{}
	case !s.Confirmed && seen.OwnerGoes != nil: // then the record does not matter
		return Tell{What: WithOwner, Cause: seen.OwnerGoes}
	case !seen.Authorized:
		return Authorize{}
	// Another object may have the id, if this one's record is not its own, or an old one.
	case !seen.Claimed:
		return Claim{}
	case seen.Taken != "":
		return Detach{Why: seen.Taken}
	case !s.Confirmed && !seen.Meant:
		return Confirm{}
	case m.Operation.Is != nil && s.Now.Before(m.Operation.Due):
		return Wait{m.Operation.Due}
	case m.Operation.Is != nil:
		return Poll{}
	case s.Now.Before(s.Outcome()):
		return Tell{What: Underway, Until: s.Outcome()}
	case seen.OwnerGoes != nil:
		return Tell{What: WithOwner, Cause: seen.OwnerGoes}
	case s.Now.Before(m.Deletion.Next):
		return Wait{m.Deletion.Next}
	case m.Deletion.Done.IsZero():
		return Delete{}
	}
	return Gone{}
}

// Outcome returns until when a PUT may be under way that another instance handed over,
// before it was stopped or frozen. Until then nothing else is sent, or ARM might get the
// older content last.
func (s State) Outcome() time.Time {
	if s.Record == nil || s.Record.Phase != record.Sending || s.Memory.Sent {
		return time.Time{}
	}
	return s.Memory.First.Add(s.Times.Request)
}

// RefreshDue reports whether a time to read the resource has come since it was read.
func (s State) RefreshDue() bool {
	last := s.Memory.Reads.Last
	return last.IsZero() || Turn(s.Object.UID, s.Times.Refresh, s.Now).Add(-s.Times.Refresh).After(last)
}

// ResendDue reports whether a time to send the resource once more has come since it was
// sent. While ARM is at work on it, it has not.
func (s State) ResendDue() bool {
	every := s.Times.Resend
	return every > 0 && s.Memory.Reads.Failures == 0 && Turn(s.Object.UID, every, s.Now).Add(-every).After(s.Memory.Wrote)
}
