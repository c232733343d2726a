package specs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/armature-dev/armature/internal/specs"
)

func TestFolder(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("HOME", cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	own, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		behavior, named string
		exists          bool
		want            string
	}{
		{"nothing is named, and there is no checkout", "", false, ""},
		{"a checkout is named", "/specs", false, "/specs"},
		{"nothing is named, and there is a checkout", "", true, filepath.Join(own, "armature", "specs")},
		{"none is named", "none", true, ""},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			t.Setenv("ARMATURE_SPECS", test.named)
			if test.exists {
				if err := os.MkdirAll(filepath.Join(own, "armature", "specs"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if got := specs.Folder(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
