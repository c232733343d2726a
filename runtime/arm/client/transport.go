package client

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

// The client sends a ping when a connection has been silent for pingAfter, and closes the
// connection if no answer comes within pingWait. Otherwise the operating system would try a
// dead connection for a quarter of an hour, and all HTTP/2 requests share one.
const (
	pingAfter = 10 * time.Second
	pingWait  = 5 * time.Second
)

// NewTransport returns an HTTP client for ARM and for the authority that gives tokens. It trusts
// the certificate authorities of the system, and those in caFile, which is PEM, unless caFile is
// empty. It follows no redirects, because a token belongs to the host that it was issued for.
func NewTransport(caFile string) (*http.Client, error) {
	if caFile == "" {
		return newTransport(nil), nil
	}
	text, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("the system's certificate authorities: %w", err)
	}
	if err := addAuthorities(roots, text); err != nil {
		return nil, fmt.Errorf("%s: %w", caFile, err)
	}
	return newTransport(roots), nil
}

// addAuthorities adds the certificates of a PEM text to a pool. Each must be readable:
// AppendCertsFromPEM would leave out the others, and the first request would fail for want of one.
func addAuthorities(pool *x509.CertPool, text []byte) error {
	for number := 1; ; number++ {
		block, rest := pem.Decode(text)
		switch {
		case block == nil && number == 1:
			return errors.New("found no certificate in PEM, expected those of the authorities")
		case block == nil:
			return nil
		case block.Type != "CERTIFICATE":
			return fmt.Errorf("found a block %s in place %d, expected certificates", block.Type, number)
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fmt.Errorf("the certificate in place %d: %w", number, err)
		}
		pool.AddCert(certificate)
		text = rest
	}
}

// newTransport returns an HTTP client that trusts the authorities in roots, by default the system's.
func newTransport(roots *x509.CertPool) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingWait}
	transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
