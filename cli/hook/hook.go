// Package hook is the command armature hook, which prints hooks that do nothing yet.
package hook

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/cli/catalog"
	"github.com/armature-dev/armature/cli/kinds"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// New returns the command.
func New(all *catalog.Catalog) *cobra.Command {
	var between, types []string
	var list bool
	c := &cobra.Command{
		Use:   "hook KIND --between VERSION VERSION",
		Short: "Print a file with hooks that do nothing yet",
		Long: `Print a Go file with the hooks that the conversion of a kind between two versions may have: those of its Spec and its
Status, or of other types, without those that are written already. It compiles and does nothing. Where it belongs is said
on the standard error.

A version goes by its name in Kubernetes or in ARM. The two are neighbours: they convert with each other directly, each by
its storage version. An API version and its own storage version are neighbours too.`,
		Example: `  armature hook Redis --between 2020-06-01 2020-12-01 >redis.go
  armature hook Redis --between v20200601 v20201201 --type ScheduleEntry
  armature hook Redis --between v20200601 v20200601storage --list`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: kinds.Complete(all.Indexes),
		RunE: func(c *cobra.Command, arguments []string) error {
			versions := slices.Concat(between, arguments[1:])
			if len(versions) != 2 {
				return fmt.Errorf("--between: found %d versions, expected two", len(versions))
			}
			kind, err := crd.Find(arguments[0], all.Indexes...)
			if err != nil {
				return err
			}
			links, err := linksOf(all, kind.Group())
			if err != nil {
				return err
			}
			link, err := newWays(links, kind.Kind).between(versions[0], versions[1])
			if err != nil {
				return err
			}
			if list {
				return printHooks(c, emit.Assignables, link, link.Hooks())
			}
			if len(types) == 0 {
				types = []string{naming.Spec(kind.Kind), naming.Status(kind.Kind)}
			}
			hooks, err := unwritten(link, types)
			if err != nil {
				return err
			}
			if err := printHooks(c, emit.HookFile, link, hooks); err != nil {
				return err
			}
			c.PrintErrf("It belongs in a file such as %s/augment/%s/%s.go, and %[1]s/BUILD.bazel has\n"+
				"    augment = glob([\"augment/**/*.go\"]),\n", links.Dir, link.Package, strings.ToLower(kind.Kind))
			return nil
		},
	}
	c.Flags().StringSliceVar(&between, "between", nil, "the two `VERSION`s between which the hooks convert")
	c.Flags().StringSliceVar(&types, "type", nil, "a `TYPE` to have hooks, in place of the Spec and the Status; --list has all")
	c.Flags().BoolVar(&list, "list", false, "print the interfaces of all types that may have hooks")
	c.MarkFlagsMutuallyExclusive("type", "list")
	return c
}

// printHooks prints a file with hooks.
func printHooks(c *cobra.Command, file func(*plan.Link, []plan.Hook) ([]byte, error), l *plan.Link, hooks []plan.Hook) error {
	text, err := file(l, hooks)
	if err == nil {
		_, err = c.OutOrStdout().Write(text)
	}
	return err
}

// unwritten returns the hooks that types may have and that nobody has written.
func unwritten(l *plan.Link, types []string) ([]plan.Hook, error) {
	var hooks []plan.Hook
	var known []string
	for _, h := range l.Hooks() {
		known = append(known, h.Type)
		if slices.Contains(types, h.Type) && !slices.Contains(l.Written, h) {
			hooks = append(hooks, h)
		}
	}
	var errs []error
	for _, typ := range types {
		if !slices.Contains(known, typ) {
			errs = append(errs, fmt.Errorf("--type: %s has no type %s that converts with %s%s", l.Package, typ, l.Neighbour,
				diag.DidYouMean(typ, known)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(hooks) == 0 {
		return nil, fmt.Errorf("the hooks of %s are written, in the folder augment/%s: expected other types, which --list lists",
			strings.Join(types, " and "), l.Package)
	}
	return hooks, nil
}

// linksOf returns the links of a group.
func linksOf(c *catalog.Catalog, group string) (*plan.Links, error) {
	text, err := fs.ReadFile(c.Folders[group], catalog.LinksFile)
	if err != nil {
		return nil, err
	}
	return plan.DecodeLinks(text)
}

// ways are the links over which a kind converts.
type ways struct {
	kind  string
	links []*plan.Link
	next  map[string]string // from a storage package to the next
	names map[string]string // of packages, by their names in Kubernetes and in ARM
}

func newWays(all *plan.Links, kind string) *ways {
	w := &ways{kind: kind, next: map[string]string{}, names: map[string]string{}}
	for i := range all.Links {
		l := &all.Links[i]
		if !slices.Contains(l.Kinds, kind) {
			continue
		}
		w.links = append(w.links, l)
		w.names[l.Package], w.names[l.Neighbour] = l.Package, l.Neighbour
		if apiversion.Storage(l.Package) == l.Neighbour {
			w.names[l.APIVersion] = l.Package
		} else {
			w.next[l.Package] = l.Neighbour
		}
	}
	return w
}

// between returns the link between two versions. The name of an API version means the
// storage version behind it, unless the other one is this storage version.
func (w *ways) between(a, b string) (*plan.Link, error) {
	var errs []error
	for _, name := range []string{a, b} {
		if w.names[name] == "" {
			errs = append(errs, fmt.Errorf("--between: %s has no version %s%s", w.kind, name,
				diag.DidYouMean(name, slices.Sorted(maps.Keys(w.names)))))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	x, y := w.names[a], w.names[b]
	for range 2 {
		for _, l := range w.links {
			if ends := []string{l.Package, l.Neighbour}; x != y && slices.Contains(ends, x) && slices.Contains(ends, y) {
				return l, nil
			}
		}
		x, y = w.behind(x), w.behind(y)
	}
	if x == y {
		return nil, fmt.Errorf("--between: %s and %s are one version, expected two", a, b)
	}
	return nil, fmt.Errorf("--between: %s and %s of %s do not convert with each other directly: expected two that are side by side in %s",
		a, b, w.kind, strings.Join(w.route(x, y), ", "))
}

// behind returns the storage package behind an API package that has types of its own there,
// and any other package itself.
func (w *ways) behind(pkg string) string { return cmp.Or(w.names[apiversion.Storage(pkg)], pkg) }

// route returns the versions from one storage package to another, without the way beyond
// the package where their ways to the hub meet.
func (w *ways) route(x, y string) []string {
	var up, down []string
	for ; x != ""; x = w.next[x] {
		up = append(up, x)
	}
	for ; !slices.Contains(up, y); y = w.next[y] {
		down = append(down, y)
	}
	up = up[:slices.Index(up, y)+1]
	slices.Reverse(down)
	names := slices.Concat(up, down)
	for i, name := range names {
		names[i], _ = apiversion.CutStorage(name)
	}
	return names
}
