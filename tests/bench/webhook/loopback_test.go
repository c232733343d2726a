package webhook_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/apis/storage/scheme"
	"github.com/armature-dev/armature/runtime/webhook"
)

// BenchmarkLoopback reports how long reviews take over TLS when a client sends
// 100 a second for 60 s, without waiting for earlier answers. The time of a
// review begins when it was due.
func BenchmarkLoopback(b *testing.B) {
	address, client := serve(b)
	for _, count := range []int{1, 10} {
		b.Run(fmt.Sprintf("objects=%d", count), func(b *testing.B) {
			body, err := io.ReadAll(newReview(managed(b, account(b, hub)), count, "v20190601"))
			if err != nil {
				b.Fatal(err)
			}
			var times []time.Duration
			for b.Loop() {
				times = append(times, load(b, address, client, body)...)
			}
			slices.Sort(times)
			b.ReportMetric(0, "ns/op")
			for _, percent := range []int{50, 99} {
				b.ReportMetric(float64(times[len(times)*percent/100].Microseconds())/1000, fmt.Sprintf("ms-p%d", percent))
			}
			b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "ms-max")
		})
	}
}

func load(b *testing.B, address string, client *http.Client, body []byte) []time.Duration {
	const rate, seconds = 100, 60
	times := make([]time.Duration, rate*seconds)
	start := time.Now()
	var all sync.WaitGroup
	for i := range times {
		due := start.Add(time.Duration(i) * time.Second / rate)
		time.Sleep(time.Until(due))
		all.Go(func() {
			response, err := client.Post("https://"+address+"/convert", "application/json", bytes.NewReader(body))
			if err != nil {
				b.Error(err)
				return
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err != nil || !bytes.Contains(text, []byte(`"status":"Success"`)) {
				b.Errorf("%v: %.1000s", err, text)
			}
			times[i] = time.Since(due)
		})
	}
	all.Wait()
	return times
}

// serve runs the webhook until the benchmark ends.
func serve(b *testing.B) (address string, client *http.Client) {
	folder := b.TempDir()
	roots := certificate(b, folder)
	s := k8sruntime.NewScheme()
	if err := scheme.AddToScheme(s); err != nil {
		b.Fatal(err)
	}
	handler, err := webhook.New(webhook.Options{Scheme: s, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	server, err := webhook.NewServer(handler, webhook.ServerOptions{
		Address: "127.0.0.1:0", Operations: "127.0.0.1:0", Drain: -1,
		CertFile: filepath.Join(folder, "tls.crt"), KeyFile: filepath.Join(folder, "tls.key"),
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error)
	go func() { ended <- server.Run(ctx) }()
	// The API server keeps as many idle connections.
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, MaxIdleConnsPerHost: 25}
	b.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
	return server.Address(), &http.Client{Transport: transport}
}

// certificate writes a certificate for 127.0.0.1 into a folder.
func certificate(b *testing.B, folder string) *x509.CertPool {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		b.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		b.Fatal(err)
	}
	roots := x509.NewCertPool()
	for file, block := range map[string]*pem.Block{"tls.key": {Type: "PRIVATE KEY", Bytes: private},
		"tls.crt": {Type: "CERTIFICATE", Bytes: der}} {
		text := pem.EncodeToMemory(block)
		roots.AppendCertsFromPEM(text)
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return roots
}
