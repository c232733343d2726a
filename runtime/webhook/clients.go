package webhook

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// clients verifies the certificates of the clients that send reviews.
type clients struct {
	file  string
	names []string

	mu    sync.Mutex
	text  []byte // of the file
	pool  *x509.CertPool
	until time.Time // when to read the file again
}

// newClients returns the clients that may send reviews, or nil if anybody may.
func newClients(file string, names []string) (*clients, error) {
	if file == "" {
		if len(names) > 0 {
			return nil, fmt.Errorf("only clients named %s may send reviews, but there is no file with the "+
				"authorities that sign their certificates", strings.Join(names, ", "))
		}
		return nil, nil
	}
	c := &clients{file: file, names: names}
	_, err := c.authorities()
	return c, err
}

// authorities returns the authorities in the file. If the file is bad when it is read again,
// it returns the ones from before.
func (c *clients) authorities() (*x509.CertPool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.until) {
		return c.pool, nil
	}
	text, err := os.ReadFile(c.file)
	pool := x509.NewCertPool()
	if err == nil && !bytes.Equal(text, c.text) && !pool.AppendCertsFromPEM(text) {
		err = errors.New("found no certificate in PEM")
	}
	switch {
	case err != nil && c.pool == nil:
		return nil, fmt.Errorf("authorities of clients %q: %w", c.file, err)
	case err == nil && !bytes.Equal(text, c.text):
		c.text, c.pool = text, pool
	}
	c.until = time.Now().Add(time.Second)
	return c.pool, nil
}

// require makes a server demand certificates from its clients.
func (c *clients) require(config *tls.Config) {
	base := config.Clone()
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		pool, err := c.authorities()
		if err != nil {
			return nil, err
		}
		config := base.Clone()
		config.ClientAuth, config.ClientCAs, config.VerifyConnection = tls.RequireAndVerifyClientCert, pool, c.verify
		config.SessionTicketsDisabled = true // otherwise a resumed session would still trust an authority that was removed
		return config, nil
	}
}

// verify checks the name of a client whose certificate is valid.
func (c *clients) verify(state tls.ConnectionState) error {
	if len(c.names) == 0 {
		return nil
	}
	certificate := state.PeerCertificates[0]
	for _, name := range append(certificate.DNSNames, certificate.Subject.CommonName) {
		if slices.Contains(c.names, name) {
			return nil
		}
	}
	return fmt.Errorf("the client's certificate is for %s, expected %s", quoteShort(certificate.Subject.CommonName),
		strings.Join(c.names, ", "))
}
