package family

import (
	"slices"
	"sync"
	"time"

	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// family is a resource and its children in collections, by the key of its id. One of it is written at a time, and
// none while ARM is at work on what another one has sent.
type family string

// of returns the families that the resource of an id belongs to.
func of(k *kinds.Kind, id string) (all []family) {
	if k.HasElements {
		all = append(all, family(claims.Key(id)))
	}
	if k.IsElement {
		all = append(all, family(claims.Key(ParentID(id))))
	}
	return all
}

const (
	// MaxWait is how long a family waits for what ARM is at work on. Then its writes are
	// tried, as ARM may take them all the same.
	MaxWait = 10 * time.Minute
	// turnLost is when an object that is not woken tries again, for each that is before it.
	turnLost = time.Minute
)

// TakeTurn gives an object its turn in the families of its resource. If it is the turn of another one, it returns when
// to try again unless the object is woken before. Otherwise it returns the zero time.
func (f *Families) TakeTurn(object named.Object, k *kinds.Kind, id string) (again time.Time) {
	return f.turns.take(of(k, id), object, f.now())
}

// EndTurn ends the turn of an object whose reconcile has ended, and wakes those whose turn it is then. If ARM is
// at work on the resource, due is when it is asked, and the turn lasts until then; otherwise it is the zero
// time.
func (f *Families) EndTurn(object named.Object, due time.Time) {
	for _, next := range f.turns.done(object, due, f.now()) {
		f.wake(next)
	}
}

// turns holds whose turn it is in each family. An object has its turn until its reconcile ends, or
// the operation that it has begun. Then the next one that waits is woken, and no other:
// otherwise each write of a thousand children would cause a reconcile of all that wait.
type turns struct {
	mutex sync.Mutex
	of    map[family]*turn
	in    map[named.Object][]family // by the objects that have a turn or were woken for it
}

// turn is the turn in one family.
type turn struct {
	// has are the objects that have it, with the time at which ARM is asked for them, or the zero time while they are
	// reconciled. They are several if the first took too long.
	has     map[named.Object]time.Time
	waiting []named.Object
	woken   named.Object // the zero value for none
}

func newTurns() *turns { return &turns{of: map[family]*turn{}, in: map[named.Object][]family{}} }

// take gives an object its turn in families, or returns when it tries again if it is not woken
// before.
func (t *turns) take(all []family, object named.Object, now time.Time) (again time.Time) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, of := range all {
		f := t.of[of]
		if f == nil {
			continue
		}
		until := f.busy(object, now)
		if until.IsZero() {
			continue
		}
		if f.woken == object {
			f.woken = named.Object{} // the one that has the turn wakes the next one
		}
		at := slices.Index(f.waiting, object)
		if at < 0 {
			at = len(f.waiting)
			f.waiting = append(f.waiting, object)
		}
		return until.Add(time.Duration(at+1) * turnLost)
	}
	for _, of := range all {
		f := t.of[of]
		if f == nil {
			f = &turn{has: map[named.Object]time.Time{}}
			t.of[of] = f
		}
		f.has[object] = time.Time{}
		f.waiting = slices.DeleteFunc(f.waiting, func(other named.Object) bool { return other == object })
	}
	if len(all) > 0 {
		t.in[object] = all
	}
	return time.Time{}
}

// busy returns until when others have the turn, or the zero time. One that was to be asked for a
// minute ago does not count.
func (f *turn) busy(object named.Object, now time.Time) (until time.Time) {
	for other, due := range f.has {
		if other != object && (due.IsZero() || now.Before(due.Add(time.Minute))) {
			for _, at := range []time.Time{now, due} {
				if at.After(until) {
					until = at
				}
			}
		}
	}
	return until
}

// done ends the turn of an object, and returns the objects whose turn it is then.
func (t *turns) done(object named.Object, due, now time.Time) (next []named.Object) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	all := t.in[object]
	delete(t.in, object)
	for _, of := range all {
		f := t.of[of]
		if f == nil {
			continue
		}
		_, had := f.has[object]
		if had && !due.IsZero() {
			f.has[object] = due
			t.in[object] = append(t.in[object], of)
			continue
		}
		delete(f.has, object)
		if f.woken == object {
			f.woken, had = named.Object{}, true
		}
		if had && len(f.waiting) > 0 && f.busy(object, now).IsZero() {
			f.woken, f.waiting = f.waiting[0], f.waiting[1:]
			t.in[f.woken] = append(t.in[f.woken], of)
			next = append(next, f.woken)
		}
		if len(f.has) == 0 && len(f.waiting) == 0 && f.woken == (named.Object{}) {
			delete(t.of, of)
		}
	}
	return next
}
