// Command armconvert writes the conversions of a generated package, and the tests
// that hold them to the laws.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armconvert", Run) }

// Run is the verb.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	planFile := flags.String("plan", "the package's plan")
	api := flags.String("api", "the shape of the package's API version")
	out := flags.String("out", "conversion.go, to be written")
	tests := flags.String("tests", "laws_test.go, to be written")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*planFile)
	if err != nil {
		return err
	}
	versions, err := ir.Read(*api)
	if err != nil {
		return err
	}
	source, err := emit.Conversion(packages[0], versions[0])
	if err != nil {
		return err
	}
	laws, err := emit.Tests(packages[0])
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*out, *tests)
	outputs.Set(*out, source)
	outputs.Set(*tests, laws)
	return outputs.Commit()
}
