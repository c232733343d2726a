// Package command is the command line armature. [Main] is all of it: the macro
// arm_cli makes a binary that calls it with the groups of its choice.
package command

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
)

// Main runs the command line for groups, each by the function that adds it to
// a scheme, and exits.
func Main(groups ...func(*runtime.Scheme) error) {
	root, err := New(groups...)
	if err == nil {
		err = root.Execute()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// New is the command line for groups.
func New(groups ...func(*runtime.Scheme) error) (*cobra.Command, error) {
	scheme := runtime.NewScheme()
	for _, add := range groups {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	root := &cobra.Command{
		Use:           "armature",
		Short:         "Look at Azure resources at their versions",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newConvert(scheme))
	return root, nil
}
