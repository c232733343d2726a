package client

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
)

// Throttle holds back the requests of a principal to a subscription: all of them
// while ARM asks to wait, those of a kind when ARM says that few are left, each
// tenant to its share, and those about a type while its service refuses all. The zero
// Throttle is ready.
type Throttle struct {
	mutex sync.Mutex
	of    map[string]*limits // by subscription
}

// limits are those of a subscription.
type limits struct {
	until    time.Time // nothing is sent before
	refusals int       // in a row
	budgets  [budgets]budget
	services map[service]*outage // of those that have refused the last request
}

// service is what answers the requests of a kind about a type of resources.
type service struct {
	armType string // in lower case
	kind    int
}

// outage counts the refusals of a service in a row, each of which says that it is busy.
type outage struct {
	ids   map[string]bool // of different resources, in lower case
	until time.Time       // no request is sent before
	times int             // that the wait has begun
}

// many is how many different resources a service has to refuse in a row until the others
// of the type wait: fewer may be busy each for itself.
const many = 3

// probe is how long a service has for the answer to a single request, before the next.
const probe = time.Second

// budget is how many requests of a kind ARM takes, as far as is known.
type budget struct {
	// known is set by the first answer that states a limit. A cloud without limits
	// states none.
	known   bool
	left    float64
	at      time.Time // of left
	tenants map[string]*share
}

// share holds the part of a budget that a tenant may use while others wait.
type share struct {
	left float64
	at   time.Time
	// line is how many requests must come back later and have not come yet.
	line float64
	// waits is the time until which some of them wait.
	waits time.Time
}

// The budgets of a subscription.
const (
	reads = iota
	writes
	deletes
	budgets
)

// published has what ARM publishes of the limits for one principal and subscription:
// how many requests it takes at once, and each second after that.
var published = [budgets]struct {
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
	// grace is how late a request may come back and still have its place.
	grace = 5 * time.Second
)

// take takes one request out of what a tenant may send, or returns how long it has
// to wait.
func (t *Throttle) take(id, method, tenant string, now time.Time) (wait time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	l := t.of[SubscriptionOf(id)]
	if l == nil {
		return 0
	}
	pause := max(l.until.Sub(now), 0)
	kind := budgetOf(method)
	o := l.services[serviceOf(id, method)]
	if o != nil && len(o.ids) >= many && now.Before(o.until) {
		return max(pause, o.until.Sub(now))
	}
	if b := &l.budgets[kind]; b.known {
		wait = b.take(published[kind].size, published[kind].rate, tenant, now.Add(pause), pause > 0)
	}
	if o != nil && len(o.ids) >= many && pause+wait == 0 {
		o.until = now.Add(probe)
	}
	return pause + wait
}

// Holds reports whether requests have to wait, or would if more of them came at once than ARM
// has told to take. One that holds nothing is as good as a new one.
func (t *Throttle) Holds(now time.Time) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, l := range t.of {
		if now.Before(l.until) {
			return true
		}
		for kind, b := range l.budgets {
			if b.refill(published[kind].size, published[kind].rate, now); b.known && b.left < published[kind].size {
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

// busy notes that a service has refused a request about a resource, and asked to wait by
// a time or without one.
func (t *Throttle) busy(id, method string, now time.Time, wait time.Duration) {
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
	if len(o.ids) < many {
		o.ids[strings.ToLower(id)] = true
	}
	if len(o.ids) < many {
		return
	}
	if wait == 0 {
		wait = firstPause << min(o.times, 6)
	}
	o.times++
	if until := now.Add(wait); until.After(o.until) {
		o.until = until
	}
}

// take takes one request from a time on, or returns how long to wait after it.
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
	tenants := 1.0 // that want something
	for name, other := range b.tenants {
		switch {
		case other == s:
		case at.Before(other.waits):
			tenants++
		case at.Sub(other.at) > time.Minute:
			delete(b.tenants, name)
		}
	}
	rate /= tenants
	since := max(at.Sub(s.at).Seconds(), 0) * rate
	s.left, s.line, s.at = min(s.left+since, max(rate, 1)), max(s.line-since, 0), at
	left := b.left
	if tenants > 1 {
		left = min(left, s.left)
	}
	if !paused && left >= 1 {
		b.left--
		s.left = max(s.left-1, 0)
		return 0
	}
	s.line++
	wait = time.Duration(max(s.line-left, 0) / rate * float64(time.Second))
	if until := at.Add(wait + grace); until.After(s.waits) {
		s.waits = until
	}
	return wait
}

func (b *budget) refill(size, rate float64, now time.Time) {
	if since := now.Sub(b.at).Seconds(); since > 0 {
		b.left, b.at = min(b.left+since*rate, max(size, b.left)), now
	}
}

// remaining returns what an answer says about what is left of a kind of requests, or
// -1, and the kind.
func remaining(header http.Header, method string) (n int, kind string) {
	kind = published[budgetOf(method)].name
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
	if b.refill(published[kind].size, published[kind].rate, now); !b.known || float64(n) < b.left {
		b.left = float64(n) // an answer may be older than what was sent since
	}
	b.known = true
}

// limits returns those of the subscription of a resource.
func (t *Throttle) limits(id string) *limits {
	of := SubscriptionOf(id)
	if t.of == nil {
		t.of = map[string]*limits{}
	}
	if t.of[of] == nil {
		t.of[of] = new(limits)
	}
	return t.of[of]
}

// refused notes that ARM asked to wait, by a time or without one, and returns how
// long.
func (t *Throttle) refused(id, method string, status int, now time.Time, wait time.Duration) time.Duration {
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
		// What waits does not come back all at once.
		kind := budgetOf(method)
		b := &l.budgets[kind]
		b.known, b.left, b.at = true, published[kind].size/50, l.until
	}
	return wait
}

// taken notes that ARM took a request. During a pause it is one that was sent before.
func (t *Throttle) taken(id, method string, now time.Time) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	l := t.of[SubscriptionOf(id)]
	if l == nil {
		return
	}
	if !now.Before(l.until) {
		l.refusals = 0
	}
	delete(l.services, serviceOf(id, method))
}

// SubscriptionOf returns that of a resource in lower case, or "".
func SubscriptionOf(id string) string {
	segments := strings.Split(strings.ToLower(id), "/")
	if len(segments) > 2 && segments[1] == "subscriptions" {
		return segments[2]
	}
	return ""
}
