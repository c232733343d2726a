package mutants

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// laws are the arguments of the go command that run the laws: those of generated
// packages and of whole kinds, and the tests of what random objects of one kind do not
// show. These are that properties meet where they should, that enums keep their spelling,
// that an edit changes nothing else in any list, that a digest tells an empty list from
// none, that a step shares nothing where it must not, that a damaged entry stays in its
// bag, and that every group has hubs that all versions reach.
var laws = []string{"test", "-p=2",
	"-run=^Test(" + strings.Join(lawTests, "|") + ")$",
	"./tests/golden/convert/...", "./runtime/remainder", "./runtime/propertybag", "./generator/plan/..."}

// lawTests are the names of these tests.
var lawTests = []string{"Versions", "Laws", "LawsOfHistories", "PairsOfHistories", "ConvertTo", "Spelling",
	"PropertiesOfChangingShapes", "RandomEdits", "Restore", "DigestOf", "Steps", "Recall", "RandomGroups"}

// TestLaws checks by day that each of the laws still has its name.
func TestLaws(t *testing.T) {
	root := workspace.Source(t)
	var all strings.Builder
	for _, folder := range []string{"tests/golden/convert", "runtime/remainder", "runtime/propertybag", "generator/plan"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range lawTests {
		if !strings.Contains(all.String(), "\nfunc Test"+name+"(t *testing.T) {") {
			t.Errorf("found no test Test%s where the laws are, so no mutant is tried on it", name)
		}
	}
}

// TestPlaces checks by day that each mutant still has the place that it changes.
func TestPlaces(t *testing.T) {
	root := workspace.Source(t)
	for _, m := range mutants {
		m.place(t, root)
	}
}

// TestMutants breaks the code in one place at a time, and expects that a law fails.
// A night has half of the places, and the next one the other half; a longer night (night.Times) has all.
func TestMutants(t *testing.T) {
	if !night.Is() {
		t.Skip("ARMATURE_NIGHT is not set: .ci/nightly mutants runs this, which takes half an hour")
	}
	root := t.TempDir()
	copyFiles(t, root, "go.mod", "go.sum", "generator", "internal", "runtime", goldens, "tests/laws")
	if output, err := run(root, laws...); err != nil {
		t.Fatalf("the laws do not hold to begin with: %v\n%s", err, output)
	}
	for i, m := range mutants {
		if night.Times(0, 1) == 1 && i%2 != time.Now().YearDay()%2 {
			continue
		}
		t.Run(m.name, func(t *testing.T) { m.try(t, root) })
	}
}

// failed matches a test that failed in the output of the go command.
var failed = regexp.MustCompile(`--- FAIL: Test(\S+) \(`)

// law returns the law that failed according to the output of a test, or "".
func law(output string) string {
	deepest := ""
	for _, match := range failed.FindAllStringSubmatch(output, -1) {
		if strings.Count(match[1], "/") > strings.Count(deepest, "/") || deepest == "" {
			deepest = match[1]
		}
	}
	return deepest[strings.LastIndex(deepest, "/")+1:]
}

// place returns the file that a mutant changes, and its text.
func (m mutant) place(t *testing.T, root string) (file, text string) {
	t.Helper()
	file = filepath.Join(root, m.file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	} else if n := strings.Count(string(data), m.old); n != 1 {
		t.Errorf("%s: %s has %d places with %q, want one: correct it in table_test.go", m.name, m.file, n, m.old)
	}
	return file, string(data)
}

func (m mutant) try(t *testing.T, root string) {
	file, text := m.place(t, root)
	write(t, file, strings.Replace(text, m.old, m.new, 1))
	generated := strings.HasPrefix(m.file, "generator/")
	defer func() {
		write(t, file, text)
		if generated {
			// The generator is a test of the package that it writes, which the mutant may have left unable to compile.
			if err := os.RemoveAll(filepath.Join(root, goldens)); err != nil {
				t.Fatal(err)
			}
			copyFiles(t, root, goldens)
		}
	}()
	if generated {
		if err := generate(root); err != nil {
			t.Logf("the generator fails too: %v", err)
		}
	}
	output, err := run(root, laws...)
	broken := law(output)
	switch {
	case err == nil:
		t.Error("no law failed")
	case broken == "":
		t.Errorf("something failed, but no law:\n%s", output)
	default:
		t.Log("broke the law", broken)
	}
}

// goldens is the folder with the generated packages that the laws are tried on.
const goldens = "tests/golden/convert"

// generate writes the golden packages anew.
func generate(root string) error {
	command := exec.Command("go", "test", "-count=1", "-run=Golden", "./"+goldens)
	command.Dir, command.Env = root, append(os.Environ(), "ARMATURE_UPDATE=1")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

func run(root string, args ...string) (string, error) {
	command := exec.Command("go", args...)
	command.Dir = root
	output, err := command.CombinedOutput()
	return string(output), err
}

// copyFiles copies what git tracks below some paths of this repository.
func copyFiles(t *testing.T, root string, paths ...string) {
	t.Helper()
	from := workspace.Source(t)
	list := exec.Command("git", append([]string{"ls-files", "-z", "--"}, paths...)...)
	list.Dir = from
	files, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(root, name), string(text))
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
