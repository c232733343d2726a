// Package decide decides what the operator does next about an object, and what it does after a refusal.
// [Next] and [Refuse] are functions of what is known. The caller of Next does what it returns, knows more
// afterwards, and calls it again, until an action ends the reconcile.
package decide

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// State is all that a decision depends on.
type State struct {
	Now    time.Time
	Times  Times
	Object Object
	// Record is the record of what was sent, nil if there is none. Confirmed reports whether it is the
	// operator's own. If it is not, a resource is deleted only if the Spec gives its id too, and no
	// resource is left alone because of the record.
	Record    *record.Record
	Confirmed bool
	Memory    Memory
	Found     Findings
}

// Times are the times that the operator is configured with.
type Times struct {
	// Refresh is how often a resource is read.
	Refresh time.Duration
	// Request is how long a request to ARM can be under way.
	Request time.Duration
}

// Object is what the cluster shows of an object.
type Object struct {
	UID types.UID
	// Policy is what its annotations say of its resource.
	Policy policy.Policy
	// Deleting reports whether it is being deleted, HasFinalizer whether it has the operator's
	// finalizer, and Ready whether the condition Ready is true at its present generation.
	Deleting, HasFinalizer, Ready bool
	// Family reports whether its resource has, or is in, a list of resources.
	Family bool
}

// Findings are what this reconcile has found out.
type Findings struct {
	// Polled reports whether ARM was asked for the status of the operation.
	Polled bool
	// Resolved reports whether the Spec was resolved to a request. Unresolved is why it could not
	// be, or nil.
	Resolved   bool
	Unresolved error
	// ID is the ARM id of the request, and Digest stands for its content. Same reports whether the
	// record has the same digest, and Pending whether the operation under way has.
	ID            string
	Digest        string
	Same, Pending bool
	// Probed reports whether the resource of an object that is not known to have made it was read.
	Probed bool
	// Orphan reports whether the object lacks the reference to its owner.
	Orphan bool
	// Free reports whether no other object has the id, and there is a credential.
	Free bool
	// Compared reports whether the family was compared with what ARM has of it. Changed reports
	// whether the family has changed the resource, and Absent whether ARM no longer has it.
	Compared, Changed, Absent bool
	// Drifted reports whether somebody else has changed what is to be corrected.
	Drifted bool
	// OwnerChecked reports whether the owner was read. OwnerDeleting is why the object waits for the
	// deletion of its owner, or nil.
	OwnerChecked  bool
	OwnerDeleting error
	// Authorized reports whether there is a credential to delete with. Claimed reports whether the
	// holder of the id is known; Taken describes it if it is another object.
	Authorized, Claimed bool
	Taken               string
	// Verified reports whether the resource was read before its deletion: Taken says so if ARM has
	// created it after the record.
	Verified bool
	// Meant reports whether the Spec gives the id of a record that is not the operator's own.
	Meant bool
	// Settled reports whether the resource of a record that is in doubt was read.
	Settled bool
}

// Action is what to do next: one of the types below.
type Action interface{ action() }

// The actions that end a reconcile.
type (
	// Wait ends it and reports nothing.
	Wait struct{ Outcome }
	// Tell says why the object is not ready.
	Tell struct {
		Why   Why
		Cause error
		Outcome
	}
	// Put sends the resource. Absent reports whether ARM had it and no longer has it, Correct whether ARM has accepted
	// the same content before, and somebody else has changed it.
	Put struct{ Absent, Correct bool }
	// Deliver writes the outputs that are missing.
	Deliver struct{}
	// Observe reads the resource of an object for which nothing is sent.
	Observe struct{}
	// Detach releases the object and leaves the resource, Finish releases it when the resource is gone.
	Detach struct{ Why string }
	Finish struct{}
)

// The actions that another one follows, unless they fail.
type (
	// Probe reads the resource before the first PUT: ARM may have it, and not from the object.
	Probe struct{}
	// AddFinalizer adds the finalizer that somebody has removed.
	AddFinalizer struct{}
	// Poll asks ARM for the status of the operation.
	Poll struct{}
	// Resolve makes a request of the Spec.
	Resolve struct{}
	// CheckFree looks for a credential, and for another object that has the resource.
	CheckFree struct{}
	// ConfirmRecord finds out whether the Spec gives the id of a record that is not the operator's own.
	ConfirmRecord struct{}
	// ReleaseCredential releases the credential of the PUT before the last one.
	ReleaseCredential struct{}
	// SetOwner adds the reference to the owner.
	SetOwner struct{}
	// Compare finds out whether the family has changed the resource.
	Compare struct{}
	// Read reads the resource.
	Read struct{}
	// CheckOwner finds out whether ARM deletes the resource together with that of the owner.
	CheckOwner struct{}
	// Authorize looks for the credential to delete with.
	Authorize struct{}
	// Settle reads a resource to end the doubt whether ARM has it from the object.
	Settle struct{}
	// Verify reads a resource before its deletion, to find out whether it is that of the record.
	Verify struct{}
	// Claim claims the id for the deletion.
	Claim struct{}
	// Delete deletes the resource, and CheckGone finds out whether it is gone.
	Delete    struct{}
	CheckGone struct{}
)

// Why is a reason not to go on.
type Why int

// The reasons.
const (
	// PolicyInvalid means that the policy has an unknown value.
	PolicyInvalid Why = iota
	// SpecInvalid means that the Spec gives no request, for the reason in Cause.
	SpecInvalid
	// IDChanged means that the Spec gives another id than was sent. IDUnconfirmed means the same, with a
	// record that is not the operator's own.
	IDChanged
	IDUnconfirmed
	// PutRefused means that ARM has refused the request, which is not repeated yet.
	PutRefused
	// OtherInstance means that ARM may still get a PUT of another instance.
	OtherInstance
	// Protected means that the object is deleted, and its annotation protects the resource.
	Protected
	// OwnerDeletes means that ARM deletes the resource together with that of its owner.
	OwnerDeletes
)

func (Wait) action()              {}
func (Tell) action()              {}
func (Put) action()               {}
func (Deliver) action()           {}
func (Observe) action()           {}
func (Detach) action()            {}
func (Finish) action()            {}
func (Probe) action()             {}
func (AddFinalizer) action()      {}
func (Poll) action()              {}
func (Resolve) action()           {}
func (CheckFree) action()         {}
func (ConfirmRecord) action()     {}
func (ReleaseCredential) action() {}
func (SetOwner) action()          {}
func (Compare) action()           {}
func (Read) action()              {}
func (CheckOwner) action()        {}
func (Authorize) action()         {}
func (Settle) action()            {}
func (Verify) action()            {}
func (Claim) action()             {}
func (Delete) action()            {}
func (CheckGone) action()         {}

// Next returns what to do next.
func Next(s State) Action {
	deleting := s.Object.Deleting
	switch {
	case s.Object.Policy.Problem() != "" && deleting && !s.Object.HasFinalizer:
		return Wait{Stop(nil)}
	case s.Object.Policy.Problem() != "":
		return Tell{Why: PolicyInvalid, Outcome: Stop(nil)}
	case deleting:
		return s.deletion()
	case s.Object.Policy.Observes():
		return Observe{}
	}
	return s.management()
}

// management returns the next action that brings the resource in line with the Spec.
func (s State) management() Action {
	r, m, found := s.Record, s.Memory, s.Found
	atWork := m.Operation.Current != nil
	switch {
	case r.MayExist() && !s.Object.HasFinalizer:
		return AddFinalizer{}
	// What is under way comes first, whatever else is wrong by now.
	case atWork && !found.Polled && !s.Now.Before(m.Operation.Due):
		return Poll{}
	case !found.Resolved:
		return Resolve{}
	// A Spec that has changed meanwhile does not wait for the end, which may be hours away.
	// ARM takes it, or says that it is busy.
	case atWork && found.Unresolved == nil && found.Pending:
		return Wait{ComeBack(m.Operation.Due)}
	case found.Unresolved != nil:
		return Tell{Why: SpecInvalid, Cause: found.Unresolved, Outcome: Stop(nil)}
	case r.MayExist() && !arm.SameID(r.ID, found.ID) && !s.Confirmed:
		return Tell{Why: IDUnconfirmed, Outcome: Stop(nil)}
	case r.MayExist() && !arm.SameID(r.ID, found.ID):
		return Tell{Why: IDChanged, Outcome: Stop(nil)}
	case !found.Free:
		return CheckFree{}
	case r != nil && s.Confirmed && r.Previous != "":
		return ReleaseCredential{}
	}
	// If the record is not the operator's own, the Spec is sent once more: ARM says whether the
	// object may have the resource.
	done := r != nil && s.Confirmed && r.Phase == record.Accepted && found.Same
	switch {
	case !done || found.Drifted || found.Absent:
	case found.Orphan:
		return SetOwner{}
	case s.Object.Family && !found.Compared:
		return Compare{}
	case !found.Changed:
		return s.Reading()
	}
	switch until := s.Arrival(); {
	case m.Put.Digest == found.Digest && s.Now.Before(m.Next(PutRequest)):
		return Tell{Why: PutRefused, Cause: m.Put.Refusal, Outcome: ComeBack(m.Next(PutRequest))}
	case s.Now.Before(until) && !found.Same:
		return Tell{Why: OtherInstance, Outcome: ComeBack(until)}
	}
	if s.Confirmed && r.InDoubt() && !found.Settled && s.Now.Sub(r.Maybe) >= doubtLimit {
		return Settle{}
	}
	if !s.isOwn() && !found.Probed {
		return Probe{}
	}
	return Put{Absent: found.Absent, Correct: done && found.Drifted}
}

// isOwn reports whether the record shows that ARM has made the resource from the object.
func (s State) isOwn() bool { return s.Record != nil && s.Confirmed && s.Record.Exists }

// Reading returns the action that reads the resource, if a refresh is due or the object is not ready.
func (s State) Reading() Action {
	switch {
	case s.Object.Ready && !s.RefreshDue():
		return Deliver{}
	case s.Now.Before(s.Memory.NextRead()):
		return Wait{ComeBack(s.Memory.NextRead())}
	}
	return Read{}
}

// deletion returns the next action that deletes the resource, and releases the object when it is gone. If
// the object sent nothing, or nothing that ARM took, nothing is deleted in ARM.
func (s State) deletion() Action {
	r, m, found := s.Record, s.Memory, s.Found
	switch {
	case !s.Object.HasFinalizer:
		return Wait{Stop(nil)}
	case s.Object.Policy.Observes():
		return Detach{Why: "as the annotation " + annotation.Adopt + " says, nothing is sent for it"}
	case s.Object.Policy.Deletion == annotation.DeletionDetach:
		return Detach{Why: "as the annotation " + annotation.Deletion + " says, or because it was there before the object"}
	case r != nil && r.Phase == record.Done:
		return Finish{}
	case !r.MayExist():
		return Detach{}
	case s.Object.Policy.Deletion == annotation.DeletionProtect:
		return Tell{Why: Protected, Outcome: Stop(nil)}
	case !found.OwnerChecked:
		return CheckOwner{}
	case !s.Confirmed && found.OwnerDeleting != nil: // then the record does not matter
		return Tell{Why: OwnerDeletes, Cause: found.OwnerDeleting, Outcome: Stop(nil)}
	case !found.Authorized:
		return Authorize{}
	// Another object may hold the id if this object's record is old, or is not the operator's own.
	case !found.Claimed:
		return Claim{}
	case found.Taken != "":
		return Detach{Why: found.Taken}
	case !s.Confirmed && !found.Meant:
		return ConfirmRecord{}
	case m.Operation.Current != nil && s.Now.Before(m.Operation.Due):
		return Wait{ComeBack(m.Operation.Due)}
	case m.Operation.Current != nil:
		return Poll{}
	case s.Now.Before(s.Arrival()):
		return Tell{Why: OtherInstance, Outcome: ComeBack(s.Arrival())}
	case found.OwnerDeleting != nil:
		return Tell{Why: OwnerDeletes, Cause: found.OwnerDeleting, Outcome: Stop(nil)}
	case s.Now.Before(m.Next(DeleteRequest, GoneRequest)):
		return Wait{ComeBack(m.Next(DeleteRequest, GoneRequest))}
	case m.Deletion.Done.IsZero() && !found.Verified && !(s.Confirmed && s.isCurrent()):
		return Verify{}
	case m.Deletion.Done.IsZero():
		return Delete{}
	}
	return CheckGone{}
}

// doubtLimit is how long after a PUT with an unknown outcome ARM may still be making the resource without showing it.
const doubtLimit = 24 * time.Hour

// isCurrent reports whether this instance has itself written that ARM has accepted the PUT of the record. Any other
// record may be an old one that somebody has written back.
func (s State) isCurrent() bool { return s.Record.Exists && s.Memory.Recorded.Equal(s.Record.Time) }

// Arrival returns the time until which ARM may still get a PUT that another instance sent before it was
// stopped or frozen. Nothing else is sent before then, or ARM might get the older content last.
func (s State) Arrival() time.Time {
	if s.Record == nil || s.Record.Phase != record.Sending || s.Memory.Sent {
		return time.Time{}
	}
	return s.Memory.First.Add(s.Times.Request)
}

// RefreshDue reports whether a refresh has become due since the resource was read.
func (s State) RefreshDue() bool {
	last := s.Memory.Read
	return last.IsZero() || s.Memory.Wanted || Turn(s.Object.UID, s.Times.Refresh, s.Now).Add(-s.Times.Refresh).After(last)
}
