// Command armtypes writes the types of an API version with docs and markers,
// their registration and their deep copies.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/source"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armtypes", Run) }

// Run writes the files of a package.
func Run(_ context.Context, args []string, _ io.Writer) error {
	return source.Run(args, source.Verb{
		Role:         plan.API,
		VersionFlag:  "ir",
		VersionUsage: "the IR of the package's version, with docs",
		Files:        source.Types,
	})
}
