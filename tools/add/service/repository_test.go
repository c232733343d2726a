package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRepository has repositories in which no group can be added, with what the message says to do.
func TestRepository(t *testing.T) {
	const module = "module(name = \"shop\")\nbazel_dep(name = \"armature\", version = \"1.0.0\", repo_name = \"arm\")\n"
	for _, test := range []struct{ behavior, goMod, module, want string }{
		{"without a go.mod", "", module, "give the Go import path of apis with --importpath"},
		{"without the module", "module example.com/shop\n", "module(name = \"shop\")\n", "add bazel_dep(name = \"armature\""},
		{"without specs", "module example.com/shop\n", module, "add specs = use_extension("},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			root, specs := repository(t)
			for name, text := range map[string]string{"go.mod": test.goMod, "MODULE.bazel": test.module} {
				if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop"})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want one with %q", err, test.want)
			}
		})
	}
	t.Run("labels are as MODULE.bazel calls the modules", func(t *testing.T) {
		root := t.TempDir()
		const uses = "s = use_extension(\"@arm//rules:extensions.bzl\", \"specs\")\nuse_repo(s, groups = \"armature_groups\", ours = \"shop_specs\")\n"
		if err := os.WriteFile(filepath.Join(root, "MODULE.bazel"), []byte(module+uses), 0o644); err != nil {
			t.Fatal(err)
		}
		rules, specs, err := Repository{Root: root}.loads()
		if err != nil || rules != "@arm//rules:defs.bzl" || specs != "@ours//:specs.bzl" {
			t.Errorf("loads() = %q, %q, %v", rules, specs, err)
		}
	})
}
