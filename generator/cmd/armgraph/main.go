// Command armgraph draws the conversion graph of a service group: the API
// versions of each resource above, the storage versions below, the hub marked. It
// also writes the links of the graph as JSON, with the types that may have hooks.
package main

import (
	"context"
	"io"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/plan"
)

func main() { verb.Main("armgraph", Run) }

// Run writes the graph in DOT, the language of Graphviz, and as JSON.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	plans := flags.Strings("plan", "a plan file, for each package")
	dir := flags.String("dir", "the group's folder")
	dot := flags.String("dot", "the DOT file to write")
	links := flags.String("links", "the JSON file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*dot, *links)
	outputs.Set(*dot, draw(packages))
	outputs.SetJSON(*links, plan.NewLinks(*dir, packages))
	return outputs.Commit()
}
