package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

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
	byPath := map[string]*Property{}
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
		cells := property.cells(parent, versions)
		i := slices.IndexFunc(lines, func(l line) bool { return l.path == path && slices.Equal(l.cells, cells) })
		if i < 0 {
			i = len(lines)
			lines = append(lines, line{path: path, cells: cells})
		}
		lines[i].where = append(lines[i].where, half)
	}
	if len(lines) == 0 {
		p.printf("\nEvolution: all %d properties are the same at all versions.\n", same)
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
func (p *Property) cells(parent *Property, versions []string) []string {
	cells := make([]string, len(versions))
	last := -1    // the last span that began
	gone := false // whether an earlier cell says that the property is gone
	for i, v := range versions {
		now := slices.IndexFunc(p.Spans, func(s Span) bool { return s.From == v })
		switch {
		case now >= 0:
			cells[i] = p.beginning(last, now)
			last, gone = now, false
		case last < 0 || parent != nil && !parent.at(v):
		case p.at(v):
			cells[i] = "="
		case gone:
			cells[i] = "–"
		default:
			cells[i], gone = "gone", true
		}
		for _, review := range p.Reviews {
			if mark := review.mark(); review.Since == v && !strings.HasSuffix(cells[i], mark) {
				cells[i] = strings.TrimPrefix(cells[i]+" "+mark, " ")
			}
		}
	}
	return cells
}

// at reports whether a version has the property.
func (p *Property) at(version string) bool {
	return slices.ContainsFunc(p.Spans, func(s Span) bool {
		return naming.CompareVersions(s.From, version) <= 0 && naming.CompareVersions(version, s.To) <= 0
	})
}

func (r Review) mark() string {
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
func (p *Property) beginning(was, now int) string {
	s := p.Spans[now]
	full := s.Type
	if s.Required {
		full += ", required"
	}
	if s.Limits != "" {
		full += ", " + code(s.Limits)
	}
	newest := p.Path[strings.LastIndex(p.Path, ".")+1:]
	if was < 0 {
		if s.Name != "" {
			full = code(s.Name) + " " + full
		}
		return full
	}
	before := p.Spans[was]
	switch s.Back {
	case SameShape:
		return "back: " + full
	case AnotherShape:
		return "back with another shape: " + full
	case AnotherProperty:
		return "back as another property: " + full
	}
	var parts []string
	if before.Name != s.Name {
		name := s.Name
		if name == "" {
			name = newest
		}
		parts = append(parts, "now "+code(name))
	}
	switch {
	case before.Type != s.Type:
		parts = append(parts, s.Type)
	case before.typ != nil && s.typ != nil && !sameMembers(before.typ, s.typ):
		parts = append(parts, plain(membersText(before.typ, s.typ)))
	}
	if before.Required != s.Required {
		parts = append(parts, map[bool]string{true: "required", false: "optional"}[s.Required])
	}
	switch {
	case before.Limits == s.Limits:
	case s.Limits == "":
		parts = append(parts, "no limits")
	default:
		parts = append(parts, code(s.Limits))
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
			text := fmt.Sprintf("- %s %s in %s: %s; %s", review.mark(), code(review.Property), review.Since, plain(review.What),
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
