package credentials

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	corev1 "k8s.io/api/core/v1"
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
		if _, err := s.ofSecret(t.Context(), name, true); err != nil {
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
		if _, err := s.ofSecret(t.Context(), name, true); err != nil || get(t, c).Labels[annotation.CredentialHolder] != "me" {
			t.Errorf("its label does not come back: error %v", err)
		}
		if err := c.Delete(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			s.Changed(name)
			for range 3 {
				if _, err := s.ofSecret(t.Context(), name, true); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := s.ofSecret(t.Context(), name, false); err == nil {
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
		if _, err := s.ofSecret(t.Context(), name, true); err != nil || made != 2 {
			t.Errorf("with another content %d clients were made, error %v", made, err)
		}
	})
	for what, end := range map[string]func(*Store){
		"asked for once more": func(s *Store) {
			if got, err := s.ofSecret(t.Context(), name, true); err == nil {
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
			if n := len(s.clients) + len(s.touched) + len(s.held); n > 0 {
				t.Errorf("got %v, %v and %v", s.clients, s.touched, s.held)
			}
		})
	}
}
