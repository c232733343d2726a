package structure

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// TestPacks runs .ci/specs.sh beside packs of specs.
func TestPacks(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(workspace.Source(t), ".ci/specs.sh"))
	if err != nil {
		t.Fatal(err)
	}
	root, cache := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		t.Helper()
		place := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(place, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	pack := func(name, folder string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, "shared", name), 0o755); err != nil {
			t.Fatal(err)
		}
		tar := exec.Command("tar", "-cJf", filepath.Join(root, "shared", name, name+".tar.xz"), "-C", filepath.Join(root, folder), "types")
		if out, err := tar.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	run := func() string {
		c := exec.Command("bash", ".ci/specs.sh")
		c.Dir, c.Env = filepath.Join(root, "checkout"), append(os.Environ(), "XDG_CACHE_HOME="+cache)
		out, err := c.Output()
		if err != nil {
			t.Error(err)
		}
		return strings.TrimSpace(string(out))
	}
	check := func(t *testing.T, folder, want string) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(folder, "types/*"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.Base(file)+"="+string(text))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has %q, want %q", folder, got, want)
		}
	}
	put("checkout/.ci/specs.sh", string(script))
	t.Run("without packs there is no folder", func(t *testing.T) {
		if got := run(); got != "" {
			t.Errorf("it prints %q", got)
		}
	})
	put("all/types/a", "1")
	put("all/types/b", "1")
	pack("specs-all", "all")
	t.Run("one pack", func(t *testing.T) { check(t, run(), "a=1 b=1") })
	put("newest/types/b", "1")
	put("newest/types/c", "2")
	pack("bicep-newest", "newest")
	t.Run("two that begin at once print one folder, which has both packs", func(t *testing.T) {
		var printed [2]string
		var group sync.WaitGroup
		for i := range printed {
			group.Go(func() { printed[i] = run() })
		}
		group.Wait()
		check(t, printed[0], "a=1 b=1 c=2")
		if printed[0] != printed[1] {
			t.Errorf("they print %q", printed)
		}
	})
	t.Run("what is there is not unpacked again, and nothing else is left", func(t *testing.T) {
		folder := run()
		if err := os.Remove(filepath.Join(folder, "types/c")); err != nil {
			t.Fatal(err)
		}
		check(t, run(), "a=1 b=1")
		folders, err := filepath.Glob(filepath.Join(cache, "armature/*"))
		if err != nil || len(folders) != 2 {
			t.Errorf("the cache has %q, expected the folder of one pack and that of two: %v", folders, err)
		}
	})
	put("newest/types/c", "3")
	pack("bicep-newest", "newest")
	t.Run("another pack has another folder", func(t *testing.T) { check(t, run(), "a=1 b=1 c=3") })
}
