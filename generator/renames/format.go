package renames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/internal/bazel"
)

// Format returns findings as text for the person who assesses them. dir is the
// folder of the group. If assessed is set, the text includes the findings that
// are already assessed, with the reasons.
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
		fmt.Fprintf(&b, "%s: renames and moves in group.yaml explain every property that a later version lacks or has with another type.\n",
			dir)
		return b.String()
	case len(told) == 0:
		fmt.Fprintf(&b, "%s: everything is assessed. To see the assessed changes, run: %s -- --all\n", dir, bazel.Run("//"+dir+":renames"))
		return b.String()
	}
	fmt.Fprintf(&b, "%s: %s\nThe most likely renames come first. These are guesses: look at both specs, then paste "+
		"one of the entries into\n%[1]s/group.yaml, and run: %[3]s\n", dir, count(told),
		bazel.Run("//"+dir+":lock.update"))
	number := 0
	for len(told) > 0 {
		together := told[:1]
		for len(together) < len(told) && told[0].alike(told[len(together)]) {
			together = told[:len(together)+1]
		}
		number++
		fmt.Fprintf(&b, "\n%d. ", number)
		format(&b, together)
		told = told[len(together):]
	}
	return b.String()
}

// alike reports whether two findings without guesses differ in their properties
// only, so that they can be written together.
func (f *Finding) alike(o *Finding) bool {
	return len(f.Guesses)+len(o.Guesses)+len(f.Moves)+len(o.Moves) == 0 && f.Since == o.Since &&
		(f.What == plan.Removed) == (o.What == plan.Removed) && f.Reason == o.Reason && slices.Equal(f.Hints, o.Hints)
}

// count returns a sentence with the number of changes and of renames.
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
	text := fmt.Sprintf("changes that no person has assessed: %d", len(told)-assessed)
	if assessed > 0 {
		text += fmt.Sprintf(", that somebody has: %d", assessed)
	}
	return text + fmt.Sprintf(". Likely renames: %d, undecided: %d.", likely, undecided)
}

// format writes findings that are alike.
func format(b *strings.Builder, together []*Finding) {
	for i, f := range together {
		if i > 0 {
			b.WriteString("   ")
		}
		fmt.Fprintf(b, "%s\n", f.Text())
	}
	f := together[0]
	fmt.Fprintf(b, "   %s\n", f.verdict())
	if f.Reason != "" {
		fmt.Fprintf(b, "   assessed: %s\n", f.Reason)
	}
	for _, path := range f.Moves {
		fmt.Fprintf(b, "   * it may have moved to %s\n", path)
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
		f.formatRenames(b)
		formatRemovals(b, together)
	}
}

// verdict returns the finding as a sentence.
func (f *Finding) verdict() string {
	switch {
	case len(f.Guesses) > 0:
	case len(f.Moves) > 0:
		return "Perhaps a move."
	case f.What == plan.Removed:
		return "No new property is like it: likely a removal."
	default:
		return "The types differ too much for a rename: each version keeps its own value."
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

// formatRenames writes the entry to paste for each guess.
func (f *Finding) formatRenames(b *strings.Builder) {
	for i, g := range f.Guesses {
		entry := "the entry for a rename"
		if i > 0 {
			entry = "or, for " + g.To
		}
		fmt.Fprintf(b, "   %s:\n     changes:\n", entry)
		if g.FromType != "" {
			formatEntry(b, config.Change{Type: g.FromType, Since: f.Since, Renamed: g.ToType})
		}
		if g.To != nameOf(f.Property) {
			formatEntry(b, config.Change{Property: f.Property, Since: f.Since, Renamed: g.To})
		}
	}
	for _, path := range f.Moves {
		b.WriteString("   the entry for a move:\n     changes:\n")
		formatEntry(b, config.Change{Property: f.Property, Since: f.Since, Moved: path})
	}
}

// formatEntry writes an entry to paste.
func formatEntry(b *strings.Builder, c config.Change) { fmt.Fprintf(b, "       - %s\n", c.Entry()) }

// formatRemovals writes the entries to paste for changes that are right, with what the
// specs show as the reason. If the property may be elsewhere, the person has to write one.
func formatRemovals(b *strings.Builder, together []*Finding) {
	b.WriteString("   the entry for a change that is right, with the reason:\n     changes:\n")
	for _, f := range together {
		reason := ""
		if len(f.Guesses)+len(f.Moves) == 0 {
			reason = f.proposal()
		}
		formatEntry(b, config.Change{Property: f.Property, Since: f.Since, Removed: reason})
	}
}
