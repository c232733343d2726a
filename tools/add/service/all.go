package service

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// AddAll adds groups of providers, one after the other, since they share files, and writes a report in Markdown to w.
// If none are given it adds all that have no group yet. A provider of which no group can be made does not stop the
// others. progress gets the name of each provider.
func AddAll(r Request, providers []string, dryRun bool, w, progress io.Writer) error {
	if err := r.Specs.usable(r.Repository); err != nil {
		return err
	}
	if len(providers) == 0 {
		all, err := r.Specs.Providers()
		if err != nil {
			return err
		}
		groups, err := r.providers()
		if err != nil {
			return err
		}
		providers = slices.DeleteFunc(all, func(provider string) bool { return len(groups[provider]) > 0 })
	}
	r.unread = true
	var changes []*Change
	var none []string
	var errs []error
	for n, provider := range providers {
		fmt.Fprintf(progress, "%d/%d %s\n", n+1, len(providers), provider)
		r.Provider = provider
		change, err := Plan(r)
		if err == nil && !dryRun {
			err = change.Write(r.Root)
		}
		if noTypes := new(NoTypesError); errors.As(err, &noTypes) {
			none = append(none, noTypes.Provider)
		} else if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", provider, err))
		} else {
			changes = append(changes, change)
		}
	}
	reportNew(w, changes, none)
	return errors.Join(errs...)
}

// reportNew writes what new groups are, and what a person would have to look at in each. None has the providers of
// which nothing can be created.
func reportNew(w io.Writer, changes []*Change, none []string) {
	kinds, versions := 0, 0
	for _, c := range changes {
		kinds, versions = kinds+len(c.Kinds), versions+len(c.Versions)
	}
	fmt.Fprintf(w, "# %s, with %s at %s\n\n", count(len(changes), "new group", "new groups"), count(kinds, "kind", "kinds"),
		count(versions, "version", "versions"))
	if len(changes) > 0 {
		fmt.Fprintf(w, "Evidence has decided what it can. The rest is for a person, who finds it as questions in the group.yaml of a\n"+
			"group: decide before somebody stores objects of it, because references and secrets change what is stored.\n\n")
		fmt.Fprintln(w, "| provider | group | kinds | versions | decided | properties to decide | outputs | untyped | kinds to name | "+
			"disappearing properties |")
		fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	}
	for _, c := range changes {
		fmt.Fprintf(w, "| %s | %s | %d | %s |", c.provider, c.Group, len(c.Kinds), strings.Join(c.Versions, ", "))
		open := c.Undecided
		for _, n := range []int{len(c.proposals) - open.Properties, open.Properties, open.Outputs, open.Untyped, open.Kinds, c.removals} {
			if n > 0 {
				fmt.Fprintf(w, " %d", n)
			}
			fmt.Fprint(w, " |")
		}
		fmt.Fprintln(w)
	}
	if len(none) > 0 {
		fmt.Fprintf(w, "\nNo resource that a PUT creates is described of %s.\n", strings.Join(none, ", "))
	}
}

// UpdateAll updates all groups, one after the other, since they share files, and writes a report in Markdown to w.
// A group that cannot be updated stays as it is, and does not stop the others. progress gets the name of each group.
func UpdateAll(u Update, dryRun bool, w, progress io.Writer) error {
	names, err := u.groups()
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		_, err := os.Stat(u.path(u.folder() + "/" + name + "/group.yaml"))
		return err != nil
	})
	var changes []*Change
	var errs []error
	for n, name := range names {
		fmt.Fprintf(progress, "%d/%d %s\n", n+1, len(names), name)
		u.Group = name
		change, err := PlanUpdate(u)
		if err == nil && !dryRun {
			err = change.Write(u.Root)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		changes = append(changes, change)
	}
	report(w, changes)
	return errors.Join(errs...)
}

// report writes what updates mean: a table of all groups that change, and below it what a person has to decide and what
// breaks, group by group.
func report(w io.Writer, changes []*Change) {
	changed := slices.DeleteFunc(slices.Clone(changes), func(c *Change) bool { return len(c.Files) == 0 })
	fmt.Fprintf(w, "# An update of %s\n\n", count(len(changes), "group", "groups"))
	if len(changed) == 0 {
		fmt.Fprintln(w, "All of them have the newest versions of the specs.")
	} else {
		fmt.Fprintf(w, "%s. The others have the newest versions of the specs.\n\n", count(len(changed), "changes", "change"))
		fmt.Fprintln(w, "| group | new versions | versions with other facts | disappearing properties | to decide |")
		fmt.Fprintln(w, "|---|---|---|---|---|")
	}
	for _, c := range changed {
		disappear, open := "", ""
		if c.removals > 0 {
			disappear = fmt.Sprint(c.removals)
		}
		if n := c.Undecided.Properties + c.Undecided.Outputs + c.Undecided.Untyped + c.Undecided.Kinds; n > 0 {
			open = fmt.Sprint(n)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", c.Group, strings.Join(c.added, ", "), strings.Join(c.facts, ", "), disappear, open)
	}
	for _, c := range changes {
		var text strings.Builder
		if c.Print(&text); len(c.Files) > 0 || len(c.kept) > 0 {
			fmt.Fprintf(w, "\n## %s\n\n```\n%s```\n", c.Group, text.String())
		}
	}
}
