package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

// theirToken is the token of the credential of the namespace "other". readOnly reports whether
// ARM denies it a request if it may only read.
const theirToken = "canary of other"

func readOnly(bearer, method, _ string) bool { return bearer == theirToken && method != "GET" }

// withTenant returns a world in which the namespace "other" has a credential of its own, and
// the operator's serves the namespace of the other tests alone.
func withTenant(t *testing.T, behavior armtest.Behavior) *world {
	w := newWorld(t, behavior)
	w.options.CredentialNamespaces = []string{namespace}
	w.start()
	w.create(secretOf("other", CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: theirToken}))
	return w
}

// theirs returns a House of the namespace "other" that names the id of House h.
func theirs(rooms int64) *homes.House {
	h := newHouse("theirs", rooms)
	h.Namespace, h.Spec.Fields.AzureName = "other", p("h")
	return h
}

// editIn is edit for a House of the namespace "other".
func editIn(w *world, name string, change func(*homes.House)) {
	w.Helper()
	h := inOther(w, name)
	before := specOf(h)
	change(h)
	if specOf(h) != before {
		h.Generation++
	}
	if err := w.store.Update(context.Background(), h); err != nil {
		w.Fatalf("%v", err)
	}
}

// forge writes the finalizer into an object, and a record that claims that ARM has an id from
// it.
func forge(r kinds.Resource, id string, members ...string) {
	annotations := r.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[annotation.Sent] = fmt.Sprintf(`{"phase":"accepted","uid":%q,"generation":%d,"digest":"d","key":"k","id":%q,`+
		`"attempt":1,"exists":true%s}`, r.GetUID(), r.GetGeneration(), id, strings.Join(members, ""))
	r.SetAnnotations(annotations)
	controllerutil.AddFinalizer(r, annotation.ResourceFinalizer)
}

// TestTenants lets somebody try to harm the objects of others, who may write objects in a
// namespace, but has fewer rights in Azure than these objects need.
func TestTenants(t *testing.T) {
	// garden returns a world with the Garden g in one namespace, and its Plant x as an object in
	// another.
	garden := func(t *testing.T) *world {
		w := withTenant(t, armtest.Behavior{})
		w.create(newGarden(1))
		w.pass(time.Minute)
		x := newPlant("x", 2)
		x.Namespace, x.Spec.Fields.Owner = "other", &reference.Owner{ARMID: gardenID}
		w.create(x)
		w.pass(time.Minute)
		w.has("at first", plantID("x"), `{"rooms":2}`)
		return w
	}
	plant := func(w *world) *homes.Plant {
		return getIn[homes.Plant](w, types.NamespacedName{Namespace: "other", Name: "x"})
	}
	change := func(w *world) {
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(*g.Spec.Fields.Rooms + 1) })
	}
	ownSecret := types.NamespacedName{Namespace: "other", Name: CredentialSecret}
	for _, row := range []struct {
		what string
		do   func(w *world)
	}{
		{"whose credential is gone", func(w *world) {
			s := getIn[corev1.Secret](w, ownSecret)
			s.Finalizers = nil
			if err := w.store.Update(context.Background(), s); err != nil {
				w.Fatalf("%v", err)
			}
			w.delete(getIn[corev1.Secret](w, ownSecret))
		}},
		{"which is outside of its scopes", func(w *world) {
			w.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other",
				Annotations: map[string]string{annotation.Scopes: "/subscriptions/elsewhere"}}})
		}},
		{"whose DELETE ARM refuses", func(w *world) {
			w.denied = func(bearer, method, _ string) bool { return bearer == theirToken && method == "DELETE" }
		}},
		{"whose DELETE has no answer", func(w *world) { w.down = plantID("x") }},
		{"whose DELETE waits for its turn", func(w *world) { w.overloaded = plantID("x") }},
	} {
		t.Run("a PUT of the parent does not delete a child "+row.what, func(t *testing.T) {
			w := garden(t)
			row.do(w)
			w.delete(plant(w))
			for range 3 {
				change(w)
				w.pass(3 * time.Minute)
				w.has("after a change of the parent", plantID("x"), `{"rooms":2}`)
			}
			w.expect("the parent", get[homes.Garden](w, "g"), "True Succeeded")
		})
	}
	t.Run("nor one that a forged record of its own namespace names", func(t *testing.T) {
		w := garden(t)
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		w.denied = func(_, method, path string) bool { return method != "GET" && path == plantID("stranger") }
		forged := newPlant("stranger", 1)
		forged.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
		w.create(forged)
		edit(w, "stranger", func(o *homes.Plant) { forge(o, plantID("stranger")); delete(o.Annotations, annotation.Adopt) })
		w.delete(get[homes.Plant](w, "stranger"))
		change(w)
		w.pass(3 * time.Minute)
		w.has("after a change of the parent", plantID("stranger"), `{"rooms":9}`)
	})
	t.Run("it deletes one of which ARM has taken the DELETE, as ever", func(t *testing.T) {
		w := garden(t)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
		w.delete(plant(w))
		w.pass(time.Second)
		change(w)
		w.pass(10 * time.Minute)
		w.has("deleted", plantID("x"), "")
		if plant(w) != nil {
			t.Error("the object stays")
		}
	})
	t.Run("lost keys and a list that is complete take no child of another namespace away", func(t *testing.T) {
		w := garden(t)
		edit(w, "g", complete)
		w.pass(time.Minute)
		w.loseKeys()
		w.denied = readOnly // so that its object cannot be confirmed
		for _, later := range []time.Duration{time.Minute, 2 * time.Hour} {
			change(w)
			w.pass(later)
			w.has("after the keys were lost", plantID("x"), `{"rooms":2}`)
		}
	})
	t.Run("a forged list of children deletes none", func(t *testing.T) {
		w := garden(t)
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		edit(w, "g", func(g *homes.Garden) {
			forge(g, gardenID, `,"inline":{"properties/plants":["stranger"]}`)
			g.Spec.Fields.Rooms = p(int64(7))
		})
		w.pass(3 * time.Hour)
		w.has("after it", plantID("stranger"), `{"rooms":9}`)
	})
	t.Run("what ARM has not accepted of another namespace is not in the PUT of the parent", func(t *testing.T) {
		w := garden(t)
		w.create(secretOf("other", "pw", map[string]string{"k": "canary of a tenant"}))
		x := plant(w)
		x.Spec.Fields.Password, x.Spec.Fields.Rooms = &reference.Secret{Name: "pw", Key: "k"}, p(int64(300)) // which ARM refuses
		x.Generation++
		if err := w.store.Update(context.Background(), x); err != nil {
			t.Fatal(err)
		}
		w.pass(time.Minute)
		change(w)
		w.pass(time.Minute)
		for _, r := range w.arm.Requests() {
			if strings.EqualFold(r.ID, gardenID) && strings.Contains(string(r.Body), "canary") {
				t.Errorf("ARM got %s", r.Body)
			}
		}
		w.expect("the parent waits", get[homes.Garden](w, "g"), "False InProgress", "an object of another namespace")
	})

	t.Run("a forged record, and the deletion of its object, delete nothing of another object", func(t *testing.T) {
		for _, lost := range []bool{false, true} {
			w := withTenant(t, armtest.Behavior{})
			w.denied = readOnly
			w.create(theirs(9)) // which is older, and ARM refuses its PUT
			w.pass(time.Minute)
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			if lost {
				w.loseKeys()
			} else {
				w.start()
			}
			w.denied = nil // its credential may delete
			editIn(w, "theirs", func(h *homes.House) { forge(h, houseID, `,"credential":"`+CredentialSecret+`"`) })
			w.delete(inOther(w, "theirs"))
			w.pass(time.Hour)
			w.has(fmt.Sprint("keys lost: ", lost), houseID, `{"rooms":3}`)
			if n := w.count("DELETE", ""); n > 0 {
				t.Errorf("keys lost: %v: ARM got %d DELETEs", lost, n)
			}
			w.expect("the rightful one", get[homes.House](w, "h"), "True Succeeded")
			if inOther(w, "theirs") != nil {
				t.Error("the forger's object stays")
			}
		}
	})
	t.Run("with the right to read alone a forged record makes nothing ready, and holds no id", func(t *testing.T) {
		for _, deleted := range []bool{false, true} {
			w := withTenant(t, armtest.Behavior{})
			w.takeOver()
			w.putInARM(houseID, `{"properties":{"rooms":3}}`)
			w.denied = readOnly
			h := theirs(3)
			h.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
			w.create(h)
			editIn(w, "theirs", func(h *homes.House) { forge(h, houseID); delete(h.Annotations, annotation.Adopt) })
			if deleted {
				w.delete(inOther(w, "theirs"))
			}
			w.pass(time.Hour)
			if got := ready(inOther(w, "theirs")); !strings.HasPrefix(got, "False AuthorizationFailed") {
				t.Errorf("deleted %v: got %s", deleted, got)
			}
			w.create(newHouse("h", 4))
			w.pass(time.Minute)
			w.expect("the rightful one", get[homes.House](w, "h"), "True Succeeded")
			w.has("its resource", houseID, `{"rooms":4}`)
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Hour)
			w.has("and its deletion deletes", houseID, "")
		}
	})
	t.Run("a forged record without a credential does not get the operator's", func(t *testing.T) {
		w := withTenant(t, armtest.Behavior{})
		w.options.CredentialNamespaces = []string{"*"}
		w.start()
		w.putInARM(houseID, `{"properties":{"rooms":3}}`)
		w.create(theirs(3))
		editIn(w, "theirs", func(h *homes.House) { forge(h, houseID) })
		w.delete(inOther(w, "theirs"))
		var with []string
		w.denied = func(bearer, method, _ string) bool {
			if method == "DELETE" {
				with = append(with, bearer)
			}
			return false
		}
		w.pass(time.Hour)
		if len(with) == 0 || slices.Contains(with, operatorsToken) {
			t.Errorf("the DELETE was signed with %q", with)
		}
	})
	for _, deleted := range []bool{true, false} {
		t.Run(fmt.Sprint("a signed record of an id that is lost counts no more, deleted: ", deleted), func(t *testing.T) {
			w := withTenant(t, armtest.Behavior{})
			w.create(theirs(9))
			w.pass(time.Minute)
			old := inOther(w, "theirs").Annotations[annotation.Sent]
			w.removeInARM(houseID)
			w.denied = readOnly
			w.pass(3 * time.Hour) // until it sees that the resource is gone
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			w.expect("the next one", get[homes.House](w, "h"), "True Succeeded")
			w.denied = nil
			editIn(w, "theirs", func(h *homes.House) {
				h.Annotations[annotation.Sent] = old
				controllerutil.AddFinalizer(h, annotation.ResourceFinalizer)
			})
			w.start()
			if deleted {
				w.delete(inOther(w, "theirs"))
			}
			w.pass(3 * time.Hour)
			w.has("the next one's", houseID, `{"rooms":3}`)
			if n := w.count("DELETE", ""); n > 1 { // that of whoever lost it
				t.Errorf("ARM got %d DELETEs", n)
			}
			edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
			w.pass(time.Hour)
			w.has("the next one's", houseID, `{"rooms":4}`)
			w.expect("the next one", get[homes.House](w, "h"), "True Succeeded")
		})
	}
	t.Run("a forged record keeps a stranger waiting for seconds", func(t *testing.T) {
		w := withTenant(t, armtest.Behavior{})
		h := theirs(3)
		h.Annotations = map[string]string{annotation.CredentialFrom: "missing"}
		w.create(h)
		editIn(w, "theirs", func(h *homes.House) { forge(h, houseID) })
		w.start()
		w.create(newHouse("h", 4))
		w.queue[refOf(w, get[homes.House](w, "h"))] = w.now.Add(-time.Second) // before the other one
		w.pass(10 * time.Second)
		w.expect("the rightful one", get[homes.House](w, "h"), "True Succeeded")
	})
}
