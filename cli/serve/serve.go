// Package serve is the command armature serve, which chooses what the CRDs of a
// release serve.
package serve

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	target "github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
)

// serving says what the CRDs of a release serve.
type serving struct {
	release       string // the folder
	groups, kinds []string
	choice        string
	dryRun        bool
	// cluster returns the cluster to check, or nil if nothing is installed.
	cluster func() (*cluster, error)
}

// New returns the command.
func New() *cobra.Command {
	s := &serving{}
	isNew := false
	var of target.Flags
	c := &cobra.Command{
		Use:   "serve RELEASE",
		Short: "Choose what the CRDs of a release serve, and see what that costs",
		Long: `Choose the groups, kinds and API versions that the CRDs of a release serve, and see what that costs an API server.

It changes the CRDs in the folder of the release, which you apply next. All versions stay in the webhook: objects that were
written at any of them can be read at those that are served, and an operator sends them to ARM at the version that they ask
for.

It looks in the cluster for whatever uses a version that is served there and would not be served any longer: stored objects,
managed fields, references of owners, and what kubectl apply last applied. If it finds any, it names them and changes
nothing.

Where the cluster has a newer release, it keeps the versions of that which are used, as the cluster has them, so that this
release can be applied on the way back. While there are such versions, the webhook of the newer release has to stay.`,
		Example: `  armature serve release
  armature serve release --groups cache,storage --serve newest=1,2020-06-01
  armature serve release --kinds 'Redis*' --serve all --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.release = args[0]
			s.cluster = func() (*cluster, error) {
				if isNew {
					return nil, nil
				}
				config, err := of.Config()
				if err != nil {
					return nil, fmt.Errorf("%w; if the groups are installed nowhere yet, say so with --new", err)
				}
				return newCluster(config)
			}
			return s.run(cmd)
		},
	}
	flags := c.Flags()
	flags.StringSliceVar(&s.groups, "groups", nil, "`NAMES` of groups, such as cache; the others stay as they are; default: all groups")
	flags.StringSliceVar(&s.kinds, "kinds", nil,
		"`NAMES` of kinds to have, as for kubectl, or patterns such as Redis*; default: all kinds of the groups")
	flags.StringVar(&s.choice, "serve", crd.DefaultChoice,
		"`VERSIONS` to serve of each kind: newest=N for the newest N stable ones and the newest preview, if that "+
			"is newer, others such as 2020-06-01 after commas, and former for an operator of the release before; or all")
	of.AddTo(c)
	flags.BoolVar(&isNew, "new", false, "look at no cluster, because the groups are installed nowhere yet")
	flags.BoolVar(&s.dryRun, "dry-run", false, "change nothing")
	return c
}

// group is a group of the release: the kinds with all versions, and with what they are to serve.
type group struct {
	name        string
	all, chosen *crd.Folder
}

// run prints the price, looks for users of versions that would not be served any
// longer, and changes the release.
func (s *serving) run(cmd *cobra.Command) error {
	groups, err := s.choose()
	if err != nil {
		return err
	}
	if err := printPrices(cmd.OutOrStdout(), groups); err != nil {
		return err
	}
	cluster, err := s.cluster()
	if err != nil {
		return err
	}
	var o outcome
	if cluster != nil {
		var all, chosen []*crd.Summary
		for _, g := range groups {
			all, chosen = append(all, g.all.CRDs...), append(chosen, g.chosen.CRDs...)
		}
		if o, err = cluster.check(cmd.Context(), chosen, all); err != nil {
			return err
		}
	}
	o.print(cmd.OutOrStdout())
	if s.dryRun {
		return nil
	}
	for _, g := range groups {
		if err := s.write(g, o); err != nil {
			return err
		}
	}
	return nil
}

// print says what becomes of versions in the cluster.
func (o outcome) print(out io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(o.stopped)) {
		if versions := o.stopped[name]; len(versions) > 0 {
			fmt.Fprintf(out, "%s is not used at %s, which it serves no longer\n", name, strings.Join(versions, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.kept)) {
		for _, v := range o.kept[name] {
			fmt.Fprintf(out, "%s keeps %s, which this release does not have: it is used in %s\n", name, v.Name, strings.Join(v.Uses, "; "))
		}
	}
	if len(o.kept) > 0 {
		fmt.Fprintln(out, "so the webhook of the newer release has to stay (docs/upgrades.md)")
	}
}

// choose returns the chosen groups with what they are to serve.
func (s *serving) choose() ([]group, error) {
	choice, err := crd.ParseChoice(s.choice)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(s.release, "base", "groups"))
	if err != nil {
		return nil, fmt.Errorf("%s is not the folder of a release: %w", s.release, err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	var errs diag.List
	for _, name := range s.groups {
		if !slices.Contains(names, name) {
			errs.Addf("", 0, 0, "the release has no group %s%s; it has %s", name, diag.DidYouMean(name, names), strings.Join(names, ", "))
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	var all []*crd.Index
	var groups []group
	for _, name := range names {
		if len(s.groups) > 0 && !slices.Contains(s.groups, name) {
			continue
		}
		folder, err := crd.ReadFolder(filepath.Join(s.release, "base", "groups", name, crd.AllVersions))
		if err != nil {
			return nil, err
		}
		all = append(all, &folder.Index)
		if some := folder.Of(s.kinds); len(some.CRDs) > 0 {
			groups = append(groups, group{name, some, some.Serve(choice)})
		}
	}
	errs.Merge(crd.CheckKinds(s.kinds, all...))
	for _, name := range choice.Unknown(all...) {
		errs.Addf("", 0, 0, "no kind has a version %s", name)
	}
	return groups, errs.Err()
}

// printPrices prints what each group costs, and all of them.
func printPrices(out io.Writer, groups []group) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "group\tkinds\tversions\tKB in etcd\tMB of memory\tMB at the peak\t")
	var sum crd.Price
	kinds := 0
	line := func(name string, kinds int, p crd.Price) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t\n", name, kinds, p.Versions, p.Bytes/1000, p.Live(), p.Peak())
	}
	for _, g := range groups {
		line(g.name, len(g.chosen.CRDs), g.chosen.Price())
		sum, kinds = sum.Plus(g.chosen.Price()), kinds+len(g.chosen.CRDs)
	}
	line("all", kinds, sum)
	if err := table.Flush(); err != nil {
		return err
	}
	if warning := sum.Warning(); warning != "" {
		fmt.Fprintf(out, "warning: %s; serve fewer versions or groups (docs/upgrades.md)\n", warning)
	}
	return nil
}

// write changes the CRDs of a group, and names in each the versions that it stops
// serving. It writes each file beside its place first, so that none is half written.
func (s *serving) write(g group, o outcome) error {
	folder := filepath.Join(s.release, "base", "groups", g.name, "crds")
	files, err := g.chosen.Files(o.stopped, o.kept)
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*_*.yaml"))
	if err != nil {
		return err
	}
	for name, text := range files {
		place := filepath.Join(folder, name)
		if err := errors.Join(os.WriteFile(place+".new", text, 0o644), os.Rename(place+".new", place)); err != nil {
			return err
		}
	}
	for _, file := range old {
		if _, kept := files[filepath.Base(file)]; !kept {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}
