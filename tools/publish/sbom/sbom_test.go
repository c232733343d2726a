package sbom

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	spdxjson "github.com/spdx/tools-golang/json"

	"github.com/armature-dev/armature/generator/gomodule"
)

// modules returns the modules of a go.mod.
func modules(t *testing.T) *gomodule.Versions {
	t.Helper()
	dir := t.TempDir()
	goMod, goSum := filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")
	const text = "module github.com/armature-dev/armature\n\ngo 1.26.0\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/a/v2 v2.1.0\n" +
		"\texample.com/a-v2 v0.1.0\n\texample.com/unused v1.0.0\n)\n"
	for file, text := range map[string]string{goMod: text, goSum: ""} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	versions, err := gomodule.ReadVersions(goMod, goSum)
	if err != nil {
		t.Fatal(err)
	}
	return versions
}

const linked = `{
  "armature": ["example.com/a", "example.com/a/sub", "github.com/armature-dev/armature/cli/command"],
  "armature-webhook": ["example.com/a/sub", "example.com/a/v2", "example.com/a-v2/b"]
}`

func TestText(t *testing.T) {
	text, err := Text("1.2.3", []byte(linked), modules(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("each program depends on the modules that have its packages, and on Go", func(t *testing.T) {
		document, err := spdxjson.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]string{"DOCUMENT": "the document"}
		for _, p := range document.Packages {
			id := string(p.PackageSPDXIdentifier)
			if names[id] != "" || !regexp.MustCompile(`^[A-Za-z0-9.-]+$`).MatchString(id) {
				t.Errorf("the identifier %q is there twice, or none", id)
			}
			names[id] = p.PackageName + " " + p.PackageVersion
			for _, r := range p.PackageExternalReferences {
				names[id] += " " + r.Locator
			}
		}
		var got []string
		for _, r := range document.Relationships {
			got = append(got, names[string(r.RefA.ElementRefID)]+" "+r.Relationship+" "+names[string(r.RefB.ElementRefID)])
		}
		version := strings.TrimPrefix(runtime.Version(), "go")
		std := " DEPENDS_ON stdlib " + version + " pkg:golang/stdlib@" + version
		const a = " DEPENDS_ON example.com/a v1.0.0 pkg:golang/example.com/a@v1.0.0"
		want := []string{
			"the document DESCRIBES armature 1.2.3", "armature 1.2.3" + std, "armature 1.2.3" + a,
			"the document DESCRIBES armature-webhook 1.2.3", "armature-webhook 1.2.3" + std, "armature-webhook 1.2.3" + a,
			"armature-webhook 1.2.3 DEPENDS_ON example.com/a/v2 v2.1.0 pkg:golang/example.com/a/v2@v2.1.0",
			"armature-webhook 1.2.3 DEPENDS_ON example.com/a-v2 v0.1.0 pkg:golang/example.com/a-v2@v0.1.0",
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("it has no date, and is the same each time", func(t *testing.T) {
		again, err := Text("1.2.3", []byte(linked), modules(t))
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("%v: two texts differ", err)
		}
		var document struct{ CreationInfo struct{ Created string } }
		if err := json.Unmarshal(text, &document); err != nil || document.CreationInfo.Created != "1970-01-01T00:00:00Z" {
			t.Errorf("%v: created at %s", err, document.CreationInfo.Created)
		}
	})
	t.Run("other content has another namespace", func(t *testing.T) {
		other, err := Text("1.2.3", []byte(`{"armature": []}`), modules(t))
		if err != nil {
			t.Fatal(err)
		}
		if namespace(t, other) == namespace(t, text) {
			t.Errorf("both are %s", namespace(t, text))
		}
	})
	t.Run("a package that is in no module is an error", func(t *testing.T) {
		_, err := Text("1.2.3", []byte(`{"armature": ["example.com/b", "example.com/c"]}`), modules(t))
		for _, name := range []string{"example.com/b", "example.com/c"} {
			want := "armature has the package " + name + ", which is in no module of go.mod"
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	})
}

func namespace(t *testing.T, text []byte) string {
	t.Helper()
	var document struct{ DocumentNamespace string }
	if err := json.Unmarshal(text, &document); err != nil || document.DocumentNamespace == "" {
		t.Fatalf("%v: found no namespace", err)
	}
	return document.DocumentNamespace
}
