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

	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// swaggerFolder is the checkout below the folder of the specs.
const swaggerFolder = "azure-rest-api-specs"

// TestAdd adds each provider whose Swagger is below ARMATURE_ADD, a folder as ARMATURE_SPECS names one, or a checkout
// of azure-rest-api-specs.
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

	versions := map[string][]string{}
	for _, v := range documentstest.PublishedSwagger(t, filepath.Join(specs, swaggerFolder)) {
		versions[v.Provider] = append(versions[v.Provider], v.APIVersion)
	}
	bazel := func(args ...string) (string, error) {
		cmd := w.Command(args...)
		cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+specs)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	var targets []string
	for _, provider := range slices.Sorted(maps.Keys(versions)) {
		group := "added" + strings.ToLower(strings.ReplaceAll(provider, ".", ""))
		out, err := bazel("run", "//tools/add", "--", provider, "--group="+group, "--versions="+strings.Join(versions[provider], ","))
		switch {
		case err == nil:
			targets = append(targets, "//apis/"+group+"/...")
		case strings.Contains(out, "no type of "+provider+" is described"):
			t.Logf("%s has no resource with a PUT", provider)
		default:
			t.Errorf("add %s: %v\n%s", provider, err, out)
		}
	}
	if len(targets) == 0 {
		t.Fatal("no group was added")
	}
	if out, err := bazel(append([]string{"test", "--keep_going"}, targets...)...); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%d groups", len(targets))
}
