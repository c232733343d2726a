package command

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/runtime/version"
)

// certificates is a folder with a certificate.
func certificates(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for file, block := range map[string]*pem.Block{
		"tls.key": {Type: "PRIVATE KEY", Bytes: private}, "tls.crt": {Type: "CERTIFICATE", Bytes: der}} {
		if err := os.WriteFile(filepath.Join(folder, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestRun(t *testing.T) {
	t.Run("it serves until its context ends", servesUntilStopped)
	t.Run("bad flags are errors", badFlags)
}

func servesUntilStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	log, output := io.Pipe()
	ended := make(chan error)
	added := false
	group := func(*runtime.Scheme) error { added = true; return nil }
	go func() {
		err := Run(ctx, []string{
			"--cert-dir=" + certificates(t), "--address=127.0.0.1:0", "--operations-address=127.0.0.1:0", "--drain=0",
			"--otlp-endpoint=127.0.0.1:1", "--otlp-insecure", // nobody listens there, which stops nothing
		}, output, group)
		output.Close()
		ended <- err
	}()
	var operations string
	buffer := make([]byte, 64<<10)
	for operations == "" {
		n, err := log.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(buffer[:n]), `"operations":"`)
		operations, _, _ = strings.Cut(after, `"`)
	}
	go io.Copy(io.Discard, log)
	response, err := http.Get("http://" + operations + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(text), "go_goroutines") ||
		!strings.Contains(string(text), "armature_conversion_reviews_in_flight 0") ||
		!strings.Contains(string(text), `armature_build_info{version="`+version.String()+`"} 1`) {
		t.Errorf("%v: %s", err, text)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !added {
		t.Error("the group was not added")
	}
}

func badFlags(t *testing.T) {
	broken := func(*runtime.Scheme) error { return errors.New("no such group") }
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"more"}, `there are arguments that are no flags: ["more"]`},
		{[]string{"--timeout=x"}, "; --help lists the flags"},
		{[]string{"--log-level=loud"}, "invalid value"},
		{[]string{"--cert-dir=absent"}, `certificate "absent/tls.crt"`},
		{[]string{"--help"}, flag.ErrHelp.Error()},
	} {
		if err := Run(t.Context(), test.arguments, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.arguments, err, test.want)
		}
	}
	if err := Run(t.Context(), nil, io.Discard, broken); err == nil || err.Error() != "no such group" {
		t.Error(err)
	}
}
