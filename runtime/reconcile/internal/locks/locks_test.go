package locks_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/armature-dev/armature/runtime/reconcile/internal/locks"
)

func TestLocks(t *testing.T) {
	var l locks.Locks
	unlock := l.Lock("a")
	if _, ok := l.Try("a"); ok {
		t.Error("Try got a key that is locked")
	}
	other, ok := l.Try("b")
	if !ok {
		t.Fatal("Try did not get a key that is free")
	}
	other()
	unlock()
	if unlock, ok = l.Try("a"); !ok {
		t.Fatal("Try did not get a key that was unlocked")
	}
	unlock()
}

// TestTry lets many try for one key: Try waits for nobody, and one at a time has it.
func TestTry(t *testing.T) {
	var l locks.Locks
	var inside, had atomic.Int32
	hold := make(chan struct{})
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			unlock, ok := l.Try("k")
			if had.Add(1) == 50 {
				close(hold) // all have tried, while who has it holds it
			}
			if !ok {
				return
			}
			if inside.Add(1) > 1 {
				t.Error("two have the key")
			}
			<-hold
			inside.Add(-1)
			unlock()
		})
	}
	group.Wait()
}
