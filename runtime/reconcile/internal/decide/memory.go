package decide

import (
	"fmt"
	"hash/fnv"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Memory holds what the operator knows of an object and the cluster does not. Without it
// something is asked again, and nothing else.
type Memory struct {
	// First is when this instance first saw the object. Sent reports whether it has sent
	// something for it since, and Wrote is when it last handed a PUT or a DELETE over.
	First time.Time
	Sent  bool
	Wrote time.Time

	Operation Operation
	Put       Attempts
	Reads     Reads
	Deletion  Deletion
}

// Operation is one that ARM is at work on.
type Operation struct {
	Is  *client.Operation // nil for none
	Due time.Time         // to ask for it
	// Refused is how many polls were refused in a row.
	Refused int
	// Pending is the record of a PUT when the operation has ended well.
	Pending *record.Record
}

// Attempts are the PUTs that ARM refused, one after the other.
type Attempts struct {
	// Tried is the digest of the last one, Refusal why it was refused, with a code, and Next
	// when to try it again.
	Tried    string
	Refusal  error
	Code     string
	Failures int
	Next     time.Time
}

// Reads are those of the resource.
type Reads struct {
	Last     time.Time // that succeeded
	Failures int       // in a row
	Next     time.Time // not before
}

// Deletion is how far the deletion of the resource is.
type Deletion struct {
	// Ended reports whether the operation of a PUT has ended that was under way before.
	Ended bool
	// Done is when ARM has done a DELETE, and IfMatch what the next one has to have.
	Done    time.Time
	IfMatch string
	// Failures counts the DELETEs that ARM refused in a row, the last with Code, Reads the
	// times that the resource was still there, and Next is when to go on.
	Failures, Reads int
	Code            string
	// Vain is how many DELETEs ARM has taken after which the resource was there.
	Vain int
	Next time.Time
}

// Stir lets what was refused be tried at once, because something has changed.
func (m *Memory) Stir() {
	m.Put.Tried, m.Put.Refusal, m.Put.Next = "", nil, time.Time{}
	m.Reads.Next, m.Deletion.Next = time.Time{}, time.Time{}
}

// Read notes that the resource was read, and when.
func (m *Memory) Read(at time.Time) { m.Reads = Reads{Last: at} }

// The times after which a refused request is repeated.
const (
	FirstRetry = 5 * time.Second
	lastRetry  = 10 * time.Minute
)

// Backoff returns how long to wait after a number of failures in a row.
func Backoff(uid types.UID, failures int, now time.Time) time.Duration {
	return Jitter(uid, min(FirstRetry<<min(failures-1, 10), lastRetry), now)
}

// Lasts reports whether a number of failures in a row is one after the longest wait.
func Lasts(failures int) bool { return failures > 1 && FirstRetry<<min(failures-2, 10) >= lastRetry }

// Jitter lengthens a time by up to a fifth, so that what began together does not go on
// together.
func Jitter(uid types.UID, d time.Duration, salt time.Time) time.Duration {
	h := fnv.New32a()
	fmt.Fprint(h, uid, salt.UnixNano())
	return d + time.Duration(float64(d)*float64(h.Sum32()%1000)/5000)
}

// Turn returns when an object comes next, for an interval of these. The times of an object
// follow from its uid, so that they are spread, and the same after a restart.
func Turn(uid types.UID, every time.Duration, now time.Time) time.Time {
	h := fnv.New64a()
	h.Write([]byte(uid))
	interval := int64(every)
	offset := int64(h.Sum64() % uint64(interval))
	since := (now.UnixNano() - offset) / interval
	return time.Unix(0, (since+1)*interval+offset)
}
