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

// Operation is work that a request has started and ARM has not ended yet. It is a
// value: nothing waits for it, and whoever keeps it asks with [Client.Poll] when
// it is time. It stays in memory, because the URL in it is signed.
type Operation struct {
	method  string
	request Request // without the body
	url     string  // to ask, or "" for the resource itself
	inBody  bool    // the state is in the body, else in HTTP's status
	polls   int
	state   string
	wait    time.Duration
}

// Method returns that of the request that started the operation.
func (o *Operation) Method() string { return o.method }

// State returns what ARM called the state of the operation, or "".
func (o *Operation) State() string { return o.state }

// Wait returns how long to wait before the next poll: what ARM said, else longer each
// time.
func (o *Operation) Wait() time.Duration { return o.wait }

// String describes the operation without its URL.
func (o *Operation) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", o.method, o.request.ID, o.state))
}

// GoString is like String, so that no format prints the URL.
func (o *Operation) GoString() string { return o.String() }

const (
	firstWait = 2 * time.Second
	// maxBackoff is the longest wait between two polls when ARM gives none.
	maxBackoff = time.Minute
	// maxWait is the longest wait that ARM can ask for: a longer one is a mistake.
	maxWait = 24 * time.Hour
)

// operation returns the operation that an answer describes, or nil.
func (c *Client) operation(method string, request Request, a *answer) *Operation {
	secrets := request.Secrets
	request = Request{ID: request.ID, APIVersion: request.APIVersion, Secrets: secrets, Tenant: request.Tenant}
	o := &Operation{method: method, request: request, state: secrets.Remove(stateOf(a.Body))}
	async, location := a.header.Get("Azure-AsyncOperation"), a.header.Get("Location")
	switch {
	case async != "":
		o.url, o.inBody = c.pollURL(async, request.ID), true
	case location != "" && a.Status != http.StatusOK && !c.isResource(location, request.ID):
		o.url = c.pollURL(location, request.ID)
	case a.Status == http.StatusAccepted:
	case method == http.MethodPut && (InProgress(stateOf(a.Body)) || !arm.IsResource(a.Body, request.ID)):
	default:
		return nil
	}
	o.schedule(a.header, c.options.Now())
	return o
}

// schedule sets the wait before the next poll.
func (o *Operation) schedule(header http.Header, now time.Time) {
	if o.wait = retryAfter(header, now); o.wait == 0 {
		o.wait = min(firstWait<<min(o.polls, 6), maxBackoff)
	}
	o.polls++
}

// pollURL returns a URL to ask, or "" if the resource itself is to be asked,
// because the URL names a host that is not ARM: no request goes there.
func (c *Client) pollURL(text, id string) string {
	u, err := c.endpoint.Parse(text)
	if err != nil || !c.trusts(u) || arm.SameID(u.Path, id) {
		return ""
	}
	return u.String()
}

// isResource reports whether a Location is that of the resource.
func (c *Client) isResource(location, id string) bool {
	u, err := c.endpoint.Parse(location)
	return err == nil && c.trusts(u) && arm.SameID(u.Path, id)
}

// Poll asks once for the state of an operation. The Answer has a new Operation to poll
// later, or none if the operation has succeeded. An [Error] with Failed set says that
// it has failed. After any other error, poll again.
func (c *Client) Poll(ctx context.Context, operation *Operation) (*Answer, error) {
	if operation.url == "" && operation.method == http.MethodPost {
		return nil, &Error{Class: Malformed, Code: "NoOperation", Message: "found no URL of ARM by which to follow the action"}
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
	ended := a.Status != http.StatusAccepted
	if operation.inBody {
		if a.Body == nil && a.Status == http.StatusOK {
			return nil, c.malformed(a,
				"found an answer that is no JSON object, expected the state of an operation: "+a.excerpt(operation.request.Secrets))
		}
		state, found := statusOf(a.Body)
		if next.state = operation.request.Secrets.Remove(state); found {
			ended = equalAny(state, "Succeeded")
		}
		if equalAny(state, "Failed", "Canceled") {
			return nil, failureOf(operation, state, a)
		}
	} else if state := stateOf(a.Body); operation.method == http.MethodPut {
		next.state = operation.request.Secrets.Remove(state)
		switch {
		case !ended:
		case !arm.IsResource(a.Body, operation.request.ID): // so the resource says how it went
			next.url, ended = "", false
		case IsFailure(state): // some services end so, with the resource in a successful answer
			return nil, failureOf(operation, state, a)
		case AtWork(state):
			next.url, ended = "", false
		}
	}
	if !ended {
		next.schedule(a.header, c.options.Now())
		a.Operation = &next
	}
	return &a.Answer, nil
}

// pollRefused handles a refused poll. ARM forgets an operation that has ended; the
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
	case busy(refusal.Status), refusal.Status == http.StatusRequestTimeout:
	case refusal.Class == Retriable && refusal.Status < 500, refusal.Class == Invalid:
		refusal.Failed = true
	}
	return nil, err
}

// AtWork reports whether the state that a resource shows after its PUT says that ARM goes on.
// Some services leave it Created for ever.
func AtWork(state string) bool { return InProgress(state) && !equalAny(state, "Created") }

// pollResource asks the resource itself.
func (c *Client) pollResource(ctx context.Context, operation *Operation) (*Answer, error) {
	a, err := c.Get(ctx, operation.request)
	refusal, _ := AsError(err)
	if refusal != nil && refusal.Gone() && operation.method == http.MethodDelete {
		return &Answer{Status: refusal.Status}, nil
	}
	if refusal != nil && refusal.Status == http.StatusMethodNotAllowed && operation.method == http.MethodPut {
		return &Answer{Status: refusal.Status}, nil // it cannot be read, so this is the end
	}
	if err != nil {
		return nil, err
	}
	state := stateOf(a.Body)
	next := *operation
	next.state = operation.request.Secrets.Remove(state)
	if IsFailure(state) {
		return nil, failureOf(operation, state, &answer{Answer: *a, raw: a.Body})
	}
	if operation.method == http.MethodDelete || AtWork(state) {
		next.schedule(nil, c.options.Now())
		a.Operation = &next
	}
	return a, nil
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
			now = date // by the clock of who answers
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

// stateOf returns the provisioningState in the body of a resource, or "".
func stateOf(body []byte) string {
	var resource struct {
		Properties struct{ ProvisioningState string }
	}
	if json.Unmarshal(body, &resource) != nil {
		return ""
	}
	return resource.Properties.ProvisioningState
}

// ProvisioningState returns that in the body of a resource, or "".
func ProvisioningState(body []byte) string { return stateOf(body) }

// statusOf returns the state in the body of a poll's answer.
func statusOf(body []byte) (state string, found bool) {
	var operation struct{ Status *string }
	if json.Unmarshal(body, &operation) != nil || operation.Status == nil {
		return "", false
	}
	return *operation.Status, true
}

// InProgress reports whether a provisioningState says that ARM is still at work on the
// resource. The words are those that services use; an unknown word counts as an end,
// because otherwise the wait might never end.
func InProgress(state string) bool {
	if equalAny(state, "Existing", "Listening", "Missing", "Running", "Warning", "Working") {
		return false // a condition of the resource, not work on it
	}
	return strings.HasSuffix(strings.ToLower(state), "ing") || equalAny(state, "InProgress", "Accepted", "Created", "Enqueued",
		"Dequeued", "Queued", "Scheduled", "Started", "NotStarted", "RegisteringDns")
}

// IsFailure reports whether a provisioningState says that the last change failed.
func IsFailure(state string) bool { return equalAny(state, "Failed", "Canceled") }

func equalAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.EqualFold(text, w) {
			return true
		}
	}
	return false
}

// AskResource returns the operation as one whose state the resource itself tells.
func (o *Operation) AskResource() *Operation {
	next := *o
	if next.method != http.MethodPost {
		next.url = ""
	}
	return &next
}

// OfResource reports whether the resource itself tells the state of the operation.
func (o *Operation) OfResource() bool { return o.url == "" }
