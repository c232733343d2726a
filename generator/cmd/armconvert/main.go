// Command armconvert writes the conversions of an API version, and what the tests of
// the laws that they keep must know.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/source"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armconvert", Run) }

// Run writes the files of a package.
func Run(_ context.Context, args []string, _ io.Writer) error {
	return source.Run(args, source.Verb{
		Role:         plan.API,
		VersionFlag:  "limits",
		VersionUsage: "the shape of the package's version with limits, which only the laws need",
		Files:        source.Conversions,
	})
}
