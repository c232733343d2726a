package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tools/specs/digests"
)

// remote returns the folder of a repository that supports partial clones. It has three commits, one a day.
func remote(t *testing.T) string {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	dir := t.TempDir()
	run := func(date string, args ...string) {
		t.Helper()
		runGit(t, dir, date, args...)
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
			if err := os.WriteFile(path, []byte(content(day, file)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		run("", "add", ".")
		run(day+"T12:00:00Z", "commit", "--quiet", "-m", day)
	}
	return dir
}

// content returns the content of a file of the repository.
func content(day, file string) string { return fmt.Sprintf("{\"%s\": \"%s\"}", file, day) }

// digestsOf returns the digests of files as they were on a day.
func digestsOf(t *testing.T, day string, files ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, file := range files {
		sum, err := digests.Of([]byte(content(day, file)))
		if err != nil {
			t.Fatal(err)
		}
		all[file] = sum
	}
	return all
}

// runGit runs git in a folder.
func runGit(t *testing.T, dir, date string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func pinOf(t *testing.T, remote string) Pin {
	return Pin{
		Folder: "specs", Remote: "file://" + remote, Branch: "main", Before: "2021-07-13T00:00:00Z",
		Digests: digestsOf(t, "2021-07-12", "wanted/a.json", "wanted/deep/b.json"),
	}
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
	t.Run("the pinned files as of the moment", testCheckoutFiles)
	t.Run("the pinned files of a commit", testCheckoutCommit)
	t.Run("a second run needs no remote", testCheckoutAgain)
	t.Run("an interrupted run is resumed", testCheckoutResumed)
	t.Run("a changed pin takes effect", testCheckoutChangedPin)
	t.Run("errors", testCheckoutErrors)
	t.Run("no checkout counts as complete before all do", testCheckoutIncomplete)
	t.Run("other content is refused", testCheckoutOtherContent)
}

// The commit is not the last one on the branch.
func testCheckoutCommit(t *testing.T) {
	root, from := t.TempDir(), remote(t)
	pin := pinOf(t, from)
	commit, err := git(context.Background(), from, "rev-parse", "HEAD~1")
	if err != nil {
		t.Fatal(err)
	}
	pin.Branch, pin.Before, pin.Commit = "", "", commit
	mustCheckout(t, root, pin)
	wantFile(t, filepath.Join(root, "specs/wanted/a.json"), content("2021-07-12", "wanted/a.json"))
}

func testCheckoutFiles(t *testing.T) {
	root := t.TempDir()
	mustCheckout(t, root, pinOf(t, remote(t)))
	wantFile(t, filepath.Join(root, "specs/wanted/a.json"), content("2021-07-12", "wanted/a.json"))
	wantFile(t, filepath.Join(root, "specs/wanted/deep/b.json"), content("2021-07-12", "wanted/deep/b.json"))
	if _, err := os.Stat(filepath.Join(root, "specs/unwanted")); !os.IsNotExist(err) {
		t.Errorf("a folder that the pin does not list was checked out (%v)", err)
	}
	missing, err := git(context.Background(), filepath.Join(root, "specs"), "rev-list", "--objects", "--missing=print", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(missing, "\n?"); n != 1 {
		t.Errorf("%d files were not fetched, want 1, the one that the pin does not list:\n%s", n, missing)
	}
}

func testCheckoutAgain(t *testing.T) {
	root, dir := t.TempDir(), remote(t)
	mustCheckout(t, root, pinOf(t, dir))
	if err := os.Rename(dir, dir+".gone"); err != nil {
		t.Fatal(err)
	}
	if log := mustCheckout(t, root, pinOf(t, dir)); !strings.Contains(log, "already at") {
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
			root, pin := t.TempDir(), pinOf(t, remote(t))
			mustCheckout(t, root, pin)
			if err := os.Remove(filepath.Join(root, "specs.done")); err != nil {
				t.Fatal(err)
			}
			if err := interrupt(filepath.Join(root, "specs")); err != nil {
				t.Fatal(err)
			}
			mustCheckout(t, root, pin)
			wantFile(t, filepath.Join(root, "specs/wanted/a.json"), content("2021-07-12", "wanted/a.json"))
		})
	}
}

func testCheckoutChangedPin(t *testing.T) {
	root, pin := t.TempDir(), pinOf(t, remote(t))
	mustCheckout(t, root, pin)
	pin.Before = "2021-07-14T00:00:00Z"
	pin.Digests = digestsOf(t, "2021-07-13", "unwanted/c.json")
	mustCheckout(t, root, pin)
	wantFile(t, filepath.Join(root, "specs/unwanted/c.json"), content("2021-07-13", "unwanted/c.json"))
	if _, err := os.Stat(filepath.Join(root, "specs/wanted")); !os.IsNotExist(err) {
		t.Errorf("a folder that the new pin does not list is still there (%v)", err)
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
			pin := pinOf(t, dir)
			c.change(&pin)
			err := Checkout(context.Background(), t.TempDir(), []Pin{pin}, new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func testCheckoutIncomplete(t *testing.T) {
	root, first := t.TempDir(), pinOf(t, remote(t))
	second := first
	second.Folder = "other"
	mustCheckout(t, root, second)
	first.Branch, second.Digests = "missing", digestsOf(t, "2021-07-12", "unwanted/c.json")
	if err := Checkout(t.Context(), root, []Pin{first, second}, new(bytes.Buffer)); err == nil {
		t.Fatal("no error")
	}
	for _, pin := range []Pin{first, second} {
		wantFile(t, stampOf(root, pin), "")
	}
}

// testCheckoutOtherContent pushes a commit that claims to be old, as anybody who may push can do.
func testCheckoutOtherContent(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string) error
		want   string
	}{
		"a changed file": {
			func(dir string) error {
				return os.WriteFile(filepath.Join(dir, "wanted/a.json"), []byte(`{"wanted/a.json": "2021-07-12", "more": 1}`), 0o644)
			},
			"wanted/a.json has the digest",
		},
		"a file that is gone": {
			func(dir string) error { return os.Remove(filepath.Join(dir, "wanted/a.json")) },
			"wanted/a.json is not there",
		},
		"a link in place of a file": {
			func(dir string) error {
				file := filepath.Join(dir, "wanted/a.json")
				return errors.Join(os.Remove(file), os.Symlink("deep/b.json", file))
			},
			"wanted/a.json is a symbolic link; expected a regular file",
		},
		"no JSON": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, "wanted/a.json"), []byte("{"), 0o644) },
			"wanted/a.json: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, root := remote(t), t.TempDir()
			pin := pinOf(t, dir)
			runGit(t, dir, "", "checkout", "--quiet", "-B", "main", "HEAD~1")
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			runGit(t, dir, "", "add", "--all")
			runGit(t, dir, "2021-07-12T23:00:00Z", "commit", "--quiet", "-m", "old, it says")
			for range 2 { // a second run does not take it for complete
				err := Checkout(context.Background(), root, []Pin{pin}, new(bytes.Buffer))
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
		})
	}
}

func TestDigest(t *testing.T) {
	sum := func(text string) string {
		t.Helper()
		sum, err := digests.Of([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	const text = `{"a": [1, 2], "b": "é"}`
	for reason, other := range map[string]string{
		"white space": "{\r\n\"a\":[1,2],\"b\":\"é\"}\r\n", "a byte order mark": "\ufeff" + text,
		"the order of members": `{"b": "\u00e9", "a": [1, 2]}`,
	} {
		if sum(other) != sum(text) {
			t.Errorf("%s changes the digest", reason)
		}
	}
	for reason, other := range map[string]string{"a value": `{"a": [1, 3], "b": "é"}`, "the order of a list": `{"a": [2, 1], "b": "é"}`} {
		if sum(other) == sum(text) {
			t.Errorf("%s does not change the digest", reason)
		}
	}
	if _, err := digests.Of([]byte(`{"a": 1, "a": 2}`)); err == nil {
		t.Error("a second member of one name is accepted, of which readers may take either")
	}
}

func TestPins(t *testing.T) {
	pins, err := readPins("")
	if err != nil {
		t.Fatal(err)
	}
	for _, pin := range pins {
		if len(pin.Digests) == 0 {
			t.Errorf("%s pins no file", pin.Folder)
		}
	}
	for _, line := range []string{"abc  a.json\n", strings.Repeat("0", 64) + "  ../a.json\n", strings.Repeat("0", 64) + "  a/*.json\n"} {
		if _, err := digests.Parse(line); err == nil {
			t.Errorf("the line %q is accepted", line)
		}
	}
}

// execute runs the command, and returns what it prints.
func execute(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := command(&out, &out)
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestFlags(t *testing.T) {
	t.Run("help is no error, and names flags as they are written", func(t *testing.T) {
		if out, err := execute(t, "--help"); err != nil || !strings.Contains(out, "--provider PROVIDER") {
			t.Errorf("%v, and it prints\n%s", err, out)
		}
	})
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a folder without its flag": {[]string{"here"}, "--dir"},
		"an unknown checkout": {[]string{"--remote", "azure=x"},
			`no checkout "azure", only azure-rest-api-specs, bicep-types-az, arm-json-schema`},
		"a remote without a name": {[]string{"--remote", "x"}, "must be formatted as key=value"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := execute(t, c.args...)
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
