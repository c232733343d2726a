package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// Property describes a property of a resource at all its versions.
type Property struct {
	// Path is as in [Change], but with the newest names.
	Path string `json:"path"`
	// Spans lists the runs of versions at which it is the same, by date. Versions
	// in no span lack it.
	Spans []Span `json:"spans"`
	// Changes reports whether the property differs between versions, or is absent
	// from one that has its parent.
	Changes bool `json:"changes,omitempty"`
	// Reviews lists the changes that a person must assess, by date.
	Reviews []Review `json:"reviews,omitempty"`
}

// Span is a run of API versions at which a property is the same.
type Span struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Name is set if the property had another name than the newest one.
	Name     string `json:"name,omitempty"`
	Type     string `json:"type"`
	Required bool   `json:"required,omitempty"`
	// Limits says what it demands of a value beyond the type. A client may see a
	// value that breaks them, written at a version that demands less.
	Limits string `json:"limits,omitempty"`
	// Back is set if versions before this span lack the property, and still older
	// ones have it.
	Back Back `json:"back,omitempty"`
	// Members lists the values of an enum, sorted. Open means that there may be
	// others.
	Members []string `json:"members,omitempty"`
	Open    bool     `json:"open,omitempty"`

	typ *ir.Type // the type of an enum
}

// Back says how a property comes back: in the same shape, in another shape that is
// converted, or as another property of the same name.
type Back string

// The ways in which a property comes back.
const (
	SameShape       Back = "sameShape"
	AnotherShape    Back = "anotherShape"
	AnotherProperty Back = "anotherProperty"
)

func (s Span) same(o Span) bool {
	return s.Name == o.Name && s.Type == o.Type && s.Required == o.Required && s.Limits == o.Limits &&
		s.Open == o.Open && slices.Equal(s.Members, o.Members)
}

// Review describes a change that has to be assessed, between two versions that
// convert with each other: the newer lacks the property, or has it with a type
// that does not match.
type Review struct {
	// Property has the form "Type.property", as in group.yaml.
	Property string `json:"property"`
	Older    string `json:"older"`
	Since    string `json:"since"`
	// What is [plan.Removed], or gives the old and the new type.
	What string `json:"what"`
	// By says who has assessed the change.
	By     plan.Assessor `json:"by,omitempty"`
	Reason string        `json:"reason,omitempty"`
}

// addProperties adds the properties of each resource.
func (b *builder) addProperties() {
	for _, r := range b.report.Resources {
		m := newMatrix(b, r)
		for _, path := range slices.Sorted(maps.Keys(m.rows)) {
			if p := m.property(path); len(p.Spans) > 0 {
				r.Properties = append(r.Properties, p)
			}
		}
		m.addRefusals()
	}
}

// matrix holds a row for each path of a resource, and in it a cell for each
// version.
type matrix struct {
	*builder
	resource *Resource
	// versions and names are the API versions and their Kubernetes names, without
	// aliases, which have the same properties.
	versions, names []string
	rows            map[string]*row
	links           []link
	conversions     map[[2]string]*Conversion
}

type row struct {
	parent string // the path of the parent, "" for spec and status
	cells  []*cell
}

// cell describes a property at a version.
type cell struct {
	Span
	owner, name string // the type that has it, and its name there
	path        string // in the names of the version
	object      string // the type of the object or of the elements
	property    *ir.Property
	union       []string // the variants, if it is a union
	oneOf       string   // what a closed enum or a union demands
}

// link names two neighbouring versions. The package has the plan of their conversions.
type link struct {
	pkg          *plan.Package
	older, newer string
}

// newMatrix returns the properties of a resource at all versions.
func newMatrix(b *builder, r *Resource) *matrix {
	m := &matrix{builder: b, resource: r, rows: map[string]*row{}, conversions: r.byPair()}
	r.members = map[string]bool{}
	for _, v := range r.Versions {
		if p := b.graph.packages[v.Name]; p != nil && !p.Alias {
			m.versions, m.names = append(m.versions, v.APIVersion), append(m.names, v.Name)
		}
	}
	for _, half := range halves {
		m.visit(half.path, half.typeName(r.Kind))
	}
	for _, name := range m.names {
		for _, h := range b.graph.way(name, r.Kind).up[1:] {
			older, newer := h.pkg.APIVersion, h.pairs.Neighbour.APIVersion
			if naming.CompareVersions(older, newer) > 0 {
				older, newer = newer, older
			}
			if !slices.ContainsFunc(m.links, func(l link) bool { return l.older == older && l.newer == newer }) {
				m.links = append(m.links, link{h.pkg, older, newer})
			}
		}
	}
	slices.SortFunc(m.links, func(x, y link) int {
		return cmp.Or(naming.CompareVersions(x.newer, y.newer), naming.CompareVersions(x.older, y.older))
	})
	return m
}

// rowAt returns the row of a path, and adds it if there is none.
func (m *matrix) rowAt(path, parent string) *row {
	if m.rows[path] == nil {
		m.rows[path] = &row{parent, make([]*cell, len(m.versions))}
	}
	return m.rows[path]
}

// place is a path at which the matrix has properties to add.
type place struct {
	path string
	// entered has the types that contain themselves, by version, of which the
	// matrix has the properties already. It is nil outside such types.
	entered map[typeAt]bool
}

// typeAt names a type of a version by the version's index.
type typeAt struct {
	version int
	name    string
}

// visit adds all properties of a half. Of a type that contains itself it adds them
// once, at the nearest place, wherever another one contains it. Types can contain
// each other in so many ways that a list of all ways would have a million lines.
// The places nearest to the resource come first, and all versions together, so that
// a property has the same place at all of them.
func (m *matrix) visit(half, typeName string) {
	top := m.rowAt(half, "")
	for i := range m.versions {
		top.cells[i] = &cell{path: half, object: typeName}
	}
	for todo := []place{{path: half}}; len(todo) > 0; todo = todo[1:] {
		todo = append(todo, m.enter(todo[0])...)
	}
}

// enter adds the properties of the objects at a place, unless all of them contain
// themselves and are known. It returns the places of these properties.
func (m *matrix) enter(at place) []place {
	cells := m.rows[at.path].cells
	recursive, isNew := false, false
	for i, c := range cells {
		switch {
		case c == nil || c.object == "":
		case !m.graph.recursive[m.names[i]][c.object]:
			isNew = true
		default:
			recursive = true
			isNew = isNew || !at.entered[typeAt{i, c.object}]
		}
	}
	if !isNew {
		return nil
	}
	below := place{}
	if recursive {
		if below.entered = at.entered; below.entered == nil {
			below.entered = map[typeAt]bool{}
		}
	}
	var places []place
	for i, c := range cells {
		if c == nil || c.object == "" {
			continue
		}
		if m.graph.recursive[m.names[i]][c.object] {
			below.entered[typeAt{i, c.object}] = true
		}
		for _, name := range m.add(i, c, at.path) {
			below.path = name
			if !slices.ContainsFunc(places, func(p place) bool { return p.path == name }) {
				places = append(places, below)
			}
		}
	}
	return places
}

// add adds the properties of an object at a version, and returns their paths.
func (m *matrix) add(version int, in *cell, path string) []string {
	types := m.graph.types[m.names[version]]
	t := types[in.object]
	if t == nil {
		return nil
	}
	var paths []string
	for _, p := range t.Properties {
		newest := m.renames.of(m.versions[version], t.Name, p.Name)
		c := &cell{
			Span:  Span{Type: typeText(p.Type, types), Required: p.Required, Limits: limitsText(p)},
			owner: t.Name, name: p.Name, path: join(in.path, p.Name), property: p,
		}
		if p.Name != newest {
			c.Name = p.Name
		}
		leaf := types[p.Type.Leaf().Named]
		switch {
		case leaf == nil:
		case leaf.Kind == ir.Enum:
			c.Members, c.Open, c.typ = members(leaf), leaf.Open, leaf
			if !leaf.Open {
				c.oneOf = "one of " + strings.Join(c.Members, ", ")
			}
		default:
			c.object = leaf.Name
			if shape.IsUnion(leaf) {
				c.union = shape.Variants(leaf)
				c.oneOf = "one of the variants " + strings.Join(c.union, ", ")
			}
		}
		m.resource.members[naming.Fold(naming.Common(t.Name)+"."+p.Name)] = true
		below := c.path
		if in.path != path || p.Name != newest {
			below = join(path, newest)
		}
		m.rowAt(below, path).cells[version] = c
		paths = append(paths, below)
	}
	return paths
}

// property returns the entry of a row in the report.
func (m *matrix) property(path string) *Property {
	r := m.rows[path]
	p := &Property{Path: path}
	if r.parent == "" {
		return p
	}
	inside := func(i int) bool {
		parent := m.rows[r.parent].cells[i]
		return parent != nil && parent.object != ""
	}
	last := -1       // the last version so far that has it
	lacking := false // whether a version since then has the parent only
	for i, c := range r.cells {
		if c == nil {
			lacking = lacking || inside(i)
			p.Changes = p.Changes || last >= 0 && inside(i)
			continue
		}
		same := last >= 0 && p.Spans[len(p.Spans)-1].same(c.Span)
		p.Changes = p.Changes || lacking || last >= 0 && !same
		if lacking && last >= 0 {
			c.Back = m.back(r, last, i)
		}
		if !same || last < i-1 {
			c.From = m.versions[i]
			p.Spans = append(p.Spans, c.Span)
		}
		p.Spans[len(p.Spans)-1].To = m.versions[i]
		last, lacking = i, false
	}
	for _, l := range m.links {
		if review, ok := m.review(r, l); ok {
			p.Reviews, p.Changes = append(p.Reviews, review), true
		}
	}
	return p
}

// back returns how a property comes back at version now, after versions without it
// since version before.
func (m *matrix) back(r *row, before, now int) Back {
	c := m.conversions[[2]string{m.names[before], m.names[now]}]
	if c == nil {
		return SameShape
	}
	for _, change := range c.Changes {
		switch {
		case change.Path != r.cells[before].path:
		case change.Fate == Carried:
			return AnotherProperty
		case slices.Contains(change.How, FormerShape):
			return AnotherShape
		}
	}
	return SameShape
}

// review returns the change of a property on a link, if a person must assess it.
func (m *matrix) review(r *row, l link) (Review, bool) {
	i, j := slices.Index(m.versions, l.older), slices.Index(m.versions, l.newer)
	older := r.cells[i]
	if older == nil || m.rows[r.parent].cells[j] == nil {
		return Review{}, false
	}
	for _, change := range l.pkg.Changes {
		_, name, _ := strings.Cut(change.Property, ".")
		if change.Type != older.owner || change.Older != l.older || change.Since != l.newer || name != older.name {
			continue
		}
		review := Review{Property: change.Property, Older: l.older, Since: l.newer, What: change.What, By: change.By}
		if review.By != plan.Nobody {
			review.Reason = cmp.Or(m.Config.Reason(change.Property, change.Older, change.Since), change.By.Reason())
		}
		return review, true
	}
	return Review{}, false
}
