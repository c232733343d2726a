package service

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/specs"
)

// TestProviders adds all providers of the published specs to a repository that has no
// group. None may stop, and the golden file has what a person would have to decide.
func TestProviders(t *testing.T) {
	specs := Specs(specs.Folder())
	if specs == "" {
		t.Skip("ARMATURE_SPECS is not set: no published specs to add")
	}
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "apis"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"apis/groups.bzl": "PUBLISHED = []\n", "MODULE.bazel": "module(name = \"armature\")\n" +
			"specs = use_extension(\"//rules:extensions.bzl\", \"specs\")\nspecs.checkout(services = [])\nuse_repo(specs, arm_groups = \"armature_groups\", arm_specs = \"armature_specs\")\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var report strings.Builder
	r := Request{Repository: Repository{Root: root, ImportPath: "example.com/apis", Domain: "example.com"}, Specs: specs}
	if err := AddAll(r, nil, true, &report, io.Discard); err != nil {
		t.Error(err)
	}
	golden.Equal(t, "testdata/providers.md", report.String())
}
