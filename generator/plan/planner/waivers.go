package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// addWaivers sets the waivers of each package.
func (b *builder) addWaivers() {
	properties := b.properties()
	for i, w := range b.Config.Waivers {
		entry := []any{"waivers", i}
		if wrong := unknownProperty(properties, w.Property); wrong != "" {
			b.errorf(append(entry, "property"), "%s", wrong)
		}
		for j, version := range w.Versions {
			if b.version(version) == nil {
				b.errorf(append(entry, "versions", j), "%s", b.changes.noVersion(version))
			}
		}
		for _, p := range b.packages {
			if plan.Role(w.Role) == p.Role && (len(w.Versions) == 0 || slices.Contains(w.Versions, p.APIVersion)) && len(p.Resources) > 0 {
				p.Waivers = append(p.Waivers, plan.Waiver{Law: w.Law, Property: w.Property, Reason: w.Reason})
			}
		}
	}
}

// properties returns the names of the properties of all versions, by the names of
// their types in group.yaml.
func (b *builder) properties() map[string][]string {
	all := map[string][]string{}
	for _, v := range b.Versions {
		for _, t := range v.Types {
			base := naming.Common(t.Name)
			for _, p := range t.Properties {
				all[base] = append(all[base], p.Name)
			}
		}
	}
	return all
}

// unknownProperty returns a message if no version has a property, or "".
func unknownProperty(properties map[string][]string, member string) string {
	typ, name, _ := strings.Cut(member, ".")
	var types []string
	for known := range properties {
		types = append(types, known)
		if strings.EqualFold(known, typ) {
			typ = known
		}
	}
	switch {
	case properties[typ] == nil:
		return fmt.Sprintf("no version has a type %s%s", typ, diag.DidYouMean(typ, types))
	case !has(properties[typ], name):
		return fmt.Sprintf("no version of %s has a property %s%s", typ, name, diag.DidYouMean(name, properties[typ]))
	}
	return ""
}
