package credentials

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
)

// TestStore checks what a store keeps of a Secret, and that it keeps nothing of one that is gone.
func TestStore(t *testing.T) {
	name := types.NamespacedName{Namespace: "shop", Name: SecretName}
	made := 0
	newStore := func(t *testing.T) (*Store, ctrlclient.Client) {
		made = 0
		c := fake.NewClientBuilder().WithObjects(&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name}, Data: map[string][]byte{TenantKey: []byte("t")},
		}).Build()
		s := NewStore(Options{
			API: c, Live: c, New: func(Source) (azcore.TokenCredential, error) { return nil, nil }, Holder: "me", Now: time.Now,
			Client: func(azcore.TokenCredential, *client.Throttle) (*client.Client, error) {
				made++
				return new(client.Client), nil
			},
		})
		if _, err := s.ofSecret(t.Context(), name, annotation.CredentialFrom, true); err != nil {
			t.Fatal(err)
		}
		return s, c
	}
	get := func(t *testing.T, c ctrlclient.Client) *corev1.Secret {
		secret := &corev1.Secret{}
		if err := c.Get(t.Context(), name, secret); err != nil {
			t.Fatal(err)
		}
		return secret
	}
	t.Run("the client stays while the content does, also when the Secret is being deleted", func(t *testing.T) {
		s, c := newStore(t)
		secret := get(t, c)
		if len(secret.Finalizers) != 1 || secret.Labels[annotation.CredentialHolder] != "me" {
			t.Fatalf("it is not held: %v", secret.ObjectMeta)
		}
		secret.Labels = nil
		if err := c.Update(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		s.Changed(name)
		_, err := s.ofSecret(t.Context(), name, annotation.CredentialFrom, true)
		if err != nil || get(t, c).Labels[annotation.CredentialHolder] != "me" {
			t.Errorf("its label does not come back: error %v", err)
		}
		if err := c.Delete(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			s.Changed(name)
			for range 3 {
				if _, err := s.ofSecret(t.Context(), name, annotation.CredentialFrom, true); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := s.ofSecret(t.Context(), name, annotation.CredentialFrom, false); err == nil {
				t.Errorf("who has sent nothing with it gets %v", got)
			}
		}
		if made != 1 {
			t.Errorf("%d clients were made", made)
		}
		secret = get(t, c)
		secret.Data[TenantKey] = []byte("u")
		if err := c.Update(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		s.Changed(name)
		if _, err := s.ofSecret(t.Context(), name, annotation.CredentialFrom, true); err != nil || made != 2 {
			t.Errorf("with another content %d clients were made, error %v", made, err)
		}
	})
	for what, end := range map[string]func(*Store){
		"asked for once more": func(s *Store) {
			if got, err := s.ofSecret(t.Context(), name, annotation.CredentialFrom, true); err == nil {
				t.Errorf("got %v of a Secret that is gone", got)
			}
		},
		"looked at by nobody": func(s *Store) { s.Forget(name) },
	} {
		t.Run("nothing is kept of one that is gone, and is "+what, func(t *testing.T) {
			s, c := newStore(t)
			secret := get(t, c)
			secret.Finalizers = nil
			if err := c.Update(t.Context(), secret); err != nil {
				t.Fatal(err)
			}
			if err := c.Delete(t.Context(), secret); err != nil {
				t.Fatal(err)
			}
			s.Changed(name)
			end(s)
			if n := len(s.clients) + len(s.stale) + len(s.held); n > 0 {
				t.Errorf("got %v, %v and %v", s.clients, s.stale, s.held)
			}
		})
	}
}

// TestThrottles has Secrets whose principals change: of these nothing is kept that nobody needs.
func TestThrottles(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := fake.NewClientBuilder().Build()
	s := NewStore(Options{
		API: c, Live: c, Holder: "me", Now: func() time.Time { return now },
		New: func(source Source) (azcore.TokenCredential, error) { return token("t"), nil },
		Client: func(of azcore.TokenCredential, throttle *client.Throttle) (*client.Client, error) {
			return client.New(client.Options{Credential: of, Throttle: throttle, Transport: throttled{},
				Now: func() time.Time { return now }})
		},
	})
	// as returns the credential of a Secret, which has a principal from now on.
	as := func(secret, principal string) *Credential {
		t.Helper()
		name := types.NamespacedName{Namespace: "shop", Name: secret}
		o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name},
			Data: map[string][]byte{TenantKey: []byte("t"), ClientKey: []byte(principal)}}
		err := c.Create(t.Context(), o)
		if apierrors.IsAlreadyExists(err) {
			err = c.Update(t.Context(), o)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Changed(name)
		got, err := s.ofSecret(t.Context(), name, annotation.CredentialFrom, false)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	refused := as("refused", "refused")
	if _, err := refused.Get(t.Context(), client.Request{ID: "/subscriptions/s/resourceGroups/g", APIVersion: "2020-01-01"}); err == nil {
		t.Fatal("ARM did not refuse it")
	}
	as("refused", "another")
	used := as("used", "used")
	for i := range 100 {
		as("changes", fmt.Sprint(i))
		now = now.Add(10 * time.Minute)
	}
	if n := len(s.throttles); n > 12 {
		t.Errorf("it keeps %d throttles, want those of 3 Secrets, of a principal that ARM has refused, and of the last hour", n)
	}
	if as("changes", "refused").throttle != refused.throttle {
		t.Error("what ARM has refused for a day is sent before")
	}
	now = now.AddDate(0, 0, 2)
	as("changes", "changed")
	as("refused", "used")
	if n := len(s.throttles); n > 4 {
		t.Errorf("it keeps %d throttles after the day, want those of 3 Secrets, and the one before", n)
	}
	if s.clients[types.NamespacedName{Namespace: "shop", Name: "refused"}].throttle != used.throttle {
		t.Error("two Secrets of one principal have not the same throttle")
	}
}

type token string

func (t token) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: string(t), ExpiresOn: time.Now().Add(time.Hour)}, nil
}

// throttled answers each request as ARM's limits do, for a day.
type throttled struct{}

func (throttled) Do(request *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusTooManyRequests, Request: request,
		Header: http.Header{"Retry-After": {fmt.Sprint(24 * 3600)}},
		Body:   io.NopCloser(strings.NewReader(`{"error":{"code":"SubscriptionRequestsThrottled","message":"Wait."}}`))}, nil
}
