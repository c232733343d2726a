package webhook_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/webhook"
)

// writeCertificate writes a new certificate for 127.0.0.1 into a folder.
func writeCertificate(t testing.TB, folder, name string) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		"tls.key": {Type: "PRIVATE KEY", Bytes: private},
		"tls.crt": {Type: "CERTIFICATE", Bytes: der},
	} {
		if err := os.WriteFile(filepath.Join(folder, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// running is a server that runs until the test ends.
type running struct {
	*webhook.Server
	t      testing.TB
	folder string
	roots  *x509.CertPool
	stop   context.CancelFunc
	ended  chan error
}

func run(t testing.TB, f *fixture, drain time.Duration) *running {
	t.Helper()
	r := &running{t: t, folder: t.TempDir(), roots: x509.NewCertPool(), ended: make(chan error, 1)}
	r.roots.AddCert(writeCertificate(t, r.folder, "first"))
	var err error
	r.Server, err = webhook.NewServer(f.Handler, webhook.ServerOptions{
		Address: "127.0.0.1:0", Operations: "127.0.0.1:0", Drain: drain, Metrics: f.metrics,
		CertFile: filepath.Join(r.folder, "tls.crt"), KeyFile: filepath.Join(r.folder, "tls.key"),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	go func() { r.ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-r.ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *running) client(change func(*tls.Config)) *http.Client {
	config := &tls.Config{RootCAs: r.roots}
	if change != nil {
		change(config)
	}
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	r.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func (r *running) post(client *http.Client, body string) (string, error) {
	response, err := client.Post("https://"+r.Address()+"/convert", "application/json", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// ask is the status of a path that is about the server itself.
func (r *running) ask(path string) (status int, text string) {
	response, err := http.Get("http://" + r.Operations() + path)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it is not so after 15 s: %s", what)
		}
	}
}

func TestServer(t *testing.T) {
	t.Run("it converts over TLS", convertsOverTLS)
	t.Run("it refuses TLS below 1.2", refusesOldTLS)
	t.Run("it takes a new certificate while it runs", newCertificate)
	t.Run("it serves health, readiness and metrics", operations)
	t.Run("it finishes its reviews when it stops", finishesReviews)
	t.Run("without a certificate it does not start", noCertificate)
}

func convertsOverTLS(t *testing.T) {
	r := run(t, newFixture(t, nil), -1)
	object := widget("v1", "a", "", "")
	text, err := r.post(r.client(nil), body("example.com/v2", object))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, text, `"status":"Success"`, `"apiVersion":"example.com/v2"`)
}

func refusesOldTLS(t *testing.T) {
	r := run(t, newFixture(t, nil), -1)
	_, err := r.post(r.client(func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), "")
	if err == nil {
		t.Fatal("it takes TLS 1.1")
	}
	contains(t, err.Error(), "protocol version")
	if _, err := r.post(r.client(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }), ""); err != nil {
		t.Error(err)
	}
}

func newCertificate(t *testing.T) {
	r := run(t, newFixture(t, nil), -1)
	subject := func() string {
		connection, err := tls.Dial("tcp", r.Address(), &tls.Config{RootCAs: r.roots})
		if err != nil {
			return err.Error()
		}
		defer connection.Close()
		return connection.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	if got := subject(); got != "first" {
		t.Fatal(got)
	}
	r.roots.AddCert(writeCertificate(t, r.folder, "second"))
	eventually(t, "the certificate is the second", func() bool { return subject() == "second" })
}

func operations(t *testing.T) {
	f := newFixture(t, nil)
	r := run(t, f, 300*time.Millisecond)
	f.converted("example.com/v2", widget("v1", "a", "", ""))
	eventually(t, "it is ready", func() bool { status, _ := r.ask("/readyz"); return status == http.StatusOK })
	if status, text := r.ask("/healthz"); status != http.StatusOK {
		t.Error(status, text)
	}
	_, text := r.ask("/metrics")
	contains(t, text, `armature_conversion_objects_total{from="v1",group="example.com",kind="Widget",to="v2"} 1`, "armature_conversion_object_duration_seconds_bucket")
	r.stop()
	eventually(t, "it is healthy and no longer ready", func() bool {
		ready, _ := r.ask("/readyz")
		healthy, _ := r.ask("/healthz")
		return ready == http.StatusServiceUnavailable && healthy == http.StatusOK
	})
	if _, err := r.post(r.client(nil), body("example.com/v2")); err != nil {
		t.Errorf("it takes no review while the news spreads: %v", err)
	}
}

func finishesReviews(t *testing.T) {
	r := run(t, newFixture(t, nil), -1)
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer)
	client := r.client(nil)
	go func() {
		text, err := r.post(client, body("example.com/v2", widget("v1", "a", "", `"mode":"block"`)))
		answers <- answer{text, err}
	}()
	eventually(t, "the review has begun", func() bool {
		_, text := r.ask("/metrics")
		return strings.Contains(text, "armature_conversion_reviews_in_flight 1")
	})
	r.stop()
	eventually(t, "it takes no connections", func() bool {
		connection, err := net.Dial("tcp", r.Address())
		if err == nil {
			connection.Close()
		}
		return err != nil
	})
	blocked <- struct{}{}
	a := <-answers
	if a.err != nil {
		t.Fatal(a.err)
	}
	contains(t, a.text, `"status":"Success"`)
}

func noCertificate(t *testing.T) {
	f := newFixture(t, nil)
	_, err := webhook.NewServer(f.Handler, webhook.ServerOptions{CertFile: "absent.crt", KeyFile: "absent.key"})
	if err == nil {
		t.Fatal("it starts")
	}
	contains(t, err.Error(), `certificate "absent.crt" with key "absent.key"`)
	folder := t.TempDir()
	writeCertificate(t, folder, "first")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, o := range []webhook.ServerOptions{{Address: taken.Addr().String()}, {Address: "127.0.0.1:0", Operations: taken.Addr().String()}} {
		o.CertFile, o.KeyFile = filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
		if _, err := webhook.NewServer(f.Handler, o); err == nil {
			t.Error("it starts where another listens")
		} else {
			contains(t, fmt.Sprint(err), "address already in use")
		}
	}
}
