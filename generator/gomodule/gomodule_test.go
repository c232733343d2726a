package gomodule_test

import (
	"archive/zip"
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/gomodule"
)

const goMod = `module example.com/tool

go 1.26.0

require (
	example.com/direct v1.0.0
	example.com/direct/nested v1.1.0
	example.com/other v1.2.0 // indirect
	example.com/unused v1.3.0
)
`

const goSum = `example.com/direct v0.9.0 h1:old=
example.com/direct v1.0.0 h1:d=
example.com/direct v1.0.0/go.mod h1:dm=
example.com/direct/nested v1.1.0 h1:n=
example.com/other v1.2.0 h1:o=
example.com/unused v1.3.0 h1:u=
example.com/unused v1.3.0/go.mod h1:um=
`

// versions reads the go.mod and go.sum above.
func versions(t *testing.T) *gomodule.Versions {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": goMod, "go.sum": goSum} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v, err := gomodule.ReadVersions(filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// library is a module that needs packages of three modules.
func library() *gomodule.Module {
	return &gomodule.Module{
		Path: "example.com/library",
		Files: map[string][]byte{
			"a/a.go":      []byte("package a\n\nimport (\n\t\"fmt\"\n\t_ \"example.com/direct/x\"\n\t_ \"example.com/library/b\"\n)\n"),
			"b/b.go":      []byte("package b\n"),
			"b/b_test.go": []byte("package b_test\n\nimport _ \"example.com/direct/nested/y\"\n"),
		},
		Needs: []string{
			"example.com/library/a", "example.com/library/b",
			"example.com/direct/x", "example.com/direct/nested/y", "example.com/other/deep/z",
		},
	}
}

func TestRequire(t *testing.T) {
	t.Run("a module requires what it needs at the versions of the other", testNeeds)
	t.Run("a package that no module has is an error", testUnknown)
	t.Run("the module of a proxy's tree is required with its checksums", testProxied)
}

func testNeeds(t *testing.T) {
	mod, sum, err := versions(t).Require(library())
	if err != nil {
		t.Fatal(err)
	}
	want := `module example.com/library

go 1.26.0

require (
	example.com/direct v1.0.0
	example.com/direct/nested v1.1.0
)

require example.com/other v1.2.0 // indirect
`
	if diff := cmp.Diff(want, string(mod)); diff != "" {
		t.Error(diff)
	}
	want = `example.com/direct v1.0.0 h1:d=
example.com/direct v1.0.0/go.mod h1:dm=
example.com/direct/nested v1.1.0 h1:n=
example.com/other v1.2.0 h1:o=
example.com/unused v1.3.0/go.mod h1:um=
`
	if diff := cmp.Diff(want, string(sum)); diff != "" {
		t.Error(diff)
	}
}

func testUnknown(t *testing.T) {
	m := library()
	m.Needs = append(m.Needs, "example.com/hidden", "example.com/library/absent")
	_, _, err := versions(t).Require(m)
	if err == nil || strings.Count(err.Error(), "\n") != 1 ||
		!strings.Contains(err.Error(), "example.com/library needs the package example.com/hidden,") {
		t.Errorf("want an error with both packages, got %v", err)
	}
}

func testProxied(t *testing.T) {
	v, dir := versions(t), t.TempDir()
	m := library()
	m.Path = "example.com/Upper"
	files, err := m.Proxy("v0.1.0", []byte("module example.com/Upper\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.AddProxy(dir); err != nil {
		t.Fatal(err)
	}
	mod, sum, err := v.Require(&gomodule.Module{Path: "example.com/user", Needs: []string{"example.com/Upper/a"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "require example.com/Upper v0.1.0 // indirect\n"; !strings.HasSuffix(string(mod), want) {
		t.Errorf("want %s in %s", want, mod)
	}
	if !strings.HasPrefix(string(sum), "example.com/Upper v0.1.0 h1:") ||
		!strings.Contains(string(sum), "example.com/Upper v0.1.0/go.mod h1:") {
		t.Errorf("go.sum is %s", sum)
	}
}

func TestProxy(t *testing.T) {
	first, err := library().Proxy("v0.1.0", []byte("module example.com/library\n"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := library().Proxy("v0.1.0", []byte("module example.com/library\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the same module has other bytes: %s", diff)
	}
	folder := "example.com/library/@v/"
	if diff := cmp.Diff([]string{folder + "list", folder + "v0.1.0.info", folder + "v0.1.0.mod", folder + "v0.1.0.zip"},
		slices.Sorted(maps.Keys(first))); diff != "" {
		t.Error(diff)
	}
	archive, err := zip.NewReader(bytes.NewReader(first[folder+"v0.1.0.zip"]), int64(len(first[folder+"v0.1.0.zip"])))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	root := "example.com/library@v0.1.0/"
	if diff := cmp.Diff([]string{root + "a/a.go", root + "b/b.go", root + "b/b_test.go", root + "go.mod"}, names); diff != "" {
		t.Error(diff)
	}
	if _, err := library().Proxy("0.1.0", nil); err == nil {
		t.Error("a version without v: want an error")
	}
}
