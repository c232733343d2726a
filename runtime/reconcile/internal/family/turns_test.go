package family

import (
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// TestTurns has sequences of turns in a family.
func TestTurns(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	object := func(name string) named.Object { return named.Object{NamespacedName: types.NamespacedName{Name: name}} }
	a, b, c := object("a"), object("b"), object("c")
	of := []family{"f"}
	later := now.Add(5 * time.Minute)
	type step struct {
		take named.Object
		at   time.Time // in place of now
		busy bool
		done named.Object
		due  time.Time
		next named.Object
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
				if s.take != (named.Object{}) {
					if again := turns.take(of, s.take, at); again.IsZero() == s.busy {
						t.Errorf("step %d: %s tries again at %v, want busy %v", i, s.take.Name, again, s.busy)
					}
					continue
				}
				var want []named.Object
				if s.next != (named.Object{}) {
					want = []named.Object{s.next}
				}
				if got := turns.end(s.done, s.due, at); !slices.Equal(got, want) {
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
			for next := turns.end(a, time.Time{}, now); len(next) > 0; next = turns.end(next[0], time.Time{}, now) {
			}
		}
		if len(turns.byFamily)+len(turns.byObject) > 0 {
			t.Errorf("left are %v and %v", turns.byFamily, turns.byObject)
		}
	})
}
