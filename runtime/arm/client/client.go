// Package client speaks with the Azure Resource Manager (ARM). Its main types are
// [Client], which sends one request and returns without waiting for what the
// request starts, [Operation], by which the caller follows that later, and
// [Error], which says what kind of refusal an answer was.
//
// Requests go through azcore's pipeline, which has tokens, continuous access
// evaluation and tracing. Three of its parts are not used, each because a caller
// with thousands of resources cannot spare a goroutine for every one that waits:
// the retry policy (a caller puts the resource back into its queue), the pollers
// ([Client.Poll] asks once), and the registration of resource providers, which
// waits up to five minutes. azcore's pollers also send tokens to any host that an
// answer names, and take a state outside the standard for an error.
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

// Options are those of a [Client].
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
	// error. A program of which only one instance may write checks its lease here.
	Allow func(context.Context) error
	// Permit is called before each request with its Tenant and ID, and refuses it by an
	// error.
	Permit func(tenant, id string) error
	// Observe is called after each request that was handed to Transport.
	Observe func(context.Context, Exchange)
	// Held is called for each request that waits because of ARM's limits.
	Held func(ctx context.Context, method string, wait time.Duration)
	// Throttle holds back requests, by default those of this client alone. ARM's limits
	// are those of a principal, so clients of the same one share it. A client counts as one
	// of them from its first token on, which shows that it is.
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
	// Status is that of HTTP, or 0 if there was no answer.
	Status        int
	Duration      time.Duration
	CorrelationID string
	// Remaining is how many requests of its kind ARM takes for the subscription
	// until it asks to wait, or -1 if it did not say. Kind is reads, writes or deletes.
	Remaining int
	Kind      string
}

// Client sends requests to ARM with one credential. All of its methods may be
// called at the same time.
type Client struct {
	pipeline runtime.Pipeline
	endpoint *url.URL
	options  Options
	throttle *Throttle
	proven   atomic.Bool // there was a token
}

// Longest is how long a request can be under way by default: it has no answer after
// that. ARM gives its services a minute.
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
		options.Transport = newTransport()
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

// How a connection that is dead, without anybody having said so, is noticed: it is asked
// for a sign of life when nothing has come for a time. Otherwise the system tries for a
// quarter of an hour, and all requests of HTTP/2 share the connection.
const (
	pingAfter = 10 * time.Second
	pingWait  = 5 * time.Second
)

// newTransport returns a client of HTTP that follows no redirect, as a token
// belongs to the host that it was made for.
func newTransport() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingWait}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Request is a request about one resource.
type Request struct {
	// ID is the ARM id of the resource, with the name of the action for a POST.
	ID string
	// APIVersion is ARM's version.
	APIVersion string
	// Body is JSON, or nil.
	Body []byte
	// Secrets are values that no error may repeat.
	Secrets Secrets
	// IfMatch is the ETag that the resource must have, or "".
	IfMatch string
	// IfNoneMatch is the ETag of what is known of the resource, or "". If the resource
	// still has it, [Client.Get] answers with the status 304 and no body; some services
	// ignore it.
	IfNoneMatch string
	// Tenant is the one that the request is for. When ARM takes few requests, each
	// tenant has an equal share of them.
	Tenant string

	reserved bool
}

// Answer holds ARM's answer about a resource.
type Answer struct {
	// Status is that of HTTP.
	Status int
	// Body is a JSON object, or nil if there was none.
	Body []byte
	// Operation goes on, unless it is nil: then everything has ended.
	Operation *Operation
	// ETag is that of the resource, or "".
	ETag string
	// State is the provisioningState in Body, or "", and Progress what it means: Unsaid if ARM
	// gives no reason to wait either.
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

// Reserve takes a place for a request of a method among those that ARM's limits
// permit now, for a caller that has something to do before the request. If there is
// none, it returns how long to wait before asking again. The place of the first request is
// taken when there is a token for it.
func (c *Client) Reserve(ctx context.Context, method string, request *Request) (wait time.Duration) {
	if !c.proven.Load() {
		return 0
	}
	wait = c.take(ctx, method, request.ID, request.Tenant)
	request.reserved = wait == 0
	return wait
}

// take takes a place for a request, or returns how long it has to wait.
func (c *Client) take(ctx context.Context, method, id, tenant string) (wait time.Duration) {
	if wait = c.throttle.take(id, method, tenant, c.options.Now()); wait > 0 && c.options.Held != nil {
		c.options.Held(ctx, method, wait)
	}
	return wait
}

// Get reads a resource. The body is that of the resource: if it has an id, it is
// the id that was asked for, apart from case. There is none if the resource still has
// the ETag of the request.
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
		return nil, c.malformed(a, "found an answer that is no JSON object, expected the resource: "+a.excerpt(request.Secrets))
	}
	id, found := arm.IDOf(a.Body)
	if found && !arm.SameID(id, request.ID) {
		return nil, c.malformed(a, fmt.Sprintf("found the id %q, expected %q", id, request.ID))
	}
	if _, has := errorIn(a.Body); has && !found { // whatever the status says
		e := refusalOf(call{method: http.MethodGet, request: request}, a)
		e.Class = Retriable
		return nil, e
	}
	return a, nil
}

// Head reports whether a resource exists. Resources that cannot be read, such as
// links, answer it.
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
	// url is asked instead of the resource's own, for an operation.
	url string
}

// answer is an Answer with what only this package uses.
type answer struct {
	Answer
	header http.Header
	raw    []byte
}

// excerpt returns the beginning of what came, for a message.
func (a *answer) excerpt(secrets Secrets) string {
	return fmt.Sprintf("%q", cut(secrets.Remove(strings.ToValidUTF8(string(a.raw), "�")), 100))
}

func (c *Client) malformed(a *answer, message string) error {
	return &Error{
		Class: Malformed, Status: a.Status, Code: "MalformedAnswer", Message: message,
		CorrelationID: a.header.Get(correlationHeader),
	}
}

// Limited is the message of an [Error] of class [Throttled] about a request that was
// not sent, because of ARM's limits or because the type's service refuses all requests.
const Limited = "ARM, or the service of the type, takes no more requests now, and the request waits for its turn"

func held(wait time.Duration) *Error {
	return &Error{Class: Throttled, Code: ThrottledCode, RetryAfter: wait, Message: Limited}
}

const correlationHeader = "x-ms-correlation-request-id"

// send sends a request and returns a successful answer. Everything else is an
// *Error.
func (c *Client) send(ctx context.Context, call call) (*answer, error) {
	if c.options.Permit != nil {
		if err := c.options.Permit(call.request.Tenant, call.request.ID); err != nil {
			return nil, &Error{Class: NotSent, Code: NotSentCode, Message: err.Error(), err: err}
		}
	}
	if !call.request.reserved {
		if wait := c.Reserve(ctx, call.method, &call.request); wait > 0 {
			return nil, held(wait)
		}
	}
	at := call.url
	if at == "" {
		at = strings.TrimSuffix(c.endpoint.String(), "/") + arm.URL(call.request.ID, call.request.APIVersion)
	}
	state := &handing{tenant: call.request.Tenant, reserved: call.request.reserved, Exchange: Exchange{
		Method: call.method, ID: call.request.ID, APIVersion: call.request.APIVersion, Poll: call.url != "",
	}}
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	request, err := runtime.NewRequest(context.WithValue(ctx, handingKey{}, state), call.method, at)
	if err != nil {
		return nil, &Error{Class: Invalid, Code: "InvalidURL", Message: fmt.Sprintf("%q makes no URL", call.request.ID)}
	}
	if call.request.IfMatch != "" {
		request.Raw().Header.Set("If-Match", call.request.IfMatch)
	}
	if call.request.IfNoneMatch != "" {
		request.Raw().Header.Set("If-None-Match", call.request.IfNoneMatch)
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
	if isObject(a.raw) {
		a.Body = a.raw
	}
	a.State, a.Progress = c.resourceState(a)
	if a.Status >= 200 && a.Status < 300 || a.Status == http.StatusNotModified && call.request.IfNoneMatch != "" {
		if call.url == "" { // the answer to a poll does not come from where requests are taken
			c.throttle.taken(call.request.ID, call.method, c.options.Now())
		}
		return a, nil
	}
	refusal := refusalOf(call, a)
	refusal.RetryAfter = retryAfter(a.header, c.options.Now())
	switch {
	case refusal.Class == Throttled:
		refusal.RetryAfter = c.throttle.refused(call.request.ID, call.method, a.Status, c.options.Now(), refusal.RetryAfter)
	case busy(a.Status) && call.url == "":
		c.throttle.busy(call.request.ID, call.method, c.options.Now(), refusal.RetryAfter)
	}
	return nil, refusal
}

// unanswered returns the error of a request without an answer.
func (c *Client) unanswered(state *handing, secrets Secrets, err error) error {
	e := &Error{Class: Unknown, Code: NoAnswer, Message: "ARM did not answer, and is asked again: " + plain(err), err: err}
	switch refused := (*refusedError)(nil); {
	case errors.As(err, &e):
		return e // of the gate
	case errors.As(err, &refused):
		e.Class, e.Code, e.Message = NotSent, NotSentCode, plain(err)
	case !state.handed.Load():
		e.Class, e.Code, e.Message = Retriable, NoToken, whyNoToken(err)
		if refusesToken(err) {
			e.Class = Unauthorized
		}
	}
	e.Message = secrets.Remove(cut(e.Message, maxMessage))
	return e
}

// plain returns the text of an error without the URL of the request, since a URL may be
// signed.
func plain(err error) string {
	at := (*url.Error)(nil)
	if !errors.As(err, &at) {
		return err.Error()
	}
	host := "the server"
	if u, err := url.Parse(at.URL); err == nil && u.Host != "" {
		host = u.Host
	}
	text := at.Err.Error()
	switch {
	case errors.Is(at.Err, io.EOF), errors.Is(at.Err, io.ErrUnexpectedEOF):
		text = "the connection was closed"
	case at.Timeout():
		text = "it took too long"
	}
	return host + ": " + text
}

type handingKey struct{}

// handing notes what became of a request behind the pipeline.
type handing struct {
	Exchange
	tenant   string
	reserved bool
	handed   atomic.Bool
}

// refusedError is the error of Allow.
type refusedError struct{ error }

func (e *refusedError) Unwrap() error { return e.error }

// NonRetriable keeps azcore from trying again.
func (*refusedError) NonRetriable() {}

// gate is the last policy of the pipeline.
type gate struct{ *Client }

// Do hands a request to the transport. A request for a token, which a credential
// may send with the same context, does not come here.
func (g gate) Do(request *http.Request) (*http.Response, error) {
	state, _ := request.Context().Value(handingKey{}).(*handing)
	if !g.trusts(request.URL) {
		return nil, &refusedError{fmt.Errorf("the host %q is not that of ARM", request.URL.Host)}
	}
	if allow := g.options.Allow; allow != nil {
		if err := allow(request.Context()); err != nil {
			return nil, &refusedError{err}
		}
	}
	// That there is a token shows whose limits these are.
	if g.proven.Store(true); !state.reserved {
		if wait := g.take(request.Context(), state.Method, state.ID, state.tenant); wait > 0 {
			return nil, held(wait)
		}
	}
	state.handed.Store(true)
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

// trusts reports whether a URL is one of ARM.
func (c *Client) trusts(u *url.URL) bool {
	port := func(u *url.URL) string {
		return cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	}
	return u.Scheme == c.endpoint.Scheme && strings.EqualFold(u.Hostname(), c.endpoint.Hostname()) &&
		port(u) == port(c.endpoint) && u.User == nil
}

// bounded reads no more than a part of a body.
type bounded struct {
	io.Closer
	io.Reader
}
