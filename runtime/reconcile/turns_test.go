package reconcile

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

func TestTurns(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	who := func(name string) ref { return named.Object{NamespacedName: types.NamespacedName{Name: name}} }
	a, b, c := who("a"), who("b"), who("c")
	of := []family{"f"}
	later := now.Add(5 * time.Minute)
	type step struct {
		take ref
		at   time.Time // in place of now
		busy bool
		done ref
		due  time.Time
		next ref
	}
	for name, steps := range map[string][]step{
		"one at a time, in order": {
			{take: a}, {take: b, busy: true}, {take: c, busy: true}, {done: b}, {done: a, next: b},
			{take: b}, {done: b, next: c}, {take: c}, {done: c}, {take: a},
		},
		"an operation keeps it": {
			{take: a}, {take: b, busy: true}, {done: a, due: later}, {take: b, busy: true}, {done: a, next: b}, {take: b},
		},
		"who waits twice has one place": {
			{take: a}, {take: b, busy: true}, {take: b, busy: true}, {done: a, next: b}, {done: b}, {take: c},
		},
		"who was woken and does not take it passes it on": {
			{take: a}, {take: b, busy: true}, {take: c, busy: true}, {done: a, next: b}, {done: b, next: c},
		},
		"who was woken and comes too late waits again": {
			{take: a}, {take: b, busy: true}, {done: a, next: b}, {take: c}, {take: b, busy: true}, {done: b}, {done: c, next: b},
		},
		"an operation that nobody asks for does not keep it": {
			{take: a}, {done: a, due: now}, {take: b, busy: true}, {take: b, at: now.Add(time.Minute)}, {done: a}, {done: b},
		},
	} {
		t.Run(name, func(t *testing.T) {
			turns := newTurns()
			for i, s := range steps {
				at := s.at
				if at.IsZero() {
					at = now
				}
				if s.take != (ref{}) {
					if again := turns.take(of, s.take, at); again.IsZero() == s.busy {
						t.Errorf("step %d: %s tries again at %v, want busy %v", i, s.take.Name, again, s.busy)
					}
					continue
				}
				var want []ref
				if s.next != (ref{}) {
					want = []ref{s.next}
				}
				if got := turns.done(s.done, s.due, at); !slices.Equal(got, want) {
					t.Errorf("step %d: woken are %v, want %v", i, got, want)
				}
			}
		})
	}
	t.Run("nothing is left in the end", func(t *testing.T) {
		turns := newTurns()
		for _, of := range [][]family{{"f"}, {"g"}, {"f", "g"}} {
			turns.take(of, a, now)
			turns.take(of, b, now)
			for next := turns.done(a, time.Time{}, now); len(next) > 0; next = turns.done(next[0], time.Time{}, now) {
			}
		}
		if len(turns.of)+len(turns.in) > 0 {
			t.Errorf("left are %v and %v", turns.of, turns.in)
		}
	})
}

// TestFamilyWaits has children whose family is busy.
func TestFamilyWaits(t *testing.T) {
	t.Run("they take no place among the requests that ARM permits", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Limits: true})
		w.create(newGarden(3))
		w.pass(time.Minute)
		somebody := ref{}
		somebody.Name = "somebody"
		w.op.turns.take([]family{family(claims.Key(gardenID))}, somebody, w.now)
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
		w.op.endTurn(somebody, time.Time{})
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
