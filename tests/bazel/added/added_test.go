// Package added_test adds whole providers to a copy of the repository, with all types and versions and no entry by
// hand, and builds and tests what comes of it: CRDs, packages, and the laws of conversions.
package added_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/armature-dev/armature/tools/add/service"
)

// swaggerFolder is the checkout below the folder of the specs.
const swaggerFolder = "azure-rest-api-specs"

// TestAdd adds each provider below ARMATURE_ADD, a folder as ARMATURE_SPECS names one, or a checkout of
// azure-rest-api-specs. There are all versions of what only Swagger describes, else those that add takes. A subtest
// is a provider: -run TestAdd/microsoft.cache adds and tests that one.
func TestAdd(t *testing.T) {
	specs := os.Getenv("ARMATURE_ADD")
	if specs == "" {
		t.Skip("ARMATURE_ADD is not set: no specs to add")
	}
	w := workspace.Open(t, "added")
	if _, err := os.Stat(filepath.Join(specs, "specification")); err == nil {
		folder := filepath.Join(filepath.Dir(w.Dir), "specs") // not below /tmp, which the sandbox hides
		link := filepath.Join(folder, swaggerFolder)
		if err := errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o755), os.Symlink(specs, link)); err != nil {
			t.Fatal(err)
		}
		specs = folder
	}
	files := map[string]string{}
	for _, name := range w.Files(t, ".") {
		files[name] = name
	}
	w.Fill(t, files)

	providers, err := service.Specs(specs).Providers()
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(specs, "bicep-types-az"))
	newest := err == nil // all versions of providers that have dozens are too many for a night
	bazel := func(args ...string) (string, error) {
		cmd := w.Command(args...)
		cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+specs)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	var targets []string
	for _, provider := range providers {
		t.Run(provider, func(t *testing.T) {
			group := "added" + strings.ToLower(strings.ReplaceAll(provider, ".", ""))
			args := []string{"run", "//tools/add", "--", provider, "--group=" + group}
			if !newest {
				_, versions, err := service.Specs(specs).Provider(provider)
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, "--versions="+strings.Join(slices.Sorted(maps.Keys(versions)), ","))
			}
			out, err := bazel(args...)
			switch {
			case err == nil:
				targets = append(targets, "//apis/"+group+"/...")
			case strings.Contains(strings.ToLower(out), "no type of "+strings.ToLower(provider)+" is described"):
				t.Skipf("%s has no resource with a PUT", provider)
			default:
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	if len(targets) == 0 {
		t.Fatal("no group was added")
	}
	if out, err := bazel(append([]string{"test", "--keep_going"}, targets...)...); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%d groups", len(targets))
}
