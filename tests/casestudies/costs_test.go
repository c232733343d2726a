package casestudies

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// The hooks of crm are between two versions, in a file that names both and in one that does not.
const (
	hooked, hookedTo        = "2013-03-03", "2014-04-04"
	boundHooks, sharedHooks = crm + "/augment/v20130303storage/hooks.go", crm + "/augment/v20130303storage/names.go"
)

// rewritten returns for how many versions the rolling way has hooks that are written anew
// when a version comes out: all that convert with a storage version behind the hooks.
func (g *group) rewritten(newest int) int {
	if storage := g.rolling(); newest < g.index(hookedTo) || storage[newest] == storage[newest-1] {
		return 0
	}
	return g.index(hooked) + 1
}

// lines shows the lines that a person writes for each version, of hooks and group.yaml, and the
// generated steps of conversions that are new or others than before.
func (g *group) lines() string {
	var hand, generated [3]int
	var before [3]map[string][]string
	return g.table("superset | rolling | chain", func(i int) (cells []any) {
		v, upTo := g.versions[i], g.versions[:i+1]
		lines := [3]int{0, g.rewritten(i) * g.countLines(boundHooks), 0}
		if v.APIVersion == hookedTo {
			lines[0], lines[2] = lines[1], g.countLines(boundHooks)
			for way := range lines {
				lines[way] += g.countLines(sharedHooks)
			}
		}
		for _, change := range g.changes {
			for way := range lines {
				// Only the chain asks whether it is right that a property goes.
				if change.Since == v.APIVersion && (change.Removed == "" || way == 2) {
					lines[way]++
				}
			}
		}
		now := [3]map[string][]string{
			g.direct(upTo, g.superset(upTo...)), g.direct(upTo, newestGA(upTo)), g.steps(map[string][]string{}, g.plan("", upTo...), true),
		}
		for way := range now {
			made := 0
			for name, steps := range now[way] {
				if !slices.Equal(before[way][name], steps) {
					made += len(steps)
				}
			}
			hand[way], generated[way] = hand[way]+lines[way], generated[way]+made
			cells = append(cells, fmt.Sprintf("%d / %d", lines[way], made))
		}
		before = now
		return cells
	}) + fmt.Sprintf("| **all** | **%d / %d** | **%d / %d** | **%d / %d** |\n",
		hand[0], generated[0], hand[1], generated[1], hand[2], generated[2])
}

// direct returns the steps of direct conversions of versions with a storage version.
func (g *group) direct(versions []*ir.Version, storage *ir.Version) map[string][]string {
	all := map[string][]string{}
	for _, v := range versions {
		if v != storage {
			g.steps(all, g.plan(storage.APIVersion, v, storage), false)
		}
	}
	return all
}

// steps adds a text for each step between the storage packages of a plan, by their names.
// Without bags there are no steps for what one of the two lacks.
func (g *group) steps(all map[string][]string, packages []*plan.Package, bags bool) map[string][]string {
	for _, p := range packages {
		if p.Role != plan.Storage || len(p.Neighbours) == 0 {
			continue
		}
		for _, link := range g.pairs(p) {
			pairs := link.Pairs
			for _, former := range link.Formers {
				pairs = append(pairs, former.Pairs...)
			}
			name := p.Name + " " + link.Neighbour.Name
			for _, pair := range pairs {
				for _, s := range slices.Concat(pair.To, pair.From) {
					if bags || s.Src != nil && s.Dst != nil {
						all[name] = append(all[name], fmt.Sprint(pair.Here.Name, s.Kind, s.Property().Name, s.Versions, s.Beside))
					}
				}
			}
		}
	}
	return all
}

// countLines returns the number of lines of a file.
func (g *group) countLines(file string) int {
	g.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		g.Fatal(err)
	}
	return bytes.Count(text, []byte("\n"))
}
