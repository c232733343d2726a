// Command armgraph draws the conversion graph of a service group: the API
// versions of each resource above, the storage versions below, the hub marked.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/armature-dev/armature/generator/cmd/armgraph/internal/compiled"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/goccy/go-graphviz"
)

func main() {
	compiled.Remove()
	verb.Main("armgraph", Run)
}

// Run writes the graph as DOT and as SVG.
func Run(ctx context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	plans := flags.Strings("plan", "a plan file, for each package")
	dot := flags.String("dot", "the DOT file to write")
	svg := flags.String("svg", "the SVG file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	text := draw(packages)
	picture, err := render(ctx, text)
	if err != nil {
		return fmt.Errorf("%s: %w", *svg, err)
	}
	outputs := verb.NewOutputs(*dot, *svg)
	outputs.Set(*dot, text)
	outputs.Set(*svg, picture)
	return outputs.Commit()
}

// render returns a graph in DOT as SVG.
func render(ctx context.Context, dot []byte) ([]byte, error) {
	g, err := graphviz.New(ctx)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	graph, err := graphviz.ParseBytes(dot)
	if err != nil {
		return nil, err
	}
	defer graph.Close()
	var svg bytes.Buffer
	if err := g.Render(ctx, graph, graphviz.SVG, &svg); err != nil {
		return nil, err
	}
	return svg.Bytes(), nil
}
