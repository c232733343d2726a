package client

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
)

// line is a connection between a client and a server that can go dead, as when a
// firewall forgets it: nothing arrives any more, and neither side is told.
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
	c := newTransport(nil)
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

// TestBounds has a malicious server in place of ARM. None of its answers makes the client send the token elsewhere, or
// take more memory than an answer may have, or more time than a request.
func TestBounds(t *testing.T) {
	const id = "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/h"
	for _, test := range []struct {
		name    string
		timeout time.Duration
		answer  http.HandlerFunc
	}{
		{"a redirect is not followed", time.Minute, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}},
		{"an answer that is too large is not read to its end", time.Minute, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"id":"`+id+`","properties":{"name":"`)
			part := bytes.Repeat([]byte("a"), 1<<20)
			for range 4 * maxAnswer >> 20 {
				if _, err := w.Write(part); err != nil {
					return
				}
			}
			io.WriteString(w, `"}}`)
		}},
		{"an answer that does not end is given up", time.Second, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"id":"`+id+`",`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}},
		{"an answer that does not begin is given up", time.Second, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			var requests atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1); r.URL.Path == "/elsewhere" {
					t.Error("the redirect was followed")
				}
				test.answer(w, r)
			}))
			t.Cleanup(server.Close)
			at := cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
				cloud.ResourceManager: {Endpoint: server.URL, Audience: server.URL},
			}}
			c, err := New(Options{Cloud: at, Timeout: test.timeout})
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			answer, err := c.Get(t.Context(), Request{ID: id, APIVersion: "2020-02-02"})
			if err == nil || requests.Load() != 1 || time.Since(begin) > 30*time.Second {
				t.Errorf("got %v and %v after %d requests in %v", answer != nil, err, requests.Load(), time.Since(begin))
			}
			if err != nil && len(err.Error()) > 10_000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

// system is a variable for the processes of TestCAFile. It has the server that the system trusts, and the one that
// the file trusts.
const system = "ARMATURE_TEST_CA"

// TestCAFile starts itself where the system trusts one server and the file another one.
func TestCAFile(t *testing.T) {
	if servers := os.Getenv(system); servers != "" {
		c, err := NewTransport(os.Getenv("ARMATURE_TEST_CA_FILE"))
		if err != nil {
			t.Fatal(err)
		}
		for _, url := range strings.Fields(servers) {
			if response, err := c.Get(url); err != nil {
				t.Error(err)
			} else {
				response.Body.Close()
			}
		}
		return
	}
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	ours, ourCertificate := serverOf(t)
	others, otherCertificate := serverOf(t)
	t.Run("its authorities are added to those of the system", func(t *testing.T) {
		c := exec.Command(os.Args[0], "-test.run=^TestCAFile$")
		c.Env = []string{system + "=" + ours + " " + others, "SSL_CERT_FILE=" + write("system", otherCertificate), "SSL_CERT_DIR=/nowhere",
			"ARMATURE_TEST_CA_FILE=" + write("ca.crt", "the proxy's\n"+ourCertificate)}
		if text, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, text)
		}
	})
	t.Run("each of its blocks is a certificate", func(t *testing.T) {
		for text, want := range map[string]string{
			"": "found no certificate in PEM",
			ourCertificate + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n": "the certificate in place 2: x509: ",
			"-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n":            "found a block EC PRIVATE KEY in place 1",
		} {
			if _, err := NewTransport(write("bad.crt", text)); err == nil || !strings.Contains(err.Error(), "bad.crt: "+want) {
				t.Errorf("%q: got %v, want %s", text, err, want)
			}
		}
	})
}

// serverOf starts a server with a certificate of its own, and returns its URL and the certificate in PEM.
func serverOf(t *testing.T) (url, certificate string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}
