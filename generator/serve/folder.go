package serve

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
)

// AllVersions is the folder of a group in a release that has the CRDs with all
// versions, beside the folder crds, which has those that are served.
const AllVersions = "versions"

// Folder is a folder with the CRDs of a group, as armcrd writes it.
type Folder struct {
	// CRDs has the CRDs by file.
	CRDs map[string]*CRD

	others map[string][]byte // policies and the kustomization
}

const kustomization = "kustomization.yaml"

// ReadFolder reads the CRDs of a group. Their files are named
// <group>_<plural>.yaml.
func ReadFolder(folder string) (*Folder, error) {
	f := &Folder{CRDs: map[string]*CRD{}, others: map[string][]byte{}}
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return nil, err
		}
		if !strings.Contains(file.Name(), "_") {
			f.others[file.Name()] = text
			continue
		}
		if f.CRDs[file.Name()], err = Read(text); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(folder, file.Name()), err)
		}
	}
	if len(f.CRDs) == 0 {
		return nil, fmt.Errorf("%s: found no CRDs, which are files <group>_<plural>.yaml", folder)
	}
	return f, nil
}

// Of returns the folder with the CRDs of the kinds that one of the patterns of
// [path.Match] matches, or with all CRDs if there are no patterns.
func (f *Folder) Of(kinds []string) *Folder {
	some := &Folder{CRDs: maps.Clone(f.CRDs), others: maps.Clone(f.others)}
	maps.DeleteFunc(some.CRDs, func(_ string, crd *CRD) bool {
		return len(kinds) > 0 && !slices.ContainsFunc(kinds, crd.isOf)
	})
	var resources strings.Builder
	for line := range strings.Lines(string(f.others[kustomization])) {
		file := strings.TrimSpace(strings.TrimPrefix(line, "- "))
		if f.CRDs[file] == nil || some.CRDs[file] != nil {
			resources.WriteString(line)
		}
	}
	some.others[kustomization] = []byte(resources.String())
	return some
}

// isOf reports whether a pattern matches the kind.
func (c *CRD) isOf(pattern string) bool {
	matches, err := path.Match(pattern, c.Kind)
	return err == nil && matches
}

// CheckKinds returns an error if a pattern matches no kind of the folders.
func CheckKinds(kinds []string, folders ...*Folder) error {
	var errs diag.List
	for _, pattern := range kinds {
		var names []string
		for _, f := range folders {
			for _, crd := range f.List() {
				names = append(names, crd.Kind)
			}
		}
		found := slices.ContainsFunc(folders, func(f *Folder) bool {
			return slices.ContainsFunc(f.List(), func(c *CRD) bool { return c.isOf(pattern) })
		})
		if !found {
			errs.Addf("", 0, 0, "no kind is %s%s", pattern, diag.DidYouMean(pattern, names))
		}
	}
	return errs.Err()
}

// Serve returns the folder with the versions of a choice in each CRD.
func (f *Folder) Serve(choice Choice) *Folder {
	served := &Folder{CRDs: map[string]*CRD{}, others: f.others}
	for file, crd := range f.CRDs {
		served.CRDs[file] = crd.Serve(choice)
	}
	return served
}

// Price returns what the CRDs cost.
func (f *Folder) Price() Price {
	var sum Price
	for _, crd := range f.CRDs {
		sum = sum.Plus(crd.Price())
	}
	return sum
}

// Files returns the files of the folder.
func (f *Folder) Files() map[string][]byte {
	files := maps.Clone(f.others)
	for file, crd := range f.CRDs {
		files[file] = crd.Text()
	}
	return files
}

// List returns the CRDs in the order of their names.
func (f *Folder) List() []*CRD {
	return slices.SortedFunc(maps.Values(f.CRDs), func(a, b *CRD) int { return strings.Compare(a.Name, b.Name) })
}
