package decide

import (
	"slices"
	"time"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Memory holds what the operator knows of an object and the cluster does not. Losing it costs repeated
// requests, and nothing else.
type Memory struct {
	// First is when this instance first saw the object. Sent reports whether it has sent
	// something for it since, and Wrote is when it last handed a PUT or a DELETE over.
	First time.Time
	Sent  bool
	Wrote time.Time

	// Recorded is the time in the last record that this instance has written.
	Recorded time.Time

	Operation Operation
	Put       Attempt
	Deletion  Deletion
	// Read is when the resource was last read, the zero time if it is to be read at once.
	Read time.Time
	// Wanted reports whether the resource is to be read at once because others miss an output of it.
	Wanted bool
	// Refusals has the refusals of each kind of request, if there are any. Thousands of objects have none.
	Refusals map[Request]Series
}

// Operation is the operation that ARM is at work on, if any.
type Operation struct {
	Current *client.Operation // nil for none
	Due     time.Time         // when to poll it
	// Pending is the record of the PUT that began the operation, as it is written when the operation has
	// succeeded.
	Pending *record.Record
}

// Attempt is a PUT that ARM refused.
type Attempt struct {
	// Digest is the digest of the PUT, "" for none, and Refusal says why ARM refused it.
	Digest  string
	Refusal error
}

// Deletion is the progress of the deletion of the resource.
type Deletion struct {
	// Ended reports whether an operation of a PUT was under way and has ended.
	Ended bool
	// Done is when ARM completed a DELETE, or said that there is nothing to delete. Confirmed reports whether
	// it said that it has deleted the resource.
	Done      time.Time
	Confirmed bool
	// IfMatch is the If-Match header that the next DELETE needs.
	IfMatch string
}

// Refuse counts a refusal, and returns when to send such a request again and what to say.
func (m *Memory) Refuse(request Request, r Refusal, at Moment) (next time.Time, say Say) {
	after, say := Refuse(request, r, m.Refusals[request], at)
	m.set(request, after)
	return after.Next, say
}

// set sets the refusals of a kind of request.
func (m *Memory) set(request Request, s Series) {
	if s == (Series{}) {
		delete(m.Refusals, request)
		return
	}
	if m.Refusals == nil {
		m.Refusals = map[Request]Series{}
	}
	m.Refusals[request] = s
}

// Happened ends the series of refusals that an event ends.
func (m *Memory) Happened(e Event) {
	for request := range m.Refusals {
		if slices.Contains(resetBy[request], e) {
			m.set(request, Series{})
		}
	}
}

// Next returns the time before which no request of the given kinds is sent.
func (m *Memory) Next(of ...Request) (next time.Time) {
	for _, request := range of {
		if at := m.Refusals[request].Next; at.After(next) {
			next = at
		}
	}
	return next
}

// NextRead returns the time before which ARM is not asked about the resource.
func (m *Memory) NextRead() time.Time {
	return m.Next(ProbeRequest, GetRequest, ChildRequest, PostRequest)
}

// Postpone delays a request that was not refused until a time.
func (m *Memory) Postpone(request Request, until time.Time) {
	s := m.Refusals[request]
	s.Next = until
	m.set(request, s)
}

// TryAgain allows refused requests to be sent again at once, because something has changed.
func (m *Memory) TryAgain() {
	m.Put = Attempt{}
	for _, request := range []Request{PutRequest, DeleteRequest, ProbeRequest, GetRequest, GoneRequest, ChildRequest, PostRequest} {
		m.Postpone(request, time.Time{})
	}
}
