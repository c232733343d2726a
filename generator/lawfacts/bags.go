package lawfacts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// Bags returns the entries of property bags that the conversions of packages take
// from entries of certain versions only, by the name of the struct type with the
// bag.
func Bags(packages ...*plan.Package) map[string][]BagEntry {
	bags := map[string][]BagEntry{}
	for _, p := range packages {
		for _, n := range p.Neighbours {
			for _, pair := range n.Pairs {
				for _, s := range pair.To {
					bags[pair.Here] = append(bags[pair.Here], entriesOf(s)...)
				}
				for _, s := range pair.From {
					bags[pair.There] = append(bags[pair.There], entriesOf(s)...)
				}
			}
		}
	}
	for typ, entries := range bags {
		slices.SortFunc(entries, func(a, b BagEntry) int {
			return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Version, b.Version))
		})
		bags[typ] = slices.Compact(entries)
	}
	return bags
}

// entriesOf returns the entries that a step takes out of a bag, or replaces there.
// Each may be under the name of the property alone, or under name and version.
func entriesOf(s plan.NamedStep) (entries []BagEntry) {
	shapes := slices.Concat(s.Versions, s.Beside)
	for _, shape := range s.Shapes {
		shapes = append(shapes, shape.Shape)
	}
	for _, shape := range shapes {
		name, version, renamed := strings.Cut(shape, "@")
		if !renamed {
			name, version = cmp.Or(s.Dst, s.Src), shape
		}
		key := propertybag.Fold(name)
		entries = append(entries, BagEntry{Key: key, Version: version},
			BagEntry{Key: key + "@" + version, Version: version})
	}
	return entries
}
