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
// process that was frozen may go on after another has become the leader, before
// its election finds out. [Lease.Allow] keeps its requests back then. ARM has no
// fencing: a request that was handed over before the end may still arrive after it.
type Lease struct {
	resourcelock.Interface
	duration time.Duration
	now      func() time.Time

	mutex sync.Mutex
	until time.Time
}

// NewLease returns a Lease on a lock. duration is that of the election, which has
// to use the Lease in place of the lock:
//
//	lease := reconcile.NewLease(lock, 15*time.Second)
//	manager.Options{LeaderElection: true, LeaderElectionResourceLockInterface: lease, …}
//	reconcile.Options{Allow: lease.Allow, …}
func NewLease(lock resourcelock.Interface, duration time.Duration) *Lease {
	return &Lease{Interface: lock, duration: duration, now: time.Now}
}

// Create is that of the lock.
func (l *Lease) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.renew(record, func() error { return l.Interface.Create(ctx, record) })
}

// Update is that of the lock.
func (l *Lease) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.renew(record, func() error { return l.Interface.Update(ctx, record) })
}

// renew notes the end of the lease, counted from before the write: others count
// from when they see it.
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

// Allow refuses a request by an error when the lease is not held.
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
