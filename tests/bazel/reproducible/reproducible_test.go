// Package reproducible makes a release twice from nothing, as two people do on machines of their own.
package reproducible

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/internal/gittest"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/version"
	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// person makes a release with a checkout, a home folder and an output base of their own. Nothing that one has built is
// in a cache of another.
type person struct {
	workspace.Workspace
	groups string
}

// newPerson returns a person who has the files of this repository.
func newPerson(t *testing.T, groups string) person {
	t.Helper()
	p := person{groups: groups}
	p.Source, p.Dir = workspace.Source(t), workspace.TempDir(t)
	p.Copy(t, workspace.Everything)
	p.Describe(t, version.String()) // which Bazel links
	gittest.Commit(t, p.Dir)
	return p
}

// publish makes the release with the Bazel of this user, and returns the checksums of its files. What it has built is
// gone when the test ends.
func (p person) publish(t *testing.T) string {
	t.Helper()
	dir := workspace.TempDir(t)
	home, release := filepath.Join(dir, "home"), filepath.Join(dir, "release")
	p.OutputBase = filepath.Join(dir, "base")
	environment := append(workspace.HomeAt(t, home), "ARMATURE_GROUPS="+p.groups)
	run := func(args ...string) {
		cmd := p.Command(args...)
		cmd.Env = environment
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("bazelw %s: %v\n%s", args[0], err, out)
		}
	}
	defer run("shutdown")
	run("run", "//tools/publish:host", "--", "--to="+release, "--url=https://example.com/armature",
		"--registry=registry.example.com/armature", "--without-docs")
	sums, err := os.ReadFile(filepath.Join(release, folder.Manifest))
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
	people := []person{newPerson(t, groups), newPerson(t, groups)} // both of the files as they are now
	var sums [][]string
	for i, p := range people { // one after the other, as the disk may not have room for two
		made := func(t *testing.T) { sums = append(sums, strings.Split(p.publish(t), "\n")) }
		if !t.Run(fmt.Sprint("person ", i+1), made) {
			return
		}
	}
	if diff := cmp.Diff(sums[0], sums[1]); diff != "" {
		t.Errorf("two people get other bytes from the same sources:\n%s", diff)
	}
}
