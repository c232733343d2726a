// Package golden compares what a test makes with golden files. If the environment
// variable ARMATURE_UPDATE is set, it writes the files instead, as they should be
// now. A test that fails prints the command that does so.
//
// Files are named relative to the folder of the test, where they are in the source
// tree and in the runfiles of Bazel.
package golden

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/internal/bazel"
)

// variable is set, to 1 or any other text, to have golden files written.
const variable = "ARMATURE_UPDATE"

// Updating reports whether golden files are to be written.
func Updating() bool { return os.Getenv(variable) != "" }

// Equal reports an error if got differs from the text of a golden file.
func Equal(t testing.TB, file, got string) {
	t.Helper()
	if Updating() {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v; to write it, run: %s\nit would be\n%s", err, Command(), got)
		return
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s\nif the change is meant, run: %s", file, diff, Command())
	}
}

// EqualFolder reports an error for each file below a folder that got, which has
// texts by slashed names, does not have or has otherwise, and for each that only
// got has.
func EqualFolder(t testing.TB, folder string, got map[string]string) {
	t.Helper()
	if Updating() {
		Remove(t, folder)
	}
	want := map[string]bool{}
	err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, file)
		want[filepath.ToSlash(name)] = true
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		Equal(t, filepath.Join(folder, name), got[name])
		delete(want, name)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !Updating() { // else it is in Bazel's runfiles, which are as they were
			t.Errorf("%s should not be there; if the change is meant, run: %s", filepath.Join(folder, name), Command())
		}
	}
}

// marked matches a part of a page that a test makes.
var marked = regexp.MustCompile(`(?s)<!-- (?:table|examples): (\w+) -->\n.*?<!-- end -->`)

// Fill compares a page with what it would be with parts that a test makes, and deletes
// those that the page has. A part is between "<!-- table: its name -->" or
// "<!-- examples: its name -->" and "<!-- end -->".
func Fill(t testing.TB, page string, parts map[string]string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	filled := marked.ReplaceAllStringFunc(string(text), func(found string) string {
		name := marked.FindStringSubmatch(found)[1]
		if parts[name] == "" {
			t.Errorf("%s has a part %q, which the test does not make, or which is on two pages", page, name)
		}
		mark, _, _ := strings.Cut(found, "\n")
		part := parts[name]
		delete(parts, name)
		return mark + "\n\n" + part + "\n<!-- end -->"
	})
	Equal(t, page, filled)
}

// Remove removes a golden file or a folder of them, if there is one.
func Remove(t testing.TB, file string) {
	t.Helper()
	file, err := Source(file)
	if err == nil {
		err = os.RemoveAll(file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, file, text string) {
	t.Helper()
	file, err := Source(file)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Source returns the path of a golden file in the source tree. Bazel says where
// that is to a test that is run with "bazel run", and to no other.
func Source(file string) (string, error) {
	if os.Getenv("TEST_TARGET") == "" {
		return file, nil
	}
	root := os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if root == "" {
		return "", errors.New("a test of Bazel cannot write golden files; run: " + Command())
	}
	return filepath.Join(root, Path(file)), nil
}

// Command returns the command that writes the golden files of the test that runs.
func Command() string {
	if target := os.Getenv("TEST_TARGET"); target != "" {
		return variable + "=1 " + bazel.Run(target)
	}
	return variable + "=1 go test ./" + Path("")
}

// Path returns the slashed path of a golden file from the root of the repository,
// for people to read.
func Path(file string) string {
	if target := os.Getenv("TEST_TARGET"); target != "" {
		folder, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimLeft(target, "@"), "//"), ":")
		return path.Join(folder, filepath.ToSlash(file))
	}
	folder, err := os.Getwd()
	if err != nil {
		return filepath.ToSlash(file)
	}
	for root := folder; root != filepath.Dir(root); root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			folder, _ = filepath.Rel(root, folder)
			break
		}
	}
	return path.Join(filepath.ToSlash(folder), filepath.ToSlash(file))
}
