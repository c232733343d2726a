// Package rebuild proves that a change rebuilds only what it touches. It copies
// the workspace with one small service group, makes an edit, builds and tests,
// and compares the actions in Bazel's execution log with a golden list. Then it
// does in the same workspace what the docs tell their readers to do.
package rebuild

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/night"
	workspaces "github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/armature-dev/armature/tests/docs/steps"
	"github.com/google/go-cmp/cmp"
)

// edits change the group widgets, each after those before it. None undoes what
// another has done, so that no edit finds what an earlier one has left. An edit that
// changes what a published version declares comes with the lock that accepts it.
var edits = []struct {
	name string
	edit func(t *testing.T, w workspace)
}{
	{"nothing", func(*testing.T, workspace) {}},
	{"whitespace", func(t *testing.T, w workspace) {
		w.replace(t, spec("2020-03-03"), `"swagger": "2.0",`, "\"swagger\":   \"2.0\",\n\n")
	}},
	{"description", func(t *testing.T, w workspace) {
		w.replace(t, spec("2020-03-03"), "What the widget weighs", "How much the widget weighs")
	}},
	{"property", func(t *testing.T, w workspace) {
		w.replace(t, spec("2020-03-03"), `"weight": {`, `"label": { "type": "string", "description": "What is printed." }, "weight": {`)
		w.copy(t, "apis/widgets/lock.bzl.property", "apis/widgets/lock.bzl")
	}},
	{"config", func(t *testing.T, w workspace) {
		w.replace(t, "apis/widgets/group.yaml", "shortNames: [wd]", "shortNames: [wd, widg]")
		w.copy(t, "apis/widgets/lock.bzl.config", "apis/widgets/lock.bzl")
	}},
	{"comment in config", func(t *testing.T, w workspace) {
		w.replace(t, "apis/widgets/group.yaml", "shortNames: [wd, widg]", "shortNames: [wd, widg] # as kubectl takes it")
	}},
	{"hook body", func(t *testing.T, w workspace) {
		w.replace(t, "apis/widgets/augment/v20200404storage/widget.go", "\treturn nil\n",
			"\tif dst.AzureName == nil {\n\t\treturn nil\n\t}\n\treturn nil\n")
	}},
	{"generator", func(t *testing.T, w workspace) {
		w.replace(t, "generator/cmd/armconvert/main.go", "func Run(",
			"// Unused changes the tool but nothing that it writes.\nfunc Unused() string { return \"unused\" }\n\nfunc Run(")
	}},
	{"version removed", func(t *testing.T, w workspace) {
		w.replace(t, "apis/widgets/BUILD.bazel", `"2020-03-03", `, "")
		w.copy(t, "apis/widgets/lock.bzl.removed", "apis/widgets/lock.bzl")
		w.remove(t, "apis/widgets/testdata/hooks/Widget/v20200303_to_latest")
		w.remove(t, "apis/widgets/testdata/hooks/Widget/latest_to_v20200303")
	}},
	{"version added", func(t *testing.T, w workspace) {
		w.copy(t, spec("2020-05-05"), spec("2020-06-06"))
		w.replace(t, spec("2020-06-06"), "2020-05-05", "2020-06-06")
		w.replace(t, "apis/widgets/BUILD.bazel", `for v in [`, `for v in ["2020-06-06", `)
		w.copy(t, "apis/widgets/lock.bzl.added", "apis/widgets/lock.bzl")
	}},
}

func spec(version string) string { return "apis/widgets/specs/" + version + "/widget.json" }

// pages returns the pages that are followed. By day that is the one whose steps need the rules and the generator alone;
// the others build programs with all groups.
func pages() []string {
	if night.Is() {
		return steps.Pages
	}
	return []string{"docs/add-a-service.md"}
}

// TestBuild has one Bazel in the workspace main. A Bazel that starts takes longer
// than most of these builds.
func TestBuild(t *testing.T) {
	w := newWorkspace(t, "main")
	w.run(t) // everything, once
	for _, e := range edits {
		t.Run("an edit runs exactly the actions of its golden list/"+e.name, func(t *testing.T) {
			e.edit(t, w)
			w.compare(t, e.name, w.run(t))
		})
	}
	for _, page := range pages() {
		t.Run("a reader can follow "+page, func(t *testing.T) { steps.Follow(t, w.Workspace, page) })
	}
	t.Run("two checkouts give the same bytes", func(t *testing.T) {
		if !night.Is() {
			t.Skip("ARMATURE_NIGHT is not set: by day toolchain has two checkouts, of one package")
		}
		testTwoCheckouts(t, w)
	})
	t.Run("KUBEBUILDER_ASSETS names the control plane", func(t *testing.T) { testGivenBinaries(t, w) })
}

// testTwoCheckouts compares what two checkouts generate, as a shared cache needs it.
func testTwoCheckouts(t *testing.T, w workspace) {
	var sums [2]map[string][sha256.Size]byte
	w.reset(t)
	for i, w := range []workspace{w, newWorkspace(t, "at-another-place/of-another-length")} {
		// Each generates for itself; the tools may come from the disk cache.
		w.Bazel(t, "build", "--modify_execution_info=Arm.*=+no-cache", "--symlink_prefix=/", "//apis/...")
		sums[i] = w.generated(t)
	}
	if len(sums[0]) < 5*2*4 {
		t.Errorf("five versions made %d files, which is too few to mean anything", len(sums[0]))
	}
	if diff := cmp.Diff(sums[0], sums[1]); diff != "" {
		t.Errorf("two checkouts differ:\n%s", diff)
	}
}

// testGivenBinaries builds the control plane with KUBEBUILDER_ASSETS, which names a
// kube-apiserver, an etcd and a kubectl to take in place of those that take minutes to build.
func testGivenBinaries(t *testing.T, w workspace) {
	given := t.TempDir()
	build := func() (string, error) {
		out, err := w.Command("build", "--repo_env=KUBEBUILDER_ASSETS="+given, "--symlink_prefix=/",
			"//tools/controlplane/binaries").CombinedOutput()
		return string(out), err
	}
	names := []string{"kube-apiserver", "etcd", "kubectl"}
	for _, name := range names {
		if out, err := build(); err == nil || !strings.Contains(out, fmt.Sprintf("KUBEBUILDER_ASSETS is %q: expected", given)) {
			t.Errorf("without %s in the folder: %v\n%s", name, err, out)
		}
		if err := os.WriteFile(filepath.Join(given, name), []byte("a given "+name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := build(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(w.OutputBase,
			"execroot/_main/bazel-out/k8-fastbuild/bin/tools/controlplane/binaries/bin", name))
		if err != nil || string(text) != "a given "+name {
			t.Errorf("%s is not the given one: %v", name, err)
		}
	}
}

// generated returns the digests of all generated files.
func (w workspace) generated(t *testing.T) map[string][sha256.Size]byte {
	t.Helper()
	sums := map[string][sha256.Size]byte{}
	err := filepath.WalkDir(w.made("bin"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, ".runfiles") {
			return err
		}
		switch filepath.Ext(path) {
		case ".go", ".json", ".yaml", ".md", ".dot", ".bzl", ".txt":
			text, err := os.ReadFile(path)
			sums[path[len(w.made("bin")):]] = sha256.Sum256(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// compare holds the actions that ran against the golden list.
func (w workspace) compare(t *testing.T, name string, got []string) {
	t.Helper()
	golden.Equal(t, filepath.Join("testdata", "golden", strings.ReplaceAll(name, " ", "_")+".txt"), strings.Join(got, "\n")+"\n")
}

// workspace is a copy of the repository in which widgets is the only group.
type workspace struct{ workspaces.Workspace }

func newWorkspace(t *testing.T, name string) workspace {
	t.Helper()
	w := workspace{workspaces.Open(t, name)}
	w.reset(t)
	return w
}

// made returns the folder for Bazel's outputs of the group, of the kind "bin" or
// "testlogs".
func (w workspace) made(kind string) string {
	return filepath.Join(w.OutputBase, "execroot/_main/bazel-out/k8-fastbuild", kind, "apis/widgets")
}

// reset undoes an edit and removes what was built: an edit must not find what
// an earlier one has left.
func (w workspace) reset(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"bin", "testlogs"} {
		folder := w.made(kind)
		if _, err := os.Stat(folder); err == nil {
			// Bazel takes the write permission from what it makes.
			if out, err := exec.Command("chmod", "-R", "u+w", folder).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	w.Copy(t, func(name string) string {
		const widgets = "tests/bazel/rebuild/testdata/widgets/"
		switch rel, isWidgets := strings.CutPrefix(name, widgets); {
		case isWidgets:
			return filepath.Join("apis/widgets", strings.TrimSuffix(rel, ".in"))
		case strings.HasPrefix(name, "apis/"), workspaces.IsTest(name):
			return ""
		}
		return name
	})
}

func (w workspace) replace(t *testing.T, name, old, new string) {
	t.Helper()
	path := filepath.Join(w.Dir, name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %q to edit", name, old)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), old, new)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w workspace) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(w.Dir, name)); err != nil {
		t.Fatal(err)
	}
}

func (w workspace) copy(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.Dir, from))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.Dir, to)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// run builds and tests the group and returns the actions that were run, or
// taken from the disk cache, since the run before: "Mnemonic label", sorted,
// with a count where one target has several.
func (w workspace) run(t *testing.T) []string {
	t.Helper()
	log := filepath.Join(filepath.Dir(w.Dir), "log.json")
	w.Bazel(t, "test", "--execution_log_json_file="+log, "--symlink_prefix=/",
		// Otherwise what the disk cache has counts as made even if it was removed.
		"--remote_download_outputs=all",
		"//apis/...")
	count := map[string]int{}
	for _, spawn := range workspaces.ReadLog(t, log) {
		// nogo analyzes every package that is compiled. Its actions would name each package twice more.
		if spawn.Mnemonic != "RunNogo" && spawn.Mnemonic != "ValidateNogo" {
			count[spawn.Mnemonic+" "+strings.TrimPrefix(spawn.TargetLabel, "@@")]++
		}
	}
	var lines []string
	for _, line := range slices.Sorted(maps.Keys(count)) {
		if n := count[line]; n > 1 {
			line = fmt.Sprintf("%s (%d times)", line, n)
		}
		lines = append(lines, line)
	}
	return lines
}
