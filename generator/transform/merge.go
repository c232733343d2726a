package transform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// Merge joins the raw forms of one version that the readers of several formats made,
// the one that decides first. Each property has what any of them says of it:
//
//   - Its type, whether it is required, and its limits are those of the first version
//     that has the property. It is a number if any says so, because not every format
//     tells numbers from integers.
//   - It is a secret, an ARM id or create-only if any says so. Descriptions, defaults
//     and the keys of lists come from the first that has one.
//   - A resource has no DELETE if any says so, because only Swagger has operations.
//   - A property, a value's description, a resource, a response or an action that only
//     a later version has is added.
//
// Where two contradict each other, there is a note that says which is believed, and why.
//
// A resource whose response nobody described when the version was published keeps what
// requests have in its Status. known says what was published, and may be nil.
//
// Each property gets the mark of what its description lets people think of it, so that
// nothing after Merge depends on descriptions.
func Merge(sources []*ir.Version, known *ir.Version) *ir.Version {
	if len(sources) == 0 {
		return nil
	}
	requested := map[string]bool{}
	if known != nil {
		for _, r := range known.Resources {
			requested[strings.ToLower(r.Type)] = r.Requested || r.Status == ""
		}
	}
	merged := sources[0]
	for _, v := range sources[1:] {
		merged = merge(merged, v, requested) // which returns a copy
	}
	if len(sources) == 1 {
		merged = clone(merged)
	}
	for _, t := range merged.Types {
		for _, p := range t.Properties {
			p.Likely = likely(p)
		}
	}
	return merged
}

// merge joins two versions, of which first decides. The Statuses of requested, by the
// folded type of the resource, have what requests have too.
func merge(first, second *ir.Version, requested map[string]bool) *ir.Version {
	m := &merger{
		first: first, second: second, requested: requested, out: clone(first),
		byFold: map[string]*ir.Type{}, partners: map[*ir.Type][]*ir.Type{}, names: map[string]string{},
		added: map[string]bool{}, responses: map[typePair]bool{}, inRequests: map[*ir.Type]bool{}, places: map[*ir.Type]jsontree.Place{},
	}
	var requests []string
	for _, r := range first.Resources {
		requests = append(requests, r.Spec)
	}
	for _, t := range first.Reachable(requests...) {
		m.inRequests[t] = true
	}
	for _, t := range first.Types {
		m.byFold[naming.Fold(t.Name)] = t
	}
	m.pairBodies()
	m.addResources()
	m.nameTypes()
	for _, p := range m.pairs {
		m.mergeTypes(p)
	}
	m.addTypes()
	m.mergeActions()
	m.addNotes()
	m.out.Sort()
	return m.out
}

// clone returns a copy of a version whose resources, types and properties can be changed.
func clone(v *ir.Version) *ir.Version {
	out := *v
	out.Sources, out.Notes = slices.Clone(v.Sources), slices.Clone(v.Notes)
	out.Resources, out.Types = make([]*ir.Resource, len(v.Resources)), make([]*ir.Type, len(v.Types))
	for i, r := range v.Resources {
		copied := *r
		out.Resources[i] = &copied
	}
	for i, t := range v.Types {
		copied := *t
		copied.Values, copied.Properties = slices.Clone(t.Values), make([]*ir.Property, len(t.Properties))
		for j, p := range t.Properties {
			property := *p
			property.Type = p.Type.Clone()
			copied.Properties[j] = &property
		}
		out.Types[i] = &copied
	}
	out.Actions = slices.Clone(v.Actions)
	for i, a := range out.Actions {
		out.Actions[i].Values = slices.Clone(a.Values)
	}
	return &out
}

// merger holds what is known while two versions are merged.
type merger struct {
	first, second, out *ir.Version
	requested          map[string]bool
	byFold             map[string]*ir.Type // the types of first
	// pairs are the types that stand at the same place in both, and partners those of
	// first by the one of second.
	pairs    []typePair
	partners map[*ir.Type][]*ir.Type
	// inRequests has the types of first that requests have.
	inRequests map[*ir.Type]bool
	// places has where first refers to a type, for notes.
	places map[*ir.Type]jsontree.Place
	// responses has the pairs of which one is a request and the other a response, which
	// gets what requests have.
	responses map[typePair]bool
	// roots are the types that out takes from second.
	roots []string
	names map[string]string // of the types of second, in out
	// added has the types, the properties and the kinds that out has from second alone,
	// by their names there.
	added map[string]bool
	// assumed are the pairs of types that are being compared.
	assumed map[typePair]bool
}

// typePair has a type of first and one of second.
type typePair struct{ first, second *ir.Type }

// pairBodies pairs the bodies of the resources that both versions have, and the types
// below them.
func (m *merger) pairBodies() {
	for _, r := range m.out.Resources {
		other := m.second.Resource(r.Type)
		if other != nil && other.Status == "" && r.Status != "" && m.requested[strings.ToLower(r.Type)] {
			m.pair(r.Status, other.Spec)
			r.Requested = true
		}
	}
	m.pairBelow(0)
	requests := len(m.pairs)
	for _, p := range m.pairs {
		m.responses[p] = true
	}
	for _, r := range m.out.Resources {
		other := m.second.Resource(r.Type)
		if other == nil {
			continue
		}
		m.pair(r.Spec, other.Spec)
		m.pair(r.Status, other.Status)
		r.Path = cmp.Or(r.Path, other.Path)
		r.LikelyGUID = r.LikelyGUID || other.LikelyGUID
		r.NoDelete = r.NoDelete || other.NoDelete
		if r.NameLimits == nil && r.KnownNames == nil {
			r.NameLimits, r.KnownNames = other.NameLimits, other.KnownNames
		}
		if r.Status == "" {
			m.roots = append(m.roots, other.Status)
		}
	}
	m.pairBelow(requests)
}

// pairBelow pairs the types below those of all pairs from an index on.
func (m *merger) pairBelow(i int) {
	for ; i < len(m.pairs); i++ {
		first, second := m.pairs[i].first, m.pairs[i].second
		for _, p := range second.Properties {
			if q := counterpart(first, p); q != nil && p.Type.Renamed(noName).Equal(q.Type.Renamed(noName)) {
				m.pair(q.Type.Leaf().Named, p.Type.Leaf().Named)
				if t := m.first.Type(q.Type.Leaf().Named); t != nil && m.places[t].Doc == nil {
					m.places[t] = q.At
				}
			}
		}
	}
}

func noName(string) string { return "" }

// pair pairs two types, if there are both and both are objects or both enums.
func (m *merger) pair(first, second string) {
	p := typePair{m.first.Type(first), m.second.Type(second)}
	if p.first == nil || p.second == nil || p.first.Kind != p.second.Kind || slices.Contains(m.partners[p.second], p.first) {
		return
	}
	m.pairs = append(m.pairs, p)
	m.partners[p.second] = append(m.partners[p.second], p.first)
}

// counterpart returns the property of a type that is the same as p in ARM, or nil.
func counterpart(t *ir.Type, p *ir.Property) *ir.Property {
	i := slices.IndexFunc(t.Properties, func(q *ir.Property) bool {
		return p.Variant == q.Variant && p.Spread == q.Spread && strings.EqualFold(p.ARMName(), q.ARMName())
	})
	if i < 0 {
		return nil
	}
	return t.Properties[i]
}

// addResources adds the resources that only second has.
func (m *merger) addResources() {
	for _, r := range m.second.Resources {
		if m.first.Resource(r.Type) == nil {
			added := *r
			m.out.Resources = append(m.out.Resources, &added)
			m.roots = append(m.roots, r.Spec, r.Status)
			m.added[r.Kind] = true
		}
	}
}

// nameTypes chooses the names that types of second have in out. A type with a partner
// has its name. Another one has the name and is the same as a type of first with that
// name and shape, or has a name that no other has.
func (m *merger) nameTypes() {
	taken := map[string]bool{}
	for folded := range m.byFold {
		taken[folded] = true
	}
	for _, t := range m.second.Types {
		if partners := m.partners[t]; len(partners) > 0 {
			same := func(p *ir.Type) bool { return naming.Fold(p.Name) == naming.Fold(t.Name) }
			m.names[t.Name] = partners[max(0, slices.IndexFunc(partners, same))].Name
			continue
		}
		m.assumed = map[typePair]bool{}
		if theirs := m.byFold[naming.Fold(t.Name)]; theirs != nil && m.equal(theirs, t) {
			m.names[t.Name] = theirs.Name
			continue
		}
		name := t.Name
		for taken[naming.Fold(name)] {
			name += "Schema"
		}
		taken[naming.Fold(name)] = true
		m.names[t.Name] = name
	}
	for _, r := range m.out.Resources {
		other := m.second.Resource(r.Type)
		switch {
		case other == nil:
		case m.first.Resource(r.Type) == nil:
			r.Spec, r.Status = m.names[r.Spec], m.names[r.Status]
		case r.Status == "":
			r.Status = m.names[other.Status]
		}
	}
}

// mergeTypes adds what the second type of a pair says to the first one's copy in out.
func (m *merger) mergeTypes(pair typePair) {
	t := m.out.Type(pair.first.Name)
	t.Doc = cmp.Or(t.Doc, pair.second.Doc)
	if t.Kind == ir.Enum {
		m.mergeValues(m.place(pair), t, pair.second)
		return
	}
	if t.Discriminator != pair.second.Discriminator && pair.second.Discriminator != "" {
		m.contradiction(m.place(pair), t.Name, unionText(t), unionText(pair.second))
	}
	for _, p := range pair.second.Properties {
		q := counterpart(t, p)
		switch {
		case q == nil && !selects(t, pair.second, p):
			q = m.copyProperty(p)
			q.Required = false // first takes requests without it
			q.Source = m.second.Sources[0]
			t.Properties = append(t.Properties, q)
			m.added[pair.second.Name+"."+p.ARMName()] = true
			m.roots = append(m.roots, p.Type.Leaf().Named)
		case q != nil && counterpart(pair.first, p) != nil:
			m.mergeProperty(t.Name, q, p, m.inRequests[pair.first] && !m.responses[pair])
		}
		if q != nil && m.responses[pair] {
			q.WriteOnly = false
		}
	}
}

// place returns where first describes a type: where it refers to it, or, for a body,
// the first property. For a body without one it is where second has its first.
func (m *merger) place(pair typePair) jsontree.Place {
	if at := m.places[pair.first]; at.Doc != nil {
		return at
	}
	for _, p := range slices.Concat(pair.first.Properties, pair.second.Properties) {
		if p.At.Doc != nil {
			return p.At
		}
	}
	return jsontree.Place{}
}

// selects reports whether a property of second has no place in t: it selects or is a
// variant of a union that t is not, or selects one that t is.
func selects(t, second *ir.Type, p *ir.Property) bool {
	other := !strings.EqualFold(t.Discriminator, second.Discriminator)
	return p.Variant != "" && other || !p.Spread && t.Discriminator != "" && strings.EqualFold(p.ARMName(), t.Discriminator)
}

func unionText(t *ir.Type) string {
	if t.Discriminator == "" {
		return "no union"
	}
	return "a union by " + t.Discriminator
}

// mergeValues merges the values of two enums.
func (m *merger) mergeValues(at jsontree.Place, t, second *ir.Type) {
	if t.Base != second.Base {
		m.contradiction(at, t.Name, "values of the type "+string(t.Base), string(second.Base))
		return
	}
	docs := map[string]string{}
	for _, v := range second.Values {
		docs[v.Value] = v.Doc
	}
	for i, v := range t.Values {
		t.Values[i].Doc = cmp.Or(v.Doc, docs[v.Value])
	}
	if mine, theirs := values(t), values(second); !slices.Equal(mine, theirs) {
		m.contradiction(at, t.Name, "the values "+strings.Join(mine, ", "), strings.Join(theirs, ", "))
	}
}

func values(t *ir.Type) []string {
	var all []string
	for _, v := range t.Values {
		all = append(all, v.Value)
	}
	slices.Sort(all)
	return all
}

// mergeProperty adds what p of second says to q of out. requested reports whether both are of requests.
func (m *merger) mergeProperty(typ string, q, p *ir.Property, requested bool) {
	q.Doc, q.Default = cmp.Or(q.Doc, p.Doc), cmp.Or(q.Default, p.Default)
	q.CreateOnly = q.CreateOnly || p.CreateOnly
	q.IsSecret = q.IsSecret || p.IsSecret
	q.IsARMID = q.IsARMID || p.IsARMID
	q.Encoding = cmp.Or(q.Encoding, p.Encoding)
	if len(q.ResourceTypes) == 0 {
		q.ResourceTypes = p.ResourceTypes
	}
	if len(q.ListKeys) == 0 {
		q.ListKeys = p.ListKeys
	}
	subject := typ + "." + propertyName(q)
	if mine, theirs := jsonType(m.out, q.Type), jsonType(m.second, p.Type); mine != theirs {
		switch {
		case q.Type.Leaf().Primitive == ir.Integer && strings.TrimSuffix(mine, "integer")+"number" == theirs:
			q.Type.Leaf().Primitive, q.MayBeFraction = ir.Number, false
		case p.Type.Leaf().Primitive == ir.Integer && strings.TrimSuffix(theirs, "integer")+"number" == mine:
		case q.Type.Leaf().Primitive == ir.Any || p.Type.Leaf().Primitive == ir.Any: // says less, not something else
		default:
			m.contradiction(q.At, subject, mine, theirs)
		}
	}
	if q.Required != p.Required && !q.ReadOnly && !p.ReadOnly {
		m.contradiction(q.At, subject, requiredText(q), requiredText(p))
	}
	if q.ReadOnly != p.ReadOnly && requested {
		m.contradiction(q.At, subject, readOnlyText(q), readOnlyText(p))
	}
	if mine, theirs := q.Validation.Limits(), p.Validation.Limits(); !slices.Equal(mine, theirs) {
		m.contradiction(q.At, subject, limitsText(mine), limitsText(theirs))
	}
}

func readOnlyText(p *ir.Property) string {
	if p.ReadOnly {
		return "read-only"
	}
	return "in requests"
}

func limitsText(limits []string) string {
	if len(limits) == 0 {
		return "without limits"
	}
	return "limited by " + strings.Join(limits, ", ")
}

func requiredText(p *ir.Property) string {
	if p.Required {
		return "required"
	}
	return "optional"
}

// jsonType returns the JSON type of values, such as "list of integer".
func jsonType(v *ir.Version, ref ir.TypeRef) string {
	switch {
	case ref.Items != nil:
		return "list of " + jsonType(v, *ref.Items)
	case ref.Map != nil:
		return "map of " + jsonType(v, *ref.Map)
	case ref.Named == "":
		return string(ref.Primitive)
	}
	if t := v.Type(ref.Named); t.Kind == ir.Enum {
		return string(t.Base)
	}
	return "object"
}

// contradiction adds a note on what the two versions say differently.
func (m *merger) contradiction(at jsontree.Place, subject, first, second string) {
	note := ir.Note{Kind: ir.Approximated, Subject: subject, Reason: fmt.Sprintf(
		"is %s, as %s says, which decides because it says more of an API; %s says %s", first, strings.Join(m.first.Sources, " or "),
		m.second.Sources[0], second)}
	if at.Doc != nil {
		note.File, note.Pointer = at.Doc.Name, at.Doc.Pointer(at.Node)
	}
	m.out.Notes = append(m.out.Notes, note)
}

// addTypes adds the types of second that resources and properties of out need.
func (m *merger) addTypes() {
	seen := map[string]bool{}
	for len(m.roots) > 0 {
		t := m.second.Type(m.roots[0])
		m.roots = m.roots[1:]
		if t == nil || seen[t.Name] || m.first.Type(m.names[t.Name]) != nil {
			continue
		}
		seen[t.Name], m.added[t.Name] = true, true
		copied := *t
		copied.Name, copied.Source = m.names[t.Name], m.second.Sources[0]
		copied.Properties = make([]*ir.Property, len(t.Properties))
		for i, p := range t.Properties {
			copied.Properties[i] = m.copyProperty(p)
			m.roots = append(m.roots, p.Type.Leaf().Named)
		}
		m.out.Types = append(m.out.Types, &copied)
	}
	m.out.Sources = append(m.out.Sources, m.second.Sources...)
}

// copyProperty returns a copy of a property of second with the names of out.
func (m *merger) copyProperty(p *ir.Property) *ir.Property {
	copied := *p
	copied.Type = p.Type.Renamed(func(name string) string { return m.names[name] })
	return &copied
}

// mergeActions adds the actions of second, and the values that first lacks in those
// that both have.
func (m *merger) mergeActions() {
	for _, a := range m.second.Actions {
		i := slices.IndexFunc(m.out.Actions, func(b ir.Action) bool {
			return strings.EqualFold(a.Resource, b.Resource) && strings.EqualFold(a.Name, b.Name)
		})
		if i < 0 {
			m.out.Actions = append(m.out.Actions, a)
			continue
		}
		b := &m.out.Actions[i]
		b.Secret = b.Secret || a.Secret
		for _, v := range a.Values {
			j := slices.IndexFunc(b.Values, func(w ir.ActionValue) bool { return strings.EqualFold(v.Path, w.Path) })
			if j < 0 {
				b.Values = append(b.Values, v)
				continue
			}
			b.Values[j].Secret = b.Values[j].Secret || v.Secret
			b.Values[j].Base64 = b.Values[j].Base64 || v.Base64
			b.Values[j].Any = b.Values[j].Any && v.Any
		}
	}
}

// addNotes adds the notes of second on what out has from it alone.
func (m *merger) addNotes() {
	for _, note := range m.second.Notes {
		subject, property, hasProperty := strings.Cut(note.Subject, ".")
		if !m.added[subject] && !m.added[note.Subject] && note.Subject != "" {
			continue
		}
		if name, known := m.names[subject]; known {
			note.Subject = name
			if hasProperty {
				note.Subject += "." + property
			}
		}
		m.out.Notes = append(m.out.Notes, note)
	}
}

// equal reports whether a type of first takes the same requests as one of
// second, and has what responses of second have. Read-only properties that only
// first has do not count, nor does the openness of enums, because not every
// format has these. Types that hold themselves are equal unless a
// difference is found; a difference makes all types that led to it differ, so
// an assumption need not be taken back.
func (m *merger) equal(a, b *ir.Type) bool {
	if slices.Contains(m.partners[b], a) || m.assumed[typePair{a, b}] {
		return true
	}
	m.assumed[typePair{a, b}] = true
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
