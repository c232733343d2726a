// Command armstorage writes all files of a storage version: its types, their
// registration and deep copies, its conversions, and what the tests of the laws that
// the conversions keep must know.
package main

import (
	"context"
	"io"
	"slices"

	"github.com/armature-dev/armature/generator/cmd/internal/source"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armstorage", Run) }

// Run writes the files of a package.
func Run(_ context.Context, args []string, _ io.Writer) error {
	return source.Run(args, source.Verb{
		Role:         plan.Storage,
		VersionFlag:  "api",
		VersionUsage: "the shape of the package's version",
		Files:        slices.Concat(source.Types, source.Conversions),
	})
}
