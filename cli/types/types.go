// Package types is the program armature-types: the commands of armature that convert, and
// so need the Go types of the groups. The macro arm_cli makes a binary that calls [Main]
// with the groups of its choice.
package types

import (
	"io/fs"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/cli/convert"
	"github.com/armature-dev/armature/cli/export"
	"github.com/armature-dev/armature/cli/importing"
	"github.com/armature-dev/armature/cli/plan"
	"github.com/armature-dev/armature/cli/program"
)

// Main runs the program and exits. Each of groups adds a group to a scheme, and facts has the facts of their versions.
func Main(facts fs.FS, groups ...func(*runtime.Scheme) error) { program.Main(New(facts, groups...)) }

// New returns the command line of [Main].
func New(facts fs.FS, groups ...func(*runtime.Scheme) error) (*cobra.Command, error) {
	scheme := runtime.NewScheme()
	for _, add := range groups {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return program.New(Commands(scheme, facts)...), nil
}

// Commands returns the commands for the groups of a scheme.
func Commands(scheme *runtime.Scheme, facts fs.FS) []*cobra.Command {
	return []*cobra.Command{convert.New(scheme), export.New(scheme), importing.New(scheme), plan.New(scheme, facts)}
}
