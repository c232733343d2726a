package webhook

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a connection may wait for its client before it may go in favor of another one. Only tests change
// it.
var patience = 3 * time.Second

// connections is a listener that has a limited number of connections. It accepts another one in place of one that
// nobody needs. Which is, depends on what the connection has done, and on how many its client has: so nobody keeps
// others out by connections that do nothing, and of many clients each has its share. While all connections are at
// work, another one waits.
type connections struct {
	net.Listener
	most int
	// ready reports whether clients may keep their connections.
	ready  *atomic.Bool
	closed chan struct{}
	close  sync.Once
	// freed has a value if a connection has ended or become idle since somebody waited for that.
	freed chan struct{}

	mu   sync.Mutex
	open map[*connection]bool
	of   map[string]int // how many connections a client has, by its address
}

func newConnections(listener net.Listener, most int, ready *atomic.Bool) *connections {
	return &connections{Listener: listener, most: most, ready: ready, closed: make(chan struct{}), freed: make(chan struct{}, 1),
		open: map[*connection]bool{}, of: map[string]int{}}
}

// phase is what a connection does.
type phase int

const (
	idle     phase = iota // no request is under way, or none has begun yet
	arriving              // a request is being read
	working               // a review has arrived, and is being answered
)

// connection is a connection of a client.
type connection struct {
	net.Conn
	all    *connections
	client string

	// The mutex of all guards these.
	phase  phase
	since  time.Time // when the phase began
	proven bool      // whether it has brought a review
}

// Accept waits for a connection, and for room for it.
func (l *connections) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	client, _, err := net.SplitHostPort(accepted.RemoteAddr().String())
	if err != nil {
		client = accepted.RemoteAddr().String()
	}
	c := &connection{Conn: accepted, all: l, client: client}
	for !l.admit(c) {
		select {
		case <-l.freed:
		case <-time.After(patience / 10):
		case <-l.closed:
			accepted.Close()
			return nil, net.ErrClosed
		}
	}
	return c, nil
}

// Close ends the listener and not its connections.
func (l *connections) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// count returns how many connections there are.
func (l *connections) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// admit adds a connection, if there is room or another one can go.
func (l *connections) admit(c *connection) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= l.most {
		leaves := l.leastNeeded(time.Now())
		if leaves == nil {
			return false
		}
		l.remove(leaves)
		leaves.Conn.Close()
	}
	c.since = time.Now()
	l.open[c] = true
	l.of[c.client]++
	return true
}

// remove forgets a connection. The caller holds the mutex.
func (l *connections) remove(c *connection) {
	if !l.open[c] {
		return
	}
	delete(l.open, c)
	if l.of[c.client]--; l.of[c.client] == 0 {
		delete(l.of, c.client)
	}
	l.free()
}

// free wakes who waits for room.
func (l *connections) free() {
	select {
	case l.freed <- struct{}{}:
	default:
	}
}

// leastNeeded returns the connection that can go, or nil. The caller holds the mutex.
func (l *connections) leastNeeded(now time.Time) (least *connection) {
	for c := range l.open {
		if l.canGo(c, now) && (least == nil || l.compare(c, least, now) < 0) {
			least = c
		}
	}
	return least
}

// canGo reports whether a connection can go: if it waits for long, or if it is idle and its client has more than its
// share.
func (l *connections) canGo(c *connection, now time.Time) bool {
	switch c.phase {
	case working:
		return false
	case idle:
		return now.Sub(c.since) >= patience || l.of[c.client] > l.most/len(l.of)
	}
	return now.Sub(c.since) >= patience
}

// compare returns a negative number if a is needed less than b. The first to go are those that have brought no review
// and have been idle for long. Then it is the clients with the most connections that lose one, those that are idle
// first.
func (l *connections) compare(a, b *connection, now time.Time) int {
	unused := func(c *connection) int {
		if c.phase == idle && !c.proven && now.Sub(c.since) >= patience {
			return 1
		}
		return 0
	}
	return cmp.Or(unused(b)-unused(a), l.of[b.client]-l.of[a.client], int(a.phase-b.phase), a.since.Compare(b.since))
}

// Close ends the connection.
func (c *connection) Close() error {
	c.all.mu.Lock()
	c.all.remove(c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// begin notes that a phase begins.
func (c *connection) begin(p phase) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.phase, c.since = p, time.Now()
	if p == idle {
		c.all.free()
	}
}

// connectionKey is the key of a request's [connection] in its context.
type connectionKey struct{}

// withConnection is the ConnContext of a server with TLS.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c.(*tls.Conn).NetConn())
}

// noteState is the ConnState of a server with TLS.
func noteState(c net.Conn, state http.ConnState) {
	switch c := c.(*tls.Conn).NetConn().(*connection); state {
	case http.StateActive:
		c.begin(arriving)
	case http.StateIdle:
		c.begin(idle)
	}
}

// hasArrived notes that all of a request has arrived, if it came to a [Server].
func hasArrived(ctx context.Context) {
	if c, is := ctx.Value(connectionKey{}).(*connection); is {
		c.begin(working)
	}
}

// ends makes a connection end with the answer to its request, unless it has brought a review and the server is ready.
func ends(ctx context.Context, answer http.Header) {
	c := ctx.Value(connectionKey{}).(*connection)
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if !c.proven || !c.all.ready.Load() {
		answer.Set("Connection", "close")
	}
}

// isReview notes that a request is a review, if it came to a [Server], and lets its connection stay.
func isReview(ctx context.Context, answer http.Header) {
	c, is := ctx.Value(connectionKey{}).(*connection)
	if !is {
		return
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.proven = true; c.all.ready.Load() {
		answer.Del("Connection")
	}
}
