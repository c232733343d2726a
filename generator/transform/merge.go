package transform

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Merge joins what the two readers found of one version, both in raw form.
// Swagger has the response side too, so it wins where both describe a
// resource; the schema adds the resources that Swagger lacks, and the types
// that these need. A type that has Swagger's name and shape is Swagger's; one
// of another shape gets another name. Either may be nil.
func Merge(swagger, schema *ir.Version) *ir.Version {
	switch {
	case swagger == nil:
		return schema
	case schema == nil:
		return swagger
	}
	m := &merger{swagger: swagger, schema: schema, byFold: map[string]*ir.Type{}, names: map[string]string{}}
	for _, t := range swagger.Types {
		m.byFold[naming.Fold(t.Name)] = t
	}
	out := *swagger
	out.Resources, out.Types, out.Notes = slices.Clone(swagger.Resources), slices.Clone(swagger.Types), slices.Clone(swagger.Notes)
	var roots []string
	kinds := map[string]bool{}
	for _, r := range schema.Resources {
		if swagger.Resource(r.Type) == nil {
			added := *r
			out.Resources = append(out.Resources, &added)
			roots = append(roots, r.Spec)
			kinds[r.Kind] = true
		}
	}
	reached := schema.Reachable(roots...)
	m.nameAll(reached)
	for _, r := range out.Resources[len(swagger.Resources):] {
		r.Spec = m.names[r.Spec]
	}
	for _, t := range reached {
		if m.swagger.Type(m.names[t.Name]) == nil {
			out.Types = append(out.Types, m.copy(t))
		}
	}
	out.Notes = append(out.Notes, m.notes(kinds)...)
	out.Sort()
	return &out
}

// merger holds what is known while two versions are merged.
type merger struct {
	swagger, schema *ir.Version
	byFold          map[string]*ir.Type // Swagger's types
	// assumed are the pairs of types that are being compared.
	assumed map[[2]*ir.Type]bool
	names   map[string]string // of the schema's types, in the merged version
}

// nameAll finds the names of the schema's types in the merged version.
func (m *merger) nameAll(types []*ir.Type) {
	taken := map[string]bool{}
	for folded := range m.byFold {
		taken[folded] = true
	}
	for _, t := range types {
		name := t.Name
		m.assumed = map[[2]*ir.Type]bool{}
		if theirs := m.byFold[naming.Fold(name)]; theirs != nil && m.equal(theirs, t) {
			m.names[t.Name] = theirs.Name
			continue
		}
		for taken[naming.Fold(name)] {
			name += "Schema"
		}
		taken[naming.Fold(name)] = true
		m.names[t.Name] = name
	}
}

// equal tells whether a type of Swagger takes the same requests as one of the
// schema. The schema has no read-only properties and knows no open enums. Types
// that hold themselves are equal if nothing shows that they are not; one
// difference makes all that led to it differ, so nothing is taken back.
func (m *merger) equal(a, b *ir.Type) bool {
	pair := [2]*ir.Type{a, b}
	if m.assumed[pair] {
		return true
	}
	m.assumed[pair] = true
	return a.Kind == b.Kind && a.Base == b.Base && a.Discriminator == b.Discriminator &&
		slices.EqualFunc(a.Values, b.Values, func(x, y ir.EnumValue) bool { return x.Value == y.Value }) &&
		slices.EqualFunc(request(a), request(b), m.equalProperties)
}

func (m *merger) equalProperties(a, b *ir.Property) bool {
	return a.ARMName() == b.ARMName() && a.Variant == b.Variant && a.Spread == b.Spread && a.Required == b.Required && m.equalRefs(a.Type, b.Type)
}

func (m *merger) equalRefs(a, b ir.TypeRef) bool {
	a, b = a.Clone(), b.Clone()
	x, y := a.Leaf(), b.Leaf()
	if x.Named != "" && y.Named != "" {
		if !m.equal(m.swagger.Type(x.Named), m.schema.Type(y.Named)) {
			return false
		}
		y.Named = x.Named
	}
	return a.Equal(b)
}

// request are the properties of a type that a request can have, by ARM name.
func request(t *ir.Type) []*ir.Property {
	var properties []*ir.Property
	for _, p := range t.Properties {
		if !p.ReadOnly {
			properties = append(properties, p)
		}
	}
	slices.SortFunc(properties, func(a, b *ir.Property) int {
		return strings.Compare(a.ARMName()+"\x00"+a.Variant, b.ARMName()+"\x00"+b.Variant)
	})
	return properties
}

// copy is a type of the schema with the merged version's names.
func (m *merger) copy(t *ir.Type) *ir.Type {
	copied := *t
	copied.Name = m.names[t.Name]
	copied.Properties = make([]*ir.Property, len(t.Properties))
	for i, p := range t.Properties {
		property := *p
		property.Type = p.Type.Clone()
		if leaf := property.Type.Leaf(); leaf.Named != "" {
			leaf.Named = m.names[leaf.Named]
		}
		copied.Properties[i] = &property
	}
	return &copied
}

// notes are the schema's notes on what was taken from it.
func (m *merger) notes(kinds map[string]bool) []ir.Note {
	var notes []ir.Note
	for _, note := range m.schema.Notes {
		subject, property, hasProperty := strings.Cut(note.Subject, ".")
		name, taken := m.names[subject]
		if !taken && !kinds[subject] && note.Subject != "" {
			continue
		}
		if taken {
			note.Subject = name
			if hasProperty {
				note.Subject += "." + property
			}
		}
		notes = append(notes, note)
	}
	return notes
}
