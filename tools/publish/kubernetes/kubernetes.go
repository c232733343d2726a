// Package kubernetes makes of a release's archive for kustomize what Helm and kubectl take:
// a packed chart, and files to apply. Its main type is [Release].
package kubernetes

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/internal/folder"
)

// Release is the text of a release, without its images.
type Release struct {
	files  folder.Files // by their paths in the folder of the release
	images []Image
	// tree has the files for kustomize.
	tree filesys.FileSystem
}

// Image is an image of the release.
type Image struct {
	// Name is its name in the manifests, such as "armature-webhook".
	Name string
	// Digest identifies it, such as "sha256:4f…".
	Digest string
	// manifest is what a registry has of it.
	manifest v1.Descriptor
	// repository is where it was pushed to.
	repository string
}

// Images returns the images of the release.
func (r *Release) Images() []Image { return r.images }

// images are the folders of the images in a release, as OCI layouts.
var images = []string{"image", "operator-image"}

// New returns the release of an archive, whose images were pushed to a registry, or to a folder of one, under their
// names in the manifests. Without a registry they have these names alone.
func New(archive []byte, registry string) (*Release, error) {
	if strings.Contains(registry, "://") {
		return nil, fmt.Errorf("the registry: found %s, expected a name such as registry.example.com/armature, without ://", registry)
	}
	files, err := read(archive)
	if err != nil {
		return nil, err
	}
	r := &Release{files: files, tree: filesys.MakeFsInMemory()}
	for name, text := range files {
		if err := r.tree.WriteFile(path.Join("/", name), text); err != nil {
			return nil, err
		}
	}
	for _, from := range images {
		component := path.Join("base", from, manifests.KustomizationFile)
		var pinned struct{ Images []Image }
		if err := yaml.Unmarshal(files[component], &pinned); err != nil {
			return nil, fmt.Errorf("%s: %w", component, err)
		}
		if len(pinned.Images) != 1 || pinned.Images[0].Digest == "" {
			return nil, fmt.Errorf("%s: expected the digest of one image", component)
		}
		i := pinned.Images[0]
		layout := path.Join(from, layoutIndex)
		var index v1.IndexManifest
		if err := json.Unmarshal(files[layout], &index); err != nil {
			return nil, fmt.Errorf("%s: %w", layout, err)
		}
		if len(index.Manifests) != 1 || index.Manifests[0].Digest.String() != i.Digest {
			return nil, fmt.Errorf("%s: found %v, expected the image of %s, %s", layout, index.Manifests, component, i.Digest)
		}
		i.manifest = index.Manifests[0]
		i.repository = i.Name
		if registry != "" {
			i.repository = strings.TrimSuffix(registry, "/") + "/" + i.Name
			if _, err := name.NewRepository(i.repository, name.StrictValidation); err != nil {
				return nil, fmt.Errorf("the registry: %w", err)
			}
		}
		r.images = append(r.images, i)
	}
	return r, nil
}

// read returns the text in an archive, by the paths in its folder; of images what their layouts list.
func read(archive []byte) (folder.Files, error) {
	text, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	files := folder.Files{}
	for in := tar.NewReader(text); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		_, name, _ := strings.Cut(header.Name, "/")
		if top, _, _ := strings.Cut(name, "/"); slices.Contains(images, top) && name != path.Join(top, layoutIndex) {
			continue
		}
		if files[name], err = io.ReadAll(in); err != nil {
			return nil, err
		}
	}
}

// ofCRDs is the kind of CRDs.
const ofCRDs = "CustomResourceDefinition"

// Manifests returns files that `kubectl apply --server-side -f` takes, by their names: the webhook with cert-manager
// and without, the operator, and each group, as a whole and its CRDs alone. The CRDs name the certificate of the
// webhook for cert-manager, which means nothing where that is absent; there somebody writes the authority into them.
func (r *Release) Manifests() (folder.Files, error) {
	files := folder.Files{}
	add := func(name string, objects resmap.ResMap) error {
		if _, twice := files[name]; twice {
			return fmt.Errorf("%s: two parts of the release have this name", name)
		}
		text, err := objects.AsYaml()
		files[name] = text
		return err
	}
	for _, one := range []struct{ name, folder string }{
		{"webhook.yaml", "cert-manager/webhook"}, {"webhook-ca-bundle.yaml", "ca-bundle/webhook"}, {"operator.yaml", "operator"},
	} {
		objects, err := r.render(one.folder)
		if err == nil {
			err = add(one.name, objects)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.folder, err)
		}
	}
	for _, group := range r.Groups() {
		objects, err := r.render(path.Join("cert-manager", group))
		if err == nil {
			err = add(group+".yaml", objects)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", group, err)
		}
		crds := resmap.New()
		for _, o := range objects.Resources() {
			if o.GetKind() == ofCRDs {
				err = errors.Join(err, crds.Append(o))
			}
		}
		if err := errors.Join(err, add(group+"-crds.yaml", crds)); err != nil {
			return nil, fmt.Errorf("%s: %w", group, err)
		}
	}
	return files, nil
}

// Groups returns the names of the groups, sorted.
func (r *Release) Groups() []string {
	var groups []string
	for file := range r.files {
		if group, found := strings.CutPrefix(file, "base/groups/"); found {
			group, _, _ = strings.Cut(group, "/")
			groups = append(groups, group)
		}
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// render renders a folder as `kubectl kustomize` does, with the images where they were pushed to.
func (r *Release) render(from string) (resmap.ResMap, error) {
	pushed := []map[string]string{}
	for _, i := range r.images {
		pushed = append(pushed, map[string]string{"name": i.Name, "newName": i.repository})
	}
	text, err := yaml.Marshal(map[string]any{"resources": []string{"../" + from}, "images": pushed})
	if err != nil {
		return nil, err
	}
	const mine = "/of-the-registry"
	if err := r.tree.WriteFile(path.Join(mine, manifests.KustomizationFile), text); err != nil {
		return nil, err
	}
	return krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(r.tree, mine)
}
