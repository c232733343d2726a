package reconcile

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// forbidden is an API server for somebody who may read no Secret.
type forbidden struct{ ctrlclient.Reader }

func (f forbidden) Get(ctx context.Context, key ctrlclient.ObjectKey, into ctrlclient.Object, options ...ctrlclient.GetOption) error {
	if _, isSecret := into.(*corev1.Secret); isSecret && key.Namespace == namespace {
		return apierrors.NewForbidden(corev1.Resource("secrets"), key.Name, errors.New("no rights"))
	}
	return f.Reader.Get(ctx, key, into, options...)
}

// TestByHand checks what people do to objects when something is wrong.
func TestByHand(t *testing.T) {
	annotate := func(w *world) {
		edit(w, "h", func(h *homes.House) {
			if h.Annotations == nil {
				h.Annotations = map[string]string{}
			}
			h.Annotations["example.com/again"] = w.now.String()
		})
	}
	content := func(secret string) map[string]string {
		return map[string]string{TenantKey: "tenant", ClientSecretKey: secret}
	}
	t.Run("a finalizer that somebody took away comes back, and so the resource goes", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Finalizers = nil })
		w.pass(time.Second)
		if f := get[homes.House](w, "h").Finalizers; len(f) != 1 {
			t.Errorf("the finalizers are %q", f)
		}
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("gone", houseID, "")
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("got %d PUTs, want 1", n)
		}
	})
	t.Run("any annotation lets what was refused be tried at once", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.tokens = map[string]bool{}
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.expect("no rights", get[homes.House](w, "h"), "False Unauthorized")
		before := len(w.arm.Requests())
		w.tokens = nil // somebody gives the identity a role
		annotate(w)
		w.pass(time.Second)
		w.expect("tried", get[homes.House](w, "h"), "True Succeeded")
		if n := len(w.arm.Requests()) - before; n != 3 { // a GET, a PUT and a GET
			t.Errorf("got %d requests", n)
		}
	})
	t.Run("and a refused deletion", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Transient409: 1}})
		w.delete(get[homes.House](w, "h"))
		w.pass(2 * time.Hour)
		w.behave(armtest.Behavior{}) // somebody takes a lock away
		annotate(w)
		w.pass(time.Second)
		if h := get[homes.House](w, "h"); h != nil {
			t.Errorf("it is not gone: %s %q", ready(h), message(h))
		}
	})
	t.Run("what the operator writes itself lets nothing be tried", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.Transient409: 1}})
		w.create(newHouse("h", 3))
		w.pass(time.Hour)
		if n := w.count("PUT", ""); n > 13 {
			t.Errorf("got %d PUTs in an hour of refusals", n)
		}
	})
	t.Run("without the annotation of what was sent it is sent once more, also after a refusal", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.tokens = map[string]bool{}
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.tokens = nil
		annotate(w)
		for want := range 2 {
			w.pass(time.Second)
			w.expect("sent", get[homes.House](w, "h"), "True Succeeded")
			if n := w.count("PUT", ""); n != want+1 {
				t.Errorf("ARM got %d PUTs, want %d", n, want+1)
			}
			edit(w, "h", func(h *homes.House) {
				delete(h.Annotations, annotation.Sent)
				h.Annotations[annotation.Adopt] = annotation.AdoptExact
			})
		}
	})
	t.Run("a credential of another namespace", func(t *testing.T) {
		for _, name := range []string{"other/cred", "..", "a b/c"} {
			w := newWorld(t, armtest.Behavior{})
			h := newHouse("h", 3)
			h.Annotations = map[string]string{annotation.CredentialFrom: name}
			reads := w.reads
			w.create(h)
			w.pass(time.Hour)
			w.expect(name, get[homes.House](w, "h"), "False CredentialInvalid", annotation.CredentialFrom, name, "namespace shop")
			if w.reads != reads {
				t.Errorf("%q: the API server was asked for it", name)
			}
			w.secret("mine", content("canary"))
			edit(w, "h", func(h *homes.House) { h.Annotations[annotation.CredentialFrom] = "mine" })
			w.pass(time.Second)
			w.expect("mended", get[homes.House](w, "h"), "True Succeeded")
		}
	})
	t.Run("a Secret with outputs is no credential", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		made := secretOf(namespace, "outputs", map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "canary"})
		made.Labels = map[string]string{annotation.OutputOf: "uid"}
		w.create(made)
		h := newHouse("h", 3)
		h.Annotations = map[string]string{annotation.CredentialFrom: "outputs"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("it is told", get[homes.House](w, "h"), "False CredentialInvalid", "outputs of an object")
		if len(w.used) > 0 {
			t.Errorf("ARM got %v", w.used)
		}
	})
	t.Run("a credential that is named and does not exist", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{}) // whose operator serves the namespace
		h := newHouse("h", 3)
		h.Annotations = map[string]string{annotation.CredentialFrom: "none"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("it is named", get[homes.House](w, "h"), "False CredentialMissing", "Secret shop/none", annotation.CredentialFrom)
		if strings.Contains(message(get[homes.House](w, "h")), "does not serve") {
			t.Errorf("the message is wrong: %q", message(get[homes.House](w, "h")))
		}
	})
	t.Run("a credential that somebody takes away in spite of its finalizer, while it deletes", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
		w.secret(CredentialSecret, content("canary-1"))
		w.create(newHouse("h", 3))
		w.pass(10 * time.Minute)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Second)
		w.delete(get[corev1.Secret](w, CredentialSecret))
		edit(w, CredentialSecret, func(s *corev1.Secret) { s.Finalizers = nil })
		w.pass(10 * time.Minute)
		w.expect("it stays", get[homes.House](w, "h"), "False CredentialMissing", CredentialSecret)
		if w.used[operatorsToken] {
			t.Error("the operator's own was used")
		}
		w.secret(CredentialSecret, content("canary-2"))
		w.pass(10 * time.Minute)
		if h := get[homes.House](w, "h"); h != nil || len(w.arm.IDs()) != 0 || !w.used["canary-2"] {
			t.Errorf("got %v, ARM has %q, used %v", h, w.arm.IDs(), w.used)
		}
	})
	t.Run("an object without a credential can go, and its resource stays", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret(CredentialSecret, content("canary-1"))
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.delete(get[homes.House](w, "h"))
		w.tokens = map[string]bool{}
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
		w.pass(time.Minute)
		if get[homes.House](w, "h") != nil || len(w.arm.IDs()) != 1 {
			t.Errorf("got %v, ARM has %q", get[homes.House](w, "h"), w.arm.IDs())
		}
	})
	t.Run("a Secret that the operator has no right to read", func(t *testing.T) {
		for _, own := range []bool{false, true} {
			w := newWorld(t, armtest.Behavior{})
			w.secret("s", map[string]string{"k": "canary"})
			h := newHouse("h", 3)
			name := "Secret shop/s"
			if own {
				h.Annotations, name = map[string]string{annotation.CredentialFrom: "mine"}, "Secret shop/mine"
				w.secret("mine", content("canary"))
			} else {
				h.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
			}
			readable := w.live
			w.live = forbidden{readable}
			w.create(h)
			steps := w.steps
			w.pass(30 * time.Minute)
			w.expect("it is told", get[homes.House](w, "h"), "False SecretForbidden", name, "get, list, patch and watch secrets")
			if len(w.errors) > 0 || w.steps-steps > 5 {
				t.Errorf("it was reconciled %d times, with %d errors", w.steps-steps, len(w.errors))
			}
			other := newHouse("other", 3)
			other.Spec.Fields.Password, other.Annotations = h.Spec.Fields.Password, h.Annotations
			w.create(other)
			w.pass(time.Second)
			w.delete(get[homes.House](w, "other"))
			w.pass(time.Minute)
			if get[homes.House](w, "other") != nil {
				t.Error("one that has sent nothing cannot go")
			}
			w.live = readable
			annotate(w)
			w.pass(time.Second)
			w.expect("mended", get[homes.House](w, "h"), "True Succeeded")
		}
	})
	t.Run("owners of each other", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		for _, names := range [][2]string{{"a", "b"}, {"b", "a"}, {"c", "c"}} {
			m := &homes.Mark{ObjectMeta: objectMeta(names[0])}
			m.Spec.Fields.Owner = &reference.AnyOwner{Group: homes.Group, Kind: "Mark", Name: names[1]}
			w.create(m)
		}
		w.pass(3 * time.Hour)
		for _, name := range []string{"a", "b", "c"} {
			w.expect(name, get[homes.Mark](w, name), "False WaitingForReference", "it waits for this one")
			w.delete(get[homes.Mark](w, name))
		}
		w.pass(time.Minute)
		if get[homes.Mark](w, "a") != nil || len(w.arm.Requests()) != 0 {
			t.Errorf("a is not gone, or ARM got %d requests", len(w.arm.Requests()))
		}
	})
}
