package remote

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// The steps of a small build: each reads what the one before it has written.
const (
	module = `module(name = "armature")

# bazelw knows where these are.
bazel_dep(name = "gazelle", version = "0.47.0")
bazel_dep(name = "platforms", version = "1.0.0")
bazel_dep(name = "rules_go", version = "0.60.0")
`
	steps     = 6
	buildFile = `
genrule(
    name = "step0",
    outs = ["step0.txt"],
    cmd = "echo first >$@",
)

[genrule(
    name = "step%%d" %% n,
    srcs = ["step%%d.txt" %% (n - 1), "note.txt"],
    outs = ["step%%d.txt" %% n],
    cmd = "sleep %[1]v; cat $(SRCS) >$@; echo step %%d >>$@" %% n,
) for n in range(1, %[2]d)]
`
)

// newSteps returns a workspace that has the options of this repository and the steps,
// each of which takes some seconds.
func newSteps(t *testing.T, seconds float64) machine {
	t.Helper()
	m := machine{Workspace: workspace.Open(t, "remote-faults")}
	m.Fill(t, map[string]string{
		".bazelversion": ".bazelversion", "bazelw": "bazelw", "go.mod": "go.mod",
		"tools/bazel/bootstrap.sh": "tools/bazel/bootstrap.sh", "tools/bazel/debian.sh": "tools/bazel/debian.sh",
		"tools/bazel/release.sh": "tools/bazel/release.sh", "tools/bazel/releases.sha256": "tools/bazel/releases.sha256",
	})
	rc, err := os.ReadFile(filepath.Join(m.Source, ".bazelrc"))
	if err != nil {
		t.Fatal(err)
	}
	var options strings.Builder
	for line := range strings.Lines(string(rc)) {
		if !strings.Contains(line, "@rules_go") { // there is no Go here
			options.WriteString(line)
		}
	}
	m.write(t, ".bazelrc", options.String())
	m.write(t, "MODULE.bazel", module)
	m.write(t, "BUILD.bazel", fmt.Sprintf(buildFile, seconds, steps))
	m.write(t, "note.txt", "a note\n")
	return m
}

func (m machine) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.Dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// steps builds the steps. If it succeeds, the last one must have written what it
// would have without a cache.
func (m machine) steps(t *testing.T, options ...string) (string, error) {
	t.Helper()
	note, err := os.ReadFile(filepath.Join(m.Dir, "note.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := "first\n"
	for n := 1; n < steps; n++ {
		want += string(note) + fmt.Sprintf("step %d\n", n)
	}
	out, took, err := m.try(append([]string{"build", "--disk_cache=", fmt.Sprintf("//:step%d", steps-1)}, options...)...)
	var said []string
	for line := range strings.Lines(out) {
		if strings.Contains(line, "WARNING") || strings.Contains(line, " processes: ") || strings.Contains(line, "ERROR") {
			said = append(said, "  "+line)
		}
	}
	t.Logf("%.1f s, %v\n%s", took.Seconds(), err, strings.Join(said, ""))
	if err != nil {
		return out, err
	}
	if got, err := os.ReadFile(m.last()); err != nil || string(got) != want {
		t.Errorf("the last step wrote %q, %v, want %q", got, err, want)
	}
	return out, nil
}

// last returns the output of the last step.
func (m machine) last() string {
	return filepath.Join(m.OutputBase, fmt.Sprintf("execroot/_main/bazel-out/k8-fastbuild/bin/step%d.txt", steps-1))
}

// succeed builds the steps, which must succeed and say something.
func (m machine) succeed(t *testing.T, says string, options ...string) {
	t.Helper()
	if out, err := m.steps(t, options...); err != nil || !strings.Contains(out, says) {
		t.Errorf("the build ended with %v, want success and %q:\n%s", err, says, out)
	}
}

// faulty is a cache over HTTP that does its work until it is told to fail.
type faulty struct {
	sync.Mutex
	blobs map[string][]byte // by path: /ac/<hash> and /cas/<hash>
	fault fault
}

// set makes the cache fail from now on.
func (f *faulty) set(fault fault) {
	f.Lock()
	defer f.Unlock()
	f.fault = fault
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.Lock()
	blob, ok := f.blobs[r.URL.Path]
	fault := f.fault
	f.Unlock()
	if fault != nil && fault(w, r, blob) {
		return
	}
	switch {
	case r.Method == http.MethodPut:
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		f.Lock()
		defer f.Unlock()
		f.blobs[r.URL.Path] = body
	case ok:
		_, _ = w.Write(blob)
	default:
		http.NotFound(w, r)
	}
}

// fault answers a request in place of a cache, and reports whether it did.
type fault func(w http.ResponseWriter, r *http.Request, blob []byte) bool

// on returns a fault for the requests of a method below a path.
func on(method, path string, answer fault) fault {
	return func(w http.ResponseWriter, r *http.Request, blob []byte) bool {
		if r.Method != method || !strings.HasPrefix(r.URL.Path, path) {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		return answer(w, r, blob)
	}
}

// status answers with a code, which for 404 is an evicted blob.
func status(code int) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		w.WriteHeader(code)
		return true
	}
}

// garbage answers with as many bytes as the blob has.
func garbage(w http.ResponseWriter, _ *http.Request, blob []byte) bool {
	_, _ = w.Write(bytes.Repeat([]byte{'x'}, len(blob)))
	return true
}

// half answers with half a blob, and says that this is all.
func half(w http.ResponseWriter, _ *http.Request, blob []byte) bool {
	_, _ = w.Write(blob[:len(blob)/2])
	return true
}

// broken closes the connection after half a blob.
func broken(w http.ResponseWriter, _ *http.Request, blob []byte) bool {
	w.Header().Set("Content-Length", fmt.Sprint(len(blob)))
	_, _ = w.Write(blob[:len(blob)/2])
	panic(http.ErrAbortHandler)
}

// hang does not answer.
func hang(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
	<-r.Context().Done()
	return true
}

// TestFaultyCache builds with a cache that a good build has filled, and which then
// fails. No output is ever wrong.
func TestFaultyCache(t *testing.T) {
	m := newSteps(t, 0)
	hits := fmt.Sprintf("%d remote cache hit", steps)
	ran := fmt.Sprintf("%d linux-sandbox", steps)
	for _, c := range []struct {
		name  string
		fault fault
		says  string // in what Bazel prints
		// minimal is the same where Bazel fetches the outputs of the last step alone, as
		// --config=remote does. Then the first fault that it meets may be in an output that it
		// believes to be safe in the cache, and the build fails.
		minimal string
	}{
		{"a cache without faults has all", nil, hits, hits},
		{"blobs of another content are not used", on("GET", "/cas/", garbage), ran, "Failed to fetch blobs"},
		{"half a blob is not used", on("GET", "/cas/", half), ran, "Failed to fetch blobs"},
		{"a connection that breaks in a blob", on("GET", "/cas/", broken), ran, "Failed to fetch blobs"},
		{"blobs that were evicted are made again", on("GET", "/cas/", status(404)), ran, "Failed to fetch blobs"},
		{"results that are garbage are not used", on("GET", "/ac/", garbage), ran, ran},
		{"results that are cut off are not used", on("GET", "/ac/", half), ran, ran},
		{"a cache that fails", on("GET", "/", status(500)), "500 Internal Server Error", ran},
		{"a cache that denies reading", on("GET", "/", status(403)), "403 Forbidden", ran},
		{"a cache that denies writing is read", on("PUT", "/", status(403)), hits, hits},
		{"a cache that hangs", on("GET", "/", hang), ran, ran},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := &faulty{blobs: map[string][]byte{}}
			server := httptest.NewServer(cache)
			defer server.Close()
			// With the timeout of .bazelrc the cache that hangs would only take longer.
			options := []string{"--config=cache", "--remote_cache=" + server.URL, "--remote_timeout=1"}
			m.bazel(t, "clean")
			m.succeed(t, ran, options...)
			cache.set(c.fault)
			m.bazel(t, "clean")
			m.succeed(t, c.says, options...)
			m.bazel(t, "clean")
			out, err := m.steps(t, append(options, "--remote_download_outputs=toplevel")...)
			if !strings.Contains(out, c.minimal) {
				t.Errorf("Bazel does not say %q:\n%s", c.minimal, out)
			}
			if fails := c.minimal == "Failed to fetch blobs"; fails != (err != nil) {
				t.Errorf("the build ended with %v", err)
			}
		})
	}
}

// TestReadOnlyUser builds something new with a cache into which this user may not
// write.
func TestReadOnlyUser(t *testing.T) {
	m := newSteps(t, 0)
	cache := &faulty{blobs: map[string][]byte{}}
	cache.set(on("PUT", "/", status(403)))
	server := httptest.NewServer(cache)
	defer server.Close()
	for name, options := range map[string][]string{
		"who tries it anyway":                  nil,
		"with --noremote_upload_local_results": {"--noremote_upload_local_results"},
	} {
		t.Run(name, func(t *testing.T) {
			m.bazel(t, "clean")
			m.succeed(t, "linux-sandbox", append(options, "--config=cache", "--remote_cache="+server.URL)...)
		})
	}
}

// TestEvicted builds, loses all blobs of the cache, and builds on after an edit. Bazel
// has kept the outputs in between in the cache alone, as --config=remote does.
func TestEvicted(t *testing.T) {
	m := newSteps(t, 0)
	cache := &faulty{blobs: map[string][]byte{}}
	server := httptest.NewServer(cache)
	defer server.Close()
	options := []string{"--config=cache", "--remote_cache=" + server.URL, "--remote_download_outputs=toplevel"}
	for range 2 { // what was made here is also on the disk; the second time all comes from the cache
		m.bazel(t, "clean")
		m.succeed(t, "", options...)
	}
	cache.Lock()
	clear(cache.blobs)
	cache.Unlock()
	m.write(t, "note.txt", "another note\n")
	m.succeed(t, "linux-sandbox", options...)
}

// TestForgedResult shows what a cache cannot prevent: who may write to it decides what
// the actions of others have made.
func TestForgedResult(t *testing.T) {
	m := newSteps(t, 0)
	cache := &faulty{blobs: map[string][]byte{}}
	server := httptest.NewServer(cache)
	defer server.Close()
	options := []string{"--config=cache", "--remote_cache=" + server.URL}
	m.bazel(t, "clean")
	m.succeed(t, "", options...)
	// The result of the last step names the digest of its output, in text. Here it names
	// another blob of the same size.
	want, err := os.ReadFile(m.last())
	if err != nil {
		t.Fatal(err)
	}
	forged := bytes.ToUpper(want)
	digest := func(blob []byte) []byte { return fmt.Appendf(nil, "%x", sha256.Sum256(blob)) }
	cache.Lock()
	cache.blobs["/cas/"+string(digest(forged))] = forged
	for path, blob := range cache.blobs {
		if strings.HasPrefix(path, "/ac/") {
			cache.blobs[path] = bytes.ReplaceAll(blob, digest(want), digest(forged))
		}
	}
	cache.Unlock()
	m.bazel(t, "clean")
	m.bazel(t, append([]string{"build", "--disk_cache=", fmt.Sprintf("//:step%d", steps-1)}, options...)...)
	if got, err := os.ReadFile(m.last()); err != nil || !bytes.Equal(got, forged) {
		t.Errorf("the forged result was refused: %q, %v; docs/remote.md says that it is not", got, err)
	}
}

// TestWorkerDies kills the worker in the middle of a build.
func TestWorkerDies(t *testing.T) {
	m := newSteps(t, 1)
	bin := engines(t, m.Workspace)
	for _, c := range []struct {
		name    string
		back    bool
		options []string
		says    string
	}{
		{"and comes back", true, nil, " remote."},
		{"and does not come back: it finishes here, in the sandbox", false, []string{"--remote_download_outputs=all"}, " linux-sandbox"},
		{"and does not come back with the outputs that it has", false, nil, "Failed to fetch blobs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			worker := newWorker(t, bin, m.Workspace)
			m.bazel(t, "clean")
			var out string
			var err error
			built := make(chan struct{})
			go func() {
				defer close(built)
				out, err = m.steps(t, append([]string{"--config=remote", "--remote_executor=grpc://" + worker.address()}, c.options...)...)
			}()
			t.Cleanup(func() { <-built })
			worker.awaitActions(t, 2)
			worker.kill()
			if c.back {
				time.Sleep(2 * time.Second)
				worker.start(t)
			}
			<-built
			if fails := strings.HasPrefix(c.says, "Failed"); !strings.Contains(out, c.says) || fails != (err != nil) {
				t.Errorf("the build ended with %v, want %q:\n%s", err, c.says, out)
			}
			if strings.Contains(out, " local") {
				t.Error("an action ran outside of the sandbox")
			}
		})
	}
}
