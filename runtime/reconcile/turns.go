package reconcile

import (
	"slices"
	"sync"
	"time"

	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
)

// family is a resource and its children in collections. One of it is written at a time, and
// nobody while ARM is at work on what another one has sent.
type family string

// families returns those that the resource of an id belongs to.
func (r *run) families(id string) (all []family) {
	if r.kind.HasElements {
		all = append(all, family(claims.Key(id)))
	}
	if r.kind.IsElement {
		all = append(all, family(claims.Key(parentID(id))))
	}
	return all
}

const (
	// familyWaits is how long a family waits for what ARM is at work on. Then its writes are
	// tried, as ARM may take them all the same.
	familyWaits = 10 * time.Minute
	// turnLost is when an object that is not woken tries again, for each that is before it.
	turnLost = time.Minute
)

// turns has whose turn it is in families. An object has its turn until its reconcile ends, or
// the operation that this has begun. Then the next one that waits is woken, and no other:
// otherwise each write of a thousand children would cause a reconcile of all that wait.
type turns struct {
	mutex sync.Mutex
	of    map[family]*turn
	in    map[ref][]family // of those that have a turn or were woken for it
}

// turn is that of one family.
type turn struct {
	// has are those that have it: when ARM is asked for them, or the zero time while they are
	// reconciled. They are several if the first took too long.
	has     map[ref]time.Time
	waiting []ref
	woken   ref // the zero value for none
}

func newTurns() *turns { return &turns{of: map[family]*turn{}, in: map[ref][]family{}} }

// take gives an object its turn in families, or returns when it tries again if it is not woken
// before.
func (t *turns) take(all []family, who ref, now time.Time) (again time.Time) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, of := range all {
		f := t.of[of]
		if f == nil {
			continue
		}
		until := f.busy(who, now)
		if until.IsZero() {
			continue
		}
		if f.woken == who {
			f.woken = ref{} // who has the turn wakes the next one
		}
		at := slices.Index(f.waiting, who)
		if at < 0 {
			at = len(f.waiting)
			f.waiting = append(f.waiting, who)
		}
		return until.Add(time.Duration(at+1) * turnLost)
	}
	for _, of := range all {
		f := t.of[of]
		if f == nil {
			f = &turn{has: map[ref]time.Time{}}
			t.of[of] = f
		}
		f.has[who] = time.Time{}
		f.waiting = slices.DeleteFunc(f.waiting, func(other ref) bool { return other == who })
	}
	if len(all) > 0 {
		t.in[who] = all
	}
	return time.Time{}
}

// busy returns until when others have the turn, or the zero time. One that was to be asked for a
// minute ago does not count.
func (f *turn) busy(who ref, now time.Time) (until time.Time) {
	for other, due := range f.has {
		if other != who && (due.IsZero() || now.Before(due.Add(time.Minute))) {
			for _, at := range []time.Time{now, due} {
				if at.After(until) {
					until = at
				}
			}
		}
	}
	return until
}

// done says that the reconcile of an object has ended, and returns those whose turn it is then.
// due is when ARM is asked for what it is at work on, or the zero time.
func (t *turns) done(who ref, due, now time.Time) (next []ref) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	all := t.in[who]
	delete(t.in, who)
	for _, of := range all {
		f := t.of[of]
		if f == nil {
			continue
		}
		_, had := f.has[who]
		if had && !due.IsZero() {
			f.has[who] = due
			t.in[who] = append(t.in[who], of)
			continue
		}
		delete(f.has, who)
		if f.woken == who {
			f.woken, had = ref{}, true
		}
		if had && len(f.waiting) > 0 && f.busy(who, now).IsZero() {
			f.woken, f.waiting = f.waiting[0], f.waiting[1:]
			t.in[f.woken] = append(t.in[f.woken], of)
			next = append(next, f.woken)
		}
		if len(f.has) == 0 && len(f.waiting) == 0 && f.woken == (ref{}) {
			delete(t.of, of)
		}
	}
	return next
}

// endTurn says that the reconcile of an object has ended, and wakes those whose turn it is then.
func (r *Reconciler) endTurn(of ref, due time.Time) {
	for _, next := range r.turns.done(of, due, r.options.Now()) {
		r.wake(next)
	}
}
