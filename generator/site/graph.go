package site

import (
	"fmt"
	"path"
	"slices"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/site/page"
)

// graph is the picture of which version converts with which. It is a tree with the hub as
// its root, so its layout is arithmetic: a line for each version, by date, and a column for
// each hop to the hub.
type graph struct {
	Width, Height int
	Nodes         []graphNode
	Edges         []string // the d of paths
}

type graphNode struct {
	page.Link
	X, Y int
	Hub  bool
}

// The sizes of the picture.
const (
	lineHeight, columnWidth = 28, 26
	margin, textWidth       = 14, 190
)

func newGraph(k *evolution.Resource, versions []evolution.Version) graph {
	deepest := 0
	for _, v := range versions {
		deepest = max(deepest, len(v.Route))
	}
	g := graph{Width: 2*margin + deepest*columnWidth + textWidth, Height: 2*margin + max(len(versions)-1, 0)*lineHeight}
	at := func(i int) (x, y int) { return margin + (len(versions[i].Route)-1)*columnWidth, margin + i*lineHeight }
	for i, v := range versions {
		x, y := at(i)
		hub := len(v.Route) == 1
		g.Nodes = append(g.Nodes, graphNode{page.Link{Text: v.APIVersion, To: path.Base(pageOf(k.Kind, v.Name))}, x, y, hub})
		if hub {
			continue
		}
		next := slices.IndexFunc(versions, func(o evolution.Version) bool { return o.Route[0] == v.Route[1] })
		if next >= 0 {
			toX, toY := at(next)
			g.Edges = append(g.Edges, fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x, y, toX, y, toX, y, toX, toY))
		}
	}
	return g
}
