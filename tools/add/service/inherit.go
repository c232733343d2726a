package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/swagger"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// inherit returns what some versions say of the properties of the group's types, and others do
// not say. The nearest older version that has Swagger of a type speaks for it. That a property
// is a secret or a reference holds at all versions, whichever says so, since it would be two
// properties otherwise; where a version is published without it, a person decides.
func (g *group) inherit(shaped []*ir.Version) []proposal {
	tell := append(g.shapeEvidence(), shaped...)
	slices.SortFunc(tell, func(a, b *ir.Version) int { return naming.CompareVersions(b.APIVersion, a.APIVersion) })
	var all []proposal
	for _, v := range shaped {
		for _, o := range tell {
			before := naming.CompareVersions(o.APIVersion, v.APIVersion) < 0 && slices.Contains(o.Sources, swaggerFormat)
			for _, p := range inherited(o, v) {
				if !before && !slices.Contains(atAllVersions, p.Name) || contains(all, p) || g.isDecided(p) {
					continue
				}
				p.safe = before || g.decided == nil
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, proposal.compare)
	return all
}

// atAllVersions are the marks of what a property is at all versions or at none.
var atAllVersions = []string{config.Reference, config.RoleDefinition, config.Secret, config.Base64}

// swaggerFormat is the name of the format that tells most of a property.
var swaggerFormat = swagger.Reader{}.Format()

// contains reports whether one of some proposals is of the mark and the property of p.
func contains(all []proposal, p proposal) bool {
	return slices.ContainsFunc(all, func(o proposal) bool { return o.Name == p.Name && o.property == p.property })
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

// evidence returns the documents of the newest version with Swagger of each selected
// type, where no such version is selected.
func evidence(selected *chosen, versions []*Version) map[string][]string {
	found := map[string][]string{}
	for _, t := range selected.types {
		for _, v := range slices.Backward(versions) {
			doc := v.swaggerOf(t)
			if doc == "" {
				continue
			}
			if !slices.Contains(selected.documents[v.APIVersion], doc) && !slices.Contains(found[v.APIVersion], doc) {
				found[v.APIVersion] = append(found[v.APIVersion], doc)
			}
			break
		}
	}
	return found
}

// swaggerOf returns the Swagger document of a version that describes a type, or "".
func (v *Version) swaggerOf(armType string) string {
	for _, doc := range slices.Sorted(maps.Keys(v.Types)) {
		describes := func(t string) bool { return strings.EqualFold(t, armType) }
		if strings.HasPrefix(doc, layout.SwaggerFolder+"/") && slices.ContainsFunc(v.Types[doc], describes) {
			return doc
		}
	}
	return ""
}

// shapeEvidence returns the shaped form of versions that the group does not have. One
// that cannot be read says nothing: nobody asked for it.
func (g *group) shapeEvidence() []*ir.Version {
	var all []*ir.Version
	for _, v := range slices.SortedFunc(maps.Keys(g.evidence), naming.CompareVersions) {
		raw, err := g.readVersion(v, g.evidence[v], g.specs.Read)
		if err != nil {
			continue
		}
		if shaped, err := transform.Shape(raw, g.load()); err == nil {
			all = append(all, shaped)
		}
	}
	return all
}

// inherited returns proposals for what an older version says of the properties of a newer
// one, whose documents cannot tell it: that they are references, secrets or numbers, or
// that they cannot change. Both are shaped forms.
func inherited(older, newer *ir.Version) []proposal {
	h := &heir{older: older, newer: newer, seen: map[[2]string]bool{}}
	for _, r := range newer.Resources {
		if before := older.Resource(r.Type); before != nil {
			h.types(before.Spec, r.Spec)
			h.types(before.Status, r.Status)
		}
	}
	return h.found
}

// heir holds what is known while two versions are compared.
type heir struct {
	older, newer *ir.Version
	seen         map[[2]string]bool // pairs of types
	found        []proposal
	renames      []typeRename
}

// typeRename is a type that has another name where it stands at the same place.
type typeRename struct{ from, to, since, at string }

// types compares two types that stand at the same place, and those below them.
func (h *heir) types(older, newer string) {
	a, b := h.older.Type(older), h.newer.Type(newer)
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
	older, newer := h.older.Type(from), h.newer.Type(to)
	if older.Kind == ir.Object && newer.Kind == ir.Object && h.older.Type(to) == nil && h.newer.Type(from) == nil {
		h.renames = append(h.renames, typeRename{
			naming.Common(from), naming.Common(to), h.newer.APIVersion, naming.Common(t.Name) + "." + q.Name})
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
			h := &heir{older: before, newer: newer, seen: map[[2]string]bool{}}
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
	who := h.older.APIVersion
	if len(h.older.Sources) == 1 { // which of several says it, a property does not tell
		who = h.older.Sources[0] + " of " + who
	}
	add := func(mark string) {
		h.found = append(h.found, proposal{
			property: naming.Common(t.Name) + "." + naming.JSON(q.ARMName()), safe: true,
			Mark: config.Mark{Name: mark, Why: who + " says so"},
		})
	}
	switch was, is := p.Type.Leaf().Primitive, q.Type.Leaf().Primitive; {
	case was == ir.Reference && is == ir.String:
		add(config.Reference)
	case was == ir.RoleDefinition && is != ir.RoleDefinition:
		add(config.RoleDefinition)
	case (was == ir.Secret || was == ir.SecretJSON) && is != ir.Secret && is != ir.SecretJSON:
		add(config.Secret)
	case was == ir.Number && is == ir.Integer:
		add(config.Number)
	}
	if p.Encoding != "" && q.Encoding == "" {
		add(config.Base64)
	}
	if p.CreateOnly && !q.CreateOnly {
		add(config.CreateOnly)
	}
}
