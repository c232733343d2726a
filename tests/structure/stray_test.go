package structure

import (
	"strings"
	"testing"
)

func TestStrayFolders(t *testing.T) {
	for _, row := range []struct {
		what, build, file, want string
	}{
		{"a file of the package", ``, "package/a.go", ""},
		{"a folder that a target names", `glob(["named/*.yaml"])`, "package/named/deep/a.yaml", ""},
		{"a folder whose name begins as that of another", `glob(["named/*.yaml"])`, "package/name/a.yaml", "package/name"},
		{"a folder that no target names", `glob(["*.yaml"])`, "package/folder/a.yaml", "package/folder"},
		{"a kind of files in all folders", `glob(["**/*.yaml"])`, "package/folder/a.yaml", ""},
		{"another kind of files", `glob(["**/*.yaml"])`, "package/folder/a.json", "package/folder"},
		{"testdata", ``, "package/testdata/a/b.json", ""},
		{"a hidden folder", ``, "package/.hidden/a", ""},
	} {
		t.Run(row.what, func(t *testing.T) {
			got := strayFolders(map[string]string{"package/BUILD.bazel": row.build, row.file: ""})
			if strings.Join(got, " ") != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
	t.Run("another module of Go has what it likes", func(t *testing.T) {
		if got := strayFolders(map[string]string{"BUILD.bazel": "", "module/go.mod": "", "module/fake/main.go": ""}); len(got) > 0 {
			t.Errorf("got %q", got)
		}
	})
}
