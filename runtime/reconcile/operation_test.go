package reconcile

import (
	"fmt"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// TestRefusedPolls lets ARM refuse to tell of operations, as it does by 401, 403, 500
// and an answer without content.
func TestRefusedPolls(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rates := armtest.Rates{armtest.AsyncOperation: 1, armtest.RefusedPoll: 1, armtest.ShowsState: 1}
			w := newWorld(t, armtest.Behavior{Seed: seed, Rates: rates, Slowest: 5 * time.Minute})
			w.create(newHouse("h", 3))
			w.pass(30 * time.Second)
			w.expect("it is told soon", get[homes.House](w, "h"), ready(get[homes.House](w, "h")), "refuses to tell")
			w.pass(time.Hour)
			w.expect("the resource tells instead", get[homes.House](w, "h"), "True Succeeded")
			if n := len(w.arm.Requests()); n > 40 {
				t.Errorf("got %d requests in an hour", n)
			}
			w.delete(get[homes.House](w, "h"))
			w.pass(20 * time.Minute)
			if h := get[homes.House](w, "h"); h != nil || len(w.arm.IDs()) != 0 {
				t.Errorf("got %v, ARM has %q", h, w.arm.IDs())
			}
		})
	}
	t.Run("if the resource cannot be read either, it is tried more and more rarely", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.RefusedPoll: 1}})
		w.down = "/houses/h"
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.tokens = map[string]bool{}
		w.pass(3 * time.Hour)
		w.expect("refused", get[homes.House](w, "h"), "False Unauthorized")
		if n := len(w.arm.Requests()); n > 40 {
			t.Errorf("got %d requests in three hours", n)
		}
	})
}

// TestChangeMeanwhile changes a Spec while ARM is at work.
func TestChangeMeanwhile(t *testing.T) {
	for _, busy := range []float64{0, 1} {
		for _, how := range []armtest.Fault{armtest.AsyncOperation, armtest.LocationOperation, armtest.StateOperation} {
			t.Run(fmt.Sprint(how, ", refused while busy: ", busy == 1), func(t *testing.T) {
				w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{how: 1, armtest.Busy: busy}, Slowest: 2 * time.Hour})
				w.create(newHouse("h", 3))
				w.pass(2 * time.Second)
				w.expect("at work", get[homes.House](w, "h"), "False InProgress")
				edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
				w.pass(time.Minute)
				if busy == 0 {
					w.has("it is sent at once", houseID, `{"rooms":4}`)
				}
				w.pass(6 * time.Hour)
				w.has("in the end", houseID, `{"rooms":4}`)
				w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
				if n := w.count("PUT", ""); n > 30 {
					t.Errorf("got %d PUTs", n)
				}
			})
		}
	}
}

// TestLastingStates has a provisioningState that never becomes Succeeded.
func TestLastingStates(t *testing.T) {
	for _, how := range []armtest.Rates{{}, {armtest.AsyncOperation: 1}, {armtest.StateOperation: 1}} {
		how[armtest.LastingState], how[armtest.ShowsState] = 1, 1
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(how, " seed ", seed), func(t *testing.T) {
				w := newWorld(t, armtest.Behavior{Seed: seed, Rates: how})
				w.create(newHouse("h", 3))
				w.pass(2 * time.Hour)
				w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
				before := len(w.arm.Requests())
				edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
				w.pass(time.Minute)
				w.has("a change is sent at once", houseID, `{"rooms":4}`)
				w.pass(3 * time.Hour)
				if n := len(w.arm.Requests()) - before; n > 80 {
					t.Errorf("got %d requests in three hours", n)
				}
			})
		}
	}
}

// TestBusy lets a service refuse writes with 429, which is no limit of ARM.
func TestBusy(t *testing.T) {
	t.Run("the neighbours of a busy resource do not wait", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.overloaded = "/houses/h0"
		for i := range 6 {
			w.create(newHouse(fmt.Sprint("h", i), 3))
		}
		w.pass(30 * time.Second)
		for i := range 6 {
			want := "True Succeeded"
			if i == 0 {
				want = "False RetryableError"
			}
			name := fmt.Sprint("h", i)
			w.expect("after 30 seconds", get[homes.House](w, name), want)
		}
	})
	t.Run("a busy service is asked for one resource at a time, and its other types do not wait", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h0", 3))
		w.pass(time.Minute)
		w.overloaded = "/doors/"
		for i := range 100 {
			w.create(newDoor(fmt.Sprint("d", i), "h0"))
		}
		w.pass(10 * time.Second)
		w.create(newHouse("h1", 3))
		w.pass(time.Second)
		w.expect("another type", get[homes.House](w, "h1"), "True Succeeded")
		w.pass(time.Hour)
		if w.refused > 100 {
			t.Errorf("the service was asked %d times in an hour in which it asks to wait a minute", w.refused)
		}
		w.overloaded = ""
		w.pass(time.Hour)
		for i := range 100 {
			w.expect("in the end", get[homes.Door](w, fmt.Sprint("d", i)), "True Succeeded")
		}
	})
	t.Run("a service that deletes nothing without If-Match gets it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.WantsIfMatch: 1}})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		if n := w.count("DELETE", houseID); n != 2 || get[homes.House](w, "h") != nil {
			t.Errorf("got %d DELETEs, want 2, and %v", n, get[homes.House](w, "h"))
		}
	})
	t.Run("a deletion that ARM's limits hold back is sent when ARM says", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.overloaded = "/houses/h"
		w.limit = true
		w.delete(get[homes.House](w, "h"))
		w.pass(10 * time.Minute)
		if w.refused < 5 || w.refused > 11 {
			t.Errorf("got %d DELETEs in ten minutes, want about one a minute", w.refused)
		}
		w.overloaded = ""
		w.pass(2 * time.Minute)
		if h := get[homes.House](w, "h"); h != nil {
			t.Errorf("got %v", h)
		}
	})
}
