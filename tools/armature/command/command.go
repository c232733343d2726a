// Package command is the command line armature. The macro arm_cli makes a binary
// that calls [Main] with the groups of its choice.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/tools/armature/checking"
	"github.com/armature-dev/armature/tools/armature/serving"
)

// Main runs the command line and exits. samples are those of the groups, each by kind,
// and each of groups adds a group to a scheme. The status is 0, 1 after an error, or 2 if
// armature check found what breaks.
func Main(samples []map[string]string, groups ...func(*runtime.Scheme) error) {
	root, err := New(groups...)
	if err == nil {
		sample := newSample(samples)
		helpful(sample)
		root.AddCommand(sample)
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = root.ExecuteContext(ctx)
	}
	if errors.Is(err, checking.ErrBreaks) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// New returns the command line. Each of groups adds a group to a scheme.
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
	root.AddCommand(newConvert(scheme), newExport(scheme), newImport(scheme), newIdentity(), newARMTest(), serving.New(),
		checking.New(), newVersion())
	helpful(root)
	return root, nil
}

// helpful makes the errors of a command and of those below it say what to do.
func helpful(c *cobra.Command) {
	check := c.Args
	c.Args = func(c *cobra.Command, arguments []string) error {
		if c.HasSubCommands() && len(arguments) > 0 {
			var names []string
			for _, below := range c.Commands() {
				names = append(names, below.Name())
			}
			return fmt.Errorf("there is no command %q%s; %s --help lists them", arguments[0], diag.DidYouMean(arguments[0], names),
				c.CommandPath())
		}
		if check == nil {
			return nil
		}
		return hint(c, check(c, arguments))
	}
	if c.HasSubCommands() && !c.Runnable() { // cobra checks the arguments of what can run
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	c.SetFlagErrorFunc(hint)
	for _, below := range c.Commands() {
		helpful(below)
	}
}

// hint adds to an error of a command line where its help is.
func hint(c *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: expected %s; %s --help has examples", err, c.UseLine(), c.CommandPath())
}
