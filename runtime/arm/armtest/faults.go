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

// Fault is a behavior of ARM that a client must be able to handle.
type Fault string

// The faults. Each of them has been seen in recordings of ARM.
const (
	// AsyncOperation starts an operation that the header Azure-AsyncOperation names.
	AsyncOperation Fault = "operation by Azure-AsyncOperation"
	// LocationOperation starts an operation that the header Location names.
	LocationOperation Fault = "operation by Location"
	// StateOperation starts an operation that only provisioningState shows.
	StateOperation Fault = "operation by provisioningState"
	// OwnLocation sends a Location that is the resource's own.
	OwnLocation Fault = "Location of the resource itself"
	// ForeignHost sends a Location that is not at ARM's host, for an operation.
	ForeignHost Fault = "Location at a foreign host"
	// NewURL sends a new URL with the answer to a poll.
	NewURL Fault = "new URL to poll"
	// OddState has a state outside the standard.
	OddState Fault = "state outside the standard"
	// OperationFails lets an operation fail, with HTTP status 200.
	OperationFails Fault = "operation fails"
	// OddFailure lets an operation that fails end with the service's own word for a failure. If
	// the operation is polled by Location, the status is 200, and only the body shows the failure.
	OddFailure Fault = "failure in words of the service"
	// RefusedPoll refuses a poll, or answers it with an empty body.
	RefusedPoll Fault = "poll refused"
	// LastingState leaves a resource in a provisioningState outside the standard for ever.
	LastingState Fault = "state that lasts"
	// Forgotten lets ARM forget an operation that has ended.
	Forgotten Fault = "operation is forgotten"
	// OtherType shows a property with another JSON type than the spec's.
	OtherType Fault = "property of another type"
	// NoResource answers a PUT with a body that is not the resource.
	NoResource Fault = "body is no resource"
	// ShowsState shows a provisioningState in the resource.
	ShowsState Fault = "provisioningState"
	// SystemData shows when a resource was created. All resources of a type show it, or none.
	SystemData Fault = "systemData"
	// MissingParent refuses a resource whose parent does not exist.
	MissingParent Fault = "parent is missing"
	// Busy refuses a write while another is under way.
	Busy Fault = "conflict while busy"
	// Transient400, Transient404 and Transient409 refuse a write that is accepted later.
	Transient400 Fault = "transient 400"
	Transient404 Fault = "transient 404"
	Transient409 Fault = "transient 409"
	// Throttled refuses with 429, by chance with Retry-After.
	Throttled Fault = "throttled"
	// ServerError refuses with 500, 502 or 503.
	ServerError Fault = "server error"
	// LostRequest drops the connection before the request has an effect.
	LostRequest Fault = "request lost"
	// LostAnswer drops the connection after the request has had its effect.
	LostAnswer Fault = "answer lost"
	// LateVisible hides a resource for some time after it was made.
	LateVisible Fault = "visible late"
	// OldList shows the list of a parent without what was created in it a moment ago.
	OldList Fault = "list is old"
	// HiddenAtWork hides a resource until the operation that creates it has ended.
	HiddenAtWork Fault = "hidden while at work"
	// Missed answers 404 to one GET of a resource that exists, and not to the next. If [Behavior.Outage] is set, it
	// lasts: until it ends, GET, HEAD, DELETE, POST and lists find no resource of the same location, but PUT does what
	// it always does.
	Missed Fault = "missed"
	// LateGone shows a resource for some time after it was deleted.
	LateGone Fault = "gone late"
	// OtherCase shows ids in another case.
	OtherCase Fault = "id in another case"
	// NoID answers a GET with a resource without an id.
	NoID Fault = "no id"
	// FixedLocation refuses to move a resource to another location.
	FixedLocation Fault = "location cannot change"
	// SpelledLocation shows the location westeurope as West Europe.
	SpelledLocation Fault = "location spelled out"
	// NotEchoed leaves out write-only properties.
	NotEchoed Fault = "write-only property not echoed"
	// Echoes repeats the body of the request in the message of a refusal.
	Echoes Fault = "message repeats the request"
	// WantsIfMatch refuses the deletion of a resource with 412, 428 or 400 unless the request has
	// If-Match, as API Management does.
	WantsIfMatch Fault = "deletion lacks If-Match"
	// PutWantsIfMatch refuses a change of a resource with 412, 428 or 400 unless the request has If-Match, as
	// API Management does. All resources of a type do, or none.
	PutWantsIfMatch Fault = "change lacks If-Match"
	// OtherWords answers 404 for what does not exist in other words than ARM's own. All resources of a type do,
	// or none.
	OtherWords Fault = "404 in other words"
	// GoneIs404 answers 404 instead of 204 to the deletion of a resource that does not exist.
	GoneIs404 Fault = "deletion of nothing is 404"
	// DeletedIs204 answers 204 instead of 200 to a deletion.
	DeletedIs204 Fault = "deletion is 204"
	// IgnoresETag answers with the resource, although it has the ETag of If-None-Match.
	IgnoresETag Fault = "If-None-Match ignored"
	// RefusesIfNoneMatch refuses any PUT with If-None-Match with 400, and IgnoresIfNoneMatch ignores the header. All
	// resources of a type do, or none.
	RefusesIfNoneMatch Fault = "If-None-Match refused"
	IgnoresIfNoneMatch Fault = "If-None-Match of a PUT ignored"
	// KeepsProperties keeps what the body of a PUT lacks, as storage accounts and web apps do. All resources of a type
	// do, or none.
	KeepsProperties Fault = "property that the PUT lacks is kept"
	// LateChange shows a resource for some time as it was before a PUT, with its former ETag.
	LateChange Fault = "change visible late"
	// Normalizes shows texts and entries that no PUT had: texts begin with a capital letter, and tags and lists whose
	// elements have names have one more. All resources of a type do, or none.
	Normalizes Fault = "normal form"
	// OtherSpelling shows ids in properties in another case, and lists whose elements have names in another order.
	OtherSpelling Fault = "spelled otherwise"
	// NoETag answers a GET without an ETag, as services without ETags do.
	NoETag Fault = "no ETag"
)

// Rates has the rate of each fault, from 0 to 1. A fault that is absent is off.
type Rates map[Fault]float64

// AllFaults returns rates at which every fault occurs, and most requests succeed
// when they are repeated.
func AllFaults() Rates {
	return Rates{
		AsyncOperation: .3, LocationOperation: .2, StateOperation: .1, OwnLocation: .05, ForeignHost: .03, NewURL: .4, OddState: .2,
		RefusedPoll: .1, LastingState: .1,
		OperationFails: .1, OddFailure: .4, OtherType: .15, Forgotten: .1, NoResource: .25, ShowsState: .6, SystemData: .7,
		MissingParent: 1, Busy: 1,
		Transient400: .05, Transient404: .04, Transient409: .05, Throttled: .04, ServerError: .04, LostRequest: .03, LostAnswer: .04,
		HiddenAtWork: .1, Missed: .05, OldList: .1,
		LateVisible: .1, LateGone: .1, OtherCase: .2, NoID: .1, FixedLocation: 1, SpelledLocation: .3, NotEchoed: 1, Echoes: .3,
		GoneIs404: .5, DeletedIs204: .3, IgnoresETag: .5, WantsIfMatch: .3, NoETag: .2,
		RefusesIfNoneMatch: .2, IgnoresIfNoneMatch: .2, PutWantsIfMatch: .2, OtherWords: .2,
		KeepsProperties: .2, LateChange: .1, Normalizes: .3, OtherSpelling: .2,
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
	// Seed decides which faults occur when. Equal requests in equal order get equal answers.
	Seed  uint64
	Rates Rates
	// Slowest is the longest time that an operation takes, by default a minute.
	Slowest time.Duration
	// Lag is the longest time until a change is visible, and until which a list may be old, by default five
	// seconds.
	Lag time.Duration
	// Outage is the longest time that Missed lasts, 0 for one GET.
	Outage time.Duration
	// Limits turns on the limits of requests to a subscription that ARM publishes. Answers
	// state how many requests are left.
	Limits bool
	// RetryAfter is the longest wait that an answer asks for, by default 20 seconds.
	// If it is less than a second, the header has milliseconds.
	RetryAfter time.Duration
	// States are the words from which LastingState picks, by default some that do not mean that
	// ARM is at work.
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
	if b.Rates[OtherType] == 0 { // the service is repaired
		for id := range s.misfits {
			s.setMisfit(id, misfit{})
		}
	}
	s.allowances, s.outages = map[string]allowance{}, map[string]time.Time{}
	s.behavior, s.random = b, rand.New(rand.NewPCG(b.Seed, 0))
}

// Injected lists the faults that occurred, in order, for the message of a test
// that fails.
func (s *Server) Injected() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.injected)
}

// occurs reports whether a fault occurs now, and notes it.
func (s *Server) occurs(f Fault, e *exchange) bool {
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

// randomDuration returns a random duration of at most limit.
func (s *Server) randomDuration(limit time.Duration) time.Duration {
	return time.Duration(s.random.Int64N(int64(limit)) + 1)
}

// allowance is how many requests a subscription accepts at a time.
type allowance struct {
	left float64
	at   time.Time // when left was computed
}

// checkLimit counts a request. It returns the header that states how many requests are left, and a
// refusal if there are none.
func (s *Server) checkLimit(e *exchange) (http.Header, *answer) {
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
	a, found := s.allowances[of]
	if !found {
		a = allowance{size, now}
	}
	a = allowance{min(size, a.left+now.Sub(a.at).Seconds()*rate), now}
	header := http.Header{"X-Ms-Ratelimit-Remaining-Subscription-" + kind: {strconv.Itoa(max(int(a.left)-1, 0))}}
	if a.left < 1 {
		s.allowances[of] = a
		refusal := refuse(http.StatusTooManyRequests, "SubscriptionRequestsThrottled",
			"The subscription has no "+strings.ToLower(kind)+" left.")
		refusal.header = http.Header{"Retry-After": {"1"}}
		return header, &refusal
	}
	a.left--
	s.allowances[of] = a
	return header, nil
}

// askToWait adds a header that says how long to wait.
func (s *Server) askToWait(header http.Header) {
	if most := s.behavior.RetryAfter; most >= time.Second {
		header.Set("Retry-After", strconv.Itoa(1+s.random.IntN(int(most/time.Second))))
	} else {
		header.Set("Retry-After-Ms", strconv.Itoa(1+s.random.IntN(max(int(most/time.Millisecond), 1))))
	}
}

// pick returns one of several texts.
func (s *Server) pick(all ...string) string { return all[s.random.IntN(len(all))] }

// injectFailure returns a failure of a request that is valid, if a fault occurs, or else
// nil.
func (s *Server) injectFailure(e *exchange) *answer {
	write := e.method == http.MethodPut || e.method == http.MethodDelete
	switch {
	case s.occurs(LostRequest, e):
		return &answer{dropped: true}
	case s.occurs(Throttled, e):
		// Most refusals come from the service of the type, and few from a limit of ARM.
		a := s.refusal(e, http.StatusTooManyRequests, s.pick(
			"TooManyRequests", "RetryableError", "RetryableError", "SubscriptionRequestsThrottled"))
		if s.random.IntN(3) == 0 {
			a.header = http.Header{}
			s.askToWait(a.header)
		}
		return &a
	case s.occurs(ServerError, e):
		a := s.refusal(e, []int{500, 502, 503}[s.random.IntN(3)], "InternalServerError")
		if s.random.IntN(2) == 0 {
			a.body, a.text = nil, "<html><h1>Something went wrong"
		}
		return &a
	case write && s.occurs(Transient400, e):
		a := s.refusal(e, http.StatusBadRequest, s.pick(
			"ManagedEnvironmentNotProvisioned", "PrincipalNotFound", "FailedIdentityOperation", "InvalidResourceReference"))
		return &a
	case write && s.occurs(Transient404, e):
		// None of these codes says that the resource itself does not exist.
		a := s.refusal(e, http.StatusNotFound, s.pick("PrincipalNotFound", "SubscriptionNotFound", "InvalidResourceType"))
		return &a
	case write && s.occurs(Transient409, e):
		a := s.refusal(e, http.StatusConflict, s.pick("AnotherOperationInProgress", "Conflict", "CannotDeleteResource"))
		return &a
	}
	return nil
}

// refusal returns an error in one of the forms that services use.
func (s *Server) refusal(e *exchange, status int, code string) answer {
	message := "It cannot be done now. Try it later."
	if len(e.body) > 0 && s.occurs(Echoes, e) {
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

// propertiesOf returns the properties of a body, which it adds if there are none.
func propertiesOf(body map[string]any) map[string]any {
	properties, _ := body["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
		body["properties"] = properties
	}
	return properties
}

// show returns the body of a resource as a client sees it.
func (s *Server) show(r *resource, e *exchange) map[string]any {
	body := deepCopy(r.answer).(map[string]any)
	s.addIdentity(r, body)
	if r.showsState {
		propertiesOf(body)["provisioningState"] = r.state
	}
	if m := s.misfits[key(r.id)]; m.property != "" {
		if properties, _ := body["properties"].(map[string]any); properties[m.property] != nil {
			properties[m.property] = deepCopy(m.value)
		}
	}
	if s.alwaysOfType(SystemData, r.id) {
		data := map[string]any{"createdAt": r.created.UTC().Format(time.RFC3339Nano)}
		if r.modifiedBy != "" {
			data["lastModifiedBy"] = r.modifiedBy
		}
		body["systemData"] = data
	}
	s.addCollections(r, e, body)
	if id, _ := body["id"].(string); s.occurs(OtherCase, e) {
		body["id"] = strings.ReplaceAll(id, "resourceGroups", "resourcegroups")
	}
	if s.alwaysOfType(Normalizes, r.id) {
		s.note(Normalizes, e)
		normalize(body)
	}
	if s.occurs(OtherSpelling, e) {
		spellOtherwise(body["properties"])
	}
	if location, ok := body["location"].(string); ok && s.occurs(SpelledLocation, e) {
		body["location"] = displayName(location)
	}
	if len(s.behavior.WriteOnly) > 0 && s.occurs(NotEchoed, e) {
		leaveOut(body, s.behavior.WriteOnly)
	}
	return body
}

// normalize changes the properties and tags of a body to the form that a service keeps.
func normalize(body map[string]any) {
	properties, _ := body["properties"].(map[string]any)
	for name, value := range properties {
		switch value := value.(type) {
		case string:
			if name != "provisioningState" && !strings.HasPrefix(value, "/") && value != "" {
				properties[name] = strings.ToUpper(value[:1]) + value[1:]
			}
		case []any:
			if len(value) > 0 && isNamed(value[0]) && name == "rules" {
				properties[name] = append(value, map[string]any{"name": "of the service", "port": json.Number("1")})
			}
		}
	}
	if tags, found := body["tags"].(map[string]any); found {
		tags["service"] = "made it"
	}
}

// spellOtherwise changes the spelling of a value, and not what it means.
func spellOtherwise(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			if text, isText := v.(string); isText && strings.HasPrefix(text, "/subscriptions/") {
				value[name] = strings.ReplaceAll(text, "resourceGroups", "RESOURCEGROUPS")
			}
			spellOtherwise(v)
		}
	case []any:
		for _, v := range value {
			spellOtherwise(v)
		}
		if !slices.ContainsFunc(value, func(v any) bool { return !isNamed(v) }) {
			slices.Reverse(value)
		}
	}
}

// isNamed reports whether a value is an object with a name.
func isNamed(value any) bool {
	object, _ := value.(map[string]any)
	return object["name"] != nil
}

// misfit is a property that is shown with a value of the wrong type.
type misfit struct {
	property string
	value    any
}

// Misfit shows a property of a resource with another value from now on. If the value is nil, all
// properties of the resource are shown as they are.
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

// otherType returns a value of another JSON type. Its texts have the word canary, to find them
// where they should not be: see operationURL.
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

// displayName returns the name of a location as Azure shows it to people.
func displayName(location string) string {
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
