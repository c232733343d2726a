package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/specs"
)

// TestProviders adds each provider of the published specs to a repository that has no
// group, with all of its types. None may stop, and the golden file has what a person would
// have to decide. A provider of which nothing can be created has no kind.
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
	providers, err := specs.Providers()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, provider := range providers {
		change, err := Plan(Request{
			Repository: Repository{Root: root, ImportPath: "example.com/apis", Domain: "example.com"}, Specs: specs,
			Provider: provider, Group: "scratch",
		})
		if err != nil {
			t.Errorf("%s: %v", provider, err)
			continue
		}
		open := change.Undecided
		fmt.Fprintf(&text, "%s: %d kinds at %s; %d decided by evidence; for a person %d properties, %d outputs, %d untyped, "+
			"%d kinds; %d properties that disappear\n", provider, len(change.Kinds), strings.Join(change.Versions, " "),
			len(change.proposals)-open.Properties, open.Properties, open.Outputs, open.Untyped, open.Kinds, change.removals)
	}
	golden.Equal(t, "testdata/providers.txt", text.String())
}
