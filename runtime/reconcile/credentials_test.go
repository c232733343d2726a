package reconcile

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// TestKept writes Secrets with credentials. Their tokens and limits are kept as long as they
// are valid.
func TestKept(t *testing.T) {
	content := func(client, secret string) map[string]string {
		return map[string]string{TenantKey: "t", ClientKey: client, ClientSecretKey: secret}
	}
	t.Run("a write that changes nothing of the credential makes none anew", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret(CredentialSecret, content("c", "canary"))
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, CredentialSecret, func(s *corev1.Secret) { s.Labels = map[string]string{"a": "b"} })
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.has("changed", houseID, `{"rooms":4}`)
		if w.made != 1 {
			t.Errorf("%d credentials were made", w.made)
		}
		w.secret(CredentialSecret, content("c", "canary-2"))
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Minute)
		w.has("changed again", houseID, `{"rooms":5}`)
		if w.made != 2 {
			t.Errorf("%d credentials were made after a change", w.made)
		}
	})
	t.Run("a pause is of the principal, whichever Secret it is in, and however often that is written", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		make := func(name, secret string) {
			h := newHouse(name, 3)
			h.Annotations = map[string]string{annotation.CredentialFrom: secret}
			w.create(h)
			w.pass(time.Second)
		}
		w.secret("a", content("c", "canary"))
		w.secret("b", content("C\n", "canary"))
		w.secret("other", content("d", "canary"))
		w.overloaded, w.limit = "houses/first", true
		make("first", "a")
		w.overloaded = ""
		edit(w, "a", func(s *corev1.Secret) { s.Labels = map[string]string{"a": "b"} })
		make("second", "a")
		make("same", "b")
		make("other", "other")
		for name, want := range map[string]string{
			"first": "False Throttled", "second": "False Throttled", "same": "False Throttled", "other": "True Succeeded",
		} {
			w.expect(name, get[homes.House](w, name), want)
		}
		w.pass(time.Hour)
		for _, name := range []string{"first", "second", "same"} {
			w.expect(name+" in the end", get[homes.House](w, name), "True Succeeded")
		}
	})
}

// TestAuxiliaryCredential refers to a resource of another tenant.
func TestAuxiliaryCredential(t *testing.T) {
	content := map[string]string{TenantKey: "another", ClientKey: "c", ClientSecretKey: "canary of theirs"}
	// refused returns a world with a door that ARM refuses for want of a token of the other tenant.
	refused := func(t *testing.T) *world {
		w := newWorld(t, armtest.Behavior{})
		w.linked = "canary of theirs"
		w.create(newHouse("h", 3))
		w.create(newDoor("d", "h"))
		w.pass(time.Minute)
		w.expect("without it", get[homes.Door](w, "d"), "False LinkedAuthorizationFailed")
		return w
	}
	name := func(w *world, secret string) {
		edit(w, "d", func(d *homes.Door) { d.Annotations[annotation.AuxiliaryCredentialFrom] = secret })
		w.pass(time.Minute)
	}
	t.Run("the object is sent with a token of it too, and nothing else is", func(t *testing.T) {
		w := refused(t)
		w.secret("theirs", content)
		name(w, "theirs")
		w.expect("with it", get[homes.Door](w, "d"), "True Succeeded")
		if w.used["canary of theirs"] {
			t.Error("a request was signed with it alone")
		}
		w.delete(get[homes.Door](w, "d"))
		w.pass(time.Hour)
		if get[homes.Door](w, "d") != nil {
			t.Error("it is not deleted")
		}
	})
	t.Run("a Secret that is not there, or is none of these, is told, and then used", func(t *testing.T) {
		w := refused(t)
		name(w, "theirs")
		w.expect("none", get[homes.Door](w, "d"), "False CredentialMissing", "Secret shop/theirs", annotation.AuxiliaryCredentialFrom)
		w.secret("theirs", map[string]string{TenantKey: "another"})
		w.pass(time.Minute)
		w.expect("incomplete", get[homes.Door](w, "d"), "False CredentialInvalid", "Secret shop/theirs")
		w.secret("theirs", content)
		w.pass(time.Minute)
		w.expect("whole", get[homes.Door](w, "d"), "True Succeeded")
		name(w, "other/theirs")
		w.expect("of another namespace", get[homes.Door](w, "d"), "False CredentialInvalid", annotation.AuxiliaryCredentialFrom,
			"namespace shop")
	})
	t.Run("the Secret may be gone when the object is deleted", func(t *testing.T) {
		w := refused(t)
		w.secret("theirs", content)
		name(w, "theirs")
		w.delete(get[corev1.Secret](w, "theirs"))
		w.delete(get[homes.Door](w, "d"))
		w.pass(time.Hour)
		if get[homes.Door](w, "d") != nil || get[corev1.Secret](w, "theirs") != nil {
			t.Error("it is not deleted")
		}
	})
}

// TestThrottles writes a Secret that names the client of somebody else, without its secret.
func TestThrottles(t *testing.T) {
	t.Run("who names a client without having a token takes nothing of its limits", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Limits: true})
		for secret, value := range map[string]string{"theirs": "canary", "mine": wrongSecret} {
			w.secret(secret, map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: value})
		}
		make := func(name, secret string) {
			h := newHouse(name, 3)
			h.Annotations = map[string]string{annotation.CredentialFrom: secret}
			w.create(h)
		}
		make("theirs", "theirs")
		w.pass(time.Minute)
		for i := range 300 {
			make(fmt.Sprintf("mine-%d", i), "mine")
		}
		w.pass(time.Second)
		w.expect("without a token", get[homes.House](w, "mine-299"), "False NoToken", "AADSTS7000215")
		make("another", "theirs")
		w.pass(time.Second)
		w.expect("of the client", get[homes.House](w, "another"), "True Succeeded")
	})
}

// fakeToken is the token that the fake API server gives of ServiceAccounts.
const fakeToken = "fake-token"

// TestAccount gives namespaces and objects an identity without a secret.
func TestAccount(t *testing.T) {
	content := func(account string) map[string]string {
		return map[string]string{TenantKey: "t", ClientKey: "c", ServiceAccountKey: account}
	}
	account := func(w *world, name string) {
		w.create(&corev1.ServiceAccount{ObjectMeta: objectMeta(name)})
	}
	const request = `shop/azure for ["api://AzureADTokenExchange"]`
	t.Run("of the namespace", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		account(w, "azure")
		w.secret(CredentialSecret, content("azure"))
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.expect("with its own", get[homes.House](w, "h"), "True Succeeded")
		if !w.used[fakeToken] || len(w.used) != 1 || w.tokenRequests[0] != request {
			t.Errorf("used %v, asked for %q", w.used, w.tokenRequests)
		}
	})
	t.Run("of an object", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		account(w, "azure")
		w.secret("mine", content("azure"))
		h := newHouse("h", 3)
		h.Annotations = map[string]string{annotation.CredentialFrom: "mine"}
		w.create(h)
		w.pass(time.Minute)
		if !w.used[fakeToken] || len(w.used) != 1 || w.tokenRequests[0] != request {
			t.Errorf("used %v, asked for %q", w.used, w.tokenRequests)
		}
	})
	t.Run("the operator may ask for no token of it, until a Role says so", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		account(w, "azure")
		w.secret(CredentialSecret, content("azure"))
		w.refuse = func(o ctrlclient.Object) error {
			if _, isAccount := o.(*corev1.ServiceAccount); isAccount {
				return apierrors.NewForbidden(corev1.Resource("serviceaccounts/token"), o.GetName(), errors.New("no rights"))
			}
			return nil
		}
		for i := range 20 {
			w.create(newHouse(fmt.Sprintf("h%d", i), 3))
		}
		w.pass(20 * time.Second)
		w.expect("it is told", get[homes.House](w, "h0"), "False TokenForbidden", "ServiceAccount shop/azure",
			"armature identity --namespace shop --service-account azure")
		if n := len(w.tokenRequests); n > 1 {
			t.Errorf("the API server was asked %d times in 20 seconds", n)
		}
		w.refuse = nil
		w.pass(12 * time.Minute)
		for i := range 20 {
			w.expect("with the right", get[homes.House](w, fmt.Sprintf("h%d", i)), "True Succeeded")
		}
	})
	t.Run("there is no such account", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret(CredentialSecret, content("azure"))
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.expect("it is told", get[homes.House](w, "h"), "False CredentialInvalid", "the ServiceAccount azure, which does not exist")
	})
	t.Run("the API server gives none now", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		account(w, "azure")
		w.secret(CredentialSecret, content("azure"))
		w.refuse = func(o ctrlclient.Object) error {
			if _, isAccount := o.(*corev1.ServiceAccount); isAccount {
				return apierrors.NewTimeoutError("not now", 1)
			}
			return nil
		}
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.expect("it is tried again", get[homes.House](w, "h"), "False NoToken", "ServiceAccount shop/azure")
		if meta.IsStatusConditionTrue(*kinds.ConditionsOf(get[homes.House](w, "h")), Stalled) {
			t.Error("somebody has to act")
		}
		w.refuse = nil
		w.pass(time.Minute)
		w.expect("it is given", get[homes.House](w, "h"), "True Succeeded")
	})
}

// TestGoing deletes a namespace with an identity of its own. Its ServiceAccount goes first, and the API server
// gives no tokens in it any more.
func TestGoing(t *testing.T) {
	const n = 20
	newWorld := func(t *testing.T) *world {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
		w.create(&corev1.ServiceAccount{ObjectMeta: objectMeta("azure")})
		w.secret(CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ServiceAccountKey: "azure"})
		for i := range n {
			w.create(newHouse(fmt.Sprintf("h%d", i), 3))
		}
		w.pass(10 * time.Minute)
		if len(w.arm.IDs()) != n {
			t.Fatalf("ARM has %q", w.arm.IDs())
		}
		w.made, w.tokenRequests = 0, nil
		return w
	}
	gone := func(w *world, ids int) {
		w.Helper()
		for i := range n {
			if h := get[homes.House](w, fmt.Sprintf("h%d", i)); h != nil {
				w.Fatalf("h%d is not gone: %s %q", i, ready(h), message(h))
			}
		}
		if s := get[corev1.Secret](w, CredentialSecret); s != nil || len(w.arm.IDs()) != ids {
			w.Errorf("the Secret is %v, ARM has %q", s, w.arm.IDs())
		}
	}
	t.Run("its resources are deleted with the token that there is", func(t *testing.T) {
		w := newWorld(t)
		w.deleteNamespace()
		w.pass(10 * time.Minute)
		if w.made > 0 || len(w.tokenRequests) > 0 {
			t.Errorf("for %d deletions %d credentials were made, and the API server was asked for %d tokens",
				n, w.made, len(w.tokenRequests))
		}
		gone(w, 0)
	})
	for _, role := range []bool{true, false} {
		t.Run(fmt.Sprintf("without a token the condition says what to do, while there is a Role: %v", role), func(t *testing.T) {
			w := newWorld(t)
			w.deleteNamespace()
			if !role {
				w.refuse = func(o ctrlclient.Object) error {
					if _, isAccount := o.(*corev1.ServiceAccount); !isAccount {
						return nil
					}
					return apierrors.NewForbidden(corev1.Resource("serviceaccounts/token"), o.GetName(), errors.New("no rights"))
				}
			}
			w.start()
			w.pass(20 * time.Second)
			w.expect("it is told", get[homes.House](w, "h0"), "False TokenForbidden", "namespace shop is being deleted",
				ClientSecretKey, annotation.Deletion, annotation.DeletionDetach)
			if w.made > 1 || len(w.tokenRequests) > 1 {
				t.Errorf("in 20 seconds %d credentials were made, and the API server was asked for %d tokens", w.made, len(w.tokenRequests))
			}
			edit(w, "h0", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
			w.pass(20 * time.Second)
			if get[homes.House](w, "h0") != nil {
				t.Error("what is to stay in ARM does not go")
			}
			w.secret(CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "canary"})
			w.pass(12 * time.Minute)
			gone(w, 1)
		})
	}
	t.Run("who has sent nothing with a Secret does not get it from those who have", func(t *testing.T) {
		w := newWorld(t)
		w.delete(get[corev1.Secret](w, CredentialSecret))
		for _, name := range []string{"before", "after"} {
			w.create(newHouse(name, 3))
			w.pass(time.Second)
			w.expect(name, get[homes.House](w, name), "False CredentialMissing", "is being deleted", annotation.CredentialFrom)
			edit(w, "h0", func(h *homes.House) { *h.Spec.Fields.Rooms++ })
			w.pass(10 * time.Minute)
			w.expect("who uses it", get[homes.House](w, "h0"), "True Succeeded")
		}
		if w.made > 0 {
			t.Errorf("%d credentials were made", w.made)
		}
	})
}

// TestHeld removes the finalizers that keep a Secret until no object needs it, and those that keep such objects.
func TestHeld(t *testing.T) {
	content := map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "theirs"}
	newWorld := func(t *testing.T) *world {
		w := newWorld(t, armtest.Behavior{})
		w.secret(CredentialSecret, content)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		return w
	}
	unhold := func(w *world) { edit(w, CredentialSecret, func(s *corev1.Secret) { s.Finalizers = nil }) }
	// goes deletes everything as the deletion of a namespace does.
	goes := func(w *world) {
		w.Helper()
		w.delete(get[corev1.Secret](w, CredentialSecret))
		if get[corev1.Secret](w, CredentialSecret) == nil {
			w.Errorf("the Secret goes before the objects that need it")
		}
		if h := get[homes.House](w, "h"); h != nil {
			w.delete(h)
		}
		w.pass(time.Hour)
		if get[homes.House](w, "h") != nil || get[corev1.Secret](w, CredentialSecret) != nil || len(w.arm.IDs()) > 0 {
			w.Errorf("got the House %v and the Secret %v, ARM has %q", get[homes.House](w, "h"), get[corev1.Secret](w, CredentialSecret),
				w.arm.IDs())
		}
	}
	for _, lag := range []time.Duration{0, 10 * time.Second} {
		t.Run(fmt.Sprintf("a finalizer that somebody takes away comes back, seen after %v", lag), func(t *testing.T) {
			w := newWorld(t)
			w.lag = lag
			unhold(w)
			w.pass(time.Minute)
			goes(w)
		})
		t.Run(fmt.Sprintf("a Secret that is made anew is held again, seen after %v", lag), func(t *testing.T) {
			w := newWorld(t)
			w.lag = lag
			w.delete(get[corev1.Secret](w, CredentialSecret))
			unhold(w)
			w.secret(CredentialSecret, content)
			reader := newHouse("reader", 3) // which needs nothing of it
			reader.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
			w.create(reader)
			w.pass(time.Minute)
			w.delete(get[homes.House](w, "reader"))
			goes(w)
		})
	}
	t.Run("so it is for an object that is being deleted", func(t *testing.T) {
		w := newWorld(t)
		w.down = "/h"
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Second)
		w.delete(get[corev1.Secret](w, CredentialSecret))
		unhold(w)
		w.secret(CredentialSecret, content)
		w.pass(time.Minute)
		w.down = ""
		goes(w)
	})
	t.Run("an object that has let it go does not hold it for ever, whatever the cache shows", func(t *testing.T) {
		w := newWorld(t)
		w.lag = 10 * time.Second
		h := get[homes.House](w, "h")
		w.delete(h)
		w.pass(10 * time.Second) // until the operator sees that
		for get[homes.House](w, "h") != nil {
			w.step(w.now.Add(time.Minute))
		}
		w.tellContent(named.Of(named.SecretKind, ctrlclient.ObjectKeyFromObject(get[corev1.Secret](w, CredentialSecret))))
		if _, shown := w.cache[refOf(w, h)]; !shown {
			t.Fatal("the cache does not show the object any more")
		}
		w.pass(time.Minute)
		if w.isHeld(CredentialSecret) {
			t.Error("the Secret is held for nobody")
		}
	})
	for _, first := range []string{"the operator starts", "the Secret is deleted"} {
		t.Run("a Secret whose object went without the operator can go, when first "+first, func(t *testing.T) {
			for at := range 8 {
				w := newWorld(t)
				edit(w, "h", func(h *homes.House) { h.Finalizers = nil })
				w.delete(get[homes.House](w, "h"))
				if first == "the operator starts" {
					w.start()
					w.pass(time.Minute)
				}
				w.delete(get[corev1.Secret](w, CredentialSecret))
				if first != "the operator starts" {
					w.start()
				}
				w.crashAt = at
				w.pass(time.Minute)
				if s := get[corev1.Secret](w, CredentialSecret); s != nil {
					t.Errorf("a stop at call %d: got the Secret %v", at, s.ObjectMeta)
				}
			}
		})
	}
	t.Run("it stays while the objects of a kind cannot be seen", func(t *testing.T) {
		w := newWorld(t)
		edit(w, "h", func(h *homes.House) { h.Finalizers = nil })
		w.delete(get[homes.House](w, "h"))
		w.start()
		w.kind("Deal").SetAvailability(kinds.Unreadable)
		w.delete(get[corev1.Secret](w, CredentialSecret))
		w.pass(time.Minute)
		if get[corev1.Secret](w, CredentialSecret) == nil {
			t.Error("the Secret is gone, and there may be objects that need it")
		}
		w.kind("Deal").SetAvailability(kinds.Available)
		w.pass(time.Minute)
		if get[corev1.Secret](w, CredentialSecret) != nil {
			t.Error("the Secret is kept for nobody")
		}
	})
	t.Run("what another operator holds is left to that one", func(t *testing.T) {
		w := newWorld(t)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		edit(w, CredentialSecret, func(s *corev1.Secret) {
			s.Finalizers = []string{annotation.CredentialFinalizer}
			s.Labels = map[string]string{annotation.CredentialHolder: "another"}
		})
		w.delete(get[corev1.Secret](w, CredentialSecret))
		w.pass(time.Hour)
		if get[corev1.Secret](w, CredentialSecret) == nil {
			t.Error("the Secret is gone, and nobody has asked the other operator")
		}
	})
}

// TestInUse counts the requests to find out whether any object needs a Secret.
func TestInUse(t *testing.T) {
	const n = 300
	w := newWorld(t, armtest.Behavior{})
	w.secret(CredentialSecret, map[string]string{ClientSecretKey: "theirs"})
	for i := range n {
		w.create(newHouse(fmt.Sprintf("h%d", i), 3))
	}
	w.pass(10 * time.Minute)
	lists, copied := 0, w.copied
	w.live = counting{w.live, &lists}
	w.delete(get[homes.House](w, "h0"))
	w.pass(time.Minute)
	if get[homes.House](w, "h0") != nil || !w.isHeld(CredentialSecret) {
		t.Fatal("the house is not gone, or has taken the credential of the others along")
	}
	if copied = w.copied - copied; copied > 20 || lists > 0 {
		t.Errorf("the deletion of one of %d objects copied %d, and cost %d lists of the API server", n, copied, lists)
	}
}

// TestOwnOnly checks that a namespace never gets the operator's credential through what its
// users do or lose.
func TestOwnOnly(t *testing.T) {
	content := map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "theirs"}
	ownUsed := func(w *world) {
		w.Helper()
		if w.used[operatorsToken] {
			w.Errorf("the operator's own credential was used")
		}
	}
	for _, withOthers := range []bool{false, true} {
		t.Run(fmt.Sprintf("its Secret is lost, and it has a new object: %v", withOthers), func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.secret(CredentialSecret, content)
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			w.delete(get[corev1.Secret](w, CredentialSecret))
			w.create(newHouse("meanwhile", 3))
			w.pass(time.Minute)
			w.expect("while the Secret is being deleted", get[homes.House](w, "meanwhile"), "False CredentialMissing",
				annotation.CredentialFrom)
			edit(w, CredentialSecret, func(s *corev1.Secret) { s.Finalizers = nil })
			if withOthers {
				w.create(newHouse("new", 3))
			}
			w.start()
			edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
			w.pass(2 * time.Hour)
			w.expect("the old one", get[homes.House](w, "h"), "False CredentialMissing", "create the Secret again")
			if withOthers {
				w.expect("a new one", get[homes.House](w, "new"), "False CredentialMissing", "create the Secret again")
			}
			ownUsed(w)
			w.secret(CredentialSecret, content)
			w.pass(time.Minute)
			w.expect("again", get[homes.House](w, "h"), "True Succeeded")
			ownUsed(w)
		})
	}
	t.Run("the two lists are apart", func(t *testing.T) {
		var trusted []bool
		for _, row := range []struct{ identity, token []string }{
			{[]string{namespace}, nil}, {nil, []string{namespace}}, {[]string{"*"}, []string{"other"}}, {nil, []string{"*"}},
		} {
			w := newWorld(t, armtest.Behavior{})
			w.options.CredentialNamespaces, w.options.WorkloadIdentityNamespaces = row.identity, row.token
			w.options.NewCredential = func(s CredentialSource) (azcore.TokenCredential, error) {
				trusted = append(trusted, s.OperatorToken)
				return token("theirs"), nil
			}
			w.start()
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			if want := row.identity != nil; w.used[operatorsToken] != want {
				t.Errorf("%v: used %v", row, w.used)
			}
			w = newWorld(t, armtest.Behavior{})
			w.options.CredentialNamespaces, w.options.WorkloadIdentityNamespaces = row.identity, row.token
			w.options.NewCredential = func(s CredentialSource) (azcore.TokenCredential, error) {
				trusted = append(trusted, s.OperatorToken)
				return token("theirs"), nil
			}
			w.start()
			w.secret(CredentialSecret, content)
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			ownUsed(w)
		}
		if want := []bool{false, true, false, true}; !slices.Equal(trusted, want) {
			t.Errorf("Secrets may speak by the operator's token: %v, want %v", trusted, want)
		}
	})
}
