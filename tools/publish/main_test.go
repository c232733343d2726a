package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/internal/gittest"
	"github.com/armature-dev/armature/tools/publish/kubernetes/kubernetestest"
)

// repository makes a checkout with the parts that a build adds, and returns the parts.
func repository(t *testing.T) parts {
	t.Helper()
	root := filepath.Join(t.TempDir(), "checkout")
	write(t, root, "MODULE.bazel", "module(name = \"armature\")\n", 0o644)
	write(t, root, "CHANGELOG.md", "# Changes\n\n## 1.2.10 - 2027-01-31\n\nA.\n\n## 1.2.9 - 2027-01-30\n\nB.\n\n"+
		"## 1.2.4 - 2027-01-29\n\nC.\n\n## 1.2.3 - 2027-01-28\n\nD.\n", 0o644)
	write(t, root, "go.mod", "module github.com/armature-dev/armature\n\ngo 1.26.0\n\nrequire example.com/a v1.0.0\n", 0o644)
	write(t, root, "go.sum", "", 0o644)
	for _, licence := range own {
		write(t, root, licence, "A "+licence+".\n", 0o644)
	}
	write(t, root, "tools/run.sh", "#!/bin/sh\n", 0o755)
	gittest.Commit(t, root)
	built := t.TempDir()
	write(t, built, "release.tar.gz", forKubernetes(t, `{"group": "crm.example.com", "crds": [{"kind": "Person"}]}`), 0o644)
	write(t, built, "runtime/example.com/runtime/@v/list", "v1.2.3\n", 0o644)
	write(t, built, "runtime/example.com/runtime/@v/v1.2.3.info", "{}", 0o644)
	write(t, built, "packages.json", `{"armature": {"main": "example.com/main", "packages": ["example.com/a/b"]},
		"armature-types": {}, "armature-operator": {}, "armature-webhook": {"packages": ["example.com/a/b"]}}`, 0o644)
	write(t, built, "licences.json", `{"example.com/a": {"LICENSE": "Of a.", "b/NOTICE": "Of b."}, "stdlib": {"LICENSE": "Of Go."},
		"github.com/armature-dev/armature": {"LICENSE": "Own."}}`, 0o644)
	for name, text := range map[string]string{
		"index.html": "Start", "site.js": "script();\n", "docs/install.html": "Install", "../pages/person/index.html": "Person",
		"../pages/person/v20200101.html": "2020",
	} {
		write(t, built, "site/"+name, text, 0o644)
	}
	if err := os.Symlink("../pages", filepath.Join(built, "site/crm")); err != nil {
		t.Fatal(err)
	}
	return parts{
		source: root, kubernetes: filepath.Join(built, "release.tar.gz"), runtime: filepath.Join(built, "runtime"),
		site:     filepath.Join(built, "site/index.html"),
		packages: filepath.Join(built, "packages.json"), licences: filepath.Join(built, "licences.json"),
		url: "https://example.com/releases/", version: "1.2.3",
	}
}

// forKubernetes returns an archive for Kubernetes with the index of CRDs.
func forKubernetes(t *testing.T, index string) string {
	t.Helper()
	files := kubernetestest.Files()
	files["base/groups/crm/versions/crds.json"] = []byte(index)
	archive, err := folder.Archive("release", files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(archive)
}

func write(t *testing.T, root, name, text string, mode fs.FileMode) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

// TestCommandLine tests the archives of programs with programs that consist of a header.
func TestCommandLine(t *testing.T) {
	sources := folder.Files{"LICENSE": []byte("a"), "NOTICE": []byte("b")}
	write := func(t *testing.T, program []byte) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(file, program, 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	program := func(t *testing.T, machine elf.Machine) string {
		t.Helper()
		var text bytes.Buffer
		header := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Ehsize: 64}
		copy(header.Ident[:], elf.ELFMAG)
		header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] =
			byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
		if err := binary.Write(&text, binary.LittleEndian, header); err != nil {
			t.Fatal(err)
		}
		return write(t, append(text.Bytes(), "armature.modinfopath\tunknown\n"+strings.Repeat("#", 200)+"\nmodinfo.armature"...))
	}
	linked, materials, err := repository(t).materials()
	if err != nil {
		t.Fatal(err)
	}
	pc, arm := program(t, elf.EM_X86_64), program(t, elf.EM_AARCH64)
	t.Run("each platform has an archive of each program, with the licences", func(t *testing.T) {
		files, err := parts{version: "1.2.3", armature: []string{pc, arm}, types: []string{arm, pc}}.commandLine(sources, linked, materials)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]map[string]int64{}
		for name, archive := range files {
			got[name] = modes(t, archive)
		}
		armature := map[string]int64{"LICENSE": 0o644, "NOTICE": 0o644, "armature": 0o755,
			"licenses/example.com/a/LICENSE": 0o644, "licenses/example.com/a/b/NOTICE": 0o644,
			"licenses/stdlib/LICENSE": 0o644, "licenses/github.com/armature-dev/armature/LICENSE": 0o644}
		types := map[string]int64{"LICENSE": 0o644, "NOTICE": 0o644, "armature-types": 0o755,
			"licenses/stdlib/LICENSE": 0o644, "licenses/github.com/armature-dev/armature/LICENSE": 0o644}
		if diff := cmp.Diff(map[string]map[string]int64{
			"armature-1.2.3-linux-amd64.tar.gz": armature, "armature-types-1.2.3-linux-amd64.tar.gz": types,
			"armature-1.2.3-linux-arm64.tar.gz": armature, "armature-types-1.2.3-linux-arm64.tar.gz": types,
		}, got); diff != "" {
			t.Error(diff)
		}
	})
	for _, test := range []struct {
		reason          string
		armature, types []string
		want            string
	}{
		{"a platform twice", []string{pc, pc}, nil, pc + ": found a second armature for linux-amd64"},
		{"a platform for one program", []string{pc, arm}, []string{arm},
			"armature is for linux-amd64, linux-arm64, and armature-types for linux-arm64; expected the same platforms"},
		{"a script", []string{write(t, []byte("#!/bin/sh\n"))}, nil, "found no program for linux or darwin"},
	} {
		t.Run(test.reason+" is refused", func(t *testing.T) {
			_, err := parts{armature: test.armature, types: test.types}.commandLine(sources, linked, materials)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestCheckChangelog(t *testing.T) {
	const none = `CHANGELOG.md has no section of this version: expected a heading such as "## 1.2.3 - 2027-01-31"`
	for _, test := range []struct{ reason, text, want string }{
		{"a section", "# Changes\n\n## 1.2.3 - 2027-01-31\n\n- **New**: a.\n\n## 1.2.2 - 2026-01-31\n", ""},
		{"the last section", "## 1.2.3 - 2027-01-31\nText.\n", ""},
		{"no section", "## Unreleased\n\nText.\n", none},
		{"one of a version that begins with it", "## 1.2.30 - 2027-01-31\n\nText.\n", none},
		{"one of a version that looks like it", "## 1x2.3 - 2027-01-31\n\nText.\n", none},
		{"no day", "## 1.2.3 - soon\n\nText.\n", `CHANGELOG.md: version 1.2.3 is of "soon", expected a day`},
		{"a day that there is not", "## 1.2.3 - 2027-02-31\n\nText.\n", `CHANGELOG.md: version 1.2.3 is of "2027-02-31"`},
		{"nothing to know", "## 1.2.3 - 2027-01-31\n\n## 1.2.2 - 2026-01-31\n\nText.\n", "CHANGELOG.md: the section of 1.2.3 is empty"},
	} {
		err := checkChangelog([]byte(test.text), "1.2.3")
		if (err != nil) != (test.want != "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.reason, err, test.want)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Run("a release has the registry, the Go proxy and the archives", testContents)
	t.Run("two checkouts of people with other settings give the same bytes", testReproducible)
	t.Run("a tree that is not committed is refused", testChanges)
	t.Run("a version that the changelog does not have is refused", testChangelog)
	t.Run("images are in the registry that the caller names", testRegistry)
	t.Run("CRDs without descriptions are refused, unless they are wanted", testWithoutDocs)
	t.Run("a version is added to those that the folder has", testVersions)
	t.Run("the site of each release leads to those of the others", testSite)
	t.Run("what was published does not change", testPublished)
	t.Run("a folder of something else is refused", testOther)
}

// mustFiles returns the files of a folder to which a release was added.
func mustFiles(t *testing.T, p parts, earlier folder.Files) folder.Files {
	t.Helper()
	files, err := p.files()
	if err != nil {
		t.Fatal(err)
	}
	versions, err := p.addTo(sums(earlier), files)
	if err != nil || !slices.Contains(versions, p.version) {
		t.Fatalf("%v: the folder has %q, want %s among them", err, versions, p.version)
	}
	all := folder.Files{}
	maps.Copy(all, earlier)
	maps.Copy(all, files)
	return all
}

func sums(files folder.Files) folder.Sums {
	sums := folder.Sums{}
	for name, text := range files {
		sums[name] = folder.Sum(text)
	}
	return sums
}

func testContents(t *testing.T) {
	files := mustFiles(t, repository(t), nil)
	want := []string{
		"armature-1.2.3-CHANGELOG.md", "armature-1.2.3-chart-oci.tar.gz", "armature-1.2.3-chart.tgz",
		"armature-1.2.3-crm-crds.yaml", "armature-1.2.3-crm.yaml",
		"armature-1.2.3-kubernetes.tar.gz", "armature-1.2.3-operator.yaml",
		"armature-1.2.3-sbom-oci.tar.gz", "armature-1.2.3-webhook-ca-bundle.yaml",
		"armature-1.2.3-webhook.yaml", "armature-1.2.3.spdx.json", "armature-1.2.3.tar.gz", "bazel_registry.json",
		"go/example.com/runtime/@v/list", "go/example.com/runtime/@v/v1.2.3.info",
		"modules/armature/1.2.3/MODULE.bazel", "modules/armature/1.2.3/source.json", "modules/armature/metadata.json",
		"site/1.2.3/crm/person/index.html", "site/1.2.3/crm/person/v20200101.html", "site/1.2.3/docs/install.html",
		"site/1.2.3/index.html", "site/1.2.3/pages.js", "site/1.2.3/site.js", "site/releases.js",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Error(diff)
	}
	archive := files["armature-1.2.3.tar.gz"]
	wantModes := map[string]int64{
		"armature-1.2.3/CHANGELOG.md": 0o644, "armature-1.2.3/LICENSE": 0o644, "armature-1.2.3/MODULE.bazel": 0o644,
		"armature-1.2.3/NOTICE": 0o644, "armature-1.2.3/go.mod": 0o644, "armature-1.2.3/go.sum": 0o644,
		"armature-1.2.3/tools/run.sh": 0o755,
	}
	if diff := cmp.Diff(wantModes, modes(t, archive)); diff != "" {
		t.Error(diff)
	}
	var source map[string]string
	if err := json.Unmarshal(files["modules/armature/1.2.3/source.json"], &source); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(archive)
	if diff := cmp.Diff(map[string]string{
		"url":          "https://example.com/releases/armature-1.2.3.tar.gz",
		"strip_prefix": "armature-1.2.3",
		"integrity":    "sha256-" + base64.StdEncoding.EncodeToString(hash[:]),
	}, source); diff != "" {
		t.Error(diff)
	}
}

// modes returns the modes of the files in an archive, which have no owner and no date.
func modes(t *testing.T, archive []byte) map[string]int64 {
	t.Helper()
	text, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	for r := tar.NewReader(text); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.ModTime.Unix() != 0 || header.Uid != 0 || header.Uname != "" {
			t.Errorf("%s is of %v by %q", header.Name, header.ModTime, header.Uname)
		}
		found[header.Name] = header.Mode
	}
}

func testChangelog(t *testing.T) {
	p := repository(t)
	p.version = "1.2.5"
	if _, err := p.files(); err == nil || !strings.HasPrefix(err.Error(), "CHANGELOG.md has no section") {
		t.Errorf("error %v", err)
	}
}

func testRegistry(t *testing.T) {
	p := repository(t)
	p.registry = "registry.example.com/azure"
	files := mustFiles(t, p, nil)
	want := "image: registry.example.com/azure/armature-operator@" + kubernetestest.Operator + "\n"
	if text := string(files["armature-1.2.3-operator.yaml"]); !strings.Contains(text, want) {
		t.Errorf("want %s in\n%s", want, text)
	}
}

func testWithoutDocs(t *testing.T) {
	p := repository(t)
	write(t, filepath.Dir(p.kubernetes), "release.tar.gz",
		forKubernetes(t, `{"group": "crm.example.com", "crds": [{"kind": "Person", "versions": [{"withoutDocs": true}]}]}`), 0o644)
	_, err := p.files()
	const start = "the CRDs have no descriptions of the kind Person.crm.example.com, because they were built without "
	const end = "or publish them as they are with --without-docs"
	if err == nil || !strings.HasPrefix(err.Error(), start) || !strings.HasSuffix(err.Error(), end) {
		t.Errorf("error %v", err)
	}
	p.withoutDocs = true
	if _, err := p.files(); err != nil {
		t.Error(err)
	}
}

func testReproducible(t *testing.T) {
	first := mustFiles(t, repository(t), nil)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("TZ", "Asia/Tokyo")
	before := syscall.Umask(0o077)
	defer syscall.Umask(before)
	if diff := cmp.Diff(first, mustFiles(t, repository(t), nil)); diff != "" {
		t.Error(diff)
	}
}

func testChanges(t *testing.T) {
	p := repository(t)
	write(t, p.source, "MODULE.bazel", "edited\n", 0o644)
	write(t, p.source, "new", "", 0o644)
	_, err := p.files()
	if err == nil || !strings.Contains(err.Error(), " M MODULE.bazel\n?? new") {
		t.Errorf("%v, want an error that names both files", err)
	}
}

// raised returns the parts of another version.
func raised(t *testing.T, version string) parts {
	t.Helper()
	p := repository(t)
	p.version = version
	dir := filepath.Join(p.runtime, "example.com/runtime/@v")
	write(t, dir, proxyList, "v"+version+"\n", 0o644)
	if err := os.Rename(filepath.Join(dir, "v1.2.3.info"), filepath.Join(dir, "v"+version+".info")); err != nil {
		t.Fatal(err)
	}
	return p
}

func testVersions(t *testing.T) {
	first := mustFiles(t, repository(t), nil)
	all := mustFiles(t, raised(t, "1.2.10"), mustFiles(t, raised(t, "1.2.9"), first))
	for name, text := range first {
		changes := []string{"go/example.com/runtime/@v/list", "modules/armature/metadata.json", "site/releases.js"}
		if !slices.Contains(changes, name) && !bytes.Equal(all[name], text) {
			t.Errorf("%s has changed", name)
		}
	}
	for _, name := range []string{
		"armature-1.2.9.tar.gz", "armature-1.2.10.tar.gz", "armature-1.2.10-kubernetes.tar.gz",
		"modules/armature/1.2.9/source.json", "modules/armature/1.2.10/MODULE.bazel", "go/example.com/runtime/@v/v1.2.10.info",
	} {
		if all[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	if got, want := string(all["go/example.com/runtime/@v/list"]), "v1.2.3\nv1.2.9\nv1.2.10\n"; got != want {
		t.Errorf("the Go proxy lists %q, want %q", got, want)
	}
	var metadata struct{ Versions []string }
	if err := json.Unmarshal(all["modules/armature/metadata.json"], &metadata); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1.2.3", "1.2.9", "1.2.10"}; !slices.Equal(metadata.Versions, want) {
		t.Errorf("the registry lists %q, want %q", metadata.Versions, want)
	}
}

func testSite(t *testing.T) {
	all := mustFiles(t, raised(t, "1.2.10"), mustFiles(t, repository(t), nil))
	for name, want := range map[string]string{
		"site/releases.js":      `armature.releases(["1.2.3","1.2.10"]);` + "\n",
		"site/1.2.3/site.js":    "script();\n" + `armature.release("1.2.3");` + "\n",
		"site/1.2.10/site.js":   "script();\n" + `armature.release("1.2.10");` + "\n",
		"site/1.2.10/pages.js":  `armature.pages(["crm/person/index.html","crm/person/v20200101.html","docs/install.html","index.html"]);` + "\n",
		"site/1.2.3/index.html": "Start", "site/1.2.3/crm/person/v20200101.html": "2020",
	} {
		if got := string(all[name]); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func testPublished(t *testing.T) {
	all := mustFiles(t, raised(t, "1.2.4"), mustFiles(t, repository(t), nil))
	if diff := cmp.Diff(all, mustFiles(t, repository(t), all)); diff != "" {
		t.Errorf("the same release once more:\n%s", diff)
	}
	p := repository(t)
	write(t, "", p.kubernetes, forKubernetes(t, `{"group": "crm.example.com", "crds": [{"kind": "Party"}]}`), 0o644)
	release, err := p.files()
	if err != nil {
		t.Fatal(err)
	}
	const want = "has another Armature 1.2.3, and what was published does not change: raise the version in MODULE.bazel, " +
		"or name a new folder; these files differ:\n  armature-1.2.3-kubernetes.tar.gz"
	if _, err := p.addTo(sums(all), release); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func testOther(t *testing.T) {
	p := repository(t)
	const want = "has files, and no bazel_registry.json of an earlier release: name a new or an empty folder"
	if _, err := p.addTo(folder.Sums{"go.mod": ""}, folder.Files{}); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
