package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// CheckUsed reports the names in Azure, the entries of names and of outputs, and the
// marks of properties, that have no effect on any version: each is a spelling mistake,
// or repeats what a spec says.
// The versions are all versions of the group, in the shaped form.
func CheckUsed(g *Group, versions []*ir.Version) error {
	c := &checker{Group: g}
	known := newMembers(versions)
	for _, typ := range g.types() {
		if len(g.Exports[typ].AzureNames) > 0 && !known.used["azureNames/"+typ] {
			c.errorf(at("exports", typ, "azureNames", 0),
				"no spec lists the names of %s in Azure, so this one is taken anyway; remove the entry", typ)
		}
	}
	for _, typ := range g.types() {
		if g.Exports[typ].Name != nil && !known.used["name/"+typ] {
			c.errorf(at("exports", typ, "name"), "all specs of %s have these limits of its name; remove the correction", typ)
		}
	}
	for i, n := range g.Names {
		if !known.used["names/"+n.Type+"."+n.ARM] {
			c.errorf(at("names", i), "%s", known.unusedName(n))
		}
	}
	for property, marks := range g.Properties {
		for i, m := range marks {
			if !known.used[m.Entry(property)] {
				c.errorf(at("properties", property, i), "%s", known.unusedMark(property, m))
			}
		}
	}
	c.unusedOutputs(versions)
	c.unusedNotOutputs(versions)
	return c.errs.Err()
}

// members has the properties of all versions by their types, without _Spec and
// _Status as in group.yaml.
type members struct {
	versions []*ir.Version
	used     map[string]bool
	types    map[string][]member
}

// member is a property of a type.
type member struct {
	*ir.Property
	// inSpec reports whether a request has the property.
	inSpec bool
}

func newMembers(versions []*ir.Version) *members {
	m := &members{versions: versions, used: map[string]bool{}, types: map[string][]member{}}
	for _, v := range versions {
		for _, entry := range v.Used {
			m.used[entry] = true
		}
		for _, t := range v.Types {
			name := naming.Common(t.Name)
			for _, p := range t.Properties {
				m.types[name] = append(m.types[name], member{p, !t.Status})
			}
		}
	}
	return m
}

// noType returns the message for a type that no version has.
func (m *members) noType(name string) string {
	var types []string
	for t := range m.types {
		types = append(types, t)
	}
	return fmt.Sprintf("no version has a type %s%s", name, diag.DidYouMean(name, types))
}

// unusedName returns why an entry of names is unused.
func (m *members) unusedName(n Name) string {
	properties, known := m.types[n.Type]
	if !known {
		return m.noType(n.Type)
	}
	var paths []string
	for _, p := range properties {
		path := p.ARMName()
		if p.Variant != "" {
			path = p.Variant
		}
		if p.Flattened {
			path = "properties/" + path
		}
		paths = append(paths, path)
	}
	return fmt.Sprintf("no version of %s has the ARM property %s%s", n.Type, n.ARM,
		cmp.Or(diag.DidYouMean(n.ARM, paths), diag.DidYouMean("properties/"+n.ARM, paths)))
}

// property returns whether some version has a property and whether a request of one
// does, or why not.
func (m *members) property(entry string) (inSpec bool, why string) {
	typ, name, _ := strings.Cut(entry, ".")
	properties, known := m.types[typ]
	if !known {
		return false, m.noType(typ)
	}
	why = fmt.Sprintf("no version of %s has a property %s", typ, name)
	var names []string
	for _, p := range properties {
		names = append(names, p.ARMName())
		if p.ARMName() == name || naming.JSON(p.ARMName()) == name {
			inSpec, why = inSpec || p.inSpec, ""
		}
	}
	if why != "" {
		why += diag.DidYouMean(name, names)
	}
	return inSpec, why
}

// unusedMark returns why a mark is unused.
func (m *members) unusedMark(property string, mark Mark) string {
	inSpec, why := m.property(property)
	row := markOf(mark.Name)
	switch {
	case why != "":
		return why
	case row.explain != nil:
		return row.explain(m, property, mark)
	case row.inResponses != "" && !inSpec:
		return fmt.Sprintf(row.inResponses, property)
	case mark.Not:
		return fmt.Sprintf(row.unusedNot, property)
	}
	return fmt.Sprintf(row.unused, property)
}

// unusedChildren returns why a mark of a list of children is unused.
func (m *members) unusedChildren(property string, mark Mark) string {
	var lists, shown []string // of the resources that the mark is about
	isShown := false
	for _, v := range m.versions {
		named := func(ref ir.TypeRef) *ir.Type { return v.Type(ref.Named) }
		for _, r := range v.Resources {
			if !mark.Not && !collections.IsChild(mark.Type, r.Type) {
				continue
			}
			for _, list := range collections.Lists(v.Type(r.Spec), named) {
				owner, p := list.Owner()
				base := naming.Common(owner.Name) + "."
				lists = append(lists, base+p.ARMName())
				if slices.ContainsFunc(r.Collections, func(c ir.Collection) bool { return c.Path == list.Path }) {
					shown = append(shown, base+p.ARMName())
					isShown = isShown || property == base+p.ARMName() || property == base+naming.JSON(p.ARMName())
				}
			}
		}
	}
	switch {
	case mark.Not:
		return fmt.Sprintf("without the mark, %s would be no list of resources either; remove it%s", property,
			cmp.Or(diag.DidYouMean(property, shown), among(shown)))
	case isShown:
		return fmt.Sprintf("all specs with %s show that it holds %s; remove the mark", property, mark.Type)
	}
	return fmt.Sprintf("no version has %s as a list of objects with names in the body of a resource with children of type %s%s",
		property, mark.Type, cmp.Or(diag.DidYouMean(property, lists), among(lists)))
}
