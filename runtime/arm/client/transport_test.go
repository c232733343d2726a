package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// line is a connection between a client and a server that can go dead, as when a
// firewall forgets it: nothing arrives any more, and nobody says so.
type line struct {
	net.Conn
	mutex *sync.Mutex
	dead  *bool
}

func (l line) Read(b []byte) (int, error) {
	for {
		n, err := l.Conn.Read(b)
		l.mutex.Lock()
		dead := *l.dead
		l.mutex.Unlock()
		if !dead || err != nil {
			return n, err
		}
	}
}

// TestTransport has a connection of HTTP/2 that goes dead, which the next request does
// not wait for.
func TestTransport(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	c := newTransport()
	transport := c.Transport.(*http.Transport)
	transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	if transport.HTTP2 == nil || transport.HTTP2.SendPingTimeout != pingAfter || transport.HTTP2.PingTimeout != pingWait {
		t.Fatalf("got the settings %+v", transport.HTTP2)
	}
	transport.HTTP2.SendPingTimeout, transport.HTTP2.PingTimeout = pingAfter/100, pingWait/100
	var mutex sync.Mutex
	first := true
	dead := false
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		mutex.Lock()
		defer mutex.Unlock()
		if !first || err != nil {
			return conn, err
		}
		first = false
		return line{conn, &mutex, &dead}, nil
	}
	ask := func() (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := c.Do(request)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		return string(text), err
	}
	if got, err := ask(); got != "HTTP/2.0" || err != nil {
		t.Fatalf("got %q and %v", got, err)
	}
	mutex.Lock()
	dead = true
	mutex.Unlock()
	if _, err := ask(); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a request on a connection that is dead: got %v", err)
	}
	if got, err := ask(); got != "HTTP/2.0" || err != nil {
		t.Errorf("the next request: got %q and %v", got, err)
	}
}
