package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// StepKind says how a value comes from one type to another.
type StepKind string

// The kinds of steps. Stash and Recall are of properties only, the others of
// properties and of the elements of slices and maps alike.
const (
	// Assign: both are the same scalar (String, Integer, Number, Boolean). As
	// properties they are pointers, which may be shared.
	Assign StepKind = "assign"
	// Cast: one is an enum, the other its base type or an enum of the same base.
	Cast StepKind = "cast"
	// Copy: both are the same type that is not generated (Any, Reference,
	// Secret, Owner, AnyOwner, Conditions). It is copied deep.
	Copy StepKind = "copy"
	// Object: both are objects that match; Value.Pair converts them.
	Object StepKind = "object"
	// Slice: both are arrays, whose elements convert as Value.Elem says.
	Slice StepKind = "slice"
	// Map: both are maps, whose values convert as Value.Elem says.
	Map StepKind = "map"
	// Fit: the change of type is in the closed table of safe changes, int to
	// float, int to string, or one object (converted as Elem says) to a list of
	// one, or the reverse. A value that would not come back identical is
	// stashed, so that the property is recalled too.
	Fit StepKind = "fit"
	// Stash: the destination lacks the property, which goes into its bag.
	Stash StepKind = "stash"
	// Recall: the source lacks the property, which comes from its bag.
	Recall StepKind = "recall"
)

// Pair is how a type of a package converts to a type of a neighbour and back.
type Pair struct {
	// Here is the package's type, There the neighbour's. Both are objects.
	Here, There *ir.Type
	// To are the steps from Here to There, From those from There to Here.
	// Each property of the destination is the Dst of at most one step. Steps
	// are in the alphabetical order of their properties without regard to
	// case; of one name a Recall comes before the Stash, so that what the bag
	// has of a name is taken out before another shape of that name goes in.
	To, From []Step
}

// Step is how one property converts.
type Step struct {
	Value
	// Src is the source's property; nil in a Recall.
	Src *ir.Property
	// Dst is the destination's property; nil in a Stash.
	Dst *ir.Property
	// Partner of a Stash or a Recall is the other side's property of the same
	// name, whose type does not match; nil where there is none.
	Partner *ir.Property
	// Versions of a Recall or Fit are the shapes of entries that equal Dst's;
	// none if the entries of all versions have it.
	Versions []string
	// Shapes of a Recall or Fit are others that convert to Dst's.
	Shapes []ShapeValue
	// Beside of a Stash or Fit are the shapes of the entries whose place Src
	// takes; none if it takes that of all entries of its name.
	Beside []string
}

// ShapeValue is how the value of an entry that has another shape converts.
type ShapeValue struct {
	Shape string
	// Type of the entry's value, among the types of a [FormerPairs].
	Type ir.TypeRef
	Value
}

// Property is the one that names the step: Dst, or Src of a Stash. A bag has a
// Stash or Recall under its name.
func (s Step) Property() *ir.Property {
	if s.Dst == nil {
		return s.Src
	}
	return s.Dst
}

// Value is how a value converts: that of a property, or of an element.
type Value struct {
	Kind StepKind
	// Elem is how the elements convert, of a Slice and a Map, or how the one
	// object does, of a Fit.
	Elem *Value
	// Pair converts the objects; of an Object only. The direction is that of
	// the step: its To in a To, its From in a From.
	Pair *Pair
}

// matcher makes the pairs of a package and one neighbour. Each pair is made
// once, and known before its properties are looked at, so that types may recur.
type matcher struct {
	pkg         *Package
	neighbour   string
	here, there map[string]*ir.Type // by folded name
	pairs       map[*ir.Type]*Pair  // by the type here
	formers     *formers
	prefix      string // of the names of the types here, which are a former's
}

func newMatcher(pkg *Package, neighbour string, here, there []*ir.Type) *matcher {
	return &matcher{
		pkg: pkg, neighbour: neighbour,
		here: byName(here), there: byName(there),
		pairs: map[*ir.Type]*Pair{},
	}
}

func byName(types []*ir.Type) map[string]*ir.Type {
	m := make(map[string]*ir.Type, len(types))
	for _, t := range types {
		m[naming.Fold(t.Name)] = t
	}
	return m
}

// pair returns the pair of a type here, or nil if no object there matches it.
func (m *matcher) pair(name string) *Pair {
	here, there := m.here[naming.Fold(name)], m.there[naming.Fold(m.partnerType(name))]
	if here == nil || there == nil || here.Kind != ir.Object || there.Kind != ir.Object {
		return nil
	}
	if p := m.pairs[here]; p != nil {
		return p
	}
	p := &Pair{Here: here, There: there}
	m.pairs[here] = p
	partners := map[*ir.Property]*ir.Property{} // whose types do not match, by that there
	for _, h := range here.Properties {
		t := m.partnerProperty(here, there, h)
		if to := m.propertyValue(h, t); to != nil {
			p.To = append(p.To, m.step(*to, m.pkg.Name, here, h, m.neighbour, there, t))
			p.From = append(p.From, m.step(*to, m.neighbour, there, t, m.pkg.Name, here, h))
			continue
		}
		partners[t] = h
		p.To = append(p.To, m.stash(m.pkg.Name, here, h, t))
		p.From = append(p.From, m.recall(m.pkg.Name, here, h, t))
	}
	for _, t := range there.Properties {
		if !slices.ContainsFunc(p.To, func(s Step) bool { return s.Dst == t }) {
			p.To = append(p.To, m.recall(m.neighbour, there, t, partners[t]))
			p.From = append(p.From, m.stash(m.neighbour, there, t, partners[t]))
		}
	}
	sortSteps(p.To)
	sortSteps(p.From)
	return p
}

// sortSteps relies on "recall" standing before "stash" in the alphabet.
func sortSteps(steps []Step) {
	slices.SortFunc(steps, func(a, b Step) int {
		x, y := a.Property().Name, b.Property().Name
		return cmp.Or(cmp.Compare(naming.Fold(x), naming.Fold(y)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(x, y))
	})
}

// partnerType is the only name that a type there may have to match the type
// here: that of a rename, else the same, unless a rename has taken it.
func (m *matcher) partnerType(here string) string {
	taken := false
	for _, r := range m.pkg.TypeRenames {
		if r.Neighbour == m.neighbour {
			if strings.EqualFold(r.Here, here) {
				return r.There
			}
			taken = taken || strings.EqualFold(r.There, here)
		}
	}
	if taken {
		return ""
	}
	return here
}

// partnerProperty is the property there that h converts with, if the types
// match: that of a rename, else the one of the same name, unless a rename has
// taken it.
func (m *matcher) partnerProperty(here, there *ir.Type, h *ir.Property) *ir.Property {
	name := h.Name
	for _, r := range m.pkg.PropertyRenames {
		if r.Neighbour == m.neighbour && strings.EqualFold(r.Type, here.Name) {
			if strings.EqualFold(r.Here, h.Name) {
				name = r.There
				break
			}
			if strings.EqualFold(r.There, h.Name) {
				name = ""
			}
		}
	}
	for _, t := range there.Properties {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return nil
}

// propertyValue is how a property converts, or nil if it has no partner or
// their types do not match.
func (m *matcher) propertyValue(here, there *ir.Property) *Value {
	if there == nil {
		return nil
	}
	if v := m.value(here.Type, there.Type); v != nil {
		return v
	}
	return m.fit(here.Type, there.Type)
}

// fit is how a value converts by the closed table of safe changes, or nil.
func (m *matcher) fit(here, there ir.TypeRef) *Value {
	x, y := here, there
	switch {
	case here.Items != nil:
		x = *here.Items
	case there.Items != nil:
		y = *there.Items
	case here.Primitive == ir.Integer && (there.Primitive == ir.Number || there.Primitive == ir.String),
		there.Primitive == ir.Integer && (here.Primitive == ir.Number || here.Primitive == ir.String):
		return &Value{Kind: Fit}
	}
	if x.Named == "" || y.Named == "" {
		return nil
	}
	if v := m.value(x, y); v != nil && v.Kind == Object {
		return &Value{Kind: Fit, Elem: v}
	}
	return nil
}

// value is how a value converts, or nil if the types do not match. The answer
// holds for both directions.
func (m *matcher) value(here, there ir.TypeRef) *Value {
	switch {
	case here.Items != nil && there.Items != nil:
		return collection(Slice, m.value(*here.Items, *there.Items))
	case here.Map != nil && there.Map != nil:
		return collection(Map, m.value(*here.Map, *there.Map))
	case here.Primitive != "" && here == there:
		return &Value{Kind: primitiveKind(here.Primitive)}
	}
	if h, t := enumBase(m.here, here), enumBase(m.there, there); h != "" && h == t {
		return &Value{Kind: Cast}
	}
	if here.Named == "" || there.Named == "" || !strings.EqualFold(m.partnerType(here.Named), there.Named) {
		return nil
	}
	if p := m.pair(here.Named); p != nil {
		return &Value{Kind: Object, Pair: p}
	}
	return nil
}

func collection(kind StepKind, elem *Value) *Value {
	if elem == nil {
		return nil
	}
	return &Value{Kind: kind, Elem: elem}
}

func primitiveKind(p ir.Primitive) StepKind {
	switch p {
	case ir.String, ir.Integer, ir.Number, ir.Boolean:
		return Assign
	}
	return Copy
}

// enumBase is what the values of r are in JSON: the base of an enum, or the
// primitive itself; "" for all else.
func enumBase(types map[string]*ir.Type, r ir.TypeRef) ir.Primitive {
	if t := types[naming.Fold(r.Named)]; r.Named != "" && t != nil {
		return t.Base
	}
	return r.Primitive
}

// step is how a property converts to its partner.
func (m *matcher) step(v Value, srcPackage string, srcType *ir.Type, src *ir.Property, dstPackage string, dstType *ir.Type, dst *ir.Property) Step {
	step := Step{Value: v, Src: src, Dst: dst}
	if v.Kind == Fit {
		stash, recall := m.stash(srcPackage, srcType, src, nil), m.recall(dstPackage, dstType, dst, nil)
		step.Beside, step.Versions = stash.Beside, recall.Versions
		// A value of the source's own shape is in the source and not in its bag.
		own := m.apiVersion(srcPackage)
		step.Shapes = slices.DeleteFunc(recall.Shapes, func(s ShapeValue) bool { return s.Shape == own || strings.HasSuffix(s.Shape, "@"+own) })
	}
	return step
}

// apiVersion is that of this package or the neighbour.
func (m *matcher) apiVersion(pkg string) string {
	for _, n := range m.pkg.Neighbours {
		if n.Name == pkg {
			return n.APIVersion
		}
	}
	return m.pkg.APIVersion
}

// stash is the step that puts a property of a package into a bag.
func (m *matcher) stash(pkg string, t *ir.Type, p, partner *ir.Property) Step {
	step := Step{Value: Value{Kind: Stash}, Src: p, Partner: partner}
	if limit := m.limit(pkg, t, p); limit != nil {
		step.Beside = limit.beside()
	}
	return step
}

// recall is the step that restores a property of a package from a bag.
func (m *matcher) recall(pkg string, t *ir.Type, p, partner *ir.Property) Step {
	step := Step{Value: Value{Kind: Recall}, Dst: p, Partner: partner}
	limit := m.limit(pkg, t, p)
	if limit == nil {
		return step
	}
	step.Versions = limit.Versions
	for _, s := range limit.Shapes {
		former := m.formers.matcher(pkg, s.APIVersion)
		if former == nil {
			continue
		}
		shape := &ir.Property{Type: former.mark(s.Type)}
		if v := former.propertyValue(shape, p); v != nil {
			step.Shapes = append(step.Shapes, ShapeValue{Shape: s.Shape, Type: shape.Type, Value: *v})
		}
	}
	return step
}

func (m *matcher) limit(pkg string, t *ir.Type, p *ir.Property) *RecallLimit {
	name := t.Name
	if pkg == m.pkg.Name {
		name = strings.TrimPrefix(name, m.prefix)
	}
	for i := range m.pkg.Recalls {
		r := &m.pkg.Recalls[i]
		if r.Package == pkg && r.Type == name && r.Property == p.Name {
			return r
		}
	}
	return nil
}

// beside are all shapes of a property, where other properties have had its
// name or it has had others.
func (r *RecallLimit) beside() []string {
	shapes := slices.Clone(r.Versions)
	for _, s := range r.Shapes {
		shapes = append(shapes, s.Shape)
	}
	if !r.Shared && !slices.ContainsFunc(shapes, func(s string) bool { return strings.Contains(s, "@") }) {
		return nil
	}
	return shapes
}
