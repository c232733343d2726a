// Package commands_test runs the commands of a service group as `bazel run` does.
package commands_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/google/go-cmp/cmp"
)

// root is the runfiles' root, where `bazel run` starts a command.
const root = "../../.."

func requireBazel(t *testing.T) {
	t.Helper()
	if os.Getenv("TEST_SRCDIR") == "" {
		t.Skip("bazel makes the commands: run ./bazelw test //tests/bazel/commands:commands_test")
	}
}

// workspace returns a folder with the files that the commands of crm write.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "apis/crm"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "apis/crm/lock.bzl"), []byte("as it was\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs a command. It returns the output and reports whether the command failed.
func run(t *testing.T, workspace, command string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.Command(command+".sh", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "BUILD_WORKSPACE_DIRECTORY="+workspace)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), err != nil
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLockUpdate(t *testing.T) {
	t.Run("writes the lock that is checked in", testLockUpdateWrites)
	t.Run("reads the specs again if names change", testLockUpdateRepeats)
	t.Run("an alias prefix is dropped after its aliases are released", testLockUpdateReleases)
	t.Run("a refused release writes nothing", testLockUpdateRefuses)
}

func testLockUpdateWrites(t *testing.T) {
	requireBazel(t)
	w := workspace(t)
	if out, failed := run(t, w, "apis/crm/lock.update"); failed || out != "wrote apis/crm/lock.bzl\n" {
		t.Fatalf("failed %v: %s", failed, out)
	}
	if diff := cmp.Diff(read(t, root+"/apis/crm/lock.bzl"), read(t, w+"/apis/crm/lock.bzl")); diff != "" {
		t.Errorf("(-checked in +written):\n%s", diff)
	}
}

// Other names may change what the plan says, which was made with those of the lock.
func testLockUpdateRepeats(t *testing.T) {
	requireBazel(t)
	const folder = "tests/bazel/commands/names"
	w := t.TempDir()
	if err := os.MkdirAll(filepath.Join(w, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	out, failed := run(t, w, "./"+folder+"/lock.update")
	want := "names changed: reading the specs with them\nwrote " + folder + "/lock.bzl\n"
	if failed || out != want {
		t.Fatalf("failed %v: %s", failed, out)
	}
	names := map[string]map[string]string{"Order": {"color": "color", "properties/color": "propertiesColor"}}
	if diff := cmp.Diff(names, parse(t, read(t, filepath.Join(w, folder, "lock.bzl"))).Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// An older prefix goes in two steps: its aliases are released, and later
// dropped. Dropping them needs nothing but the lock that lists them as released.
func testLockUpdateReleases(t *testing.T) {
	requireBazel(t)
	aliases := parse(t, read(t, root+"/apis/crm/lock.bzl")).Resources["Person"].Aliases
	if len(aliases) < 2 {
		t.Fatalf("crm has the aliases %v, which is too few to mean anything", aliases)
	}
	var args []string
	for _, a := range aliases {
		args = append(args, "--release="+strings.TrimSuffix(a, "storage"))
	}
	w := workspace(t)
	if out, failed := run(t, w, "apis/crm/lock.update", args...); failed {
		t.Fatal(out)
	}
	text := read(t, w+"/apis/crm/lock.bzl")
	released := parse(t, text)
	if person := released.Resources["Person"]; len(person.Aliases) > 0 || !slices.Equal(person.Released, aliases) {
		t.Errorf("the lock lists %v and has released %v; want all of %v released", person.Aliases, person.Released, aliases)
	}
	for name, packages := range map[string][]*plan.Package{"released": crm(t, true), "dropped": crm(t, false)} {
		if err := lock.Check(packages, digests(t), released, "apis/crm", "lock.bzl", []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	before := read(t, root+"/apis/crm/lock.bzl")
	err := lock.Check(crm(t, false), digests(t), parse(t, before), "apis/crm", "lock.bzl", []byte(before))
	if err == nil ||
		strings.Count(err.Error(), "release it with: ./bazelw run //apis/crm:lock.update -- --release=v1") != len(aliases) {
		t.Errorf("dropped without a release: %v", err)
	}
}

func testLockUpdateRefuses(t *testing.T) {
	requireBazel(t)
	w := workspace(t)
	out, failed := run(t, w, "apis/crm/lock.update", "--release=v1alpha1api20110110")
	if !failed || !strings.Contains(out, `no resource has the alias version v1alpha1api20110110; did you mean "v1alpha1api20110101"?`) {
		t.Errorf("failed %v: %s", failed, out)
	}
	if text := read(t, filepath.Join(w, "apis/crm/lock.bzl")); text != "as it was\n" {
		t.Errorf("the lock was written: %s", text)
	}
}

// The command prints what is not assessed, or with --all also what is.
func TestRenames(t *testing.T) {
	requireBazel(t)
	out, failed := run(t, "", "apis/crm/renames")
	if failed || out != "apis/crm: everything is assessed. To see the assessed changes, run: ./bazelw run //apis/crm:renames -- --all\n" {
		t.Errorf("failed %v: %s", failed, out)
	}
	out, failed = run(t, "", "apis/crm/renames", "--all")
	if failed || !strings.Contains(out, "Location.country of 2020-10-10 is not in 2021-11-11") ||
		!strings.Contains(out, "assessed: replaced by countryCode") {
		t.Errorf("failed %v: %s", failed, out)
	}
	if out, failed = run(t, "", "apis/crm/renames", "--everything"); !failed || !strings.Contains(out, "--all") {
		t.Errorf("an unknown flag: failed %v: %s", failed, out)
	}
}

func parse(t *testing.T, text string) *lock.Lock {
	t.Helper()
	lock, err := lock.Parse("lock.bzl", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

// digests returns those of what the versions declare.
func digests(t *testing.T) lock.Digests {
	t.Helper()
	files, err := filepath.Glob(root + "/apis/crm/*.digests.json")
	if err != nil {
		t.Fatal(err)
	}
	digests, err := lock.ReadDigests(files...)
	if err != nil {
		t.Fatal(err)
	}
	return digests
}

// crm plans the group, with aliases or without.
func crm(t *testing.T, aliases bool) []*plan.Package {
	t.Helper()
	g, err := config.Parse("group.yaml", []byte(read(t, root+"/apis/crm/group.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	options := planner.Options{
		Group: "crm.azure.armature.dev", Provider: "Contoso.Crm", ImportPrefix: "example.com/apis/crm/", Patterns: naming.Default,
		Config: g,
	}
	if !aliases {
		for _, export := range g.Exports {
			export.Aliases = nil
		}
	}
	files, err := filepath.Glob(root + "/apis/crm/*.ir.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		v, err := ir.Decode(read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		options.Versions = append(options.Versions, transform.API(v))
	}
	packages, err := planner.Build(options)
	if err != nil {
		t.Fatal(err)
	}
	return packages
}
