package reconcile

import (
	"fmt"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// TestFamilyWaits has children whose family is busy.
func TestFamilyWaits(t *testing.T) {
	t.Run("they take no place among the requests that ARM permits", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Limits: true})
		w.create(newGarden(3))
		w.pass(time.Minute)
		somebody := ref{}
		somebody.Name = "somebody"
		w.op.families.TakeTurn(somebody, w.kind("Garden"), gardenID)
		for i := range 100 {
			w.create(newPlant(fmt.Sprintf("p%d", i), 1))
		}
		w.pass(30 * time.Second)
		w.create(newHouse("h", 3))
		w.pass(2 * time.Second)
		w.expect("another of the subscription", get[homes.House](w, "h"), "True Succeeded")
		if n := w.count("PUT", plantID("p0")); n > 0 {
			t.Errorf("ARM got %d PUTs of a child", n)
		}
		w.op.families.EndTurn(somebody, time.Time{})
		w.pass(time.Minute)
		w.expect("a child", get[homes.Plant](w, "p99"), "True Succeeded")
	})
	t.Run("a write causes no reconcile of all that wait", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Slowest: time.Minute, Rates: armtest.Rates{armtest.AsyncOperation: 1}})
		w.create(newGarden(3))
		w.pass(5 * time.Minute)
		const children = 100
		before := w.steps
		for i := range children {
			w.create(newPlant(fmt.Sprintf("p%d", i), 1))
		}
		w.pass(children * 2 * time.Minute)
		for i := range children {
			w.expect("a child", get[homes.Plant](w, fmt.Sprintf("p%d", i)), "True Succeeded")
		}
		if n := w.steps - before; n > 10*children {
			t.Errorf("%d children caused %d reconciles", children, n)
		}
	})
}
