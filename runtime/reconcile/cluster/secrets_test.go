package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestGoing deletes a namespace with an identity of its own. Nothing but the API server and the operator acts here, so
// ServiceAccount and Role stay, and yet there is no token: no finalizer on them would help.
func TestGoing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.asRelease()
	s.trust(map[string]string{"a": "system:serviceaccount:team-a:azure"})
	s.namespace("team-a")
	s.identify("--namespace=team-a", "--service-account=azure", "--tenant=tenant", "--client=a")
	secret := func(name string) *corev1.Secret {
		return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: name}}
	}
	other := secret("other")
	other.Data = map[string][]byte{reconcile.TenantKey: []byte("tenant"), reconcile.ClientKey: []byte("a"),
		reconcile.ClientSecretKey: []byte("right")}
	if err := s.Create(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	kill := s.start()
	id := func(name string) string { return group + "/providers/Contoso.Homes/houses/" + name }
	for name, of := range map[string]string{"token": "", "none": "", "left": "", "lost": "other"} {
		s.house("team-a", name, of)
		s.becomes("team-a", name, reconcile.ReasonSucceeded)
	}
	house := func(name string) *homes.House {
		return &homes.House{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: name}}
	}
	deleted := func(o client.Object) {
		t.Helper()
		if err := s.Delete(t.Context(), o); client.IgnoreNotFound(err) != nil {
			t.Fatal(err)
		}
	}
	deleted(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team-a"}})
	deleted(secret(reconcile.CredentialSecret))
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "azure"}}
	if err := s.Get(t.Context(), client.ObjectKeyFromObject(account), account); err != nil {
		t.Fatal(err)
	}
	await.Until(s.T, "there are no more tokens", func() error {
		err := s.SubResource("token").Create(t.Context(), account, &authenticationv1.TokenRequest{})
		if !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
			return fmt.Errorf("an administrator gets the error %v", err)
		}
		return nil
	})
	deleted(house("token")) // of ARM, there is one left
	s.goes(house("token"))

	kill()
	lost := house("lost")
	s.patch(lost, `{"metadata":{"finalizers":null}}`)
	deleted(lost)
	deleted(other)
	if err := s.Get(t.Context(), client.ObjectKeyFromObject(other), other); err != nil {
		t.Fatalf("its credential is not held: %v", err)
	}
	s.start()
	s.goes(other)

	deleted(house("none"))
	deleted(house("left"))
	message := s.becomes("team-a", "none", reconcile.ReasonTokenForbidden)
	for _, want := range []string{reconcile.ClientSecretKey, reconcile.ServiceAccountKey, annotation.Deletion} {
		if !strings.Contains(message, want) {
			t.Errorf("got the message %q, want %q in it", message, want)
		}
	}
	s.patch(house("left"), `{"metadata":{"annotations":{"`+annotation.Deletion+`":"`+annotation.DeletionDetach+`"}}}`)
	s.goes(house("left"))
	s.patch(secret(reconcile.CredentialSecret), `{"data":{"AZURE_SERVICE_ACCOUNT":null},"stringData":{"AZURE_CLIENT_SECRET":"right"}}`)
	s.goes(house("none"))
	s.goes(secret(reconcile.CredentialSecret))
	for name, stays := range map[string]bool{"token": false, "none": false, "left": true, "lost": true} {
		if _, found := s.arm.Resource(id(name)); found != stays {
			t.Errorf("ARM has %s: %v, want %v", name, found, stays)
		}
	}
}

// watches returns how many watches of Secrets the API server has.
func (s *stage) watches() (n int) {
	s.Helper()
	text, err := s.plane.Discovery.RESTClient().Get().AbsPath("/metrics").DoRaw(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "apiserver_longrunning_requests{") || !strings.Contains(line, `resource="secrets"`) ||
			!strings.Contains(line, `verb="WATCH"`) {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), 64)
		if err != nil {
			s.Fatal(err)
		}
		n += int(value)
	}
	return n
}

// TestManySecrets makes an object that refers to 20,000 Secrets, and many objects that each refer to others, of which
// there is none.
func TestManySecrets(t *testing.T) {
	const houses, each = 300, 10
	t.Parallel()
	s := newStage(t)
	house := func(name string, from, to int) *homes.House {
		h := &homes.House{ObjectMeta: named(name)}
		h.Spec.Fields.Owner = &reference.Owner{ARMID: group}
		for i := from; i < to; i++ {
			h.Spec.Fields.Keys = append(h.Spec.Fields.Keys, reference.Secret{Name: fmt.Sprintf("secret-%05d", i), Key: "k"})
		}
		return h
	}
	all := []*homes.House{house("many", 0, 20000)}
	for i := range houses {
		all = append(all, house(fmt.Sprintf("h%d", i), i*each, (i+1)*each))
	}
	for _, h := range all {
		if err := s.Create(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	none := s.watches()
	for _, start := range []string{"first", "again"} {
		m := s.measure()
		m.until("all are looked at", "controller_runtime_reconcile_total", houses+1)
		s.becomes("default", "many", reconcile.ReasonInvalidSpec)
		for i := range houses {
			s.becomes("default", fmt.Sprintf("h%d", i), reconcile.ReasonSecretMissing)
		}
		// One of the namespace, of the keys, of what the operator holds.
		await.Until(s.T, "watches", func() error {
			if n := s.watches() - none; n > 5 {
				return fmt.Errorf("there are %d of Secrets", n)
			}
			return nil
		})
		t.Logf("%s: %d watches, at most %.0f MB", start, s.watches()-none, m.peak())
		if mb := m.peak(); mb > 200 {
			t.Errorf("%s: the operator took %.0f MB, want at most 200", start, mb)
		}
		if start == "again" {
			break // it goes on
		}
		m.stop()
	}
	for i := range each {
		o := &corev1.Secret{ObjectMeta: named(fmt.Sprintf("secret-%05d", i)), Data: map[string][]byte{"k": []byte("x")}}
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	s.becomes("default", "h0", reconcile.ReasonSucceeded)
	for _, h := range all {
		if err := s.Delete(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	await.Until(s.T, "all are gone", func() error {
		var left homes.HouseList
		if err := s.List(t.Context(), &left); err != nil || len(left.Items) > 0 {
			return fmt.Errorf("%d are left, %v", len(left.Items), err)
		}
		if n := s.watches() - none; n > 2 {
			return fmt.Errorf("there are %d watches of Secrets", n)
		}
		return nil
	})
}
