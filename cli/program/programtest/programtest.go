// Package programtest runs commands in tests, and tests the examples in their help. Its main
// functions are [Run] and [Examples].
package programtest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/armature-dev/armature/cli/program"
	"github.com/spf13/cobra"
)

// Run runs a program of some commands, and returns what it prints on the standard output and on the standard error.
func Run(t *testing.T, in string, arguments []string, commands ...*cobra.Command) (out, told string, err error) {
	t.Helper()
	root := program.New(commands...)
	var stdout, stderr bytes.Buffer
	root.SetIn(strings.NewReader(in))
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	root.SetArgs(arguments)
	err = root.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

// Examples returns the arguments of each call of the program in the examples of the help, by
// command. It reports a command without one, and a call that the command line, which
// newRoot returns, does not take: the flags exist, and the arguments are accepted.
func Examples(t *testing.T, newRoot func() *cobra.Command) map[string][][]string {
	t.Helper()
	all := map[string][][]string{}
	for _, c := range newRoot().Commands() {
		calls := callsIn(c.Example)
		if len(calls) == 0 {
			t.Errorf("%s --help has no example", c.CommandPath())
		}
		for _, arguments := range calls {
			called, rest, err := newRoot().Find(arguments)
			if err == nil {
				err = called.ParseFlags(rest)
			}
			if err == nil {
				err = called.ValidateArgs(called.Flags().Args())
			}
			if err == nil {
				err = called.ValidateRequiredFlags()
			}
			if err != nil || called.Name() != c.Name() {
				t.Errorf("%s --help has the example %q, which is of %s: %v", c.CommandPath(), arguments, called.CommandPath(), err)
			}
		}
		all[c.Name()] = calls
	}
	return all
}

// callsIn returns the arguments of each call of armature in an example, which is shell: what
// stands before a pipe or a file for the output, without quotes.
func callsIn(example string) [][]string {
	var calls [][]string
	for line := range strings.Lines(strings.ReplaceAll(example, "\\\n", " ")) {
		for part := range strings.SplitSeq(line, "|") {
			part, _, _ = strings.Cut(part, ">")
			if words := strings.Fields(strings.ReplaceAll(part, "'", "")); len(words) > 0 && words[0] == "armature" {
				calls = append(calls, words[1:])
			}
		}
	}
	return calls
}
