// Package program is what the two programs of the command line share: how they end, and
// what their errors say. Its main function is [Main].
package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/diag"
)

// ErrLook is the error of a command that has found something to look at, and printed it.
var ErrLook = errors.New("there is something to look at")

// New returns a command line.
func New(commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "armature",
		Short: "Look at Azure resources at their versions",
		Long: `Look at Azure resources at their versions.

A command ends with status 0 if it did what it was asked for, 1 after an error, and 2 if it found something to look at.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(commands...)
	helpful(root)
	return root
}

// Plugin precedes the name of a program that kubectl runs as a command of its own.
const Plugin = "kubectl-"

// called makes the help and the errors of a command line name it as its user does, who has called it by a path.
func called(root *cobra.Command, path string) {
	if name, is := strings.CutPrefix(filepath.Base(path), Plugin); is {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl " + name}
		root.CompletionOptions.DisableDefaultCmd = true // a shell completes the words of kubectl, which asks the plugin
		inExamples(root, regexp.MustCompile(`(?m)(^|\s)`+root.Name()+` `), "${1}kubectl "+name+" ")
	}
}

// inExamples replaces what an expression matches in the examples of a command and of those below it.
func inExamples(c *cobra.Command, from *regexp.Regexp, to string) {
	c.Example = from.ReplaceAllString(c.Example, to)
	for _, below := range c.Commands() {
		inExamples(below, from, to)
	}
}

// Main runs a command line, and exits.
func Main(root *cobra.Command, err error) {
	if err == nil {
		called(root, os.Args[0])
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = root.ExecuteContext(ctx)
	}
	if errors.Is(err, ErrLook) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
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
