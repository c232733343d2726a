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
	"net/http/httptrace"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/webhook"
)

// writeCertificate writes a new certificate for 127.0.0.1 into a folder.
func writeCertificate(t testing.TB, folder, name string) *x509.Certificate {
	t.Helper()
	return writeCertificateUntil(t, folder, name, time.Now().Add(time.Hour))
}

func writeCertificateUntil(t testing.TB, folder, name string, expiry time.Time) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: expiry, DNSNames: []string{"dns." + name},
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
	return runWith(t, f, func(o *webhook.ServerOptions) { o.Drain = drain })
}

func runWith(t testing.TB, f *fixture, change func(*webhook.ServerOptions)) *running {
	t.Helper()
	r := &running{t: t, folder: t.TempDir(), roots: x509.NewCertPool(), ended: make(chan error, 1)}
	r.roots.AddCert(writeCertificate(t, r.folder, "first"))
	var err error
	options := webhook.ServerOptions{
		Address: "127.0.0.1:0", Operations: "127.0.0.1:0", Drain: -1, Metrics: f.metrics,
		CertFile: filepath.Join(r.folder, "tls.crt"), KeyFile: filepath.Join(r.folder, "tls.key"),
	}
	change(&options)
	r.Server, err = webhook.NewServer(f.Handler, options)
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

// ask returns the answer of a path for health or metrics.
func (r *running) ask(path string) (status int, text string) {
	response, err := http.Get("http://" + r.Operations() + path)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}

// isReady waits until the server is ready, or until it says that it is not.
func (r *running) isReady(want bool) {
	r.t.Helper()
	await.Until(r.t, fmt.Sprint("ready: ", want), func() error {
		status, text := r.ask("/readyz")
		if want && status == http.StatusOK || !want && status == http.StatusServiceUnavailable {
			return nil
		}
		return fmt.Errorf("%d %s", status, text)
	})
}

func TestServer(t *testing.T) {
	t.Run("it converts over TLS", convertsOverTLS)
	t.Run("it refuses TLS below 1.2", refusesOldTLS)
	t.Run("it takes a new certificate while it runs", newCertificate)
	t.Run("it serves health, readiness and metrics", operations)
	t.Run("it finishes its reviews when it stops", finishesReviews)
	t.Run("while it stops it takes reviews, and lets clients go", letsClientsGo)
	t.Run("without a certificate it does not start", noCertificate)
	t.Run("it is not ready with a certificate that has expired", expiredCertificate)
	t.Run("where there are authorities for clients, it takes reviews from theirs only", knownClients)
	t.Run("it takes new authorities for clients while it runs", newAuthorities)
	t.Run("authorities for clients that cannot be read are an error at the start", badAuthorities)
	t.Run("large headers are refused", largeHeader)
}

func expiredCertificate(t *testing.T) {
	r := run(t, newFixture(t, nil), -1)
	expiry := func() (unix float64) {
		_, text := r.ask("/metrics")
		_, after, _ := strings.Cut(text, "\narmature_conversion_certificate_expiry_timestamp_seconds ")
		_, _ = fmt.Sscan(after, &unix)
		return unix
	}
	r.isReady(true)
	if left := expiry() - float64(time.Now().Unix()); left < 3500 || left > 3600 {
		t.Errorf("the certificate expires in %v s", left)
	}
	past := time.Date(2021, 4, 1, 12, 0, 0, 0, time.UTC)
	writeCertificateUntil(t, r.folder, "past", past)
	await.True(t, "the certificate has expired", func() bool { return expiry() == float64(past.Unix()) })
	status, text := r.ask("/readyz")
	if status != http.StatusServiceUnavailable {
		t.Error(status)
	}
	contains(t, text, "tls.crt expired at 2021-04-01T12:00:00Z")
	if status, _ := r.ask("/healthz"); status != http.StatusOK {
		t.Error("it would be restarted, which helps nobody")
	}
	writeCertificate(t, r.folder, "new")
	r.isReady(true)
}

// clientCertificate makes a self-signed certificate, and writes it to a file.
func clientCertificate(t *testing.T, name string) (file string, use func(*tls.Config)) {
	t.Helper()
	folder := t.TempDir()
	writeCertificate(t, folder, name)
	file = filepath.Join(folder, "tls.crt")
	certificate, err := tls.LoadX509KeyPair(file, filepath.Join(folder, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	return file, func(c *tls.Config) {
		c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &certificate, nil }
	}
}

func knownClients(t *testing.T) {
	file, known := clientCertificate(t, "apiserver")
	_, unknown := clientCertificate(t, "apiserver")
	review := body("example.com/v2", widget("v1", "a", "", ""))
	for _, test := range []struct {
		name   string
		names  []string
		client func(*tls.Config)
		want   string
	}{
		{"a certificate of an authority", nil, known, ""},
		{"none", nil, nil, "certificate required"},
		{"one of another authority", nil, unknown, "tls:"},
		{"a common name", []string{"someone", "apiserver"}, known, ""},
		{"a DNS name", []string{"dns.apiserver"}, known, ""},
		{"another name", []string{"someone"}, known, "tls:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runWith(t, newFixture(t, nil), func(o *webhook.ServerOptions) { o.ClientCAFile, o.ClientNames = file, test.names })
			text, err := r.post(r.client(test.client), review)
			switch {
			case test.want == "" && err == nil:
				contains(t, text, `"status":"Success"`)
			case test.want == "" || err == nil:
				t.Errorf("%v: %s", err, text)
			default:
				contains(t, err.Error(), test.want)
			}
		})
	}
}

func newAuthorities(t *testing.T) {
	file, known := clientCertificate(t, "first")
	other, second := clientCertificate(t, "second")
	r := runWith(t, newFixture(t, nil), func(o *webhook.ServerOptions) { o.ClientCAFile = file })
	if _, err := r.post(r.client(known), body("example.com/v2")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(other)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the second client is known", func() error {
		_, err := r.post(r.client(second), body("example.com/v2"))
		return err
	})
	if _, err := r.post(r.client(known), body("example.com/v2")); err == nil {
		t.Error("the first client is still known")
	}
}

func badAuthorities(t *testing.T) {
	f := newFixture(t, nil)
	folder := t.TempDir()
	writeCertificate(t, folder, "first")
	certificate, key := filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
	for _, test := range []struct {
		file  string
		names []string
		want  string
	}{
		{"absent.crt", nil, `authorities of clients "absent.crt": `},
		{key, nil, "found no certificate in PEM"},
		{"", []string{"a", "b"}, "only clients named a, b may send reviews, but there is no file"},
	} {
		_, err := webhook.NewServer(f.Handler, webhook.ServerOptions{
			CertFile: certificate, KeyFile: key, ClientCAFile: test.file, ClientNames: test.names})
		if err == nil {
			t.Errorf("it starts, want %s", test.want)
			continue
		}
		contains(t, err.Error(), test.want)
	}
}

func largeHeader(t *testing.T) {
	r := run(t, newFixture(t, nil), -1)
	request, err := http.NewRequest(http.MethodPost, "https://"+r.Address()+"/convert", strings.NewReader(body("example.com/v2")))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X", strings.Repeat("x", 32<<10))
	response, err := r.client(nil).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d for a large header", response.StatusCode)
	}
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
	await.True(t, "the certificate is the second", func() bool { return subject() == "second" })
}

func operations(t *testing.T) {
	f := newFixture(t, nil)
	r := run(t, f, 5*time.Second)
	f.converted("example.com/v2", widget("v1", "a", "", ""))
	r.isReady(true)
	if status, text := r.ask("/healthz"); status != http.StatusOK {
		t.Error(status, text)
	}
	_, text := r.ask("/metrics")
	contains(t, text, `armature_conversion_objects_total{from="v1",group="example.com",kind="Widget",to="v2"} 1`,
		"armature_conversion_object_duration_seconds_bucket")
	r.stop()
	r.isReady(false)
	if status, text := r.ask("/healthz"); status != http.StatusOK {
		t.Error(status, text)
	}
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
	await.True(t, "the review has begun", func() bool {
		_, text := r.ask("/metrics")
		return strings.Contains(text, "armature_conversion_reviews_in_flight 1")
	})
	r.stop()
	await.True(t, "it takes no connections", func() bool {
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

func letsClientsGo(t *testing.T) {
	r := run(t, newFixture(t, nil), 5*time.Second)
	client := r.client(nil)
	reused := true
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { reused = c.Reused }})
	review := func() {
		t.Helper()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+r.Address()+"/convert",
			strings.NewReader(body("example.com/v2")))
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Fatal(err)
		}
	}
	review()
	if review(); !reused {
		t.Fatal("a client does not keep its connection")
	}
	r.stop()
	r.isReady(false)
	await.True(t, "the client has lost its connection", func() bool { review(); return !reused })
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
	for _, o := range []webhook.ServerOptions{{Address: taken.Addr().String()},
		{Address: "127.0.0.1:0", Operations: taken.Addr().String()}} {
		o.CertFile, o.KeyFile = filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
		if _, err := webhook.NewServer(f.Handler, o); err == nil {
			t.Error("it starts where another listens")
		} else {
			contains(t, fmt.Sprint(err), "address already in use")
		}
	}
}

// TestSeries writes down the series that a webhook exposes. tests/promql runs the queries of the
// release on them.
func TestSeries(t *testing.T) {
	f := newFixture(t, nil)
	r := run(t, f, -1)
	f.converted("example.com/v3", widget("v1", "a", "", `"count":1`), widget("v2", "b", "", ""))
	f.refused(body("example.com/v2", widget("v1", "c", "", `"mode":"fail"`)))
	status, text := r.ask("/metrics")
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	var series []string
	for line := range strings.Lines(text) {
		if at := strings.LastIndexByte(line, ' '); strings.HasPrefix(line, "armature_conversion_") {
			series = append(series, line[:at])
		}
	}
	slices.Sort(series)
	golden.Equal(t, "testdata/series.txt", strings.Join(series, "\n")+"\n")
}
