package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// changes prints how many properties of each kind come, go and change at each version,
// compared with the version before that has the kind.
func (p *page) changes(r *Report) {
	var versions []string
	for _, resource := range r.Resources {
		for _, v := range resource.Distinct() {
			if !slices.Contains(versions, v.APIVersion) {
				versions = append(versions, v.APIVersion)
			}
		}
	}
	slices.SortFunc(versions, naming.CompareVersions)
	printed := false
	for _, resource := range r.Resources {
		counts := resource.Steps()
		cells := make([]string, len(versions))
		for i, v := range versions {
			if c, known := counts[v]; known {
				cells[i] = text(c)
			}
		}
		if len(counts) == 0 {
			continue
		}
		if !printed {
			p.printf("\n## What changes\n\nProperties that come (+), go (−) and change (~) at a version, compared with the one before " +
				"it; `=` if none do.\nBelow are these of the kinds for which there is room. There `=` means as before, ✓ " +
				"assessed in group.yaml or by a rule,\n**?** by a tool alone, and **✗** not assessed.\n")
			p.tableHead(append([]string{"kind"}, versions...)...)
			printed = true
		}
		p.tableRow(append([]string{resource.Kind}, cells...)...)
	}
}

// text returns the counts of a version, such as "+3 −1 ~2".
func text(c evolution.Step) string {
	var parts []string
	for _, n := range []struct {
		sign  string
		count int
	}{{"+", c.Came}, {"−", c.Went}, {"~", c.Changed}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprint(n.sign, n.count))
		}
	}
	return cmp.Or(strings.Join(parts, " "), "=")
}

// evolution prints the properties that change, by version.
func (p *page) evolution(r *Resource) {
	var versions []string
	for _, v := range r.Versions {
		if !slices.Contains(versions, v.APIVersion) {
			versions = append(versions, v.APIVersion)
		}
	}
	type line struct {
		path  string
		where []string
		cells []string
	}
	var lines []line
	byPath := map[string]*evolution.Property{}
	for _, property := range r.Properties {
		byPath[property.Path] = property
	}
	same := 0
	for _, property := range r.Properties {
		if !property.Changes {
			same++
			continue
		}
		half, path, _ := strings.Cut(property.Path, ".")
		parent := byPath[property.Path[:strings.LastIndex(property.Path, ".")]]
		cells := cells(property, parent, versions)
		i := slices.IndexFunc(lines, func(l line) bool { return l.path == path && slices.Equal(l.cells, cells) })
		if i < 0 {
			i = len(lines)
			lines = append(lines, line{path: path, cells: cells})
		}
		lines[i].where = append(lines[i].where, half)
	}
	if len(lines) == 0 {
		return
	}
	slices.SortStableFunc(lines, func(a, b line) int { return strings.Compare(a.path, b.path) })
	p.folded(fmt.Sprintf("Evolution: %s, %d never", plural(len(r.Properties)-same, "property changes", "properties change"), same), func() {
		p.tableHead(append([]string{"property", "in"}, versions...)...)
		for _, l := range lines {
			p.tableRow(append([]string{code(l.path), strings.Join(l.where, ", ")}, l.cells...)...)
		}
		p.reasons(r)
	})
}

// cells returns a text for each version: what is new about the property there.
// The text is empty before the property first appears and where the property's
// parent is absent.
func cells(p, parent *evolution.Property, versions []string) []string {
	cells := make([]string, len(versions))
	last := -1    // the last span that began
	gone := false // whether an earlier cell says that the property is gone
	for i, v := range versions {
		now := slices.IndexFunc(p.Spans, func(s evolution.Span) bool { return s.From == v })
		switch {
		case now >= 0:
			cells[i] = beginning(p, last, now)
			last, gone = now, false
		case last < 0 || parent != nil && !parent.At(v):
		case p.At(v):
			cells[i] = "="
		case gone:
			cells[i] = "–"
		default:
			cells[i], gone = "gone", true
		}
		for _, review := range p.Reviews {
			if mark := mark(review); review.Since == v && !strings.HasSuffix(cells[i], mark) {
				cells[i] = strings.TrimPrefix(cells[i]+" "+mark, " ")
			}
		}
	}
	return cells
}

// mark returns the sign of how a change was assessed.
func mark(r evolution.Review) string {
	switch r.By {
	case plan.Nobody:
		return "**✗**"
	case plan.Tool:
		return "**?**"
	}
	return "✓"
}

// beginning returns what is new in the span now, compared with the span was, or
// everything if was is negative.
func beginning(p *evolution.Property, was, now int) string {
	s := p.Spans[now]
	full := s.Type
	if s.Required {
		full += ", required"
	}
	if s.Limits != "" {
		full += ", " + code(s.Limits)
	}
	if was < 0 {
		if s.Name != "" {
			full = code(s.Name) + " " + full
		}
		return full
	}
	switch s.Back {
	case evolution.SameShape:
		return "back: " + full
	case evolution.AnotherShape:
		return "back with another shape: " + full
	case evolution.AnotherProperty:
		return "back as another property: " + full
	}
	differences := p.Differences(was, now)
	var parts []string
	for _, d := range []struct {
		evolution.Difference
		text func(string) string
	}{
		{evolution.Renamed, func(name string) string { return "now " + code(name) }},
		{evolution.Retyped, func(text string) string { return text }},
		{evolution.Values, plain},
		{evolution.Required, plain},
		{evolution.Optional, plain},
		{evolution.Limits, func(text string) string {
			if s.Limits == "" {
				return text
			}
			return code(text)
		}},
	} {
		if text, differs := differences[d.Difference]; differs {
			parts = append(parts, d.text(text))
		}
	}
	if len(parts) == 0 {
		return s.Type
	}
	return strings.Join(parts, ", ")
}

// reasons prints the changes that are assessed. The others have a section of their own.
func (p *page) reasons(r *Resource) {
	var reasons []string
	for _, property := range r.Properties {
		for _, review := range property.Reviews {
			text := fmt.Sprintf("- %s %s in %s: %s; %s", mark(review), code(review.Property), review.Since, plain(review.What),
				plain(review.Reason))
			if review.By != plan.Nobody && !slices.Contains(reasons, text) {
				reasons = append(reasons, text)
			}
		}
	}
	if len(reasons) > 0 {
		p.printf("\n%s\n", strings.Join(reasons, "\n"))
	}
}
