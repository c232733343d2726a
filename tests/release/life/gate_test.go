package life

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/armature-dev/armature/tests/release"
)

// gate is a proxy before the API server, by which a command can be killed at a certain write: the write is done, and
// the command does not learn that.
type gate struct {
	mutex   sync.Mutex
	left    int           // writes that are still answered, or a negative number if all are
	reached chan struct{} // closed when a write is not answered
}

// newGate starts a gate, and returns a kubeconfig of an administrator who passes it.
func newGate(t *testing.T, config *rest.Config) (*gate, []byte) {
	t.Helper()
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport, proxy.FlushInterval = transport, -1
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of commands that were killed
	g := &gate{left: -1}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		if isWrite(in) && g.isLast() {
			proxy.ServeHTTP(httptest.NewRecorder(), in)
			close(g.reached)
			<-in.Context().Done()
			return
		}
		proxy.ServeHTTP(out, in)
	}))
	t.Cleanup(server.Close)
	text, err := clientcmd.Write(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"gate": {Server: server.URL}},
		Contexts:       map[string]*clientcmdapi.Context{"gate": {Cluster: "gate"}},
		CurrentContext: "gate",
	})
	if err != nil {
		t.Fatal(err)
	}
	return g, text
}

// isWrite reports whether a request changes something.
func isWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && r.URL.Query().Get("dryRun") == "" && !strings.HasPrefix(r.URL.Path, "/apis/authorization.k8s.io/")
}

// isLast counts a write, and reports whether it is the one that is not answered.
func (g *gate) isLast() bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.left--
	return g.left == 0
}

// kill runs commands, and kills them with the n-th write.
func (g *gate) kill(t *testing.T, s release.Shell, commands string, n int) {
	t.Helper()
	reached := make(chan struct{})
	g.mutex.Lock()
	g.left, g.reached = n, reached
	g.mutex.Unlock()
	command := s.Command(t, commands)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	command.WaitDelay = time.Second
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case <-reached:
		if err := syscall.Kill(-command.Process.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-ended
	case err := <-ended:
		t.Fatalf("the commands ended before the write %d: %v\n%s\n%s", n, err, commands, &out)
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.left = -1
}
