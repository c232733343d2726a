package transform

import (
	"slices"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
)

// addCollections adds the collections that group.yaml adds, and takes away those that it
// denies.
func (s *shaper) addCollections(load *config.Load) {
	named := func(ref ir.TypeRef) *ir.Type { return s.raw.Type(ref.Named) }
	for i, r := range s.out.Resources {
		r.Collections = slices.Clone(r.Collections)
		index := func(path string) int {
			return slices.IndexFunc(r.Collections, func(c ir.Collection) bool { return c.Path == path })
		}
		for _, deny := range load.Collections.Deny {
			if at := index(deny.Path); deny.Resource == r.Type && at >= 0 {
				r.Collections = slices.Delete(r.Collections, at, at+1)
				s.settings.effects[deny.Entry("deny")] = true
			}
		}
		for _, add := range load.Collections.Add {
			if add.Resource != r.Type || !slices.Contains(collections.Lists(s.raw.Type(s.raw.Resources[i].Spec), named), add.Path) {
				continue
			}
			switch at := index(add.Path); {
			case at < 0:
				r.Collections = append(r.Collections, ir.Collection{Path: add.Path, Type: add.Type})
			case r.Collections[at].Type == add.Type:
				continue
			default:
				r.Collections[at].Type = add.Type
			}
			s.settings.effects[add.Entry("add")] = true
		}
	}
}
