// Package reproducible makes a release twice from nothing, as two people do on machines of their own.
package reproducible

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/version"
	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// person makes a release with a home folder, a checkout and an output base of their own. Nothing that one has built is
// in a cache of another.
type person struct {
	workspace.Workspace
	home, release string
	groups        string
}

// newPerson returns a person who has the Bazel of this user, and the files of this repository.
func newPerson(t *testing.T, groups string) person {
	t.Helper()
	dir := workspace.TempDir(t)
	p := person{home: filepath.Join(dir, "home"), release: filepath.Join(dir, "release"), groups: groups}
	p.Source, p.Dir, p.OutputBase = workspace.Source(t), filepath.Join(dir, "checkout"), filepath.Join(dir, "base")
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(p.home, ".cache", "armature")
	bazel := filepath.Join(cache, "armature", "bazel")
	if err := errors.Join(os.MkdirAll(own, 0o755), os.Symlink(bazel, filepath.Join(own, "bazel"))); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range p.Files(t, ".") {
		files[name] = name
	}
	if err := os.Mkdir(p.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p.Fill(t, files)
	changelog, err := os.OpenFile(filepath.Join(p.Dir, "CHANGELOG.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(changelog, "\n## %s - 2027-01-31\n\nA test.\n", version.String())
	if err := errors.Join(err, changelog.Close()); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "--all"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", p.Dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	return p
}

// publish makes the release, and returns the checksums of its files.
func (p person) publish(t *testing.T) string {
	t.Helper()
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		cmd := p.Command(args...)
		cmd.Env = append(cmd.Env, "HOME="+p.home, "XDG_CACHE_HOME=", "ARMATURE_GROUPS="+p.groups,
			"GOMODCACHE="+strings.TrimSpace(string(modules)))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("bazelw %s: %v\n%s", args[0], err, out)
		}
	}
	defer run("shutdown")
	run("run", "//tools/publish:host", "--", "--to="+p.release, "--url=https://example.com/armature",
		"--registry=registry.example.com/armature", "--without-docs")
	sums, err := os.ReadFile(filepath.Join(p.release, folder.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	return string(sums)
}

// TestPublish has one group, and all of them in a long night.
func TestPublish(t *testing.T) {
	groups := "cache"
	if night.Times(1, 1) > 1 {
		groups = ""
	}
	first, second := newPerson(t, groups), newPerson(t, groups) // both of the files as they are now
	if diff := cmp.Diff(strings.Split(first.publish(t), "\n"), strings.Split(second.publish(t), "\n")); diff != "" {
		t.Errorf("two people get other bytes from the same sources:\n%s", diff)
	}
}
