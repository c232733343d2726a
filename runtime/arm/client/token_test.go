package client

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

// authority answers as one of Azure's.
type authority struct {
	status int
	body   string
}

func (a authority) Do(r *http.Request) (*http.Response, error) {
	status, body := a.status, a.body
	if strings.HasSuffix(r.URL.Path, "/.well-known/openid-configuration") {
		base := "https://" + r.URL.Host + "/tenant"
		status = http.StatusOK
		body = `{"token_endpoint":"` + base + `/token","authorization_endpoint":"` + base + `/authorize","issuer":"` + base + `"}`
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

type anyToken struct{}

func (anyToken) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: "t", ExpiresOn: time.Now().Add(time.Hour)}, nil
}

// TestReasonsWithoutAnswer checks the messages for requests without an answer: one line with the
// cause first, and then what to do.
func TestReasonsWithoutAnswer(t *testing.T) {
	for _, test := range []struct {
		what string
		authority
		class Class
		want  string
	}{
		{"a code with a remedy", authority{401, `{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret ` +
			`provided. Ensure the secret being sent in the request is the client secret value. Trace ID: 1 Correlation ID: 2"}`},
			Unauthorized,
			"AADSTS7000215: Invalid client secret provided: put the value of the client secret, and not its id, into AZURE_CLIENT_SECRET"},
		{"another code", authority{400, `{"error":"invalid_client","error_description":"AADSTS1: No, not so.\r\nTrace ID: 1"}`},
			Unauthorized, "AADSTS1: No, not so."},
		{"no JSON", authority{502, "<html>\nbad gateway"}, Retriable,
			"the authority answers Bad Gateway: <html>; bad gateway"},
	} {
		t.Run(test.what, func(t *testing.T) {
			options := policy.ClientOptions{Cloud: cloud.AzurePublic, Transport: test.authority, Retry: policy.RetryOptions{MaxRetries: -1}}
			credential, err := azidentity.NewClientSecretCredential("tenant", "client", "canary", &azidentity.ClientSecretCredentialOptions{
				ClientOptions: options, DisableInstanceDiscovery: true})
			if err != nil {
				t.Fatal(err)
			}
			c, err := New(Options{Credential: credential, Cloud: cloud.AzurePublic})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Get(t.Context(), Request{ID: "/subscriptions/s/resourceGroups/g", APIVersion: "2021-04-01"})
			if e, ok := AsError(err); !ok || e.Code != NoToken || e.Class != test.class || e.Message != test.want {
				t.Errorf("got %v of class %v, want %s of class %v", err, e.Class, test.want, test.class)
			}
		})
	}
	t.Run("a connection that is closed", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				connection.Close()
			}
		}))
		defer server.Close()
		at := cloud.ServiceConfiguration{Endpoint: server.URL, Audience: server.URL}
		c, err := New(Options{Credential: anyToken{}, InsecureHTTP: true, Cloud: cloud.Configuration{
			Services: map[cloud.ServiceName]cloud.ServiceConfiguration{cloud.ResourceManager: at}}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Get(t.Context(), Request{ID: "/subscriptions/s/resourceGroups/g", APIVersion: "2021-04-01"})
		host := strings.TrimPrefix(server.URL, "http://")
		want := "ARM did not answer, and is asked again: " + host + ": the connection was closed"
		if e, ok := AsError(err); !ok || e.Code != NoAnswer || e.Message != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}
