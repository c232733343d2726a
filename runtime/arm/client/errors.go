package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Class says what a caller can do about an [Error].
type Class int

// The classes of errors.
const (
	// Retriable is a refusal of a request that ARM may take later: 98 of 100 are.
	Retriable Class = iota
	// Invalid is a refusal of input that is wrong whatever else changes.
	Invalid
	// Throttled is a limit of ARM itself, for all requests of the credential to the
	// subscription. That one resource or its service is busy is Retriable.
	Throttled
	// Unauthorized is about the credential or its rights, which may take minutes to spread.
	Unauthorized
	// NotFound is about something that does not exist; Missing says what.
	NotFound
	// Unknown means that there was no answer: ARM may have done what it was asked,
	// or may do it yet.
	Unknown
	// Malformed is an answer that is not what ARM sends.
	Malformed
	// NotSent means that the request did not leave this program.
	NotSent
)

func (c Class) String() string {
	return [...]string{"retriable", "invalid", "throttled", "unauthorized", "not found", "unknown", "malformed", "not sent"}[c]
}

// Missing says what an [Error] of class [NotFound] did not find.
type Missing int

// What can be missing.
const (
	// Something is missing, and ARM's code does not say that it is the resource.
	Something Missing = iota
	// Resource is the one that was asked for.
	Resource
	// Parent is the resource that it belongs to.
	Parent
	// Group is its resource group.
	Group
	// Subscription is its subscription, or the tenant.
	Subscription
)

// The codes of errors without an answer of ARM.
const (
	// NoAnswer is of a request that ARM did not answer.
	NoAnswer = "NoAnswer"
	// NoToken is of a request that was not sent, as there is no token for it.
	NoToken = "NoToken"
	// NotSentCode is of a request that was not sent for another reason.
	NotSentCode = "NotSent"
	// ThrottledCode is of a request that waits for its turn.
	ThrottledCode = "Throttled"
)

// Error is everything but success. It has no secrets that the request had.
type Error struct {
	Class Class
	// Status is that of HTTP, or 0 if there was no answer.
	Status int
	// Code is ARM's, or one of this package.
	Code string
	// Message is ARM's, with target and details.
	Message string
	// Missing is set if Class is NotFound.
	Missing Missing
	// Failed is set if a request was taken, and its operation failed.
	Failed bool
	// RetryAfter is how long ARM asks to wait, or 0.
	RetryAfter time.Duration
	// CorrelationID identifies the request. The support of Azure asks for it.
	CorrelationID string

	err error
}

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code
	}
	return e.Code + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.err }

// Gone reports whether the error shows that the resource does not exist. That a
// subscription is not found shows nothing: the credential may not see it.
func (e *Error) Gone() bool {
	return e.Class == NotFound && (e.Missing == Resource || e.Missing == Parent || e.Missing == Group)
}

// IsBusy reports whether the request came too soon.
func (e *Error) IsBusy() bool { return busy(e.Status) }

// DidNothing reports whether the error shows that ARM did nothing of what it was
// asked: it refused, or never heard of it.
func (e *Error) DidNothing() bool {
	switch {
	case e.Failed || e.Class == Unknown || e.Status == http.StatusRequestTimeout || e.Status >= 500:
		return false
	case e.Class == NotSent || e.Code == ThrottledCode && e.Status == 0 || e.Code == NoToken:
		return true
	}
	return e.Status >= 400
}

// AsError returns the *Error in an error.
func AsError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// invalid has the codes that are invalid input for sure, in lower case. All other
// codes of refusals have been followed by a success of the same request.
var invalid = map[string]bool{
	"invalidrequestcontent":               true, // the body does not satisfy the API version
	"invalidrequestformat":                true,
	"invalidresourcename":                 true,
	"reservedresourcename":                true,
	"resourcenameinvalid":                 true,
	"accountnameinvalid":                  true,
	"invalidresourcetype":                 true,
	"invalidresourcenamespace":            true,
	"invalidapiversionparameter":          true,
	"missingapiversionparameter":          true,
	"noregisteredproviderfound":           true,
	"locationrequired":                    true,
	"locationnotavailableforresourcetype": true,
	"linkedinvalidpropertyid":             true, // an id in the body is no id
	"methodnotallowed":                    true,
}

// Fixed reports whether ARM refuses to change something that cannot change once the resource
// exists.
func (e *Error) Fixed() bool { return e.Class == Invalid && fixed(strings.ToLower(e.Code)) }

// fixed reports whether a code in lower case says that. Services have codes of their own for it,
// such as PropertyChangeNotAllowed of Compute.
func fixed(code string) bool {
	return code == "invalidresourcelocation" || // it exists elsewhere
		slices.ContainsFunc([]string{"immutable", "changenotallowed", "cannotbechanged", "cannotbeupdated", "notupdatable"},
			func(stem string) bool { return strings.Contains(code, stem) })
}

// isInvalid reports whether a code in lower case is of input that is wrong whatever else changes.
func isInvalid(code string) bool { return invalid[code] || fixed(code) }

// missing has codes of answers with status 404, in lower case.
var missing = map[string]Missing{
	"notfound":                 Resource,
	"parentresourcenotfound":   Parent,
	"parentnotfound":           Parent,
	"resourcegroupnotfound":    Group,
	"subscriptionnotfound":     Subscription,
	"invalidsubscriptionid":    Subscription,
	"missingsubscription":      Subscription,
	"tenantnotfound":           Subscription,
	"resourceprovidernotfound": Something,
	"principalnotfound":        Something,
	"endpointnotfound":         Something,
	"locationnotfound":         Something,
}

// missingOf returns what a code with status 404 says to be missing. Services have
// codes of their own for their resources, such as VaultNotFound. All others show
// nothing.
func missingOf(code string) Missing {
	code = strings.ToLower(code)
	if m, known := missing[code]; known {
		return m
	}
	if strings.HasSuffix(code, "notfound") || strings.HasSuffix(code, "doesnotexist") {
		return Resource
	}
	return Something
}

// armError is an error in the shapes in which services send it. Parts of another shape
// are left out.
type armError struct {
	Code, Target, Message text
	Title, Detail         text // of problem+json
	Details               lenient[[]armError]
	Error                 lenient[*armError]
}

// lenient is a value that may have any other shape too.
type lenient[T any] struct{ value T }

func (l *lenient[T]) UnmarshalJSON(value []byte) error {
	if json.Unmarshal(value, &l.value) != nil {
		l.value = *new(T)
	}
	return nil
}

// text is a string, or any other value where a string belongs.
type text string

func (t *text) UnmarshalJSON(value []byte) error {
	var s string
	if json.Unmarshal(value, &s) == nil {
		*t = text(s)
		return nil
	}
	var wrapped struct{ Value string } // OData
	if json.Unmarshal(value, &wrapped) == nil && wrapped.Value != "" {
		*t = text(wrapped.Value)
		return nil
	}
	*t = text(value)
	return nil
}

const maxMessage = 4 << 10

// refusalOf makes the error of an answer with an HTTP status outside 2xx.
func refusalOf(call call, a *answer) *Error {
	secrets := call.request.Secrets
	e := &Error{Status: a.Status, CorrelationID: secrets.Remove(a.header.Get(correlationHeader))}
	var body armError
	isError := a.Body != nil && json.Unmarshal(a.Body, &body) == nil
	if body.Error.value != nil {
		body = *body.Error.value
	}
	code := string(body.Code)
	e.Code = cut(secrets.removeFromCode(code), 200)
	if e.Message = cut(body.message(secrets), maxMessage); !isError && len(a.raw) > 0 {
		e.Message = "found an answer that is no JSON object: " + a.excerpt(secrets)
	}
	e.classify(call, strings.ToLower(code), isError, a.header)
	e.Code = cmp.Or(e.Code, strings.ReplaceAll(http.StatusText(a.Status), " ", ""), "UnexpectedStatus")
	return e
}

// busy reports whether a status says that a request comes too soon.
func busy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// limitCodes has the codes of ARM's own limits, in lower case.
var limitCodes = map[string]bool{
	"subscriptionrequeststhrottled": true,
	"tenantrequeststhrottled":       true,
}

// limited reports whether a refusal by a busy server comes from ARM's own limits, and not from
// the service that a request is for: by its code, by a number of requests that is used up, or
// with status 429 by the name of who refused. With 503 the gateway only tells of a service that
// it does not reach.
func limited(status int, code string, header http.Header) bool {
	if limitCodes[code] || status == http.StatusTooManyRequests && strings.EqualFold(header.Get("X-Ms-Failure-Cause"), "gateway") {
		return true
	}
	for name, values := range header {
		rest, found := strings.CutPrefix(name, "X-Ms-Ratelimit-Remaining-")
		if found && slices.Contains(values, "0") && (strings.HasPrefix(rest, "Subscription-") || strings.HasPrefix(rest, "Tenant-")) {
			return true
		}
	}
	return false
}

// ofSubscription reports whether a code with status 403 says that nobody may do what was asked,
// because of a policy or because the subscription is disabled, whatever rights they have.
func ofSubscription(code string) bool {
	return strings.Contains(code, "policy") || strings.HasPrefix(code, "requestdisallowed") ||
		strings.Contains(code, "disabledsubscription") || strings.Contains(code, "subscriptiondisabled")
}

// classify sets what kind of error a refusal is. The code is ARM's in lower case, as e.Code may
// lack a secret.
func (e *Error) classify(call call, code string, isError bool, header http.Header) {
	switch {
	case busy(e.Status) && limited(e.Status, code, header):
		e.Class = Throttled
	case busy(e.Status):
		e.Class = Retriable
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden && !ofSubscription(code):
		e.Class = Unauthorized
	case e.Status == http.StatusNotFound:
		e.Class = NotFound
		if e.Missing = missingOf(code); call.method == http.MethodHead {
			e.Missing = Resource // a HEAD has no body, and no code
		}
		// A PUT needs no resource of its own id, so what it does not find is another
		// one, which may come later.
		if call.method == http.MethodPut {
			e.Class = Retriable
		}
	case e.Status < 400:
		e.Class = Malformed // a redirect is not followed
	case e.Status < 500 && isInvalid(code):
		e.Class = Invalid
	case !isError && e.Status < 500 && e.Status != http.StatusConflict && e.Status != http.StatusRequestTimeout:
		e.Class = Malformed
	}
}

// message returns what an error says, with target and details.
func (a *armError) message(secrets Secrets) string {
	var parts []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	remove := func(t text) string { return secrets.Remove(string(t)) }
	if a.Target != "" {
		add(remove(a.Target) + ":")
	}
	add(remove(a.Message))
	add(remove(a.Title))
	add(remove(a.Detail))
	for _, d := range a.Details.value[:min(len(a.Details.value), 20)] {
		message := (&armError{Target: d.Target, Message: d.Message}).message(secrets)
		if d.Code != "" && message != "" {
			message = secrets.removeFromCode(string(d.Code)) + ": " + message
		}
		add(message)
	}
	return strings.Join(parts, " ")
}

// failureOf returns the error of an operation that failed.
func failureOf(o *Operation, state string, a *answer) *Error {
	if a.header == nil {
		a.header = http.Header{}
	}
	e := refusalOf(call{method: o.method, request: o.request}, a)
	var code string // in full
	if body := (armError{}); json.Unmarshal(a.Body, &body) == nil && body.Error.value != nil {
		code = string(body.Error.value.Code)
	}
	if code == "" {
		state = cmp.Or(state, "Failed")
		e.Code = "Operation" + strings.ToUpper(state[:1]) + state[1:]
	}
	if e.Message == "" {
		e.Message = "ARM took the " + o.method + ", and its operation ended as " + state
	}
	e.Failed, e.Missing = true, Something
	if e.Class = Retriable; isInvalid(strings.ToLower(code)) {
		e.Class = Invalid
	}
	return e
}

// cut shortens a text.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
