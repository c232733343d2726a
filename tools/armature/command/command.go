// Package command is the command line armature. It knows the groups by the indexes of
// their CRDs and by their samples. The macro arm_cli makes a binary that calls [Main].
package command

import (
	"io/fs"
	"path"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/tools/armature/checking"
	"github.com/armature-dev/armature/tools/armature/kinds"
	"github.com/armature-dev/armature/tools/armature/program"
	"github.com/armature-dev/armature/tools/armature/serving"
)

// Main runs the command line and exits. groups has a folder for each group, with the files
// of its targets crds and sample, of which [crd.IndexFile] suffices of the first. build is
// the command that builds the program armature-types.
func Main(groups fs.FS, build string) { program.Main(New(groups, build)) }

// New returns the command line of [Main].
func New(groups fs.FS, build string) (*cobra.Command, error) {
	c, err := readCatalog(groups)
	if err != nil {
		return nil, err
	}
	commands := []*cobra.Command{
		kinds.New(c.indexes), newSample(c), newIdentity(), newARMTest(), serving.New(), checking.New(), newVersion(),
	}
	return program.New(append(commands, newTyped(build)...)...), nil
}

// catalog has what the files say of the groups.
type catalog struct {
	indexes []*crd.Index
	samples map[string]fs.FS // by API group
}

func readCatalog(groups fs.FS) (*catalog, error) {
	c := &catalog{samples: map[string]fs.FS{}}
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
		if c.samples[index.Group], err = fs.Sub(groups, path.Join(path.Dir(file), "..", "sample")); err != nil {
			return nil, err
		}
	}
	return c, nil
}
