package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/runtime/version"
)

// newVersion returns the command version.
func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of Armature that this command was built with",
		Example: "  armature version",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), version.String())
			return err
		},
	}
}
