// Command armrelease writes a release, which an administrator applies to a
// cluster: a folder for kustomize with the CRDs of service groups, the images of their
// webhook and their operator, and a Helm chart. The parts that are the same for all
// groups are written by hand; their README describes how the parts fit together.
package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/layout"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/internal/folder"
)

func main() { verb.Main("armrelease", Run) }

// Run writes a release.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	handWritten := flags.Strings("manifest", "<path in the release>=<file>, for each file that is written by hand")
	crds := flags.Strings("crds", "<group>=<folder with its CRDs>, for each service group")
	samples := flags.Strings("samples", "<group>=<folder with the samples of its kinds>, for each service group")
	choice := flags.String("serve", "the versions that the CRDs serve, such as newest=2 or all")
	kinds := flags.Strings("kind", "a pattern of the kinds to have; may be repeated; without any, all kinds")
	namespace := flags.String("namespace", "the namespace of webhook and operator")
	prefix := flags.Optional("name-prefix", "what precedes the names of all objects but the CRDs and the namespace")
	image := flags.String("image", "the OCI layout of the webhook's image")
	operatorImage := flags.String("operator-image", "the OCI layout of the operator's image")
	out := flags.String("out", "the folder to write")
	archive := flags.String("archive", "the same as a tar.gz file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := crd.ParseChoice(*choice)
	if err != nil {
		return verb.Usagef("--serve: %v", err)
	}
	in := names{namespace: *namespace, prefix: *prefix}
	if err := in.check(); err != nil {
		return verb.Usagef("%v", err)
	}
	r := release{}
	var errs diag.List
	for _, manifest := range *handWritten {
		name, file, _ := strings.Cut(manifest, "=")
		errs.Merge(r.addManifest(name, file, in))
	}
	var groups []group
	var indices []*crd.Index
	for _, one := range *crds {
		name, folder, _ := strings.Cut(one, "=")
		f, err := crd.ReadFolder(folder)
		if errs.Merge(err); err == nil {
			g := group{name, f.Of(*kinds)}
			groups, indices = append(groups, g), append(indices, &f.Index)
			errs.Merge(r.addGroup(g, folder, chosen, in))
		}
	}
	folders := map[string]string{}
	for _, one := range *samples {
		name, folder, _ := strings.Cut(one, "=")
		folders[name] = folder
	}
	errs.Merge(r.addSamples(groups, folders, indices))
	errs.Merge(crd.CheckKinds(*kinds, indices...))
	for _, name := range chosen.Unknown(indices...) {
		errs.Merge(fmt.Errorf("--serve: no kind has a version %s", name))
	}
	errs.Merge(r.addConversion(in))
	errs.Merge(r.addStorageWriters(in))
	errs.Merge(r.addOperatorWrites(groups, in))
	errs.Merge(r.addImage("webhook", "image", *image))
	errs.Merge(r.addImage("operator", "operator-image", *operatorImage))
	if err := errs.Err(); err != nil {
		return err
	}
	if err := r.addChart(in, *handWritten, groups); err != nil {
		return err
	}
	text, err := folder.Archive(path.Base(*out), folder.Files(r), nil)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*archive)
	outputs.Folder(*out)
	outputs.Set(*archive, text)
	for name, content := range r {
		outputs.Set(path.Join(*out, name), content)
	}
	return outputs.Commit()
}

// release is the content of each file, by its path in the release.
type release map[string][]byte

// add adds a file. It fails if the release has the file, which may happen because
// groups and files written by hand share folders. It refuses a path that leaves the release.
func (r release) add(name string, content []byte) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%s: leads out of the release; expected a path in its folder", name)
	}
	if _, twice := r[name]; twice {
		return fmt.Errorf("%s: two files of the release have this path; is a group named like a folder beside it?", name)
	}
	r[name] = content
	return nil
}

func (r release) copyFile(name, file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return r.add(name, content)
}

func (r release) copyFolder(name, folder string) error {
	return fs.WalkDir(os.DirFS(folder), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return r.copyFile(path.Join(name, file), path.Join(folder, file))
	})
}

// addImage adds the image of a program as a folder, and a component that makes the
// program's Deployment run it.
func (r release) addImage(program, name, folder string) error {
	index, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return err
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return err
	}
	if len(manifest.Manifests) != 1 {
		return fmt.Errorf("%s: found %d images, expected one", folder, len(manifest.Manifests))
	}
	image := manifests.Image{Program: program, Folder: name, Digest: manifest.Manifests[0].Digest.String()}
	if err := r.add(path.Join("base", name, manifests.KustomizationFile), image.Component()); err != nil {
		return err
	}
	return r.copyFolder(name, folder)
}
