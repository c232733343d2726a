package evolution

import (
	"cmp"
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

// At reports whether a version has the property.
func (p *Property) At(version string) bool { return p.Span(version) >= 0 }

// Span returns the index of the span that has a version, or -1.
func (p *Property) Span(version string) int {
	return slices.IndexFunc(p.Spans, func(s Span) bool {
		return naming.CompareVersions(s.From, version) <= 0 && naming.CompareVersions(version, s.To) <= 0
	})
}

// Difference says what is different about a property in a span, compared with another one.
type Difference string

// The differences of a property.
const (
	Renamed  Difference = "renamed"
	Retyped  Difference = "retyped"
	Values   Difference = "values" // an enum has other members
	Required Difference = "required"
	Optional Difference = "optional"
	Limits   Difference = "limits"
)

// Differences returns what is different about the property in a span, compared with an
// earlier one, with what is there now in words.
func (p *Property) Differences(was, now int) map[Difference]string {
	before, s := p.Spans[was], p.Spans[now]
	all := map[Difference]string{}
	if before.Name != s.Name {
		all[Renamed] = cmp.Or(s.Name, p.Path[strings.LastIndex(p.Path, ".")+1:])
	}
	switch {
	case before.Type != s.Type:
		all[Retyped] = s.Type
	case !slices.Equal(before.Members, s.Members) || before.Open != s.Open:
		all[Values] = MembersText(before.Members, before.Open, s.Members, s.Open)
	}
	switch {
	case s.Required && !before.Required:
		all[Required] = "required"
	case before.Required && !s.Required:
		all[Optional] = "optional"
	}
	if before.Limits != s.Limits {
		all[Limits] = cmp.Or(s.Limits, "no limits")
	}
	return all
}

// Step counts the properties that come, go and change at a version. What is in an object
// that comes or goes counts, too.
type Step struct{ Came, Went, Changed int }

// Steps returns the counts of each API version but the first, compared with the version
// before it.
func (k *Resource) Steps() map[string]Step {
	var versions []string
	for _, v := range k.Versions {
		if !slices.Contains(versions, v.APIVersion) {
			versions = append(versions, v.APIVersion)
		}
	}
	steps := make([]Step, len(versions))
	for _, p := range k.Properties {
		last := -1
		for i, v := range versions {
			now := p.Span(v)
			switch {
			case i == 0 || now == last:
			case last < 0:
				steps[i].Came++
			case now < 0:
				steps[i].Went++
			default:
				steps[i].Changed++
			}
			last = now
		}
	}
	all := map[string]Step{}
	for i, v := range versions[min(1, len(versions)):] {
		all[v] = steps[i+1]
	}
	return all
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

// addProperties adds the properties of each kind, and what versions demand of them.
func (b *builder) addProperties() {
	members := newMembers(b)
	for _, k := range b.kinds {
		m := newMatrix(members, k)
		for _, r := range slices.SortedFunc(slices.Values(m.rows), func(x, y *row) int { return cmp.Compare(x.path, y.path) }) {
			if r.parent == nil {
				continue
			}
			if p := m.property(r); len(p.Spans) > 0 {
				k.Properties = append(k.Properties, p)
			}
			m.addRefusals(r)
		}
	}
}

// member is a property of a type at a version. All places that have the type share it.
type member struct {
	Span
	owner, name string // the type that has it, and its name there
	newest      string // its newest name
	object      string // the type of the object or of the elements
	property    *ir.Property
	union       []string // the variants, if it is a union
	oneOf       string   // what a closed enum or a union demands
}

// members has the members of all types, made when they are asked for.
type members struct {
	*builder
	of map[*ir.Type][]*member
}

func newMembers(b *builder) *members { return &members{b, map[*ir.Type][]*member{}} }

// at returns the members of a type of a version.
func (m *members) at(apiVersion string, types map[string]*ir.Type, t *ir.Type) []*member {
	if all, known := m.of[t]; known {
		return all
	}
	all := make([]*member, len(t.Properties))
	made := make([]member, len(t.Properties))
	for i, p := range t.Properties {
		c := &made[i]
		*c = member{
			Span:  Span{Type: TypeText(p.Type, types), Required: p.Required, Limits: LimitsText(p)},
			owner: t.Name, name: p.Name, newest: m.renames.of(apiVersion, t.Name, p.Name), property: p,
		}
		if p.Name != c.newest {
			c.Name = p.Name
		}
		leaf := types[p.Type.Leaf().Named]
		switch {
		case leaf == nil:
		case leaf.Kind == ir.Enum:
			c.Members, c.Open = m.enums.members(leaf), leaf.Open
			if !leaf.Open {
				c.oneOf = "one of " + joined(c.Members)
			}
		default:
			c.object = leaf.Name
			if shape.IsUnion(leaf) {
				c.union = shape.Variants(leaf)
				c.oneOf = "one of the variants " + joined(c.union)
			}
		}
		all[i] = c
	}
	m.of[t] = all
	return all
}

// matrix holds a row for each path of a kind, and in it a cell for each version.
type matrix struct {
	*members
	kind *Resource
	// versions and names are the API versions and their Kubernetes names, without
	// aliases, which have the same properties.
	versions, names []string
	rows            []*row
	links           []neighbours
}

// row has a cell for each version: the member that the path leads to, or nil.
type row struct {
	path   string
	parent *row // nil for spec and status
	below  map[string]*row
	cells  []*member
}

// pathAt returns the path in the names of a version that has the row.
func (r *row) pathAt(version int) string {
	if r.parent == nil {
		return r.path
	}
	return r.parent.pathAt(version) + "." + r.cells[version].name
}

// has reports whether a version has an object at the path.
func (r *row) has(version int) bool { return r.cells[version] != nil && r.cells[version].object != "" }

// neighbours names two neighbouring versions. The package has the plan of their conversions.
type neighbours struct {
	pkg          *plan.Package
	older, newer string
}

// newMatrix returns the properties of a kind at all versions.
func newMatrix(all *members, k *Resource) *matrix {
	m := &matrix{members: all, kind: k}
	k.members = map[string]bool{}
	for _, v := range k.Versions {
		if p := m.graph.packages[v.Name]; p != nil && !p.Alias {
			m.versions, m.names = append(m.versions, v.APIVersion), append(m.names, v.Name)
		}
	}
	for _, half := range halves {
		m.visit(half.path, half.typeName(k.Kind))
	}
	for _, name := range m.names {
		for _, h := range m.graph.way(name, k.Kind).up[1:] {
			older, newer := h.pkg.APIVersion, h.pairs.Neighbour.APIVersion
			if naming.CompareVersions(older, newer) > 0 {
				older, newer = newer, older
			}
			if !slices.ContainsFunc(m.links, func(l neighbours) bool { return l.older == older && l.newer == newer }) {
				m.links = append(m.links, neighbours{h.pkg, older, newer})
			}
		}
	}
	slices.SortFunc(m.links, func(x, y neighbours) int {
		return cmp.Or(naming.CompareVersions(x.newer, y.newer), naming.CompareVersions(x.older, y.older))
	})
	return m
}

// rowBelow returns the row of a property of an object, and adds it if there is none.
func (m *matrix) rowBelow(parent *row, name string) *row {
	r := parent.below[name]
	if r == nil {
		r = &row{path: parent.path + "." + name, parent: parent, cells: make([]*member, len(m.versions))}
		if parent.below == nil {
			parent.below = map[string]*row{}
		}
		parent.below[name] = r
		m.rows = append(m.rows, r)
	}
	return r
}

// opening is a row below which the matrix has properties to add.
type opening struct {
	*row
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
	top := &row{path: half, cells: make([]*member, len(m.versions))}
	m.rows = append(m.rows, top)
	for i := range m.versions {
		top.cells[i] = &member{object: typeName}
	}
	for todo := []opening{{row: top}}; len(todo) > 0; todo = todo[1:] {
		todo = append(todo, m.enter(todo[0])...)
	}
}

// enter adds the properties of the objects at a place, unless all of them contain
// themselves and are known. It returns the places of these properties.
func (m *matrix) enter(at opening) []opening {
	recursive, isNew := false, false
	for i, c := range at.cells {
		switch {
		case !at.has(i):
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
	below := opening{}
	if recursive {
		if below.entered = at.entered; below.entered == nil {
			below.entered = map[typeAt]bool{}
		}
	}
	var all []opening
	first := len(m.rows)
	for i, c := range at.cells {
		if !at.has(i) {
			continue
		}
		if m.graph.recursive[m.names[i]][c.object] {
			below.entered[typeAt{i, c.object}] = true
		}
		m.add(i, c, at.row)
	}
	for _, r := range m.rows[first:] {
		below.row = r
		all = append(all, below)
	}
	return all
}

// add adds the properties of an object at a version.
func (m *matrix) add(version int, in *member, at *row) {
	types := m.graph.types[m.names[version]]
	t := types[in.object]
	if t == nil {
		return
	}
	for _, c := range m.at(m.versions[version], types, t) {
		m.rowBelow(at, c.newest).cells[version] = c
		m.kind.members[naming.Fold(naming.Common(t.Name)+"."+c.name)] = true
	}
}

// property returns the entry of a row.
func (m *matrix) property(r *row) *Property {
	p := &Property{Path: r.path}
	last := -1       // the last version so far that has it
	lacking := false // whether a version since then has the parent only
	for i, c := range r.cells {
		if c == nil {
			lacking = lacking || r.parent.has(i)
			p.Changes = p.Changes || last >= 0 && r.parent.has(i)
			continue
		}
		same := last >= 0 && p.Spans[len(p.Spans)-1].same(c.Span)
		p.Changes = p.Changes || lacking || last >= 0 && !same
		if !same || last < i-1 {
			span := c.Span
			span.From = m.versions[i]
			if lacking && last >= 0 {
				span.Back = m.back(r, last, i)
			}
			p.Spans = append(p.Spans, span)
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
	for _, change := range m.kind.byPath[r.pathAt(before)] {
		switch {
		case !change.Between(m.names[before], m.names[now]):
		case change.Fate == Carried:
			return AnotherProperty
		case slices.Contains(change.How, FormerShape):
			return AnotherShape
		}
	}
	return SameShape
}

// review returns the change of a property on a link, if a person must assess it.
func (m *matrix) review(r *row, l neighbours) (Review, bool) {
	i, j := slices.Index(m.versions, l.older), slices.Index(m.versions, l.newer)
	older := r.cells[i]
	if older == nil || r.parent.cells[j] == nil {
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
