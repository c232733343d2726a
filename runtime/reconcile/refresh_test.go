package reconcile

import (
	"net/http"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

func TestETag(t *testing.T) {
	made := func(t *testing.T, rates armtest.Rates) *world {
		w := newWorld(t, armtest.Behavior{Rates: rates})
		w.create(newHouse("h", 3))
		w.pass(2 * time.Hour) // the first refresh after the PUT's answer tells the ETag
		return w
	}
	answers := func(w *world, from int) (unchanged, whole int) {
		for _, r := range w.arm.Requests()[from:] {
			switch {
			case r.Method == http.MethodGet && r.Status == http.StatusNotModified:
				unchanged++
			case r.Method == http.MethodGet && r.Status == http.StatusOK:
				whole++
			}
		}
		return unchanged, whole
	}
	t.Run("what has not changed is not sent, decoded or written, but once a day", func(t *testing.T) {
		w := made(t, nil)
		from, writes := len(w.arm.Requests()), w.writes
		w.pass(48 * time.Hour)
		if unchanged, whole := answers(w, from); unchanged < 40 || whole < 1 || whole > 3 {
			t.Errorf("got %d answers without a body and %d with one in two days", unchanged, whole)
		}
		if w.writes != writes {
			t.Errorf("there were %d writes", w.writes-writes)
		}
		w.expect("still ready", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("a change in Azure is seen at the next refresh", func(t *testing.T) {
		w := made(t, nil)
		w.pass(3 * time.Hour)
		w.putInARM(houseID, `{"location":"westeurope","properties":{"rooms":7}}`)
		w.pass(time.Hour)
		if got := get[homes.House](w, "h").Status.Rooms; got == nil || *got != 7 {
			t.Errorf("the Status has %v rooms", got)
		}
	})
	t.Run("an object that somebody wrote is read whole", func(t *testing.T) {
		w := made(t, nil)
		h := get[homes.House](w, "h")
		h.Status.Rooms = nil
		if err := w.store.Status().Update(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		w.pass(time.Hour)
		if got := get[homes.House](w, "h").Status.Rooms; got == nil || *got != 3 {
			t.Errorf("the Status has %v rooms", got)
		}
	})
	t.Run("the ETag of another version is not used", func(t *testing.T) {
		w := made(t, nil)
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Adopt] = annotation.AdoptObserve })
		w.pass(3 * time.Hour)
		edit(w, "h", func(h *homes.House) { h.Spec.OriginalVersion = homes.V2019 })
		from := len(w.arm.Requests())
		w.pass(time.Second)
		if unchanged, whole := answers(w, from); unchanged != 0 || whole == 0 {
			t.Errorf("got %d answers without a body and %d with one", unchanged, whole)
		}
	})
	t.Run("a service that ignores it costs nothing more", func(t *testing.T) {
		w := made(t, armtest.Rates{armtest.IgnoresETag: 1})
		from, writes := len(w.arm.Requests()), w.writes
		w.pass(5 * time.Hour)
		if unchanged, whole := answers(w, from); unchanged != 0 || whole != 5 || w.writes != writes {
			t.Errorf("got %d answers without a body and %d with one, and %d writes", unchanged, whole, w.writes-writes)
		}
	})
}

// TestMissed has answers that a resource does not exist, although it does.
func TestMissed(t *testing.T) {
	t.Run("of a refresh", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		w.pass(5 * time.Hour)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
		if puts, gets := w.count("PUT", ""), w.count("GET", houseID); puts != 1 || gets < 8 || len(w.events.all) != 1 {
			t.Errorf("got %d PUTs, %d GETs and the events %q", puts, gets, w.events.all)
		}
	})
	t.Run("of an object that is only looked at", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.putInARM(houseID, `{"properties":{"rooms":3}}`)
		h := newHouse("h", 3)
		h.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
		w.create(h)
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		w.pass(5 * time.Hour)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
		if len(w.events.all) != 1 {
			t.Errorf("got the events %q", w.events.all)
		}
	})
	t.Run("of a parent that is read before its PUT", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newGarden(1))
		w.pass(time.Minute)
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Minute)
		w.has("the parent", gardenID, `{"rooms":5}`)
		w.has("a child", plantID("stranger"), `{"rooms":9}`)
	})
	t.Run("of a resource that stays in a state, also after its keys were lost", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{States: []string{"RollbackRequested"},
			Rates: armtest.Rates{armtest.LastingState: 1, armtest.ShowsState: 1, armtest.Missed: 1}})
		w.create(newHouse("h", 3))
		w.pass(2 * time.Hour)
		if puts := w.count("PUT", ""); puts != 1 {
			t.Errorf("got %d PUTs, want 1", puts)
		}
		w.loseKeys()
		w.pass(2 * time.Hour)
		if puts := w.count("PUT", ""); puts != 2 {
			t.Errorf("got %d PUTs, want one more for the keys", puts)
		}
	})
	t.Run("of a resource whose operation ARM has forgotten", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Slowest: time.Hour,
			Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.Forgotten: 1, armtest.Missed: 1}})
		w.create(newHouse("h", 3))
		w.pass(2 * time.Hour)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
		if puts := w.count("PUT", ""); puts != 1 {
			t.Errorf("got %d PUTs, want 1", puts)
		}
	})
	t.Run("of a resource that ARM is making and does not show yet", func(t *testing.T) {
		for seed := range uint64(4) {
			w := newWorld(t, armtest.Behavior{Seed: seed, Lag: decide.Visible, States: []string{"RollbackRequested"},
				Rates: armtest.Rates{armtest.LateVisible: 1, armtest.LastingState: 1, armtest.ShowsState: 1}})
			w.create(newHouse("h", 3))
			w.pass(time.Hour)
			if puts := w.count("PUT", ""); puts != 1 {
				t.Errorf("got %d PUTs, want 1", puts)
			}
		}
	})
	t.Run("of a refresh, while something else wakes the object", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret("s", map[string]string{"k": "canary"})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
		w.create(h)
		w.pass(time.Minute)
		asked := w.count("GET", houseID)
		w.arm.Remove(houseID)
		for w.count("GET", houseID) == asked {
			w.pass(time.Second)
		}
		w.secret("s", map[string]string{"k": "canary", "other": "canary"})
		w.pass(time.Second)
		if n := w.count("GET", houseID) - asked; n != 2 {
			t.Errorf("got %d GETs, want a second one at once", n)
		}
		w.arm.Put(houseID, "2020-02-02", `{"properties":{"rooms":3}}`)
		w.pass(time.Minute)
		if puts := w.count("PUT", ""); puts != 1 {
			t.Errorf("got %d PUTs, want 1", puts)
		}
	})
	t.Run("what is gone while ARM is at work on it is made again", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{States: []string{"RollbackRequested"},
			Rates: armtest.Rates{armtest.LastingState: 1, armtest.ShowsState: 1}})
		w.create(newHouse("h", 3))
		w.pass(5 * time.Minute)
		w.behave(armtest.Behavior{})
		w.arm.Remove(houseID)
		w.pass(15 * time.Minute)
		w.has("it", houseID, `{"rooms":3}`)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("of a resource that another instance has sent", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.freeze = true
		w.create(newHouse("h", 3))
		w.pass(4 * time.Second)
		if puts, gets := w.count("PUT", ""), w.count("GET", houseID); puts != 0 || gets != 2 {
			t.Errorf("got %d PUTs after %d GETs, want none after one of each instance", puts, gets)
		}
		w.pass(2 * time.Second)
		w.has("it", houseID, `{"rooms":3}`)
	})
	t.Run("of a child that is read before a PUT of its parent", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newGarden(1))
		b := newPlant("b", 3)
		b.Spec.Fields.Color = p("red")
		w.create(b)
		w.pass(5 * time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		edit(w, "g", func(g *homes.Garden) { // at a version without colors
			g.Annotations[annotation.APIVersion], g.Spec.Fields.Rooms = homes.V2019, p(int64(6))
		})
		w.pass(10 * time.Minute)
		w.has("the parent", gardenID, `{"rooms":6}`)
		w.has("what the PUT has taken away", plantID("b"), `{"color":"red","rooms":3}`)
	})
	t.Run("of a parent whose keys and Status were lost", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newGarden(1))
		w.pass(time.Minute)
		g := get[homes.Garden](w, "g")
		g.Status.Id = nil
		if err := w.store.Status().Update(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		w.loseKeys()
		w.pass(time.Minute)
		if puts := w.count("PUT", gardenID); puts != 2 {
			t.Errorf("got %d PUTs of the parent, want one more for the keys", puts)
		}
		w.has("a child", plantID("stranger"), `{"rooms":9}`)
	})
	t.Run("of a parent that was only looked at before its PUT", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.takeOver()
		w.putInARM(gardenID, `{"properties":{"rooms":1}}`)
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		g := newGarden(5)
		g.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
		w.create(g)
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		edit(w, "g", func(g *homes.Garden) { delete(g.Annotations, annotation.Adopt) })
		w.pass(time.Minute)
		w.has("the parent", gardenID, `{"rooms":5}`)
		w.has("a child", plantID("stranger"), `{"rooms":9}`)
	})
	t.Run("of a parent that was restored from a backup", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.takeOver()
		w.create(newGarden(1))
		w.pass(time.Minute)
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		restored := newGarden(5)
		restored.Annotations = map[string]string{annotation.Sent: get[homes.Garden](w, "g").Annotations[annotation.Sent]}
		edit(w, "g", func(g *homes.Garden) { g.Annotations[annotation.Deletion] = annotation.DeletionDetach })
		w.delete(get[homes.Garden](w, "g"))
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		w.create(restored)
		w.pass(time.Minute)
		w.has("the parent", gardenID, `{"rooms":5}`)
		w.has("a child", plantID("stranger"), `{"rooms":9}`)
	})
	t.Run("of a parent that ARM does not show yet", func(t *testing.T) {
		for _, keys := range []bool{true, false} {
			for seed := range uint64(4) {
				w := newWorld(t, armtest.Behavior{Seed: seed, Rates: armtest.Rates{armtest.LateVisible: 1}, Lag: decide.Visible})
				w.create(newGarden(1))
				w.pass(time.Second)
				w.behave(armtest.Behavior{})
				w.arm.Put(plantID("stranger"), "2020-02-02", `{"properties":{"rooms":9}}`)
				if !keys {
					w.loseKeys()
				}
				edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) })
				w.pass(time.Minute)
				w.has("the parent", gardenID, `{"rooms":5}`)
				w.has("a child", plantID("stranger"), `{"rooms":9}`)
			}
		}
	})
	t.Run("of the parent of what ARM may still be making, when its object is deleted", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.freeze = true
		w.create(newDoor("d", "h"))
		for w.late == nil && w.step(w.now) {
		}
		w.delete(get[homes.Door](w, "d"))
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		w.pass(10 * time.Minute)
		w.expect("the door, which may still come", get[homes.Door](w, "d"), "False Deleting")
	})
	t.Run("of what only a record that is not the operator's own names, when its object is deleted", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) {
			h.Spec.Fields.AzureName = p("other")
			h.Annotations[annotation.Sent] = withoutMAC(h.Annotations[annotation.Sent])
		})
		w.delete(get[homes.House](w, "h"))
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}})
		w.pass(10 * time.Minute)
		w.expect("the house, which ARM has", get[homes.House](w, "h"), "False "+ReasonUnconfirmed)
	})
	t.Run("what is really gone is made again after a moment", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.arm.Remove(houseID)
		w.pass(time.Hour)
		w.has("it", houseID, `{"rooms":3}`)
		if puts := w.count("PUT", ""); puts != 2 {
			t.Errorf("got %d PUTs", puts)
		}
	})
}
