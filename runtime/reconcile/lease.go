package reconcile

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Lease is the lock of a leader election that knows until when it is held. A
// process that was frozen may continue after another has become the leader, before
// its election notices. [Lease.Allow] refuses its requests then. ARM has no
// fencing: a request that was sent before the lease ended may still arrive afterwards.
type Lease struct {
	resourcelock.Interface
	duration time.Duration
	now      func() time.Time

	mutex sync.Mutex
	until time.Time
}

// NewLease returns a Lease on a lock. duration is the lease duration of the election, which
// has to use the Lease in place of the lock:
//
//	lease := reconcile.NewLease(lock, 15*time.Second)
//	manager.Options{LeaderElection: true, LeaderElectionResourceLockInterface: lease, …}
//	reconcile.Options{Allow: lease.Allow, …}
func NewLease(lock resourcelock.Interface, duration time.Duration) *Lease {
	return &Lease{Interface: lock, duration: duration, now: time.Now}
}

// Create calls Create of the lock, and notes the end of the lease.
func (l *Lease) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.renew(record, func() error { return l.Interface.Create(ctx, record) })
}

// Update calls Update of the lock, and notes the end of the lease.
func (l *Lease) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.renew(record, func() error { return l.Interface.Update(ctx, record) })
}

// renew calls write and notes the end of the lease, counted from before the write: other
// instances count from when they observe it, which is later.
func (l *Lease) renew(record resourcelock.LeaderElectionRecord, write func() error) error {
	begin := l.now()
	if err := write(); err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.until = time.Time{}
	if record.HolderIdentity == l.Identity() {
		l.until = begin.Add(l.duration)
	}
	return nil
}

// Allow returns an error if the lease is not held.
func (l *Lease) Allow(context.Context) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := l.now()
	switch {
	case l.until.IsZero():
		return errors.New("this instance does not hold the lease")
	// The monotonic clock stands still while the machine sleeps, the other does not.
	case !now.Before(l.until), !now.Round(0).Before(l.until.Round(0)):
		return fmt.Errorf("the lease of this instance ended at %s", l.until.Format(time.RFC3339))
	}
	return nil
}
