// Package badinput checks the messages for an input with mistakes. Each folder
// of testdata is a service group with some:
//
//	README.md             which messages it shows
//	group.yaml            as in apis/
//	lock.bzl              as in apis/, if only the last verbs can find the mistake
//	augment/<package>/*.go  hand-written hooks, as in apis/
//	specs/<version>/*.json  the files of each API version
//	huge.txt              files that the test makes: a name and a size in MiB
//	want.txt              the verb that reports the mistake, its exit code and stderr
//
// The test runs the verbs as processes in the order of the build, with the
// arguments that the rules give them. The first verb that can find a mistake
// reports it, all mistakes of an input come at once, and a verb that reports a
// mistake writes nothing.
//
// Folders whose name begins with macro_ are mistakes in BUILD.bazel, which
// //rules/tests:refusals reports before any verb runs.
package badinput

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/google/go-cmp/cmp"
)

func TestBadInput(t *testing.T) {
	verbs := findVerbs(t)
	cases, err := filepath.Glob("testdata/*/group.yaml")
	if err != nil || len(cases) == 0 {
		t.Fatalf("found no cases in testdata: %v", err)
	}
	for _, file := range cases {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			g := newGroup(t, verbs, folder)
			golden.Equal(t, filepath.Join(folder, "want.txt"), g.build())
		})
	}
}

// TestValidGroup builds a group without a mistake, to show that the verbs get the
// right arguments.
func TestValidGroup(t *testing.T) {
	const spec = "specs/2020-01-01/shop.json"
	text, err := os.ReadFile("testdata/an_export_of_another_provider/" + spec)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		spec:         string(text),
		"group.yaml": "exports:\n  Contoso.Shop/carts: {kind: Cart}\n",
		"lock.bzl":   "LOCK = {}\n",
	} {
		file := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	g := newGroup(t, findVerbs(t), folder)
	g.build() // which is refused, and makes the plan
	g.accept()
	if got := g.build(); got != passed {
		t.Errorf("got %s", got)
	}
}

// findVerbs returns the programs by their names: those that Bazel has built
// for the test, or new ones.
func findVerbs(t *testing.T) map[string]string {
	t.Helper()
	verbs := map[string]string{}
	if list := os.Getenv("ARMATURE_VERBS"); list != "" {
		for _, file := range strings.Fields(list) {
			file, err := filepath.Abs(filepath.Join(os.Getenv("TEST_SRCDIR"), os.Getenv("TEST_WORKSPACE"), file))
			if err != nil {
				t.Fatal(err)
			}
			verbs[filepath.Base(file)] = file
		}
		return verbs
	}
	dir := t.TempDir()
	for _, name := range []string{"armconfig", "armhooks", "armload", "armlock", "armplan", "armcheck"} {
		verbs[name] = filepath.Join(dir, name)
		build := exec.Command("go", "build", "-o", verbs[name], "../../../generator/cmd/"+name)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return verbs
}

// group is a service group in a folder of its own.
type group struct {
	t        *testing.T
	verbs    map[string]string
	dir      string
	versions []string
}

func newGroup(t *testing.T, verbs map[string]string, folder string) *group {
	g := &group{t: t, verbs: verbs, dir: t.TempDir()}
	if err := os.CopyFS(g.dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	g.makeHuge()
	entries, err := os.ReadDir(filepath.Join(g.dir, "specs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		g.versions = append(g.versions, e.Name())
	}
	return g
}

// makeHuge makes the files of huge.txt. They have no blocks on the disk.
func (g *group) makeHuge() {
	text, err := os.ReadFile(filepath.Join(g.dir, "huge.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	for line := range strings.Lines(string(text)) {
		var name string
		var size int64
		if _, err := fmt.Sscan(line, &name, &size); err != nil {
			g.t.Fatal(err)
		}
		file := filepath.Join(g.dir, name)
		if err := errors.Join(os.WriteFile(file, []byte("{"), 0o644), os.Truncate(file, size<<20)); err != nil {
			g.t.Fatal(err)
		}
	}
}

// passed is the result of a build without errors.
const passed = "exit 0\n"

// build runs the verbs until one fails, as the build does, and returns its
// name, exit code and stderr. If armload fails for one version it still runs for
// the others, and may report mistakes of these too.
func (g *group) build() string {
	phases := []struct {
		verb  string
		calls [][]string
	}{
		{"armconfig", [][]string{{"--config=group.yaml", "--provider=Contoso.Shop", "--out=out/config.json"}}},
		{"armload", g.loads()},
		{"armhooks", g.hooks()},
		{"armplan", [][]string{g.plan()}},
		{"armcheck", [][]string{g.check()}},
	}
	for _, phase := range phases {
		var report string
		for _, args := range phase.calls {
			report += g.run(phase.verb, args)
		}
		if report != "" {
			return report
		}
	}
	return passed
}

// loads returns armload's arguments for every version, as for specs in the tree,
// where the entry of a version lists each file.
func (g *group) loads() [][]string {
	var calls [][]string
	for _, version := range g.versions {
		files, err := filepath.Glob(filepath.Join(g.dir, "specs", version, "*.json"))
		if err != nil {
			g.t.Fatal(err)
		}
		args := []string{"--load=out/config.json", "--provider=Contoso.Shop", "--api-version=" + version}
		for _, file := range files {
			name := "specs/" + version + "/" + filepath.Base(file)
			args = append(args, "--document=:"+name)
		}
		for _, kind := range []string{"ir", "api", "limits", "notes", "digests"} {
			args = append(args, fmt.Sprintf("--%s=out/%s.%s.json", kind, version, kind))
		}
		calls = append(calls, args)
	}
	return calls
}

// hooks returns armhooks' arguments if there are hand-written files, and nil
// otherwise.
func (g *group) hooks() [][]string {
	files, err := filepath.Glob(filepath.Join(g.dir, "augment/*/*.go"))
	if err != nil {
		g.t.Fatal(err)
	}
	if len(files) == 0 {
		return nil
	}
	args := []string{"--out=out/hooks.json", "--places=out/hooks.places.json"}
	for _, file := range files {
		pkg := filepath.Base(filepath.Dir(file))
		args = append(args, fmt.Sprintf("--source=%s=augment/%s/%s", pkg, pkg, filepath.Base(file)))
	}
	return [][]string{args}
}

// plan returns armplan's arguments.
func (g *group) plan() []string {
	args := []string{
		"--group=shop.azure.armature.dev", "--provider=Contoso.Shop", "--import-prefix=example.com/apis/shop/",
		"--dir=apis/shop", "--config=group.yaml", "--ga-name=v{date}", "--preview-name=v{date}alpha1",
	}
	for _, version := range g.versions {
		args = append(args, fmt.Sprintf("--api=%s=out/%s.api.json", version, version))
	}
	if g.hooks() != nil {
		args = append(args, "--hooks=out/hooks.json")
	}
	for _, p := range g.packages() {
		args = append(args, fmt.Sprintf("--out=%s=out/%s.plan.json", p, p))
	}
	return args
}

// check returns armcheck's arguments.
func (g *group) check() []string {
	args := []string{"--dir=apis/shop", "--lock=lock.bzl", "--config=group.yaml", "--stamp=out/check.ok"}
	if g.hooks() != nil {
		args = append(args, "--places=out/hooks.places.json")
	}
	return append(args, g.planned()...)
}

// planned returns the arguments that name the plans and the digests.
func (g *group) planned() []string {
	var args []string
	for _, p := range g.packages() {
		args = append(args, fmt.Sprintf("--plan=out/%s.plan.json", p))
	}
	for _, version := range g.versions {
		args = append(args, fmt.Sprintf("--digests=out/%s.digests.json", version))
	}
	return args
}

// accept writes the lock as lock.update does, after build has made the plans.
func (g *group) accept() {
	args := []string{"--dir=apis/shop", "--lock=lock.bzl", "--load=out/config.json", "--load-out=out/names.json",
		"--out=lock.bzl"}
	if report := g.run("armlock", append(args, g.planned()...)); report != "" {
		g.t.Fatal(report)
	}
}

// packages returns the names that the macro gives the generated packages.
func (g *group) packages() []string {
	var names []string
	for _, version := range g.versions {
		name := "v" + strings.ReplaceAll(version, "-", "")
		if date, isPreview := strings.CutSuffix(name, "preview"); isPreview {
			name = date + "alpha1"
		}
		names = append(names, name, name+"storage")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// run runs a verb. It returns "" if the verb succeeds. Otherwise it returns the
// verb's messages, and checks that the verb has written nothing.
func (g *group) run(verb string, args []string) string {
	if err := os.WriteFile(filepath.Join(g.dir, "params"), []byte(strings.Join(args, "\n")+"\n"), 0o644); err != nil {
		g.t.Fatal(err)
	}
	before := g.files()
	var stderr bytes.Buffer
	cmd := exec.Command(g.verbs[verb], "@params")
	cmd.Dir, cmd.Stderr = g.dir, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		g.t.Fatal(err)
	}
	code := cmd.ProcessState.ExitCode()
	if code == 0 {
		return ""
	}
	if diff := cmp.Diff(before, g.files()); diff != "" {
		g.t.Errorf("%s failed and changed files (-before +after):\n%s", verb, diff)
	}
	return fmt.Sprintf("%s: exit %d\n%s", verb, code, &stderr)
}

// files returns the sizes of all files of the group, by name.
func (g *group) files() map[string]int64 {
	found := map[string]int64{}
	err := filepath.WalkDir(g.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		found[strings.TrimPrefix(path, g.dir)] = info.Size()
		return err
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return found
}
