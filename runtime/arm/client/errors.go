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

	"github.com/armature-dev/armature/runtime/arm"
)

// Class says what a caller can do about an [Error].
type Class int

// The classes of errors.
const (
	// Retriable means that ARM may accept the same request later. 98 of 100 refusals are
	// Retriable.
	Retriable Class = iota
	// Invalid means that the input is wrong, and stays wrong whatever else changes.
	Invalid
	// Throttled means that the credential has reached a limit of ARM itself, which applies
	// to all its requests to the subscription. A busy resource or service is Retriable.
	Throttled
	// Unauthorized means that the credential is refused or lacks rights. New rights may take
	// minutes to take effect.
	Unauthorized
	// NotFound means that something does not exist; Missing says what.
	NotFound
	// Unknown means that there was no answer: ARM may have done what it was asked,
	// or may still do it.
	Unknown
	// Malformed means that the answer is not one that ARM sends.
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
	// Something means that ARM's code does not say what is missing, so it may be the resource.
	Something Missing = iota
	// Resource means the resource of the request.
	Resource
	// Parent means the resource that it belongs to.
	Parent
	// Group means its resource group.
	Group
	// Subscription means its subscription, or the tenant.
	Subscription
	// Other means something else, such as the provider of its type.
	Other
)

// The codes of errors without an answer of ARM.
const (
	// NoAnswer is the code for a request that ARM did not answer.
	NoAnswer = "NoAnswer"
	// NoToken is the code for a request that was not sent because there is no token for it.
	NoToken = "NoToken"
	// NotSentCode is the code for a request that was not sent for another reason.
	NotSentCode = "NotSent"
	// ThrottledCode is the code for a request that waits for its turn.
	ThrottledCode = "Throttled"
)

// Error is the error of a request that did not succeed. It repeats none of the request's
// secrets.
type Error struct {
	Class Class
	// Status is the HTTP status, or 0 if there was no answer.
	Status int
	// Code is ARM's code, or one of the codes of this package.
	Code string
	// Message is ARM's message, with target and details.
	Message string
	// Missing is set if Class is NotFound.
	Missing Missing
	// Failed reports whether ARM accepted the request and its operation failed.
	Failed bool
	// RetryAfter is how long ARM asks to wait, or 0.
	RetryAfter time.Duration
	// CorrelationID identifies the request. Azure's support asks for it.
	CorrelationID string

	// fromARM reports whether the answer has a header that ARM's gateway adds.
	fromARM bool
	err     error
}

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code
	}
	return e.Code + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.err }

// Gone reports whether the error shows that the resource does not exist. A missing
// subscription does not show that: the credential may not see it.
func (e *Error) Gone() bool {
	return e.Class == NotFound && (e.Missing == Resource || e.Missing == Parent || e.Missing == Group)
}

// MayBeGone reports whether the error may mean that the resource does not exist: ARM, and nothing before it, answered
// with status 404, and its code does not say what is missing. Several services answer so.
func (e *Error) MayBeGone() bool { return e.Class == NotFound && e.Missing == Something && e.fromARM }

// IsBusy reports whether the server was too busy for the request, by its status.
func (e *Error) IsBusy() bool { return isBusy(e.Status) }

// DidNothing reports whether the error shows that the request had no effect: ARM refused
// it, or never received it.
func (e *Error) DidNothing() bool {
	switch {
	case e.Failed || e.Class == Unknown || e.Status == http.StatusRequestTimeout || e.Status >= 500:
		return false
	case e.Class == NotSent || e.Code == ThrottledCode && e.Status == 0 || e.Code == NoToken:
		return true
	}
	return e.Status >= 400
}

// AsError returns the *Error in the chain of err, and whether there is one.
func AsError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// invalid has the codes, in lower case, that certainly mean invalid input. For every other
// code of a refusal, the same request has been seen to succeed later.
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
	"linkedinvalidpropertyid":             true, // an id in the body is not an ARM id
	"methodnotallowed":                    true,
}

// Fixed reports whether ARM refuses to change something that cannot change once the resource
// exists.
func (e *Error) Fixed() bool { return e.Class == Invalid && isImmutable(strings.ToLower(e.Code)) }

// isImmutable reports whether a code in lower case says that a property cannot change. Services
// have codes of their own for it, such as PropertyChangeNotAllowed of Compute.
func isImmutable(code string) bool {
	return code == "invalidresourcelocation" || // it exists elsewhere
		slices.ContainsFunc([]string{"immutable", "changenotallowed", "cannotbechanged", "cannotbeupdated", "notupdatable"},
			func(stem string) bool { return strings.Contains(code, stem) })
}

// isInvalid reports whether a code in lower case means that the input stays wrong whatever else
// changes.
func isInvalid(code string) bool { return invalid[code] || isImmutable(code) }

// missing says what codes of answers with status 404, in lower case, say to be missing.
var missing = map[string]Missing{
	"notfound":                        Resource,
	"resourcenotfound":                Resource,
	"parentresourcenotfound":          Parent,
	"parentnotfound":                  Parent,
	"resourcegroupnotfound":           Group,
	"subscriptionnotfound":            Subscription,
	"invalidsubscriptionid":           Subscription,
	"missingsubscription":             Subscription,
	"tenantnotfound":                  Subscription,
	"resourceprovidernotfound":        Other,
	"noregisteredproviderfound":       Other,
	"missingsubscriptionregistration": Other,
	"invalidresourcetype":             Other,
	"invalidresourcenamespace":        Other,
	"principalnotfound":               Other,
	"endpointnotfound":                Other,
	"locationnotfound":                Other,
}

// missingOf returns what is missing according to a code with status 404 in lower case, in an answer about a resource
// with an id. Services have codes of their own for their resources, such as VaultNotFound, which name the type.
func missingOf(code, id string) Missing {
	if m, known := missing[code]; known {
		return m
	}
	for _, end := range []string{"notfound", "doesnotexist"} {
		if what, cut := strings.CutSuffix(code, end); cut && isOfType(what, id) {
			return Resource
		}
	}
	return Something
}

// isOfType reports whether a text in lower case names the type of a resource, or that of one that contains it.
func isOfType(what, id string) bool {
	armType, _ := arm.TypeOf(id)
	_, names, _ := strings.Cut(strings.ToLower(armType), "/")
	for name := range strings.SplitSeq(names, "/") {
		if one := strings.TrimSuffix(strings.TrimSuffix(name, "s"), "ie"); one != "" && strings.Contains(what, one) {
			return true
		}
	}
	return false
}

// armError is an error in all the forms in which services send one. Parts in any other
// form are left out.
type armError struct {
	Code, Target, Message text
	Title, Detail         text // as problem+json has them
	Details               lenient[[]armError]
	Error                 lenient[*armError]
}

// lenient is a value of type T, or the zero value if the JSON is of another type.
type lenient[T any] struct{ value T }

func (l *lenient[T]) UnmarshalJSON(value []byte) error {
	if json.Unmarshal(value, &l.value) != nil {
		l.value = *new(T)
	}
	return nil
}

// text is a string, or the JSON of any other value that a service sends in place of one.
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

// refusalOf returns the error for an answer with an HTTP status outside 2xx.
func refusalOf(call call, a *answer) *Error {
	secrets := call.request.Secrets
	e := &Error{Status: a.Status, CorrelationID: secrets.Remove(a.header.Get(correlationHeader))}
	e.fromARM = (e.CorrelationID != "" || a.header.Get("X-Ms-Request-Id") != "") && (a.Body != nil || len(a.raw) == 0)
	var body armError
	isError := a.Body != nil && json.Unmarshal(a.Body, &body) == nil
	if body.Error.value != nil {
		body = *body.Error.value
	}
	code := string(body.Code)
	e.Code = truncate(secrets.removeFromCode(code), 200)
	if e.Message = truncate(body.message(secrets), maxMessage); !isError && len(a.raw) > 0 {
		e.Message = "found an answer that is not a JSON object: " + a.excerpt(secrets)
	}
	e.classify(call, strings.ToLower(code), isError, a.header)
	e.Code = cmp.Or(e.Code, strings.ReplaceAll(http.StatusText(a.Status), " ", ""), "UnexpectedStatus")
	return e
}

// isBusy reports whether an HTTP status says that the server is too busy for the request.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// limitCodes has the codes with which ARM reports its own limits, in lower case.
var limitCodes = map[string]bool{
	"subscriptionrequeststhrottled": true,
	"tenantrequeststhrottled":       true,
}

// isARMLimit reports whether a refusal by a busy server comes from ARM's own limits, and not from
// the service that a request is for. Three things show that: the code, a header that says that no
// requests are left, or with status 429 a header that names the gateway as the cause. With status
// 503 the gateway only reports that it cannot reach the service.
func isARMLimit(status int, code string, header http.Header) bool {
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

// deniesEveryone reports whether a code with status 403 refuses the request whatever rights its
// sender has, because of a policy or because the subscription is disabled.
func deniesEveryone(code string) bool {
	return strings.Contains(code, "policy") || strings.HasPrefix(code, "requestdisallowed") ||
		strings.Contains(code, "disabledsubscription") || strings.Contains(code, "subscriptiondisabled")
}

// classify sets the class of a refusal. The code is ARM's, in lower case. It is not e.Code, from
// which a secret may have been removed.
func (e *Error) classify(call call, code string, isError bool, header http.Header) {
	switch {
	case isBusy(e.Status) && isARMLimit(e.Status, code, header):
		e.Class = Throttled
	case isBusy(e.Status):
		e.Class = Retriable
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden && !deniesEveryone(code):
		e.Class = Unauthorized
	case e.Status == http.StatusNotFound:
		e.Class = NotFound
		if e.Missing = missingOf(code, call.request.ID); call.method == http.MethodHead {
			e.Missing = Resource // a HEAD has no body, and no code
		}
		// A PUT creates its own resource, so the missing one is another resource, which
		// may exist later.
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

// message returns the text of an error, with target and details.
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

// failureOf returns the error for an operation that has failed.
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

// truncate cuts a text to about limit bytes, at the beginning of a character.
func truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
