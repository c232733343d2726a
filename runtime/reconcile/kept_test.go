package reconcile

import (
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// drifted returns the message of the condition Drifted, or "" if it is not true.
func drifted(h *homes.House) string { return condition(h, Drifted) }

// TestDrifted takes properties out of Specs whose service changes only what a PUT has.
func TestDrifted(t *testing.T) {
	keeps := armtest.Behavior{Rates: armtest.Rates{armtest.KeepsProperties: 1}}
	// made returns a world with a house that is red.
	made := func(t *testing.T, b armtest.Behavior) *world {
		w := newWorld(t, b)
		h := newHouse("h", 3)
		h.Spec.Fields.Color = p("red")
		w.create(h)
		w.pass(time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
		return w
	}
	colorless := func(h *homes.House) { h.Spec.Fields.Color = nil }
	t.Run("the condition names what ARM keeps, also after a restart", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		for range 3 {
			w.pass(2 * time.Hour)
			h := get[homes.House](w, "h")
			w.expect("without its color", h, "True Succeeded")
			if !strings.HasPrefix(drifted(h), "ARM keeps spec.color, which the Spec no longer sets") {
				t.Fatalf("the condition says %q", drifted(h))
			}
			w.start()
		}
		if n := w.count("PUT", houseID); n != 2 {
			t.Errorf("ARM got %d PUTs", n)
		}
	})
	t.Run("also if the operator was stopped when it left the Spec", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		w.start()
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
	})
	t.Run("another change does not hide it", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(7)) })
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
	})
	t.Run("it ends when the Spec sets it again, or somebody takes it away in Azure", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Color = p("blue") })
		w.pass(time.Minute)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("set again: %s", said)
		}
		edit(w, "h", colorless)
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
		w.behave(armtest.Behavior{})
		w.putInARM(houseID, `{"location":"westeurope","properties":{"rooms":3}}`)
		w.pass(2 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("taken away: %s", said)
		}
	})
	t.Run("what the Spec never set is nothing that ARM keeps", func(t *testing.T) {
		w := newWorld(t, keeps)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.putInARM(houseID, `{"location":"westeurope","properties":{"rooms":3,"color":"green"}}`)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(2 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("it says %s", said)
		}
	})
	t.Run("a service that takes what it is sent keeps nothing", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		edit(w, "h", colorless)
		w.pass(2 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("it says %s", said)
		}
		if sent := get[homes.House](w, "h").Annotations[annotation.Sent]; len(sent) > 1000 {
			t.Errorf("the record has %d bytes", len(sent))
		}
	})
	t.Run("a PUT that was refused leaves the record as it was", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms, h.Spec.Fields.Color = p(int64(1000)), nil })
		w.pass(time.Minute)
		w.start()
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
	})
	t.Run("what ARM refused to take is nothing that it keeps", func(t *testing.T) {
		w := newWorld(t, keeps)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.putInARM(houseID, `{"location":"westeurope","properties":{"rooms":3,"color":"green"}}`)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms, h.Spec.Fields.Color = p(int64(1000)), p("red") })
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms, h.Spec.Fields.Color = p(int64(4)), nil })
		w.pass(time.Minute)
		w.expect("mended", get[homes.House](w, "h"), "True Succeeded")
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("it says %s", said)
		}
	})
}
