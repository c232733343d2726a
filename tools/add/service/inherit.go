package service

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// inherit returns what the sources of some versions say of the properties of the group's types, and
// those of others do not say. The newest Swagger that has a property speaks for it, whether or not
// the group has that version. That a property is a secret or a reference holds at all versions,
// whichever says so, since it would be two properties otherwise; where a version is published
// without it, a person decides. swagger has the newest version first.
func (g *group) inherit(swagger, shaped []*ir.Version) []proposal {
	var all []proposal
	g.kept = nil
	told := map[string]bool{} // the properties of which some Swagger speaks
	for _, v := range shaped {
		heard := map[string]map[bool]bool{} // of which properties newer Swagger has spoken
		own := map[string]map[bool]bool{}   // of which that of the version itself speaks
		var heirs []*heir
		for i, o := range slices.Concat(swagger, shaped) {
			h := compare(o, v)
			if heirs = append(heirs, h); i < len(swagger) && o.APIVersion == v.APIVersion {
				own = h.heard
			}
		}
		for i, h := range heirs {
			isSwagger := i < len(swagger)
			for _, p := range h.found {
				isShape := slices.Contains(atAllVersions, p.Name)
				switch {
				case contains(all, p), g.isDecided(p), !isShape && (!isSwagger || heard[p.property] != nil),
					p.Name == config.Number && own[p.property] != nil:
					continue
				}
				isOlder := isSwagger && naming.CompareVersions(h.from.APIVersion, v.APIVersion) <= 0
				p.safe = slices.Contains(madeAnew, p.Name) || isOlder || g.known[v.APIVersion] == nil
				if p.safe || !g.asked[p.property] {
					all = append(all, p)
				}
			}
			for _, p := range h.lost {
				if isSwagger && heard[p.property] == nil && contains(g.evident, p) && !contains(g.kept, p) {
					g.kept = append(g.kept, p)
				}
			}
			maps.Copy(heard, h.heard)
			for property := range h.heard {
				told[property] = told[property] || isSwagger
			}
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(p proposal) bool {
		switch p.Name {
		case config.CreateOnly: // of versions about which others speak
			p.Not = !p.Not
			return contains(all, p)
		case config.ResourceTypes:
			return p.ofText && !slices.ContainsFunc(all, func(o proposal) bool {
				return o.safe && o.Name == config.Reference && o.property == p.property
			})
		}
		return false
	})
	// What this checkout does not tell stays: another one may have had the evidence.
	for property, marks := range g.own {
		for _, m := range marks {
			if !told[property] {
				all = append(all, proposal{property: property, Mark: m, safe: true})
			}
		}
	}
	slices.SortFunc(all, proposal.compare)
	return all
}

// atAllVersions are the marks of what a property is at all versions or at none.
var atAllVersions = []string{config.Reference, config.RoleDefinition, config.Secret, config.Base64}

// madeAnew are the marks that each update takes from the newest Swagger, and that go with it.
var madeAnew = []string{config.CreateOnly, config.ListKeys, config.ResourceTypes}

// contains reports whether one of some proposals says of the property of p what p says.
func contains(all []proposal, p proposal) bool {
	return slices.ContainsFunc(all, func(o proposal) bool { return o.Name == p.Name && o.Not == p.Not && o.property == p.property })
}

// isDecided reports whether group.yaml says of a property that it is what a proposal says,
// or that it is not. A role definition is a reference.
func (g *group) isDecided(p proposal) bool {
	if g.decided == nil {
		return false
	}
	name := func(m config.Mark) string {
		if m.Name == config.RoleDefinition {
			return config.Reference
		}
		return m.Name
	}
	return slices.ContainsFunc(g.decided.Properties[p.property], func(m config.Mark) bool { return name(m) == name(p.Mark) })
}

// swaggerDocs returns the documents of each version whose Swagger describes one of some types.
func swaggerDocs(types []string, versions []*Version) map[string][]string {
	found := map[string][]string{}
	for _, v := range versions {
		for doc, described := range v.Types {
			if strings.HasPrefix(doc, layout.SwaggerFolder+"/") && slices.ContainsFunc(types, func(t string) bool {
				return slices.ContainsFunc(described, func(d string) bool { return strings.EqualFold(d, t) })
			}) {
				found[v.APIVersion] = append(found[v.APIVersion], doc)
			}
		}
		slices.Sort(found[v.APIVersion])
	}
	return found
}

// shapeEvidence returns the shaped form of the Swagger of the checkout, without what group.yaml says
// of it, the newest version first. One that cannot be read says nothing: nobody asked for it.
func (g *group) shapeEvidence() []*ir.Version {
	var all []*ir.Version
	g.consulted = map[string][]byte{}
	for _, v := range slices.Backward(slices.SortedFunc(maps.Keys(g.evidence), naming.CompareVersions)) {
		sources, err := g.readSources(v, g.evidence[v], func(name string) ([]byte, error) {
			text, err := g.specs.Read(name)
			if err == nil { // so that it is pinned, and speaks in every checkout
				g.consulted[path.Clean(name)] = text
			}
			return text, err
		})
		if err != nil {
			continue
		}
		if shaped, err := transform.Shape(transform.Merge(sources, nil), &config.Load{Exports: g.kinds}); err == nil {
			all = append(all, shaped)
		}
	}
	return all
}

// compare compares what one version says of the properties of another, whose documents may not tell
// it: that they are references, secrets or numbers, or whether they can change. Both are shaped forms.
func compare(from, to *ir.Version) *heir {
	h := &heir{from: from, to: to, seen: map[[2]string]bool{}, heard: map[string]map[bool]bool{}}
	for _, r := range to.Resources {
		if before := from.Resource(r.Type); before != nil {
			h.types(before.Spec, r.Spec)
			h.types(before.Status, r.Status)
		}
	}
	h.found = slices.DeleteFunc(h.found, func(p proposal) bool { return p.Name == config.CreateOnly && len(h.heard[p.property]) > 1 })
	return h
}

// heir holds what is known while two versions are compared.
type heir struct {
	from, to *ir.Version
	seen     map[[2]string]bool // pairs of types
	found    []proposal
	lost     []proposal // what group.yaml says of properties, and their source does not
	// heard has whether the properties of Specs that both have can change: of a type that stands at
	// several places it may be both.
	heard   map[string]map[bool]bool
	renames []typeRename
}

// typeRename is a type that has another name where it stands at the same place.
type typeRename struct{ from, to, since, at string }

// types compares two types that stand at the same place, and those below them.
func (h *heir) types(older, newer string) {
	a, b := h.from.Type(older), h.to.Type(newer)
	if a == nil || b == nil || h.seen[[2]string{older, newer}] {
		return
	}
	h.seen[[2]string{older, newer}] = true
	for _, q := range b.Properties {
		p := a.AtPath(q.Path())
		if p == nil {
			continue
		}
		h.property(b, p, q)
		h.rename(b, p, q)
		h.types(p.Type.Leaf().Named, q.Type.Leaf().Named)
	}
}

// rename notes that the type of a property, an object, has another name, if the older version has no
// type of the newer name, and the newer one none of the older.
func (h *heir) rename(t *ir.Type, p, q *ir.Property) {
	same := func(string) string { return "" }
	from, to := p.Type.Leaf().Named, q.Type.Leaf().Named
	if from == "" || to == "" || strings.EqualFold(from, to) || !p.Type.Renamed(same).Equal(q.Type.Renamed(same)) {
		return
	}
	older, newer := h.from.Type(from), h.to.Type(to)
	if older.Kind == ir.Object && newer.Kind == ir.Object && h.from.Type(to) == nil && h.to.Type(from) == nil {
		h.renames = append(h.renames, typeRename{
			naming.Common(from), naming.Common(to), h.to.APIVersion, naming.Common(t.Name) + "." + q.Name})
	}
}

// renamedTypes returns the types that have another name in one of the added versions, or
// in the one after it, than in the version of the resource before. Each type is renamed
// once at a version. What is decided says which are renamed already.
func renamedTypes(shaped []*ir.Version, added []string, decided []config.Change) []typeRename {
	var found []typeRename
	for _, newer := range shaped {
		for _, r := range newer.Resources {
			before := versionBefore(shaped, newer, r.Type)
			if before == nil || !slices.Contains(added, newer.APIVersion) && !slices.Contains(added, before.APIVersion) {
				continue
			}
			h := &heir{from: before, to: newer, seen: map[[2]string]bool{}, heard: map[string]map[bool]bool{}}
			h.types(before.Resource(r.Type).Spec, r.Spec)
			h.types(before.Resource(r.Type).Status, r.Status)
			for _, rename := range h.renames {
				again := func(o typeRename) bool { return o.from == rename.from && o.since == rename.since }
				byHand := func(c config.Change) bool { return c.Type == rename.from && c.Since == rename.since }
				if !slices.ContainsFunc(found, again) && !slices.ContainsFunc(decided, byHand) {
					found = append(found, rename)
				}
			}
		}
	}
	return found
}

// versionBefore returns the last version before another one that has a resource type, or nil.
func versionBefore(shaped []*ir.Version, newer *ir.Version, armType string) (before *ir.Version) {
	for _, v := range shaped {
		if naming.CompareVersions(v.APIVersion, newer.APIVersion) < 0 && v.Resource(armType) != nil &&
			(before == nil || naming.CompareVersions(v.APIVersion, before.APIVersion) > 0) {
			before = v
		}
	}
	return before
}

// entry returns the rename as an entry of group.yaml.
func (r typeRename) entry() string {
	return fmt.Sprintf("  - %s # the type of %s\n", config.Change{Type: r.from, Since: r.since, Renamed: r.to}.Entry(), r.at)
}

// property compares two properties that are the same in ARM.
func (h *heir) property(t *ir.Type, p, q *ir.Property) {
	property := naming.Common(t.Name) + "." + naming.JSON(q.ARMName())
	add := func(mark string, not bool, values ...string) {
		m := config.Mark{Name: mark, Not: not, Why: h.evidence(p), Values: values}
		if not {
			m.Why += noSuchMark
		}
		h.found = append(h.found, proposal{property: property, Mark: m})
	}
	switch was, is := p.Type.Leaf().Primitive, q.Type.Leaf().Primitive; {
	case was == ir.Reference && is == ir.String:
		add(config.Reference, false)
	case was == ir.RoleDefinition && is != ir.RoleDefinition:
		add(config.RoleDefinition, false)
	case (was == ir.Secret || was == ir.SecretJSON) && is != ir.Secret && is != ir.SecretJSON && is != ir.Boolean: // a flag hides nothing
		add(config.Secret, false)
	case was == ir.Number && is == ir.Integer:
		add(config.Number, false)
	}
	if p.Encoding != "" && q.Encoding == "" {
		add(config.Base64, false)
	}
	lose := func(mark string) {
		h.lost = append(h.lost, proposal{property: property, Mark: config.Mark{Name: mark, Why: h.evidence(p)}})
	}
	switch was, is := p.Type.Leaf().Primitive, q.Type.Leaf().Primitive; {
	case was == ir.String && is == ir.Reference:
		lose(config.Reference)
	case (is == ir.Secret || is == ir.SecretJSON) && was != ir.Secret && was != ir.SecretJSON:
		lose(config.Secret)
	case was == ir.Integer && is == ir.Number:
		lose(config.Number)
	}
	if !t.Status {
		if h.heard[property] == nil {
			h.heard[property] = map[bool]bool{}
		}
		h.heard[property][!p.CreateOnly] = true
		if p.CreateOnly != q.CreateOnly {
			add(config.CreateOnly, q.CreateOnly)
		}
		if keys := h.keys(p, q); len(keys) > 0 && len(q.ListKeys) == 0 {
			add(config.ListKeys, false, keys...)
		}
		if is := q.Type.Leaf().Primitive; len(p.ResourceTypes) > 0 && len(q.ResourceTypes) == 0 && (is == ir.Reference || is == ir.String) {
			add(config.ResourceTypes, false, p.ResourceTypes...)
			h.found[len(h.found)-1].ofText = is == ir.String
		}
	}
}

// keys returns ARM's names of the properties that identify an element of a list, if the elements of
// another list have all of these.
func (h *heir) keys(p, q *ir.Property) (keys []string) {
	if p.Type.Items == nil || q.Type.Items == nil {
		return nil
	}
	for _, key := range p.ListKeys {
		a, b := h.from.Type(p.Type.Items.Named), h.to.Type(q.Type.Items.Named)
		var names []string
		var last ir.TypeRef
		for name := range strings.SplitSeq(key, "/") {
			if a == nil || b == nil {
				return nil
			}
			i := slices.IndexFunc(a.Properties, func(p *ir.Property) bool { return p.Name == name })
			if i < 0 {
				return nil
			}
			at := b.AtPath(a.Properties[i].Path())
			if at == nil {
				return nil
			}
			names, last = append(names, at.ARMName()), at.Type
			a, b = h.from.Type(a.Properties[i].Type.Named), h.to.Type(at.Type.Named)
		}
		if last.Named == "" && !slices.Contains([]ir.Primitive{ir.String, ir.Integer, ir.Number, ir.Boolean}, last.Primitive) {
			return nil // such as a reference
		}
		keys = append(keys, strings.Join(names, "/"))
	}
	return keys
}

// evidence returns the place that says what a property is.
func (h *heir) evidence(p *ir.Property) string {
	if p.At.Doc == nil {
		who := h.from.APIVersion
		if len(h.from.Sources) == 1 { // which of several says it, a property does not tell
			who = h.from.Sources[0] + " of " + who
		}
		return who + " says so"
	}
	line, _ := p.At.Doc.Position(p.At.Node)
	return fmt.Sprintf("%s:%d of %s", path.Base(p.At.Doc.Name), line, h.from.APIVersion)
}

// noSuchMark is what evidence is followed by that speaks against a mark.
const noSuchMark = " has no such mark"

// isEvidence reports whether a reason is the evidence that Swagger gives.
func isEvidence(why string) bool {
	return evidenceForm.MatchString(strings.TrimSuffix(why, noSuchMark))
}

var evidenceForm = regexp.MustCompile(`^\S+\.json:\d+ of \d{4}-\d{2}-\d{2}(-\w+)*$`)
