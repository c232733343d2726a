package sbom

import (
	"bytes"
	"encoding/base64"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	spdxjson "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx"

	"github.com/armature-dev/armature/generator/gomodule"
	"github.com/armature-dev/armature/generator/licences"
)

// zeros is a sum as go.sum has it.
var zeros = base64.StdEncoding.EncodeToString(make([]byte, 32))

// modules returns the modules of a go.mod.
func modules(t *testing.T) *gomodule.Versions {
	t.Helper()
	dir := t.TempDir()
	goMod, goSum := filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")
	const text = "module github.com/armature-dev/armature\n\ngo 1.26.0\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/a/v2 v2.1.0\n" +
		"\texample.com/a-v2 v0.1.0\n\texample.com/unused v1.0.0\n)\n"
	for file, text := range map[string]string{goMod: text, goSum: "example.com/a v1.0.0 h1:" + zeros + "\n"} {
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

var (
	armature = Program{Main: "github.com/armature-dev/armature/tools/armature", Packages: []string{
		"example.com/a", "example.com/a/sub", "github.com/armature-dev/armature/cli/command"}}
	webhook = Program{Packages: []string{"example.com/a/sub", "example.com/a/v2", "example.com/a-v2/b"}}
	linked  = map[string]Program{"armature": armature, "armature-webhook": webhook}
	image   = Image{Name: "armature-webhook", Program: "armature-webhook", Digest: "sha256:" + strings.Repeat("4f", 32)}
)

const mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated " +
	"documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights " +
	"to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to " +
	"whom the Software is furnished to do so, subject to the following conditions:\n\nThe above copyright notice and this " +
	"permission notice shall be included in all copies or substantial portions of the Software.\n\nTHE SOFTWARE IS PROVIDED " +
	"\"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, " +
	"FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY " +
	"CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION " +
	"WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n"

// materials returns the modules with their licences: MIT for one, and a text of their own for the others.
func materials(t *testing.T) *Materials {
	t.Helper()
	l := licences.Licences{"example.com/a": {
		"LICENSE": mit, "sub/NOTICE": "of sub", "other/LICENSE": "of other, which is not linked", "sub/PATENTS": "p",
	}}
	for _, module := range []string{"example.com/a/v2", "example.com/a-v2", licences.Go, licences.Own} {
		l[module] = map[string]string{"LICENSE": "Do as you like with " + module + "."}
	}
	return &Materials{Modules: modules(t), Licences: l}
}

func read(t *testing.T, text []byte) *spdx.Document {
	t.Helper()
	document, err := spdxjson.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func TestText(t *testing.T) {
	text, err := materials(t).Text("1.2.3", linked, image)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("each program depends on the modules that have its packages, and on Go", func(t *testing.T) {
		document := read(t, text)
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
		oci := "armature-webhook 1.2.3 pkg:oci/armature-webhook@sha256%3A" + strings.Repeat("4f", 32)
		want := []string{
			"the document DESCRIBES armature 1.2.3", "armature 1.2.3" + std, "armature 1.2.3" + a,
			"the document DESCRIBES armature-webhook 1.2.3", "armature-webhook 1.2.3" + std, "armature-webhook 1.2.3" + a,
			"armature-webhook 1.2.3 DEPENDS_ON example.com/a/v2 v2.1.0 pkg:golang/example.com/a/v2@v2.1.0",
			"armature-webhook 1.2.3 DEPENDS_ON example.com/a-v2 v0.1.0 pkg:golang/example.com/a-v2@v0.1.0",
			"the document DESCRIBES " + oci, oci + " CONTAINS armature-webhook 1.2.3",
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("modules have their licences and sums, and images their digests", func(t *testing.T) {
		got := map[string]string{}
		for _, p := range read(t, text).Packages {
			line := p.PackageLicenseDeclared
			for _, sum := range p.PackageChecksums {
				line += " " + string(sum.Algorithm) + " " + sum.Value
			}
			got[string(p.PackageSPDXIdentifier)] = strings.TrimSpace(line + " " + p.PackageComment)
		}
		if diff := cmp.Diff(map[string]string{
			"Module-example.com-a": "MIT SHA256 " + strings.Repeat("0", 64) +
				" The checksum is the sum of the module in go.sum, h1:" + zeros + ", in hexadecimal digits.",
			"Module-example.com-a-v2": noAssertion, "Module-example.com-a-v2-": noAssertion, "Module-stdlib": noAssertion,
			"Program-armature": noAssertion, "Program-armature-webhook": noAssertion,
			"Image-armature-webhook": noAssertion + " SHA256 " + strings.Repeat("4f", 32),
		}, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("it has no date, and is the same each time", func(t *testing.T) {
		again, err := materials(t).Text("1.2.3", linked, image)
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("%v: two texts differ", err)
		}
		if created := read(t, text).CreationInfo.Created; created != "1970-01-01T00:00:00Z" {
			t.Errorf("created at %s", created)
		}
	})
	t.Run("other content has another namespace", func(t *testing.T) {
		other, err := materials(t).Text("1.2.3", map[string]Program{"armature": {}})
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, other).DocumentNamespace; got == "" || got == read(t, text).DocumentNamespace {
			t.Errorf("both are %q", got)
		}
	})
	t.Run("a module without a licence is an error, which names it", func(t *testing.T) {
		m := materials(t)
		delete(m.Licences, "example.com/a-v2")
		m.Licences["example.com/a/v2"] = map[string]string{"NOTICE": "Pass me on."}
		_, err := m.Text("1.2.3", linked)
		_, ofFiles := m.LicencesOf(webhook)
		for _, module := range []string{"example.com/a-v2", "example.com/a/v2"} {
			want := "the module " + module + " has no licence file"
			if err == nil || !strings.Contains(err.Error(), want) || ofFiles == nil || !strings.Contains(ofFiles.Error(), want) {
				t.Errorf("errors %v and %v, want %s", err, ofFiles, want)
			}
		}
	})
}

func TestStrict(t *testing.T) {
	if err := materials(t).Strict(linked); err != nil {
		t.Error(err)
	}
	err := materials(t).Strict(map[string]Program{"armature": {Packages: []string{"example.com/b", "example.com/c"}}})
	for _, name := range []string{"example.com/b", "example.com/c"} {
		want := "armature has the package " + name + ", which is in no module of go.mod"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestLicencesOf(t *testing.T) {
	files, err := materials(t).LicencesOf(armature)
	if err != nil {
		t.Fatal(err)
	}
	// Of the folders of modules those with packages of the program.
	want := []string{
		"example.com/a/LICENSE", "example.com/a/sub/NOTICE", "example.com/a/sub/PATENTS",
		"github.com/armature-dev/armature/LICENSE", "stdlib/LICENSE",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Error(diff)
	}
	if string(files["example.com/a/LICENSE"]) != mit {
		t.Errorf("the text is %q", files["example.com/a/LICENSE"])
	}
}
