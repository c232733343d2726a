package transform

import (
	"slices"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
)

// markCollections adds the lists that group.yaml marks as lists of children to the
// collections, and takes away those of which it says that they are none.
func (s *shaper) markCollections() {
	if !s.settings.marksChildren {
		return
	}
	named := func(ref ir.TypeRef) *ir.Type { return s.raw.Type(ref.Named) }
	for i, r := range s.out.Resources {
		r.Collections = slices.Clone(r.Collections)
		for _, list := range collections.Lists(s.raw.Type(s.raw.Resources[i].Spec), named) {
			_, p := list.Owner()
			for _, name := range []string{p.ARMName(), propertyName(p)} {
				entry := s.ownerOf(r.Kind, list) + "." + name
				for _, m := range s.settings.properties[entry] {
					if m.Name == config.Children && markCollection(r, list.Path, m) {
						s.settings.effects[m.Entry(entry)] = true
					}
				}
			}
		}
	}
}

// markCollection applies the mark of a list, and reports whether it changes the resource.
func markCollection(r *ir.Resource, path string, m config.Mark) bool {
	at := slices.IndexFunc(r.Collections, func(c ir.Collection) bool { return c.Path == path })
	switch {
	case m.Not && at >= 0:
		r.Collections = slices.Delete(r.Collections, at, at+1)
	case m.Not || !collections.IsChild(m.Type, r.Type):
		return false
	case at < 0:
		r.Collections = append(r.Collections, ir.Collection{Path: path, Type: m.Type})
	case r.Collections[at].Type == m.Type:
		return false
	default:
		r.Collections[at].Type = m.Type
	}
	return true
}

// ownerOf returns the type that has a list in the raw body of a kind, as group.yaml names
// it. The kind has what is in "properties", which [half.flatten] moves there.
func (s *shaper) ownerOf(kind string, list collections.List) string {
	base, flat := kind, true // whether the properties inside "properties" are moved
	for i, p := range list.Properties[:len(list.Properties)-1] {
		outer, inner := list.Types[i], list.Types[i+1]
		isUnionInUnion := outer.Discriminator != "" && inner.Discriminator != ""
		if flat && p.Variant == "" && p.ARMName() == "properties" && !isUnionInUnion {
			flat = false
			continue
		}
		base, flat = s.bases.of(inner.Name), i == 0 && p.Variant != ""
	}
	return base
}
