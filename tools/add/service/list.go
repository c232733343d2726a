package service

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// listed is a provider of a list.
type listed struct {
	name, newest string
	fetched      bool // whether the specs have it, and not only the index of the bicep types
}

// List writes the providers of the specs, and those of the index of the bicep types, with the newest version of each
// and the group that it is in the repository.
func List(in Repository, specs Specs, out io.Writer) error {
	if err := specs.usable(in); err != nil {
		return err
	}
	groups, err := in.providers()
	if err != nil {
		return err
	}
	all, indexed, err := specs.list()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PROVIDER\tNEWEST VERSION\tGROUP")
	for _, folded := range slices.Sorted(maps.Keys(all)) {
		p, state := all[folded], "none"
		if !p.fetched {
			state = "not fetched"
		}
		if len(groups[folded]) > 0 {
			state = in.folder() + "/" + strings.Join(groups[folded], ", "+in.folder()+"/")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", p.name, p.newest, state)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "A provider becomes a group with:  %s\n", bazel.RunOwn("//tools/add -- PROVIDER"))
	others := "Specs of others are fetched with:  "
	if !indexed {
		others = "Azure has more. These fetch one, and the list of all:  "
	}
	_, err = fmt.Fprintf(out, "%s%s\n", others, fetchProvider("PROVIDER"))
	return err
}

// list returns the providers of the specs and of the index, by name in lower case, and reports whether there is an
// index.
func (s Specs) list() (all map[string]listed, indexed bool, err error) {
	fetched, err := s.providers()
	if err != nil {
		return nil, false, err
	}
	all = map[string]listed{}
	for folded, p := range fetched {
		all[folded] = listed{p.Name, slices.MaxFunc(slices.Collect(maps.Keys(p.Versions)), naming.CompareVersions), true}
	}
	text, err := s.Read(layout.Index)
	if err != nil {
		return all, false, ifExists(err)
	}
	types, err := layout.ReadIndex(text)
	if err != nil {
		return nil, false, err
	}
	for armType, versions := range types {
		provider, _, _ := strings.Cut(armType, "/")
		folded := strings.ToLower(provider)
		p := all[folded]
		if p.name == "" || p.name == folded { // bicep types have folders in lower case
			p.name = provider
		}
		if newest := versions[len(versions)-1]; !p.fetched && naming.CompareVersions(newest, p.newest) > 0 {
			p.newest = newest
		}
		all[folded] = p
	}
	return all, true, nil
}
