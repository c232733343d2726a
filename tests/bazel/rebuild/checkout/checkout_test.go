// Package checkout tests that a build notices every change in the checkout of the
// published specs. In particular, a folder that vanishes, as with `git checkout`
// of another commit, must not break later builds.
package checkout

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/google/go-cmp/cmp"
)

// module is a workspace that has nothing but the published specs.
const module = `module(name = "armature")

bazel_dep(name = "gazelle", version = "0.47.0")
bazel_dep(name = "platforms", version = "1.0.0")
bazel_dep(name = "rules_go", version = "0.60.0")

specs = use_extension("//rules:extensions.bzl", "specs")
specs.checkout(services = ["redis", "storage"])
use_repo(specs, arm_specs = "armature_specs")
`

// specification is the folder of the services in a checkout.
const specification = "azure-rest-api-specs/specification"

// edits are made one after the other. after are the documents that the checkout
// then has.
var edits = []struct {
	name  string
	edit  func(t *testing.T, c checkout)
	after []string
}{
	{"folder added", func(t *testing.T, c checkout) {
		c.write(t, "redis/2021/redis.json", `{"$ref": "common/types.json#/A"}`)
		c.write(t, "redis/2021/common/types.json", `{}`)
	}, []string{
		"redis/2020/redis.json",
		"redis/2021/common/types.json",
		"redis/2021/redis.json",
	}},
	{"file removed", func(t *testing.T, c checkout) {
		c.remove(t, "redis/2021/common/types.json")
	}, []string{
		"redis/2020/redis.json",
		"redis/2021/redis.json",
	}},
	{"folder renamed", func(t *testing.T, c checkout) {
		if err := os.Rename(c.path("redis/2021"), c.path("redis/2022")); err != nil {
			t.Fatal(err)
		}
	}, []string{
		"redis/2020/redis.json",
		"redis/2022/redis.json",
	}},
	{"folder removed", func(t *testing.T, c checkout) {
		c.remove(t, "redis/2022")
	}, []string{
		"redis/2020/redis.json",
	}},
	{"service replaced by another", func(t *testing.T, c checkout) {
		c.write(t, "storage/2020/storage.json", `{}`)
		c.remove(t, "redis")
	}, []string{
		"storage/2020/storage.json",
	}},
}

func TestCheckout(t *testing.T) {
	for _, stop := range []bool{false, true} {
		t.Run(map[bool]string{false: "server runs", true: "server stopped"}[stop], func(t *testing.T) {
			c := newCheckout(t)
			c.write(t, "redis/2020/redis.json", `{}`)
			if diff := cmp.Diff([]string{"redis/2020/redis.json"}, c.documents(t)); diff != "" {
				t.Fatalf("before any edit (-want +got):\n%s", diff)
			}
			for _, e := range edits {
				if stop {
					c.bazel(t, "shutdown")
				}
				e.edit(t, c)
				if diff := cmp.Diff(e.after, c.documents(t)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", e.name, diff)
				}
			}
		})
	}
}

// checkout is a checkout of the published specs beside a workspace.
type checkout struct{ dir string }

func newCheckout(t *testing.T) checkout {
	t.Helper()
	dir := workspace.TempDir(t)
	c := checkout{dir}
	rules, err := filepath.Abs("../../../../rules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(c.dir, "workspace/rules"), os.DirFS(rules)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"MODULE.bazel":              module,
		".bazelrc":                  "common --lockfile_mode=off --noenable_workspace\n",
		"rules/BUILD.bazel":         "",
		"rules/private/BUILD.bazel": "",
	} {
		if err := os.WriteFile(filepath.Join(c.dir, "workspace", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { c.bazel(t, "shutdown") })
	return c
}

func (c checkout) path(name string) string {
	return filepath.Join(c.dir, "specs", specification, name)
}

func (c checkout) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c checkout) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.RemoveAll(c.path(name)); err != nil {
		t.Fatal(err)
	}
}

// documents returns the documents that a build finds.
func (c checkout) documents(t *testing.T) []string {
	t.Helper()
	listed := strings.Fields(c.bazel(t, "query", "--noshow_progress", `kind("source file", @arm_specs//:*)`))
	files, err := filepath.Glob(filepath.Join(c.dir, "base/external/*armature_specs/files.bzl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("found %q (%v), expected files.bzl of one repository", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "FILES = ")
	var found []string
	if err := json.Unmarshal([]byte(list), &found); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for i, name := range found {
		if !slices.Contains(listed, "@arm_specs//:"+name) {
			t.Errorf("%s is listed, and bazel query lists only %q", name, listed)
		}
		found[i] = strings.TrimPrefix(name, specification+"/")
	}
	return found
}

// bazel runs Bazel in the workspace, and returns what it prints.
func (c checkout) bazel(t *testing.T, args ...string) string {
	t.Helper()
	bazelw, err := filepath.Abs("../../../../bazelw")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bazelw, append(workspace.Startup(filepath.Join(c.dir, "base")), args...)...)
	cmd.Dir = filepath.Join(c.dir, "workspace")
	// Bazel would take TEST_TMPDIR for its output root.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TEST_") })
	cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+filepath.Join(c.dir, "specs"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bazelw %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}
