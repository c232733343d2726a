package transform

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Merge joins two raw forms of one version, which two readers made of documents
// of different formats. Where both describe a resource, first wins; second adds
// the resources that first lacks, and the types that these need. A type of
// second with the name and the shape of one of first is replaced by it; one of
// another shape gets another name. Either may be nil.
func Merge(first, second *ir.Version) *ir.Version {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	m := &merger{first: first, second: second, byFold: map[string]*ir.Type{}, names: map[string]string{}}
	for _, t := range first.Types {
		m.byFold[naming.Fold(t.Name)] = t
	}
	out := *first
	out.Resources, out.Types, out.Notes = slices.Clone(first.Resources), slices.Clone(first.Types), slices.Clone(first.Notes)
	out.Actions = slices.Clone(first.Actions)
	var roots []string
	kinds := map[string]bool{}
	for _, r := range second.Resources {
		if first.Resource(r.Type) == nil {
			added := *r
			out.Resources = append(out.Resources, &added)
			roots = append(roots, r.Spec, r.Status)
			kinds[r.Kind] = true
		}
	}
	reached := second.Reachable(roots...)
	m.nameAll(reached)
	for _, r := range out.Resources[len(first.Resources):] {
		r.Spec, r.Status = m.names[r.Spec], m.names[r.Status]
	}
	for _, t := range reached {
		if m.first.Type(m.names[t.Name]) == nil {
			out.Types = append(out.Types, m.copy(t))
		}
	}
	for _, a := range second.Actions {
		if first.Resource(a.Resource) == nil {
			out.Actions = append(out.Actions, a)
		}
	}
	out.Notes = append(out.Notes, m.notes(kinds)...)
	out.Sort()
	return &out
}

// merger holds what is known while two versions are merged.
type merger struct {
	first, second *ir.Version
	byFold        map[string]*ir.Type // the types of first
	// assumed are the pairs of types that are being compared.
	assumed map[[2]*ir.Type]bool
	names   map[string]string // of the types of second, in the merged version
}

// nameAll chooses the names of types of second in the merged version.
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

// equal reports whether a type of first takes the same requests as one of
// second, and has what responses of second have. Read-only properties that only
// first has do not count, nor does the openness of enums, because not every
// format has these. Types that hold themselves are equal unless a
// difference is found; a difference makes all types that led to it differ, so
// an assumption need not be taken back.
func (m *merger) equal(a, b *ir.Type) bool {
	pair := [2]*ir.Type{a, b}
	if m.assumed[pair] {
		return true
	}
	m.assumed[pair] = true
	return a.Kind == b.Kind && a.Base == b.Base && a.Discriminator == b.Discriminator &&
		slices.EqualFunc(a.Values, b.Values, func(x, y ir.EnumValue) bool { return x.Value == y.Value }) &&
		slices.EqualFunc(request(a), request(b), m.equalProperties) && m.hasResponse(a, b)
}

// hasResponse reports whether a has each read-only property of b, so that no
// response of second loses any.
func (m *merger) hasResponse(a, b *ir.Type) bool {
	for _, p := range b.Properties {
		if p.ReadOnly && !slices.ContainsFunc(a.Properties, func(q *ir.Property) bool { return q.ReadOnly && m.equalProperties(q, p) }) {
			return false
		}
	}
	return true
}

func (m *merger) equalProperties(a, b *ir.Property) bool {
	return a.ARMName() == b.ARMName() && a.Variant == b.Variant && a.Spread == b.Spread && a.Required == b.Required &&
		m.equalRefs(a.Type, b.Type)
}

func (m *merger) equalRefs(a, b ir.TypeRef) bool {
	a, b = a.Clone(), b.Clone()
	x, y := a.Leaf(), b.Leaf()
	if x.Named != "" && y.Named != "" {
		if !m.equal(m.first.Type(x.Named), m.second.Type(y.Named)) {
			return false
		}
		y.Named = x.Named
	}
	return a.Equal(b)
}

// request returns the properties of a type that a request can have, sorted by
// ARM name.
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

// copy returns a copy of a type of second with the merged version's names.
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

// notes returns the notes of second on the types and resources taken from it.
func (m *merger) notes(kinds map[string]bool) []ir.Note {
	var notes []ir.Note
	for _, note := range m.second.Notes {
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
