// Package structure checks that ARCHITECTURE.md lists the packages outside of apis and tests, and that they import each
// other as its tables say.
package structure

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/tests/bazel/workspace"
)

const module = "github.com/armature-dev/armature/"

// roots are the folders whose packages the tables list.
var roots = []string{"cli", "generator", "internal", "runtime", "tools"}

// row is a row of a table: packages, and what each of them may import directly.
type row struct{ packages, imports []string }

func TestStructure(t *testing.T) {
	source := workspace.Source(t)
	text, err := os.ReadFile(filepath.Join(source, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range compare(rowsOf(string(text)), importsOf(t, source)) {
		t.Error(fault)
	}
}

func TestCompare(t *testing.T) {
	rows := rowsOf("| `generator/` | what | imports |\n|---|---|---|\n" +
		"| `cmd/*` | | `emit` |\n| `emit`, `crd` | | `plan` |\n| `plan` | | `runtime/names` |\n" +
		"| `runtime/` | what | imports |\n| `names` | | |\n| other | | `tables` |\n")
	for _, test := range []struct {
		name   string
		change func(imports map[string][]string)
		want   []string
	}{
		{"imports as in the tables", func(map[string][]string) {}, nil},
		{
			"a package may import what its imports may import",
			func(imports map[string][]string) {
				imports["generator/cmd/one"] = []string{"generator/emit", "generator/plan", "runtime/names"}
			},
			nil,
		},
		{
			"a package that is not listed",
			func(imports map[string][]string) { imports["generator/new"] = nil },
			[]string{"ARCHITECTURE.md lacks generator/new: add it to a row of the tables"},
		},
		{
			"a row without its package",
			func(imports map[string][]string) { delete(imports, "generator/crd") },
			[]string{"ARCHITECTURE.md lists generator/crd, which has no Go files"},
		},
		{
			"an import that the tables do not allow",
			func(imports map[string][]string) {
				imports["generator/plan"] = []string{"generator/emit", "runtime/names"}
			},
			[]string{"generator/plan imports generator/emit, which its row of ARCHITECTURE.md does not allow"},
		},
		{
			"an import between packages of one row",
			func(imports map[string][]string) { imports["generator/crd"] = []string{"generator/emit"} },
			[]string{"generator/crd imports generator/emit, which its row of ARCHITECTURE.md does not allow"},
		},
		{
			"a row that allows more than its packages import",
			func(imports map[string][]string) { imports["generator/plan"] = nil },
			[]string{"ARCHITECTURE.md allows generator/plan to import runtime/names, which it does not: remove it from the row"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			imports := map[string][]string{
				"generator/cmd/one": {"generator/emit"},
				"generator/cmd/two": {"generator/emit"},
				"generator/emit":    {"generator/plan"},
				"generator/crd":     nil,
				"generator/plan":    {"runtime/names"},
				"runtime/names":     nil,
			}
			test.change(imports)
			if diff := cmp.Diff(test.want, compare(rows, imports)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRuntimeModule checks that the Go module of the runtime has all packages that a user may import.
func TestRuntimeModule(t *testing.T) {
	source := workspace.Source(t)
	text, err := os.ReadFile(filepath.Join(source, "runtime", "packages.bzl"))
	if err != nil {
		t.Fatal(err)
	}
	imports, has := importsOf(t, source), map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		if !has[name] {
			has[name] = true
			for _, imported := range imports[name] {
				visit(imported)
			}
		}
	}
	for _, label := range regexp.MustCompile(`"//(runtime/[^":]+)"`).FindAllStringSubmatch(string(text), -1) {
		visit(label[1])
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if strings.HasPrefix(name, "runtime/") && !has[name] &&
			!strings.Contains(name, "/internal/") && !strings.Contains(name, "/examples/") {
			t.Errorf("//runtime:module lacks %s: add it to runtime/packages.bzl", name)
		}
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// rowsOf returns the rows of the tables whose first heading is one of the roots. A row's first cell has its packages,
// and its last cell what these may import. Names are below the root of the table, or begin with another root.
func rowsOf(text string) []row {
	var rows []row
	root := ""
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		names := func(cell string) (names []string) {
			for _, found := range quoted.FindAllStringSubmatch(cell, -1) {
				name := path.Clean(found[1])
				if first, _, _ := strings.Cut(name, "/"); !slices.Contains(roots, first) {
					name = path.Join(root, name)
				}
				names = append(names, name)
			}
			return names
		}
		packages := names(cells[0])
		switch {
		case !strings.HasPrefix(line, "|"):
			root = ""
		case len(packages) == 1 && slices.Contains(roots, packages[0]):
			root = packages[0]
		case root != "" && len(packages) > 0:
			rows = append(rows, row{packages, names(cells[len(cells)-1])})
		}
	}
	return rows
}

// importsOf returns the packages below the roots with what they import of each other, but for their tests.
func importsOf(t *testing.T, source string) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, root := range roots {
		err := filepath.WalkDir(filepath.Join(source, root), func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case entry.IsDir(), path.Ext(file) != ".go", strings.HasSuffix(file, "_test.go"):
				return nil
			}
			names, err := importsOfFile(file)
			if err != nil {
				return err
			}
			folder, err := filepath.Rel(source, filepath.Dir(file))
			if err != nil {
				return err
			}
			folder = filepath.ToSlash(folder)
			imports[folder] = append(imports[folder], names...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, imported := range imports {
		slices.Sort(imported)
		imports[name] = slices.Compact(imported)
	}
	return imports
}

// importsOfFile returns the packages below the roots that a Go file imports.
func importsOfFile(file string) ([]string, error) {
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, spec := range syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name, inModule := strings.CutPrefix(imported, module)
		root, _, _ := strings.Cut(name, "/")
		if inModule && slices.Contains(roots, root) {
			names = append(names, name)
		}
	}
	return names, nil
}

// compare returns where the rows and the imports differ. A package may import what its row allows, and what that may
// import in turn. What a row allows is imported by one of its packages.
func compare(rows []row, imports map[string][]string) []string {
	var faults []string
	allowed := map[string][]string{} // by package, what its row names
	for _, r := range rows {
		used := map[string]bool{}
		for _, pattern := range r.packages {
			packages := matches(pattern, imports)
			if len(packages) == 0 {
				faults = append(faults, fmt.Sprintf("ARCHITECTURE.md lists %s, which has no Go files", pattern))
			}
			for _, name := range packages {
				allowed[name] = slices.Concat([]string{}, allowed[name], r.imports)
				for _, imported := range imports[name] {
					used[imported] = true
				}
			}
		}
		for _, name := range r.imports {
			if !used[name] {
				faults = append(faults, fmt.Sprintf("ARCHITECTURE.md allows %s to import %s, which it does not: remove it from the row",
					strings.Join(r.packages, ", "), name))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if _, listed := allowed[name]; !listed {
			faults = append(faults, fmt.Sprintf("ARCHITECTURE.md lacks %s: add it to a row of the tables", name))
			continue
		}
		below := reachable(name, allowed)
		for _, imported := range imports[name] {
			if !below[imported] {
				faults = append(faults, fmt.Sprintf("%s imports %s, which its row of ARCHITECTURE.md does not allow", name, imported))
			}
		}
	}
	return faults
}

// matches returns the packages whose names match a pattern of [path.Match].
func matches(pattern string, imports map[string][]string) []string {
	var found []string
	for name := range imports {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			found = append(found, name)
		}
	}
	return found
}

// reachable returns what a package may import, directly or through what it imports.
func reachable(name string, allowed map[string][]string) map[string]bool {
	found := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		for _, next := range allowed[name] {
			if !found[next] {
				found[next] = true
				visit(next)
			}
		}
	}
	visit(name)
	return found
}
