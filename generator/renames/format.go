package renames

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/plan"
)

// Format writes findings for the person who assesses them. dir is the group's
// folder. With assessed it has also what a person assessed, and why.
func Format(findings []*Finding, dir string, assessed bool) string {
	var told []*Finding
	for _, f := range findings {
		if f.Reason == "" || assessed {
			told = append(told, f)
		}
	}
	var b strings.Builder
	switch {
	case len(told) == 0 && assessed:
		fmt.Fprintf(&b, "%s: no property is lacking in a later version, or has another type there, that no rename in group.yaml explains.\n", dir)
		return b.String()
	case len(told) == 0:
		fmt.Fprintf(&b, "%s: everything is assessed. What was: bazel run //%[1]s:renames -- --all\n", dir)
		return b.String()
	}
	fmt.Fprintf(&b, "%s: %s\nThe likeliest renames come first. These are guesses: look at both specs, then paste one of the entries into\n%[1]s/group.yaml, and run: bazel run //%[1]s:lock.update\n", dir, count(told))
	for i, f := range told {
		fmt.Fprintf(&b, "\n%d. ", i+1)
		f.format(&b)
	}
	return b.String()
}

// count says how many changes there are, and how many have guesses.
func count(told []*Finding) string {
	likely, undecided, assessed := 0, 0, 0
	for _, f := range told {
		if f.Reason != "" {
			assessed++
		}
		switch {
		case f.Likely():
			likely++
		case f.Undecided && len(f.Guesses) > 0:
			undecided++
		}
	}
	text := fmt.Sprintf("changes that nobody has assessed: %d", len(told)-assessed)
	if assessed > 0 {
		text += fmt.Sprintf(", that somebody has: %d", assessed)
	}
	return text + fmt.Sprintf(". Likely renames: %d, undecided: %d.", likely, undecided)
}

func (f *Finding) format(b *strings.Builder) {
	fmt.Fprintf(b, "%s of %s ", f.Property, f.Older)
	if f.What == plan.Removed {
		fmt.Fprintf(b, "is not in %s", f.Since)
	} else {
		fmt.Fprintf(b, "has another type in %s: %s", f.Since, f.What)
	}
	fmt.Fprintf(b, "\n   %s\n", f.verdict())
	if f.Reason != "" {
		fmt.Fprintf(b, "   assessed: %s\n", f.Reason)
	}
	for _, hint := range f.Hints {
		fmt.Fprintf(b, "   * %s\n", hint)
	}
	for i, g := range f.Guesses {
		if i > 0 {
			fmt.Fprintf(b, "   %s? (%d of 100)\n", g.To, g.Score)
		}
		for _, words := range g.For {
			fmt.Fprintf(b, "   + %s\n", words)
		}
		for _, words := range g.Against {
			fmt.Fprintf(b, "   - %s\n", words)
		}
	}
	if f.Reason == "" {
		f.formatEntries(b)
	}
}

// verdict is the finding in a sentence.
func (f *Finding) verdict() string {
	switch {
	case len(f.Guesses) > 0:
	case f.What == plan.Removed:
		return "Nothing that came is like it: likely a removal."
	default:
		return "The types are too unlike for a rename: each version keeps a value of its own."
	}
	g := f.Guesses[0]
	what := "the property is now " + g.To
	if g.To == nameOf(f.Property) {
		what = fmt.Sprintf("the type %s is now %s", g.FromType, g.ToType)
	} else if g.FromType != "" {
		what += fmt.Sprintf(", and its type %s is now %s", g.FromType, g.ToType)
	}
	switch {
	case f.Undecided && len(f.Guesses) > 1 && g.Score-f.Guesses[1].Score < near:
		return fmt.Sprintf("Undecided: %s (%d of 100), or %s (%d), or it was removed.", what, g.Score, f.Guesses[1].To, f.Guesses[1].Score)
	case f.Undecided:
		return fmt.Sprintf("Undecided: %s (%d of 100), or another is.", what, g.Score)
	case f.Likely():
		return fmt.Sprintf("Likely a rename: %s (%d of 100).", what, g.Score)
	}
	return fmt.Sprintf("Perhaps a rename: %s (%d of 100).", what, g.Score)
}

// formatEntries writes what to paste: one entry for each guess, and the removal.
func (f *Finding) formatEntries(b *strings.Builder) {
	for i, g := range f.Guesses {
		entry := "the entry for a rename"
		if i > 0 {
			entry = "or, for " + g.To
		}
		fmt.Fprintf(b, "   %s:\n     renames:\n", entry)
		if g.FromType != "" {
			fmt.Fprintf(b, "       types:\n         - {from: %s, to: %s, since: %q}\n", g.FromType, g.ToType, f.Since)
		}
		if g.To != nameOf(f.Property) {
			fmt.Fprintf(b, "       properties:\n         - {type: %s, from: %s, to: %s, since: %q}\n", typeOf(f.Property), nameOf(f.Property), g.To, f.Since)
		}
	}
	fmt.Fprintf(b, "   the entry for a change that is right, with the reason:\n     removals:\n       - {property: %s, since: %q, reason: \"\"}\n", f.Property, f.Since)
}
