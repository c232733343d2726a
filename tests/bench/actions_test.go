package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// repository is the checkout that the benchmarks measure.
type repository struct{ root string }

// open returns the checkout of the caller of `bazel run`, or the one in which
// `go test` runs.
func open(b *testing.B) repository {
	b.Helper()
	root := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if root == "" {
		if os.Getenv("TEST_SRCDIR") != "" {
			b.Skip("a test cannot run Bazel; use ./bazelw run //tests/bench:bench_test -- -test.bench=.")
		}
		var err error
		if root, err = filepath.Abs("../.."); err != nil {
			b.Fatal(err)
		}
	}
	return repository{root}
}

// bazel runs a command of Bazel and returns what it prints.
func (r repository) bazel(b *testing.B, args ...string) []byte {
	b.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("./bazelw", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.root, &stdout, &stderr
	// Bazel would take TEST_TMPDIR for its output root, start another server there,
	// and link the checkout's bazel-bin to it.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TEST_TMPDIR=") })
	if err := cmd.Run(); err != nil {
		b.Fatalf("bazelw %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return stdout.Bytes()
}

// action is a generating action of a group.
type action struct {
	Mnemonic  string
	Arguments []string // the verb, then one flag each
}

// mnemonics are the generating actions in an order in which they can run.
var mnemonics = []string{
	"ArmConfig", "ArmHooks", "ArmLoad", "ArmPlan", "ArmTypes", "ArmStorage", "ArmConvert",
	"ArmCRD", "ArmSample", "ArmCheck", "ArmReport", "ArmGraph",
}

// actions returns the generating actions below a label such as //apis/storage/...
func (r repository) actions(b *testing.B, label string) []action {
	b.Helper()
	text := r.bazel(b, "aquery", "--output=jsonproto", fmt.Sprintf(`mnemonic("Arm.*", %s)`, label))
	var graph struct{ Actions []action }
	if err := json.Unmarshal(text, &graph); err != nil {
		b.Fatal(err)
	}
	for _, a := range graph.Actions {
		if !slices.Contains(mnemonics, a.Mnemonic) {
			b.Fatalf("the action %s is not in mnemonics", a.Mnemonic)
		}
	}
	slices.SortStableFunc(graph.Actions, func(x, y action) int {
		return slices.Index(mnemonics, x.Mnemonic) - slices.Index(mnemonics, y.Mnemonic)
	})
	return graph.Actions
}

// bin is the output folder in the paths of Bazel's actions.
const bin = "bazel-out/cfg/bin/"

// scratch makes a folder in which the actions can run without Bazel. It has the
// verbs and the specs, and the actions write there.
func (r repository) scratch(b *testing.B) string {
	b.Helper()
	r.bazel(b, "build", "//generator/cmd/...")
	dir := b.TempDir()
	base := strings.TrimSpace(string(r.bazel(b, "info", "output_base")))
	built := strings.TrimSpace(string(r.bazel(b, "info", "bazel-bin")))
	link := func(from, to string) {
		to = filepath.Join(dir, to)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Symlink(from, to)); err != nil {
			b.Fatal(err)
		}
	}
	link(filepath.Join(base, "external"), "external")
	link(filepath.Join(r.root, "apis"), "apis")
	link(filepath.Join(built, "generator"), bin+"generator")
	return dir
}

// usage is the CPU time and memory of a process.
type usage struct {
	CPU  time.Duration
	Peak int64 // bytes of memory
}

// asMeter is the environment variable that makes the test binary run meter.
const asMeter = "ARMATURE_BENCH_METER"

// measure runs an action in a folder, with an empty folder for temporary files as
// in Bazel's sandbox. A small process starts it, because the peak memory that
// Linux reports for a process is at least that of its parent, and a benchmark
// that has read an action graph is large.
func measure(b testing.TB, dir string, a action) usage {
	b.Helper()
	params := filepath.Join(dir, "params")
	if err := os.WriteFile(params, []byte(strings.Join(a.Arguments[1:], "\n")+"\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self, a.Arguments[0], "@params")
	temporary := filepath.Join(dir, "tmp")
	if err := errors.Join(os.RemoveAll(temporary), os.Mkdir(temporary, 0o755)); err != nil {
		b.Fatal(err)
	}
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asMeter+"=1", "TMPDIR="+temporary)
	var stdout, stderr bytes.Buffer // on stderr are warnings too
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var u usage
	if err != nil || json.Unmarshal(stdout.Bytes(), &u) != nil {
		b.Fatalf("%s: %v\n%s%s", strings.Join(a.Arguments, " "), err, &stdout, &stderr)
	}
	return u
}

// meter runs a program and prints its usage.
func meter(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return 1
	}
	state := cmd.ProcessState
	u := usage{state.UserTime() + state.SystemTime(), state.SysUsage().(*syscall.Rusage).Maxrss << 10}
	if err := json.NewEncoder(os.Stdout).Encode(u); err != nil {
		return 1
	}
	return 0
}
