// Package workspace runs Bazel in a copy of this repository, for tests of what
// a build does. Its main type is [Workspace].
package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Workspace is a copy of the repository, with an output base of its own.
type Workspace struct {
	// Source is the repository that the test was built from.
	Source string
	// Dir is the root of the copy.
	Dir, OutputBase string
}

// Open returns the workspace of a name, which the test has to itself until it
// ends. It stays in the user's cache between runs, because a Bazel that starts
// from nothing takes a minute to lay out the Go modules.
func Open(t testing.TB, name string) Workspace {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "armature", "workspace", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	w := Workspace{Source: Source(t), Dir: filepath.Join(dir, "workspace"), OutputBase: filepath.Join(dir, "base")}
	t.Cleanup(func() {
		w.Bazel(t, "shutdown")
		if err := lock.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Source returns the repository that the test was built from.
func Source(t testing.TB) string {
	t.Helper()
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		// The runfiles of a local test are links to the files themselves.
		file, err := filepath.EvalSymlinks(filepath.Join(dir, "go.mod"))
		if err == nil {
			file, err = filepath.Abs(file)
		}
		if err == nil {
			return filepath.Dir(file)
		}
		if abs, _ := filepath.Abs(dir); abs == "/" {
			t.Fatal("found no go.mod above the test: give it //:go.mod as data")
		}
	}
}

// Files returns the files of the repository below some folder, or all of them
// for ".", by their paths in it. Those that git ignores are left out.
func (w Workspace) Files(t testing.TB, folder string) []string {
	t.Helper()
	cmd := exec.Command("git", "-C", w.Source, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", folder)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	return slices.DeleteFunc(files, func(name string) bool {
		_, err := os.Lstat(filepath.Join(w.Source, name))
		return errors.Is(err, os.ErrNotExist) // deleted and not yet committed
	})
}

// Copy makes the copy hold files of the repository, and nothing else. For the path of each file in the repository,
// place returns its path in the copy, or "" to leave the file out.
func (w Workspace) Copy(t testing.TB, place func(name string) string) {
	t.Helper()
	files := map[string]string{}
	for _, name := range w.Files(t, ".") {
		if to := place(name); to != "" {
			files[to] = name
		}
	}
	w.Fill(t, files)
}

// Everything is for [Workspace.Copy]: all files, each at its path in the repository.
func Everything(name string) string { return name }

// Describe adds a section about a version to the changelog of the copy. A release needs one.
func (w Workspace) Describe(t testing.TB, version string) {
	t.Helper()
	file := filepath.Join(w.Dir, "CHANGELOG.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Appendf(text, "\n## %s - 2027-01-31\n\nA test.\n", version), 0o644); err != nil {
		t.Fatal(err)
	}
}

// IsTest reports whether a file of the repository belongs to a test that no
// service group needs.
func IsTest(name string) bool { return strings.HasPrefix(name, "tests/") }

// Fill makes the copy hold just these files: for each path in the copy, a path
// in the repository. Files that are as they should be keep their times.
func (w Workspace) Fill(t testing.TB, files map[string]string) {
	t.Helper()
	for name, from := range files {
		from = filepath.Join(w.Source, from)
		want, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(w.Dir, name)
		if have, err := os.ReadFile(to); err == nil && bytes.Equal(have, want) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, want, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	var folders []string
	err := filepath.WalkDir(w.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			folders = append(folders, path)
			return nil
		}
		name, err := filepath.Rel(w.Dir, path)
		if err != nil {
			return err
		}
		if _, ok := files[name]; !ok {
			return os.Remove(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range slices.Backward(folders) { // those below another one come first
		if entries, err := os.ReadDir(folder); err != nil {
			t.Fatal(err)
		} else if len(entries) > 0 {
			continue
		}
		if err := os.Remove(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// Bazel runs Bazel in the copy.
func (w Workspace) Bazel(t testing.TB, args ...string) {
	t.Helper()
	if out, err := w.Command(args...).CombinedOutput(); err != nil {
		t.Fatalf("bazelw %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// Command returns a command of Bazel in the copy, which may lack bazelw.
func (w Workspace) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(w.Source, "bazelw"), append(Startup(w.OutputBase), args...)...)
	cmd.Dir, cmd.Env = w.Dir, Environment()
	return cmd
}

// HomeAt makes an empty folder the HOME of another person, and returns the environment of that person's commands. Only
// Bazel and the Go modules are those of this user.
func HomeAt(t testing.TB, home string) []string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(home, ".cache", "armature")
	bazel := filepath.Join(cache, "armature", "bazel")
	if err := errors.Join(os.MkdirAll(own, 0o755), os.Symlink(bazel, filepath.Join(own, "bazel"))); err != nil {
		t.Fatal(err)
	}
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	environment := slices.DeleteFunc(Environment(), func(v string) bool { return strings.HasPrefix(v, "XDG_") })
	return append(environment, "HOME="+home, "GOMODCACHE="+strings.TrimSpace(string(modules)))
}

// TempDir returns a folder for a workspace and its output base, which is removed when the test ends. It is not below
// /tmp, because a sandbox hides that.
func TempDir(t testing.TB) string {
	t.Helper()
	parent := os.Getenv("TEST_TMPDIR")
	if parent == "" || strings.HasPrefix(parent, "/tmp/") { // it is there if Bazel's output base is
		parent = "/var/tmp"
	}
	dir, err := os.MkdirTemp(parent, "workspace")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// Bazel takes the write permission from what it makes.
		if out, err := exec.Command("chmod", "-R", "u+w", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// Startup returns the startup options of a Bazel with some output base. They are for
// a server that lives for minutes: the virtual machine does not optimize what it
// runs, which makes the first analysis a quarter faster.
func Startup(outputBase string) []string {
	return []string{
		"--output_base=" + outputBase, "--max_idle_secs=60", "--host_jvm_args=-XX:TieredStopAtLevel=1",
		"--host_jvm_args=-XX:+UseSerialGC",
	}
}

// Environment returns the test's environment without what is meant for the
// outer build alone: its specs and what Bazel tells a test.
func Environment() []string {
	own := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "ARMATURE_SPECS=") || strings.HasPrefix(v, "TEST_") ||
			strings.HasPrefix(v, "RUNFILES_") || strings.HasPrefix(v, "JAVA_RUNFILES=")
	})
	return append(own, "ARMATURE_SPECS=none")
}
