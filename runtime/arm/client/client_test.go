package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
)

const house = "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/h"

// reply is one answer of a script.
type reply struct {
	status int
	header string // "name: value" lines
	body   string
	err    error
}

// script answers requests in order, and remembers them.
type script struct {
	replies  []reply
	requests []*http.Request
}

func (s *script) Do(request *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, request)
	if len(s.requests) > len(s.replies) {
		return nil, fmt.Errorf("%s: the script has no reply left", request.Method)
	}
	r := s.replies[len(s.requests)-1]
	if r.err != nil {
		return nil, r.err
	}
	header := http.Header{}
	for line := range strings.Lines(r.header) {
		name, value, _ := strings.Cut(line, ":")
		header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return &http.Response{StatusCode: r.status, Header: header, Body: io.NopCloser(strings.NewReader(r.body)), Request: request}, nil
}

// tokens is a credential whose token is "the-token".
type tokens struct{ err error }

func (t tokens) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: "the-token", ExpiresOn: time.Now().Add(time.Hour)}, t.err
}

// clock is a time that tests set.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func newClient(t *testing.T, options client.Options, replies ...reply) (*client.Client, *script) {
	t.Helper()
	s := &script{replies: replies}
	options.Transport = s
	if options.Credential == nil {
		options.Credential = tokens{}
	}
	c, err := client.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

var request = client.Request{ID: house, APIVersion: "2020-02-02"}

func TestClient(t *testing.T) {
	t.Run("a request has the api-version, a token and its body", func(t *testing.T) {
		var seen []client.Exchange
		c, s := newClient(t, client.Options{Observe: func(_ context.Context, e client.Exchange) { seen = append(seen, e) }},
			reply{status: 200, header: "x-ms-correlation-request-id: c1", body: `{"id":"` + strings.ToUpper(house) + `"}`})
		a, err := c.Put(context.Background(), client.Request{ID: house, APIVersion: "2020-02-02", Body: []byte(`{"a":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		if a.Operation != nil || !arm.IsResource(a.Body, house) {
			t.Errorf("got %v %s, want the resource and no operation", a.Operation, a.Body)
		}
		r := s.requests[0]
		body, _ := io.ReadAll(r.Body)
		if got, want := r.Method+" "+r.URL.String(), "PUT https://management.azure.com"+house+"?api-version=2020-02-02"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := r.Header.Get("Authorization"); got != "Bearer the-token" || string(body) != `{"a":1}` {
			t.Errorf("got the header %q and the body %s", got, body)
		}
		if len(seen) != 1 || seen[0].Method != "PUT" || seen[0].Status != 200 || seen[0].CorrelationID != "c1" || seen[0].ID != house {
			t.Errorf("got %+v, want the one exchange", seen)
		}
	})
	t.Run("the credential of another tenant adds its token, and without one nothing is sent", func(t *testing.T) {
		theirs, _ := newClient(t, client.Options{Credential: tokens{}})
		c, s := newClient(t, client.Options{}, reply{status: 200, body: `{}`}, reply{status: 200, body: `{}`})
		send := request
		send.Auxiliary = theirs
		if _, err := c.Put(context.Background(), send); err != nil {
			t.Fatal(err)
		}
		if got := s.requests[0].Header.Get("x-ms-authorization-auxiliary"); got != "Bearer the-token" {
			t.Errorf("got the header %q", got)
		}
		send.Auxiliary, _ = newClient(t, client.Options{Credential: tokens{errors.New("no such tenant")}})
		_, err := c.Put(context.Background(), send)
		const message = "the other tenant's credential: no such"
		if e, ok := client.AsError(err); !ok || e.Code != client.NoToken || !strings.Contains(e.Message, message) {
			t.Errorf("got %v", err)
		}
		if _, err := c.Put(context.Background(), request); err != nil || len(s.requests) != 2 ||
			s.requests[1].Header.Get("x-ms-authorization-auxiliary") != "" {
			t.Errorf("got %v, and the header of another request is %q", err, s.requests[1].Header)
		}
	})
	t.Run("a refused request is not tried again here", func(t *testing.T) {
		c, s := newClient(t, client.Options{}, reply{status: 500}, reply{status: 200, body: `{}`})
		if _, err := c.Put(context.Background(), request); err == nil || len(s.requests) != 1 {
			t.Errorf("got %v after %d requests, want an error after one", err, len(s.requests))
		}
	})
	t.Run("a request that Allow refuses is not sent", func(t *testing.T) {
		lost := errors.New("the lease has ended")
		c, s := newClient(t, client.Options{Allow: func(context.Context) error { return lost }}, reply{status: 200})
		_, err := c.Put(context.Background(), request)
		if e, ok := client.AsError(err); !ok || e.Class != client.NotSent || !errors.Is(err, lost) || len(s.requests) != 0 {
			t.Errorf("got %v, and %d requests", err, len(s.requests))
		}
	})
	t.Run("there may be a token later, unless the authority refuses it", func(t *testing.T) {
		c, s := newClient(t, client.Options{Credential: tokens{errors.New("no such host")}}, reply{status: 200})
		_, err := c.Get(context.Background(), request)
		if e, ok := client.AsError(err); !ok || e.Class != client.Retriable || !strings.Contains(e.Message, "no such host") ||
			len(s.requests) != 0 {
			t.Errorf("got %v, and %d requests", err, len(s.requests))
		}
	})
	t.Run("after a dropped connection it is unknown what ARM did", func(t *testing.T) {
		c, _ := newClient(t, client.Options{}, reply{err: io.ErrUnexpectedEOF})
		_, err := c.Put(context.Background(), request)
		if e, ok := client.AsError(err); !ok || e.Class != client.Unknown || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("an unknown cloud is an error", func(t *testing.T) {
		_, err := client.New(client.Options{Cloud: cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
			cloud.ResourceManager: {Endpoint: "management", Audience: "a"}}}})
		if err == nil || !strings.Contains(err.Error(), `"management"`) {
			t.Errorf("got %v, want an error that shows the address", err)
		}
	})
}

func TestGet(t *testing.T) {
	for _, row := range []struct {
		reason string
		reply
		want  string // of the error, or "" for the body
		class client.Class
	}{
		{"a resource", reply{status: 200, body: `{"id":"` + house + `"}`}, "", 0},
		{"ids compare without case", reply{status: 200, body: `{"id":"` + strings.ToLower(house) + `"}`}, "", 0},
		{"517 recorded bodies had no id", reply{status: 200, body: `{"name":"h"}`}, "", 0},
		{"another resource", reply{status: 200, body: `{"id":"` + house + `/doors/d"}`}, "/doors/d", client.Malformed},
		{"a page of a proxy", reply{status: 200, body: `<html>Sign in`}, "<html>", client.Malformed},
		{"nothing", reply{status: 200}, "not a JSON object", client.Malformed},
		{"a list", reply{status: 200, body: `[]`}, "not a JSON object", client.Malformed},
		{"no content", reply{status: 204}, "204", client.Malformed},
		{"a redirect is not followed", reply{status: 302, header: "Location: https://elsewhere.example/"}, "Found", client.Malformed},
	} {
		c, s := newClient(t, client.Options{}, row.reply)
		a, err := c.Get(context.Background(), request)
		e, _ := client.AsError(err)
		switch {
		case row.want == "" && (err != nil || string(a.Body) != row.body):
			t.Errorf("%s: got %v", row.reason, err)
		case row.want != "" && (e == nil || e.Class != row.class || !strings.Contains(err.Error(), row.want)):
			t.Errorf("%s: got %v, want an error that is %v and has %q", row.reason, err, row.class, row.want)
		}
		if len(s.requests) != 1 {
			t.Errorf("%s: got %d requests", row.reason, len(s.requests))
		}
	}
	t.Run("a byte order mark is no part of the body", func(t *testing.T) {
		c, _ := newClient(t, client.Options{}, reply{status: 200, body: "\ufeff" + `{"id":"` + house + `"}`},
			reply{status: 404, body: "\ufeff" + `{"error":{"code":"ResourceNotFound"}}`})
		if a, err := c.Get(t.Context(), request); err != nil || string(a.Body) != `{"id":"`+house+`"}` {
			t.Errorf("got %v, %v", a, err)
		}
		if _, err := c.Get(t.Context(), request); err == nil || !strings.HasPrefix(err.Error(), "ResourceNotFound") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("an id at another scope needs to be permitted, too", func(t *testing.T) {
		const role = "/providers/Microsoft.Authorization/roleDefinitions/r"
		asked := client.Request{ID: "/subscriptions/s/resourceGroups/g" + role, APIVersion: "2022-04-01"}
		body := reply{status: 200, body: `{"id":"/subscriptions/s` + role + `"}`}
		c, _ := newClient(t, client.Options{}, body)
		if _, err := c.Get(t.Context(), asked); err != nil {
			t.Errorf("got %v", err)
		}
		c, _ = newClient(t, client.Options{Permit: func(_, id string) error {
			if id != asked.ID {
				return errors.New("out of bounds")
			}
			return nil
		}}, body)
		if _, err := c.Get(t.Context(), asked); err == nil || !strings.Contains(err.Error(), "out of bounds") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("what has the ETag still has no body", func(t *testing.T) {
		c, s := newClient(t, client.Options{}, reply{status: 304})
		r := request
		r.IfNoneMatch = `"7"`
		a, err := c.Get(context.Background(), r)
		if err != nil || a.Status != http.StatusNotModified || a.Body != nil || s.requests[0].Header.Get("If-None-Match") != `"7"` {
			t.Errorf("got %+v, %v", a, err)
		}
	})
	t.Run("nobody asked for 304", func(t *testing.T) {
		c, _ := newClient(t, client.Options{}, reply{status: 304})
		if _, err := c.Get(context.Background(), request); err == nil {
			t.Error("it was taken")
		}
	})
}

func TestErrors(t *testing.T) {
	shape := func(code string) string {
		return `{"error":{"code":"` + code + `","message":"It is so.","target":"properties.doors","details":[{"code":"Few","target":"a","message":"Too few."}]}}`
	}
	for _, row := range []struct {
		reason, method string
		reply
		class   client.Class
		code    string
		message string
		gone    bool
	}{
		{"ARM's shape", "PUT", reply{status: 400, body: shape("InvalidResourceReference")}, client.Retriable,
			"InvalidResourceReference", "properties.doors: It is so. Few: a: Too few.", false},
		{"a bare error", "PUT", reply{status: 409, body: `{"code":"Busy","message":"Wait."}`}, client.Retriable, "Busy", "Wait.", false},
		{"a capitalised one", "PUT", reply{status: 409, body: `{"Code":"Busy","Message":"Wait."}`}, client.Retriable, "Busy",
			"Wait.", false},
		{"a problem", "PUT", reply{status: 400, body: `{"type":"t","title":"One field is wrong.","status":400}`},
			client.Retriable, "BadRequest", "One field is wrong.", false},
		{"fields of other shapes", "PUT", reply{status: 409,
			body: `{"error":{"code":7,"message":{"value":"m"},"details":{"a":1}}}`}, client.Retriable, "7", "m", false},
		{"an error that is a text", "PUT", reply{status: 409, body: `{"error":"busy"}`}, client.Retriable, "Conflict", "", false},
		{"HTML", "PUT", reply{status: 400, body: `<h1>No`}, client.Malformed, "BadRequest", "<h1>No", false},
		{"nothing", "PUT", reply{status: 400}, client.Malformed, "BadRequest", "", false},
		{"invalid for sure", "PUT", reply{status: 400, body: shape("InvalidRequestContent")}, client.Invalid,
			"InvalidRequestContent", "", false},
		{"codes have no case", "PUT", reply{status: 400, body: shape("LOCATIONREQUIRED")}, client.Invalid, "LOCATIONREQUIRED", "", false},
		{"a code of invalid input in an answer of the server's own error", "PUT",
			reply{status: 500, body: shape("InvalidRequestContent")}, client.Retriable, "", "", false},
		{"what cannot change", "PUT", reply{status: 409, body: shape("PropertyChangeNotAllowed")}, client.Invalid,
			"PropertyChangeNotAllowed", "", false},
		{"with a code of the service's own", "PUT", reply{status: 400, body: shape("ImmutableSubnetProperty")}, client.Invalid,
			"ImmutableSubnetProperty", "", false},
		{"a resource that a PUT does not find may come later", "PUT", reply{status: 404, body: shape("ParentResourceNotFound")},
			client.Retriable,
			"ParentResourceNotFound", "", false},
		{"no right", "PUT", reply{status: 403, body: shape("AuthorizationFailed")}, client.Unauthorized, "AuthorizationFailed", "", false},
		{"a policy, whatever the credential may do", "PUT", reply{status: 403, body: shape("RequestDisallowedByPolicy")},
			client.Retriable, "RequestDisallowedByPolicy", "", false},
		{"a subscription that is disabled", "PUT", reply{status: 403, body: shape("ReadOnlyDisabledSubscription")},
			client.Retriable, "ReadOnlyDisabledSubscription", "", false},
		{"no identity", "GET", reply{status: 401, body: shape("InvalidAuthenticationToken")}, client.Unauthorized, "", "", false},
		{"a resource is gone", "DELETE", reply{status: 404, body: shape("ResourceNotFound")}, client.NotFound, "", "", true},
		{"with a code of the service's own", "DELETE", reply{status: 404, body: shape("HouseNotFound")}, client.NotFound, "", "", true},
		{"a code that names another type shows nothing", "DELETE", reply{status: 404, body: shape("VaultNotFound")},
			client.NotFound, "", "", false},
		{"with its parent", "DELETE", reply{status: 404, body: shape("ParentResourceNotFound")}, client.NotFound, "", "", true},
		{"with its resource group", "GET", reply{status: 404, body: shape("ResourceGroupNotFound")}, client.NotFound, "", "", true},
		{"a subscription that cannot be seen shows nothing", "DELETE", reply{status: 404, body: shape("SubscriptionNotFound")},
			client.NotFound, "", "", false},
		{"a wrong type shows nothing", "DELETE", reply{status: 404, body: shape("InvalidResourceType")}, client.NotFound, "", "", false},
		{"something else that is missing shows nothing", "DELETE", reply{status: 404, body: shape("PrincipalNotFound")},
			client.NotFound, "", "", false},
		{"a proxy's 404 shows nothing", "DELETE", reply{status: 404, body: "<html>"}, client.NotFound, "NotFound", "", false},
		{"an empty 404 shows nothing", "GET", reply{status: 404}, client.NotFound, "NotFound", "", false},
		{"but that of a HEAD has no body", "HEAD", reply{status: 404}, client.NotFound, "NotFound", "", true},
		{"in use", "DELETE", reply{status: 409, body: shape("CannotDeleteResource")}, client.Retriable, "", "", false},
		{"a service is busy", "PUT", reply{status: 429, body: shape("RetryableError")}, client.Retriable, "RetryableError", "", false},
		{"a service's own limit", "GET", reply{status: 429, body: shape("TooManyRequests")}, client.Retriable, "", "", false},
		{"unavailable", "GET", reply{status: 503}, client.Retriable, "ServiceUnavailable", "", false},
		{"a page of an unavailable service", "PUT", reply{status: 503, body: "<html>"}, client.Retriable, "", "<html>", false},
		{"requests are left", "GET", reply{status: 429, header: "X-Ms-Ratelimit-Remaining-Subscription-Reads: 70"},
			client.Retriable, "", "", false},
		{"a service's limit for a resource", "GET", reply{status: 429, header: "X-Ms-Ratelimit-Remaining-Resource: 0"},
			client.Retriable, "", "", false},
		{"the limit of a subscription", "GET", reply{status: 429, body: shape("SubscriptionRequestsThrottled")},
			client.Throttled, "", "", false},
		{"the limit of a tenant", "GET", reply{status: 429, body: shape("TenantRequestsThrottled")}, client.Throttled, "", "", false},
		{"no requests are left", "GET", reply{status: 429, header: "X-Ms-Ratelimit-Remaining-Subscription-Reads: 0"},
			client.Throttled, "", "", false},
		{"ARM's gateway takes no more", "GET", reply{status: 429, header: "X-Ms-Failure-Cause: gateway"},
			client.Throttled, "", "", false},
		{"ARM's gateway does not reach a service", "GET", reply{status: 503, header: "X-Ms-Failure-Cause: gateway"},
			client.Retriable, "", "", false},
		{"another error of the server", "GET", reply{status: 502, body: "<html>"}, client.Retriable, "BadGateway", "<html>", false},
	} {
		c, _ := newClient(t, client.Options{}, row.reply)
		var err error
		switch row.method {
		case "PUT":
			_, err = c.Put(context.Background(), request)
		case "GET":
			_, err = c.Get(context.Background(), request)
		case "DELETE":
			_, err = c.Delete(context.Background(), request)
		case "HEAD":
			err = c.Head(context.Background(), request)
		}
		e, ok := client.AsError(err)
		if !ok || e.Class != row.class || row.code != "" && e.Code != row.code || !strings.Contains(e.Message, row.message) ||
			e.Gone() != row.gone || e.Status != row.status {
			t.Errorf("%s: got %#v, want an error that is %v with code %q, message %q, gone %v", row.reason, e, row.class,
				row.code, row.message, row.gone)
		}
	}
}

// TestMayBeGone has answers with status 404 whose code does not say what is missing, all of them recorded but for the
// last ones.
func TestMayBeGone(t *testing.T) {
	const arms = "X-Ms-Request-Id: 1"
	for name, row := range map[string]struct {
		reply
		want bool
	}{
		"a provider that went first": {reply{status: 404, header: arms,
			body: `{"error":{"code":"AuthorizationGatewayNotFoundException"}}`}, true},
		"nothing":          {reply{status: 404, header: arms}, true},
		"a problem":        {reply{status: 404, header: arms, body: `{"type":"t","title":"Not Found","status":404}`}, true},
		"a number":         {reply{status: 404, header: arms, body: `{"code":404002}`}, true},
		"UserError":        {reply{status: 404, header: arms, body: `{"error":{"code":"UserError"}}`}, true},
		"the subscription": {reply{status: 404, header: arms, body: `{"error":{"code":"SubscriptionNotFound"}}`}, false},
		"the provider":     {reply{status: 404, header: arms, body: `{"error":{"code":"ResourceProviderNotFound"}}`}, false},
		"the type":         {reply{status: 404, header: arms, body: `{"error":{"code":"InvalidResourceType"}}`}, false},
		"a page":           {reply{status: 404, header: arms, body: `<html>`}, false},
		"a proxy":          {reply{status: 404, body: `{"message":"no Route matched with those values"}`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := newClient(t, client.Options{}, row.reply)
			_, err := c.Get(t.Context(), request)
			if e, ok := client.AsError(err); !ok || e.Gone() || e.MayBeGone() != row.want {
				t.Errorf("got %#v", err)
			}
		})
	}
}

func TestDidNothing(t *testing.T) {
	ask := func(options client.Options, replies ...reply) *client.Error {
		c, _ := newClient(t, options, replies...)
		a, err := c.Put(context.Background(), request)
		_, _, err = follow(c, a, err)
		e, ok := client.AsError(err)
		if !ok {
			t.Fatalf("got %v", err)
		}
		return e
	}
	for _, row := range []struct {
		reason string
		err    *client.Error
		want   bool
	}{
		{"a refusal", ask(client.Options{}, reply{status: 409}), true},
		{"no token", ask(client.Options{Credential: tokens{errors.New("no")}}), true},
		{"no lease", ask(client.Options{Allow: func(context.Context) error { return errors.New("no") }}), true},
		{"no answer", ask(client.Options{}, reply{err: io.EOF}), false},
		{"an error of the server", ask(client.Options{}, reply{status: 500}), false},
		{"an unavailable server", ask(client.Options{}, reply{status: 503}), false},
		{"a timeout of ARM's", ask(client.Options{}, reply{status: 408}), false},
		{"an operation that failed", ask(client.Options{}, reply{status: 202, header: "Location: /o"}, reply{status: 409}), false},
	} {
		if got := row.err.DidNothing(); got != row.want {
			t.Errorf("%s: got %v", row.reason, got)
		}
	}
}

func TestSecrets(t *testing.T) {
	const password = `p&ss"wörd/1`
	body := func(text string) string {
		return fmt.Sprintf(`{"error":{"code":"Bad","message":%s,"target":%[1]s,"details":[{"code":"X","target":%[1]s,"message":%[1]s}]}}`, text)
	}
	for reason, reply := range map[string]reply{
		"as it is":           {status: 400, body: body(`"found p&ss\"wörd/1 here"`)},
		"as JSON":            {status: 400, body: body(`"found {\"a\":\"p&ss\\\"wörd/1\"}"`)},
		"as JSON for HTML":   {status: 400, body: body(`"found {\"a\":\"p\\u0026ss\\\"wörd/1\"}"`)},
		"in a URL":           {status: 400, body: body(`"at ?x=p%26ss%22w%C3%B6rd%2F1"`)},
		"where a cut is":     {status: 400, body: body(`"` + strings.Repeat("x", 4090) + `p&ss\"wörd/1"`)},
		"in no JSON":         {status: 400, body: strings.Repeat("x", 95) + password},
		"in an excerpt":      {status: 200, body: password},
		"as a code":          {status: 400, body: `{"code":"p&ss\"wörd/1"}`},
		"a key of JSON":      {status: 400, body: body(`"found first-key"`)},
		"in an error of Go":  {err: errors.New("cannot write " + password)},
		"in a failed header": {status: 400, header: "x-ms-correlation-request-id: " + `p&ss"wörd/1`, body: "{}"},
	} {
		c, _ := newClient(t, client.Options{}, reply)
		secret := request
		secret.Secrets = client.NewSecrets(password, `{"keys":["first-key",{"b":"second"}]}`)
		_, err := c.Get(context.Background(), secret)
		text := fmt.Sprintf("%v %#v %+v", err, err, secret)
		for _, part := range []string{"wörd", "w%C3", "p&s", "first-key"} {
			if err == nil || strings.Contains(text, part) {
				t.Errorf("%s: got %s", reason, text)
			}
		}
	}
	t.Run("in each form in which it is sent", func(t *testing.T) {
		for _, value := range []string{`p&ss"wörd/1`, "first>>>second???", "hunter2", " hunter2\n"} {
			for _, form := range arm.SecretForms(value) {
				for _, text := range []string{form, strings.TrimRight(form, "=")} {
					if got := client.NewSecrets(value).Remove("found " + text + " here"); got != "found (secret) here" {
						t.Errorf("%q as %q: got %q", value, text, got)
					}
				}
			}
		}
	})
	t.Run("as a number", func(t *testing.T) {
		for value, texts := range map[string][]string{
			"73911":            {"73911", "7.3911e+04"},
			"73911.50":         {"73911.50", "73911.5"},
			"7.3911E4":         {"73911", "7.3911E4"},
			`{"pin":73911}`:    {"73911"},
			`[[1e5, "x"], 22]`: {"100000"},
		} {
			for _, text := range texts {
				if got := client.NewSecrets(value).Remove(`{"n":` + text + `}`); !strings.Contains(got, "(secret)") {
					t.Errorf("%q as %q: got %q", value, text, got)
				}
			}
		}
	})
	t.Run("nothing else is removed", func(t *testing.T) {
		if got := client.NewSecrets("", " ", "abcd").Remove("a b abcd xabcdx"); got != "a b (secret) x(secret)x" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("a secret that is no UTF-8, and short", func(t *testing.T) {
		for _, text := range []string{"\ufffd\ufffd", "//4="} { // as JSON and Base64 have it
			if got := client.NewSecrets("\xff\xfe").Remove(`found "` + text + `" here`); got != `found "(secret)" here` {
				t.Errorf("%q: got %s", text, got)
			}
		}
	})
	t.Run("one that is short is removed where it is a value", func(t *testing.T) {
		secrets := client.NewSecrets("on", "1", "é&", `{"pin":"42\""}`)
		for text, want := range map[string]string{
			"on":    "(secret)",
			" on\n": "(secret)",
			"the PUT on 1 of 11 reasons, one of them on disk": "the PUT on 1 of 11 reasons, one of them on disk",
			`the value 'on' of "lights" is 'one'`:             `the value '(secret)' of "lights" is 'one'`,
			`{"lights":"on","n":"1","m":"11"}`:                `{"lights":"(secret)","n":"(secret)","m":"11"}`,
			`{\"lights\":\"on\"}`:                             `{\"lights\":\"(secret)\"}`,
			`{\\\"lights\\\":\\\"on\\\"}`:                     `{\\\"lights\\\":\\\"(secret)\\\"}`,
			"found `on`, “on” and ‘on’":                       "found `(secret)`, “(secret)” and ‘(secret)’",
			`found "é&", "é\u0026" and '%C3%A9%26'`:           `found "(secret)", "(secret)" and '(secret)'`,
			`found "42\"" in 42`:                              `found "(secret)" in 42`,
		} {
			if got := secrets.Remove(text); got != want {
				t.Errorf("%s: got %s, want %s", text, got, want)
			}
		}
	})
	t.Run("a code stays as it is, unless it is a secret", func(t *testing.T) {
		for _, row := range []struct{ secret, code, want string }{
			{"on", "Conflict", "Conflict"},
			{"flict", "Conflict", "Conflict"},
			{"Conflict", "Conflict", "(secret)"},
			{"on", "on", "(secret)"},
			{"first-key", "no code: first-key", "no code: (secret)"},
		} {
			c, _ := newClient(t, client.Options{}, reply{status: 409, body: fmt.Sprintf(
				`{"error":{"code":%q,"message":"It is so.","details":[{"code":%[1]q,"message":"Few."}]}}`, row.code)})
			secret := request
			secret.Secrets = client.NewSecrets(row.secret)
			_, err := c.Put(context.Background(), secret)
			if got, want := fmt.Sprint(err), row.want+": It is so. "+row.want+": Few."; got != want {
				t.Errorf("the secret %s: got %q, want %q", row.secret, got, want)
			}
		}
	})
	t.Run("what an error means depends on no secret", func(t *testing.T) {
		for _, secret := range []string{"on", "LocationRequired", "Throttled", "ResourceNotFound", "Failed"} {
			secret := client.NewSecrets(secret)
			ask := func(how func(*client.Client, client.Request) error, replies ...reply) *client.Error {
				t.Helper()
				c, _ := newClient(t, client.Options{}, replies...)
				asking := request
				asking.Secrets = secret
				e, ok := client.AsError(how(c, asking))
				if !ok {
					t.Fatalf("%#v: no error", secret)
				}
				return e
			}
			put := func(c *client.Client, r client.Request) error {
				a, err := c.Put(context.Background(), r)
				_, _, err = follow(c, a, err)
				return err
			}
			remove := func(c *client.Client, r client.Request) error {
				_, err := c.Delete(context.Background(), r)
				return err
			}
			coded := func(code string) string { return `{"error":{"code":"` + code + `","message":"No."}}` }
			if e := ask(put, reply{status: 400, body: coded("LocationRequired")}); e.Class != client.Invalid {
				t.Errorf("got %v, want one of invalid input", e.Class)
			}
			if e := ask(put, reply{status: 202, header: "Azure-AsyncOperation: /o"},
				reply{status: 200, body: `{"status":"Failed",` + coded("LocationRequired")[1:]}); e.Class != client.Invalid || !e.Failed {
				t.Errorf("got %v, want a failure by invalid input", e.Class)
			}
			if e := ask(put, reply{status: 429, body: coded("SubscriptionRequestsThrottled")}); e.Class != client.Throttled {
				t.Errorf("got %v, want ARM's limit", e.Class)
			}
			if e := ask(remove, reply{status: 404, body: coded("ResourceNotFound")}); !e.Gone() {
				t.Errorf("got %v, want that it is gone", e)
			}
		}
	})
	t.Run("a signed URL is in no error", func(t *testing.T) {
		c, _ := newClient(t, client.Options{}, reply{status: 202, header: "Location: /operations/o?sig=signature"},
			reply{err: io.ErrUnexpectedEOF})
		a, err := c.Put(context.Background(), request)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Poll(context.Background(), a.Operation)
		if text := fmt.Sprintf("%v %v %+v %#v", err, a.Operation, a.Operation, a.Operation); err == nil ||
			strings.Contains(text, "signature") {
			t.Errorf("got %s", text)
		}
	})
}

func TestThrottle(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const limit = `{"error":{"code":"SubscriptionRequestsThrottled"}}`
	type step struct {
		what   string
		after  time.Duration
		id     string
		answer *reply // nil: nothing is sent
		class  client.Class
		wait   time.Duration
	}
	ok := &reply{status: 200, body: "{}"}
	run := func(t *testing.T, steps []step) {
		t.Helper()
		now := &clock{begin}
		var replies []reply
		for _, s := range steps {
			if s.answer != nil {
				replies = append(replies, *s.answer)
			}
		}
		c, server := newClient(t, client.Options{Now: now.Now}, replies...)
		sent := 0
		for _, s := range steps {
			now.now = now.now.Add(s.after)
			_, err := c.Get(context.Background(), client.Request{ID: s.id, APIVersion: "2020-02-02"})
			e, _ := client.AsError(err)
			if s.answer != nil {
				sent++
			}
			failed := s.answer == nil || s.answer.status != 200
			if (e != nil) != failed || e != nil && (e.Class != s.class || e.RetryAfter != s.wait) || len(server.requests) != sent {
				t.Errorf("%s: got %+v after %d requests, want class %v and a wait of %v after %d",
					s.what, e, len(server.requests), s.class, s.wait, sent)
			}
		}
	}
	t.Run("ARM's limit holds back the subscription", func(t *testing.T) {
		const s = time.Second
		run(t, []step{
			{what: "ARM says how long", id: house, answer: &reply{status: 429, header: "Retry-After: 30", body: limit},
				class: client.Throttled, wait: 30 * s},
			{what: "nothing is sent meanwhile", after: 10 * s, id: house + "/doors/d", class: client.Throttled, wait: 20 * s},
			{what: "another subscription goes on", id: "/subscriptions/t/resourceGroups/g", answer: ok},
			{what: "then again, without a time", after: 20 * s, id: house, class: client.Throttled, wait: 10 * s,
				answer: &reply{status: 429, header: "X-Ms-Failure-Cause: gateway"}},
			{what: "longer each time", after: 10 * s, id: house, class: client.Throttled, wait: 20 * s,
				answer: &reply{status: 429, body: limit}},
			{what: "until ARM takes one", after: 20 * s, id: house, answer: ok},
			{what: "which ends that", id: house, answer: &reply{status: 429, body: limit}, class: client.Throttled, wait: 5 * s},
			{what: "a date, however late", after: 5 * s, id: house, class: client.Throttled, wait: 2*time.Hour - 65*s,
				answer: &reply{status: 429, header: "Retry-After: Thu, 01 Jan 2026 02:00:00 GMT", body: limit}},
			{what: "as long as ARM says", after: time.Hour, id: house, class: client.Throttled, wait: time.Hour - 65*s},
		})
	})
	t.Run("a date is that of ARM's clock", func(t *testing.T) {
		run(t, []step{{what: "three seconds, on a machine that is an hour late", id: house, class: client.Throttled, wait: 3 * time.Second,
			answer: &reply{status: 429, body: limit,
				header: "Date: Thu, 01 Jan 2026 01:00:00 GMT\nRetry-After: Thu, 01 Jan 2026 01:00:03 GMT"}}})
	})
	t.Run("a service that ARM's gateway does not reach holds back no other", func(t *testing.T) {
		run(t, []step{
			{what: "it", id: house, answer: &reply{status: 503, header: "X-Ms-Failure-Cause: gateway\nRetry-After: 60"},
				class: client.Retriable, wait: time.Minute},
			{what: "another", id: house + "/doors/d", answer: ok},
		})
	})
	busy := &reply{status: 429, header: "Retry-After: 7", body: `{"error":{"code":"RetryableError"}}`}
	t.Run("a busy resource holds back nothing", func(t *testing.T) {
		var steps []step
		for range 20 {
			steps = append(steps, step{what: "it", id: house, answer: busy, class: client.Retriable, wait: 7 * time.Second},
				step{what: "its neighbour", id: house + "2", answer: ok},
				step{what: "another neighbour", id: house + "3", answer: busy, class: client.Retriable, wait: 7 * time.Second})
		}
		run(t, steps)
	})
	t.Run("a service that refuses all holds back its type", func(t *testing.T) {
		refused := func(what, id string, after time.Duration) step {
			return step{what: what, after: after, id: id, answer: busy, class: client.Retriable, wait: 7 * time.Second}
		}
		const s = time.Second
		run(t, []step{
			refused("one", house+"1", 0), refused("once more", house+"1", 0), refused("a second", house+"2", 0),
			refused("a third", house+"3", 0),
			{what: "the type waits", after: 2 * s, id: house + "4", class: client.Throttled, wait: 5 * s},
			{what: "another type does not", id: house + "1/doors/d", answer: ok},
			refused("after that one is tried", house+"4", 5*s),
			{what: "and the others wait again", id: house + "5", class: client.Throttled, wait: 7 * s},
			{what: "until one is taken", after: 7 * s, id: house + "5", answer: ok},
			{what: "then all are", id: house + "1", answer: ok},
		})
	})
}

// TestLimits checks how the client reacts to ARM's limits.
func TestLimits(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	start := func(t *testing.T, replies ...reply) (*client.Client, *clock) {
		t.Helper()
		now := &clock{begin}
		c, _ := newClient(t, client.Options{Now: now.Now}, replies...)
		for range replies {
			c.Put(context.Background(), request) // which may be refused
		}
		return c, now
	}
	ask := func(c *client.Client, tenant, method, id string) time.Duration {
		return c.Reserve(context.Background(), method, &client.Request{ID: id, Tenant: tenant})
	}
	const throttled = `{"error":{"code":"SubscriptionRequestsThrottled"}}`
	const left3 = "X-Ms-Ratelimit-Remaining-Subscription-Writes: 3"
	t.Run("without a word from ARM nothing waits", func(t *testing.T) {
		c, _ := start(t, reply{status: 200, body: "{}"})
		for range 1000 {
			if wait := ask(c, "a", "PUT", house); wait != 0 {
				t.Fatalf("got a wait of %v", wait)
			}
		}
	})
	t.Run("the requests that are left can be sent, and then as many as ARM publishes", func(t *testing.T) {
		c, now := start(t, reply{status: 200, header: left3, body: "{}"})
		for range 3 {
			if wait := ask(c, "a", "PUT", house); wait != 0 {
				t.Errorf("got a wait of %v, want none", wait)
			}
		}
		for i := range 50 { // a line, in which each has its place
			if wait, want := ask(c, "a", "PUT", house), time.Duration(i+1)*100*time.Millisecond; (wait - want).Abs() > time.Millisecond {
				t.Errorf("got a wait of %v, want %v", wait, want)
			}
		}
		for _, other := range []struct{ method, id string }{{"GET", house}, {"DELETE", house},
			{"PUT", "/subscriptions/t/resourceGroups/g"}} {
			if wait := ask(c, "a", other.method, other.id); wait != 0 {
				t.Errorf("%v: got a wait of %v, want none", other, wait)
			}
		}
		now.now = begin.Add(time.Second)
		sent := 0
		for ask(c, "a", "PUT", house) == 0 {
			sent++
		}
		if sent != 10 {
			t.Errorf("%d were sent in a second, want 10", sent)
		}
	})
	t.Run("a refusal without a word about limits makes them known", func(t *testing.T) {
		c, now := start(t, reply{status: 429, header: "Retry-After: 10", body: throttled})
		now.now = begin.Add(10 * time.Second)
		sent := 0
		for ask(c, "a", "PUT", house) == 0 && sent < 100 {
			sent++
		}
		if sent > 10 {
			t.Errorf("%d were sent at once after the pause", sent)
		}
	})
	t.Run("an answer that comes late, during a pause, changes nothing", func(t *testing.T) {
		// The second PUT is sent before the first is refused.
		now := &clock{begin}
		c, _ := newClient(t, client.Options{Now: now.Now}, reply{status: 200, body: "{}"},
			reply{status: 429, header: "Retry-After: 10", body: throttled},
			reply{status: 200, header: "X-Ms-Ratelimit-Remaining-Subscription-Writes: 199", body: "{}"})
		c.Put(context.Background(), request) // has the first token
		late := request
		if wait := c.Reserve(context.Background(), "PUT", &late); wait != 0 {
			t.Fatal(wait)
		}
		c.Put(context.Background(), request)
		now.now = begin.Add(time.Second)
		if _, err := c.Put(context.Background(), late); err != nil {
			t.Fatal(err)
		}
		now.now = begin.Add(10 * time.Second)
		sent := 0
		for ask(c, "a", "PUT", house) == 0 && sent < 100 {
			sent++
		}
		if sent > 10 {
			t.Errorf("%d were sent at once after the pause", sent)
		}
	})
	t.Run("requests queue during a pause too", func(t *testing.T) {
		c, _ := start(t, reply{status: 429, header: "Retry-After: 10", body: throttled})
		var last time.Duration
		for range 100 {
			last = ask(c, "a", "PUT", house)
		}
		if last < 19*time.Second || last > 20*time.Second {
			t.Errorf("the last of 100 waits %v, want the pause and nearly ten seconds", last)
		}
	})
	t.Run("one tenant's thousands leave room for another's few", func(t *testing.T) {
		c, now := start(t, reply{status: 200, header: left3, body: "{}"})
		due := map[string][]time.Time{}
		for range 5000 {
			due["crowd"] = append(due["crowd"], begin)
		}
		sent := map[string]int{}
		step := func() {
			for _, tenant := range []string{"crowd", "single", "pair"} {
				var later []time.Time
				for _, at := range due[tenant] {
					if at.After(now.now) {
						later = append(later, at)
					} else if wait := ask(c, tenant, "PUT", house); wait > 0 {
						later = append(later, now.now.Add(wait))
					} else {
						sent[tenant]++
					}
				}
				due[tenant] = later
			}
			now.now = now.now.Add(50 * time.Millisecond)
		}
		for now.now.Before(begin.Add(30 * time.Second)) {
			step()
		}
		if sent["crowd"] < 290 || sent["crowd"] > 310 {
			t.Errorf("alone, %d were sent in 30 seconds, want about 300", sent["crowd"])
		}
		for range 10 {
			due["single"] = append(due["single"], now.now)
		}
		for range 200 {
			due["pair"] = append(due["pair"], now.now)
		}
		for now.now.Before(begin.Add(40 * time.Second)) {
			step()
		}
		if sent["single"] != 10 || sent["pair"] < 25 {
			t.Errorf("beside a crowd of thousands %d of 10 and %d of 200 were sent in ten seconds, want 10 and a third",
				sent["single"], sent["pair"])
		}
		if all := sent["crowd"] + sent["single"] + sent["pair"]; all < 380 || all > 410 {
			t.Errorf("%d were sent in 40 seconds, want about 400", all)
		}
	})
}

// follow polls an operation to its end.
func follow(c *client.Client, a *client.Answer, err error) (waits []time.Duration, last *client.Answer, _ error) {
	for err == nil && a.Operation != nil {
		waits = append(waits, a.Operation.Wait())
		a, err = c.Poll(context.Background(), a.Operation)
	}
	return waits, a, err
}

func TestOperation(t *testing.T) {
	const async, location = "Azure-AsyncOperation: https://management.azure.com/operations/1?sig=a",
		"Location: https://management.azure.com/operations/1?sig=a"
	const cancelled = `{"status":"Cancelled","error":{"code":"NoRoom","message":"It is full."}}`
	const bare = `{"error":{"code":"NoRoom"}}`
	resource := func(state string) string {
		return `{"id":"` + house + `","properties":{"provisioningState":"` + state + `"}}`
	}
	for _, row := range []struct {
		reason, method string
		replies        []reply
		asked          []string // paths with query
		err            string
		failed         bool
	}{
		{"no header and no state: no operation", "PUT", []reply{{status: 201, body: resource("")}}, nil, "", false},
		{"a Location that names the resource itself is no operation", "PUT",
			[]reply{{status: 201, header: "Location: " + house, body: resource("Succeeded")}}, nil, "", false},
		{"a state without a header: the resource is asked", "PUT",
			[]reply{
				{status: 200, body: resource("Updating")}, {status: 200, body: resource("provisioning")},
				{status: 200, body: resource("succeeded")},
			},
			[]string{house, house}, "", false},
		{"Azure-AsyncOperation", "PUT", []reply{{status: 201, header: async},
			{status: 200, body: `{"status":"Inprogress","error":null}`},
			{status: 200, body: `{"status":"CreatingAgentPools: 0/1 nodes completed"}`},
			{status: 200, body: `{"status":"SUCCEEDED","error":{"code":"None"}}`}},
			[]string{"/operations/1", "/operations/1", "/operations/1"}, "", false},
		{"the header counts although the body says Succeeded", "PUT",
			[]reply{{status: 200, header: async, body: resource("Succeeded")}, {status: 200, body: `{"status":"Succeeded"}`}},
			[]string{"/operations/1"}, "", false},
		{"the newest URL is asked", "PUT", []reply{
			{status: 201, header: async}, {status: 200, header: "Azure-AsyncOperation: /operations/2?sig=b",
				body: `{"status":"Dequeued"}`}, {status: 200, body: `{"status":"Succeeded"}`}},
			[]string{"/operations/1", "/operations/2"}, "", false},
		{"Azure-AsyncOperation takes precedence over Location", "PUT",
			[]reply{{status: 202, header: async + "\nLocation: /results/1"},
				{status: 200, header: "Location: /results/2", body: `{"status":"Succeeded"}`}}, []string{"/operations/1"}, "", false},
		{"Location", "DELETE", []reply{{status: 202, header: location}, {status: 202, header: "Location: /operations/2?sig=b"},
			{status: 204}}, []string{"/operations/1", "/operations/2"}, "", false},
		{"an operation that failed", "PUT", []reply{
			{status: 202, header: async}, {status: 200,
				body: `{"status":"Failed","error":{"code":"NoRoom","message":"It is full."}}`}}, []string{"/operations/1"},
			"NoRoom: It is full.", true},
		{"a failure without a reason", "PUT", []reply{{status: 202, header: async}, {status: 200, body: `{"status":"canceled"}`}},
			[]string{"/operations/1"}, "OperationCanceled: ", true},
		{"an operation that fails with an HTTP status", "PUT", []reply{
			{status: 202, header: location}, {status: 409, body: `{"error":{"code":"NoRoom"}}`}}, []string{"/operations/1"},
			"NoRoom", true},
		{"an operation that was cancelled, with two l", "PUT", []reply{{status: 202, header: async}, {status: 200, body: cancelled}},
			[]string{"/operations/1"}, "NoRoom: It is full.", true},
		{"a state that is no end as long as ARM asks to wait", "DELETE", []reply{{status: 202, header: async},
			{status: 200, header: "Retry-After: 1", body: `{"status":"Percolated"}`}, {status: 200, body: `{"status":"Percolated"}`}},
			[]string{"/operations/1", "/operations/1"}, "", false},
		{"an end of a PUT that nobody knows is looked at", "PUT", []reply{{status: 202, header: async},
			{status: 200, body: `{"status":"Percolated"}`}, {status: 200, body: resource("Updating")},
			{status: 200, body: resource("Failed")}},
			[]string{"/operations/1", house, house}, "OperationFailed", true},
		{"a Location whose body says that it failed", "PUT", []reply{{status: 202, header: location}, {status: 200, body: cancelled}},
			[]string{"/operations/1"}, "NoRoom: It is full.", true},
		{"that of a deletion", "DELETE", []reply{{status: 202, header: location}, {status: 200, body: cancelled}},
			[]string{"/operations/1"}, "NoRoom: It is full.", true},
		{"a Location whose body says that it goes on", "DELETE", []reply{{status: 202, header: location},
			{status: 200, body: `{"status":"InProgress"}`}, {status: 204}}, []string{"/operations/1", "/operations/1"}, "", false},
		{"a Location that goes on with the resource", "DELETE", []reply{{status: 202, header: location},
			{status: 202, body: resource("Failed")}, {status: 204}}, []string{"/operations/1", "/operations/1"}, "", false},
		{"that of a PUT", "PUT", []reply{{status: 202, header: location}, {status: 202, body: resource("Failed")},
			{status: 200, body: resource("Succeeded")}}, []string{"/operations/1", "/operations/1"}, "", false},
		{"an action whose result has a status", "POST", []reply{{status: 202, header: location},
			{status: 200, body: `{"status":"Failed"}`}}, []string{"/operations/1"}, "", false},
		{"an action that ends with an error", "POST", []reply{{status: 202, header: location}, {status: 200, body: bare}},
			[]string{"/operations/1"}, "NoRoom", true},
		{"a success with an error is none", "PUT", []reply{{status: 202, header: async},
			{status: 200, body: `{"status":"Succeeded","error":{"code":"NoRoom"}}`}}, []string{"/operations/1"}, "NoRoom", true},
		{"an answer with nothing but an error", "PUT", []reply{{status: 200, body: bare}}, nil, "NoRoom", true},
		{"that of a deletion", "DELETE", []reply{{status: 200, body: bare}}, nil, "NoRoom", true},
		{"a resource that failed at once", "PUT", []reply{{status: 201, body: resource("CreateFailed")}}, nil,
			"OperationCreateFailed", true},
		{"a resource that was failing before it is deleted", "DELETE", []reply{{status: 200, body: resource("Failed")}}, nil, "", false},
		{"a state of a resource that nobody knows is looked at once more", "PUT", []reply{
			{status: 200, body: resource("Percolated")}, {status: 200, body: resource("Percolated")}}, []string{house}, "", false},
		{"and again while ARM asks to wait", "PUT", []reply{{status: 200, body: resource("Percolated")},
			{status: 200, header: "Retry-After: 1", body: resource("Percolated")}, {status: 200, body: resource("Percolated")}},
			[]string{house, house}, "", false},
		{"a resource that failed", "PUT", []reply{{status: 202}, {status: 200, body: resource("Failed")}}, []string{house},
			"OperationFailed", true},
		{"a Location that ends with a resource that failed", "PUT", []reply{
			{status: 202, header: location}, {status: 200, body: resource("Failed")}}, []string{"/operations/1"},
			"OperationFailed", true},
		{"a Location that ends with a resource that still changes", "PUT", []reply{
			{status: 202, header: location}, {status: 200, body: resource("Updating")}, {status: 200, body: resource("Succeeded")}},
			[]string{"/operations/1", house}, "", false},
		{"a Location that ends with a resource that was created", "PUT", []reply{
			{status: 202, header: location}, {status: 200, body: resource("Created")}}, []string{"/operations/1"}, "", false},
		{"a Location that ends with nothing, whose resource failed", "PUT", []reply{
			{status: 202, header: location}, {status: 200}, {status: 200, body: resource("Failed")}},
			[]string{"/operations/1", house}, "OperationFailed", true},
		{"an answer that is no resource, which was created", "PUT", []reply{
			{status: 201, body: `{"operation":"Create"}`}, {status: 200, body: resource("Created")}}, []string{house}, "", false},
		{"an answer that is no resource, which cannot be read", "PUT", []reply{
			{status: 200}, {status: 405}}, []string{house}, "", false},
		{"a poll that comes too soon does not end it", "PUT", []reply{
			{status: 202, header: location}, {status: 429}}, []string{"/operations/1"}, "TooManyRequests", false},
		{"a state that is no work is an end", "PUT", []reply{{status: 200, body: resource("Running")}}, nil, "", false},
		{"ARM forgets an operation that ended, and the resource shows how", "PUT",
			[]reply{{status: 202, header: async}, {status: 404, body: `{"error":{"code":"NotFound"}}`},
				{status: 200, body: resource("Succeeded")}}, []string{"/operations/1", house}, "", false},
		{"a forgotten operation that failed", "PUT", []reply{
			{status: 202, header: async}, {status: 404, body: `{"error":{"code":"NotFound"}}`},
			{status: 200, body: resource("Failed")}}, []string{"/operations/1", house}, "OperationFailed", true},
		{"a forgotten operation of a resource that still changes", "PUT",
			[]reply{{status: 202, header: async}, {status: 410}, {status: 200, body: resource("Updating")}, {status: 410},
				{status: 200, body: resource("")}}, []string{"/operations/1", house, "/operations/1", house}, "", false},
		{"a forgotten action", "POST", []reply{{status: 202, header: location},
			{status: 404, body: `{"error":{"code":"NotFound"}}`}}, []string{"/operations/1"}, "", false},
		{"a Location with more in its query than the resource's own URL", "PUT", []reply{
			{status: 202, header: "Location: https://management.azure.com" + house + "?api-version=2020-01-01&asyncId=7"},
			{status: 202}, {status: 409, body: `{"error":{"code":"NoRoom"}}`}}, []string{house, house}, "NoRoom", true},
		{"the same of a deletion", "DELETE", []reply{
			{status: 202, header: "Azure-AsyncOperation: https://management.azure.com" + house + "?api-version=2020-01-01&asyncId=7"},
			{status: 200, body: `{"status":"Failed","error":{"code":"NoRoom"}}`}}, []string{house}, "NoRoom", true},
		{"Active is not the end of an operation", "PUT", []reply{{status: 201, header: async},
			{status: 200, body: `{"status":"Active"}`},
			{status: 200, body: `{"status":"Failed","error":{"code":"NoEndpoint"}}`}}, []string{"/operations/1", "/operations/1"},
			"NoEndpoint", true},
		{"a poll that begins with a byte order mark", "PUT", []reply{{status: 201, header: async},
			{status: 200, body: "\ufeff" + `{"status":"Failed","error":{"code":"NoRoom"}}`}}, []string{"/operations/1"}, "NoRoom", true},
		{"a busy server does not end it", "PUT", []reply{{status: 202, header: async}, {status: 500}}, []string{"/operations/1"},
			"InternalServerError", false},
		{"a page of a proxy does not end it", "PUT", []reply{{status: 202, header: async}, {status: 200, body: "<html>"}},
			[]string{"/operations/1"}, "MalformedAnswer", false},
		{"a foreign host is not asked", "PUT", []reply{
			{status: 202, header: "Location: https://management.azure.com.evil.example/o"},
			{status: 200, body: resource("Succeeded")}}, []string{house}, "", false},
		{"a host is not asked over HTTP", "PUT", []reply{
			{status: 202, header: "Location: http://management.azure.com/o"}, {status: 200, body: resource("Succeeded")}},
			[]string{house}, "", false},
		{"a host is not asked over HTTP at the port of HTTPS", "PUT",
			[]reply{{status: 202, header: "Location: http://management.azure.com:443/o"},
				{status: 200, body: resource("Succeeded")}}, []string{house}, "", false},
		{"another port is not asked", "PUT", []reply{
			{status: 202, header: "Location: https://management.azure.com:8443/o"}, {status: 200, body: resource("Succeeded")}},
			[]string{house}, "", false},
		{"a URL with a user name is not asked", "PUT",
			[]reply{{status: 202, header: "Location: https://management.azure.com@evil.example/o"},
				{status: 200, body: resource("Succeeded")}}, []string{house}, "", false},
		{"a foreign host that a poll names is not asked", "PUT", []reply{
			{status: 202, header: location}, {status: 202, header: "Location: //evil.example/o"},
			{status: 200, body: resource("Succeeded")}}, []string{"/operations/1", house}, "", false},
		{"a deletion is asked of the resource then", "DELETE",
			[]reply{{status: 202, header: "Location: https://evil.example/o"}, {status: 200, body: resource("Deleting")},
				{status: 404, body: `{"error":{"code":"ResourceNotFound"}}`}}, []string{house, house}, "", false},
		{"an action cannot be", "POST", []reply{{status: 202, header: "Location: https://evil.example/o"}}, nil, "NoOperation", false},
	} {
		t.Run(row.reason, func(t *testing.T) {
			c, s := newClient(t, client.Options{}, row.replies...)
			start := map[string]func(context.Context, client.Request) (*client.Answer, error){"PUT": c.Put, "DELETE": c.Delete,
				"POST": c.Post}[row.method]
			a, err := start(context.Background(), request)
			_, last, err := follow(c, a, err)
			var asked []string
			for _, r := range s.requests[1:] {
				asked = append(asked, r.URL.Path)
				if r.Method != "GET" || r.URL.Host != "management.azure.com" || r.URL.Scheme != "https" {
					t.Errorf("%s %s was asked", r.Method, r.URL)
				}
			}
			if !slices.Equal(asked, row.asked) {
				t.Errorf("asked %q, want %q", asked, row.asked)
			}
			e, _ := client.AsError(err)
			switch {
			case row.err == "" && (err != nil || last.Operation != nil):
				t.Errorf("got %v", err)
			case row.err != "" && (e == nil || !strings.HasPrefix(err.Error(), row.err) || e.Failed != row.failed):
				t.Errorf("got %v, want an error that begins with %q, of a failed operation: %v", err, row.err, row.failed)
			}
		})
	}
	t.Run("it waits as ARM says, else longer each time", func(t *testing.T) {
		c, _ := newClient(t, client.Options{}, reply{status: 202, header: async + "\nRetry-After: 17"},
			reply{status: 200, body: `{"status":"Running"}`},
			reply{status: 200, body: `{"status":"Running"}`},
			reply{status: 200, header: "Retry-After: 86400", body: `{"status":"Running"}`},
			reply{status: 200, body: `{"status":"Succeeded"}`})
		a, err := c.Put(context.Background(), request)
		waits, _, err := follow(c, a, err)
		if want := []time.Duration{17 * time.Second, 4 * time.Second, 8 * time.Second, 24 * time.Hour}; err != nil ||
			!slices.Equal(waits, want) {
			t.Errorf("got %v and %v, want %v", waits, err, want)
		}
	})
	t.Run("it waits a second at least, and longer after many polls", func(t *testing.T) {
		replies := []reply{{status: 202, header: async + "\nRetry-After-Ms: 1"}}
		for range 200 {
			replies = append(replies, reply{status: 200, header: "Retry-After-Ms: 1", body: `{"status":"Running"}`})
		}
		c, _ := newClient(t, client.Options{}, append(replies, reply{status: 200, body: `{"status":"Succeeded"}`})...)
		a, err := c.Put(context.Background(), request)
		waits, _, err := follow(c, a, err)
		var total time.Duration
		for _, wait := range waits {
			total += wait
		}
		if err != nil || waits[0] != time.Second || waits[len(waits)-1] != time.Minute || total < time.Hour {
			t.Errorf("got %v, %v in all, and %v", waits, total, err)
		}
	})
	t.Run("secrets are not in its failure either", func(t *testing.T) {
		c, _ := newClient(t, client.Options{}, reply{status: 202, header: async},
			reply{status: 200, body: `{"status":"Failed","error":{"code":"Weak","message":"hunter2 is weak"}}`})
		secret := request
		secret.Secrets = client.NewSecrets("hunter2")
		a, err := c.Put(context.Background(), secret)
		if _, _, err = follow(c, a, err); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("got %v", err)
		}
	})
}
