package report

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// Page returns the report in Markdown. The page refers to graph.dot, a file in
// the same folder.
func (r *Report) Page() []byte {
	p := &page{}
	p.printf("# %s\n\nMade from the specs of %s.\n\n", r.Group, r.Provider)
	p.printf("[graph.dot](graph.dot) has which version converts with which: `dot -Tsvg` draws it.\n")
	p.summary(r)
	p.legend()
	for _, resource := range r.Resources {
		p.resource(resource)
	}
	p.waivers(r.Waivers)
	for _, section := range []struct {
		kind         ir.NoteKind
		title, intro string
	}{
		{ir.Approximated, "Approximated", "The Kubernetes API says less than the spec, or something else."},
		{ir.Skipped, "Skipped", "The spec has it, and the Kubernetes API does not."},
		{ir.NotAssessed, "Not assessed", "A person should assess the change, and none has."},
	} {
		p.printf("\n## %s: %d\n\n%s\n", section.title, r.Counts[section.kind], section.intro)
		for _, f := range r.Findings {
			if f.Kind == section.kind {
				p.finding(f)
			}
		}
	}
	return p.Bytes()
}

// page collects Markdown.
type page struct{ bytes.Buffer }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

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

func (p *page) summary(r *Report) {
	p.printf("\n## Exported\n")
	p.tableHead("kind", "ARM type", "hub", "versions", "properties", "that change", "not assessed")
	for _, resource := range r.Resources {
		changing := 0
		open := map[string]bool{}
		for _, property := range resource.Properties {
			if property.Changes {
				changing++
			}
			for _, review := range property.Reviews {
				if review.By == plan.Nobody || review.By == plan.Tool {
					open[review.Property+" "+review.Since] = true
				}
			}
		}
		p.tableRow(fmt.Sprintf("[%s](#%s)", resource.Kind, strings.ToLower(resource.Kind)), resource.ARMType,
			resource.Hub, versionNames(resource.Versions),
			fmt.Sprint(len(resource.Properties)), fmt.Sprint(changing), fmt.Sprint(len(open)))
	}
}

func versionNames(versions []Version) string {
	var names []string
	for _, v := range withoutAliases(versions) {
		name := v.Name
		if v.Deprecated {
			name += " (deprecated)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// withoutAliases returns the versions that are no alias. An alias with hooks
// counts as none, because it converts in a way of its own.
func withoutAliases(versions []Version) []Version {
	return slices.DeleteFunc(slices.Clone(versions), func(v Version) bool { return v.AliasOf != "" })
}

func (p *page) legend() {
	p.printf(`
### How to read this

Every version converts to every other by way of the storage versions and the hub. What becomes of a property:

| | |
|---|---|
| assigned | it has the same name, type and value there; it is not listed below |
| converted, **c** | its partner there has it: an enum with other members, a renamed property or type, ` +
		`a safe change (a value that would not come back identical is stashed or carried), ` +
		`or an object for which a hook is called, which may set any property |
| stashed, **s** | its partner there has it, and a bag has it at the versions on the way that lack it |
| carried, **r** | that version cannot hold it; a client that reads that version finds it ` +
		"in the annotation `" + annotation.Remainder + "`" + `, from which it comes back |
| waived, **w** | a law of the conversions does not hold for it, for a reason in group.yaml |

An object that goes into a bag or the remainder counts once, with everything in it. In the tables of evolution ` + "`=`" + `
means as before, ✓ assessed in group.yaml or by a rule, **?** by a tool alone, and **✗** not assessed.
`)
}

func (p *page) resource(r *Resource) {
	p.printf("\n## %s\n", r.Kind)
	versions := withoutAliases(r.Versions)
	var aliases []string
	for _, v := range r.Versions {
		if v.AliasOf != "" {
			alias := v.Name + " as " + v.AliasOf
			if v.Until != "" {
				alias += " (release " + v.Until + " does not have it any longer)"
			}
			aliases = append(aliases, alias)
		}
	}
	if len(aliases) > 0 {
		p.printf("\nAliases convert as their twins do: %s.\n", strings.Join(aliases, ", "))
	}
	p.printf("\n`sample/%s` is an object to begin with.\n", sample.File(r.Kind, ""))
	p.collections(r, len(versions))
	if len(versions) < 2 {
		p.printf("\nThere is one version, so nothing converts.\n")
		return
	}
	p.conversions(r, versions)
	p.refusals(r, versions)
	p.evolution(r)
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

// conversions prints the counts of all pairs of versions, and a list for each
// version.
func (p *page) conversions(r *Resource, versions []Version) {
	if !slices.ContainsFunc(r.Conversions, func(c *Conversion) bool { return len(c.Changes) > 0 }) {
		p.printf("\nBetween all %d versions, everything is just assigned.\n", len(versions))
		return
	}
	byPair := r.byPair()
	labels := labelsOf(versions)
	head := []string{"from ╲ to"}
	for _, v := range versions {
		head = append(head, labels[v.Name])
	}
	p.tableHead(head...)
	for _, from := range versions {
		cells := []string{"**" + labels[from.Name] + "**"}
		for _, to := range versions {
			if c := byPair[[2]string{from.Name, to.Name}]; c != nil {
				cells = append(cells, c.Counts.short())
			} else {
				cells = append(cells, "")
			}
		}
		p.tableRow(cells...)
	}
	for _, from := range versions {
		p.conversionsFrom(from, versions, byPair, labels)
	}
}

// labelsOf returns what the page calls each Kubernetes version: its API version,
// or its own name if another version has that API version.
func labelsOf(versions []Version) map[string]string {
	labels, taken := map[string]string{}, map[string]bool{}
	for _, v := range versions {
		labels[v.Name] = v.APIVersion
		if taken[v.APIVersion] {
			labels[v.Name] = v.Name
		}
		taken[v.APIVersion] = true
	}
	return labels
}

// short returns the counts for a cell of the table, such as "1c 5r".
func (c Counts) short() string {
	var parts []string
	for _, n := range []struct {
		count  int
		letter string
	}{{c.Converted, "c"}, {c.Stashed, "s"}, {c.Carried, "r"}, {c.Waived, "w"}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprint(n.count)+n.letter)
		}
	}
	return cmp.Or(strings.Join(parts, " "), "·")
}

// fateLine is one line of a list: what becomes of a property, and at which versions.
type fateLine struct {
	path, text string
	halves     []string
	to         []bool // by index of the versions
}

// conversionsFrom prints what is not just assigned on the routes from a version.
// Equal entries of Spec and Status, or of several versions, are one line.
func (p *page) conversionsFrom(from Version, versions []Version, byPair map[[2]string]*Conversion, labels map[string]string) {
	type key struct{ path, text string }
	lines := map[key]*[len(halves)][]bool{}
	for i, to := range versions {
		c := byPair[[2]string{from.Name, to.Name}]
		if c == nil {
			continue
		}
		for _, change := range c.Changes {
			half, path, _ := strings.Cut(change.Path, ".")
			k := key{path, change.text(labels)}
			byHalf := lines[k]
			if byHalf == nil {
				byHalf = new([len(halves)][]bool)
				lines[k] = byHalf
			}
			for h := range halves {
				if halves[h].path != half {
					continue
				}
				if byHalf[h] == nil {
					byHalf[h] = make([]bool, len(versions))
				}
				byHalf[h][i] = true
			}
		}
	}
	var fates []fateLine
	for k, byHalf := range lines {
		first := len(fates)
		for h, to := range byHalf {
			if to == nil {
				continue
			}
			i := slices.IndexFunc(fates[first:], func(f fateLine) bool { return slices.Equal(f.to, to) })
			if i < 0 {
				i = len(fates) - first
				fates = append(fates, fateLine{path: k.path, text: k.text, to: to})
			}
			fates[first+i].halves = append(fates[first+i].halves, halves[h].path)
		}
	}
	if len(fates) == 0 {
		return
	}
	slices.SortFunc(fates, func(a, b fateLine) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(slices.Index(a.to, true), slices.Index(b.to, true)),
			slices.Compare(a.halves, b.halves), cmp.Compare(a.text, b.text))
	})
	self := slices.IndexFunc(versions, func(v Version) bool { return v.Name == from.Name })
	p.folded(fmt.Sprintf("From %s: what is not just assigned (%d)", labels[from.Name], len(fates)), func() {
		p.tableHead("property", "in", "to", "what becomes of it")
		for _, f := range fates {
			p.tableRow(code(f.path), strings.Join(f.halves, ", "), runs(f.to, self, versions, labels), f.text)
		}
	})
}

// refusals prints what versions demand of a Spec and others do not.
func (p *page) refusals(r *Resource, versions []Version) {
	labels := labelsOf(versions)
	type demand struct {
		Refusal
		at string
	}
	of := map[demand][]bool{} // by index of the versions of the objects
	for _, c := range r.Conversions {
		from := slices.IndexFunc(versions, func(v Version) bool { return v.Name == c.From })
		for _, refusal := range c.Refused {
			d := demand{refusal, c.To}
			if of[d] == nil {
				of[d] = make([]bool, len(versions))
			}
			of[d][from] = true
		}
	}
	if len(of) == 0 {
		return
	}
	demands := slices.SortedFunc(maps.Keys(of), func(a, b demand) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(labels[a.at], labels[b.at]), cmp.Compare(a.What, b.What))
	})
	p.folded(fmt.Sprintf("What a version demands and another one does not (%d)", len(demands)), func() {
		p.tableHead("property", "at", "demanded", "not of objects from")
		for _, d := range demands {
			self := slices.IndexFunc(versions, func(v Version) bool { return v.Name == d.at })
			_, path, _ := strings.Cut(d.Path, ".")
			p.tableRow(code(path), labels[d.at], code(d.What), runs(of[d], self, versions, labels))
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
func runs(at []bool, self int, versions []Version, labels map[string]string) string {
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
		text := labels[versions[i].Name]
		switch {
		case last == i+1:
			text += ", " + labels[versions[last].Name]
		case last > i:
			text += " … " + labels[versions[last].Name]
		}
		parts = append(parts, text)
		i = last
	}
	return strings.Join(parts, ", ")
}

// text returns what becomes of a property, in words.
func (c Change) text(labels map[string]string) string {
	var parts []string
	for _, how := range c.How {
		switch how {
		case Cast:
			parts = append(parts, "enum: "+plain(c.What))
		case SafeChange:
			parts = append(parts, "safe change: "+cmp.Or(plain(c.What), "on the way, and back"))
		case FormerShape:
			parts = append(parts, "converted from its former shape")
		case TypeRename:
			parts = append(parts, "type renamed: "+c.What)
		case Moved:
			text := "moved"
			if c.Name != "" {
				text += " to " + code(c.Name)
			}
			parts = append(parts, text)
		case PropertyRename:
			parts = append(parts, "is "+code(c.Name))
		case Hooked:
			parts = append(parts, "hooks: "+strings.Join(hookTexts(c.Hooks), ", "))
		}
	}
	switch c.Fate {
	case Stashed:
		var stays []string
		for _, s := range c.Bags {
			if text := s.text(labels); !slices.Contains(stays, text) {
				stays = append(stays, text)
			}
		}
		parts = append(parts, "stashed "+strings.Join(stays, ", "))
	case Carried:
		parts = append(parts, "carried")
	case Lost:
		parts = append(parts, "**lost**")
	}
	return strings.Join(parts, "; ")
}

// hookTexts returns the names of hooks without _Spec and _Status, so that both
// halves have equal lines. A hook is named by package, type and method, such as
// v1storage.Cat_Spec.AssignToCat_Spec.
func hookTexts(hooks []string) []string {
	texts := make([]string, len(hooks))
	for i, hook := range hooks {
		names := strings.Split(hook, ".")
		for j, name := range names {
			names[j] = naming.Common(name)
		}
		texts[i] = strings.Join(names, ".")
	}
	return texts
}

func (s Stay) text(labels map[string]string) string {
	api := func(storage string) string {
		version, _ := apiversion.CutStorage(storage)
		return labels[version]
	}
	if s.From == s.To {
		return "at " + api(s.From)
	}
	return "from " + api(s.From) + " to " + api(s.To)
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
	for _, w := range waivers {
		p.tableRow(w.Law, code(w.Property), strings.Join(w.Packages, ", "), plain(w.Reason))
	}
}

// more returns the end of a list that is cut.
func more(n int) string { return fmt.Sprintf("%d more", n) }

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
