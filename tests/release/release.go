// Package release reads the output of the targets in //release, renders it as kubectl
// does, and unpacks the programs of its images. Its main type is [Release].
package release

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// Release is a copy of a release's text in memory, to which tests may add.
type Release struct {
	// Folder is the folder of the release itself.
	Folder string
	files  filesys.FileSystem
}

// Read reads a release.
func Read(t testing.TB, folder string) *Release {
	t.Helper()
	r := &Release{Folder: folder, files: filesys.MakeFsInMemory()}
	if err := r.each(func(name string, text []byte) error {
		if folder, _, _ := strings.Cut(name, "/"); folder == Webhook || folder == Operator {
			return nil
		}
		return r.files.WriteFile(path.Join("/", name), text)
	}); err != nil {
		t.Fatalf("%v; run the test with ./bazelw test, which builds the release", err)
	}
	return r
}

// The folders of the images, as OCI layouts.
const (
	Webhook  = "image"
	Operator = "operator-image"
)

// each calls visit for all files of the release.
func (r *Release) each(visit func(name string, text []byte) error) error {
	return fs.WalkDir(os.DirFS(r.Folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(r.Folder, name))
		if err != nil {
			return err
		}
		return visit(name, text)
	})
}

// Add puts a file into the copy.
func (r *Release) Add(t testing.TB, name, text string) {
	t.Helper()
	if err := r.files.WriteFile(path.Join("/", name), []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// Example returns the block of YAML in the release's README that has a text.
func (r *Release) Example(t testing.TB, with string) string {
	t.Helper()
	readme, err := r.files.ReadFile("/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1) {
		if strings.Contains(block[1], with) {
			// The README's examples are in a folder beside the release.
			return strings.ReplaceAll(block[1], "../release/", "../")
		}
	}
	t.Fatalf("the README has no YAML with %q", with)
	return ""
}

// Groups returns the names of the service groups.
func (r *Release) Groups(t testing.TB) []string {
	t.Helper()
	groups, err := r.files.ReadDir("/base/groups")
	if err != nil || len(groups) == 0 {
		t.Fatalf("no groups in the release: %v", err)
	}
	return groups
}

// Render renders a folder as `kubectl kustomize` does.
func (r *Release) Render(folder string) ([]Object, error) {
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(r.files, path.Join("/", folder))
	if err != nil {
		return nil, err
	}
	var objects []Object
	for _, resource := range resources.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			return nil, err
		}
		object := Object{text: text}
		if err := yaml.Unmarshal(text, &object.Object); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// CRDs returns the CRDs of a group that an administrator applies. The caller says where the webhook is.
func (r *Release) CRDs(t testing.TB, group string) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	r.Add(t, "ca-bundle/ca/ca.crt", "unused, because the webhook has a URL\n")
	objects, err := r.Render("ca-bundle/" + group)
	if err != nil {
		t.Fatal(err)
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, o := range objects {
		if o.GetKind() == "CustomResourceDefinition" {
			crds = append(crds, As[apiextensionsv1.CustomResourceDefinition](t, o))
		}
	}
	return crds
}

// Object is an object of a rendered folder.
type Object struct {
	unstructured.Unstructured
	text []byte
}

// String returns the kind, namespace and name of the object.
func (o Object) String() string {
	return fmt.Sprintf("%s %s", o.GetKind(), path.Join(o.GetNamespace(), o.GetName()))
}

// As decodes the object into its Go type. A property that the type does not have
// fails the test.
func As[T any](t testing.TB, o Object) *T {
	t.Helper()
	typed := new(T)
	if err := yaml.UnmarshalStrict(o.text, typed); err != nil {
		t.Fatalf("%v: %v", o, err)
	}
	return typed
}

// Index returns the index of the images of a program, one for each architecture,
// and the digest that its Deployment runs.
func (r *Release) Index(t testing.TB, program string) (v1.ImageIndex, v1.Hash) {
	t.Helper()
	folder := t.TempDir()
	err := r.each(func(name string, text []byte) error {
		file, isImage := strings.CutPrefix(name, program+"/")
		if !isImage {
			return nil
		}
		file = filepath.Join(folder, file)
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644))
	})
	if err != nil {
		t.Fatal(err)
	}
	layout, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := layout.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(manifest.Manifests) != 1 {
		t.Fatalf("the layout lists %d things, want an index alone", len(manifest.Manifests))
	}
	index, err := layout.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	return index, manifest.Manifests[0].Digest
}

// Image returns the image of a program for an architecture.
func (r *Release) Image(t testing.TB, program, architecture string) v1.Image {
	t.Helper()
	index, _ := r.Index(t, program)
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range manifest.Manifests {
		if found.Platform.Architecture == architecture {
			image, err := index.Image(found.Digest)
			if err != nil {
				t.Fatal(err)
			}
			return image
		}
	}
	t.Fatalf("the index has %v, want an image for %s", manifest.Manifests, architecture)
	return nil
}

// Unpack writes the files of a program's image for an architecture into a folder, and
// returns the path of its entry point there.
func (r *Release) Unpack(t testing.TB, program, architecture, folder string) string {
	t.Helper()
	entryPoint, err := Extract(r.Image(t, program, architecture), folder)
	if err != nil {
		t.Fatal(err)
	}
	return entryPoint
}

// Extract writes the files of an image into a folder, and returns the path of its entry
// point there.
func Extract(image v1.Image, folder string) (entryPoint string, err error) {
	config, err := image.ConfigFile()
	if err != nil {
		return "", err
	}
	if len(config.Config.Entrypoint) != 1 {
		return "", fmt.Errorf("the entry point is %q, want one word", config.Config.Entrypoint)
	}
	layers := mutate.Extract(image)
	defer layers.Close()
	for in := tar.NewReader(layers); ; {
		header, err := in.Next()
		if err == io.EOF {
			return filepath.Join(folder, filepath.FromSlash(config.Config.Entrypoint[0])), nil
		}
		if err == nil {
			err = unpack(filepath.Join(folder, filepath.FromSlash(header.Name)), header.FileInfo().Mode(), in)
		}
		if err != nil {
			return "", err
		}
	}
}

func unpack(name string, mode fs.FileMode, in io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if end := out.Close(); err == nil {
		err = end
	}
	return err
}

// Editors returns a binding that lets a user "editor" and the operator of an installation
// edit the objects of a group in the namespace default.
func Editors(group, namespace, prefix string) string {
	return fmt.Sprintf(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: editors, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %[3]sarmature-%[1]s-edit}
subjects:
- {kind: User, name: editor, apiGroup: rbac.authorization.k8s.io}
- {kind: ServiceAccount, name: %[3]sarmature-operator, namespace: %[2]s}
`, group, namespace, prefix)
}
