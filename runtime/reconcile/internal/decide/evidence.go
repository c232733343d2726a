package decide

import "time"

// Use is what the operator does because ARM does not have a resource.
type Use int

// The uses.
const (
	// FirstPut sends a resource that nothing shows ARM ever had.
	FirstPut Use = iota
	// Report says so, or sends the same content once more.
	Report
	// Recreate sends a resource that ARM had.
	Recreate
	// Omit leaves a child that has a record out of a PUT of its parent. OmitWithParent does so after
	// [Recreate] was proven for the parent.
	Omit
	OmitWithParent
	// Release lets an object go whose resource ARM has deleted for it. ReleaseUndone lets an object go
	// for which ARM has deleted nothing.
	Release
	ReleaseUndone
	// EndDoubt ends the doubt whether ARM has the resource from the object.
	EndDoubt
)

// proof is what it takes to show that ARM does not have a resource.
type proof struct {
	// answers is how many answers have to say so. The last one comes at the earliest so many outages after the
	// first one, or with 0 outages five seconds after each other. An answer in between that shows the resource
	// begins the count anew.
	answers, outages int
	// list reports whether the list of the resources of the type must not have it either, if ARM shows the list.
	list bool
}

// over returns how long after the first answer the last one comes at the earliest. outage is how long an outage lasts.
func (p proof) over(outage time.Duration) time.Duration {
	if p.outages == 0 {
		return time.Duration(p.answers-1) * FirstRetry
	}
	return time.Duration(p.outages) * outage
}

// Outage is longer than ARM usually answers that it does not have what it has, because a region or a
// service fails.
const Outage = 5 * time.Minute

var (
	atOnce  = proof{answers: 1}
	twice   = proof{answers: 2}
	minutes = proof{answers: 4, outages: 1}
	lasting = proof{answers: 4, outages: 1, list: true}
	slow    = proof{answers: 8, outages: 12, list: true}
)

// proofs says what each use takes: the more a wrong answer would destroy, the more. unclear is what it takes if some
// answers do not say what is missing.
var proofs = map[Use]struct{ clear, unclear proof }{
	FirstPut:       {atOnce, twice},  // If-None-Match protects what exists
	Report:         {twice, minutes}, // nothing is lost
	Recreate:       {lasting, slow},
	Omit:           {lasting, slow},
	OmitWithParent: {atOnce, atOnce},  // after the proof for the parent
	Release:        {atOnce, minutes}, // after a DELETE that ARM has done
	ReleaseUndone:  {lasting, slow},
	EndDoubt:       {lasting, slow},
}

// Absence is what ARM has answered about a resource since it last showed it. The zero value means that
// there was no answer.
type Absence struct {
	// First and Last are the times of the first and the last answer that counts, and Answers is the number
	// of these.
	First, Last time.Time
	Answers     int
	// Unclear reports whether some of them do not say what is missing.
	Unclear bool
	// Unlisted reports whether the list does not have the resource either, or ARM refuses to show it.
	Unlisted bool
}

// With returns the absence with one more answer. Answers that follow each other closely count as one: they
// have the same cause.
func (a Absence) With(now time.Time, unclear bool) Absence {
	a.Unclear = a.Unclear || unclear
	if a.Answers > 0 && now.Sub(a.Last) < FirstRetry {
		return a
	}
	if a.Answers == 0 {
		a.First = now
	}
	a.Last, a.Answers = now, a.Answers+1
	return a
}

// proof returns what a use takes.
func (a Absence) proof(use Use) proof {
	if a.Unclear {
		return proofs[use].unclear
	}
	return proofs[use].clear
}

// Proves reports whether the answers suffice for a use. needsList reports whether they do apart from that of the
// list, which is to be read then. outage is how long an outage lasts, as for the other methods.
func (a Absence) Proves(use Use, outage time.Duration) (proven, needsList bool) {
	p := a.proof(use)
	if a.Answers < p.answers || a.Last.Sub(a.First) < p.over(outage) {
		return false, false
	}
	return !p.list || a.Unlisted, p.list && !a.Unlisted
}

// Next returns when to ask ARM again about a resource whose absence does not suffice for a use: soon for the
// second time, since most such answers are single ones, and then evenly until the last answer that it takes.
func (a Absence) Next(use Use, outage time.Duration) time.Time {
	p := a.proof(use)
	over := p.over(outage)
	if a.Answers < 2 {
		return a.Last.Add(FirstRetry)
	}
	at := a.First.Add(over)
	if left := p.answers - a.Answers; left > 1 {
		at = at.Add(-over * time.Duration(left-1) / time.Duration(p.answers-2))
	}
	return later(at, a.Last.Add(FirstRetry))
}

// Until returns when a use is proven at the earliest.
func (a Absence) Until(use Use, outage time.Duration) time.Time {
	return later(a.First.Add(a.proof(use).over(outage)), a.Next(use, outage))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
