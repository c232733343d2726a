// Package problem describes why an object is not ready, as an error with the reason and the message of a condition.
package problem

import (
	"errors"
	"time"

	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
)

// The reasons that several packages give.
const (
	InProgress         = "InProgress"
	InvalidSpec        = "InvalidSpec"
	InvalidPolicy      = "InvalidPolicy"
	ListedTwice        = "ListedTwice"
	OutsideScopes      = "OutsideScopes"
	ScopesInvalid      = "ScopesInvalid"
	NamespaceForbidden = "NamespaceForbidden"
	VersionNotServed   = "VersionNotServed"
	KindForbidden      = "KindForbidden"
	KindNotListed      = "KindNotListed"
	WriteForbidden     = "WriteForbidden"
	Undecodable        = "Undecodable"
)

// Problem is why an object is not ready. As an error it stops a reconcile.
type Problem struct {
	Reason, Message string
	// Stalled reports whether somebody has to change something.
	Stalled bool
	// Refused reports whether ARM refused a DELETE.
	Refused bool
	// After is when to try again, or 0 for the time that follows from the reason.
	After time.Duration
	// Placeless reports whether the problem is at no place in the Spec, so the message names none.
	Placeless bool
}

// OfKind reports whether the problem is that the objects of a kind cannot be read now.
func (p *Problem) OfKind() bool {
	return p.Reason == VersionNotServed || p.Reason == KindForbidden
}

// Error returns the message.
func (p *Problem) Error() string { return p.Message }

// Of returns the problem that an error is or wraps.
func Of(err error) (*Problem, bool) {
	var p *Problem
	if errors.As(err, &p) {
		return p, true
	}
	var c *credentials.Error
	if errors.As(err, &c) {
		return &Problem{Reason: c.Reason, Message: c.Message, Stalled: c.Stalled(), Placeless: true}, true
	}
	return nil, false
}
