// Package kinds is the command armature kinds, which lists the kinds of groups, and the page
// of the docs that has the same. Its main type is [Kind].
package kinds

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/generator/crd"
)

// Kind is a kind of a group.
type Kind struct {
	Group      string   `json:"group"`
	Kind       string   `json:"kind"`
	Plural     string   `json:"plural"`
	ShortNames []string `json:"shortNames"`
	// ARMType is ARM's type of the resource.
	ARMType string `json:"armType"`
	// Outputs are the kinds of objects into which the operator writes outputs.
	Outputs []string `json:"outputs"`
	// Versions are the API versions, those first that kubectl prefers.
	Versions []Version `json:"versions"`
}

// Version is an API version of a kind.
type Version struct {
	Name string `json:"name"`
	// APIVersion is ARM's name, or "" for an alias.
	APIVersion string `json:"apiVersion,omitempty"`
	// Served reports whether a release serves the version unless somebody chooses others.
	Served bool `json:"served"`
	// Default reports whether a client gets this version that names none.
	Default bool `json:"default"`
}

// Of returns the kinds with the names, or all kinds of the groups if there are no names.
func Of(names []string, groups ...*crd.Index) ([]Kind, error) {
	wanted := map[*crd.Summary]bool{}
	var errs []error
	for _, name := range names {
		found, err := crd.Find(name, groups...)
		wanted[found], errs = true, append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	choice, err := crd.ParseChoice(crd.DefaultChoice)
	if err != nil {
		return nil, err
	}
	kinds := []Kind{}
	for _, group := range groups {
		for _, s := range group.CRDs {
			if len(names) == 0 || wanted[s] {
				kinds = append(kinds, kindOf(s, s.Serve(choice)))
			}
		}
	}
	slices.SortFunc(kinds, func(a, b Kind) int { return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind)) })
	return kinds, nil
}

// kindOf returns the kind of a CRD, of which chosen is what is served.
func kindOf(s, chosen *crd.Summary) Kind {
	k := Kind{Group: s.Group(), Kind: s.Kind, Plural: s.Plural, ShortNames: append([]string{}, s.ShortNames...), ARMType: s.ARMType,
		Outputs: []string{}}
	if s.Outputs {
		k.Outputs = append(k.Outputs, "Secret", "ConfigMap")
	}
	for _, v := range s.Versions {
		if v.IsStored() {
			continue
		}
		served := slices.ContainsFunc(chosen.Versions, func(c crd.Version) bool { return c.Name == v.Name })
		k.Versions = append(k.Versions, Version{v.Name, v.APIVersion, served, served && len(k.served()) == 0})
	}
	return k
}

// served returns the names of the served versions, the default first.
func (k Kind) served() []string {
	var names []string
	for _, v := range k.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return names
}

// New returns the command for groups.
func New(groups []*crd.Index) *cobra.Command {
	var format program.Format
	c := &cobra.Command{
		Use:   "kinds [NAME...]",
		Short: "List kinds, their ARM types and their versions",
		Long: `List kinds, their ARM types and their versions: the one that a client gets that names none, the others that a release
serves unless somebody chooses others, and how many there are.

A kind goes by its name, its plural or a short name, and with its group behind a dot where several groups have the name.`,
		Example: `  armature kinds
  armature kinds rg storageaccounts --output json`,
		ValidArgsFunction: Complete(groups),
		RunE: func(c *cobra.Command, names []string) error {
			kinds, err := Of(names, groups...)
			if err != nil {
				return err
			}
			table := func(out io.Writer) error { return printTable(out, kinds) }
			return format.Print(c.OutOrStdout(), map[string]any{"kinds": kinds}, table)
		},
	}
	format.AddTo(c)
	return c
}

// Complete completes arguments that are kinds of groups.
func Complete(groups []*crd.Index) cobra.CompletionFunc {
	var names []string
	for _, group := range groups {
		for _, s := range group.CRDs {
			names = append(names, s.Kind)
		}
	}
	slices.Sort(names)
	return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
}

func printTable(out io.Writer, kinds []Kind) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "GROUP\tKIND\tSHORT NAMES\tARM TYPE\tDEFAULT\tALSO SERVED\tVERSIONS")
	for _, k := range kinds {
		served := k.served()
		first := min(1, len(served))
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%d\n", k.Group, k.Kind, list(k.ShortNames), k.ARMType, list(served[:first]),
			list(served[first:]), len(k.Versions))
	}
	return table.Flush()
}

// list returns words in one cell of a table.
func list(words []string) string { return cmp.Or(strings.Join(words, ","), "-") }
