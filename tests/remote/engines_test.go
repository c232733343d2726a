package remote

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// engines returns the folder of the programs that tools/bazel/engines.sh makes. It
// stays in the user's cache.
func engines(t *testing.T, w workspace.Workspace) string {
	t.Helper()
	base, err := w.Command("info", "install_base").Output()
	if err != nil {
		t.Fatalf("bazelw info install_base: %v", err)
	}
	sum := crc32.NewIEEE()
	sum.Write(base)
	script := filepath.Join(w.Source, "tools/bazel/engines.sh")
	for _, name := range []string{script, filepath.Join(filepath.Dir(script), "debian.sh")} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(cache, "armature", "engines", fmt.Sprintf("%08x", sum.Sum32()))
	if out, err := exec.Command(script, home, strings.TrimSpace(string(base))).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", script, err, out)
	}
	// The worker hides HOME. A link to there would lead nowhere.
	bin, err := filepath.EvalSymlinks(filepath.Join(home, "bin"))
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// engine is a server on the loopback device. Its storage outlives it.
type engine struct {
	port    int
	storage string
	command func() *exec.Cmd
	process *exec.Cmd
	output  bytes.Buffer
}

// start starts the engine, and waits until it answers.
func (e *engine) start(t *testing.T) {
	t.Helper()
	e.process = e.command()
	e.process.Stdout, e.process.Stderr = &e.output, &e.output
	// With its children, of which a worker has some.
	e.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := e.process.Start(); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the engine answers", func() error {
		conn, err := net.Dial("tcp", e.address())
		if err == nil {
			err = conn.Close()
		}
		return err
	})
}

// kill ends the engine as a power cut does.
func (e *engine) kill() {
	if e.process != nil {
		// It may have died already.
		_ = syscall.Kill(-e.process.Process.Pid, syscall.SIGKILL)
		_ = e.process.Wait()
		e.process = nil
	}
}

func (e *engine) address() string { return "127.0.0.1:" + strconv.Itoa(e.port) }

// newEngine starts an engine with an empty storage, until the test ends.
func newEngine(t *testing.T, command func(port int, storage string) *exec.Cmd) *engine {
	t.Helper()
	e := &engine{port: freePort(t), storage: t.TempDir()}
	e.command = func() *exec.Cmd { return command(e.port, e.storage) }
	t.Cleanup(func() {
		e.kill()
		if t.Failed() {
			t.Logf("the engine: %s", &e.output)
		}
	})
	e.start(t)
	return e
}

// freePort returns a port of the loopback device that nobody uses.
func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// nginx is the configuration of a cache over HTTP, as docs/remote.md shows it,
// with files where this user can write, and in one process.
const nginx = `
daemon off;
master_process off;
pid %[1]s/pid;
events {}
http {
  access_log off;
  client_max_body_size 0;
  client_body_temp_path %[1]s/body;
  proxy_temp_path %[1]s/proxy;
  fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi;
  scgi_temp_path %[1]s/scgi;
  server {
    listen 127.0.0.1:%[2]d;
    root %[1]s/store;
    location / {
      dav_methods PUT;
      create_full_put_path on;
    }
  }
}
`

// newNginx starts nginx as a cache over HTTP.
func newNginx(t *testing.T, bin string) *engine {
	t.Helper()
	return newEngine(t, func(port int, storage string) *exec.Cmd {
		conf := filepath.Join(storage, "nginx.conf")
		err := errors.Join(
			os.MkdirAll(filepath.Join(storage, "store"), 0o755),
			os.WriteFile(conf, fmt.Appendf(nil, nginx, storage, port), 0o644),
		)
		if err != nil {
			t.Fatal(err)
		}
		return exec.Command(filepath.Join(bin, "nginx"), "-p", storage, "-e", "stderr", "-c", conf)
	})
}

// elsewhere runs a program where some folders are empty, as on another machine. $1
// has the folders of which copies are to be there nevertheless, $2 the empty ones,
// and $3 is a folder for mount points.
const elsewhere = `
set -eu
n=0
for keep in $1; do n=$((n+1)); mkdir -p "$3/$n"; mount --bind "$keep" "$3/$n"; done
for hide in $2; do [ ! -d "$hide" ] || mount -t tmpfs none "$hide"; done # one may be in another
n=0
for keep in $1; do n=$((n+1)); mkdir -p "$keep"; mount --bind "$3/$n" "$keep"; done
shift 3
exec "$@"
`

// newWorker starts Bazel's remote worker, where the checkout, HOME and the installed
// Go are not there. Its actions run in a sandbox and have no network.
func newWorker(t *testing.T, bin string, w workspace.Workspace) *engine {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	base, err := w.Command("info", "install_base").Output()
	if err != nil {
		t.Fatal(err)
	}
	keep := []string{filepath.Dir(bin), filepath.Join(strings.TrimSpace(string(base)), "../../..")}
	hide := []string{w.Source, os.Getenv("HOME"), strings.TrimSpace(string(goroot))}
	return newEngine(t, func(port int, storage string) *exec.Cmd {
		work, cas, mounts := filepath.Join(storage, "work"), filepath.Join(storage, "cas"), filepath.Join(storage, "mounts")
		if err := errors.Join(os.MkdirAll(work, 0o755), os.MkdirAll(cas, 0o755)); err != nil {
			t.Fatal(err)
		}
		return exec.Command("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", elsewhere, "sh",
			strings.Join(keep, " "), strings.Join(hide, " "), mounts,
			filepath.Join(bin, "remote-worker"), "--listen_port="+strconv.Itoa(port), "--work_path="+work, "--cas_path="+cas,
			"--jobs=2", "--sandboxing", "--sandboxing_block_network", "--sandboxing_writable_path=/tmp")
	})
}

// awaitActions waits until a worker has begun some actions, each of which has a folder while it runs.
func (e *engine) awaitActions(t *testing.T, n int) {
	t.Helper()
	begun := map[string]bool{}
	await.Until(t, fmt.Sprintf("the worker begins %d actions", n), func() error {
		folders, err := filepath.Glob(filepath.Join(e.storage, "work", "build-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range folders {
			begun[f] = true
		}
		if len(begun) < n {
			return fmt.Errorf("it has begun %d", len(begun))
		}
		return nil
	})
}
