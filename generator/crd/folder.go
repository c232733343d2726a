package crd

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/runtime/annotation"
)

// AllVersions is the folder of a group in a release that has the CRDs with all
// versions, beside the folder crds, which has those that are served.
const AllVersions = "versions"

// Folder is a part of a group's CRD folder, as [Files] returns it: some of the CRDs,
// with some of their versions.
type Folder struct {
	Index
	dir string
}

// ReadFolder reads the index of a group's CRD folder.
func ReadFolder(dir string) (*Folder, error) {
	index, err := ReadIndex(filepath.Join(dir, IndexFile))
	if err != nil {
		return nil, err
	}
	return &Folder{*index, dir}, nil
}

// Of returns the folder with the CRDs of the kinds that [CheckKinds] describes, or with
// all CRDs if there are none.
func (f *Folder) Of(kinds []string) *Folder {
	some := *f
	some.CRDs = slices.DeleteFunc(slices.Clone(f.CRDs), func(s *Summary) bool {
		return len(kinds) > 0 && !slices.ContainsFunc(kinds, s.isOf)
	})
	return &some
}

// Serve returns the folder with the versions of a choice in each CRD.
func (f *Folder) Serve(choice Choice) *Folder { return &Folder{*f.Index.Serve(choice), f.dir} }

// Kept is a version of a CRD in a cluster that the folder does not have.
type Kept struct {
	Name string
	// Text is the version in the CRD of the cluster, as JSON.
	Text []byte
	// Uses says what needs it.
	Uses []string
}

// Files returns the files of the folder, by name. stopped has the versions that a CRD
// serves no longer, by its name. The CRD names them in an annotation, because the
// group's policy refuses a CRD that serves less without it. kept has versions that are
// added to a CRD.
func (f *Folder) Files(stopped map[string][]string, kept map[string][]Kept) (map[string][]byte, error) {
	files := map[string][]byte{IndexFile: f.text()}
	for _, s := range f.CRDs {
		file := filepath.Join(f.dir, s.File)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		d, err := Decode(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		d.keep(s.Versions)
		if versions := stopped[s.Name]; len(versions) > 0 {
			d.annotate(annotation.StopServing, strings.Join(versions, ","))
		}
		for _, k := range kept[s.Name] {
			if err := d.add(k); err != nil {
				return nil, fmt.Errorf("%s in the cluster: %s: %w", s.Name, k.Name, err)
			}
		}
		files[s.File] = d.Text()
	}
	policies := f.Group + manifests.PoliciesSuffix
	text, err := os.ReadFile(filepath.Join(f.dir, policies))
	if err != nil {
		return nil, err
	}
	files[policies] = text
	resources := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return name == IndexFile })
	files[manifests.KustomizationFile] = manifests.Kustomization(resources)
	return files, nil
}

// keep removes all other versions from the CRD, and serves of these what they say.
func (d *Definition) keep(versions []Version) {
	d.Spec.Versions = slices.DeleteFunc(d.Spec.Versions, func(e *entry) bool {
		i := slices.IndexFunc(versions, func(v Version) bool { return v.Name == e.Name })
		if i >= 0 {
			e.Served = versions[i].Served
		}
		return i < 0
	})
}

// add adds a version of a CRD in a cluster, at which no more objects are stored.
func (d *Definition) add(k Kept) error {
	e := new(entry)
	decoder := yaml.NewDecoder(bytes.NewReader(k.Text)) // of which JSON is a part
	decoder.KnownFields(true)
	if err := decoder.Decode(e); err != nil {
		return err
	}
	e.Storage = false
	d.Spec.Versions = append(d.Spec.Versions, e)
	return nil
}
