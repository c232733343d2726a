// Command armgraph draws the conversion graph of a service group: the API
// versions of each resource above, the storage versions below, the hub marked.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armgraph", Run) }

// Run writes the graph in DOT, the language of Graphviz.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	plans := flags.Strings("plan", "a plan file, for each package")
	dot := flags.String("dot", "the DOT file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*dot)
	outputs.Set(*dot, draw(packages))
	return outputs.Commit()
}
