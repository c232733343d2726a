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

// budget limits the memory that all reviews take together, and the work that is
// done at once. It has three parts, each for one stage of a review. A review
// takes the parts in a fixed order, and keeps the earlier ones while it waits for a
// later one, so that reviews cannot block each other.
type budget struct {
	// reviews has a place for each review that may be under way. The place includes
	// memory for the first bytes of its body, so that an ordinary review never
	// waits for a large one to arrive.
	reviews *semaphore.Weighted
	// bodies is the memory, in bytes, for the rest of bodies and for results.
	bodies *semaphore.Weighted
	// decoded is the memory, in bytes, for large objects while they are converted. Small
	// ones need no part of it, because so few are decoded at once.
	decoded *semaphore.Weighted

	slots      chan struct{} // has a place for each object that may be decoded at once
	largeSlots chan struct{} // has one place fewer, so that large objects leave room for a small one
	// maxRead is the weight of the largest object that may be read, maxWritten of the
	// largest that may be stored, and maxSmall of the largest that counts as small.
	maxRead, maxWritten, maxSmall int64
	maxWait                       time.Duration // how long a review waits for its turn, and for its bytes
}

const (
	// maxReviews is how many reviews may be under way at once.
	maxReviews = 256
	// firstBytes is how many bytes of a body are part of a review's place.
	firstBytes = 64 << 10
	// spareBytes is how many bytes the results of any review may have more than its
	// objects, without a further reservation.
	spareBytes = 64 << 10
	// maxObjects is how many objects a review may have. The API server sends one.
	maxObjects = 100_000
	// maxReviewWait is the longest time that a review waits for its turn.
	maxReviewWait = 10 * time.Second
	// retryAfter is how many seconds a client is asked to wait if there was no room.
	// The API server's client waits, and tries again up to ten times.
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
	bodies := memory/8*3 - maxReviews*(2*firstBytes+spareBytes)
	if bodies < 2*maxBytes {
		return nil, fmt.Errorf("webhook: reviews of %d bytes need a memory of %d bytes, and there are %d: allow "+
			"less for a review, or set GOMEMLIMIT or the memory higher",
			maxBytes, (2*maxBytes+maxReviews*(2*firstBytes+spareBytes))/3*8, memory)
	}
	decoded := memory / 2
	return &budget{
		reviews:    semaphore.NewWeighted(maxReviews),
		bodies:     semaphore.NewWeighted(bodies),
		decoded:    semaphore.NewWeighted(decoded),
		slots:      make(chan struct{}, workers),
		largeSlots: make(chan struct{}, max(workers-1, 1)),
		maxRead:    decoded,
		maxWritten: decoded / 2,
		maxSmall:   memory / 8 / int64(workers),
		maxWait:    min(timeout/2, maxReviewWait),
	}, nil
}

// errBusy is the error of a review for which the budget had no room within its wait.
var errBusy = errors.New("the webhook has no memory left for this ConversionReview, because of others: try again")

// acquire waits for a part of the budget, no longer than [budget.maxWait].
func (b *budget) acquire(ctx context.Context, of *semaphore.Weighted, n int64) error {
	if of.TryAcquire(n) {
		return nil
	}
	patient, cancel := context.WithTimeout(ctx, b.maxWait)
	defer cancel()
	if of.Acquire(patient, n) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errBusy
}

// enter waits until an object of some weight may be decoded. [budget.leave] releases its
// place.
func (b *budget) enter(ctx context.Context, weight int64) error {
	if weight > b.maxSmall {
		if err := b.acquire(ctx, b.decoded, weight); err != nil {
			return err
		}
		if err := takeSlot(ctx, b.largeSlots); err != nil {
			b.decoded.Release(weight)
			return err
		}
	}
	if err := takeSlot(ctx, b.slots); err != nil {
		b.releaseLarge(weight)
		return err
	}
	return nil
}

func takeSlot(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (b *budget) leave(weight int64) {
	<-b.slots
	b.releaseLarge(weight)
}

// releaseLarge releases the part of the budget that a large object has.
func (b *budget) releaseLarge(weight int64) {
	if weight > b.maxSmall {
		<-b.largeSlots
		b.decoded.Release(weight)
	}
}

// reservation is the part of the budget that a review has taken. The last of its users releases it:
// a worker may still be at work when the time of a review is over.
type reservation struct {
	*budget
	users   atomic.Int64
	body    *[]byte
	workers []*worker
	bytes   atomic.Int64 // bytes that are reserved in budget.bodies
	spare   atomic.Int64 // bytes by which results may still exceed their objects
}

// reserve waits for the place of a review.
func (b *budget) reserve(ctx context.Context) (*reservation, error) {
	if err := b.acquire(ctx, b.reviews, 1); err != nil {
		return nil, err
	}
	l := &reservation{budget: b}
	l.users.Store(1)
	l.spare.Store(spareBytes)
	return l, nil
}

// grow reserves memory for the rest of a body, and as much for results. It waits for it.
func (l *reservation) grow(ctx context.Context, size int64) error {
	if err := l.acquire(ctx, l.bodies, 2*size); err != nil {
		return err
	}
	l.bytes.Add(2 * size)
	l.spare.Add(size)
	return nil
}

// reserveExtra reserves memory for the bytes by which a result exceeds its object. It does not
// wait, because the review already has memory that others wait for.
func (l *reservation) reserveExtra(more int64) error {
	if more == 0 || l.spare.Add(-more) >= 0 {
		return nil
	}
	if !l.bodies.TryAcquire(more) {
		return errBusy
	}
	l.bytes.Add(more)
	return nil
}

// done ends one user's use of the reservation, and releases it after the last one.
func (l *reservation) done() {
	if l.users.Add(-1) > 0 {
		return
	}
	for _, w := range l.workers {
		w.release()
	}
	if l.body != nil {
		bodies.put(l.body)
	}
	l.bodies.Release(l.bytes.Load())
	l.reviews.Release(1)
}

// The memory that an object takes while it is converted: for several Go values of
// several versions, for JSON, and for trees of JSON in between. TestWeight measures it.
const (
	perByte       = 8
	perObject     = 600
	perString     = 400
	perList       = 400
	perOther      = 160
	perDepth      = 4 << 10
	perSize       = 5   // of a struct's size
	perAnnotation = 100 // for each byte of an annotation of package remainder
)

// weight returns the most bytes that the conversion of an object of a kind can take.
// annotation is the length of its annotation of package remainder. The text need not be
// parsed: each JSON object in it counts as the largest struct that can come many times.
func (d structSizes) weight(size int, m rawjson.Measure, annotation int) int64 {
	n := func(i int) int64 { return int64(i) }
	return n(d.total)*perSize + n(size)*perByte + n(m.Objects)*(n(d.repeated)*perSize+perObject) +
		n(m.Strings)*perString + n(m.Lists)*perList + n(m.Others)*perOther + n(m.Depth)*perDepth + n(annotation)*perAnnotation
}

// structSizes has the sizes of the structs of a kind, in bytes.
type structSizes struct {
	total    int // of all struct types that an object can contain
	repeated int // of the largest struct that an object can contain many times
}

// structSizesOf returns the largest sizes of all versions of a kind.
func structSizesOf(versions map[string]*typed) (d structSizes) {
	for _, v := range versions {
		s := sizeCollector{seen: map[reflect.Type]bool{}, ancestors: map[reflect.Type]bool{}}
		s.add(v.goType, false)
		d.total, d.repeated = max(d.total, s.total), max(d.repeated, s.repeated)
	}
	return d
}

// sizeCollector collects the sizes of the structs of a type.
type sizeCollector struct {
	structSizes
	seen      map[reflect.Type]bool // whether each type that was seen can come many times
	ancestors map[reflect.Type]bool // the types that contain the current one
}

func (s *sizeCollector) add(t reflect.Type, repeated bool) {
	switch t.Kind() {
	case reflect.Pointer:
		s.add(t.Elem(), repeated)
	case reflect.Slice, reflect.Map, reflect.Array:
		s.add(t.Elem(), true)
	case reflect.Struct:
		repeated = repeated || s.ancestors[t]
		if before, seen := s.seen[t]; seen && (before || !repeated) {
			return
		}
		s.seen[t] = repeated
		s.total += int(t.Size())
		if repeated {
			s.repeated = max(s.repeated, int(t.Size()))
		}
		isAncestor := s.ancestors[t]
		s.ancestors[t] = true
		for i := range t.NumField() {
			s.add(t.Field(i).Type, repeated)
		}
		s.ancestors[t] = isAncestor
	}
}
