// Package client speaks with the Azure Resource Manager (ARM). Its main types are
// [Client], which sends one request and returns without waiting for the operation that
// the request may start, [Operation], by which the caller follows that later, and
// [Error], which classifies the refusals of ARM.
//
// Requests go through azcore's pipeline, which has tokens, continuous access
// evaluation and tracing. Three of its parts are not used, because a caller with
// thousands of resources cannot spare a goroutine for each one that waits:
// the retry policy (a caller puts the resource back into its queue), the pollers
// ([Client.Poll] asks once), and the registration of resource providers, which
// waits up to five minutes. azcore's pollers also send tokens to any host that an
// answer names, and treat a state outside the standard as an error.
package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	armpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/arm/policy"
	armruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/arm/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/version"
)

// Options configures a [Client].
type Options struct {
	// Cloud has the address of ARM and the audience of tokens. The zero value is
	// the public cloud.
	Cloud cloud.Configuration
	// Credential supplies tokens. Without it requests have none, which only a
	// stand-in for ARM accepts.
	Credential azcore.TokenCredential
	// Transport sends requests, by default over HTTPS without following redirects.
	Transport policy.Transporter
	// Timeout is how long a request can be under way, by default [Longest].
	Timeout time.Duration
	// Allow is called before each request is handed to Transport, and refuses it by an
	// error. A program that must have only one writer at a time checks its lease here.
	Allow func(context.Context) error
	// Permit is called before each request with its Tenant and ID, and refuses it by an
	// error.
	Permit func(tenant, id string) error
	// Observe is called after each request that was handed to Transport.
	Observe func(context.Context, Exchange)
	// Held is called for each request that waits because of ARM's limits.
	Held func(ctx context.Context, method string, wait time.Duration)
	// Throttle holds back requests, by default those of this client alone. ARM's limits
	// apply to a principal, so clients of the same principal share a Throttle. A client uses
	// it only after its first token, which shows that it acts for that principal.
	Throttle *Throttle
	// Tracer makes a span of each request, by default none.
	Tracer trace.Tracer
	// Now returns the time, by default [time.Now].
	Now func() time.Time
	// InsecureHTTP permits tokens over HTTP, for tests.
	InsecureHTTP bool
}

// Exchange describes a request and its answer, for metrics and logs. It has
// nothing secret.
type Exchange struct {
	Method, ID, APIVersion string
	// Poll reports whether the request asked about an operation.
	Poll bool
	// Status is the HTTP status, or 0 if there was no answer.
	Status        int
	Duration      time.Duration
	CorrelationID string
	// Remaining is how many more requests of this Kind ARM accepts for the subscription
	// before it asks to wait, or -1 if it did not say. Kind is reads, writes or deletes.
	Remaining int
	Kind      string
}

// Client sends requests to ARM with one credential. All of its methods may be
// called at the same time.
type Client struct {
	pipeline      runtime.Pipeline
	endpoint      *url.URL
	options       Options
	throttle      *Throttle
	authenticated atomic.Bool // whether there has been a token
}

// Longest is the default timeout of a request. It is more than the minute that ARM gives
// its services.
const Longest = 90 * time.Second

// maxAnswer is the number of bytes of an answer that are read.
const maxAnswer = 16 << 20

// New returns a Client.
func New(options Options) (*Client, error) {
	if options.Cloud.Services == nil {
		options.Cloud = cloud.AzurePublic
	}
	endpoint, err := url.Parse(options.Cloud.Services[cloud.ResourceManager].Endpoint)
	if err != nil || endpoint.Host == "" {
		return nil, fmt.Errorf("cloud: found %q as the address of ARM, expected a URL such as https://management.azure.com",
			options.Cloud.Services[cloud.ResourceManager].Endpoint)
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Tracer == nil {
		options.Tracer = noop.Tracer{}
	}
	options.Timeout = cmp.Or(options.Timeout, Longest)
	if options.Transport == nil {
		options.Transport = newTransport(nil)
	}
	if options.Throttle == nil {
		options.Throttle = new(Throttle)
	}
	c := &Client{endpoint: endpoint, options: options, throttle: options.Throttle}
	policies := runtime.PipelineOptions{}
	c.pipeline, err = armruntime.NewPipeline("armature", "v"+version.String(), options.Credential, policies, &armpolicy.ClientOptions{
		ClientOptions: policy.ClientOptions{
			Cloud:                           options.Cloud,
			Retry:                           policy.RetryOptions{MaxRetries: -1},
			Transport:                       gate{c},
			InsecureAllowCredentialWithHTTP: options.InsecureHTTP,
		},
		DisableRPRegistration: true,
	})
	return c, err
}

// Request is a request about one resource.
type Request struct {
	// ID is the ARM id of the resource, followed by the name of the action for a POST.
	ID string
	// APIVersion is ARM's version.
	APIVersion string
	// Body is JSON, or nil.
	Body []byte
	// Secrets are values that no error may repeat.
	Secrets Secrets
	// IfMatch is the ETag that the resource must have, or "".
	IfMatch string
	// IfNoneMatch is the ETag of the resource as the caller knows it, or "". If the resource
	// still has this ETag, [Client.Get] returns status 304 and no body; some services ignore it.
	// With "*", a PUT does nothing if there is a resource: the refusal has the status 412.
	IfNoneMatch string
	// Auxiliary is a client with the credential of another tenant in Entra, or nil. The request has a token of it
	// beside its own, which ARM needs if the body refers to a resource of that tenant.
	Auxiliary *Client
	// Tenant is the tenant that the request is for. When ARM accepts few requests, each
	// tenant has an equal share of them.
	Tenant string

	reserved bool
}

// Answer holds ARM's answer about a resource.
type Answer struct {
	// Status is the HTTP status.
	Status int
	// Body is a JSON object, or nil if there was none.
	Body []byte
	// Operation is the operation that the request has started, or nil if ARM has finished.
	Operation *Operation
	// ETag is the ETag of the resource, or "".
	ETag string
	// State is the provisioningState in Body, or "". Progress is its meaning. It is Unsaid
	// if the state has no known meaning and ARM does not ask to wait.
	State    string
	Progress Progress
}

// Put asks ARM to create a resource or to change it.
func (c *Client) Put(ctx context.Context, request Request) (*Answer, error) {
	return c.start(ctx, http.MethodPut, request)
}

// Delete asks ARM to delete a resource. It fails with an [Error] of class
// [NotFound] if there is none.
func (c *Client) Delete(ctx context.Context, request Request) (*Answer, error) {
	return c.start(ctx, http.MethodDelete, request)
}

// Post asks for an action of a resource.
func (c *Client) Post(ctx context.Context, request Request) (*Answer, error) {
	return c.start(ctx, http.MethodPost, request)
}

// Reserve reserves one of the requests that ARM's limits permit now, for a caller that has
// something to do before it sends the request. If no request is permitted, it returns how
// long to wait before asking again. Before the client has its first token, Reserve reserves
// nothing: the first request is counted when there is a token for it.
func (c *Client) Reserve(ctx context.Context, method string, request *Request) (wait time.Duration) {
	if !c.authenticated.Load() {
		return 0
	}
	wait = c.take(ctx, method, request.ID, request.Tenant)
	request.reserved = wait == 0
	return wait
}

// take counts a request against ARM's limits, or returns how long it has to wait.
func (c *Client) take(ctx context.Context, method, id, tenant string) (wait time.Duration) {
	if wait = c.throttle.take(id, method, tenant, c.options.Now()); wait > 0 && c.options.Held != nil {
		c.options.Held(ctx, method, wait)
	}
	return wait
}

// Get reads a resource. The Body is the resource: if it has an id, the id equals that of
// the request, apart from case. Body is nil if the resource still has the request's
// IfNoneMatch as its ETag.
func (c *Client) Get(ctx context.Context, request Request) (*Answer, error) {
	a, err := c.get(ctx, request)
	if err != nil {
		return nil, err
	}
	return &a.Answer, nil
}

func (c *Client) get(ctx context.Context, request Request) (*answer, error) {
	a, err := c.send(ctx, call{method: http.MethodGet, request: request})
	switch {
	case err != nil:
		return nil, err
	case a.Status == http.StatusNotModified:
		return a, nil
	case a.Status != http.StatusOK:
		return nil, c.malformed(a, fmt.Sprintf("found HTTP status %d, expected 200 with the resource", a.Status))
	case a.Body == nil:
		return nil, c.malformed(a, "found an answer that is not a JSON object, expected the resource: "+a.excerpt(request.Secrets))
	}
	id, found := arm.IDOf(a.Body)
	if found && !arm.IsResource(a.Body, request.ID) {
		return nil, c.malformed(a, fmt.Sprintf("found the id %q, expected %q", id, request.ID))
	}
	if found && c.options.Permit != nil && !arm.SameID(id, request.ID) {
		if err := c.options.Permit(request.Tenant, id); err != nil {
			return nil, &Error{Class: NotSent, Code: NotSentCode, err: err,
				Message: "ARM has the resource at another scope: " + err.Error()}
		}
	}
	if _, has := errorIn(a.Body); has && !found { // whatever the status says
		e := refusalOf(call{method: http.MethodGet, request: request}, a)
		e.Class = Retriable
		return nil, e
	}
	return a, nil
}

// Head checks that a resource exists: the error is nil if it does. HEAD also works for
// resources that GET cannot read, such as links.
func (c *Client) Head(ctx context.Context, request Request) error {
	_, err := c.send(ctx, call{method: http.MethodHead, request: request})
	return err
}

// start sends a request that may start an operation.
func (c *Client) start(ctx context.Context, method string, request Request) (*Answer, error) {
	a, err := c.send(ctx, call{method: method, request: request})
	if err != nil {
		return nil, err
	}
	a.Operation = c.operation(method, request, a)
	if _, hasError := errorIn(a.Body); a.Operation == nil && (hasError || method == http.MethodPut && a.Progress == EndedBadly) {
		return nil, failureOf(&Operation{method: method, request: request}, a.State, a)
	}
	return &a.Answer, nil
}

// call is a request in the pipeline.
type call struct {
	method  string
	request Request
	// url replaces the URL of the resource, for polls and further pages.
	url string
}

// answer is an Answer with the parts of the response that only this package uses.
type answer struct {
	Answer
	header http.Header
	raw    []byte
}

// excerpt returns the beginning of the body, for a message.
func (a *answer) excerpt(secrets Secrets) string {
	return fmt.Sprintf("%q", truncate(secrets.Remove(strings.ToValidUTF8(string(a.raw), "�")), 100))
}

func (c *Client) malformed(a *answer, message string) error {
	return &Error{
		Class: Malformed, Status: a.Status, Code: "MalformedAnswer", Message: message,
		CorrelationID: a.header.Get(correlationHeader),
	}
}

// Limited is the message of an [Error] of class [Throttled] for a request that was not
// sent, because of ARM's limits or because the type's service refuses all requests.
const Limited = "ARM, or the service of the resource type, accepts no more requests now: the request waits for its turn"

func throttledError(wait time.Duration) *Error {
	return &Error{Class: Throttled, Code: ThrottledCode, RetryAfter: wait, Message: Limited}
}

const byteOrderMark = "\ufeff"

const correlationHeader = "x-ms-correlation-request-id"

// auxiliaryHeader has tokens of other tenants:
// https://learn.microsoft.com/azure/azure-resource-manager/management/authenticate-multi-tenant.
const auxiliaryHeader = "x-ms-authorization-auxiliary"

// send sends a request and returns a successful answer. All other outcomes are an *Error.
func (c *Client) send(ctx context.Context, call call) (*answer, error) {
	if c.options.Permit != nil {
		if err := c.options.Permit(call.request.Tenant, call.request.ID); err != nil {
			return nil, &Error{Class: NotSent, Code: NotSentCode, Message: err.Error(), err: err}
		}
	}
	if !call.request.reserved {
		if wait := c.Reserve(ctx, call.method, &call.request); wait > 0 {
			return nil, throttledError(wait)
		}
	}
	at := call.url
	if at == "" {
		at = strings.TrimSuffix(c.endpoint.String(), "/") + arm.URL(call.request.ID, call.request.APIVersion)
	}
	state := &sendState{tenant: call.request.Tenant, reserved: call.request.reserved, Exchange: Exchange{
		Method: call.method, ID: call.request.ID, APIVersion: call.request.APIVersion, Poll: call.url != "",
	}}
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	request, err := runtime.NewRequest(context.WithValue(ctx, sendStateKey{}, state), call.method, at)
	if err != nil {
		return nil, &Error{Class: Invalid, Code: "InvalidURL", Message: fmt.Sprintf("%q cannot be part of a URL", call.request.ID)}
	}
	if call.request.IfMatch != "" {
		request.Raw().Header.Set("If-Match", call.request.IfMatch)
	}
	if call.request.IfNoneMatch != "" {
		request.Raw().Header.Set("If-None-Match", call.request.IfNoneMatch)
	}
	if auxiliary := call.request.Auxiliary; auxiliary != nil {
		token, err := auxiliary.token(ctx)
		if err != nil {
			return nil, c.unanswered(state, call.request.Secrets, fmt.Errorf("the other tenant's credential: %w", err))
		}
		request.Raw().Header.Set(auxiliaryHeader, "Bearer "+token)
	}
	if call.request.Body != nil {
		if err := request.SetBody(streaming.NopCloser(bytes.NewReader(call.request.Body)), "application/json"); err != nil {
			return nil, &Error{Class: Invalid, Code: "InvalidBody", Message: call.request.Secrets.Remove(err.Error())}
		}
	}
	response, err := c.pipeline.Do(request)
	if err != nil {
		return nil, c.unanswered(state, call.request.Secrets, err)
	}
	c.throttle.noteRemaining(call.request.ID, call.method, response.Header, c.options.Now())
	a := &answer{header: response.Header}
	a.Status, a.ETag = response.StatusCode, response.Header.Get("ETag")
	if a.raw, err = runtime.Payload(response); err != nil {
		return nil, c.unanswered(state, call.request.Secrets, err)
	}
	a.raw = bytes.TrimPrefix(a.raw, []byte(byteOrderMark)) // with which some services begin
	if isObject(a.raw) {
		a.Body = a.raw
	}
	a.State, a.Progress = c.resourceState(a)
	if a.Status >= 200 && a.Status < 300 || a.Status == http.StatusNotModified && call.request.IfNoneMatch != "" {
		if call.url == "" { // an answer to a poll does not show that the service accepts requests
			c.throttle.noteAccepted(call.request.ID, call.method, c.options.Now())
		}
		return a, nil
	}
	refusal := refusalOf(call, a)
	refusal.RetryAfter = retryAfter(a.header, c.options.Now())
	switch {
	case refusal.Class == Throttled:
		refusal.RetryAfter = c.throttle.noteThrottled(call.request.ID, call.method, a.Status, c.options.Now(), refusal.RetryAfter)
	case isBusy(a.Status) && call.url == "":
		c.throttle.noteBusy(call.request.ID, call.method, c.options.Now(), refusal.RetryAfter)
	}
	return nil, refusal
}

// token returns a token of the client's credential.
func (c *Client) token(ctx context.Context) (string, error) {
	audience := strings.TrimSuffix(c.options.Cloud.Services[cloud.ResourceManager].Audience, "/")
	got, err := c.options.Credential.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{audience + "/.default"}, EnableCAE: true})
	return got.Token, err
}

// unanswered returns the error of a request without an answer.
func (c *Client) unanswered(state *sendState, secrets Secrets, err error) error {
	e := &Error{Class: Unknown, Code: NoAnswer, Message: "ARM did not answer, and is asked again: " + withoutURL(err), err: err}
	switch notSent := (*notSentError)(nil); {
	case errors.As(err, &e):
		return e // from the gate
	case errors.As(err, &notSent):
		e.Class, e.Code, e.Message = NotSent, NotSentCode, withoutURL(err)
	case !state.sent.Load():
		e.Class, e.Code, e.Message = Retriable, NoToken, tokenErrorMessage(err)
		if refusesToken(err) {
			e.Class = Unauthorized
		}
	}
	e.Message = secrets.Remove(truncate(e.Message, maxMessage))
	return e
}

// withoutURL returns the text of an error without the URL of the request, because a URL may
// be signed.
func withoutURL(err error) string {
	urlError := (*url.Error)(nil)
	if !errors.As(err, &urlError) {
		return err.Error()
	}
	host := "the server"
	if u, err := url.Parse(urlError.URL); err == nil && u.Host != "" {
		host = u.Host
	}
	text := urlError.Err.Error()
	switch {
	case errors.Is(urlError.Err, io.EOF), errors.Is(urlError.Err, io.ErrUnexpectedEOF):
		text = "the connection was closed"
	case urlError.Timeout():
		text = "it took too long"
	}
	return host + ": " + text
}

type sendStateKey struct{}

// sendState records whether a request left the pipeline, and what it was.
type sendState struct {
	Exchange
	tenant   string
	reserved bool
	sent     atomic.Bool
}

// notSentError is the error of a request that the gate refuses to send.
type notSentError struct{ error }

func (e *notSentError) Unwrap() error { return e.error }

// NonRetriable keeps azcore from trying again.
func (*notSentError) NonRetriable() {}

// gate is the transport of the pipeline. It sends only requests that may go to ARM.
type gate struct{ *Client }

// Do checks a request, and passes it to [Options.Transport]. Requests for tokens, which a
// credential may send with the same context, do not pass through the gate.
func (g gate) Do(request *http.Request) (*http.Response, error) {
	state, _ := request.Context().Value(sendStateKey{}).(*sendState)
	if !g.trusts(request.URL) {
		return nil, &notSentError{fmt.Errorf("the host %q is not the host of ARM", request.URL.Host)}
	}
	if allow := g.options.Allow; allow != nil {
		if err := allow(request.Context()); err != nil {
			return nil, &notSentError{err}
		}
	}
	// The request has a token, so it is known whose limits apply.
	if g.authenticated.Store(true); !state.reserved {
		if wait := g.take(request.Context(), state.Method, state.ID, state.tenant); wait > 0 {
			return nil, throttledError(wait)
		}
	}
	state.sent.Store(true)
	begin := g.options.Now()
	// A span has no URL, which may be signed, and no text of an error.
	ctx, span := g.options.Tracer.Start(request.Context(), "ARM "+state.Method, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("http.request.method", state.Method),
			attribute.String("server.address", request.URL.Hostname()),
			attribute.String("azure.resource.id", state.ID),
			attribute.String("azure.api_version", state.APIVersion),
			attribute.Bool("azure.operation_poll", state.Poll)))
	defer span.End()
	response, err := g.options.Transport.Do(request.WithContext(ctx))
	exchange := state.Exchange
	exchange.Remaining = -1
	exchange.Duration = g.options.Now().Sub(begin)
	if response != nil {
		exchange.Status, exchange.CorrelationID = response.StatusCode, response.Header.Get(correlationHeader)
		exchange.Remaining, exchange.Kind = remaining(response.Header, exchange.Method)
		span.SetAttributes(attribute.Int("http.response.status_code", exchange.Status),
			attribute.String("azure.correlation_id", exchange.CorrelationID))
		response.Body = bounded{response.Body, io.LimitReader(response.Body, maxAnswer)}
	}
	switch {
	case response == nil:
		span.SetStatus(codes.Error, "no answer")
	case exchange.Status >= 400:
		span.SetStatus(codes.Error, http.StatusText(exchange.Status))
	}
	if g.options.Observe != nil {
		g.options.Observe(request.Context(), exchange)
	}
	return response, err
}

// trusts reports whether a URL is at the host of ARM.
func (c *Client) trusts(u *url.URL) bool {
	port := func(u *url.URL) string {
		return cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	}
	return u.Scheme == c.endpoint.Scheme && strings.EqualFold(u.Hostname(), c.endpoint.Hostname()) &&
		port(u) == port(c.endpoint) && u.User == nil
}

// bounded is a body that ends after a limit.
type bounded struct {
	io.Closer
	io.Reader
}
