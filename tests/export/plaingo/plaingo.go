// Package plaingo runs the go command as somebody does who has neither Bazel nor this
// repository, on modules that were exported. Its main function is [Command].
package plaingo

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Contents returns the text of each file of a folder, by its path there.
func Contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		files[strings.TrimPrefix(file, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Command returns a function that runs the go command in a folder and returns its output. It has the runtime from
// the tree of a Go proxy, everything else from the user's module cache or else from the user's proxy, and no program
// beside it on its path.
func Command(t testing.TB, proxy string) func(dir, flags string, args ...string) string {
	t.Helper()
	// The go command of the release that compiles everything here, which shares what it builds with other tests.
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE", "GOCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	program, downloads, buildCache, others := filepath.Join(values[0], "bin", "go"), values[1], values[2], values[3]
	path := t.TempDir()
	if err := os.Symlink(program, filepath.Join(path, "go")); err != nil {
		t.Fatal(err)
	}
	// The module cache has what Bazel and other tests have downloaded so far, which may not be all.
	proxies := strings.Join([]string{"file://" + proxy, "file://" + filepath.Join(downloads, "cache/download"), others}, ",")
	env := []string{
		"PATH=" + path, "HOME=" + t.TempDir(), "GOCACHE=" + buildCache, "GOMODCACHE=" + moduleCache(t), "GOTOOLCHAIN=local",
		"GOPROXY=" + proxies, "GOSUMDB=off", "CGO_ENABLED=0",
		// Else the go command remembers which packages a version of the runtime had.
		"GODEBUG=goindex=0",
		// The laws are tried on few objects: that they can be tried is the question.
		"ARMATURE_RUNS=3",
	}
	return func(dir, flags string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(env, "GOFLAGS=-trimpath "+flags)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, &stdout, &stderr)
		}
		return stdout.String()
	}
}

// moduleCache returns a module cache for the test alone, because two runs have different modules of one version: the
// runtime. What else is in it stays for the next run.
func moduleCache(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "armature", "export")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Close() })
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{"github.com/armature-dev", "cache/download/github.com/armature-dev"} {
		folder := filepath.Join(dir, old)
		_ = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				return os.Chmod(file, 0o755) // the go command makes it read-only
			}
			return nil
		})
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
