package reconcile

import (
	"fmt"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestPeace counts the operator's requests to the API server while nothing changes: for each
// resource that it reads from ARM it reads the Secrets, and nothing else.
func TestPeace(t *testing.T) {
	const houses, doors = 10, 30
	rates := armtest.Rates{
		armtest.AsyncOperation: .5, armtest.LocationOperation: .2, armtest.StateOperation: .1, armtest.NewURL: .4,
		armtest.NoResource: .25, armtest.ShowsState: .6, armtest.MissingParent: 1, armtest.Busy: 1,
		armtest.OtherCase: .2, armtest.SpelledLocation: .3, armtest.NotEchoed: 1}
	for name, etag := range map[string]float64{"with ETags": 0, "without": 1} {
		t.Run(name, func(t *testing.T) {
			rates := rates.Without()
			rates[armtest.NoETag] = etag
			w := newWorld(t, armtest.Behavior{Seed: 1, Slowest: 2 * time.Minute, Rates: rates})
			w.secret("pw", map[string]string{"k": "canary"})
			for i := range houses {
				w.create(newHouse(fmt.Sprint("h", i), 1))
			}
			for i := range doors {
				d := newDoor(fmt.Sprint("d", i), fmt.Sprint("h", i%houses))
				d.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
				w.create(d)
			}
			w.pass(time.Hour)
			for i := range doors {
				w.expect("a door", get[homes.Door](w, fmt.Sprint("d", i)), "True Succeeded")
			}
			for _, starts := range []bool{false, true} {
				reads, writes, asked := w.reads, w.writes, len(w.arm.Requests())
				want := 2 * doors
				if starts { // it reconciles each once, and reads its keys and the credential of the namespace
					w.start()
					want += doors + 2
				}
				w.pass(2 * time.Hour)
				if got := w.reads - reads; got != want {
					t.Errorf("after a start %v: there were %d reads in two hours, want %d", starts, got, want)
				}
				if got := w.writes - writes; got != 0 {
					t.Errorf("after a start %v: there were %d writes in two hours, want none", starts, got)
				}
				if got, want := len(w.arm.Requests())-asked, 2*(houses+doors); got != want {
					t.Errorf("after a start %v: ARM got %d requests in two hours, want %d", starts, got, want)
				}
			}
		})
	}
}

// TestNew counts what a new object costs the API server.
func TestNew(t *testing.T) {
	for _, row := range []struct {
		what   string
		make   func(*world)
		writes int
	}{
		{"the record twice, the first time with the mark, and the Status", func(w *world) { w.create(newHouse("h", 3)) }, 3},
		{"also two Statuses before, if it waits", func(w *world) {
			w.create(newDoor("d", "h"))
			w.pass(time.Minute)
			w.create(newHouse("h", 3))
		}, 3 + 6},
	} {
		t.Run(row.what, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("other", 3)) // for which the keys are made
			w.pass(time.Minute)
			writes := w.writes
			row.make(w)
			w.pass(time.Minute)
			w.expect("it", get[homes.House](w, "h"), "True Succeeded")
			if got := w.writes - writes; got != row.writes {
				t.Errorf("there were %d writes, want %d", got, row.writes)
			}
		})
	}
}
