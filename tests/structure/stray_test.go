package structure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStrayFolders(t *testing.T) {
	got := strayFolders(map[string]string{
		"BUILD.bazel": "", ".ci/run": "", "README.md": "",
		"a/BUILD.bazel": `glob(["templates/*.yaml"])`, "a/a.go": "", "a/templates/x/y.yaml": "", "a/testdata/z/z.json": "",
		"a/owners/group/kind.yaml": "", "a/sample/kind.yaml": "",
		"all/BUILD.bazel": `glob(["**/*.yaml"])`, "all/x/y.yaml": "", "all/x/y.json": "",
		"module/go.mod": "", "module/main.go": "", "module/fake/main.go": "",
	})
	if diff := cmp.Diff([]string{"a/owners", "a/sample", "all/x"}, got); diff != "" {
		t.Error(diff)
	}
}
