package client

import (
	"strings"
	"sync"
	"time"
)

// throttle holds back the requests of a credential to a subscription that ARM has
// asked to slow down.
type throttle struct {
	mutex sync.Mutex
	slow  map[string]*pause // by subscription
}

type pause struct {
	until    time.Time
	refusals int // in a row
}

const firstPause = 5 * time.Second

// wait returns how long requests about a resource have to wait.
func (t *throttle) wait(id string, now time.Time) time.Duration {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if p := t.slow[subscriptionOf(id)]; p != nil {
		return max(p.until.Sub(now), 0)
	}
	return 0
}

// refused notes that ARM asked to wait, by a time or without one, and returns how
// long.
func (t *throttle) refused(id string, now time.Time, wait time.Duration) time.Duration {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.slow == nil {
		t.slow = map[string]*pause{}
	}
	p := t.slow[subscriptionOf(id)]
	if p == nil {
		p = new(pause)
		t.slow[subscriptionOf(id)] = p
	}
	if wait == 0 {
		wait = firstPause << min(p.refusals, 7)
	}
	wait = min(wait, maxWait)
	p.refusals++
	if until := now.Add(wait); until.After(p.until) {
		p.until = until
	}
	return wait
}

// taken notes that ARM took a request.
func (t *throttle) taken(id string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if p := t.slow[subscriptionOf(id)]; p != nil {
		p.refusals = 0
	}
}

// subscriptionOf returns the subscription of a resource in lower case, or "".
func subscriptionOf(id string) string {
	segments := strings.Split(strings.ToLower(id), "/")
	if len(segments) > 2 && segments[1] == "subscriptions" {
		return segments[2]
	}
	return ""
}
