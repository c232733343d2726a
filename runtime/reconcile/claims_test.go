package reconcile

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// inOther returns a House of the namespace "other", or nil.
func inOther(w *world, name string) *homes.House {
	return getIn[homes.House](w, types.NamespacedName{Namespace: "other", Name: name})
}

// TestForeignClaims lets an object name the id of another object, before and after the other
// was sent.
func TestForeignClaims(t *testing.T) {
	// thief makes an object of another namespace that names the id of House h.
	thief := func(w *world) *homes.House {
		h := newHouse("thief", 9)
		h.Namespace, h.Spec.Fields.AzureName = "other", p("h")
		w.create(h)
		return h
	}
	for _, row := range []struct {
		what    string
		prepare func(w *world)
		reason  string
	}{
		{"no credential holds no id", func(w *world) {}, "False CredentialMissing"},
		{"a wrong credential holds no id", func(w *world) {
			s := secretOf("other", CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "wrong"})
			w.create(s)
			w.tokens = map[string]bool{operatorsToken: true}
		}, "False Unauthorized"},
	} {
		t.Run(row.what, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.options.CredentialNamespaces = []string{namespace}
			w.start()
			row.prepare(w)
			thief(w)
			w.pass(time.Minute)
			w.expect("the thief", inOther(w, "thief"), row.reason)
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			w.expect("the rightful one", get[homes.House](w, "h"), "True Succeeded")
			w.start()
			edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
			w.pass(3 * time.Hour)
			w.expect("after a restart", get[homes.House](w, "h"), "True Succeeded")
			w.has("its content", houseID, `{"rooms":4}`)
		})
	}
	t.Run("nobody is told the names of another namespace", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		thief(w)
		w.pass(time.Minute)
		w.expect("the thief", inOther(w, "thief"), "False ClaimedByAnother", "an object of another namespace")
		if text := message(inOther(w, "thief")); strings.Contains(text, namespace+"/h") {
			t.Errorf("got %q", text)
		}
	})
	t.Run("who was refused under one id does not take that of another", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("old", 300)) // which ARM refuses
		w.pass(time.Minute)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "old", func(h *homes.House) { h.Spec.Fields.AzureName, h.Spec.Fields.Rooms = p("h"), p(int64(9)) })
		w.start() // where the older one comes first
		w.queue[refOf(w, get[homes.House](w, "old"))] = w.now.Add(-time.Second)
		w.pass(time.Hour)
		w.has("the younger one's", houseID, `{"rooms":3}`)
		w.expect("the older one", get[homes.House](w, "old"), "False ClaimedByAnother", "House shop/h")
		w.delete(get[homes.House](w, "old"))
		w.pass(time.Hour)
		w.has("after the deletion of the older one", houseID, `{"rooms":3}`)
		w.expect("the younger one", get[homes.House](w, "h"), "True Succeeded")
	})
}

// TestForgedRecord lets a user write the operator's annotation.
func TestForgedRecord(t *testing.T) {
	forge := func(w *world, name, id string, change ...string) {
		edit(w, name, func(h *homes.House) {
			text := h.Annotations[annotation.Sent]
			if text == "" {
				text = `{"phase":"accepted","uid":"` + string(h.UID) + `","generation":1,"id":"` + houseID + `","attempt":1,"exists":true}`
				h.Annotations = map[string]string{}
			}
			h.Annotations[annotation.Sent] = strings.NewReplacer(append(change, houseID, id)...).Replace(text)
		})
	}
	const victim = group + "/providers/Contoso.Homes/houses/victim"
	for _, row := range []struct{ what, id string }{
		{"the resource group", group},
		{"a resource of another kind", group + "/providers/Contoso.Homes/streets/s"},
		{"another resource of its kind", victim},
	} {
		for _, sent := range []bool{false, true} {
			t.Run(row.what, func(t *testing.T) {
				w := newWorld(t, armtest.Behavior{})
				w.putInARM(victim, `{"properties":{"rooms":7}}`)
				w.putInARM(group+"/providers/Contoso.Homes/streets/s", `{"properties":{"rooms":8}}`)
				before := len(w.arm.IDs())
				w.create(newHouse("h", 3))
				if sent {
					w.pass(time.Minute)
				}
				forge(w, "h", row.id)
				w.pass(time.Minute)
				w.delete(get[homes.House](w, "h"))
				w.pass(time.Hour)
				for _, r := range w.arm.Requests() {
					if r.Method == "DELETE" && !strings.EqualFold(r.ID, houseID) {
						t.Errorf("the operator deleted %s", r.ID)
					}
				}
				if h := get[homes.House](w, "h"); h != nil {
					w.expect("it says why it stays", h, "False RecordUnconfirmed", annotation.Sent)
					edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
					w.pass(time.Minute)
				}
				if n := len(w.arm.IDs()); get[homes.House](w, "h") != nil || n < before {
					t.Errorf("it stays, or ARM has %q", w.arm.IDs())
				}
			})
		}
	}
	t.Run("a forged record keeps nobody from an id", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.options.CredentialNamespaces = []string{namespace}
		w.start()
		h := newHouse("forger", 3)
		h.Namespace, h.Spec.Fields.AzureName, h.UID = "other", p("h"), "uid-001"
		h.Annotations = map[string]string{annotation.Sent: `{"phase":"accepted","uid":"uid-001","id":"` + houseID + `","exists":true}`}
		w.create(h)
		w.create(newHouse("h", 4))
		w.pass(time.Minute)
		w.expect("the rightful one", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("what records without a signature say is sent once more", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.takeOver()
		for _, name := range []string{"a", "b", "c"} {
			w.create(newHouse(name, 3))
		}
		w.create(newDoor("d", "a"))
		w.pass(time.Minute)
		unsign := func(r kinds.Resource) {
			r.GetAnnotations()[annotation.Sent] = withoutMAC(r.GetAnnotations()[annotation.Sent])
			if err := w.store.Update(context.Background(), r); err != nil {
				t.Fatal(err)
			}
		}
		w.each(func(_ *kinds.Kind, r kinds.Resource) { unsign(r) })
		w.start()
		puts := w.count("PUT", "")
		w.pass(3 * time.Hour)
		if n := w.count("PUT", "") - puts; n != 4 {
			t.Errorf("got %d PUTs, want one of each", n)
		}
		w.each(func(_ *kinds.Kind, r kinds.Resource) {
			w.expect(r.GetName(), r, "True Succeeded")
			if !strings.Contains(r.GetAnnotations()[annotation.Sent], `"mac":`) {
				t.Errorf("%s has the record %s", r.GetName(), r.GetAnnotations()[annotation.Sent])
			}
		})
		w.each(func(_ *kinds.Kind, r kinds.Resource) { unsign(r) })
		w.start()
		w.each(func(_ *kinds.Kind, r kinds.Resource) { w.delete(r) }) // before anything is sent
		w.pass(time.Hour)
		if ids := w.arm.IDs(); len(ids) != 0 || get[homes.Door](w, "d") != nil {
			t.Errorf("after their deletion ARM has %q", ids)
		}
	})
}

// TestLostKeys loses the keys of records, so that no record has a valid signature.
func TestLostKeys(t *testing.T) {
	t.Run("what ARM refuses then leaves nothing behind", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.loseKeys()
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(300)) })
		w.pass(time.Minute)
		w.expect("with a bad Spec", get[homes.House](w, "h"), "False InvalidRequestContent")
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Hour)
		w.has("after its deletion", houseID, "")
		if get[homes.House](w, "h") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("a child goes also after its owner is gone", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.create(newDoor("d", "h"))
		w.pass(time.Minute)
		w.loseKeys()
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Hour)
		if ids := w.arm.IDs(); len(ids) > 0 || get[homes.House](w, "h") != nil || get[homes.Door](w, "d") != nil {
			t.Errorf("ARM has %q", ids)
		}
	})
	t.Run("those that are lost while the operator runs are written back", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.delete(getIn[corev1.Secret](w, w.op.keys.Secret))
		w.start()
		w.pass(3 * time.Hour)
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("got %d PUTs, want 1", n)
		}
	})
	t.Run("what a record says about the resource survives a restore", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.takeOver()
		w.create(newGarden(1, "a", "b"))
		w.pass(time.Minute)
		old := get[homes.Garden](w, "g").Annotations
		edit(w, "g", func(g *homes.Garden) { g.Annotations[annotation.Deletion] = annotation.DeletionDetach })
		w.delete(get[homes.Garden](w, "g"))
		w.pass(time.Minute)
		restored := newGarden(1, "a") // whose list has changed since
		restored.Annotations = map[string]string{annotation.Sent: old[annotation.Sent]}
		w.create(restored)
		w.pass(time.Minute)
		w.has("what the list had before the restore, and has no longer", plantID("b"), "")
		w.has("what it has", plantID("a"), `{"rooms":1}`)
		w.expect("the garden", get[homes.Garden](w, "g"), "True Succeeded")
	})
}

// withoutMAC returns a record without its signature.
func withoutMAC(text string) string {
	if before, _, found := strings.Cut(text, `,"mac":`); found {
		return before + "}"
	}
	return text
}
