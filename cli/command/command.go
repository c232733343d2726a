// Package command is the command line armature. It knows the groups by the indexes of
// their CRDs, by their samples and by their links. The macro arm_cli makes a binary that calls [Main].
package command

import (
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/cli/armtest"
	"github.com/armature-dev/armature/cli/catalog"
	"github.com/armature-dev/armature/cli/check"
	"github.com/armature-dev/armature/cli/hook"
	"github.com/armature-dev/armature/cli/identity"
	"github.com/armature-dev/armature/cli/kinds"
	"github.com/armature-dev/armature/cli/migrate"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/cli/sample"
	"github.com/armature-dev/armature/cli/serve"
	"github.com/armature-dev/armature/cli/status"
	"github.com/armature-dev/armature/cli/uninstall"
)

// Main runs the command line and exits. groups has a folder for each group, with the files
// of its targets crds and sample, of which [crd.IndexFile] suffices of the first, and with
// [catalog.LinksFile]. build is the command that builds the program armature-types.
func Main(groups fs.FS, build string) { program.Main(New(groups, build)) }

// New returns the command line of [Main].
func New(groups fs.FS, build string) (*cobra.Command, error) {
	c, err := catalog.Read(groups)
	if err != nil {
		return nil, err
	}
	commands := []*cobra.Command{
		kinds.New(c.Indexes), sample.New(c), hook.New(c), identity.New(), armtest.New(), serve.New(), check.New(),
		migrate.New(c.Groups()), status.New(c.Groups()), status.NewRefresh(c.Groups()), uninstall.New(c.Groups()), newVersion(),
	}
	return program.New(append(commands, newTyped(build)...)...), nil
}
