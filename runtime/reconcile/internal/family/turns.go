package family

import (
	"slices"
	"sync"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// family is the key of a resource's id; it stands for the resource and its children in collections. One of
// them is written at a time, and none while ARM is at work on what another one has sent.
type family string

// familiesOf returns the families that the resource with an id belongs to.
func familiesOf(k *kinds.Kind, id string) (all []family) {
	if k.HasElements {
		all = append(all, family(arm.IDKey(id)))
	}
	if k.IsElement {
		all = append(all, family(arm.IDKey(ParentID(id))))
	}
	return all
}

const (
	// MaxWait is how long a family waits while ARM is at work. Then its writes are tried, as ARM may take
	// them all the same.
	MaxWait = 10 * time.Minute
	// turnLost is how long an object that is not woken waits before it tries again, for itself and for each
	// object before it.
	turnLost = time.Minute
)

// TakeTurn gives an object its turn in the families of its resource. If it is the turn of another one, it returns when
// to try again unless the object is woken before. Otherwise it returns the zero time.
func (f *Families) TakeTurn(object named.Object, k *kinds.Kind, id string) (again time.Time) {
	return f.turns.take(familiesOf(k, id), object, f.now())
}

// EndTurn ends the turn of an object whose reconcile has ended, and wakes those whose turn it is next. If
// ARM is at work on the resource, due is when ARM is polled, and the turn lasts until then; otherwise due
// is the zero time.
func (f *Families) EndTurn(object named.Object, due time.Time) {
	for _, next := range f.turns.end(object, due, f.now()) {
		f.wake(next)
	}
}

// turns holds whose turn it is in each family. An object has its turn until its reconcile ends, or until
// the operation that it began ends. Then the next one that waits is woken, and no other: otherwise each
// write of a thousand children would cause a reconcile of all that wait.
type turns struct {
	mutex    sync.Mutex
	byFamily map[family]*turn
	byObject map[named.Object][]family // for the objects that have a turn or were woken for it
}

// turn is the turn in one family.
type turn struct {
	// holders are the objects that have it, with the time at which ARM is polled about them, or the zero
	// time while they are reconciled. There are several if the first took too long.
	holders map[named.Object]time.Time
	waiting []named.Object
	woken   named.Object // the zero value for none
}

func newTurns() *turns {
	return &turns{byFamily: map[family]*turn{}, byObject: map[named.Object][]family{}}
}

// take gives an object its turn in families, or returns when it tries again if it is not woken before.
func (t *turns) take(all []family, object named.Object, now time.Time) (again time.Time) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, name := range all {
		f := t.byFamily[name]
		if f == nil {
			continue
		}
		until := f.busyUntil(object, now)
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
	for _, name := range all {
		f := t.byFamily[name]
		if f == nil {
			f = &turn{holders: map[named.Object]time.Time{}}
			t.byFamily[name] = f
		}
		f.holders[object] = time.Time{}
		f.waiting = slices.DeleteFunc(f.waiting, func(other named.Object) bool { return other == object })
	}
	if len(all) > 0 {
		t.byObject[object] = all
	}
	return time.Time{}
}

// busyUntil returns the time until which other objects have the turn, or the zero time. An object whose
// poll is a minute overdue does not count.
func (f *turn) busyUntil(object named.Object, now time.Time) (until time.Time) {
	for other, due := range f.holders {
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

// end ends the turn of an object, and returns the objects whose turn it is next.
func (t *turns) end(object named.Object, due, now time.Time) (next []named.Object) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	all := t.byObject[object]
	delete(t.byObject, object)
	for _, name := range all {
		f := t.byFamily[name]
		if f == nil {
			continue
		}
		_, had := f.holders[object]
		if had && !due.IsZero() {
			f.holders[object] = due
			t.byObject[object] = append(t.byObject[object], name)
			continue
		}
		delete(f.holders, object)
		if f.woken == object {
			f.woken, had = named.Object{}, true
		}
		if had && len(f.waiting) > 0 && f.busyUntil(object, now).IsZero() {
			f.woken, f.waiting = f.waiting[0], f.waiting[1:]
			t.byObject[f.woken] = append(t.byObject[f.woken], name)
			next = append(next, f.woken)
		}
		if len(f.holders) == 0 && len(f.waiting) == 0 && f.woken == (named.Object{}) {
			delete(t.byFamily, name)
		}
	}
	return next
}
