// Package remote tests builds that share a cache, and builds that run elsewhere,
// with real engines on the loopback device: nginx, and Bazel's remote worker.
package remote

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/google/go-cmp/cmp"
)

// machine is a checkout with Bazel and without a disk cache.
type machine struct {
	workspace.Workspace
	// another is the environment of another user, or nil for a machine of this one.
	another []string
}

// userID is the id of another user. In a namespace it is another name of the id of
// whoever runs the test.
const userID = 54321

// newMachine returns a checkout. What an earlier test has built there is gone; the
// modules that were fetched are there.
func newMachine(t *testing.T, name string) machine {
	t.Helper()
	m := machine{Workspace: workspace.Open(t, name)}
	m.Copy(t, workspace.Everything)
	t.Cleanup(func() { m.bazel(t, "clean") }) // frees a gigabyte
	return m
}

// ofAnotherUser returns the machine of a user with another HOME, other variables, and
// another id. Its HOME is empty, but for the Bazel that bazelw would unpack there
// again.
func (m machine) ofAnotherUser(t *testing.T) machine {
	t.Helper()
	home := t.TempDir()
	m.another = append(workspace.HomeAt(t, home), "USER=another", "LOGNAME=another", "PATH="+home+":"+os.Getenv("PATH"),
		"TZ=Asia/Kathmandu", "LC_ALL=C", "CC=a-compiler-of-nobody")
	t.Cleanup(func() { // bazelw's folder for sandboxes
		if err := os.RemoveAll(fmt.Sprintf("/dev/shm/armature-%d", userID)); err != nil {
			t.Error(err)
		}
	})
	return m
}

// command returns a command of Bazel on the machine.
func (m machine) command(args ...string) *exec.Cmd {
	cmd := m.Command(args...)
	if m.another != nil {
		cmd.Env = slices.Clone(m.another)
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: userID, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: userID, HostID: os.Getgid(), Size: 1}},
		}
	}
	if folder := specs.Folder(); folder != "" {
		cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+folder)
	}
	return cmd
}

// try runs a command of Bazel, and returns what it prints and how long it took.
func (m machine) try(args ...string) (string, time.Duration, error) {
	var out bytes.Buffer
	cmd := m.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	return out.String(), time.Since(start), err
}

// bazel runs a command of Bazel, which must succeed. It logs what Bazel warns of.
func (m machine) bazel(t *testing.T, args ...string) time.Duration {
	t.Helper()
	out, took, err := m.try(args...)
	if err != nil {
		t.Fatalf("bazelw %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	for line := range strings.Lines(out) {
		if strings.Contains(line, "WARNING: ") {
			t.Log(strings.TrimSpace(line))
		}
	}
	return took
}

// published is a group of published specs.
const published = "//apis/appconfiguration"

// targets are what the machines build and test.
var targets = []string{
	"--symlink_prefix=/", "--disk_cache=", "//apis/cache/...", "//apis/crm/...", "//apis/depot/...", published + "/...",
}

// run makes all that is to be built, with nothing left of an earlier build. It
// returns the actions, and how long they took without the fetching of
// repositories.
func (m machine) run(t *testing.T, options ...string) []workspace.Spawn {
	t.Helper()
	m.bazel(t, "clean")
	fetching := m.bazel(t, slices.Concat([]string{"build", "--nobuild"}, targets, options)...)
	log := filepath.Join(filepath.Dir(m.Dir), "log.json") // tests/bench/workers reads it
	took := m.bazel(t, slices.Concat(
		[]string{"test", "--execution_log_json_file=" + log, "--noexecution_log_sort"}, targets, options)...)
	t.Logf("%s: %.0f s, and before it %.0f s for repositories and analysis", filepath.Base(filepath.Dir(m.Dir)), took.Seconds(),
		fetching.Seconds())
	return workspace.ReadLog(t, log)
}

// count returns how many of the actions there are of each mnemonic, a line each, but
// for those that are left out.
func count(spawns []workspace.Spawn, leaveOut func(workspace.Spawn) bool) string {
	counts := map[string]int{}
	for _, s := range spawns {
		if !leaveOut(s) {
			counts[s.Mnemonic]++
		}
	}
	var text strings.Builder
	for _, mnemonic := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&text, "%s %d\n", mnemonic, counts[mnemonic])
	}
	return text.String()
}

// isHit reports whether an action has not run itself: the cache had its result, or an action with the same key was
// running.
func isHit(s workspace.Spawn) bool {
	return s.Runner == "remote cache hit" || s.Runner == "deduplicated"
}

// ran reports whether one of the actions that ran has the key of another one: many
// are the same in two configurations.
func ran(spawns []workspace.Spawn, s workspace.Spawn) bool {
	return slices.ContainsFunc(spawns, func(r workspace.Spawn) bool { return !isHit(r) && r.Digest == s.Digest })
}

// keys returns the keys of the actions in a cache, by what the actions are.
func keys(spawns []workspace.Spawn) map[string][]string {
	found := map[string][]string{}
	for _, s := range spawns {
		name := s.Mnemonic + " " + s.TargetLabel
		found[name] = append(found[name], s.Digest.Hash)
	}
	for _, k := range found {
		slices.Sort(k)
	}
	return found
}

// patient is for a machine with other work, where a cache may need longer than --config=cache waits. What it has not
// taken by then is missing later.
const patient = "--remote_timeout=600"

// TestCache builds in one checkout, and then in another one, in another folder, of
// another user with another HOME, which has nothing but what the first has put into
// the cache.
func TestCache(t *testing.T) {
	a, b := newMachine(t, "remote"), newMachine(t, "remote-of/somebody-else").ofAnotherUser(t)
	bin := engines(t, a.Workspace)
	for _, c := range []struct {
		name, runner string // how the actions of the first build ran
		options      func(t *testing.T) (first, second []string)
	}{
		{"nginx, over HTTP", "linux-sandbox", func(t *testing.T) (first, second []string) {
			options := []string{"--config=cache", "--remote_cache=http://" + newNginx(t, bin).address(), patient}
			return options, options
		}},
		{"the worker, over gRPC, after it has run the actions", "remote", func(t *testing.T) (first, second []string) {
			address := "grpc://" + newWorker(t, bin, a.Workspace).address()
			return []string{"--config=remote", "--remote_executor=" + address},
				[]string{"--config=cache", "--remote_cache=" + address, patient}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, second := c.options(t)
			made, taken := a.run(t, first...), b.run(t, second...)
			none := func(workspace.Spawn) bool { return false }
			t.Logf("the first build has these actions:\n%s", count(made, none))
			ofPublished := func(s workspace.Spawn) bool { return strings.HasPrefix(s.TargetLabel, published+":") }
			if !slices.ContainsFunc(made, ofPublished) {
				t.Errorf("it did not build %s", published)
			}
			if diff := cmp.Diff(count(made, none), count(taken, none)); diff != "" {
				t.Errorf("the two have other actions:\n%s", diff)
			}
			if hits := count(made, func(s workspace.Spawn) bool { return !isHit(s) || ran(made, s) }); hits != "" {
				t.Errorf("the first build found in an empty cache:\n%s", hits)
			}
			elsewhere := count(made, func(s workspace.Spawn) bool { return isHit(s) || s.Runner == c.runner })
			if elsewhere != "" {
				t.Errorf("these actions have not run as %s:\n%s", c.runner, elsewhere)
			}
			if diff := cmp.Diff(keys(made), keys(taken)); diff != "" {
				t.Errorf("the keys differ:\n%s", diff)
			}
			for _, s := range taken {
				if !isHit(s) {
					t.Errorf("the second build did %s of %s itself, as %s: key %s", s.Mnemonic, s.TargetLabel, s.Runner, s.Digest.Hash)
				}
			}
		})
	}
}

// local are the targets with an action that may not run on another machine, each with
// the reason.
var local = map[string]string{
	"//:gazelle_test":                                "reads the whole checkout",
	"//:gazelle_test-runner":                         "reads the whole checkout",
	"//tests/bazel/added:added_test":                 "starts Bazel in a copy of the checkout",
	"//tests/bazel/consumer:consumer_test":           "starts Bazel in a copy of an example",
	"//tests/bazel/rebuild:rebuild_test":             "starts Bazel in a copy of the checkout",
	"//tests/bazel/rebuild/checkout:checkout_test":   "starts Bazel in a workspace of its own",
	"//tests/bazel/rebuild/toolchain:toolchain_test": "starts Bazel in a workspace of its own",
	"//tests/bazel/reproducible:reproducible_test":   "starts Bazel in copies of the checkout",
	"//tests/export:export_test":                     "starts the go command",
	"//tests/golden/oracle:oracle_test":              "starts the go command",
	"//tests/laws/mutants:mutants_test":              "reads the whole checkout",
	"//tests/remote:remote_test":                     "starts Bazel in copies of the checkout",
	"//tests/stability/packages:packages_test":       "starts the go command",
	"//tests/structure:structure_test":               "reads the whole checkout",
}

// TestLocal compares the list with the tags in the BUILD files, and with the tests
// outside of the sandbox.
func TestLocal(t *testing.T) {
	m := newMachine(t, "remote")
	cmd := m.command("query", `attr(tags, "[\[ ](local|no-remote|no-remote-exec|no-remote-cache|no-cache)[,\]]", //...)`+
		` + kind("^_outside_test rule$", //...)`)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	found := strings.Fields(string(out))
	slices.Sort(found)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(local)), found); diff != "" {
		t.Errorf("the list and the BUILD files differ:\n%s", diff)
	}
}
