package folder

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWrite(t *testing.T) {
	t.Run("a folder has the files and their checksums", testContent)
	t.Run("a run with the same files changes nothing", testAgain)
	t.Run("what is gone is removed", testGone)
	t.Run("what is added is beside what is there", testAdd)
	t.Run("a folder that is not as it was left is refused", testRefusals)
	t.Run("a signature stays until the manifest changes", testSignature)
	t.Run("a path that leaves the folder is an error", testPaths)
	t.Run("a run that was killed between two renames is undone", testRecovery)
	t.Run("a run that is killed leaves the old files or the new ones", testKills)
}

// contents returns the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums, exists, err := read(dir)
	if err != nil || !exists {
		t.Fatalf("%s: exists is %v, %v", dir, exists, err)
	}
	texts := map[string]string{}
	for name, sum := range sums {
		if sum == "" {
			texts[name] = "" // a link
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

func mustWrite(t *testing.T, dir string, files Files) {
	t.Helper()
	if err := Write(dir, files); err != nil {
		t.Fatal(err)
	}
}

// siblings returns the names beside a folder.
func siblings(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func testContent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	mustWrite(t, dir, Files{"b": []byte("B\n"), "a/x": []byte("X\n")})
	want := map[string]string{
		"b": "B\n", "a/x": "X\n", Manifest: Sum([]byte("X\n")) + "  a/x\n" + Sum([]byte("B\n")) + "  b\n",
	}
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	if path, err := exec.LookPath("sha256sum"); err == nil {
		command := exec.Command(path, "--check", "--quiet", Manifest)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if diff := cmp.Diff([]string{"out"}, siblings(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func testAgain(t *testing.T) {
	dir := t.TempDir() // an empty folder is as good as none
	mustWrite(t, dir, Files{"a": []byte("A")})
	old := time.Unix(1, 0)
	if err := os.Chtimes(filepath.Join(dir, "a"), old, old); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, dir, Files{"a": []byte("A")})
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("%v, %v: the file was written again", info.ModTime(), err)
	}
}

func testGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, Files{"a/x": []byte("1"), "b": []byte("1")})
	mustWrite(t, dir, Files{"b": []byte("2")})
	if diff := cmp.Diff([]string{Manifest, "b"}, slices.Sorted(maps.Keys(contents(t, dir)))); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("the folder a is still there")
	}
	if diff := cmp.Diff([]string{"out"}, siblings(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func testAdd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, Files{"a/x": []byte("1"), "b": []byte("1")})
	if err := Add(dir, func(found Sums) (Files, error) {
		if diff := cmp.Diff(Sums{"a/x": Sum([]byte("1")), "b": Sum([]byte("1"))}, found); diff != "" {
			t.Error(diff)
		}
		return Files{"b": []byte("2"), "c": []byte("2")}, nil
	}); err != nil {
		t.Fatal(err)
	}
	want := contents(t, dir)
	delete(want, Manifest)
	if diff := cmp.Diff(map[string]string{"a/x": "1", "b": "2", "c": "2"}, want); diff != "" {
		t.Error(diff)
	}
	refused := errors.New("refused")
	if err := Add(dir, func(Sums) (Files, error) { return nil, refused }); err != refused {
		t.Errorf("%v, want the error of the function", err)
	}
	mustWrite(t, dir, Files{"b": []byte("3")}) // the folder is as the last run left it
}

func testRefusals(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(dir string) error
		want   []string
	}{
		{"files of somebody else", func(dir string) error { return os.Remove(filepath.Join(dir, Manifest)) },
			[]string{"no SHA256SUMS of an earlier run", "name a new or an empty folder"}},
		{"an edited file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("edited"), 0o644) },
			[]string{"\n  a was edited\n"}},
		{"a removed file", func(dir string) error { return os.Remove(filepath.Join(dir, "a")) }, []string{"\n  a was removed\n"}},
		{"an added file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "c"), nil, 0o644) },
			[]string{"\n  c was added\n"}},
		{"a file that is now a link to its content", func(dir string) error {
			elsewhere := filepath.Join(filepath.Dir(dir), "elsewhere")
			return errors.Join(os.Rename(filepath.Join(dir, "a"), elsewhere), os.Symlink(elsewhere, filepath.Join(dir, "a")))
		}, []string{"\n  a was edited\n"}},
		{"several at once", func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "a")), os.WriteFile(filepath.Join(dir, "b"), nil, 0o644))
		}, []string{"\n  b was edited\n  a was removed\n"}},
		{"a file where the folder is to be", func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("mine"), 0o644))
		}, []string{"is not"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			mustWrite(t, dir, Files{"a": []byte("A"), "b": []byte("B")})
			if err := test.change(dir); err != nil {
				t.Fatal(err)
			}
			before := contents(t, dir)
			err := Write(dir, Files{"a": []byte("new")})
			if err == nil {
				t.Fatal("want an error")
			}
			for _, want := range append(test.want, dir) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("want %q in %v", want, err)
				}
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Errorf("the folder changed: %s", diff)
			}
		})
	}
}

func testSignature(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, Files{"a": []byte("A")})
	signature := filepath.Join(dir, Signature)
	if err := os.WriteFile(signature, []byte("signed"), 0o644); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, dir, Files{"a": []byte("A")})
	if text, err := os.ReadFile(signature); err != nil || string(text) != "signed" {
		t.Errorf("after a run with the same files the signature is %q, %v", text, err)
	}
	mustWrite(t, dir, Files{"a": []byte("B")})
	if _, err := os.Stat(signature); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after a run with other files there is still the signature: %v", err)
	}
	if diff := cmp.Diff("B", contents(t, dir)["a"]); diff != "" {
		t.Error(diff)
	}
}

func testPaths(t *testing.T) {
	for _, name := range []string{"../a", "/a", "a/../../b", "", ".", Manifest, Signature, "a\nb", "a//b"} {
		dir := filepath.Join(t.TempDir(), "out")
		if err := Write(dir, Files{name: nil}); err == nil {
			t.Errorf("%q: want an error", name)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%q: the folder was made", name)
		}
	}
}

func testRecovery(t *testing.T) {
	old, fresh := Files{"a": []byte("old")}, Files{"a": []byte("new")}
	for _, steps := range []int{1, 2} {
		dir := filepath.Join(t.TempDir(), "out")
		made := filepath.Join(filepath.Dir(dir), ".out.armature-new")
		mustWrite(t, dir, old)
		sums := Sums{"a": Sum([]byte("new"))}
		manifest, err := manifestOf(sums)
		if err != nil {
			t.Fatal(err)
		}
		renames := [][2]string{{dir, made + oldSuffix}, {made, dir}}
		err = writeAll(made, dir, fresh, sums, manifest)
		for _, r := range renames[:steps] {
			err = errors.Join(err, os.Rename(r[0], r[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := recoverFrom(made, dir); err != nil {
			t.Fatal(err)
		}
		if got, want := contents(t, dir)["a"], []string{"old", "new"}[steps-1]; got != want {
			t.Errorf("after %d steps: %s, want %s", steps, got, want)
		}
		if diff := cmp.Diff([]string{"out"}, siblings(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
	t.Run("and without an exchange in one step, a folder is replaced", func(t *testing.T) {
		parent := t.TempDir()
		made, dir := filepath.Join(parent, "made"), filepath.Join(parent, "out")
		mustWrite(t, made, fresh)
		mustWrite(t, dir, old)
		if err := replace(made, dir); err != nil {
			t.Fatal(err)
		}
		if contents(t, dir)["a"] != "new" || contents(t, made)["a"] != "old" {
			t.Errorf("%v, %v", contents(t, dir), contents(t, made))
		}
	})
}

// version returns a set of files that belong together.
func version(n int) Files {
	files := Files{}
	for i := range 200 {
		files[fmt.Sprintf("%d/%d", i%7, i)] = fmt.Appendf(nil, "%d\n", n)
	}
	return files
}

// child names the folder that the process is to write again and again, until it is
// killed.
const child = "ARMATURE_TEST_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(child); dir != "" {
		for n := 0; ; n++ {
			if err := Write(dir, version(n%2)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

func testKills(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, version(0))
	for i := range 20 {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), child+"="+dir)
		var output strings.Builder
		command.Stderr = &output
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+7*i) * time.Millisecond)
		if err := command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = command.Wait() // it was killed
		if output.Len() > 0 {
			t.Fatal(output.String())
		}
		found, exists, err := read(dir)
		if err == nil {
			err = check(dir, found)
		}
		if err != nil || !exists {
			t.Fatalf("kill %d: exists is %v, %v", i, exists, err)
		}
	}
	mustWrite(t, dir, version(2))
	if diff := cmp.Diff([]string{"out"}, siblings(t, dir)); diff != "" {
		t.Error(diff)
	}
}
