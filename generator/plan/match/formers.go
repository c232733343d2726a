package match

import (
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// formers makes the pairs of a package's Formers that the pairs with one
// neighbour need.
type formers struct {
	pkg      *Package
	types    map[string]map[string]*ir.Type // of the package and the neighbour, by folded name
	matchers map[*Former]*Matcher
}

func newFormers(pkg *Package, neighbour string, here, there map[string]*ir.Type) *formers {
	return &formers{pkg, map[string]map[string]*ir.Type{pkg.Name: here, neighbour: there}, map[*Former]*Matcher{}}
}

// matcher returns a matcher of the types of a former version and a package, or
// nil if no property is recalled from that version.
func (f *formers) matcher(pkg, apiVersion string) *Matcher {
	for i := range f.pkg.Formers {
		if former := &f.pkg.Formers[i]; former.Package == pkg && former.APIVersion == apiVersion {
			if f.matchers[former] == nil {
				f.matchers[former] = f.New(former)
			}
			return f.matchers[former]
		}
	}
	return nil
}

func (f *formers) New(former *Former) *Matcher {
	m := New(&Package{Package: &plan.Package{Name: former.Name, APIVersion: former.APIVersion}, Recalls: f.pkg.Recalls},
		former.Package, nil, f.types[former.Package])
	m.formers, m.prefix = f, Prefix(former.APIVersion)
	types := make([]*ir.Type, len(former.Types))
	for i, t := range former.Types {
		types[i] = m.markType(t)
		renamed, taken := false, false
		for _, r := range former.TypeRenames {
			if r.Here == t.Name {
				renamed = true
				m.pkg.TypeRenames = append(m.pkg.TypeRenames, TypeRename{former.Package, types[i].Name, r.There})
			}
			taken = taken || r.There == t.Name // the name is another's by now
		}
		if !renamed && !taken {
			m.pkg.TypeRenames = append(m.pkg.TypeRenames, TypeRename{former.Package, types[i].Name, t.Name})
		}
	}
	for _, r := range former.PropertyRenames {
		r.Type = m.prefix + r.Type
		m.pkg.PropertyRenames = append(m.pkg.PropertyRenames, r)
	}
	for _, move := range former.Moves {
		move.Type = m.prefix + move.Type
		m.pkg.Moves = append(m.pkg.Moves, move)
	}
	m.here = ByName(types)
	return m
}

// Prefix returns the prefix of the names of a former version's types, such as
// "v20200101" or "v20200101preview".
func Prefix(apiVersion string) string {
	return "v" + strings.ReplaceAll(apiVersion, "-", "")
}

func (m *Matcher) mark(r ir.TypeRef) ir.TypeRef {
	return r.Renamed(func(name string) string { return m.prefix + name })
}

func (m *Matcher) markType(t *ir.Type) *ir.Type {
	marked := *t
	marked.Name = m.prefix + t.Name
	marked.Properties = make([]*ir.Property, len(t.Properties))
	for i, p := range t.Properties {
		property := *p
		property.Type = m.mark(p.Type)
		marked.Properties[i] = &property
	}
	return &marked
}

// pairs returns the pairs that were made, in the order of the package's Formers.
func (f *formers) pairs() []plan.FormerPairs {
	var all []plan.FormerPairs
	for i := range f.pkg.Formers {
		former := &f.pkg.Formers[i]
		if m := f.matchers[former]; m != nil {
			types := make([]*ir.Type, len(former.Types))
			for j, t := range former.Types {
				types[j] = m.here[naming.Fold(m.prefix+t.Name)]
			}
			all = append(all, plan.FormerPairs{Package: former.Package, APIVersion: former.APIVersion, Types: types, Pairs: m.sorted()})
		}
	}
	return all
}
