package webhook

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// budget bounds the memory that all reviews take together, and the work that is
// done at once. It has three parts, each for one stage of a review. A review
// waits for a later part with what it has of an earlier one, and never the other
// way round, so that they cannot block each other.
type budget struct {
	// reviews has a place for each review that may be under way. It comes with
	// memory for the first bytes of its body, so that an ordinary review never
	// waits for a large one to arrive.
	reviews *semaphore.Weighted
	// bodies is for the bodies beyond that, and for results, in bytes.
	bodies *semaphore.Weighted
	// decoded is for what large objects become, in bytes. Small ones need no part
	// of it, because so few are decoded at once.
	decoded *semaphore.Weighted

	slots      chan struct{} // has a place for each object that may be decoded at once
	largeSlots chan struct{} // has fewer, so that a large object leaves room for a small one
	// most is the weight of the largest object that may be read, mostWritten of
	// the largest that may be stored, and small of the largest small one.
	most, mostWritten, small int64
	patience                 time.Duration // how long a review waits for its turn, and for its bytes
}

const (
	// mostReviews is how many reviews may be under way at once.
	mostReviews = 256
	// firstBytes is how much of a body needs no room in the budget.
	firstBytes = 64 << 10
	// spareBytes is by how much the results of any review may be larger than its
	// objects.
	spareBytes = 64 << 10
	// mostObjects is how many objects a review may have. The API server sends one.
	mostObjects = 100_000
	// mostPatience is how long a review waits for its turn at most.
	mostPatience = 10 * time.Second
	// retryAfter is how many seconds a client is asked to wait if there was no room.
	// The API server's client does, and tries again up to ten times.
	retryAfter = "1"
)

// defaultMemory returns how much memory reviews may take together: five eighths
// of GOMEMLIMIT, which leaves room for garbage and all else.
func defaultMemory() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < 1<<40 {
		return limit / 8 * 5
	}
	return 512 << 20
}

func newBudget(memory, maxBytes int64, workers int, timeout time.Duration) (*budget, error) {
	bodies := memory/8*3 - mostReviews*(2*firstBytes+spareBytes)
	if bodies < 2*maxBytes {
		return nil, fmt.Errorf("webhook: reviews of %d bytes need a memory of %d bytes, and there are %d: allow "+
			"less for a review, or set GOMEMLIMIT or the memory higher",
			maxBytes, (2*maxBytes+mostReviews*(2*firstBytes+spareBytes))/3*8, memory)
	}
	decoded := memory / 2
	return &budget{
		reviews:     semaphore.NewWeighted(mostReviews),
		bodies:      semaphore.NewWeighted(bodies),
		decoded:     semaphore.NewWeighted(decoded),
		slots:       make(chan struct{}, workers),
		largeSlots:  make(chan struct{}, max(workers-1, 1)),
		most:        decoded,
		mostWritten: decoded / 2,
		small:       memory / 8 / int64(workers),
		patience:    min(timeout/2, mostPatience),
	}, nil
}

// errBusy is returned if the budget had no room within the time that a review waits.
var errBusy = errors.New("the webhook has no memory left for this ConversionReview, because of others: try again")

// acquire waits for a part of the budget, no longer than [budget.patience].
func (b *budget) acquire(ctx context.Context, of *semaphore.Weighted, n int64) error {
	if of.TryAcquire(n) {
		return nil
	}
	patient, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	if of.Acquire(patient, n) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errBusy
}

// enter waits until an object of some weight may be decoded. [budget.leave] gives its
// place back.
func (b *budget) enter(ctx context.Context, weight int64) error {
	if weight > b.small {
		if err := b.acquire(ctx, b.decoded, weight); err != nil {
			return err
		}
		if err := take(ctx, b.largeSlots); err != nil {
			b.decoded.Release(weight)
			return err
		}
	}
	if err := take(ctx, b.slots); err != nil {
		b.forget(weight)
		return err
	}
	return nil
}

func take(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (b *budget) leave(weight int64) {
	<-b.slots
	b.forget(weight)
}

// forget gives back what a large object has of the budget.
func (b *budget) forget(weight int64) {
	if weight > b.small {
		<-b.largeSlots
		b.decoded.Release(weight)
	}
}

// lease holds the part of the budget that a review has taken. The last of its users gives it back:
// a worker may still be at work when the time of a review is over.
type lease struct {
	*budget
	users   atomic.Int64
	body    *[]byte
	workers []*worker
	held    atomic.Int64 // bytes of the bodies' part
	spare   atomic.Int64 // bytes that results may still have beyond their objects
}

// lease waits for the place of a review.
func (b *budget) lease(ctx context.Context) (*lease, error) {
	if err := b.acquire(ctx, b.reviews, 1); err != nil {
		return nil, err
	}
	l := &lease{budget: b}
	l.users.Store(1)
	l.spare.Store(spareBytes)
	return l, nil
}

// grow waits for room for a body of some size, and for results of the same size.
func (l *lease) grow(ctx context.Context, size int64) error {
	if err := l.acquire(ctx, l.bodies, 2*size); err != nil {
		return err
	}
	l.held.Add(2 * size)
	l.spare.Add(size)
	return nil
}

// keep takes room for what a result is larger than its object. It does not wait,
// because it holds memory that others wait for.
func (l *lease) keep(more int64) error {
	if more == 0 || l.spare.Add(-more) >= 0 {
		return nil
	}
	if !l.bodies.TryAcquire(more) {
		return errBusy
	}
	l.held.Add(more)
	return nil
}

// done ends the use by one user.
func (l *lease) done() {
	if l.users.Add(-1) > 0 {
		return
	}
	for _, w := range l.workers {
		w.release()
	}
	if l.body != nil {
		bodies.put(l.body)
	}
	l.bodies.Release(l.held.Load())
	l.reviews.Release(1)
}

// What an object becomes while it is converted: several Go values of several
// versions, JSON, and in between trees of JSON. TestWeight measures it.
const (
	perByte   = 8
	perObject = 600
	perString = 400
	perList   = 400
	perOther  = 160
	perDepth  = 4 << 10
	perSize   = 5   // of a struct's size
	perNoted  = 100 // byte of an annotation of package remainder
)

// weight returns how many bytes it takes at most to convert an object of a kind. noted
// is the length of its annotation of package remainder. A list of n objects {} is n
// structs, of whichever type is the largest that can come so often, so the text need
// not be parsed.
func (d density) weight(size int, m rawjson.Measure, noted int) int64 {
	n := func(i int) int64 { return int64(i) }
	return n(d.once)*perSize + n(size)*perByte + n(m.Objects)*(n(d.often)*perSize+perObject) +
		n(m.Strings)*perString + n(m.Lists)*perList + n(m.Others)*perOther + n(m.Depth)*perDepth + n(noted)*perNoted
}

// density has the sizes of the Go values of a kind.
type density struct {
	once  int // bytes of all structs that an object can have
	often int // bytes of the largest that it can have many times
}

// densityOf returns the most of all versions of a kind.
func densityOf(versions map[string]*typed) (d density) {
	for _, v := range versions {
		s := sizes{repeated: map[reflect.Type]bool{}, around: map[reflect.Type]bool{}}
		s.add(v.goType, false)
		d.once, d.often = max(d.once, s.once), max(d.often, s.often)
	}
	return d
}

// sizes collects the sizes of the structs of a type.
type sizes struct {
	density
	repeated map[reflect.Type]bool // of the types that were seen
	around   map[reflect.Type]bool
}

func (s *sizes) add(t reflect.Type, repeated bool) {
	switch t.Kind() {
	case reflect.Pointer:
		s.add(t.Elem(), repeated)
	case reflect.Slice, reflect.Map, reflect.Array:
		s.add(t.Elem(), true)
	case reflect.Struct:
		repeated = repeated || s.around[t]
		if before, seen := s.repeated[t]; seen && (before || !repeated) {
			return
		}
		s.repeated[t] = repeated
		s.once += int(t.Size())
		if repeated {
			s.often = max(s.often, int(t.Size()))
		}
		around := s.around[t]
		s.around[t] = true
		for i := range t.NumField() {
			s.add(t.Field(i).Type, repeated)
		}
		s.around[t] = around
	}
}
