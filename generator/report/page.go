package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// maxLines is how many lines a page has at most, unless the tables of its kinds alone have
// more. What does not fit is in the JSON alone.
const maxLines = 400

// maxItems is how many items a list of the page has at most.
const maxItems = 20

// Page returns what a person reads of the report, in Markdown: what to do first, what is
// exported, and of the rest as much as fits. The page refers to graph.dot and report.json,
// files in the same folder.
func (r *Report) Page() []byte {
	p := &page{}
	p.printf("# %s\n\nMade from the specs of %s. `report.json` has all that this page leaves out, and "+
		"what becomes of\neach property between any two versions. ", r.Group, r.Provider)
	p.printf("[graph.dot](graph.dot) has which version converts with which:\n`dot -Tsvg` draws it.\n")
	p.first(r)
	p.exported(r)
	p.changes(r)
	end := &page{}
	end.waivers(r.Waivers)
	for _, section := range []struct {
		kind         ir.NoteKind
		title, intro string
	}{
		{ir.Approximated, "Approximated", "The Kubernetes API says less than the spec, or something else."},
		{ir.Skipped, "Skipped", "The spec has it, and the Kubernetes API does not."},
	} {
		end.findings(r, section.kind, fmt.Sprintf("## %s: %d", section.title, r.Counts[section.kind]), section.intro)
	}
	p.kinds(r, maxLines-p.lines()-end.lines())
	p.Write(end.Bytes())
	return p.Bytes()
}

// page collects Markdown.
type page struct{ bytes.Buffer }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func (p *page) lines() int { return bytes.Count(p.Bytes(), []byte{'\n'}) }

// tableRow prints a row of a table or its head. It escapes "|", which begins a cell
// even within code.
func (p *page) tableRow(cells ...string) {
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cell, "|", `\|`)
	}
	p.printf("| %s |\n", strings.Join(cells, " | "))
}

func (p *page) tableHead(cells ...string) {
	p.printf("\n")
	p.tableRow(cells...)
	p.printf("%s|\n", strings.Repeat("|---", len(cells)))
}

// folded prints a section that is closed until the reader opens it.
func (p *page) folded(summary string, inside func()) {
	p.printf("\n<details><summary>%s</summary>\n", summary)
	inside()
	p.printf("\n</details>\n")
}

// first prints what a person should do about the group.
func (p *page) first(r *Report) {
	p.printf("\n## What to do first\n")
	todo := p.lines()
	if n := r.Counts[ir.NotAssessed]; n > 0 {
		p.findings(r, ir.NotAssessed, "**Assess "+plural(n, "finding", "findings")+"**, because no person has. "+
			"The group's target `renames` sorts the changes, and has an entry of\ngroup.yaml for each; "+
			"what looks like a reference or a secret gets a mark there.", "")
	}
	var ending []string
	for _, resource := range r.Resources {
		for _, v := range resource.Versions {
			if v.Until != "" {
				ending = append(ending, fmt.Sprintf("%s of %s, which release %s no longer has", v.Name, resource.Kind, v.Until))
			}
		}
	}
	if len(ending) > 0 {
		p.printf("\n**Tell the clients** of versions that end:\n\n")
		p.items(ending)
	}
	if p.lines() == todo {
		p.printf("\nNothing: a person or a rule has assessed every change, and no version ends.\n")
	}
}

// items prints a list, of which a long one is cut.
func (p *page) items(all []string) {
	for i, item := range all {
		if i == maxItems {
			p.printf("- %s\n", more(len(all)-i))
			break
		}
		p.printf("- %s\n", item)
	}
}

func (p *page) exported(r *Report) {
	p.printf("\n## Exported\n")
	p.tableHead("kind", "ARM type", "hub", "versions", "properties", "that change")
	for _, resource := range r.Resources {
		changing := 0
		for _, property := range resource.Properties {
			if property.Changes {
				changing++
			}
		}
		p.tableRow(resource.Kind, resource.ARMType, resource.Hub, versionNames(resource.Distinct()),
			fmt.Sprint(len(resource.Properties)), fmt.Sprint(changing))
	}
}

func versionNames(versions []evolution.Version) string {
	var names []string
	for _, v := range versions {
		name := v.Name
		if v.Deprecated {
			name += " (deprecated)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// kinds prints a section for each kind that has something to say, as long as there is
// room, and names those for which there is none.
func (p *page) kinds(r *Report, room int) {
	const named = 2 // lines that name the others
	var others []string
	for _, resource := range r.Resources {
		section := &page{}
		section.resource(resource)
		n := section.lines()
		switch {
		case n == 0:
		case n+named <= room:
			p.Write(section.Bytes())
			room -= n
		default:
			others = append(others, resource.Kind)
		}
	}
	if len(others) > 0 {
		p.printf("\nMore would be too long here and is in report.json: %s.\n", strings.Join(others, ", "))
	}
}

// resource prints what changes about a kind, if anything does.
func (p *page) resource(r *Resource) {
	section := &page{}
	section.aliases(r)
	versions := r.Distinct()
	section.collections(r, len(versions))
	section.refusals(r, versions)
	section.evolution(r)
	if section.Len() > 0 {
		p.printf("\n## %s\n", r.Kind)
		p.Write(section.Bytes())
	}
}

func (p *page) aliases(r *Resource) {
	var aliases []string
	for _, v := range r.Versions {
		if v.AliasOf != "" {
			aliases = append(aliases, v.Name+" as "+v.AliasOf)
		}
	}
	if len(aliases) > 0 {
		p.printf("\nAliases convert as their twins do: %s.\n", strings.Join(aliases, ", "))
	}
}

// collections prints the lists whose elements are resources.
func (p *page) collections(r *Resource, versions int) {
	if len(r.Collections) == 0 {
		return
	}
	p.printf("\nThe elements of these lists are resources of their own, and a PUT can delete those that it leaves out:\n\n")
	for _, c := range r.Collections {
		in := strings.Join(c.Versions, ", ")
		if len(c.Versions) == versions {
			in = "all versions"
		}
		p.printf("- `%s`: %s, in %s\n", c.Path, c.Type, in)
	}
}

// refusals prints what versions demand of a Spec and others do not.
func (p *page) refusals(r *Resource, versions []evolution.Version) {
	if len(r.Refused) == 0 {
		return
	}
	label := map[string]string{}
	for _, v := range versions {
		label[v.Name] = v.APIVersion
	}
	p.folded(fmt.Sprintf("What a version demands and another one does not (%d)", len(r.Refused)), func() {
		p.tableHead("property", "at", "demanded", "not of objects from")
		for _, d := range r.Refused {
			self := slices.IndexFunc(versions, func(v evolution.Version) bool { return v.Name == d.At })
			of := make([]bool, len(versions))
			for i, v := range versions {
				of[i] = slices.Contains(d.Of, v.Name)
			}
			_, path, _ := strings.Cut(d.Path, ".")
			p.tableRow(code(path), label[d.At], code(d.What), runs(of, self, versions))
		}
	})
}

// code returns a path as Markdown code, and "(all)" for the empty path. The code
// ends at as many backquotes as it begins with, more than there are in the text.
func code(path string) string {
	if path == "" {
		return "(all)"
	}
	path, fence := line(path), "`"
	for strings.Contains(path, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		path = " " + path + " "
	}
	return fence + path + fence
}

// markup has the characters of a text that could be markup, or end it.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "<", "&lt;", "&", "&amp;", "](", `]\(`)

// plain returns a text that may have come out of a spec as Markdown that shows it.
func plain(text string) string { return markup.Replace(line(text)) }

// line returns a text on one line, without invisible characters.
func line(text string) string { return strings.Join(strings.Fields(naming.Visible(text)), " ") }

// runs returns the versions at which something holds, with runs of them cut to
// their ends. It passes over self, which does not end a run.
func runs(at []bool, self int, versions []evolution.Version) string {
	all, older, newer := true, true, true
	for i, is := range at {
		if i == self {
			continue
		}
		all = all && is
		older = older && is == (i < self)
		newer = newer && is == (i > self)
	}
	switch {
	case all:
		return "all"
	case older && self > 1:
		return "all older"
	case newer && self < len(at)-2:
		return "all newer"
	}
	var parts []string
	for i := 0; i < len(at); i++ {
		if !at[i] {
			continue
		}
		last := i
		for j := i + 1; j < len(at) && (at[j] || j == self); j++ {
			if at[j] {
				last = j
			}
		}
		text := versions[i].APIVersion
		switch {
		case last == i+1:
			text += ", " + versions[last].APIVersion
		case last > i:
			text += " … " + versions[last].APIVersion
		}
		parts = append(parts, text)
		i = last
	}
	return strings.Join(parts, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n) + " " + many
}

func (p *page) waivers(waivers []Waiver) {
	p.printf("\n## Waived: %d\n\nA law of the conversions does not hold for a property, and a person has said why "+
		"that is right.\n", len(waivers))
	if len(waivers) == 0 {
		return
	}
	p.tableHead("law", "property", "packages", "reason")
	for i, w := range waivers {
		if i == maxItems {
			p.printf("\n%s\n", more(len(waivers)-i))
			break
		}
		p.tableRow(w.Law, code(w.Property), strings.Join(w.Packages, ", "), plain(w.Reason))
	}
}

// more returns the end of a list that is cut.
func more(n int) string { return fmt.Sprintf("%d more", n) }

// findings prints a list of findings of a kind, if there are any.
func (p *page) findings(r *Report, kind ir.NoteKind, title, intro string) {
	p.printf("\n%s\n", title)
	if intro != "" {
		p.printf("\n%s\n", intro)
	}
	printed := 0
	for _, f := range r.Findings {
		if f.Kind != kind {
			continue
		}
		if printed == maxItems {
			p.printf("\n- %s\n", more(r.Counts[kind]-printed))
			break
		}
		p.finding(f)
		printed++
	}
}

// finding prints a finding as one item: what, why, at which versions, and its
// place in the spec of the newest of them.
func (p *page) finding(f Finding) {
	var versions []string
	for _, place := range f.Places {
		if len(versions) == 0 || versions[len(versions)-1] != place.APIVersion {
			versions = append(versions, place.APIVersion)
		}
	}
	p.printf("\n- ")
	if f.Subject != "" {
		p.printf("**%s**: ", plain(f.Subject))
	}
	p.printf("%s (%s)", plain(f.Reason), strings.Join(versions, ", "))
	if newest := f.Places[len(f.Places)-1]; newest.File != "" {
		p.printf("\n  %s", code(newest.File+"#"+newest.Pointer))
	}
	p.printf("\n")
}
