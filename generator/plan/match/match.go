package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Matcher makes the pairs of a package and one neighbour. It makes each pair once,
// and registers it before it looks at its properties, so that types may recur.
type Matcher struct {
	pkg         *Package
	neighbour   string
	here, there map[string]*ir.Type        // by folded name
	pairs       map[[2]*ir.Type]*plan.Pair // by the types here and there
	formers     *formers
	prefix      string // of the names of the types here, which are a former's
}

// New returns a matcher of the types of a package with those of a neighbour, both by their
// folded names.
func New(pkg *Package, neighbour string, here, there map[string]*ir.Type) *Matcher {
	return &Matcher{pkg: pkg, neighbour: neighbour, here: here, there: there, pairs: map[[2]*ir.Type]*plan.Pair{}}
}

// ByName returns types by their folded names.
func ByName(types []*ir.Type) map[string]*ir.Type {
	m := make(map[string]*ir.Type, len(types))
	for _, t := range types {
		m[naming.Fold(t.Name)] = t
	}
	return m
}

// pair returns the pair of two types, or nil if they are no objects that match.
func (m *Matcher) pair(hereName, thereName string) *plan.Pair {
	here, there := m.here[naming.Fold(hereName)], m.there[naming.Fold(thereName)]
	if here == nil || there == nil || here.Kind != ir.Object || there.Kind != ir.Object || !m.Matches(hereName, thereName) {
		return nil
	}
	if p := m.pairs[[2]*ir.Type{here, there}]; p != nil {
		return p
	}
	most := max(len(here.Properties), len(there.Properties))
	p := &plan.Pair{Here: here, There: there, To: make([]plan.Step, 0, most), From: make([]plan.Step, 0, most)}
	m.pairs[[2]*ir.Type{here, there}] = p
	moves := m.moves(here, there)
	partners := map[*ir.Property]*ir.Property{} // whose types do not match, by that there
	for _, h := range here.Properties {
		if moves.here[h] {
			continue
		}
		t := m.partnerProperty(here, there, h)
		if moves.there[t] {
			t = nil
		}
		if to := m.Property(h, t); to != nil {
			p.To = append(p.To, m.step(*to, m.pkg.Name, here, h, m.neighbour, there, t))
			p.From = append(p.From, m.step(*to, m.neighbour, there, t, m.pkg.Name, here, h))
			continue
		}
		partners[t] = h
		p.To = append(p.To, m.stash(m.pkg.Name, here, h, t))
		p.From = append(p.From, m.recall(m.pkg.Name, here, h, t))
	}
	for _, t := range there.Properties {
		if !moves.there[t] && !slices.ContainsFunc(p.To, func(s plan.Step) bool { return s.Dst == t }) {
			p.To = append(p.To, m.recall(m.neighbour, there, t, partners[t]))
			p.From = append(p.From, m.stash(m.neighbour, there, t, partners[t]))
		}
	}
	p.To, p.From = inOrder(p.To, moves.to), inOrder(p.From, moves.from)
	markEmptied(p.To, m.here)
	markEmptied(p.From, m.there)
	return p
}

// inOrder returns steps in the order of a pair, the moves last.
func inOrder(steps, moves []plan.Step) []plan.Step {
	sortSteps(steps)
	sortSteps(moves)
	return append(steps, moves...)
}

// sortSteps sorts steps by property. It relies on "recall" being before "stash" in the
// alphabet.
func sortSteps(steps []plan.Step) {
	slices.SortFunc(steps, func(a, b plan.Step) int {
		x, y := a.Property().Name, b.Property().Name
		return cmp.Or(naming.CompareFolded(x, y), cmp.Compare(a.Kind, b.Kind), cmp.Compare(x, y))
	})
}

// Matches reports whether a type here converts with one there: by a rename, or because
// they have the same name and no rename gave either another one.
func (m *Matcher) Matches(here, there string) bool {
	taken := false
	for _, r := range m.pkg.TypeRenames {
		if r.Neighbour != m.neighbour {
			continue
		}
		isHere, isThere := strings.EqualFold(r.Here, here), strings.EqualFold(r.There, there)
		if isHere && isThere {
			return true
		}
		taken = taken || isHere || isThere
	}
	return !taken && strings.EqualFold(here, there)
}

// Partners returns the names of the types here that match a type there.
func (m *Matcher) Partners(there string) []string {
	names := []string{there}
	for _, r := range m.pkg.TypeRenames {
		if r.Neighbour == m.neighbour && strings.EqualFold(r.There, there) {
			names = append(names, r.Here)
		}
	}
	return slices.DeleteFunc(names, func(here string) bool {
		return m.here[naming.Fold(here)] == nil || !m.Matches(here, there)
	})
}

// partnerProperty returns the property there that h converts with if the types
// match: that of a rename, else the one of the same name, or nil if a rename gave
// that name to another.
func (m *Matcher) partnerProperty(here, there *ir.Type, h *ir.Property) *ir.Property {
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

// Property returns how a property converts, or nil if it has no partner or their
// types do not match.
func (m *Matcher) Property(here, there *ir.Property) *plan.Value {
	if there == nil {
		return nil
	}
	if v := m.value(here.Type, there.Type); v != nil {
		return v
	}
	return m.fit(here.Type, there.Type)
}

// fit returns how a value converts by the closed table of safe changes, or nil.
func (m *Matcher) fit(here, there ir.TypeRef) *plan.Value {
	if untyped(here, there, m.there) || untyped(there, here, m.here) {
		return &plan.Value{Kind: plan.Fit}
	}
	x, y := here, there
	switch {
	case here.Items != nil:
		x = *here.Items
	case there.Items != nil:
		y = *there.Items
	case here.Primitive == ir.Integer && (there.Primitive == ir.Number || there.Primitive == ir.String),
		there.Primitive == ir.Integer && (here.Primitive == ir.Number || here.Primitive == ir.String):
		return &plan.Value{Kind: plan.Fit}
	}
	if x.Named == "" || y.Named == "" {
		return nil
	}
	if v := m.value(x, y); v != nil && v.Kind == plan.Object {
		return &plan.Value{Kind: plan.Fit, Elem: v}
	}
	return nil
}

// untyped reports whether one of two values is JSON of any content where the other is an object
// that has the same JSON in ARM, and of which nothing is demanded: one without properties, or one
// of a Status that has only scalars. Types are those of the object.
func untyped(any, object ir.TypeRef, types map[string]*ir.Type) bool {
	switch {
	case any.Items != nil && object.Items != nil:
		return untyped(*any.Items, *object.Items, types)
	case any.Map != nil && object.Map != nil:
		return untyped(*any.Map, *object.Map, types)
	}
	t := types[naming.Fold(object.Named)]
	return any.Primitive == ir.Any && object.Named != "" && t != nil && t.Kind == ir.Object &&
		!slices.ContainsFunc(t.Properties, func(p *ir.Property) bool {
			return !t.Status || primitiveKind(p.Type.Primitive) != plan.Assign || p.ARM != ""
		})
}

// value returns how a value converts, in both directions, or nil if the types do
// not match.
func (m *Matcher) value(here, there ir.TypeRef) *plan.Value {
	switch {
	case here.Items != nil && there.Items != nil:
		return collection(plan.Slice, m.value(*here.Items, *there.Items))
	case here.Map != nil && there.Map != nil:
		return collection(plan.Map, m.value(*here.Map, *there.Map))
	case here.Primitive != "" && here == there:
		return &plan.Value{Kind: primitiveKind(here.Primitive)}
	}
	if h, t := enumBase(m.here, here), enumBase(m.there, there); h != "" && h == t {
		return &plan.Value{Kind: plan.Cast}
	}
	if here.Named == "" || there.Named == "" {
		return nil
	}
	if p := m.pair(here.Named, there.Named); p != nil {
		return &plan.Value{Kind: plan.Object, Pair: p}
	}
	return nil
}

func collection(kind plan.StepKind, elem *plan.Value) *plan.Value {
	if elem == nil {
		return nil
	}
	return &plan.Value{Kind: kind, Elem: elem}
}

func primitiveKind(p ir.Primitive) plan.StepKind {
	switch p {
	case ir.String, ir.Integer, ir.Number, ir.Boolean:
		return plan.Assign
	}
	return plan.Copy
}

// enumBase returns the base of an enum, the primitive itself for a primitive, and
// "" for all other types.
func enumBase(types map[string]*ir.Type, r ir.TypeRef) ir.Primitive {
	if t := types[naming.Fold(r.Named)]; r.Named != "" && t != nil {
		return t.Base
	}
	return r.Primitive
}

// step returns the step that converts a property to its partner.
func (m *Matcher) step(v plan.Value, srcPackage string, srcType *ir.Type, src *ir.Property, dstPackage string,
	dstType *ir.Type, dst *ir.Property) plan.Step {
	step := plan.Step{Value: v, Src: src, Dst: dst}
	if v.Kind == plan.Fit {
		stash, recall := m.stash(srcPackage, srcType, src, nil), m.recall(dstPackage, dstType, dst, nil)
		step.Beside, step.Versions = stash.Beside, recall.Versions
		// A value of the source's own shape is in the source, and not in its bag.
		own := m.apiVersion(srcPackage)
		step.Shapes = slices.DeleteFunc(recall.Shapes,
			func(s plan.ShapeValue) bool { return s.Shape == own || strings.HasSuffix(s.Shape, "@"+own) })
	}
	return step
}

// apiVersion returns the API version of this package or of the neighbour.
func (m *Matcher) apiVersion(pkg string) string {
	for _, n := range m.pkg.Neighbours {
		if n.Name == pkg {
			return n.APIVersion
		}
	}
	return m.pkg.APIVersion
}

// stash returns the step that puts a property of a package into a bag.
func (m *Matcher) stash(pkg string, t *ir.Type, p, partner *ir.Property) plan.Step {
	step := plan.Step{Value: plan.Value{Kind: plan.Stash}, Src: p, Partner: partner}
	if limit := m.limit(pkg, t, p); limit != nil {
		step.Beside = limit.beside()
	}
	return step
}

// recall returns the step that restores a property of a package from a bag.
func (m *Matcher) recall(pkg string, t *ir.Type, p, partner *ir.Property) plan.Step {
	step := plan.Step{Value: plan.Value{Kind: plan.Recall}, Dst: p, Partner: partner}
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
		if v := former.Property(shape, p); v != nil {
			step.Shapes = append(step.Shapes, plan.ShapeValue{Shape: s.Shape, Type: shape.Type, Value: *v})
		}
	}
	return step
}

func (m *Matcher) limit(pkg string, t *ir.Type, p *ir.Property) *RecallLimit {
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

// beside returns all shapes of a property, or nil unless other properties have had
// its name or it has had other names.
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

// Equal reports whether two types are the same, so that JSON of one is JSON of the
// other with the same meaning.
func (m *Matcher) Equal(here, there ir.TypeRef) bool {
	return m.equal(here, there, map[string]bool{})
}

// equal is Equal inside the objects of the types in seen.
func (m *Matcher) equal(here, there ir.TypeRef, seen map[string]bool) bool {
	switch {
	case here.Items != nil && there.Items != nil:
		return m.equal(*here.Items, *there.Items, seen)
	case here.Map != nil && there.Map != nil:
		return m.equal(*here.Map, *there.Map, seen)
	case here.Named == "" || there.Named == "":
		return here.Primitive != "" && here.Primitive == there.Primitive
	case !m.Matches(here.Named, there.Named):
		return false
	}
	if seen[here.Named+" "+there.Named] {
		return true
	}
	seen[here.Named+" "+there.Named] = true
	x, y := m.here[naming.Fold(here.Named)], m.there[naming.Fold(there.Named)]
	if len(x.Properties) != len(y.Properties) || len(m.movesOf(x)) > 0 {
		return false
	}
	for _, p := range x.Properties {
		q := m.partnerProperty(x, y, p)
		if q == nil || !strings.EqualFold(p.Name, q.Name) || !m.equal(p.Type, q.Type, seen) {
			return false
		}
	}
	return true
}
