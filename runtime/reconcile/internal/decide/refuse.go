package decide

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm/client"
)

// Request is a kind of request that can be refused. The refusals of each kind are counted apart.
type Request int

// The kinds of requests.
const (
	// PutRequest and DeleteRequest are the PUT and the DELETE of the resource.
	PutRequest Request = iota
	DeleteRequest
	// ProbeRequest reads the resource before the first PUT.
	ProbeRequest
	// GetRequest reads the resource or what contains it, GoneRequest checks whether the resource is gone
	// after a DELETE, and ChildRequest reads a child in a collection.
	GetRequest
	GoneRequest
	ChildRequest
	// PollRequest asks for the status of an operation.
	PollRequest
	// PostRequest calls an action whose answer has outputs.
	PostRequest
	// WriteRequest is a write to the API server.
	WriteRequest
)

// Kind is a kind of refusal: why a request did not do what it was for.
type Kind int

// The kinds of refusals.
const (
	// Refused is a refusal that may pass, and Busy one that says that the request came too soon.
	Refused Kind = iota
	Busy
	// Throttled is a limit of ARM for all requests of a principal to a subscription.
	Throttled
	// NotSent is a request that did not leave this program, and NoCredential one for which there is no credential.
	NotSent
	NoCredential
	// NoAnswer is a request that ARM may have received.
	NoAnswer
	// NotFound says that something does not exist, which need not be the resource.
	NotFound
	// Invalid, Unauthorized and Unreadable are refusals that the operator cannot resolve itself.
	Invalid
	Unauthorized
	Unreadable
	// Unfinished is an answer that says that ARM is at work on the resource.
	Unfinished
	// StillThere is a resource that still exists after its DELETE, and NotShown one that ARM may have but
	// does not show.
	StillThere
	NotShown
)

// Refusal is the end of a request that did not do what it was for.
type Refusal struct {
	Kind Kind
	Code string
	// RetryAfter is how long ARM asks to wait, 0 if it does not ask.
	RetryAfter time.Duration
	// Age is the time since the request that ARM is at work on was sent.
	Age time.Duration
	// Harmless reports whether the object is ready, and stays so without the answer.
	Harmless bool
}

// kindOf has the kind of refusal of each class of errors but Retriable.
var kindOf = map[client.Class]Kind{
	client.Invalid: Invalid, client.Throttled: Throttled, client.Unauthorized: Unauthorized, client.NotFound: NotFound,
	client.Unknown: NoAnswer, client.Malformed: Unreadable, client.NotSent: NotSent,
}

// RefusalOf returns the refusal for an error of ARM or of its client.
func RefusalOf(e *client.Error) Refusal {
	r := Refusal{Kind: kindOf[e.Class], Code: e.Code, RetryAfter: e.RetryAfter}
	if e.Class == client.Retriable && e.IsBusy() {
		r.Kind = Busy
	}
	return r
}

// Series is a series of successive refusals of one kind of request.
type Series struct {
	Count int
	// Code is the error code of the last refusal that was counted.
	Code string
	// Next is when to send such a request again.
	Next time.Time
}

// Say is what the conditions say of a refusal.
type Say int

// What the conditions can say.
const (
	// Nothing leaves the conditions as they are.
	Nothing Say = iota
	// Waiting says why the object is not ready, and that the request is sent again.
	Waiting
	// Stalled says that somebody has to change something. Lasting says so because the same refusal came after the
	// longest wait: by then it is a lock, a quota or a property that cannot change, and not something that passes.
	Stalled
	Lasting
)

// Moment is the time of a refusal, and the object that it concerns. Refresh is how often the object is
// refreshed.
type Moment struct {
	Now     time.Time
	UID     types.UID
	Refresh time.Duration
}

// pause is how long a refused request is not sent again.
type pause int

const (
	// growing waits longer after each refusal, and at least as long as ARM asks.
	growing pause = iota
	// short is like growing, with waits of at most a minute until [longAtWork] after the request was sent.
	short
	// soon waits the shortest time again, and the refusal does not count.
	soon
	// asAsked waits as long as ARM asks, at least a second, and the refusal does not count.
	asAsked
	// parked waits for the next refresh or a change, and the refusal does not count.
	parked
)

// longAtWork is the longest time that ARM is usually at work on a request.
const longAtWork = time.Hour

// rule says what follows from some refusals of some requests.
type rule struct {
	requests []Request // nil for all
	kinds    []Kind    // nil for all
	pause    pause
	say      Say
	// lasting turns Waiting into [Lasting] after the longest wait. harmless is how many harmless refusals
	// in a row are not reported.
	lasting  bool
	harmless int
}

var (
	writes = []Request{PutRequest, DeleteRequest}
	reads  = []Request{GetRequest, ChildRequest, PostRequest}
)

// rules says what follows from a refusal. The first rule that matches applies.
var rules = []rule{
	// ARM's own limits say nothing about the resource.
	{requests: append([]Request{ProbeRequest}, writes...), kinds: []Kind{Throttled}, pause: asAsked, say: Waiting},
	{requests: []Request{PollRequest}, kinds: []Kind{Throttled, NotSent}, pause: soon},
	{requests: reads, kinds: []Kind{Throttled, NotSent}},
	{requests: []Request{PutRequest, ProbeRequest}, kinds: []Kind{NotSent}, pause: soon},
	{requests: []Request{DeleteRequest}, kinds: []Kind{NotSent}},
	// The same PUT is refused again until its content changes.
	{requests: []Request{PutRequest}, kinds: []Kind{Invalid}, pause: parked, say: Stalled},
	{kinds: []Kind{Invalid, Unauthorized, Unreadable}, say: Stalled},
	{requests: writes, kinds: []Kind{Refused, NotFound}, say: Waiting, lasting: true},
	// What was read before is probably still true.
	{requests: []Request{GetRequest, PostRequest}, kinds: []Kind{Refused, Busy, NoAnswer}, say: Waiting, harmless: 4},
	{kinds: []Kind{Unfinished, NoCredential}, pause: short, say: Waiting},
	{requests: []Request{GoneRequest}, kinds: []Kind{StillThere}, pause: short, say: Waiting},
	{requests: []Request{WriteRequest}, say: Stalled},
	{say: Waiting},
}

// Refuse returns what follows from a refusal after a series of refusals of the same kind of request: the
// series with the new refusal, which has the time to send such a request again, and what to say.
func Refuse(request Request, r Refusal, before Series, at Moment) (after Series, say Say) {
	i := slices.IndexFunc(rules, func(u rule) bool {
		return (u.requests == nil || slices.Contains(u.requests, request)) && (u.kinds == nil || slices.Contains(u.kinds, r.Kind))
	})
	rule := rules[i]
	after = before
	wait := time.Duration(0)
	switch rule.pause {
	case growing, short:
		after.Count, after.Code = after.Count+1, r.Code
		delay := Backoff
		if rule.pause == short && r.Age < longAtWork {
			delay = AtWork
		}
		wait = max(r.RetryAfter, delay.After(after.Count, at.UID, at.Now))
	case soon:
		wait = max(r.RetryAfter, Soon.After(1, at.UID, at.Now))
	case asAsked:
		wait = Delay{Least: max(r.RetryAfter, time.Second), Jitter: true}.After(1, at.UID, at.Now)
	case parked:
		wait = Turn(at.UID, at.Refresh, at.Now).Sub(at.Now)
	}
	after.Next = at.Now.Add(wait)
	switch say = rule.say; {
	case r.Harmless && after.Count <= rule.harmless:
		say = Nothing
	case rule.lasting && r.Code == before.Code && Backoff.isLongest(after.Count-1):
		say = Lasting
	}
	return after, say
}

// Event is something after which the refusals of some requests do not count any more.
type Event int

// The events.
const (
	// Accepted is a PUT that ARM has done, and Edited a PUT with other content than the one before.
	Accepted Event = iota
	Edited
	// Deleted is a DELETE that ARM has done, and InVain one after which the resource still exists.
	Deleted
	InVain
	// Answered is a GET of the resource that ARM has answered, even if it found nothing, and ChildAnswered
	// the last one of those of its children.
	Answered
	ChildAnswered
	// Shown is a resource that the Status shows, and whose outputs are written.
	Shown
	// Begun is an operation that ARM is at work on.
	Begun
	// Written is a reconcile in which the API server has refused no write.
	Written
)

// resetBy holds, for each kind of request, the events that end a series of its refusals. The refusals of
// DELETEs count as long as this instance knows the object.
var resetBy = map[Request][]Event{
	PutRequest:   {Accepted, Edited},
	ProbeRequest: {Answered},
	GetRequest:   {Answered, Shown},
	GoneRequest:  {Deleted, InVain},
	ChildRequest: {ChildAnswered},
	PollRequest:  {Begun},
	PostRequest:  {Shown},
	WriteRequest: {Written},
}
