package release

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/armature-dev/armature/tools/controlplane"
)

// Authority signs the certificate of a webhook.
type Authority struct {
	// Bundle is the authority's own certificate in PEM.
	Bundle      []byte
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// NewAuthority returns a new self-signed authority.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{key: newKey(t), certificate: &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "authority"},
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}}
	a.Bundle = a.sign(t, a.certificate, a.key)
	return a
}

// Issue writes tls.crt and tls.key into a folder, for a server on loopback, and for one with some names.
func (a *Authority) Issue(t testing.TB, folder string, names ...string) {
	t.Helper()
	key := newKey(t)
	certificate := a.sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(2),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		DNSNames:     names,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, key)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"tls.crt": certificate,
		"tls.key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (a *Authority) sign(t testing.TB, certificate *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, certificate, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// Addresses are the addresses on which a webhook listens.
type Addresses struct{ Address, Operations string }

// Start runs the program of the image for this machine until the test ends. It has the arguments of a
// Deployment, but listens on loopback, with a certificate of the authority.
func (r *Release) Start(t testing.TB, authority *Authority, arguments ...string) Addresses {
	t.Helper()
	folder := t.TempDir()
	authority.Issue(t, folder)
	program := exec.Command(r.Unpack(t, Webhook, runtime.GOARCH, folder), append(arguments,
		"--address=127.0.0.1:0", "--operations-address=127.0.0.1:0", "--cert-dir="+folder, "--drain=0")...)
	log, err := program.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		program.Process.Signal(syscall.SIGTERM)
		if err := program.Wait(); err != nil {
			t.Errorf("the webhook after SIGTERM: %v", err)
		}
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var ready Addresses
		if json.Unmarshal(lines.Bytes(), &ready) == nil && ready.Operations != "" {
			go io.Copy(io.Discard, log)
			return ready
		}
		t.Logf("webhook: %s", lines.Text())
	}
	t.Fatal("the webhook ended before it was ready")
	return Addresses{}
}

// Handler runs the webhook as [Release.Start] does. The handler passes requests on to it, as a Service does.
func (r *Release) Handler(t testing.TB) http.Handler {
	t.Helper()
	authority := NewAuthority(t)
	program := r.Start(t, authority)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority.Bundle)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "https", Host: program.Address})
	proxy.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, MaxIdleConnsPerHost: 8}
	proxy.ErrorLog = log.New(io.Discard, "", 0) // an API server that stops takes its requests back
	return proxy
}

// StartOperator runs the operator's program until the test ends, with a kubeconfig
// and the arguments of a Deployment, but listens on loopback. It returns where its
// health is.
func (r *Release) StartOperator(t testing.TB, kubeconfig string, arguments ...string) (health string) {
	t.Helper()
	health = freeAddress(t)
	program := exec.Command(r.Unpack(t, Operator, runtime.GOARCH, t.TempDir()), append(arguments,
		"--kubeconfig="+kubeconfig, "--health-address="+health, "--metrics-address=127.0.0.1:0")...)
	var log bytes.Buffer
	program.Stderr = &log
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		program.Process.Signal(syscall.SIGTERM)
		if err := program.Wait(); err != nil {
			t.Errorf("the operator after SIGTERM: %v", err)
		}
		if t.Failed() {
			t.Logf("operator: %s", log.String())
		}
	})
	return health
}

// freeAddress returns an address on loopback that nobody listens at.
func freeAddress(t testing.TB) string {
	t.Helper()
	address, err := controlplane.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}
