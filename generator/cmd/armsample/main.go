// Command armsample writes a sample of each kind of a service group at each version into a
// folder.
package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/sample"
)

func main() { verb.Main("armsample", Run) }

// Run writes the samples of a group.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	shapes := flags.Strings("limits", "the shape of an API version with limits, for each")
	plans := flags.Strings("plan", "a plan file, for each package")
	given := flags.Optional("given", "the file with what is given of the samples")
	out := flags.String("out", "the folder to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	versions, err := ir.Read(*shapes...)
	if err != nil {
		return err
	}
	var values *sample.Given
	if *given != "" {
		text, err := os.ReadFile(*given)
		if err != nil {
			return err
		}
		if values, err = sample.ParseGiven(*given, text); err != nil {
			return err
		}
	}
	samples, err := sample.All(packages, versions, values)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs()
	outputs.Folder(*out)
	for _, s := range samples {
		outputs.Set(filepath.Join(*out, s.File()), s.YAML)
	}
	return outputs.Commit()
}
