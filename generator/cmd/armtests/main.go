// Command armtests writes the tests of a generated package.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armtests", Run) }

// Run is the verb.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	planFile := flags.String("plan", "the package's plan")
	out := flags.String("out", "the test file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*planFile)
	if err != nil {
		return err
	}
	source, err := emit.Tests(packages[0])
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*out)
	outputs.Set(*out, source)
	return outputs.Commit()
}
