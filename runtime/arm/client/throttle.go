package client

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
)

// Throttle holds back requests of a principal to a subscription: all requests while ARM
// asks to wait, the requests of a kind when ARM says that few are left, the requests of a
// tenant beyond its share of these, and the requests about a type while its service refuses
// all. The zero Throttle is ready to use.
type Throttle struct {
	mutex          sync.Mutex
	bySubscription map[string]*limits
}

// limits has the limits of a subscription.
type limits struct {
	until    time.Time // nothing is sent before
	refusals int       // in a row
	budgets  [budgetCount]budget
	services map[service]*outage // the services that have refused their last request
}

// service identifies the part of a service that answers one kind of requests about one type
// of resources.
type service struct {
	armType string // in lower case
	kind    int
}

// outage counts how often in a row a service has answered that it is busy.
type outage struct {
	ids    map[string]bool // the different resources, in lower case
	until  time.Time       // no request is sent before
	pauses int             // how many waits there have been
}

// outageThreshold is how many different resources a service must refuse in a row before requests
// about other resources of the type wait. With fewer, it may be the resources that are busy.
const outageThreshold = 3

// probeInterval is the time between two requests to a service that refuses all of them.
const probeInterval = time.Second

// budget is how many requests of a kind ARM accepts now, as far as is known.
type budget struct {
	// known is set by the first answer that states a limit. A cloud without limits
	// states none.
	known   bool
	left    float64
	at      time.Time // when left was computed
	tenants map[string]*share
}

// share holds the part of a budget that a tenant may use while others wait.
type share struct {
	left float64
	at   time.Time
	// queued is how many requests were told to come back later, and have not come yet.
	queued float64
	// waitsUntil is when the last of them should have come back.
	waitsUntil time.Time
}

// The budgets of a subscription.
const (
	reads = iota
	writes
	deletes
	budgetCount
)

// publishedLimits has the limits that ARM publishes for one principal and subscription:
// how many requests it accepts at once, and how many more in each second.
var publishedLimits = [budgetCount]struct {
	name       string
	size, rate float64
}{
	reads:   {"reads", 250, 25},
	writes:  {"writes", 200, 10},
	deletes: {"deletes", 200, 10},
}

func budgetOf(method string) int {
	switch method {
	case http.MethodGet, http.MethodHead:
		return reads
	case http.MethodDelete:
		return deletes
	}
	return writes
}

const (
	firstPause = 5 * time.Second
	// grace is how late a request may come back and keep its place in the queue.
	grace = 5 * time.Second
)

// take counts one request that a tenant is about to send, or returns how long it has to
// wait.
func (t *Throttle) take(id, method, tenant string, now time.Time) (wait time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	l := t.bySubscription[SubscriptionOf(id)]
	if l == nil {
		return 0
	}
	pause := max(l.until.Sub(now), 0)
	kind := budgetOf(method)
	o := l.services[serviceOf(id, method)]
	if o != nil && len(o.ids) >= outageThreshold && now.Before(o.until) {
		return max(pause, o.until.Sub(now))
	}
	if b := &l.budgets[kind]; b.known {
		wait = b.take(publishedLimits[kind].size, publishedLimits[kind].rate, tenant, now.Add(pause), pause > 0)
	}
	if o != nil && len(o.ids) >= outageThreshold && pause+wait == 0 {
		o.until = now.Add(probeInterval)
	}
	return pause + wait
}

// Holds reports whether some requests have to wait, or ARM would now accept fewer at once than
// it publishes. A Throttle that holds nothing can be replaced by a new one.
func (t *Throttle) Holds(now time.Time) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, l := range t.bySubscription {
		if now.Before(l.until) {
			return true
		}
		for kind, b := range l.budgets {
			if b.refill(publishedLimits[kind].size, publishedLimits[kind].rate, now); b.known && b.left < publishedLimits[kind].size {
				return true
			}
		}
		for _, o := range l.services {
			if now.Before(o.until) {
				return true
			}
		}
	}
	return false
}

func serviceOf(id, method string) service {
	armType, _ := arm.TypeOf(id)
	return service{strings.ToLower(armType), budgetOf(method)}
}

// noteBusy notes that a service was too busy for a request about a resource. wait is the time
// that it asked to wait, or 0 if it named none.
func (t *Throttle) noteBusy(id, method string, now time.Time, wait time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	l, s := t.limits(id), serviceOf(id, method)
	o := l.services[s]
	if o == nil {
		if l.services == nil {
			l.services = map[service]*outage{}
		}
		o = &outage{ids: map[string]bool{}}
		l.services[s] = o
	}
	if len(o.ids) < outageThreshold {
		o.ids[strings.ToLower(id)] = true
	}
	if len(o.ids) < outageThreshold {
		return
	}
	if wait == 0 {
		wait = firstPause << min(o.pauses, 6)
	}
	o.pauses++
	if until := now.Add(wait); until.After(o.until) {
		o.until = until
	}
}

// take counts one request of a tenant at a time, or returns how long after that time it has to
// wait. paused means that no request may be sent before.
func (b *budget) take(size, rate float64, tenant string, at time.Time, paused bool) (wait time.Duration) {
	b.refill(size, rate, at)
	s := b.tenants[tenant]
	if s == nil {
		s = &share{left: 1, at: at}
		if b.tenants == nil {
			b.tenants = map[string]*share{}
		}
		b.tenants[tenant] = s
	}
	tenants := 1.0 // this one, and the others that have requests waiting
	for name, other := range b.tenants {
		switch {
		case other == s:
		case at.Before(other.waitsUntil):
			tenants++
		case at.Sub(other.at) > time.Minute:
			delete(b.tenants, name)
		}
	}
	rate /= tenants
	since := max(at.Sub(s.at).Seconds(), 0) * rate
	s.left, s.queued, s.at = min(s.left+since, max(rate, 1)), max(s.queued-since, 0), at
	left := b.left
	if tenants > 1 {
		left = min(left, s.left)
	}
	if !paused && left >= 1 {
		b.left--
		s.left = max(s.left-1, 0)
		return 0
	}
	s.queued++
	wait = time.Duration(max(s.queued-left, 0) / rate * float64(time.Second))
	if until := at.Add(wait + grace); until.After(s.waitsUntil) {
		s.waitsUntil = until
	}
	return wait
}

func (b *budget) refill(size, rate float64, now time.Time) {
	if since := now.Sub(b.at).Seconds(); since > 0 {
		b.left, b.at = min(b.left+since*rate, max(size, b.left)), now
	}
}

// remaining returns how many requests of a kind an answer says are left, or -1, and the
// kind.
func remaining(header http.Header, method string) (n int, kind string) {
	kind = publishedLimits[budgetOf(method)].name
	n, err := strconv.Atoi(header.Get("X-Ms-Ratelimit-Remaining-Subscription-" + kind))
	if err != nil || n < 0 {
		return -1, kind
	}
	return n, kind
}

// noteRemaining notes the number of requests left that an answer states.
func (t *Throttle) noteRemaining(id, method string, header http.Header, now time.Time) {
	kind := budgetOf(method)
	n, _ := remaining(header, method)
	if n < 0 {
		return
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	b := &t.limits(id).budgets[kind]
	if b.refill(publishedLimits[kind].size, publishedLimits[kind].rate, now); !b.known || float64(n) < b.left {
		b.left = float64(n) // a higher number is older than the requests that were sent since
	}
	b.known = true
}

// limits returns the limits of a resource's subscription.
func (t *Throttle) limits(id string) *limits {
	subscription := SubscriptionOf(id)
	if t.bySubscription == nil {
		t.bySubscription = map[string]*limits{}
	}
	if t.bySubscription[subscription] == nil {
		t.bySubscription[subscription] = new(limits)
	}
	return t.bySubscription[subscription]
}

// noteThrottled notes that ARM asked to wait, and returns how long. wait is the time that
// ARM named, or 0 if it named none.
func (t *Throttle) noteThrottled(id, method string, status int, now time.Time, wait time.Duration) time.Duration {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	l := t.limits(id)
	if wait == 0 {
		wait = firstPause << min(l.refusals, 6)
	}
	l.refusals++
	if until := now.Add(wait); until.After(l.until) {
		l.until = until
	}
	if status == http.StatusTooManyRequests {
		// The requests that wait must not come back all at once.
		kind := budgetOf(method)
		b := &l.budgets[kind]
		b.known, b.left, b.at = true, publishedLimits[kind].size/50, l.until
	}
	return wait
}

// noteAccepted notes that ARM accepted a request. During a pause that is a request from before
// the pause, so the number of refusals stays.
func (t *Throttle) noteAccepted(id, method string, now time.Time) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	l := t.bySubscription[SubscriptionOf(id)]
	if l == nil {
		return
	}
	if !now.Before(l.until) {
		l.refusals = 0
	}
	delete(l.services, serviceOf(id, method))
}

// SubscriptionOf returns the subscription of an ARM id in lower case, or "".
func SubscriptionOf(id string) string {
	segments := strings.Split(strings.ToLower(id), "/")
	if len(segments) > 2 && segments[1] == "subscriptions" {
		return segments[2]
	}
	return ""
}
