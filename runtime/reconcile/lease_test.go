package reconcile

import (
	"context"
	"errors"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// fakeLock is a lock in memory, whose writes take a time.
type fakeLock struct {
	resourcelock.Interface
	err   error
	write func()
}

func (*fakeLock) Identity() string { return "me" }
func (f *fakeLock) Create(context.Context, resourcelock.LeaderElectionRecord) error {
	f.write()
	return f.err
}
func (f *fakeLock) Update(context.Context, resourcelock.LeaderElectionRecord) error {
	f.write()
	return f.err
}

func TestLease(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	lock := &fakeLock{write: func() { now = now.Add(2 * time.Second) }}
	lease := NewLease(lock, 15*time.Second)
	lease.now = func() time.Time { return now }
	ctx, mine := context.Background(), resourcelock.LeaderElectionRecord{HolderIdentity: "me"}
	expect := func(what string, allowed bool) {
		t.Helper()
		if err := lease.Allow(ctx); (err == nil) != allowed {
			t.Errorf("%s: got %v", what, err)
		}
	}
	expect("before it is held", false)
	if err := lease.Create(ctx, mine); err != nil {
		t.Fatal(err)
	}
	expect("while it is held", true)
	now = now.Add(13*time.Second - 1)
	expect("to its end, which counts from before the write", true)
	now = now.Add(1)
	expect("not after its end", false)
	if err := lease.Update(ctx, mine); err != nil {
		t.Fatal(err)
	}
	expect("after it was renewed", true)
	now = now.Add(12 * time.Second)
	lock.err = errors.New("a conflict")
	if err := lease.Update(ctx, mine); err == nil {
		t.Error("the error of the lock is lost")
	}
	expect("a renewal that failed", false)
	lock.err = nil
	lease.Update(ctx, mine)
	lease.Update(ctx, resourcelock.LeaderElectionRecord{HolderIdentity: ""})
	expect("after it was given up", false)

	t.Run("without it nothing is sent, and nothing is written", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.options.Allow = lease.Allow
		w.start()
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		if n := len(w.arm.Requests()); n != 0 {
			t.Errorf("got %d requests", n)
		}
		if h := get[homes.House](w, "h"); ready(h) != "none" || len(h.Annotations)+len(h.Finalizers) != 0 {
			t.Errorf("the object was written: %v", h)
		}
		w.options.Allow = nil
		w.start()
		w.pass(time.Minute)
		w.expect("with it", get[homes.House](w, "h"), "True Succeeded")
	})
}
