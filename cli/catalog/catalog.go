// Package catalog has what the files in the program say of its groups: the indexes of their
// CRDs, their samples and their links. Its main type is [Catalog].
package catalog

import (
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/armature-dev/armature/generator/crd"
)

// Catalog has what the files say of the groups.
type Catalog struct {
	Indexes []*crd.Index
	// Folders has the folder of each group, by its API group.
	Folders map[string]fs.FS
}

// LinksFile is the name of the file with the links of a group, in its folder.
const LinksFile = "links.json"

// Read reads the files of the groups. groups has a folder for each group, with the files of
// its targets crds and sample, of which [crd.IndexFile] suffices of the first, and with
// [LinksFile].
func Read(groups fs.FS) (*Catalog, error) {
	c := &Catalog{Folders: map[string]fs.FS{}}
	files, err := fs.Glob(groups, path.Join("*", "crds", crd.IndexFile))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := fs.ReadFile(groups, file)
		if err != nil {
			return nil, err
		}
		index, err := crd.ParseIndex(file, text)
		if err != nil {
			return nil, err
		}
		c.Indexes = append(c.Indexes, index)
		if c.Folders[index.Group], err = fs.Sub(groups, path.Dir(path.Dir(file))); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Groups returns the names of the API groups.
func (c *Catalog) Groups() []string { return slices.Sorted(maps.Keys(c.Folders)) }
