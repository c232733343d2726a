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
)

// Page is the report in Markdown. It shows the picture of the graph, which is
// beside it.
func (r *Report) Page() []byte {
	p := &page{}
	p.printf("# %s\n\nMade from the specs of %s.\n\n![Which version converts with which](graph.svg)\n", r.Group, r.Provider)
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
		{ir.Approximated, "Approximated", "The Kubernetes API says less, or other, than the spec."},
		{ir.Skipped, "Skipped", "The Kubernetes API lacks it."},
		{ir.NotAssessed, "Not assessed", "A person should decide and has not."},
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

// page is Markdown that grows.
type page struct{ bytes.Buffer }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// tableRow prints a row of a table, or its head.
func (p *page) tableRow(cells ...string) { p.printf("| %s |\n", strings.Join(cells, " | ")) }

func (p *page) tableHead(cells ...string) {
	p.printf("\n")
	p.tableRow(cells...)
	p.printf("%s|\n", strings.Repeat("|---", len(cells)))
}

// folded prints what a reader has to open.
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
				if !review.Assessed {
					open[review.Property+" "+review.Since] = true
				}
			}
		}
		p.tableRow(fmt.Sprintf("[%s](#%s)", resource.Kind, strings.ToLower(resource.Kind)), resource.ARMType, resource.Hub, versionNames(resource.Versions),
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

// withoutAliases are the versions that convert in a way of their own.
func withoutAliases(versions []Version) []Version {
	return slices.DeleteFunc(slices.Clone(versions), func(v Version) bool { return v.AliasOf != "" })
}

func (p *page) legend() {
	p.printf(`
### How to read this

Every version converts to every other by way of the storage versions and the hub. What becomes of a property:

| | |
|---|---|
| assigned | it has the same name, type and value there; this goes without saying below |
| converted, **c** | it has its partner there: an enum with other members, a rename, a safe change, where a value that would not come back identical is stashed or carried, or a hook, which may set anything |
| stashed, **s** | it has its partner there, and is in a bag at versions on the way that lack it |
| carried, **r** | that version cannot hold it, so a client that reads there has it in the annotation ` + "`armature.dev/remainder`" + `, from which it comes back |
| waived, **w** | a law of the conversions does not hold for it, as group.yaml says |

An object that goes into a bag or the remainder counts once, with all that is in it. In the tables of evolution, ` + "`=`" + `
is as before, ✓ was reviewed in group.yaml and **✗** is not assessed.
`)
}

func (p *page) resource(r *Resource) {
	p.printf("\n## %s\n", r.Kind)
	versions := withoutAliases(r.Versions)
	var aliases []string
	for _, v := range r.Versions {
		if v.AliasOf != "" {
			aliases = append(aliases, v.Name+" as "+v.AliasOf)
		}
	}
	if len(aliases) > 0 {
		p.printf("\nAliases convert as their twins do: %s.\n", strings.Join(aliases, ", "))
	}
	if len(versions) < 2 {
		p.printf("\nThere is one version, so nothing converts.\n")
		return
	}
	p.conversions(r, versions)
	p.evolution(r)
}

// conversions prints the counts of all pairs, and one list a version.
func (p *page) conversions(r *Resource, versions []Version) {
	if !slices.ContainsFunc(r.Conversions, func(c *Conversion) bool { return len(c.Changes) > 0 }) {
		p.printf("\nBetween all %d versions, everything is just assigned.\n", len(versions))
		return
	}
	byPair := map[[2]string]*Conversion{}
	for _, c := range r.Conversions {
		byPair[[2]string{c.From, c.To}] = c
	}
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

// labelsOf are how the page calls versions: by ARM's names, which aliases
// with hooks do not have for themselves.
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

// short is what counts tell of a pair, such as "1c 5r".
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

// fate is one line of a list: what becomes of a property, and at which versions.
type fate struct {
	path, text string
	halves     []string
	to         []bool // by index of the versions
}

// conversionsFrom lists what is not just assigned on the roads from a version.
// What is alike in Spec and Status, or at several versions, is one line.
func (p *page) conversionsFrom(from Version, versions []Version, byPair map[[2]string]*Conversion, labels map[string]string) {
	type key struct{ path, text string }
	lines := map[key]map[string][]bool{} // by half
	for i, to := range versions {
		c := byPair[[2]string{from.Name, to.Name}]
		if c == nil {
			continue
		}
		for _, change := range c.Changes {
			half, path, _ := strings.Cut(change.Path, ".")
			k := key{path, change.text(labels)}
			if lines[k] == nil {
				lines[k] = map[string][]bool{}
			}
			if lines[k][half] == nil {
				lines[k][half] = make([]bool, len(versions))
			}
			lines[k][half][i] = true
		}
	}
	var fates []fate
	for k, byHalf := range lines {
		for _, half := range slices.Sorted(maps.Keys(byHalf)) {
			i := slices.IndexFunc(fates, func(f fate) bool {
				return f.path == k.path && f.text == k.text && slices.Equal(f.to, byHalf[half])
			})
			if i < 0 {
				i = len(fates)
				fates = append(fates, fate{path: k.path, text: k.text, to: byHalf[half]})
			}
			fates[i].halves = append(fates[i].halves, half)
		}
	}
	if len(fates) == 0 {
		return
	}
	slices.SortFunc(fates, func(a, b fate) int {
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

// code is a path as code; "" is the whole.
func code(path string) string {
	if path == "" {
		return "(all)"
	}
	return "`" + path + "`"
}

// runs says at which versions something holds, self left out.
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

// text is what becomes of a property, for people, without the half that it is in.
func (c Change) text(labels map[string]string) string {
	var parts []string
	for _, how := range c.How {
		switch how {
		case Cast:
			parts = append(parts, "enum: "+c.What)
		case SafeChange:
			parts = append(parts, "safe change: "+cmp.Or(c.What, "on the way, and back"))
		case FormerShape:
			parts = append(parts, "converted from its former shape")
		case TypeRename:
			parts = append(parts, "type renamed: "+c.What)
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

// hookTexts returns the names of hooks, the same for Spec and Status. A hook is
// named by package, type and method, such as v1storage.Cat_Spec.AssignToCat_Spec.
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
	api := func(storage string) string { return labels[strings.TrimSuffix(storage, naming.Storage(""))] }
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
	p.printf("\n## Waived: %d\n\nA law of the conversions does not hold, which a person has found to be right.\n", len(waivers))
	if len(waivers) == 0 {
		return
	}
	p.tableHead("law", "property", "packages", "reason")
	for _, w := range waivers {
		p.tableRow(w.Law, code(w.Property), strings.Join(w.Packages, ", "), w.Reason)
	}
}

// more ends a list that is cut.
func more(n int) string { return fmt.Sprintf("%d more", n) }

// finding writes a finding as one item: what, why, at which versions, and
// where it stands in the newest of them.
func (p *page) finding(f Finding) {
	var versions []string
	for _, place := range f.Places {
		if len(versions) == 0 || versions[len(versions)-1] != place.APIVersion {
			versions = append(versions, place.APIVersion)
		}
	}
	p.printf("\n- ")
	if f.Subject != "" {
		p.printf("**%s**: ", f.Subject)
	}
	p.printf("%s (%s)", f.Reason, strings.Join(versions, ", "))
	if newest := f.Places[len(f.Places)-1]; newest.File != "" {
		p.printf("\n  `%s#%s`", newest.File, newest.Pointer)
	}
	p.printf("\n")
}
