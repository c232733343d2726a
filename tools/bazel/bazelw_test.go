// Package bazel_test tests bazelw and bootstrap.sh on a host made of stubs: it has no network, no packages, and only
// the programs that a case puts there.
package bazel_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// basics are the programs that the scripts may expect on any host.
var basics = []string{
	"bash", "cat", "chmod", "cksum", "cut", "dirname", "env", "find", "grep", "mkdir", "mktemp", "mv", "rm", "sed",
	"sha256sum", "sh", "sleep", "sort", "touch", "uname",
}

const (
	stubGo = `echo go1.99.1`
	// stubBazel prints its arguments, one a line.
	stubBazel = `[ "$1" != --version ] || { echo "bazel 7.7.1"; exit; }; echo "ran ${0##*/}"; printf '%s\n' "$@"`
	// stubCurl serves bazel, and lists the URLs that it is asked for. Its arguments end with -o FILE URL.
	stubCurl = `for url; do :; done
while [ "$1" != -o ]; do shift; done
echo "$url" >>"$HOME/fetched"
case $url in
*.sha256) cat "$HOME/published.sha256" >"$2" ;;
*) cat "$HOME/published" >"$2" ;;
esac`
	offlineCurl = `echo probe >>"$HOME/fetched"; exit 6`
)

// host is a checkout with a space in its path, an empty HOME and a PATH of stubs.
type host struct {
	t                   *testing.T
	checkout, home, bin string
}

func newHost(t *testing.T, stubs map[string]string) *host {
	dir := t.TempDir()
	h := &host{t: t, checkout: filepath.Join(dir, "check out"), home: filepath.Join(dir, "home"), bin: filepath.Join(dir, "bin")}
	for _, file := range []string{".bazelversion", "bazelw", "go.mod", "tools/bazel/bootstrap.sh"} {
		data, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		h.write(filepath.Join(h.checkout, file), string(data))
	}
	for _, name := range basics {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		h.write(filepath.Join(h.bin, name), "#!/bin/sh\nexec "+path+` "$@"`)
	}
	for name, body := range stubs {
		h.stub(name, body)
	}
	if err := os.MkdirAll(h.home, 0o755); err != nil {
		t.Fatal(err)
	}
	published := "#!/bin/sh\n" + stubBazel + "\n"
	h.write(filepath.Join(h.home, "published"), published)
	h.write(filepath.Join(h.home, "published.sha256"), fmt.Sprintf("%x  bazel\n", sha256.Sum256([]byte(published))))
	return h
}

func (h *host) write(path, data string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o755); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) stub(name, body string) { h.write(filepath.Join(h.bin, name), "#!/bin/sh\n"+body+"\n") }

func (h *host) command(args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.Command(filepath.Join(h.bin, "bash"), append([]string{filepath.Join(h.checkout, "bazelw")}, args...)...)
	cmd.Dir = h.checkout
	cmd.Env = []string{"HOME=" + h.home, "PATH=" + h.bin}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	// A group of its own, so that a case can kill it with all its children.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd, stdout, stderr
}

// run runs bazelw, which must succeed.
func (h *host) run(args ...string) (stdout, stderr string) {
	h.t.Helper()
	cmd, out, err := h.command(args...)
	if e := cmd.Run(); e != nil {
		h.t.Fatalf("bazelw %q: %v\n%s", args, e, err)
	}
	return out.String(), err.String()
}

// fail runs bazelw, which must fail, and returns its messages.
func (h *host) fail() string {
	h.t.Helper()
	cmd, out, err := h.command("build")
	if cmd.Run() == nil {
		h.t.Fatalf("bazelw succeeded: %s", out)
	}
	return err.String()
}

func (h *host) fetched() string {
	data, _ := os.ReadFile(filepath.Join(h.home, "fetched"))
	return string(data)
}

// private returns the paths of the private Bazel, which is one path after a download.
func (h *host) private() []string {
	found, _ := filepath.Glob(filepath.Join(h.home, ".cache/armature/bazel/7.7.1-*/bin/bazel"))
	return found
}

func wantContains(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in:\n%s", want, got)
		}
	}
}

func TestBazelw(t *testing.T) {
	t.Run("an installed Bazel is chosen", testInstalled)
	t.Run("an installed Bazel of another version is not chosen", testOtherVersion)
	t.Run("an old Go is an error", testOldGo)
	t.Run("Go is required even if Bazel is installed", testGoMissing)
}

func TestBootstrap(t *testing.T) {
	t.Run("the second start fetches nothing and is quick", testSecondStart)
	t.Run("a download with another checksum is an error", testChecksum)
	t.Run("a run starts over after one that was killed", testKilled)
	t.Run("several first starts at once", testFirstStartsAtOnce)
	t.Run("all missing tools are in one message", testMissingTools)
	t.Run("without a release and without Debian the message says what to install", testNoSource)
}

func testInstalled(t *testing.T) {
	for _, c := range []struct{ name, why, want string }{
		{"bazelisk", "it reads .bazelversion itself", "ran bazelisk"},
		{"bazel", "its version is the pinned one", "ran bazel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t, map[string]string{"go": stubGo, c.name: stubBazel, "curl": stubCurl})
			out, err := h.run("test", "a b")
			wantContains(t, out, c.want, "--bazelrc="+h.home, "\ntest\na b\n")
			if err != "" || h.fetched() != "" {
				t.Errorf("%s, so want no message and no download; found the message %q, and downloaded %q", c.why, err, h.fetched())
			}
		})
	}
}

func testOtherVersion(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "bazel": `echo "bazel 8.0.0"`, "curl": stubCurl})
	out, _ := h.run("build")
	wantContains(t, out, "\nbuild\n")
	wantContains(t, h.fetched(), "/7.7.1/bazel-7.7.1-")
}

func testSecondStart(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "curl": stubCurl})
	h.run("build")
	first := h.fetched()
	best := time.Hour
	for range 5 {
		start := time.Now()
		if _, err := h.run("build"); err != "" {
			t.Errorf("a warm start prints %q, want nothing", err)
		}
		best = min(best, time.Since(start))
	}
	if got := h.fetched(); got != first {
		t.Errorf("warm starts fetched something: %q, the first one %q", got, first)
	}
	// The best of five counts, because the machine may be busy.
	if best > 200*time.Millisecond {
		t.Errorf("a warm start takes %v, more than 0.2 s", best)
	}
}

func testChecksum(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "curl": stubCurl})
	h.write(filepath.Join(h.home, "published"), "something else")
	wantContains(t, h.fail(), "has sha256", "published is", "nothing was kept")
	if found := h.private(); found != nil {
		t.Errorf("%s was kept", found)
	}
}

func testKilled(t *testing.T) {
	slow := strings.Replace(stubCurl, `*) cat`, `*) echo half >"$2"; touch "$HOME/half"; sleep 60; cat`, 1)
	h := newHost(t, map[string]string{"go": stubGo, "curl": slow})
	cmd, _, _ := h.command("build")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(h.home, "half")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the download never began")
		}
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if found := h.private(); found != nil {
		t.Fatalf("half a download is there as Bazel: %s", found)
	}
	h.stub("curl", stubCurl)
	out, _ := h.run("build")
	wantContains(t, out, "\nbuild\n")
}

func testFirstStartsAtOnce(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "curl": strings.Replace(stubCurl, "case", "sleep 0.2; case", 1)})
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cmd, out, errs := h.command("build")
			if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "\nbuild\n") {
				t.Errorf("%v: %s%s", err, out, errs)
			}
		}()
	}
	wg.Wait()
}

func testMissingTools(t *testing.T) {
	// bootstrap.sh takes a host with apt-get for Debian. GitHub does not answer.
	h := newHost(t, map[string]string{"apt-get": `exit 1`, "curl": offlineCurl, "uname": `case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac`})
	said := h.fail()
	wantContains(t, said, "go (Go 1.26", "apt-cache", "awk", "dpkg-deb", "flock", "tar", "Install them")
	if n := strings.Count(said, "Install"); n != 1 {
		t.Errorf("%d messages instead of one:\n%s", n, said)
	}
}

func testNoSource(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "curl": offlineCurl})
	wantContains(t, h.fail(), "out of reach", "Install bazelisk, or Bazel 7.7.1")
}

func testOldGo(t *testing.T) {
	h := newHost(t, map[string]string{"go": `echo go1.20.3`, "bazelisk": stubBazel})
	wantContains(t, h.fail(), "found Go go1.20.3", "need Go 1.26", "install it")
}

func testGoMissing(t *testing.T) {
	h := newHost(t, map[string]string{"bazelisk": stubBazel})
	wantContains(t, h.fail(), "missing host tool: go (Go 1.26")
}
