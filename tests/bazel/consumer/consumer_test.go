// Package consumer builds and tests examples/workspace, a repository that uses this one as a module, and makes the
// mistakes of its new users.
package consumer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/google/go-cmp/cmp"
)

// example is the repository of the consumer.
const example = "examples/workspace"

// open returns a workspace with this repository and the example in it.
func open(t *testing.T) consumer {
	w := workspace.Open(t, "consumer")
	files := map[string]string{}
	for _, name := range w.Files(t, ".") {
		if !workspace.IsTest(name) {
			files[name] = name
		}
	}
	w.Fill(t, files)
	return consumer{w}
}

// consumer is the example in a copy of the repository.
type consumer struct{ workspace.Workspace }

// files returns the content of the example's files.
func (c consumer) files(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(c.path("")), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() { // Bazel's links lead elsewhere
			return err
		}
		text, err := os.ReadFile(c.path(name))
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// run runs Bazel in the example. The lock file is not checked in, as the modules may come from elsewhere.
func (c consumer) run(specs, command string, args ...string) (string, error) {
	cmd := c.CommandIn(example, append([]string{command, "--lockfile_mode=off", "--noshow_progress", "--color=no"}, args...)...)
	if specs != "" {
		cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+specs)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c consumer) path(name string) string { return filepath.Join(c.Dir, example, name) }

func TestConsumer(t *testing.T) {
	c := open(t)
	t.Run("without a checkout of the published specs it builds and tests the rest", func(t *testing.T) {
		out, err := c.run("", "test", "//...")
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, want := range []string{
			"//apis/pet-shop:hooks_test", "//apis/pet-shop:pairs_test", "//apis/pet-shop:v1beta20240501_test", "//pets:pets_test",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%s did not run:\n%s", want, out)
			}
		}
		release := c.path("bazel-bin/release/release")
		for _, name := range []string{"base/webhook/deployment.yaml", "image/index.json", "base/groups/pet-shop"} {
			if _, err := os.Stat(filepath.Join(release, name)); err != nil {
				t.Errorf("the release lacks %s: %v", name, err)
			}
		}
	})
	t.Run("gazelle changes nothing, twice", func(t *testing.T) {
		before := c.files(t)
		for range 2 {
			if out, err := c.run("", "run", "//:gazelle"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if diff := cmp.Diff(before, c.files(t)); diff != "" {
				t.Fatalf("gazelle has changed files (-before +after):\n%s", diff)
			}
		}
	})
	t.Run("the group of published specs and a program with it are built", func(t *testing.T) {
		specs := os.Getenv("ARMATURE_SPECS")
		if specs == "" {
			t.Skip("ARMATURE_SPECS is not set: no published specs")
		}
		if out, err := c.run(specs, "build", "//apis/managedidentity:all", "//release:webhook"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) { c.make(t, m) })
	}
}

// TestPage compares the page about the example with the example: what it shows of Starlark is there.
func TestPage(t *testing.T) {
	source := workspace.Source(t)
	lines := map[string]bool{"    ...": true, "": true}
	for _, name := range []string{"MODULE.bazel", "BUILD.bazel", petShop} {
		text, err := os.ReadFile(filepath.Join(source, example, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			lines[strings.TrimRight(line, "\n")] = true
		}
	}
	page, err := os.ReadFile(filepath.Join(source, "docs/your-workspace.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```starlark\n")[1:]
	if len(blocks) < 4 {
		t.Fatalf("the page has %d blocks of Starlark", len(blocks))
	}
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			if line = strings.TrimRight(line, "\n"); !lines[line] {
				t.Errorf("no file of the example has the line %q", line)
			}
		}
	}
}

// mistake is a mistake of a new user, and the parts of the message that mend it.
type mistake struct {
	name string
	// file has the mistake: new instead of old, or new behind its end if old is "".
	file, old, new string
	// specs are the documents of ARMATURE_SPECS, which is not set if there are none.
	specs []string
	args  []string
	want  []string
}

const petShop = "apis/pet-shop/BUILD.bazel"

var mistakes = []mistake{
	{
		name: "a group without an import path", file: petShop,
		old: "    importpath = \"example.com/petshop/apis/pet-shop\",\n", args: []string{"build", "//apis/pet-shop:crds"},
		want: []string{"importpath is missing: give the Go import path of this folder", `"example.com/apis/shop"`},
	},
	{
		name: "an unknown attribute", file: petShop,
		old: "importpath =", new: "importpaht =", args: []string{"build", "//apis/pet-shop:crds"},
		want: []string{"unexpected keyword argument 'importpaht' (did you mean 'importpath'?)"},
	},
	{
		name: "no Go SDK", file: "MODULE.bazel", old: "go_sdk.host()\n", args: []string{"build", "//pets"},
		want: []string{"go_sdk"},
	},
	{
		name: "a go.mod that replaces the module", file: "go.mod",
		new:  "\nreplace github.com/armature-dev/armature => ../..\n",
		args: []string{"run", "//:gazelle"},
		want: []string{"replaces github.com/armature-dev/armature", "remove the line", "local_path_override"},
	},
	{
		name: "two groups of one name in a release", file: "release/BUILD.bazel",
		old: "    name = \"release\",\n    groups = GROUPS,", new: "    name = \"release\",\n    groups = GROUPS + [\"//other/pet-shop\"],",
		args: []string{"build", "//release"},
		want: []string{"are both called pet-shop", "leave one out, or rename its folder"},
	},
	{
		name: "a group of published specs without a checkout", args: []string{"build", "//apis/managedidentity:crds"},
		want: []string{"ARMATURE_SPECS_names_a_checkout_of_the_published_specs"},
	},
	{
		name: "ARMATURE_SPECS names another folder", specs: []string{"README.json"},
		args: []string{"build", "//apis/managedidentity:crds"},
		want: []string{"name a folder that holds the checkouts; `bazel run @armature//tools/specs` makes one"},
	},
	{
		name: "a service that the module does not list", specs: []string{"azure-rest-api-specs/specification/common-types/x.json"},
		args: []string{"build", "//apis/managedidentity:crds"},
		want: []string{`add "msi" to the services of specs.checkout in MODULE.bazel`},
	},
	{
		name: "specs of a module without a name", file: "MODULE.bazel", old: "module(name = \"petshop\")\n",
		args: []string{"build", "//apis/pet-shop:crds"}, want: []string{`begin it with module(name = "shop")`},
	},
	{
		name: "a change that nobody has accepted", file: "apis/pet-shop/lock.bzl",
		old: "                \"v1beta20240501\",\n", args: []string{"build", "//apis/pet-shop:v1beta20240501"},
		want: []string{"accept it with: bazel run //apis/pet-shop:lock.update"},
	},
	{
		name: "a hook of a version that is not there", file: petShop,
		old:  "augment = glob([\"augment/**/*.go\"])",
		new:  "augment = [\"augment/v1beta20240502storage/weight.go\"]",
		args: []string{"build", "//apis/pet-shop:crds"},
		want: []string{"there is no package v1beta20240502storage: expected one of"},
	},
}

// make makes a mistake, and compares the message.
func (c consumer) make(t *testing.T, m mistake) {
	if m.file != "" {
		text, err := os.ReadFile(c.path(m.file))
		if err != nil {
			t.Fatal(err)
		}
		edited := string(text) + m.new
		if m.old != "" {
			edited = strings.Replace(string(text), m.old, m.new, 1)
		}
		if edited == string(text) {
			t.Fatalf("%s does not have %q", m.file, m.old)
		}
		if err := os.WriteFile(c.path(m.file), []byte(edited), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.WriteFile(c.path(m.file), text, 0o644); err != nil {
				t.Error(err)
			}
		})
	}
	if strings.Contains(m.new, "//other/pet-shop") {
		if err := os.CopyFS(c.path("other/pet-shop"), os.DirFS(c.path("apis/pet-shop"))); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.RemoveAll(c.path("other")); err != nil {
				t.Error(err)
			}
		})
	}
	specs := ""
	if len(m.specs) > 0 {
		specs = filepath.Join(filepath.Dir(c.Dir), "specs") // not below /tmp, which the sandbox hides
		if err := os.RemoveAll(specs); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range m.specs {
		file := filepath.Join(specs, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("{}"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := c.run(specs, m.args[0], m.args[1:]...)
	if err == nil {
		t.Fatalf("no error:\n%s", out)
	}
	for _, want := range m.want {
		if !strings.Contains(out, want) {
			t.Errorf("the message lacks %q:\n%s", want, out)
		}
	}
}
