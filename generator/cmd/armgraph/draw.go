package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// row is the graph of one resource, or of several resources with equal graphs.
// Its columns are the versions by date.
type row struct {
	kinds   []string
	columns []column
}

// column is a version of a resource.
type column struct {
	api, storage, next string
	hub, preview       bool
}

// rows returns the graphs of a group. Resources with the same versions and hub,
// of which most groups have many, share a row.
func rows(packages []*plan.Package) []row {
	packages = slices.Clone(packages)
	slices.SortFunc(packages, func(a, b *plan.Package) int {
		return cmp.Or(naming.CompareVersions(a.APIVersion, b.APIVersion), cmp.Compare(a.Name, b.Name))
	})
	columns := map[string][]column{}
	for _, p := range packages {
		v, err := naming.ParseVersion(p.APIVersion)
		for _, r := range p.Resources {
			if p.Role == plan.Storage {
				api, _ := apiversion.CutStorage(p.Name)
				columns[r.Kind] = append(columns[r.Kind], column{api, p.Name, r.Next, r.Hub, err == nil && v.Preview()})
			}
		}
	}
	var all []row
	for _, kind := range sortedKinds(columns) {
		i := slices.IndexFunc(all, func(r row) bool { return slices.Equal(r.columns, columns[kind]) })
		if i < 0 {
			i = len(all)
			all = append(all, row{columns: columns[kind]})
		}
		all[i].kinds = append(all[i].kinds, kind)
	}
	return all
}

func sortedKinds(columns map[string][]column) []string {
	kinds := make([]string, 0, len(columns))
	for kind := range columns {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// draw returns the graph of a group in DOT. Each row is a cluster, in which each
// version is a column.
func draw(packages []*plan.Package) []byte {
	var b bytes.Buffer
	group := ""
	if len(packages) > 0 {
		group = packages[0].Group
	}
	fmt.Fprintf(&b, `digraph %s {
  label=%s labelloc=t fontname="Courier" fontsize=16 pad=0.2 nodesep=0.25 ranksep=0.35 newrank=true
  node [shape=box style="rounded,filled" fillcolor=white fontname="Courier" fontsize=9 height=0.3 margin="0.1,0.04"]
  edge [arrowsize=0.6 color="#555555"]
`, quoted(group), quoted(group+": API versions above, storage versions below, hubs filled, previews dashed"))
	rows := rows(packages)
	for i, r := range rows {
		drawRow(&b, i, r)
	}
	for i := range len(rows) - 1 {
		fmt.Fprintf(&b, "  %s -> %s [style=invis]\n", node(i, rows[i].columns[0].storage), node(i+1, rows[i+1].columns[0].api))
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// node returns the id of a version in a row.
func node(row int, name string) string { return quoted(fmt.Sprintf("%d %s", row, name)) }

// escapes has the characters that mean something in a string of DOT.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ")

// quoted returns a text as a string of DOT, which has other escapes than Go.
func quoted(text string) string { return `"` + escapes.Replace(naming.Visible(text)) + `"` }

// title returns the kinds of a row, in lines that are not wider than its columns.
func title(r row) string {
	const widthOfColumn, newline = 20, `\l`
	width := max(2, len(r.columns)) * widthOfColumn
	text, line := "", 0
	for i, kind := range r.kinds {
		if i > 0 {
			text += ", "
			if line += len(", "); line+len(kind) > width {
				text, line = text+newline, 0
			}
		}
		text += escapes.Replace(naming.Visible(kind))
		line += len(kind)
	}
	return text + newline
}

func drawRow(b *bytes.Buffer, i int, r row) {
	fmt.Fprintf(b, "  subgraph \"cluster %d\" {\n    label=\"%s\" fontsize=12 labeljust=l color=\"#bbbbbb\" style=rounded\n", i, title(r))
	for _, c := range r.columns {
		style := ""
		if c.preview {
			style = ` style="rounded,filled,dashed"`
		}
		fmt.Fprintf(b, "    %s [label=%s%s]\n", node(i, c.api), quoted(c.api), style)
		if c.hub {
			style = ` fillcolor="#ffd36b" penwidth=2`
		}
		fmt.Fprintf(b, "    %s [label=%s%s]\n", node(i, c.storage), quoted(c.storage), style)
	}
	for _, rank := range []func(column) string{func(c column) string { return c.api }, func(c column) string { return c.storage }} {
		b.WriteString("    {rank=same")
		for _, c := range r.columns {
			fmt.Fprintf(b, "; %s", node(i, rank(c)))
		}
		b.WriteString("}\n")
	}
	for j := range len(r.columns) - 1 {
		fmt.Fprintf(b, "    %s -> %s [style=invis weight=10]\n", node(i, r.columns[j].api), node(i, r.columns[j+1].api))
	}
	for _, c := range r.columns {
		fmt.Fprintf(b, "    %s -> %s [weight=100]\n", node(i, c.api), node(i, c.storage))
		if c.next != "" {
			fmt.Fprintf(b, "    %s -> %s [constraint=false]\n", node(i, c.storage), node(i, c.next))
		}
	}
	b.WriteString("  }\n")
}
