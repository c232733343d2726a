// Package published looks into what //tools/publish makes: what its programs and images say of the Go modules that they
// are made of, and the licences that they bring.
package published

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"io"
	"io/fs"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	spdxjson "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx"

	"github.com/armature-dev/armature/generator/site/sitetest"
	"github.com/armature-dev/armature/internal/gittest"
	"github.com/armature-dev/armature/runtime/version"
	"github.com/armature-dev/armature/tests/release"
)

// root is the folder from which paths of runfiles are.
const root = "../../.."

// file returns the path of a file that the build names in a variable.
func file(t *testing.T, variable string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		t.Fatalf("%s is not set: run the test with ./bazelw test, which builds what it publishes", variable)
	}
	absolute, err := filepath.Abs(filepath.Join(root, value))
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}

// publish publishes a release of the demo's groups, and returns its folder.
func publish(t *testing.T) string {
	t.Helper()
	source, to := t.TempDir(), t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "LICENSE", "NOTICE"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(source, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"MODULE.bazel": "", "CHANGELOG.md": "# Changes\n\n## " + version.String() + " - 2027-01-31\n\nA test.\n",
	} {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gittest.Commit(t, source)
	command := exec.Command(file(t, "PUBLISH"), "--runtime="+file(t, "RUNTIME"), "--kubernetes="+file(t, "KUBERNETES"),
		"--packages="+file(t, "PACKAGES"), "--licences="+file(t, "LICENCES"), "--site="+file(t, "SITE"), "--armature="+file(t, "ARMATURE"),
		"--types="+file(t, "TYPES"), "--to="+to, "--without-docs")
	command.Env = append(os.Environ(), "BUILD_WORKSPACE_DIRECTORY="+source)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("publish: %v\n%s", err, out)
	}
	return to
}

// unpack writes the files of an archive of a release into a folder, which it returns.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for in := tar.NewReader(plain); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		name := filepath.Join(dir, filepath.FromSlash(header.Name))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, text, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, text []byte) *spdx.Document {
	t.Helper()
	document, err := spdxjson.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// modulesOf returns the Go modules on which a program of an SBOM depends, with their versions.
func modulesOf(t *testing.T, document *spdx.Document, program string) (modules []string) {
	t.Helper()
	for _, r := range document.Relationships {
		if r.Relationship != spdx.RelationshipDependsOn || string(r.RefA.ElementRefID) != "Program-"+program {
			continue
		}
		for _, p := range document.Packages {
			if p.PackageSPDXIdentifier == r.RefB.ElementRefID {
				modules = append(modules, p.PackageName+" "+p.PackageVersion)
			}
		}
	}
	slices.Sort(modules)
	if len(modules) < 20 {
		t.Fatalf("the SBOM has %d modules of %s: %q", len(modules), program, modules)
	}
	return modules
}

// check checks that a program says of itself which modules it has, as the SBOM does, and that a folder has a licence of
// each.
func check(t *testing.T, document *spdx.Document, name, program, licences string) {
	t.Helper()
	want := modulesOf(t, document, name)
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{"stdlib " + strings.TrimPrefix(info.GoVersion, "go")}
	for _, m := range info.Deps {
		got = append(got, m.Path+" "+m.Version)
		if !strings.HasPrefix(m.Sum, "h1:") {
			t.Errorf("%s has the sum %q", m.Path, m.Sum)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the SBOM and `go version -m` of %s differ (-SBOM +program):\n%s", name, diff)
	}
	for _, module := range append(want, "github.com/armature-dev/armature "+version.String()) {
		module, _, _ := strings.Cut(module, " ")
		files, err := os.ReadDir(filepath.Join(licences, filepath.FromSlash(module)))
		if err != nil || !slices.ContainsFunc(files, func(file fs.DirEntry) bool {
			return strings.HasPrefix(file.Name(), "LICEN") || strings.HasPrefix(file.Name(), "COPYING")
		}) {
			t.Errorf("%s has no licence of %s: %v", name, module, err)
		}
	}
}

func TestPublished(t *testing.T) {
	dir := publish(t)
	path := func(suffix string) string { return filepath.Join(dir, "armature-"+version.String()+suffix) }
	text, err := os.ReadFile(path(".spdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	document := read(t, text)
	t.Run("each module has a licence and a sum", func(t *testing.T) {
		for _, p := range document.Packages {
			if p.PackageLicenseDeclared == "NOASSERTION" && p.PrimaryPackagePurpose != "CONTAINER" {
				t.Errorf("%s has a licence that is not known to generator/licences", p.PackageName)
			}
			if p.PrimaryPackagePurpose == "LIBRARY" && p.PackageName != "stdlib" && len(p.PackageChecksums) != 1 {
				t.Errorf("%s has the checksums %v", p.PackageName, p.PackageChecksums)
			}
		}
	})
	t.Run("the site is whole, and knows its release", func(t *testing.T) {
		files := sitetest.Read(t, filepath.Join(dir, "site", version.String()))
		pages := sitetest.Check(t, files)
		if pages["crm/person/index.html"] == nil || !bytes.Contains(files["pages.js"], []byte(`"crm/person/index.html"`)) {
			t.Errorf("there is no page of Person among %d", len(pages))
		}
		call := `armature.release("` + version.String() + `");`
		if !bytes.HasSuffix(files["site.js"], []byte(call+"\n")) {
			t.Errorf("site.js does not end with %s", call)
		}
	})
	for _, program := range []string{"armature", "armature-types"} {
		t.Run(program+" says which modules it has, and brings their licences", func(t *testing.T) {
			archive := program + "-" + version.String() + "-" + runtime.GOOS + "-" + runtime.GOARCH + ".tar.gz"
			unpacked := unpack(t, filepath.Join(dir, archive))
			check(t, document, program, filepath.Join(unpacked, program), filepath.Join(unpacked, "licenses"))
			if out, err := exec.Command(filepath.Join(unpacked, program), "--help").CombinedOutput(); err != nil {
				t.Errorf("it does not start: %v\n%s", err, out)
			}
		})
	}
	layouts, referrers := unpack(t, path("-kubernetes.tar.gz")), unpack(t, path("-sbom-oci.tar.gz"))
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithReferrersSupport(true)))
	t.Cleanup(server.Close)
	for program, folder := range map[string]string{"armature-webhook": "image", "armature-operator": "operator-image"} {
		t.Run("the image of "+program+" does so, and a registry shows its SBOM", func(t *testing.T) {
			index, digest := listed(t, layouts, folder)
			pushed, err := index.ImageIndex(digest)
			if err != nil {
				t.Fatal(err)
			}
			checkImage(t, pushed, document, program)
			repository, err := name.NewRepository(strings.TrimPrefix(server.URL, "http://") + "/" + program)
			if err != nil {
				t.Fatal(err)
			}
			referrer, its := listed(t, referrers, program)
			bill, err := referrer.Image(its)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(remote.WriteIndex(repository.Digest(digest.String()), pushed),
				remote.Write(repository.Digest(its.String()), bill)); err != nil {
				t.Fatal(err)
			}
			checkReferrer(t, repository.Digest(digest.String()), program)
		})
	}
}

// listed returns the layout in a folder of the one folder of an archive, and the digest of what it lists.
func listed(t *testing.T, archive, folder string) (v1.ImageIndex, v1.Hash) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(archive, "*", folder))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v: found the folders %q", err, found)
	}
	index, err := layout.ImageIndexFromPath(found[0])
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("%v: %v", err, manifest)
	}
	return index, manifest.Manifests[0].Digest
}

// checkImage checks the image of a program for this machine.
func checkImage(t *testing.T, index v1.ImageIndex, document *spdx.Document, program string) {
	t.Helper()
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	image, err := index.Image(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	entryPoint, err := release.Extract(image, dir)
	if err != nil {
		t.Fatal(err)
	}
	check(t, document, program, entryPoint, filepath.Join(dir, "licenses"))
	text, err := os.ReadFile(entryPoint + ".spdx.json")
	if err != nil {
		t.Fatal(err)
	}
	inside := strings.ReplaceAll(filepath.Base(entryPoint), "_", "-") // as an identifier of SPDX
	if diff := cmp.Diff(modulesOf(t, document, program), modulesOf(t, read(t, text), inside)); diff != "" {
		t.Errorf("the SBOM in the image differs from that of the release:\n%s", diff)
	}
}

// checkReferrer checks that a registry names an SBOM of an image to who asks for what refers to it.
func checkReferrer(t *testing.T, image name.Digest, program string) {
	t.Helper()
	found, err := remote.Referrers(image)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := found.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 || manifest.Manifests[0].ArtifactType != "application/spdx+json" {
		t.Fatalf("%v: the registry shows %v, want an SBOM", err, manifest)
	}
	bill, err := remote.Image(image.Context().Digest(manifest.Manifests[0].Digest.String()))
	if err != nil {
		t.Fatal(err)
	}
	layers, err := bill.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%v: %d layers", err, len(layers))
	}
	content, err := layers[0].Compressed() // as it is
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(content)
	if err := errors.Join(err, content.Close()); err != nil {
		t.Fatal(err)
	}
	document := read(t, text)
	_, hash, _ := strings.Cut(image.DigestStr(), ":")
	if !slices.ContainsFunc(document.Packages, func(p *spdx.Package) bool {
		return p.PrimaryPackagePurpose == "CONTAINER" && p.PackageName == path.Base(image.RepositoryStr()) &&
			len(p.PackageChecksums) == 1 && p.PackageChecksums[0].Value == hash
	}) {
		t.Errorf("the SBOM does not name the image with the digest %s:\n%s", hash, text)
	}
	modulesOf(t, document, program)
}
