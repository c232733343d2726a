// Command armlaws writes what the tests of a generated package read when they run.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/lawfacts"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armlaws", Run) }

// Run writes the facts of a package.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	planFile := flags.String("plan", "the package's plan")
	api := flags.Optional("api", "the shape of its API version, if it is no storage package")
	out := flags.String("out", "the file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*planFile)
	if err != nil {
		return err
	}
	var version *ir.Version
	if *api != "" {
		versions, err := ir.Read(*api)
		if err != nil {
			return err
		}
		version = versions[0]
	}
	if (version == nil) != (packages[0].Role == plan.Storage) {
		return verb.Usagef("--api: expected for the package of an API version, and for no storage package; this is %s", packages[0].Name)
	}
	outputs := verb.NewOutputs(*out)
	outputs.SetJSON(*out, lawfacts.Of(packages[0], version))
	return outputs.Commit()
}
