package credentials

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// TestAccountTokens exchanges tokens of a ServiceAccount with an authority, which gives
// some that last and some that do not.
func TestAccountTokens(t *testing.T) {
	lifetime, asked := 3600, 0
	var assertions []string
	authority := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if !strings.HasSuffix(r.URL.Path, "/token") {
			base := "https://" + r.Host + "/t"
			fmt.Fprintf(w, `{"token_endpoint":%q,"issuer":%q,"authorization_endpoint":%q}`, base+"/token", base, base+"/authorize")
			return
		}
		assertions = append(assertions, r.FormValue("client_assertion"))
		fmt.Fprintf(w, `{"access_token":"access-%d","expires_in":%d,"token_type":"Bearer"}`, len(assertions), lifetime)
	}))
	defer authority.Close()
	newCredential := func(refuse *error) func() (string, error) {
		asked, assertions = 0, nil
		c, err := New(Source{
			Content: map[string][]byte{TenantKey: []byte("t"), ClientKey: []byte("c"), ServiceAccountKey: []byte("azure\n")},
			Cloud:   cloud.Configuration{ActiveDirectoryAuthorityHost: authority.URL + "/"}, Transport: authority.Client(),
			AccountToken: func(_ context.Context, name string) (string, error) {
				asked++
				return fmt.Sprintf("%s-%d", name, asked), *refuse
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return func() (string, error) {
			got, err := c.GetToken(t.Context(), azpolicy.TokenRequestOptions{Scopes: []string{"https://arm.example/.default"}})
			return got.Token, err
		}
	}
	var refusal error
	t.Run("a token that lasts is kept, and the API server is not asked again", func(t *testing.T) {
		get := newCredential(&refusal)
		for range 3 {
			if got, err := get(); err != nil || got != "access-1" {
				t.Fatalf("got %q, %v", got, err)
			}
		}
		if asked != 1 || assertions[0] != "azure-1" {
			t.Errorf("the API server was asked %d times, the authority got %q", asked, assertions)
		}
	})
	t.Run("one that is about to end is renewed, with a new one of the ServiceAccount", func(t *testing.T) {
		lifetime = 60
		get := newCredential(&refusal)
		for n := range 3 {
			if got, err := get(); err != nil || got != fmt.Sprintf("access-%d", n+1) {
				t.Fatalf("got %q, %v", got, err)
			}
		}
		if asked != 3 || assertions[2] != "azure-3" {
			t.Errorf("the API server was asked %d times, the authority got %q", asked, assertions)
		}
	})
	t.Run("the error of the API server comes as it is", func(t *testing.T) {
		refusal = &Error{Reason: TokenForbidden, Message: "no"}
		get := newCredential(&refusal)
		if _, err := get(); err != refusal {
			t.Errorf("got %v", err)
		}
	})
	t.Run("beside a secret it is an error", func(t *testing.T) {
		_, err := New(Source{Content: map[string][]byte{TenantKey: []byte("t"), ClientKey: []byte("c"),
			ServiceAccountKey: []byte("azure"), ClientSecretKey: []byte("canary")}})
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("got %v", err)
		}
	})
}

func TestExchangeAudience(t *testing.T) {
	for want, of := range map[string]cloud.Configuration{
		"api://AzureADTokenExchange": {}, "api://AzureADTokenExchangeChina": cloud.AzureChina,
		"api://AzureADTokenExchangeUSGov": cloud.AzureGovernment,
	} {
		if got := ExchangeAudience(of); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
