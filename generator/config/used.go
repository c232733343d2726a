package config

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// CheckUsed reports the entries of names, of outputs and of the lists of properties
// that have no effect on any version: each is a spelling mistake, or repeats what a
// spec says.
// The versions are all versions of the group, in the shaped form.
func CheckUsed(g *Group, versions []*ir.Version) error {
	c := &checker{Group: g}
	known := newMembers(versions)
	for i, n := range g.Names {
		if !known.used["names/"+n.Type+"."+n.ARM] {
			c.errorf(at("names", i), "%s", known.unusedName(n))
		}
	}
	for _, list := range g.memberLists() {
		for i, member := range list.members {
			if !known.used[list.key+"/"+member] {
				c.errorf(at(list.key, i), "%s", known.unusedMember(list.key, member))
			}
		}
	}
	c.unusedOutputs(versions)
	c.unusedNotOutputs(versions)
	c.unusedCollections(versions, known.used)
	return c.errs.Err()
}

// members has the properties of all versions by their types, without _Spec and
// _Status as in group.yaml.
type members struct {
	used  map[string]bool
	types map[string][]member
}

// member is a property of a type.
type member struct {
	*ir.Property
	// inSpec reports whether a request has the property.
	inSpec bool
}

func newMembers(versions []*ir.Version) *members {
	m := &members{used: map[string]bool{}, types: map[string][]member{}}
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

// unusedMember returns why an entry of a list of properties is unused.
func (m *members) unusedMember(list, entry string) string {
	typ, name, _ := strings.Cut(entry, ".")
	properties, known := m.types[typ]
	if !known {
		return m.noType(typ)
	}
	var names []string
	found, inSpec := false, false
	for _, p := range properties {
		names = append(names, p.ARMName())
		if p.ARMName() == name || naming.JSON(p.ARMName()) == name {
			found = true
			inSpec = inSpec || p.inSpec
		}
	}
	switch {
	case !found:
		return fmt.Sprintf("no version of %s has a property %s%s", typ, name, diag.DidYouMean(name, names))
	case (strings.Contains(strings.ToLower(list), "references") || list == "roleDefinitions") && !inSpec:
		return fmt.Sprintf("%s is in responses only, and there ids are plain text; remove the entry", entry)
	case list == "references":
		return fmt.Sprintf("all specs with %s mark it as an ARM id; remove the entry", entry)
	case list == "secrets":
		return fmt.Sprintf("all specs with %s mark it as a secret; remove the entry", entry)
	case list == "untyped":
		return fmt.Sprintf("without the entry, %s would have no schema of its parts either; remove it", entry)
	case list == "createOnly":
		return fmt.Sprintf("all specs with %s say that it cannot change, or it is in responses only; remove the entry", entry)
	case list == "numbers":
		return fmt.Sprintf("no spec says that %s is an integer; remove the entry", entry)
	case list == "notNumbers":
		return fmt.Sprintf("without the entry, nobody would ask whether %s has fractions; remove it", entry)
	case list == "notReferences":
		return fmt.Sprintf("without the entry, %s would not be an ARM id either; remove it", entry)
	}
	return fmt.Sprintf("without the entry, %s would not be a secret either; remove it", entry)
}
