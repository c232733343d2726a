package locks_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/armature-dev/armature/runtime/reconcile/internal/locks"
)

// TestLocks locks two keys from many goroutines: one at a time holds each.
func TestLocks(t *testing.T) {
	var l locks.Locks
	var inside [2]atomic.Int32
	unlock := l.Lock("another") // which holds up nobody
	defer unlock()
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			defer l.Lock(i % 2)()
			if inside[i%2].Add(1) > 1 {
				t.Error("two have the key")
			}
			inside[i%2].Add(-1)
		})
	}
	group.Wait()
}
