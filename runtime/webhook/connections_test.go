package webhook_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/webhook"
)

// most is how many connections a server takes.
const most = 256

// peer is a connection from an address of its own.
type peer struct {
	*tls.Conn
	answers *bufio.Reader
}

// from connects from an address on loopback.
func (r *running) from(address string) *peer {
	r.t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c, err := tls.DialWithDialer(dialer, "tcp", r.Address(), &tls.Config{RootCAs: r.roots})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return &peer{c, bufio.NewReader(c)}
}

const post = "POST /convert HTTP/1.1\r\nHost: webhook\r\nContent-Length: %d\r\n\r\n%s"

// review is what a server answers whoever sends it.
var review = body("example.com/v2")

// send sends the text of a request, and returns the status of the answer.
func (p *peer) send(text string) (status int, err error) {
	if _, err := io.WriteString(p, text); err != nil {
		return 0, err
	}
	response, err := http.ReadResponse(p.answers, nil)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, errors.Join(err, response.Body.Close())
}

// sends sends a review, which has to be answered.
func (p *peer) sends(t *testing.T) {
	t.Helper()
	if status, err := p.send(fmt.Sprintf(post, len(review), review)); err != nil || status != http.StatusOK {
		t.Fatalf("%d, %v", status, err)
	}
}

// answers checks that a review on a new connection is answered while an API server waits for that.
func (r *running) answers() {
	r.t.Helper()
	began := time.Now()
	r.from("127.0.0.1").sends(r.t.(*testing.T))
	if took := time.Since(began); took > 30*time.Second {
		r.t.Errorf("a review took %s", took)
	}
}

// pods are addresses of other clients.
func pods(n int) (addresses []string) {
	for i := range n {
		addresses = append(addresses, fmt.Sprintf("127.0.0.%d", i+2))
	}
	return addresses
}

// fill makes connections of some addresses, more than there may be, and does something with each.
func (r *running) fill(addresses []string, do func(p *peer)) {
	for i := range most + 44 {
		do(r.from(addresses[i%len(addresses)]))
	}
}

func TestConnections(t *testing.T) {
	attacks := map[string]func(p *peer){
		"that send nothing":         func(*peer) {},
		"after a refused request":   func(p *peer) { _, _ = p.send("GET /convert HTTP/1.1\r\nHost: webhook\r\n\r\n") },
		"at a path that is not":     func(p *peer) { _, _ = p.send("GET / HTTP/1.1\r\nHost: webhook\r\n\r\n") },
		"after a review":            func(p *peer) { _, _ = p.send(fmt.Sprintf(post, len(review), review)) },
		"in the header of a review": func(p *peer) { _, _ = io.WriteString(p, "POST /convert HTTP/1.1\r\nHost: ") },
		"in the body of a review":   func(p *peer) { _, _ = fmt.Fprintf(p, post, len(review), review[:20]) },
	}
	for _, from := range []struct {
		what string
		pods []string
	}{{"one address", pods(1)}, {"many addresses", pods(200)}} {
		for how, attack := range attacks {
			t.Run("connections of "+from.what+" that wait "+how+" keep no review waiting", func(t *testing.T) {
				r := run(t, newFixture(t, nil), -1)
				r.fill(from.pods, attack)
				r.answers()
			})
		}
	}
	t.Run("a client keeps its connection, whatever others open", func(t *testing.T) {
		r := run(t, newFixture(t, nil), -1)
		p := r.from("127.0.0.1")
		p.sends(t)
		r.fill(pods(3), func(other *peer) { other.sends(t) })
		p.sends(t)
	})
	t.Run("many connections that one client opens at once are all answered", func(t *testing.T) {
		webhook.SetPatience(t, time.Minute) // on a busy machine so many handshakes take longer than 3 s
		r := run(t, newFixture(t, nil), -1)
		var all sync.WaitGroup
		for range most + 44 {
			all.Go(func() {
				config := &tls.Config{RootCAs: r.roots}
				c, err := tls.Dial("tcp", r.Address(), config)
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				p := &peer{c, bufio.NewReader(c)}
				if status, err := p.send(fmt.Sprintf(post, len(review), review)); err != nil || status != http.StatusOK {
					t.Errorf("%d, %v", status, err)
				}
			})
		}
		all.Wait()
	})
	t.Run("a slow client whose review is valid is answered", func(t *testing.T) {
		r := run(t, newFixture(t, nil), -1)
		p := r.from("127.0.0.1")
		_, _ = fmt.Fprintf(p, post, len(review), review[:20])
		for end := time.Now().Add(4 * time.Second); time.Now().Before(end); {
			r.fill(pods(20), func(*peer) {})
		}
		if status, err := p.send(review[20:]); err != nil || status != http.StatusOK {
			t.Errorf("%d, %v", status, err)
		}
	})
	t.Run("a connection that has brought no review ends with its first request", func(t *testing.T) {
		r := run(t, newFixture(t, nil), -1)
		p := r.from("127.0.0.1")
		if status, err := p.send("GET /convert HTTP/1.1\r\nHost: webhook\r\n\r\n"); err != nil || status != http.StatusMethodNotAllowed {
			t.Fatalf("%d, %v", status, err)
		}
		if _, err := p.answers.ReadByte(); err != io.EOF {
			t.Errorf("it is still there: %v", err)
		}
		p = r.from("127.0.0.1")
		p.sends(t)
		if status, err := p.send("GET /convert HTTP/1.1\r\nHost: webhook\r\n\r\n"); err != nil || status != http.StatusMethodNotAllowed {
			t.Fatalf("%d, %v", status, err)
		}
		p.sends(t)
	})
	t.Run("where all are at work, another one waits", func(t *testing.T) {
		r := run(t, newFixture(t, nil), -1)
		blocks := body("example.com/v2", widget("v1", "a", "", `"mode":"block"`))
		var all []*peer
		for range most {
			p := r.from("127.0.0.1")
			_, _ = fmt.Fprintf(p, post, len(blocks), blocks)
			all = append(all, p)
		}
		await.True(t, "all are at work", func() bool {
			_, text := r.ask("/metrics")
			return strings.Contains(text, "\narmature_conversion_reviews_in_flight 256\n") &&
				strings.Contains(text, "\narmature_conversion_connections 256\n")
		})
		answered := make(chan error, 1)
		go func() {
			_, err := r.post(r.client(nil), review)
			answered <- err
		}()
		select {
		case err := <-answered:
			t.Errorf("a connection more was taken: %v", err)
		case <-time.After(4 * time.Second):
		}
		all[0].Close()
		if err := <-answered; err != nil {
			t.Error(err)
		}
		for range most { // of which some may have given up
			select {
			case blocked <- struct{}{}:
			case <-time.After(time.Second):
			}
		}
	})
}
