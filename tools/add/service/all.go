package service

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

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
