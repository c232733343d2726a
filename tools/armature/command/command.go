// Package command is the command line armature. It knows the groups by the indexes of
// their CRDs, by their samples and by their links. The macro arm_cli makes a binary that calls [Main].
package command

import (
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/tools/armature/checking"
	"github.com/armature-dev/armature/tools/armature/identity"
	"github.com/armature-dev/armature/tools/armature/kinds"
	"github.com/armature-dev/armature/tools/armature/migrating"
	"github.com/armature-dev/armature/tools/armature/program"
	"github.com/armature-dev/armature/tools/armature/serving"
	"github.com/armature-dev/armature/tools/armature/uninstalling"
)

// Main runs the command line and exits. groups has a folder for each group, with the files
// of its targets crds and sample, of which [crd.IndexFile] suffices of the first, and with
// [linksFile]. build is the command that builds the program armature-types.
func Main(groups fs.FS, build string) { program.Main(New(groups, build)) }

// New returns the command line of [Main].
func New(groups fs.FS, build string) (*cobra.Command, error) {
	c, err := readCatalog(groups)
	if err != nil {
		return nil, err
	}
	commands := []*cobra.Command{
		kinds.New(c.indexes), newSample(c), newHook(c), identity.New(), newARMTest(), serving.New(), checking.New(),
		migrating.New(c.groups()), uninstalling.New(c.groups()), newVersion(),
	}
	return program.New(append(commands, newTyped(build)...)...), nil
}

// catalog has what the files say of the groups.
type catalog struct {
	indexes []*crd.Index
	folders map[string]fs.FS // by API group
}

// linksFile is the name of the file with a group's [plan.Links].
const linksFile = "links.json"

func readCatalog(groups fs.FS) (*catalog, error) {
	c := &catalog{folders: map[string]fs.FS{}}
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
		c.indexes = append(c.indexes, index)
		if c.folders[index.Group], err = fs.Sub(groups, path.Dir(path.Dir(file))); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// groups returns the names of the API groups.
func (c *catalog) groups() []string { return slices.Sorted(maps.Keys(c.folders)) }
