package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// told is what the group.yaml of an existing group says of properties. Of a new one it is nothing.
type told struct {
	// base is what is decided, without the marks that are made anew, which are own.
	base *config.Load
	own  map[string][]config.Mark
	// evident has the marks that Swagger's evidence speaks for, and that never go by themselves.
	evident []proposal
	// asked has the properties about which there is a question for a person.
	asked map[string]bool
}

// tell takes those marks from what is decided that are made anew: what the newest Swagger says takes the place of
// what older Swagger said. A secret that became text would be stored as text, so nothing else goes by itself.
func (e *existing) tell() (*told, error) {
	if e.isNew() {
		return &told{base: &config.Load{}}, nil
	}
	t := &told{base: e.decisions.Load(), own: map[string][]config.Mark{}, asked: asked(e.text)}
	y, err := readYAML(e.decisions.File, e.text)
	if err != nil {
		return nil, err
	}
	for _, p := range y.evident(e.decisions.Properties) {
		if slices.Contains(madeAnew, p.Name) {
			t.own[p.property] = append(t.own[p.property], p.Mark)
		} else {
			t.evident = append(t.evident, p)
		}
	}
	for property, marks := range t.base.Properties {
		t.base.Properties[property] = without(marks, t.own[property])
	}
	return t, nil
}

// evident returns the marks that Swagger's evidence speaks for. Marks without it are a person's.
func (y *groupYAML) evident(decided config.Properties) []proposal {
	var all []proposal
	for property, marks := range decided {
		e, found := y.entry("properties", property)
		commented := 0 // the marks that a comment may be about
		for _, m := range marks {
			if !m.HasReason() {
				commented++
			}
		}
		for _, m := range marks {
			if !found {
				continue
			}
			if m.Why = e.why(m, commented); isEvidence(m.Why) {
				all = append(all, proposal{property: property, Mark: m})
			}
		}
	}
	return all
}

// inherit returns what the sources of some versions say of the properties of the group's types, and
// those of others do not say. The newest Swagger that has a property speaks for it, whether or not
// the group has that version. That a property is a secret or a reference holds at all versions,
// whichever says so, since it would be two properties otherwise; where a version is published
// without it, a person decides: known has these. swagger has the newest version first. kept are
// the marks of group.yaml for which the newest Swagger does not speak any more, with the place.
func (t *told) inherit(known map[string]*ir.Version, swagger, shaped []*ir.Version) (all, kept []proposal) {
	spoken := map[string]bool{} // the properties of which some Swagger speaks
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
				case contains(all, p), t.isDecided(p), !isShape && (!isSwagger || heard[p.property] != nil),
					p.Name == config.Number && own[p.property] != nil:
					continue
				}
				isOlder := isSwagger && naming.CompareVersions(h.from.APIVersion, v.APIVersion) <= 0
				p.safe = slices.Contains(madeAnew, p.Name) || isOlder || known[v.APIVersion] == nil
				if p.safe || !t.asked[p.property] {
					all = append(all, p)
				}
			}
			for _, p := range h.lost {
				if isSwagger && heard[p.property] == nil && contains(t.evident, p) && !contains(kept, p) {
					kept = append(kept, p)
				}
			}
			maps.Copy(heard, h.heard)
			for property := range h.heard {
				spoken[property] = spoken[property] || isSwagger
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
	for property, marks := range t.own {
		for _, m := range marks {
			if !spoken[property] {
				all = append(all, proposal{property: property, Mark: m, safe: true})
			}
		}
	}
	slices.SortFunc(all, proposal.compare)
	return all, kept
}

// atAllVersions are the marks of what a property is at all versions or at none.
var atAllVersions = []string{config.Reference, config.RoleDefinition, config.Secret, config.Base64}

// madeAnew are the marks that each update takes from the newest Swagger, and that go with it.
var madeAnew = []string{config.CreateOnly, config.ListKeys, config.ResourceTypes}

// isDecided reports whether group.yaml says of a property that it is what a proposal says,
// or that it is not. A role definition is a reference.
func (t *told) isDecided(p proposal) bool {
	name := func(m config.Mark) string {
		if m.Name == config.RoleDefinition {
			return config.Reference
		}
		return m.Name
	}
	return slices.ContainsFunc(t.base.Properties[p.property], func(m config.Mark) bool { return name(m) == name(p.Mark) })
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
		if p == nil || q.ValueOf != "" { // which goes with the property that it is about
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
			if h.hasKeys(q, keys) {
				h.found[len(h.found)-1].judgeListKeys(p, h.from)
			}
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

// hasKeys reports whether each element of a list of the newer version must have all keys.
func (h *heir) hasKeys(q *ir.Property, keys []string) bool {
	element := h.to.Type(q.Type.Items.Named)
	return !slices.ContainsFunc(keys, func(key string) bool {
		at := element.AtPath(key)
		return at == nil || !at.Required
	})
}

// evidence returns the place that says what a property is.
func (h *heir) evidence(p *ir.Property) string {
	if place := placeOf(p, h.from); place != "" {
		return place
	}
	who := h.from.APIVersion
	if len(h.from.Sources) == 1 { // which of several says it, a property does not tell
		who = h.from.Sources[0] + " of " + who
	}
	return who + " says so"
}
