package groups_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/armature-dev/armature/tools/groups"
)

func TestCheck(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "apis"), 0o755); err != nil {
		t.Fatal(err)
	}
	const list = "IN_TREE = [\"//apis/cache\"]\nPUBLISHED = [\n    \"//apis/web\",\n    \"//apis/storage\",\n]\n"
	if err := os.WriteFile(filepath.Join(root, "apis", "groups.bzl"), []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		behavior string
		names    []string
		want     string
	}{
		{"groups of all lists", []string{"storage", "cache"}, ""},
		{"names that are none", []string{"storge", "web", "Microsoft.Quantum"}, `found "storge"; did you mean "storage"?, ` +
			`"Microsoft.Quantum"; expected groups of apis/groups.bzl: cache, storage, web`},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			got := ""
			if err := groups.Check(root, test.names); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
