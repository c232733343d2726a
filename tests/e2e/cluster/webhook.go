package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/tools/controlplane"
)

// Webhook serves a handler with TLS at its own address. A test may replace the
// handler while it serves requests.
type Webhook struct {
	address string
	ca      []byte
	handler atomic.Pointer[http.Handler]
	server  *httptest.Server
}

// NewWebhook starts a webhook, which serves until it is stopped.
func NewWebhook(t testing.TB, handler http.Handler) *Webhook {
	t.Helper()
	w := &Webhook{address: "127.0.0.1:0"}
	w.Handle(handler)
	w.Start(t)
	w.address = w.server.Listener.Addr().String()
	w.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.server.Certificate().Raw})
	return w
}

// Conversion returns the conversion stanza of a CRD that the webhook converts.
func (w *Webhook) Conversion() *apiextensionsv1.CustomResourceConversion {
	return controlplane.ConversionAt(w.address, w.ca)
}

// Handle replaces the handler for later requests.
func (w *Webhook) Handle(handler http.Handler) { w.handler.Store(&handler) }

// Start serves again at the same address after [Webhook.Stop].
func (w *Webhook) Start(t testing.TB) {
	t.Helper()
	w.start(t, nil)
}

// StartWithOtherCertificate serves with a certificate that the CRDs do not trust.
func (w *Webhook) StartWithOtherCertificate(t testing.TB) {
	t.Helper()
	certificate, err := otherCertificate()
	if err != nil {
		t.Fatal(err)
	}
	w.start(t, []tls.Certificate{certificate})
}

func (w *Webhook) start(t testing.TB, certificates []tls.Certificate) {
	t.Helper()
	listener, err := net.Listen("tcp", w.address)
	if err != nil {
		t.Fatal(err)
	}
	w.server = &httptest.Server{
		Listener: listener,
		Config: &http.Server{
			Handler:  http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) { (*w.handler.Load()).ServeHTTP(out, in) }),
			ErrorLog: log.New(io.Discard, "", 0),
		},
		TLS: &tls.Config{Certificates: certificates},
	}
	w.server.StartTLS()
}

// Stop stops listening and closes all connections, including those with requests.
func (w *Webhook) Stop() {
	w.server.Listener.Close()
	w.server.CloseClientConnections()
	w.server.Close()
}

func otherCertificate() (tls.Certificate, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, err
}
