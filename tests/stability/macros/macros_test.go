package macros

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
)

// TestMacros compares the attributes of what BUILD and MODULE files may load with
// testdata/attributes.txt. docs/stability.md says which changes need a new major version.
func TestMacros(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var lines []string
	for _, file := range []string{"rules/defs.bzl", "rules/extensions.bzl"} {
		found, err := List(root, file)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, found...)
	}
	const file = "testdata/attributes.txt"
	if was, err := os.ReadFile(file); err == nil {
		for _, line := range Breaks(strings.Split(strings.TrimSpace(string(was)), "\n"), lines) {
			t.Logf("a file that loads today may not load any longer: %s", line)
		}
	}
	golden.Equal(t, file, strings.Join(lines, "\n")+"\n")
}

func TestBreaks(t *testing.T) {
	was := []string{"macro a: groups = []", "macro a: name", "rule r: n = attr.int default=3"}
	for _, test := range []struct {
		reason string
		is     []string
		want   string
	}{
		{"nothing", was, ""},
		{"an optional attribute more", append([]string{"macro a: kinds = []"}, was...), ""},
		{"a required parameter more", append([]string{"macro a: kinds"}, was...), "macro a: kinds is required now"},
		{"a mandatory attribute more", append([]string{"rule r: src = attr.label mandatory=True"}, was...),
			"rule r: src is required now"},
		{"an attribute of a new rule", append([]string{"rule new: src = attr.label mandatory=True"}, was...), ""},
		{"an attribute less", was[1:], "macro a: groups is gone"},
		{"another default", []string{"macro a: groups = None", was[1], was[2]}, "macro a: groups was = [] and is = None"},
	} {
		if got := strings.Join(Breaks(was, test.is), "; "); got != test.want {
			t.Errorf("%s: found %q, want %q", test.reason, got, test.want)
		}
	}
}

func TestList(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"defs.bzl": `load("//private:all.bzl", _a = "a", _r = "r", _e = "e", _P = "P")
a = _a
r = _r
e = _e
P = _P
`,
		"private/all.bzl": `def a(name, groups = [], **kwargs):
    pass
r = rule(attrs = {"src": attr.label(mandatory = True, doc = "d"), "n": attr.int(default = 3), "_tool": attr.label()})
e = module_extension(tag_classes = {"checkout": tag_class(attrs = {"services": attr.string_list(mandatory = True)})})
P = provider(fields = {"ir": "The IR."})
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := List(root, "defs.bzl")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"macro a: **kwargs", "macro a: groups = []", "macro a: name",
		"module_extension e.checkout: services = attr.string_list mandatory=True",
		"provider P: ir", "rule r: n = attr.int default=3", "rule r: src = attr.label mandatory=True"}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
