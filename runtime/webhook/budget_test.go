package webhook

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

type small struct{ A, B *string } // 16 bytes

type large struct { // 64 bytes
	Text  [6]uint64
	Small []small
}

type tree struct { // 24 bytes
	Large *large
	Child *tree
	Text  *string
}

func TestDensity(t *testing.T) {
	for _, test := range []struct {
		name  string
		value any
		want  structSizes
	}{
		{"a struct that comes once", struct{ A small }{}, structSizes{total: 32}},
		{"elements of a list", struct{ A []small }{}, structSizes{total: 24 + 16, repeated: 16}},
		{"values of a map", struct{ A map[string]*small }{}, structSizes{total: 8 + 16, repeated: 16}},
		{"below an element", struct{ A []struct{ B *large } }{}, structSizes{total: 24 + 8 + 72 + 16, repeated: 72}},
		{"a type within itself, and what is below it", tree{}, structSizes{total: 24 + 72 + 16 + 24 + 72, repeated: 72}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := structSizesOf(map[string]*typed{"v1": {goType: reflect.TypeOf(test.value)}})
			if got.repeated != test.want.repeated || got.total < test.want.total {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

func TestBudget(t *testing.T) {
	t.Run("large objects wait for each other, and leave room for a small one", largeWait)
	t.Run("a review waits for a place, and gives it back", reviewsWait)
	t.Run("results that are larger than their objects need room", resultsNeedRoom)
	t.Run("a budget that is too small for a review is an error", tooSmall)
	t.Run("weights grow with the parts of a value", weights)
}

const megabyte = 1 << 20

func testBudget(t *testing.T, workers int) *budget {
	t.Helper()
	b, err := newBudget(512*megabyte, 32*megabyte, workers, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// soon is a context in which nothing waits for long.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

func largeWait(t *testing.T) {
	b := testBudget(t, 2)
	if err := b.enter(t.Context(), b.maxSmall+1); err != nil {
		t.Fatal(err)
	}
	if err := b.enter(soon(t), b.maxSmall+1); err == nil {
		t.Fatal("two large ones are decoded at once, though a small one needs a place")
	}
	if err := b.enter(t.Context(), b.maxSmall); err != nil {
		t.Fatal(err)
	}
	if err := b.enter(soon(t), 1); err == nil {
		t.Error("three are decoded at once by two workers")
	}
	b.leave(b.maxSmall)
	b.leave(b.maxSmall + 1)
	for range 3 {
		if err := b.enter(t.Context(), b.maxRead); err != nil {
			t.Fatal(err)
		}
		if err := b.enter(soon(t), b.maxSmall+1); err == nil {
			t.Error("there is room beside the largest")
		}
		b.leave(b.maxRead)
	}
}

func reviewsWait(t *testing.T) {
	b := testBudget(t, 2)
	var leases []*reservation
	for range maxReviews {
		l, err := b.reserve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leases = append(leases, l)
	}
	if _, err := b.reserve(soon(t)); err == nil {
		t.Errorf("there are more than %d reviews", maxReviews)
	}
	l := leases[0]
	if err := l.grow(t.Context(), 32*megabyte); err != nil {
		t.Fatal(err)
	}
	l.users.Add(1)
	l.done()
	if _, err := b.reserve(soon(t)); err == nil {
		t.Error("a review gives up its place though a worker is busy with it")
	}
	l.done()
	again, err := b.reserve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := again.grow(t.Context(), 32*megabyte); err != nil {
			t.Fatal(err)
		}
	}
	if err := again.grow(soon(t), 32*megabyte); err == nil {
		t.Error("bodies take more than there is")
	}
}

func resultsNeedRoom(t *testing.T) {
	b := testBudget(t, 2)
	l, err := b.reserve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := l.reserveExtra(spareBytes / 2); err != nil {
			t.Fatal(err)
		}
	}
	rest := 512*megabyte/8*3 - maxReviews*(2*firstBytes+spareBytes)
	if err := l.reserveExtra(int64(rest)); err != nil {
		t.Fatal(err)
	}
	if err := l.reserveExtra(1); err != errBusy {
		t.Errorf("there is no room, but %v", err)
	}
	l.done()
	if !b.bodies.TryAcquire(int64(rest)) {
		t.Error("not all came back")
	}
}

func tooSmall(t *testing.T) {
	_, err := newBudget(64*megabyte, 32*megabyte, 2, time.Minute)
	if err == nil {
		t.Fatal("it is not")
	}
	var need, have int64
	const form = "webhook: reviews of 33554432 bytes need a memory of %d bytes, and there are %d:"
	if _, e := fmt.Sscanf(err.Error(), form, &need, &have); e != nil || have != 64*megabyte {
		t.Fatal(err)
	}
	if _, err := newBudget(need+8, 32*megabyte, 2, time.Minute); err != nil {
		t.Errorf("as much as it asks for: %v", err)
	}
}

func weights(t *testing.T) {
	d := structSizes{total: 1000, repeated: 100}
	zero := d.weight(0, rawjson.Measure{}, 0)
	for _, m := range []rawjson.Measure{{Objects: 1}, {Strings: 1}, {Lists: 1}, {Others: 1}, {Depth: 1}} {
		if d.weight(0, m, 0) <= zero {
			t.Errorf("%+v weighs nothing", m)
		}
	}
	if d.weight(1, rawjson.Measure{}, 0) <= zero || d.weight(0, rawjson.Measure{}, 1) <= zero || zero < 1000 {
		t.Error("bytes, notes or the type weigh nothing")
	}
}
