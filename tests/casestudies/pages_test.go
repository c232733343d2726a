package casestudies

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/internal/golden"
)

// life is what became of an object.
type life struct {
	set, refused int      // properties when it was created, and those that were refused
	lost         []string // what its author no longer sees when all versions are there
	// clients are those who then read it and write it back as it is: how many lose nothing,
	// how many lose more of it, and to how many the API server denies the write.
	clients [3]int
}

// lives returns the lives of objects. One is created at each version, with all properties.
func lives(g *group, w way) []life {
	var all []life
	for i := range g.versions {
		made := g.full(i)
		stored, refused := w.create(i, made)
		before := w.read(i, stored)
		l := life{set: len(leaves(made["spec"], "", map[string]any{})), refused: refused, lost: lost(made, before)}
		for j, client := range g.versions {
			seen, result := w.read(j, stored), 0
			if lacksRequired(client, client.Resource(persons).Spec, spec(seen)) {
				result = 2
			} else if len(lost(before, w.read(i, w.write(j, seen)))) > 0 {
				result = 1
			}
			l.clients[result]++
		}
		all = append(all, l)
	}
	return all
}

// fates returns how many properties were carried, lost and refused.
func (l life) fates() any {
	return fmt.Sprintf("%d / %d / %d", l.set-len(l.lost), len(l.lost)-l.refused, l.refused)
}

// table returns a table with a row for each version.
func (g *group) table(head string, cells func(i int) []any) string {
	var rows [][]any
	for i, v := range g.versions {
		rows = append(rows, append([]any{v.APIVersion}, cells(i)...))
	}
	return table("version | "+head, rows)
}

func table(head string, rows [][]any) string {
	text := fmt.Sprintf("| %s |\n|%s\n", head, strings.Repeat("---|", strings.Count(head, "|")+1))
	for _, row := range rows {
		for _, cell := range row {
			text += fmt.Sprintf("| %v ", cell)
		}
		text += "|\n"
	}
	return text
}

// TestPages writes the tables in docs/case-studies.
func TestPages(t *testing.T) {
	g := readGroup(t)
	var (
		all, theChain = g.superset(g.versions...), newChain(g)
		ways          = []way{
			&direct{g, g.always(g.superset(g.versions[0]))}, &direct{g, g.always(all)}, &direct{g, g.rolling()}, theChain}
		results [4][]life
	)
	for i, w := range ways {
		results[i] = lives(g, w)
	}
	tables := map[string]string{}
	const four = "properties | first version | superset | rolling | chain"
	each := func(cell func(l life) any) func(int) []any {
		return func(i int) []any {
			cells := []any{results[0][i].set}
			for _, lives := range results {
				cells = append(cells, cell(lives[i]))
			}
			return cells
		}
	}
	tables["fates"] = g.table(four, each(life.fates))
	tables["clients"] = g.table(four, each(func(l life) any {
		return fmt.Sprintf("%d / %d / %d", l.clients[0], l.clients[1], l.clients[2])
	}))
	for name, lives := range map[string][]life{"first": results[0], "rolling": results[2]} {
		tables[name] = g.table("lost", func(i int) []any { return []any{listed(lives[i].lost)} })
	}
	tables["person"] = g.person(results[:])

	tables["lines"] = g.lines()
	tables["hooks"] = g.table("storage version | pairs with hooks to write anew | lines", func(i int) []any {
		return []any{g.rolling()[i].APIVersion, g.rewritten(i), g.rewritten(i) * g.countLines(boundHooks)}
	})
	tables["size"] = g.table("properties of its Spec | of the superset | of those, no longer in the newest", func(i int) []any {
		own, all := properties(g.versions[i]), properties(g.superset(g.versions[:i+1]...))
		return []any{own, all, all - own}
	})
	tables["amnesia"] = g.amnesia(all)
	tables["undecided"] = g.undecided()
	tables["chain"] = theChain.costs()
	for _, page := range []string{"README", "fixed", "rolling", "chain"} {
		golden.Fill(t, "../../docs/case-studies/"+page+".md", tables)
	}
	if len(tables) > 0 {
		t.Errorf("no page has the tables %q", slices.Sorted(maps.Keys(tables)))
	}
}

// person shows what became of the person of 2019, property by property.
func (g *group) person(ways [][]life) string {
	at := g.index("2019-09-09")
	var rows [][]any
	for _, path := range slices.Sorted(maps.Keys(leaves(spec(g.full(at)), "", map[string]any{}))) {
		row := []any{"`" + path + "`"}
		for _, lives := range ways {
			if slices.Contains(lives[at].lost, path) {
				row = append(row, "lost")
			} else {
				row = append(row, "carried")
			}
		}
		rows = append(rows, row)
	}
	return table("property | first version | superset | rolling | chain", rows)
}

// amnesia shows what is lost when the superset is made without the specs up to a version,
// by objects of these versions and by objects of later ones.
func (g *group) amnesia(all *ir.Version) string {
	full := &direct{g, g.always(all)}
	var known [2][]string
	return g.table("properties of the superset without it | also lost by objects of versions that are gone | by objects of the others",
		func(gone int) []any {
			if gone == len(g.versions)-1 {
				return []any{0, "", ""} // nothing is there any longer
			}
			storage, cells := g.superset(g.versions[gone+1:]...), []any{}
			for side, objects := range [2][2]int{{0, gone + 1}, {gone + 1, len(g.versions)}} {
				var also []string
				for i := objects[0]; i < objects[1]; i++ {
					stored, _ := full.create(i, g.full(i))
					left := map[string]any{"spec": pruned(storage, storage.Type(storage.Resource(persons).Spec), spec(stored))}
					also = append(also, lost(stored, left)...)
				}
				also = slices.DeleteFunc(also, func(path string) bool { return slices.Contains(known[side], path) })
				known[side] = append(known[side], also...)
				cells = append(cells, listed(also))
			}
			return append([]any{properties(storage)}, cells...)
		})
}

// undecided shows the ways without the renames of group.yaml. The chain has no packages for
// that, but package evolution follows each property through the steps and bags of the plan.
func (g *group) undecided() string {
	u := &group{TB: g.TB, versions: g.versions}
	superset, rolling := lives(u, &direct{u, u.always(u.superset(u.versions...))}), lives(u, &direct{u, u.rolling()})
	in := evolution.Input{Packages: u.plan("", u.versions...), Shapes: u.versions, Config: &config.Group{}}
	if _, err := evolution.New(in); err != nil {
		g.Fatal(err)
	}
	return g.table("superset | rolling | chain", func(i int) []any {
		return []any{superset[i].fates(), rolling[i].fates(), life{set: superset[i].set}.fates()}
	})
}

// listed returns paths in the order of their names, each once.
func listed(paths []string) string {
	slices.Sort(paths)
	if paths = slices.Compact(paths); len(paths) == 0 {
		return "nothing"
	}
	return "`" + strings.Join(paths, "`, `") + "`"
}
