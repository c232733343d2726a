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
	write(t, built, "release.tar.gz", "for Kubernetes", 0o644)
	write(t, built, "runtime/example.com/runtime/@v/list", "v1.2.3\n", 0o644)
	return parts{
		source: root, kubernetes: filepath.Join(built, "release.tar.gz"), runtime: filepath.Join(built, "runtime"),
		url: "https://example.com/releases/", version: "1.2.3",
	}
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
}

func mustFiles(t *testing.T, p parts) folder.Files {
	t.Helper()
	files, err := p.files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func testContents(t *testing.T) {
	files := mustFiles(t, repository(t))
	want := []string{
		"armature-1.2.3-kubernetes.tar.gz", "armature-1.2.3.tar.gz", "bazel_registry.json", "go/example.com/runtime/@v/list",
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

func testReproducible(t *testing.T) {
	if diff := cmp.Diff(mustFiles(t, repository(t)), mustFiles(t, repository(t))); diff != "" {
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
