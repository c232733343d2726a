package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
)

// Operation is an operation that a request has started and that ARM has not finished. It is
// a value: nothing waits for it, and its owner calls [Client.Poll] when it is time. It must
// stay in memory and not be stored, because the URL in it is signed.
type Operation struct {
	method  string
	request Request // without the body
	url     string  // to poll, or "" to poll the resource itself
	inBody  bool    // whether the state is in the body of an answer, or else in its HTTP status
	polls   int
	state   string
	wait    time.Duration
}

// Method returns the HTTP method of the request that started the operation.
func (o *Operation) Method() string { return o.method }

// State returns ARM's word for the state of the operation, or "".
func (o *Operation) State() string { return o.state }

// Wait returns how long to wait before the next poll: the time that ARM asks for, or else a
// time that grows with each poll.
func (o *Operation) Wait() time.Duration { return o.wait }

// String describes the operation without its URL.
func (o *Operation) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", o.method, o.request.ID, o.state))
}

// GoString is like String, so that no format prints the URL.
func (o *Operation) GoString() string { return o.String() }

const (
	firstWait = 2 * time.Second
	// leastWait is the shortest wait between the first polls, whatever ARM asks for.
	leastWait = time.Second
	// maxBackoff is the longest wait between two polls when ARM gives none.
	maxBackoff = time.Minute
	// maxWait is the longest wait that ARM can ask for: a longer one is a mistake.
	maxWait = 24 * time.Hour
)

// operation returns the operation that an answer describes, or nil.
func (c *Client) operation(method string, request Request, a *answer) *Operation {
	secrets := request.Secrets
	request = Request{ID: request.ID, APIVersion: request.APIVersion, Secrets: secrets, Tenant: request.Tenant}
	o := &Operation{method: method, request: request, state: secrets.Remove(a.State)}
	async, location := a.header.Get("Azure-AsyncOperation"), a.header.Get("Location")
	switch {
	case async != "":
		o.url, o.inBody = c.pollURL(async, request.ID), true
	case location != "" && a.Status != http.StatusOK && !c.isPlain(location, request.ID):
		o.url = c.pollURL(location, request.ID)
	case a.Status == http.StatusAccepted:
	// After a PUT, a state without a known meaning is polled once more.
	case method == http.MethodPut && a.Progress != EndedBadly && (a.Progress != EndedWell || !arm.IsResource(a.Body, request.ID)):
	default:
		return nil
	}
	o.schedule(a.header, c.options.Now())
	return o
}

// schedule sets the wait before the next poll: as long as ARM asks, but at least a second, and more after many polls,
// so that a service which asks for milliseconds is not asked a thousand times.
func (o *Operation) schedule(header http.Header, now time.Time) {
	if o.wait = retryAfter(header, now); o.wait == 0 {
		o.wait = min(firstWait<<min(o.polls, 6), maxBackoff)
	}
	o.wait = max(o.wait, min(leastWait<<min(o.polls/10, 6), maxBackoff))
	o.polls++
}

// pollURL returns the URL to poll, or "" to poll the resource itself: if the text is the plain URL of
// the resource, or is not at ARM's host, where no request may go.
func (c *Client) pollURL(text, id string) string {
	u, err := c.endpoint.Parse(text)
	if err != nil || !c.trusts(u) || c.isPlain(text, id) {
		return ""
	}
	return u.String()
}

// isPlain reports whether a text is the URL of the resource with an API version and nothing more. With more in its
// query, as API Management has it, it is the URL of an operation.
func (c *Client) isPlain(text, id string) bool {
	u, err := c.endpoint.Parse(text)
	if err != nil || !c.trusts(u) || !arm.SameID(u.Path, id) {
		return false
	}
	for name := range u.Query() {
		if !strings.EqualFold(name, "api-version") {
			return false
		}
	}
	return true
}

// Poll asks once for the state of an operation. The Answer has a new Operation to poll
// later, or nil if the operation has succeeded. If the operation has failed, the error is
// an [Error] with Failed set. After any other error, poll again.
func (c *Client) Poll(ctx context.Context, operation *Operation) (*Answer, error) {
	if operation.url == "" && operation.method == http.MethodPost {
		return nil, &Error{Class: Malformed, Code: "NoOperation", Message: "the answer to the POST has no URL at ARM's host, " +
			"expected one in Azure-AsyncOperation or Location: the end of the action cannot be seen"}
	}
	if operation.url == "" {
		return c.pollResource(ctx, operation)
	}
	a, err := c.send(ctx, call{method: http.MethodGet, request: operation.request, url: operation.url})
	if err != nil {
		return c.pollRefused(ctx, operation, err)
	}
	next := *operation
	header := "Location"
	if operation.inBody {
		header = "Azure-AsyncOperation"
	}
	if newer := a.header.Get(header); newer != "" {
		next.url = c.pollURL(newer, operation.request.ID)
	}
	if operation.inBody && a.Body == nil && a.Status == http.StatusOK {
		return nil, c.malformed(a,
			"found an answer that is not a JSON object, expected the state of an operation: "+a.excerpt(operation.request.Secrets))
	}
	state, progress := c.operationState(operation, a)
	next.state = operation.request.Secrets.Remove(state)
	switch {
	case progress == EndedBadly:
		return nil, failureOf(operation, state, a)
	case progress == EndedWell, progress == Unsaid && operation.method != http.MethodPut:
		return &a.Answer, nil
	// From now on the resource itself has the state.
	case progress == Unsaid, !operation.inBody && a.Status != http.StatusAccepted && arm.IsResource(a.Body, operation.request.ID):
		next.url = ""
	}
	next.schedule(a.header, c.options.Now())
	a.Operation = &next
	return &a.Answer, nil
}

// pollRefused handles a refused poll. ARM forgets operations that have ended. Then the
// resource shows whether a PUT succeeded.
func (c *Client) pollRefused(ctx context.Context, operation *Operation, err error) (*Answer, error) {
	refusal, _ := AsError(err)
	switch {
	case refusal == nil || refusal.Status == 0:
		return nil, err
	case refusal.Status == http.StatusNotFound || refusal.Status == http.StatusGone:
		if operation.method == http.MethodPut {
			return c.pollResource(ctx, operation)
		}
		return &Answer{Status: refusal.Status}, nil
	case isBusy(refusal.Status), refusal.Status == http.StatusRequestTimeout:
	case refusal.Class == Retriable && refusal.Status < 500, refusal.Class == Invalid:
		refusal.Failed = true
	}
	return nil, err
}

// pollResource reads the state of an operation from the resource itself.
func (c *Client) pollResource(ctx context.Context, operation *Operation) (*Answer, error) {
	a, err := c.get(ctx, operation.request)
	refusal, _ := AsError(err)
	if refusal != nil && (refusal.Gone() || refusal.MayBeGone()) && operation.method == http.MethodDelete {
		return &Answer{Status: refusal.Status}, nil
	}
	if refusal != nil && refusal.Status == http.StatusMethodNotAllowed && operation.method == http.MethodPut {
		return &Answer{Status: refusal.Status}, nil // the resource cannot be read, so there is no more to learn
	}
	if err != nil {
		return nil, err
	}
	next := *operation
	next.state = operation.request.Secrets.Remove(a.State)
	if a.Progress == EndedBadly {
		return nil, failureOf(operation, a.State, a)
	}
	if operation.method == http.MethodDelete || a.Progress == AtWork {
		next.schedule(a.header, c.options.Now())
		a.Operation = &next
	}
	return &a.Answer, nil
}

// retryAfter returns how long an answer asks to wait, or 0.
func retryAfter(header http.Header, now time.Time) time.Duration {
	for _, h := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"X-Ms-Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		if n, err := strconv.Atoi(header.Get(h.name)); err == nil && n > 0 {
			return time.Duration(min(n, int(maxWait/h.unit))) * h.unit
		}
	}
	if at, err := http.ParseTime(header.Get("Retry-After")); err == nil {
		if date, err := http.ParseTime(header.Get("Date")); err == nil {
			now = date // by the clock of the server
		}
		return min(max(at.Sub(now), 0), maxWait)
	}
	return 0
}

// isObject reports whether a text is a JSON object.
func isObject(text []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(text, &object) == nil && object != nil
}

// AskResource returns a copy of the operation for which [Client.Poll] reads the resource itself,
// unless the operation is an action.
func (o *Operation) AskResource() *Operation {
	next := *o
	if next.method != http.MethodPost {
		next.url = ""
	}
	return &next
}

// OfResource reports whether [Client.Poll] reads the state from the resource itself.
func (o *Operation) OfResource() bool { return o.url == "" }
