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
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/armature-dev/armature/internal/await"
)

// basics are the programs that the scripts may expect on any host.
var basics = []string{
	"bash", "cat", "chmod", "cksum", "cut", "dirname", "env", "find", "grep", "mkdir", "mktemp", "mv", "rm", "sed",
	"sha256sum", "sh", "sleep", "sort", "touch", "uname",
}

const (
	// stubGo is a Go that becomes any other release.
	stubGo = `echo "$GOTOOLCHAIN"`
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
	env                 []string // more variables
}

func newHost(t *testing.T, stubs map[string]string) *host {
	dir := t.TempDir()
	h := &host{t: t, checkout: filepath.Join(dir, "check out"), home: filepath.Join(dir, "home"), bin: filepath.Join(dir, "bin")}
	for _, file := range []string{".bazelversion", "bazelw", "go.mod", pins, bootstrap, debian, "tools/bazel/release.sh"} {
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
	h.publish("#!/bin/sh\n" + stubBazel + "\n")
	h.edit(pins, func(text string) string { return pin.ReplaceAllString(text, h.checksum()+" bazel-$1") })
	return h
}

// pin matches the line of a release's file.
var pin = regexp.MustCompile(`[0-9a-f]{64} bazel-(\S+)`)

// publish makes GitHub have a program, with its checksum.
func (h *host) publish(program string) {
	h.write(filepath.Join(h.home, "published"), program)
	h.write(filepath.Join(h.home, "published.sha256"), fmt.Sprintf("%x  bazel\n", sha256.Sum256([]byte(program))))
}

// checksum returns the checksum of what GitHub has.
func (h *host) checksum() string {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.home, "published.sha256"))
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.Fields(string(text))[0]
}

const (
	bootstrap = "tools/bazel/bootstrap.sh"
	debian    = "tools/bazel/debian.sh"
	pins      = "tools/bazel/releases.sha256"
)

// edit changes the host's copy of a script.
func (h *host) edit(script string, change func(string) string) {
	h.t.Helper()
	file := filepath.Join(h.checkout, script)
	text, err := os.ReadFile(file)
	if err != nil {
		h.t.Fatal(err)
	}
	changed := change(string(text))
	if changed == string(text) {
		h.t.Fatalf("the edit of %s changes nothing", script)
	}
	h.write(file, changed)
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
	cmd.Env = append([]string{"HOME=" + h.home, "PATH=" + h.bin}, h.env...)
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
	t.Run("bazelisk has to check what it downloads", testBazelisk)
	t.Run("an installed Bazel of another version is not chosen", testOtherVersion)
	t.Run("a bazel that runs bazelw is passed over", testRunsItself)
	t.Run("an old Go is an error", testOldGo)
	t.Run("a Go that has to fetch the release of go.mod says so", testFetching)
	t.Run("a Go that cannot fetch the release of go.mod is an error", testNoToolchain)
	t.Run("Go is required even if Bazel is installed", testGoMissing)
	t.Run("sandboxes are in memory where there is enough", testSandboxes)
}

func TestBootstrap(t *testing.T) {
	t.Run("the second start fetches nothing", testSecondStart)
	t.Run("a download with another checksum than the pinned one is an error", testChecksum)
	t.Run("every platform has a pin of the version in .bazelversion", testPins)
	t.Run("a run starts over after one that was killed", testKilled)
	t.Run("several first starts at once", testFirstStartsAtOnce)
	t.Run("the Debian way leaves a Bazel alone that a run from GitHub has installed meanwhile", testBothWaysAtOnce)
	t.Run("package lists of Debian that have expired are refused unless the user takes them", testExpired)
	t.Run("a Bazel of Debian that is not the pinned one is refused unless the user takes it", testOtherBazel)
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

func testBazelisk(t *testing.T) {
	for _, c := range []struct {
		name   string
		env    []string
		change func(h *host)
		want   bool
	}{
		{"the release of .bazelversion has the checksum that is pinned", nil, nil, true},
		{"so it is if the user names the same", []string{"USE_BAZEL_VERSION=7.7.1"}, nil, true},
		{"another release has another", []string{"USE_BAZEL_VERSION=8.0.0"}, nil, false},
		{"a machine without a pin has none", nil, func(h *host) { h.stub("uname", "echo Plan9") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t, map[string]string{"go": stubGo, "bazelisk": `echo "checks ${BAZELISK_VERIFY_SHA256:-nothing}"`})
			h.env = c.env
			if c.change != nil {
				c.change(h)
			}
			want := "checks nothing\n"
			if c.want {
				want = "checks " + h.checksum() + "\n"
			}
			if out, _ := h.run("build"); out != want {
				t.Errorf("got %q, want %q", out, want)
			}
		})
	}
}

func testSandboxes(t *testing.T) {
	const enough = `[ "$3" = %T ] && echo tmpfs || echo "1572864 * 4096"`
	for _, c := range []struct {
		name, stat string
		prepare    func(folder string) error
		want       bool
	}{
		{"6 GB are free", enough, nil, true},
		{"less is free", strings.Replace(enough, "64 *", "63 *", 1), nil, false},
		{"the file system is on a disk", strings.Replace(enough, "tmpfs", "ext4", 1), nil, false},
		{"the folder is there already", enough, func(folder string) error { return os.Mkdir(folder, 0o700) }, true},
		{"somebody made a link in its place", enough, func(folder string) error { return os.Symlink("/tmp", folder) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t, map[string]string{"go": stubGo, "bazel": stubBazel, "stat": c.stat})
			memory := filepath.Join(h.home, "shm")
			folder := filepath.Join(memory, fmt.Sprint("armature-", os.Getuid()))
			if err := os.Mkdir(memory, 0o755); err != nil {
				t.Fatal(err)
			}
			h.edit("bazelw", func(script string) string { return strings.Replace(script, "memory=/dev/shm", "memory="+memory, 1) })
			if c.prepare != nil {
				if err := c.prepare(folder); err != nil {
					t.Fatal(err)
				}
			}
			h.run("build")
			rc, err := os.ReadFile(filepath.Join(h.home, ".cache/armature/bazelw.rc"))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(rc), "\ncommon --sandbox_base="+folder+"\n"); got != c.want {
				t.Errorf("want the folder in the options: %v; they are:\n%s", c.want, rc)
			}
			if !c.want {
				return
			}
			if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the folder is not there for one user: %v, %v", info, err)
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

func testRunsItself(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "curl": stubCurl})
	// The stub gives up before it has forked much.
	h.stub("bazel", `echo started >>"$HOME/started"
[ "$(grep -c . "$HOME/started")" -lt 3 ] || exit 1
exec "`+filepath.Join(h.checkout, "bazelw")+`" "$@"`)
	out, message := h.run("build")
	wantContains(t, out, "\nbuild\n")
	wantContains(t, h.fetched(), "/7.7.1/bazel-7.7.1-")
	wantContains(t, message, "bazelw: "+filepath.Join(h.bin, "bazel")+" runs bazelw, so it is passed over\n")
	if started, err := os.ReadFile(filepath.Join(h.home, "started")); err != nil || string(started) != "started\n" {
		t.Errorf("bazel was started %d times, want once; %v", strings.Count(string(started), "\n"), err)
	}
	if out, _ := h.run("build"); strings.Contains(out, "this is bazelw") {
		t.Errorf("the private Bazel is told that bazelw asks:\n%s", out)
	}
}

func testSecondStart(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "curl": stubCurl})
	h.run("build")
	first := h.fetched()
	if _, err := h.run("build"); err != "" {
		t.Errorf("a warm start prints %q, want nothing", err)
	}
	if got := h.fetched(); got != first {
		t.Errorf("a warm start fetched something: %q, the first one %q", got, first)
	}
}

func testChecksum(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(h *host)
		message []string
	}{
		{
			"a file that does not match what is published beside it",
			func(h *host) { h.write(filepath.Join(h.home, "published"), "something else") },
			[]string{"has sha256", "pinned is", "nothing was kept"},
		},
		{
			"a file that was replaced together with its checksum",
			func(h *host) { h.publish("something else") },
			[]string{".sha256 is", "pinned is", "nothing was kept"},
		},
		{
			"a version without a pin",
			func(h *host) {
				h.edit(pins, func(text string) string { return pin.ReplaceAllString(text, "") })
			},
			[]string{"tools/bazel/releases.sha256 has no checksum of bazel-7.7.1-"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t, map[string]string{"go": stubGo, "curl": stubCurl})
			test.change(h)
			wantContains(t, h.fail(), test.message...)
			if found := h.private(); found != nil {
				t.Errorf("%s was kept", found)
			}
		})
	}
}

func testPins(t *testing.T) {
	version, err := os.ReadFile("../../.bazelversion")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("releases.sha256")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, line := range pin.FindAllString(string(text), -1) {
		sum, name, _ := strings.Cut(line, " ")
		for other, twice := range found {
			if twice == sum {
				t.Errorf("%s and %s have one checksum", name, other)
			}
		}
		found[name] = sum
	}
	for _, platform := range []string{"linux-x86_64", "linux-arm64", "darwin-x86_64", "darwin-arm64"} {
		if name := "bazel-" + strings.TrimSpace(string(version)) + "-" + platform; found[name] == "" {
			t.Errorf("releases.sha256 has no checksum of %s; it has %v", name, found)
		}
	}
}

// The stub of rm stands for the moment between the check under the lock and the
// removal of what a killed run has left.
func testBothWaysAtOnce(t *testing.T) {
	h := newHost(t, map[string]string{
		"go": stubGo, "curl": offlineCurl, "flock": `exit 0`, "uname": `case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac`,
	})
	for _, tool := range []string{"apt-get", "apt-cache", "awk", "dpkg-deb", "tar"} {
		h.stub(tool, `exit 1`)
	}
	h.edit(debian, func(script string) string {
		return strings.Replace(script, "keyring=/usr/share/keyrings/debian-archive-keyring.gpg", "keyring="+h.home, 1)
	})
	rm, err := exec.LookPath("rm")
	if err != nil {
		t.Fatal(err)
	}
	h.stub("rm", `case "$*" in
*/modules*) home=${2%/*}; mkdir -p "$home/bin"; cat "$HOME/published" >"$home/bin/bazel"; chmod +x "$home/bin/bazel" ;;
esac
exec `+rm+` "$@"`)
	wantContains(t, h.fail(), "unpacking Debian's Bazel")
	if found := h.private(); len(found) != 1 {
		t.Errorf("the Bazel from GitHub is gone: %v", found)
	}
}

func testKilled(t *testing.T) {
	slow := strings.Replace(stubCurl, `*) cat`, `*) echo half >"$2"; touch "$HOME/half"; sleep 60; cat`, 1)
	h := newHost(t, map[string]string{"go": stubGo, "curl": slow})
	cmd, _, _ := h.command("build")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the download begins", func() error { _, err := os.Stat(filepath.Join(h.home, "half")); return err })
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

// debianHost is a host that reaches a mirror of Debian alone, whose Bazel has a version. Where apt checks the date of
// package lists, those of the mirror have expired.
func debianHost(t *testing.T, version string, env ...string) *host {
	h := newHost(t, map[string]string{
		"go": stubGo, "curl": offlineCurl, "uname": `case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac`,
		"awk": `echo choosing packages >&2; exit 1`, "paste": "cat", "dpkg-deb": "exit 1", "flock": "exit 0", "tar": "exit 1",
		"apt-cache": `echo "Version: ` + version + `+ds-8"`,
		"apt-get": `case "$*" in
indextargets*) echo http://mirror.example/debian ;;
*update) grep -q 'Check-Valid-Until "false"' "$2" || [ -n "$FRESH" ] || {
  echo "E: Release file for http://mirror.example/debian is expired (invalid since 22d)." >&2; exit 100; } ;;
esac`,
	})
	h.env = env
	h.edit(debian, func(script string) string {
		return strings.Replace(script, "keyring=/usr/share/keyrings/debian-archive-keyring.gpg", "keyring="+h.home, 1)
	})
	return h
}

func testExpired(t *testing.T) {
	const taken = "choosing packages" // what comes next, and fails here
	message := debianHost(t, "7.7.1").fail()
	wantContains(t, message, "is expired", "ARMATURE_ALLOW_EXPIRED=1", "Debian has Bazel none, expected 7.7.1")
	if strings.Contains(message, taken) {
		t.Errorf("it went on:\n%s", message)
	}
	wantContains(t, debianHost(t, "7.7.1", "ARMATURE_ALLOW_EXPIRED=1").fail(), taken)
}

func testOtherBazel(t *testing.T) {
	const taken = "not the pinned 7.7.1; going on with it"
	message := debianHost(t, "7.6.0", "FRESH=1").fail()
	wantContains(t, message, "Debian has Bazel 7.6.0+ds-8, expected 7.7.1.", "ARMATURE_ALLOW_OTHER_BAZEL=1")
	if strings.Contains(message, taken) {
		t.Errorf("it went on:\n%s", message)
	}
	wantContains(t, debianHost(t, "7.6.0", "FRESH=1", "ARMATURE_ALLOW_OTHER_BAZEL=1").fail(), taken)
}

func testMissingTools(t *testing.T) {
	// bootstrap.sh takes a host with apt-get for Debian. GitHub does not answer.
	h := newHost(t, map[string]string{
		"apt-get": `exit 1`, "curl": offlineCurl, "uname": `case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac`,
	})
	message := h.fail()
	wantContains(t, message, "go (Go 1.21", "apt-cache", "awk", "dpkg-deb", "flock", "tar", "Install them")
	if n := strings.Count(message, "Install"); n != 1 {
		t.Errorf("%d messages instead of one:\n%s", n, message)
	}
}

func testNoSource(t *testing.T) {
	h := newHost(t, map[string]string{"go": stubGo, "curl": offlineCurl})
	wantContains(t, h.fail(), "out of reach", "Install bazelisk, or Bazel 7.7.1")
}

func testOldGo(t *testing.T) {
	h := newHost(t, map[string]string{"go": `echo go1.20.3`, "bazelisk": stubBazel})
	wantContains(t, h.fail(), "found Go go1.20.3", "need 1.21", "install it")
}

func testFetching(t *testing.T) {
	h := newHost(t, map[string]string{"go": `echo "go: downloading $GOTOOLCHAIN" >&2; ` + stubGo, "bazelisk": stubBazel})
	out, message := h.run("build")
	wantContains(t, out, "ran bazelisk")
	wantContains(t, message, "go: downloading go1.26.")
}

func testNoToolchain(t *testing.T) {
	h := newHost(t, map[string]string{
		"go":       `[ "$GOTOOLCHAIN" = local ] && echo https://proxy.example || { echo "go: no such host" >&2; exit 1; }`,
		"bazelisk": stubBazel,
	})
	wantContains(t, h.fail(), "Go 1.26.", "cannot be fetched", "GOPROXY (now: https://proxy.example)", "go: no such host")
}

func testGoMissing(t *testing.T) {
	h := newHost(t, map[string]string{"bazelisk": stubBazel})
	wantContains(t, h.fail(), "missing host tool: go (Go 1.21")
}
