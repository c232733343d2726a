package armtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is something that ARM does and a client must be able to bear.
type Fault string

// The faults. What a recorded ARM did is the reason for each of them.
const (
	// AsyncOperation starts an operation that the header Azure-AsyncOperation names.
	AsyncOperation Fault = "operation by Azure-AsyncOperation"
	// LocationOperation starts an operation that the header Location names.
	LocationOperation Fault = "operation by Location"
	// StateOperation starts an operation that only provisioningState shows.
	StateOperation Fault = "operation by provisioningState"
	// OwnLocation sends a Location that is the resource's own.
	OwnLocation Fault = "Location of the resource itself"
	// ForeignHost names a host that is not ARM to follow an operation by.
	ForeignHost Fault = "Location at a foreign host"
	// NewURL sends a new URL with the answer to a poll.
	NewURL Fault = "new URL to poll"
	// OddState has a state outside the standard.
	OddState Fault = "state outside the standard"
	// OperationFails lets an operation fail, with HTTP status 200.
	OperationFails Fault = "operation fails"
	// OddFailure lets an operation that fails end with a word of the service's own, and one by
	// Location with the status 200 and a body that alone says so.
	OddFailure Fault = "failure in words of the service"
	// RefusedPoll refuses to tell of an operation, or answers with nothing.
	RefusedPoll Fault = "poll refused"
	// LastingState leaves a provisioningState for ever that is none of the standard ones.
	LastingState Fault = "state that lasts"
	// Forgotten lets ARM forget an operation that has ended.
	Forgotten Fault = "operation is forgotten"
	// OtherType has a property with another JSON type than the spec's.
	OtherType Fault = "property of another type"
	// NoResource has something else in the body of a PUT's answer.
	NoResource Fault = "body is no resource"
	// ShowsState has a provisioningState in the resource.
	ShowsState Fault = "provisioningState"
	// MissingParent refuses a resource whose parent does not exist.
	MissingParent Fault = "parent is missing"
	// Busy refuses a write while another is under way.
	Busy Fault = "conflict while busy"
	// Transient400, Transient404 and Transient409 refuse what is taken later.
	Transient400 Fault = "transient 400"
	Transient404 Fault = "transient 404"
	Transient409 Fault = "transient 409"
	// Throttled refuses with 429, by chance with Retry-After.
	Throttled Fault = "throttled"
	// ServerError refuses with 500, 502 or 503.
	ServerError Fault = "server error"
	// LostRequest drops the connection before the request has an effect.
	LostRequest Fault = "request lost"
	// LostAnswer drops the connection after it.
	LostAnswer Fault = "answer lost"
	// LateVisible hides a resource for some time after it was made.
	LateVisible Fault = "visible late"
	// HiddenAtWork hides a resource until the operation ends that makes it.
	HiddenAtWork Fault = "hidden while at work"
	// Missed answers 404 to one GET of a resource that exists, and not to the next.
	Missed Fault = "missed once"
	// LateGone shows a resource for some time after it was deleted.
	LateGone Fault = "gone late"
	// OtherCase has ids in another case.
	OtherCase Fault = "id in another case"
	// NoID has no id in what is read.
	NoID Fault = "no id"
	// FixedLocation refuses to move a resource to another place.
	FixedLocation Fault = "location cannot change"
	// SpelledLocation has West Europe for westeurope.
	SpelledLocation Fault = "location spelled out"
	// NotEchoed leaves out properties that are write-only.
	NotEchoed Fault = "write-only property not echoed"
	// Echoes has the body of the request in the message of a refusal.
	Echoes Fault = "message repeats the request"
	// WantsIfMatch refuses the deletion of what exists with 412, 428 or 400 unless it has If-Match, as
	// API Management does.
	WantsIfMatch Fault = "deletion lacks If-Match"
	// GoneIs404 answers 404 and not 204 to the deletion of what does not exist.
	GoneIs404 Fault = "deletion of nothing is 404"
	// DeletedIs204 answers 204 and not 200 to a deletion.
	DeletedIs204 Fault = "deletion is 204"
	// IgnoresETag answers with the resource, although it is as the client knows it.
	IgnoresETag Fault = "If-None-Match ignored"
	// NoETag answers a GET without an ETag, as services do that have none.
	NoETag Fault = "no ETag"
)

// Rates has the rate of each fault, from 0 to 1. A fault that is absent is off.
type Rates map[Fault]float64

// AllFaults returns rates with which every fault occurs, and most requests succeed
// when they are repeated.
func AllFaults() Rates {
	return Rates{
		AsyncOperation: .3, LocationOperation: .2, StateOperation: .1, OwnLocation: .05, ForeignHost: .03, NewURL: .4, OddState: .2,
		RefusedPoll: .1, LastingState: .1,
		OperationFails: .1, OddFailure: .4, OtherType: .15, Forgotten: .1, NoResource: .25, ShowsState: .6, MissingParent: 1, Busy: 1,
		Transient400: .05, Transient404: .04, Transient409: .05, Throttled: .04, ServerError: .04, LostRequest: .03, LostAnswer: .04,
		HiddenAtWork: .1, Missed: .05,
		LateVisible: .1, LateGone: .1, OtherCase: .2, NoID: .1, FixedLocation: 1, SpelledLocation: .3, NotEchoed: 1, Echoes: .3,
		GoneIs404: .5, DeletedIs204: .3, IgnoresETag: .5, WantsIfMatch: .3, NoETag: .2,
	}
}

// Without returns the rates without some faults.
func (r Rates) Without(faults ...Fault) Rates {
	r = maps.Clone(r)
	for _, f := range faults {
		delete(r, f)
	}
	return r
}

// Behavior is how a Server behaves. The zero value has no faults.
type Behavior struct {
	// Seed decides what happens when. Equal requests in equal order get equal answers.
	Seed  uint64
	Rates Rates
	// Slowest is how long an operation takes at most, by default a minute.
	Slowest time.Duration
	// Lag is how long it takes at most until a change is visible, by default five
	// seconds.
	Lag time.Duration
	// Limits has the numbers of requests that a subscription takes, as ARM publishes
	// them. Answers state how many are left.
	Limits bool
	// RetryAfter is the longest wait that an answer asks for, by default 20 seconds.
	// If it is less than a second, the header has milliseconds.
	RetryAfter time.Duration
	// States are the words from which LastingState picks, by default some that are no work.
	States []string
	// WriteOnly has the names of properties that NotEchoed leaves out.
	WriteOnly []string
	// Now returns the time, by default [time.Now].
	Now func() time.Time
}

// Behave changes how the Server behaves from now on. Operations under way go on.
func (s *Server) Behave(b Behavior) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	b.Slowest = cmp.Or(b.Slowest, time.Minute)
	b.Lag = cmp.Or(b.Lag, 5*time.Second)
	b.RetryAfter = cmp.Or(b.RetryAfter, 20*time.Second)
	if b.States == nil {
		b.States = []string{"Warning", "Running", "Created", "Ready"}
	}
	if b.Now == nil {
		b.Now = time.Now
	}
	if b.Rates[OtherType] == 0 { // the service is mended
		for id := range s.misfits {
			s.setMisfit(id, misfit{})
		}
	}
	s.left = map[string]allowance{}
	s.behavior, s.random = b, rand.New(rand.NewPCG(b.Seed, 0))
}

// Injected lists the faults that occurred, in order, for the message of a test
// that fails.
func (s *Server) Injected() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.injected)
}

// strikes reports whether a fault occurs now, and notes it.
func (s *Server) strikes(f Fault, e *exchange) bool {
	rate := s.behavior.Rates[f]
	if rate == 0 || s.random.Float64() >= rate {
		return false
	}
	s.note(f, e)
	return true
}

func (s *Server) note(f Fault, e *exchange) {
	e.faults = append(e.faults, f)
	s.injected = append(s.injected, fmt.Sprintf("%d: %s %s: %s", len(s.requests)+1, e.method, e.id, f))
}

// some returns a time between none and most.
func (s *Server) some(most time.Duration) time.Duration {
	return time.Duration(s.random.Int64N(int64(most)) + 1)
}

// allowance is how many requests a subscription takes at a time.
type allowance struct {
	left float64
	at   time.Time
}

// limit counts a request, and returns the header that states how many are left, and the
// refusal if there are none.
func (s *Server) limit(e *exchange) (http.Header, *answer) {
	segments := strings.Split(key(e.id), "/")
	if !s.behavior.Limits || len(segments) < 3 {
		return nil, nil
	}
	kind, size, rate := "Writes", 200., 10.
	switch e.method {
	case http.MethodGet, http.MethodHead:
		kind, size, rate = "Reads", 250, 25
	case http.MethodDelete:
		kind = "Deletes"
	}
	now, of := s.behavior.Now(), segments[2]+kind
	a, found := s.left[of]
	if !found {
		a = allowance{size, now}
	}
	a = allowance{min(size, a.left+now.Sub(a.at).Seconds()*rate), now}
	header := http.Header{"X-Ms-Ratelimit-Remaining-Subscription-" + kind: {strconv.Itoa(max(int(a.left)-1, 0))}}
	if a.left < 1 {
		s.left[of] = a
		refusal := refuse(http.StatusTooManyRequests, "SubscriptionRequestsThrottled",
			"The subscription has no "+strings.ToLower(kind)+" left.")
		refusal.header = http.Header{"Retry-After": {"1"}}
		return header, &refusal
	}
	a.left--
	s.left[of] = a
	return header, nil
}

// askToWait says when to come back.
func (s *Server) askToWait(header http.Header) {
	if most := s.behavior.RetryAfter; most >= time.Second {
		header.Set("Retry-After", strconv.Itoa(1+s.random.IntN(int(most/time.Second))))
	} else {
		header.Set("Retry-After-Ms", strconv.Itoa(1+s.random.IntN(max(int(most/time.Millisecond), 1))))
	}
}

// pick returns one of several texts.
func (s *Server) pick(all ...string) string { return all[s.random.IntN(len(all))] }

// obstruct returns the refusal of a request that nothing is wrong with, if a fault
// brings one.
func (s *Server) obstruct(e *exchange) *answer {
	write := e.method == http.MethodPut || e.method == http.MethodDelete
	switch {
	case s.strikes(LostRequest, e):
		return &answer{dropped: true}
	case s.strikes(Throttled, e):
		// Most come from the service of the type, few from a limit of ARM.
		a := s.refusal(e, http.StatusTooManyRequests, s.pick(
			"TooManyRequests", "RetryableError", "RetryableError", "SubscriptionRequestsThrottled"))
		if s.random.IntN(3) == 0 {
			a.header = http.Header{}
			s.askToWait(a.header)
		}
		return &a
	case s.strikes(ServerError, e):
		a := s.refusal(e, []int{500, 502, 503}[s.random.IntN(3)], "InternalServerError")
		if s.random.IntN(2) == 0 {
			a.body, a.text = nil, "<html><h1>Something went wrong"
		}
		return &a
	case write && s.strikes(Transient400, e):
		a := s.refusal(e, http.StatusBadRequest, s.pick(
			"ManagedEnvironmentNotProvisioned", "PrincipalNotFound", "FailedIdentityOperation", "InvalidResourceReference"))
		return &a
	case write && s.strikes(Transient404, e):
		// None of them says that the resource itself does not exist.
		a := s.refusal(e, http.StatusNotFound, s.pick("PrincipalNotFound", "SubscriptionNotFound", "InvalidResourceType"))
		return &a
	case write && s.strikes(Transient409, e):
		a := s.refusal(e, http.StatusConflict, s.pick("AnotherOperationInProgress", "Conflict", "CannotDeleteResource"))
		return &a
	}
	return nil
}

// refusal returns an error in one of the shapes that services use.
func (s *Server) refusal(e *exchange, status int, code string) answer {
	message := "It cannot be done now. Try it later."
	if len(e.body) > 0 && s.strikes(Echoes, e) {
		message += " Found " + string(e.body)
	}
	switch s.random.IntN(20) {
	case 0:
		return answer{status: status, body: map[string]any{"code": code, "message": message}}
	case 1:
		return answer{status: status, body: map[string]any{"Code": code, "Message": message}}
	}
	return refuse(status, code, message)
}

// show returns what a client sees of a resource.
func (s *Server) show(r *resource, e *exchange) map[string]any {
	body := deepCopy(r.answer).(map[string]any)
	if r.showsState {
		properties, _ := body["properties"].(map[string]any)
		if properties == nil {
			properties = map[string]any{}
			body["properties"] = properties
		}
		properties["provisioningState"] = r.state
	}
	if m := s.misfits[key(r.id)]; m.property != "" {
		if properties, _ := body["properties"].(map[string]any); properties[m.property] != nil {
			properties[m.property] = deepCopy(m.value)
		}
	}
	s.gather(r, e, body)
	if id, _ := body["id"].(string); s.strikes(OtherCase, e) {
		body["id"] = strings.ReplaceAll(id, "resourceGroups", "resourcegroups")
	}
	if location, ok := body["location"].(string); ok && s.strikes(SpelledLocation, e) {
		body["location"] = spell(location)
	}
	if len(s.behavior.WriteOnly) > 0 && s.strikes(NotEchoed, e) {
		leaveOut(body, s.behavior.WriteOnly)
	}
	return body
}

// misfit is a property that is shown with another value, which is none of its type.
type misfit struct {
	property string
	value    any
}

// Misfit shows a property of a resource with another value from now on, or as it is if that
// is nil.
func (s *Server) Misfit(id, property string, value any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if value == nil {
		property = ""
	}
	s.setMisfit(id, misfit{property, value})
}

func (s *Server) setMisfit(id string, m misfit) {
	if s.misfits[key(id)] = m; m.property == "" {
		delete(s.misfits, key(id))
	}
	if r := s.resources[key(id)]; r != nil {
		r.etag++
	}
}

// otherType returns a value of another JSON type. What is text in it is as secret as a
// password: see operationURL.
func (s *Server) otherType(value any) any {
	var others []any
	switch value := value.(type) {
	case string:
		others = []any{json.Number("7"), json.Number("3.5"), []any{"canary-element"}}
	case json.Number:
		others = []any{value.String(), "canary-text", json.Number("3.5"), map[string]any{"canary-name": true}}
	case []any:
		others = []any{map[string]any{"canary-name": "canary-value"}, "canary-text"}
	case map[string]any:
		others = []any{[]any{"canary-element"}, json.Number("7")}
	default:
		others = []any{"canary-text", json.Number("1")}
	}
	return others[s.random.IntN(len(others))]
}

// spell returns the name of a region as it is shown to people.
func spell(location string) string {
	for _, word := range []string{"west", "east", "north", "south", "central", "europe", "us", "uk", "asia"} {
		location = strings.ReplaceAll(location, word, " "+strings.ToUpper(word[:1])+word[1:])
	}
	return strings.TrimSpace(location)
}

func leaveOut(value any, names []string) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			leaveOut(v, names)
		}
	case map[string]any:
		maps.DeleteFunc(value, func(name string, _ any) bool { return slices.Contains(names, name) })
		for _, v := range value {
			leaveOut(v, names)
		}
	}
}

func deepCopy(value any) any {
	switch value := value.(type) {
	case []any:
		all := make([]any, len(value))
		for i, v := range value {
			all[i] = deepCopy(v)
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(value))
		for k, v := range value {
			all[k] = deepCopy(v)
		}
		return all
	}
	return value
}
