// Package consumer builds and tests examples/workspace, a repository that uses this one as a module, and makes the
// mistakes of its new users.
package consumer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/generator/site/sitetest"
	"github.com/armature-dev/armature/internal/gittest"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/runtime/version"
	"github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/armature-dev/armature/tests/e2e/cluster"
	"github.com/armature-dev/armature/tests/export/plaingo"
	"github.com/armature-dev/armature/tests/release"
)

// example is the repository of the consumer.
const example = "examples/workspace"

// override is what the example has in MODULE.bazel because it is in this repository. The rest is as in a repository
// that uses a release.
const override = `
# A repository of your own has the path of its clone, or names a release: docs/your-workspace.md.
local_path_override(
    module_name = "armature",
    path = "../..",
)
`

// fromRegistry returns what a repository that uses a release has in place of the override.
func fromRegistry(url string) string {
	return fmt.Sprintf("\nsingle_version_override(\n    module_name = \"armature\",\n    registry = %q,\n)\n", url)
}

// open returns the example, as a workspace with a release of this repository.
func open(t *testing.T) consumer {
	c := consumer{Workspace: workspace.Open(t, "consumer")}
	c.release = filepath.Join(filepath.Dir(c.Dir), "release")
	c.publish(t)
	c.Copy(t, func(name string) string {
		if inExample, cut := strings.CutPrefix(name, example+"/"); cut {
			return inExample
		}
		return ""
	})
	module, err := os.ReadFile(c.path("MODULE.bazel"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(module), override) {
		t.Fatalf("MODULE.bazel of the example lacks:\n%s", override)
	}
	// Other modules come from where Bazel finds them by itself.
	module = []byte(strings.Replace(string(module), override, fromRegistry("file://"+c.release), 1))
	if err := os.WriteFile(c.path("MODULE.bazel"), module, 0o644); err != nil {
		t.Fatal(err)
	}
	return c
}

// publish makes a release of the repository's files as they are, committed or not, as //tools/publish does.
func (c consumer) publish(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(c.release); err != nil {
		t.Fatal(err)
	}
	checkout := workspace.Workspace{Source: c.Source, Dir: filepath.Join(t.TempDir(), "checkout")}
	if err := os.Mkdir(checkout.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	checkout.Copy(t, workspace.Everything)
	checkout.Describe(t, version.String())
	gittest.Commit(t, checkout.Dir)
	cmd := exec.Command(os.Getenv("PUBLISH"), "--runtime="+os.Getenv("RUNTIME"), "--kubernetes="+os.Getenv("KUBERNETES"),
		"--packages="+os.Getenv("PACKAGES"), "--licences="+os.Getenv("LICENCES"), "--site="+os.Getenv("SITE"), "--to="+c.release,
		"--without-docs") // a machine without published specs has none
	cmd.Dir = "../../.." // of the runfiles, as `bazel run` has it
	cmd.Env = append(os.Environ(), "BUILD_WORKSPACE_DIRECTORY="+checkout.Dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("publish: %v\n%s", err, out)
	}
}

// consumer is the example in a folder of its own.
type consumer struct {
	workspace.Workspace
	// release is the folder of a release, from which Armature comes.
	release string
}

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

// options are those of each command of Bazel in the example. The lock file is not checked in, as the modules may come
// from elsewhere. With a repository cache, each release would stay in the user's. .bazelrc has more for a small disk.
var options = append([]string{"--lockfile_mode=off", "--noshow_progress", "--color=no", "--repository_cache="},
	strings.Fields(os.Getenv("ARMATURE_BAZEL_OPTIONS"))...)

// run runs Bazel in the example.
func (c consumer) run(specs, command string, args ...string) (string, error) {
	cmd := c.Command(append(append([]string{command}, options...), args...)...)
	if specs != "" {
		cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+specs)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c consumer) path(name string) string { return filepath.Join(c.Dir, name) }

func TestConsumer(t *testing.T) {
	c := open(t)
	t.Run("it builds and tests all groups without a checkout of the published specs", func(t *testing.T) {
		out, err := c.run("", "test", "//...")
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, want := range []string{
			"//apis/pet-shop:hooks_test", "//apis/pet-shop:pairs_test", "//apis/pet-shop:v20240501_test", "//pets:pets_test",
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
	t.Run("a new lock is the one that was accepted", c.lock)
	t.Run("exported groups and a client of theirs build with the go command alone", c.export)
	t.Run("its release keeps objects on an API server", c.apply)
	t.Run("its site is whole", c.site)
	t.Run("the group of published specs and a program with it are built", func(t *testing.T) {
		// From the facts alone, unless the outer build has published specs.
		if out, err := c.run(specs.Folder(), "build", "//apis/managedidentity:all", "//release:webhook"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) { c.make(t, m) })
	}
	t.Run("a newer version of Armature keeps locks and objects", c.upgrade)
}

// lock accepts the hub as for a group that is new.
func (c consumer) lock(t *testing.T) {
	file := c.path("apis/pet-shop/lock.bzl")
	accepted, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte("LOCK = {}\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.WriteFile(file, accepted, 0o644); err != nil {
			t.Error(err)
		}
	})
	if out, err := c.run("", "run", "//apis/pet-shop:lock.update"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(accepted), string(written)); diff != "" {
		t.Errorf("(-accepted +written):\n%s", diff)
	}
}

// client is a program of a third module, which uses what the consumer has exported.
const client = `package main

import (
	"fmt"

	old "example.com/petshop/apis/pet-shop/v20240501"
	newer "example.com/petshop/apis/pet-shop/v20250901"
)

func main() {
	grams := int64(1500)
	given, hub, pet := &old.Pet{Spec: old.Pet_Spec{WeightGrams: &grams}}, (&old.Pet{}).NewHub(), &newer.Pet{}
	if err := given.ConvertTo(hub); err != nil {
		panic(err)
	}
	if err := pet.ConvertFrom(hub); err != nil {
		panic(err)
	}
	fmt.Println(*pet.Spec.WeightKg)
}
`

func (c consumer) export(t *testing.T) {
	dir, user := filepath.Join(t.TempDir(), "module"), t.TempDir()
	var first map[string]string
	for range 2 {
		if out, err := c.run("", "run", "//apis:export", "--", "--to", dir); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		found := plaingo.Contents(t, dir)
		if first == nil {
			first = found
		}
		if diff := cmp.Diff(first, found); diff != "" {
			t.Errorf("the second export has other bytes: %s", diff)
		}
	}
	if strings.Contains(first["go.mod"], "replace") {
		t.Errorf("go.mod replaces modules:\n%s", first["go.mod"])
	}
	run := plaingo.Command(t, filepath.Join(c.release, "go"))
	run(dir, "", "build", "./...")
	if night.Is() {
		run(dir, "", "vet", "./...")
	}
	if out := run(dir, "", "test", "-vet=off", "./..."); strings.Count("\n"+out, "\nok ") < 3 {
		t.Errorf("few packages were tested:\n%s", out)
	}
	for name, text := range map[string]string{
		"main.go": client,
		"go.mod": "module example.com/client\n\ngo 1.26.0\n\nrequire example.com/petshop/apis v0.0.0\n\n" +
			"replace example.com/petshop/apis => " + dir + "\n",
	} {
		if err := os.WriteFile(filepath.Join(user, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out := run(user, "-mod=mod", "run", "."); out != "1.5\n" {
		t.Errorf("the client printed %q, want 1.5", out)
	}
}

// site checks the pages about all groups.
func (c consumer) site(t *testing.T) {
	files := sitetest.Read(t, c.path("bazel-bin/site/site"))
	sitetest.Check(t, files)
	for name, want := range map[string]string{
		"index.html": "<svg", "site/owners.html": "Whoever walks it.", "pet-shop/pet/index.html": "weightGrams",
		"pet-shop/pet/v20240501.html": "weightGrams", "kinds.html": "managedidentity/userassignedidentity/index.html",
	} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s has no %s:\n%s", name, want, files[name])
		}
	}
}

// apply installs the release on an API server, with the program of its image as the webhook, and writes at the newer
// version what it has read of an object of the older one.
func (c consumer) apply(t *testing.T) {
	server := cluster.New(t)
	r := release.Read(t, c.path("bazel-bin/release/release"))
	server.Install(t, cluster.NewWebhook(t, r.Handler(t)), r.CRDs(t, "pet-shop")...)
	pets := func(version string) dynamic.ResourceInterface {
		return server.Client.Resource(schema.GroupVersionResource{
			Group: "petshop.example.com", Version: version, Resource: "pets",
		}).Namespace("default")
	}
	old, newer := pets("v20240501"), pets("v20250901")
	spec := map[string]any{
		"owner": map[string]any{"name": "shop"}, "species": "dog", "colour": "brown", "weightGrams": int64(1500),
	}
	given := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "petshop.example.com/v20240501", "kind": "Pet",
		"metadata": map[string]any{"name": "rex"}, "spec": spec,
	}}
	if _, err := old.Create(t.Context(), given, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}); err != nil {
		t.Fatal(err)
	}
	pet, err := newer.Get(t.Context(), "rex", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := pet.Object["spec"].(map[string]any)
	if got["color"] != "brown" || got["weightKg"] != 1.5 {
		t.Errorf("at the newer version the Spec is %v", got)
	}
	got["chipped"] = true
	if _, err := newer.Update(t.Context(), pet, metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict}); err != nil {
		t.Fatal(err)
	}
	back, err := old.Get(t.Context(), "rex", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(spec), back.Object["spec"]); diff != "" {
		t.Errorf("the Spec at the older version, after a write at the newer one (-given +got):\n%s", diff)
	}
	if pet, err = newer.Get(t.Context(), "rex", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	if chipped := pet.Object["spec"].(map[string]any)["chipped"]; chipped != true {
		t.Errorf("chipped is %v, want true", chipped)
	}
}

// TestPage compares the page about the example with the example: what it shows of Starlark is there.
func TestPage(t *testing.T) {
	source := workspace.Source(t)
	lines := map[string]bool{"    ...": true, "": true, `    path = "../armature",`: true}
	for line := range strings.Lines(fromRegistry("https://example.com/armature")) {
		lines[strings.TrimRight(line, "\n")] = true
	}
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
	// specs are the documents of ARMATURE_SPECS, which is "none" if there are none.
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
		want: []string{"unexpected keyword argument: importpaht (did you mean 'importpath'?)"},
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
		name: "a version without facts", file: "apis/managedidentity/BUILD.bazel", old: `        "2023-01-31": [`,
		new: "        \"2022-01-31-preview\": [],\n        \"2023-01-31\": [", args: []string{"build", "//apis/managedidentity:crds"},
		want: []string{"version 2022-01-31-preview has no specs/2022-01-31-preview.facts.json: " +
			"`bazel run @armature//tools/add -- managedidentity --update --stable=0` writes it"},
	},
	{
		name: "ARMATURE_SPECS names another folder", specs: []string{"README.json"},
		args: []string{"build", "//apis/managedidentity:crds"},
		want: []string{"name a folder that holds the checkouts; `bazel run @armature//tools/specs` makes one"},
	},
	{
		name: "a checkout that tools/specs has not completed", specs: []string{"azure-rest-api-specs.done"},
		args: []string{"build", "//apis/managedidentity:crds"},
		want: []string{"is of other pins than those of this repository, or incomplete: of azure-rest-api-specs it lacks",
			"fetch it with: bazel run @armature//tools/specs -- --dir /"},
	},
	{
		name: "specs of a module without a name", file: "MODULE.bazel", old: "module(name = \"petshop\")\n",
		args: []string{"build", "//apis/managedidentity:crds"}, want: []string{`begin it with module(name = "shop")`},
	},
	{
		name: "a change that nobody has accepted", file: "apis/pet-shop/lock.bzl",
		old: "                \"v20240501\",\n", args: []string{"build", "//apis/pet-shop:v20240501"},
		want: []string{"accept it with: bazel run //apis/pet-shop:lock.update"},
	},
	{
		name: "a hook of a version that is not there", file: petShop,
		old:  "augment = glob([\"augment/**/*.go\"])",
		new:  "augment = [\"augment/v20240502storage/weight.go\"]",
		args: []string{"build", "//apis/pet-shop:crds"},
		want: []string{"there is no package v20240502storage: expected one of"},
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
	for line := range strings.Lines(out) { // what the user reads
		if slices.ContainsFunc(m.want, func(want string) bool { return strings.Contains(line, want) }) {
			t.Log(strings.TrimSpace(line))
		}
	}
}
