package decide

import (
	"fmt"
	"hash/fnv"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Delay says how long to wait before something is tried again.
type Delay struct {
	// Least is the first delay. Each one after it is Growth times as long, up to Most. If Most is 0, all are the same.
	Least, Most time.Duration
	Growth      int
	// Jitter lengthens each delay by up to a fifth, so that what failed together is not tried again together.
	Jitter bool
}

// The delays.
var (
	// Backoff is the delay of requests that were refused.
	Backoff = Delay{Least: FirstRetry, Growth: 2, Most: 10 * time.Minute, Jitter: true}
	// AtWork is the delay between polls of an operation or a resource that ARM is at work on.
	AtWork = Delay{Least: FirstRetry, Growth: 2, Most: time.Minute, Jitter: true}
	// Soon is the delay of what ends within seconds.
	Soon = Delay{Least: FirstRetry, Jitter: true}
	// AtWorkForOther is the delay between polls that find out whether ARM is at work on a request of
	// another instance.
	AtWorkForOther = Delay{Least: 20 * time.Second, Jitter: true}
	// Granted is the delay between attempts that need a right of the operator, when no event says that it
	// has been granted.
	Granted = Delay{Least: time.Minute, Jitter: true}
)

// FirstRetry is the shortest wait after a request.
const FirstRetry = 5 * time.Second

// After returns how long the object with a uid waits after a number of failures in a row.
func (d Delay) After(failures int, uid types.UID, now time.Time) time.Duration {
	wait := d.unjittered(failures)
	if d.Jitter {
		h := fnv.New32a()
		fmt.Fprint(h, uid, now.UnixNano())
		wait += time.Duration(float64(wait) * float64(h.Sum32()%1000) / 5000)
	}
	return wait
}

func (d Delay) unjittered(failures int) time.Duration {
	wait := d.Least
	for n := 1; n < failures && wait < d.Most; n++ {
		wait = min(wait*time.Duration(d.Growth), d.Most)
	}
	return wait
}

// isLongest reports whether the delay after a number of failures in a row is the longest.
func (d Delay) isLongest(failures int) bool { return failures > 0 && d.unjittered(failures) >= d.Most }

// Turn returns the next time after now in an object's series of times with a fixed interval. The times
// follow from the uid, so they differ between objects and are the same after a restart.
func Turn(uid types.UID, every time.Duration, now time.Time) time.Time {
	h := fnv.New64a()
	h.Write([]byte(uid))
	interval := int64(every)
	offset := int64(h.Sum64() % uint64(interval))
	since := (now.UnixNano() - offset) / interval
	return time.Unix(0, (since+1)*interval+offset)
}

// Visible is how long ARM may take to show what it has made, or that it is gone.
const Visible = 20 * time.Second
