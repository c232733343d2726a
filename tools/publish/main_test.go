package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/internal/folder"
)

// repository makes a checkout with the parts that a build adds, and returns the parts.
func repository(t *testing.T) parts {
	t.Helper()
	root := filepath.Join(t.TempDir(), "checkout")
	write(t, root, "MODULE.bazel", "module(name = \"armature\")\n", 0o644)
	write(t, root, "tools/run.sh", "#!/bin/sh\n", 0o755)
	for _, arguments := range [][]string{
		{"init", "-q"}, {"add", "--all"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", root}, arguments...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	built := t.TempDir()
	write(t, built, "release.tar.gz", forKubernetes(t, `{"group": "crm.example.com"}`), 0o644)
	write(t, built, "runtime/example.com/runtime/@v/list", "v1.2.3\n", 0o644)
	write(t, built, "runtime/example.com/runtime/@v/v1.2.3.info", "{}", 0o644)
	return parts{
		source: root, kubernetes: filepath.Join(built, "release.tar.gz"), runtime: filepath.Join(built, "runtime"),
		url: "https://example.com/releases/", version: "1.2.3",
	}
}

// forKubernetes returns an archive for Kubernetes with the index of CRDs.
func forKubernetes(t *testing.T, index string) string {
	t.Helper()
	archive, err := folder.Archive("release", folder.Files{"groups/crm/versions/crds.json": []byte(index)}, nil)
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

func TestFiles(t *testing.T) {
	t.Run("a release has the registry, the Go proxy and the archives", testContents)
	t.Run("two checkouts give the same bytes", testReproducible)
	t.Run("a tree that is not committed is refused", testChanges)
	t.Run("CRDs without descriptions are refused, unless they are wanted", testWithoutDocs)
	t.Run("a version is added to those that the folder has", testVersions)
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
		"armature-1.2.3-kubernetes.tar.gz", "armature-1.2.3.tar.gz", "bazel_registry.json",
		"go/example.com/runtime/@v/list", "go/example.com/runtime/@v/v1.2.3.info",
		"modules/armature/1.2.3/MODULE.bazel", "modules/armature/1.2.3/source.json", "modules/armature/metadata.json",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Error(diff)
	}
	archive := files["armature-1.2.3.tar.gz"]
	wantModes := map[string]int64{"armature-1.2.3/MODULE.bazel": 0o644, "armature-1.2.3/tools/run.sh": 0o755}
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
	if diff := cmp.Diff(mustFiles(t, repository(t), nil), mustFiles(t, repository(t), nil)); diff != "" {
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
		if name != "go/example.com/runtime/@v/list" && name != "modules/armature/metadata.json" && !bytes.Equal(all[name], text) {
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

func testPublished(t *testing.T) {
	all := mustFiles(t, raised(t, "1.2.4"), mustFiles(t, repository(t), nil))
	if diff := cmp.Diff(all, mustFiles(t, repository(t), all)); diff != "" {
		t.Errorf("the same release once more:\n%s", diff)
	}
	p := repository(t)
	write(t, "", p.kubernetes, forKubernetes(t, `{"group": "other.example.com"}`), 0o644)
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
