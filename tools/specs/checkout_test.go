package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// remote returns the folder of a repository that supports partial clones. It has three commits, one a day.
func remote(t *testing.T) string {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	dir := t.TempDir()
	run := func(date string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	run("", "init", "--quiet", "--initial-branch=main")
	run("", "config", "uploadpack.allowFilter", "true")
	run("", "config", "uploadpack.allowAnySHA1InWant", "true")
	for _, day := range []string{"2021-07-11", "2021-07-12", "2021-07-13"} {
		for _, file := range []string{"wanted/a.json", "wanted/deep/b.json", "unwanted/c.json"} {
			path := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(day+" "+file), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		run("", "add", ".")
		run(day+"T12:00:00Z", "commit", "--quiet", "-m", day)
	}
	return dir
}

func pinOf(remote string) Pin {
	return Pin{Folder: "specs", Remote: "file://" + remote, Branch: "main", Before: "2021-07-13T00:00:00Z", Patterns: []string{"/wanted/"}}
}

func mustCheckout(t *testing.T, root string, pin Pin) string {
	t.Helper()
	var log bytes.Buffer
	if err := Checkout(context.Background(), root, []Pin{pin}, &log); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	return log.String()
}

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s: %q (%v), want %q", path, got, err, want)
	}
}

func TestCheckout(t *testing.T) {
	t.Run("the files of the patterns as of the moment", testCheckoutFiles)
	t.Run("a second run needs no remote", testCheckoutAgain)
	t.Run("an interrupted run is resumed", testCheckoutResumed)
	t.Run("a changed pin takes effect", testCheckoutChangedPin)
	t.Run("errors", testCheckoutErrors)
}

func testCheckoutFiles(t *testing.T) {
	root := t.TempDir()
	mustCheckout(t, root, pinOf(remote(t)))
	wantFile(t, filepath.Join(root, "specs/wanted/a.json"), "2021-07-12 wanted/a.json")
	wantFile(t, filepath.Join(root, "specs/wanted/deep/b.json"), "2021-07-12 wanted/deep/b.json")
	if _, err := os.Stat(filepath.Join(root, "specs/unwanted")); !os.IsNotExist(err) {
		t.Errorf("a folder outside the patterns was checked out (%v)", err)
	}
	missing, err := git(context.Background(), filepath.Join(root, "specs"), "rev-list", "--objects", "--missing=print", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(missing, "\n?"); n != 1 {
		t.Errorf("%d files were not fetched, want 1, the one outside the patterns:\n%s", n, missing)
	}
}

func testCheckoutAgain(t *testing.T) {
	root, dir := t.TempDir(), remote(t)
	mustCheckout(t, root, pinOf(dir))
	if err := os.Rename(dir, dir+".gone"); err != nil {
		t.Fatal(err)
	}
	if log := mustCheckout(t, root, pinOf(dir)); !strings.Contains(log, "already at") {
		t.Errorf("found this log, want \"already at\":\n%s", log)
	}
}

func testCheckoutResumed(t *testing.T) {
	for name, interrupt := range map[string]func(dir string) error{
		"before the files were there": func(dir string) error { return os.RemoveAll(filepath.Join(dir, "wanted")) },
		"in the middle of git":        func(dir string) error { return os.WriteFile(filepath.Join(dir, ".git/index.lock"), nil, 0o644) },
		"before the fetch":            func(dir string) error { return os.RemoveAll(filepath.Join(dir, ".git/objects/pack")) },
	} {
		t.Run(name, func(t *testing.T) {
			root, pin := t.TempDir(), pinOf(remote(t))
			mustCheckout(t, root, pin)
			if err := os.Remove(filepath.Join(root, "specs.done")); err != nil {
				t.Fatal(err)
			}
			if err := interrupt(filepath.Join(root, "specs")); err != nil {
				t.Fatal(err)
			}
			mustCheckout(t, root, pin)
			wantFile(t, filepath.Join(root, "specs/wanted/a.json"), "2021-07-12 wanted/a.json")
		})
	}
}

func testCheckoutChangedPin(t *testing.T) {
	root, pin := t.TempDir(), pinOf(remote(t))
	mustCheckout(t, root, pin)
	pin.Before = "2021-07-14T00:00:00Z"
	pin.Patterns = []string{"/unwanted/"}
	mustCheckout(t, root, pin)
	wantFile(t, filepath.Join(root, "specs/unwanted/c.json"), "2021-07-13 unwanted/c.json")
	if _, err := os.Stat(filepath.Join(root, "specs/wanted")); !os.IsNotExist(err) {
		t.Errorf("a folder that the new patterns exclude is still there (%v)", err)
	}
}

func testCheckoutErrors(t *testing.T) {
	dir := remote(t)
	for name, c := range map[string]struct {
		change func(*Pin)
		want   string
	}{
		"nothing at the remote": {func(p *Pin) { p.Remote += ".not" }, "specs: git clone:"},
		"no such branch":        {func(p *Pin) { p.Branch = "other" }, "Remote branch other not found"},
		"no commit that old":    {func(p *Pin) { p.Before = "2021-07-01T00:00:00Z" }, "has no commit on main before 2021-07-01"},
	} {
		t.Run(name, func(t *testing.T) {
			pin := pinOf(dir)
			c.change(&pin)
			err := Checkout(context.Background(), t.TempDir(), []Pin{pin}, new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a folder without its flag": {[]string{"here"}, "--dir"},
		"an unknown checkout":       {[]string{"--remote", "azure=x"}, `no checkout "azure", only azure-rest-api-specs, arm-json-schema`},
		"a remote without a name":   {[]string{"--remote", "x"}, "expected NAME=URL"},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(context.Background(), c.args, new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A relative folder is relative to the folder in which the user ran Bazel.
func TestDestination(t *testing.T) {
	t.Setenv("BUILD_WORKING_DIRECTORY", "/where/the/user/is")
	if got, err := destination("specs"); err != nil || got != "/where/the/user/is/specs" {
		t.Errorf("got %q, %v", got, err)
	}
}
