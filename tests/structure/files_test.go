package structure

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tests/bazel/workspace"
)

// files returns the text of each file that git tracks or would track, by its path in the repository.
func files(t *testing.T) map[string]string {
	t.Helper()
	source := workspace.Source(t)
	found := map[string]string{}
	for _, name := range (workspace.Workspace{Source: source}).Files(t, ".") {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(text)
	}
	return found
}

var variable = regexp.MustCompile(`\bARMATURE_[A-Z_]*[A-Z]\b`)

func TestFiles(t *testing.T) {
	all := files(t)
	t.Run("Go code is formatted as gofmt formats it", func(t *testing.T) {
		for name, text := range all {
			if filepath.Ext(name) != ".go" || strings.Contains(name, "/testdata/") {
				continue
			}
			formatted, err := format.Source([]byte(text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if !bytes.Equal(formatted, []byte(text)) {
				t.Errorf("%s is not formatted; run gofmt -w %s", name, name)
			}
		}
	})
	t.Run("no line is too long", func(t *testing.T) {
		for name, text := range all {
			for _, l := range tooLong(name, text) {
				t.Errorf("%s:%d: %d columns, expected at most %d: break it, or say it in fewer words", name, l.number, l.columns, l.limit)
			}
		}
	})
	t.Run("every folder belongs to something", func(t *testing.T) {
		for _, folder := range strayFolders(all) {
			t.Errorf("%s has tracked files, and no BUILD.bazel above it names it: remove it, or add it to a target", folder)
		}
	})
	t.Run("every file that names a Go release names the one of go.mod", func(t *testing.T) {
		toolchain := regexp.MustCompile(`(?m)^toolchain (go\S+)$`).FindStringSubmatch(all["go.mod"])
		if toolchain == nil {
			t.Fatal("go.mod names no toolchain")
		}
		for _, name := range []string{".bazelrc", "docs/your-workspace.md", "examples/workspace/.bazelrc"} {
			found := regexp.MustCompile(`GOTOOLCHAIN=(go[0-9.]+)`).FindAllStringSubmatch(all[name], -1)
			if len(found) == 0 {
				t.Errorf("%s does not say GOTOOLCHAIN=%s", name, toolchain[1])
			}
			for _, f := range found {
				if f[1] != toolchain[1] {
					t.Errorf("%s says %s, go.mod says %s", name, f[0], toolchain[1])
				}
			}
		}
	})
	t.Run("tests/README.md lists the environment variables", func(t *testing.T) {
		read := map[string][]string{}
		for name, text := range all {
			if filepath.Ext(name) == ".md" || strings.HasPrefix(name, "tests/structure/") || strings.Contains(name, "/testdata/") {
				continue
			}
			for _, v := range variable.FindAllString(text, -1) {
				if !slices.Contains(read[v], name) {
					read[v] = append(read[v], name)
				}
			}
		}
		listed := map[string]bool{}
		_, table, _ := strings.Cut(all["tests/README.md"], "\n## Environment variables\n")
		for _, cell := range regexp.MustCompile("(?m)^\\| (`ARMATURE_.*?) \\|").FindAllStringSubmatch(table, -1) {
			for _, v := range variable.FindAllString(cell[1], -1) {
				listed[v] = true
				if len(read[v]) == 0 {
					t.Errorf("tests/README.md lists %s, which no file reads", v)
				}
			}
		}
		for v, names := range read {
			if !listed[v] {
				slices.Sort(names)
				t.Errorf("tests/README.md does not list %s of %s", v, strings.Join(names, ", "))
			}
		}
	})
}
