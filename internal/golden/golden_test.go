package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a test that records its errors.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// inFolder makes a module with golden files, and runs the test in a folder of it.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	root := t.TempDir()
	files["../../go.mod"] = "module example.com\n"
	for name, text := range files {
		file := filepath.Join(root, "some/test", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(root, "some/test")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	t.Setenv("TEST_TARGET", "")
	t.Setenv(variable, "")
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		name, got string
		errors    []string // what the error has, none if there is to be none
	}{
		{"want.txt", "a\n", nil},
		{"want.txt", "b\n", []string{"want.txt differs", "ARMATURE_UPDATE=1 go test ./some/test"}},
		{"missing.txt", "c\n", []string{"missing.txt", "c\n", "ARMATURE_UPDATE=1 go test ./some/test"}},
	} {
		t.Run(test.name+" with "+strings.TrimSpace(test.got), func(t *testing.T) {
			inFolder(t, map[string]string{"want.txt": "a\n"})
			r := &recorder{TB: t}
			Equal(r, test.name, test.got)
			if all := strings.Join(r.errors, "\n"); len(test.errors) == 0 && all != "" {
				t.Error(all)
			} else {
				for _, part := range test.errors {
					if !strings.Contains(all, part) {
						t.Errorf("the error lacks %q: %s", part, all)
					}
				}
			}
			t.Setenv(variable, "1")
			Equal(t, test.name, test.got)
			t.Setenv(variable, "")
			Equal(t, test.name, test.got)
		})
	}
}

func TestEqualFolder(t *testing.T) {
	inFolder(t, map[string]string{"want/a/same": "1", "want/other": "2", "want/gone": "3"})
	got := map[string]string{"a/same": "1", "other": "4", "a/added": "5"}
	r := &recorder{TB: t}
	EqualFolder(r, "want", got)
	if len(r.errors) != 3 || !strings.Contains(r.errors[0], "want/a/added") ||
		!strings.Contains(r.errors[1], "want/other differs") || !strings.Contains(r.errors[2], "want/gone should not be there") {
		t.Errorf("the errors are %q", r.errors)
	}
	t.Setenv(variable, "1")
	EqualFolder(t, "want", got)
	t.Setenv(variable, "")
	EqualFolder(t, "want", got)
	EqualFolder(t, "nowhere", nil)
}

func TestSource(t *testing.T) {
	inFolder(t, map[string]string{})
	for _, test := range []struct {
		name, target, workspace, want, command string
	}{
		{"go test", "", "", "testdata/a", "ARMATURE_UPDATE=1 go test ./some/test"},
		{"bazel run", "//apis/crm:hooks_test", "/tree", "/tree/apis/crm/testdata/a",
			"ARMATURE_UPDATE=1 ./bazelw run //apis/crm:hooks_test"},
		{"bazel run with the repository's name", "@@//apis/crm:hooks_test", "/tree", "/tree/apis/crm/testdata/a",
			"ARMATURE_UPDATE=1 ./bazelw run @@//apis/crm:hooks_test"},
		{"bazel test", "//apis/crm:hooks_test", "", "", "ARMATURE_UPDATE=1 ./bazelw run //apis/crm:hooks_test"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TEST_TARGET", test.target)
			t.Setenv("BUILD_WORKSPACE_DIRECTORY", test.workspace)
			got, err := Source("testdata/a")
			if got != test.want || (err == nil) != (test.want != "") {
				t.Errorf("the file is %q, %v; want %q", got, err, test.want)
			}
			if got := Command(); got != test.command {
				t.Errorf("the command is %q, want %q", got, test.command)
			}
		})
	}
}

func TestFill(t *testing.T) {
	const page = "before\n<!-- table: one -->\n\nold\n\n<!-- end -->\nafter\n<!-- examples: two -->\n<!-- end -->\n"
	const filled = "before\n<!-- table: one -->\n\n1\n\n<!-- end -->\nafter\n<!-- examples: two -->\n\n2\n\n<!-- end -->\n"
	for _, test := range []struct {
		reason, page string
		errors       []string
	}{
		{"a page that is as it should be", filled, nil},
		{"a page whose parts differ", page, []string{"page.md differs"}},
		{"a page with a part that nobody makes", strings.Replace(filled, "two", "three", 1), []string{`a part "three"`, "page.md differs"}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			inFolder(t, map[string]string{"page.md": test.page})
			r := &recorder{TB: t}
			parts := map[string]string{"one": "1\n", "two": "2\n", "else": "3\n"}
			Fill(r, "page.md", parts)
			if len(r.errors) != len(test.errors) {
				t.Fatalf("got the errors %q, want %q", r.errors, test.errors)
			}
			for i, want := range test.errors {
				if !strings.Contains(r.errors[i], want) {
					t.Errorf("got the error %q, want %q", r.errors[i], want)
				}
			}
			if parts["one"] != "" || parts["else"] == "" {
				t.Errorf("%v are left, want those that the page does not have", parts)
			}
		})
	}
}
