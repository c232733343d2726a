package reconcile

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestProof has records that prove less than they say: old ones that somebody writes back, ones that are not the
// operator's own, and ones that say that nobody knows.
func TestProof(t *testing.T) {
	shows := armtest.Rates{armtest.SystemData: 1}
	update := func(w *world, o ctrlclient.Object) {
		w.Helper()
		if err := w.store.Update(context.Background(), o); err != nil {
			w.Fatalf("%v", err)
		}
	}
	plantIn := func(w *world, in, name string) *homes.Plant {
		return getIn[homes.Plant](w, types.NamespacedName{Namespace: in, Name: name})
	}
	// newPlantIn makes a Plant of the Garden g with a password, as an object of a namespace.
	newPlantIn := func(w *world, in, name, password string) {
		w.create(secretOf(in, "pw-"+name, map[string]string{"k": password}))
		x := newPlant(name, 2)
		x.Namespace, x.Spec.Fields.AzureName = in, p("x")
		x.Spec.Fields.Owner = &reference.Owner{ARMID: gardenID}
		x.Spec.Fields.Password = &reference.Secret{Name: "pw-" + name, Key: "k"}
		w.create(x)
	}
	change := func(w *world) {
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(*g.Spec.Fields.Rooms + 1) })
	}
	t.Run("an old record of a child does not write the password of its object into another one's", func(t *testing.T) {
		for range 5 { // the order in which the cache lists them is random
			w := withTenant(t, armtest.Behavior{Rates: shows})
			w.options.CredentialNamespaces = []string{namespace, "mall"}
			w.start()
			w.create(newGarden(1))
			newPlantIn(w, "other", "theirs", "canary of theirs")
			w.pass(time.Minute)
			old := plantIn(w, "other", "theirs").Annotations[annotation.Sent]
			w.removeInARM(plantID("x"))
			w.denied = readOnly
			w.pass(3 * time.Hour)
			newPlantIn(w, "mall", "mine", "canary of mine")
			w.pass(time.Minute)
			w.has("the next one's", plantID("x"), `{"password":"canary of mine","rooms":2}`)
			x := plantIn(w, "other", "theirs")
			x.Annotations[annotation.Sent] = old
			update(w, x)
			change(w)
			w.pass(time.Minute)
			w.has("after a change of the parent", plantID("x"), `{"password":"canary of mine","rooms":2}`)
			for _, r := range w.arm.Requests() {
				if strings.EqualFold(r.ID, gardenID) && strings.Contains(string(r.Body), "canary of theirs") {
					t.Errorf("ARM got %s", r.Body)
				}
			}
		}
	})
	t.Run("an old record that ARM deletes a child deletes no later one", func(t *testing.T) {
		w := withTenant(t, armtest.Behavior{Rates: shows})
		w.create(newGarden(1))
		newPlantIn(w, "other", "theirs", "canary of theirs")
		w.pass(time.Minute)
		x := plantIn(w, "other", "theirs")
		x.Finalizers = append(x.Finalizers, "example.com/kept")
		update(w, x)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1, armtest.AsyncOperation: 1}})
		w.delete(x)
		w.pass(time.Second)
		old := plantIn(w, "other", "theirs").Annotations[annotation.Sent]
		w.pass(time.Hour)
		w.has("deleted", plantID("x"), "")
		w.putInARM(plantID("x"), `{"properties":{"rooms":9}}`)
		w.denied = readOnly
		x = plantIn(w, "other", "theirs")
		x.Annotations[annotation.Sent] = old
		x.Finalizers = append(x.Finalizers, annotation.ResourceFinalizer)
		update(w, x)
		change(w)
		w.pass(time.Hour)
		w.has("somebody else's", plantID("x"), `{"rooms":9}`)
	})
	t.Run("a record that is not the operator's own keeps no element that the Spec drops", func(t *testing.T) {
		w := withTenant(t, armtest.Behavior{Rates: shows})
		w.create(newGarden(1, "allow-all"))
		w.pass(time.Minute)
		w.denied = readOnly
		x := newPlant("allow-all", 1)
		x.Namespace, x.Spec.Fields.Owner = "other", &reference.Owner{ARMID: gardenID}
		x.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
		w.create(x)
		x = plantIn(w, "other", "allow-all")
		forge(x, plantID("allow-all"))
		delete(x.Annotations, annotation.Adopt)
		update(w, x)
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Plants = nil })
		w.pass(time.Hour)
		w.has("what the Spec drops", plantID("allow-all"), "")
		w.expect("the parent", get[homes.Garden](w, "g"), "True Succeeded")
	})
	for _, restarted := range []bool{false, true} {
		t.Run(fmt.Sprint("the deletion of an object with a forged record holds no id, restarted: ", restarted), func(t *testing.T) {
			w := withTenant(t, armtest.Behavior{Rates: shows})
			w.create(theirs(9))
			editIn(w, "theirs", func(h *homes.House) {
				forge(h, houseID, `,"credential":"`+CredentialSecret+`"`)
				h.Spec.Fields.AzureName = p("another")
				h.Finalizers = append(h.Finalizers, "example.com/kept")
			})
			w.delete(inOther(w, "theirs"))
			w.pass(time.Hour)
			if restarted {
				w.start()
				w.pass(time.Minute)
			}
			w.create(newHouse("h", 3))
			w.pass(10 * time.Minute)
			w.expect("the rightful one", get[homes.House](w, "h"), "True Succeeded")
		})
	}
	t.Run("an object whose resource is gone holds no id, though something else keeps the object", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: shows})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Finalizers = append(h.Finalizers, "foregroundDeletion") })
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Hour)
		w.has("deleted", houseID, "")
		next := newHouse("next", 4)
		next.Spec.Fields.AzureName = p("h")
		w.create(next)
		w.pass(time.Minute)
		w.expect("the next one", get[homes.House](w, "next"), "True Succeeded")
	})
	t.Run("an object holds what it has sent, though the cache does not show that yet", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: shows})
		w.create(newHouse("h", 3))
		next := newHouse("next", 4)
		next.Spec.Fields.AzureName = p("h")
		w.create(next)
		w.pass(time.Minute)
		w.expect("the second", get[homes.House](w, "next"), "False ClaimedByAnother")
		edit(w, "h", func(h *homes.House) {
			delete(h.Annotations, annotation.Sent)
			h.Annotations[annotation.Adopt] = annotation.AdoptExact
		})
		w.lag = time.Hour // so that the cache does not show the record that comes back
		before := w.count("PUT", houseID)
		w.pass(time.Second)
		w.enqueue(refOf(w, get[homes.House](w, "h")), w.now)
		w.pass(10 * time.Minute)
		w.has("the first one's", houseID, `{"rooms":3}`)
		if n := w.count("PUT", houseID) - before; n != 1 {
			t.Errorf("ARM got %d PUTs", n)
		}
	})
	// unsure returns a world with an object of the namespace "other" whose first PUT had no answer, and whose
	// credential may only read since.
	unsure := func(t *testing.T) *world {
		w := withTenant(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.lost = armtest.LostRequest
		w.create(theirs(9))
		w.pass(time.Second)
		w.behave(armtest.Behavior{Rates: shows})
		w.denied = readOnly
		w.pass(time.Hour)
		return w
	}
	t.Run("an object that has perhaps sent something holds an id for a day", func(t *testing.T) {
		w := unsure(t)
		w.create(newHouse("h", 3))
		w.pass(26 * time.Hour)
		w.expect("the rightful one", get[homes.House](w, "h"), "True Succeeded")
		w.has("its resource", houseID, `{"rooms":3}`)
	})
	for _, wait := range []time.Duration{time.Hour, 26 * time.Hour} {
		t.Run(fmt.Sprint("its deletion deletes nothing that was made later, after ", wait), func(t *testing.T) {
			w := unsure(t)
			w.putInARM(houseID, `{"properties":{"rooms":7}}`)
			w.pass(wait)
			w.denied = nil
			w.delete(inOther(w, "theirs"))
			w.pass(time.Hour)
			w.has("somebody else's", houseID, `{"rooms":7}`)
			if inOther(w, "theirs") != nil {
				t.Error("the object stays")
			}
		})
	}
	for _, later := range []bool{false, true} {
		t.Run(fmt.Sprint("an old signed record deletes nothing that was created after it, later: ", later), func(t *testing.T) {
			w := withTenant(t, armtest.Behavior{Rates: shows})
			w.create(theirs(9))
			w.pass(time.Minute)
			if later {
				w.removeInARM(houseID)
				w.now = w.now.Add(10 * time.Minute) // in which the operator does not see that the resource is gone
				w.putInARM(houseID, `{"properties":{"rooms":7}}`)
			}
			w.start() // which does not know who has written the record
			w.delete(inOther(w, "theirs"))
			w.pass(time.Hour)
			w.has("what ARM has", houseID, map[bool]string{true: `{"rooms":7}`}[later])
			if inOther(w, "theirs") != nil {
				t.Error("the object stays")
			}
		})
	}
	t.Run("but what it made itself", func(t *testing.T) {
		w := withTenant(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.lost = armtest.LostAnswer
		w.create(theirs(9))
		w.pass(time.Second)
		w.behave(armtest.Behavior{Rates: shows})
		w.delete(inOther(w, "theirs"))
		w.pass(time.Hour)
		w.has("its own", houseID, "")
		if inOther(w, "theirs") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("an accepted PUT ends the doubt", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.lost = armtest.LostRequest
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.behave(armtest.Behavior{Rates: shows})
		w.pass(time.Hour)
		h := get[homes.House](w, "h")
		w.expect("at last", h, "True Succeeded")
		s, confirmed, err := w.op.keys.Read(t.Context(), h)
		if err != nil || !confirmed || !s.Maybe.IsZero() {
			t.Errorf("got %+v, confirmed %v, error %v", s, confirmed, err)
		}
	})
}
