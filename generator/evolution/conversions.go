package evolution

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Conversion counts what becomes of the properties of one API version when an object is
// converted to another. [Resource.Between] has what it counts.
type Conversion struct {
	// From and To name Kubernetes versions.
	From   string `json:"from"`
	To     string `json:"to"`
	Counts Counts `json:"counts"`
}

// Counts holds the numbers of properties by [Fate]. A property that goes into a
// bag counts once, with everything below it, whether or not it comes out again.
type Counts struct {
	Assigned  int `json:"assigned"`
	Converted int `json:"converted,omitempty"`
	Stashed   int `json:"stashed,omitempty"`
	Carried   int `json:"carried,omitempty"`
	// Waived counts the laws that are waived for a property at either end or on the route.
	Waived int `json:"waived,omitempty"`
}

// Fate says where the value of a property is at the end of a route.
type Fate string

// The fates of a property.
const (
	// Assigned means that the property of the same name and type has it.
	Assigned Fate = "assigned"
	// Converted means that its partner has it, and so have all versions on the
	// way.
	Converted Fate = "converted"
	// Stashed means that its partner has it, and that a bag had it at some
	// versions on the way.
	Stashed Fate = "stashed"
	// Carried means that the destination cannot hold it, and that the annotation
	// armature.dev/remainder has it.
	Carried Fate = "carried"
	// Lost means that nothing has it. A report that says so shows an error of the
	// generator, because no conversion may lose a value.
	Lost Fate = "lost"
)

// How says in which way a property is converted.
type How string

// The ways in which a property is converted.
const (
	// Cast means that an enum became its base type, or an enum with other members.
	Cast How = "cast"
	// SafeChange means a change that the table of safe changes allows. A value
	// that would not come back identical goes into a bag instead.
	SafeChange How = "safeChange"
	// FormerShape means that the value came out of a bag in the shape of another
	// version and was converted.
	FormerShape How = "formerShape"
	// TypeRename and PropertyRename mean that the name differs, by an entry of
	// group.yaml or in case only.
	TypeRename     How = "typeRename"
	PropertyRename How = "propertyRename"
	// Moved means that the property went into an object or out of one, by an entry of
	// group.yaml.
	Moved How = "move"
	// Hooked means that a hand-written hook is called for the object. It may set
	// any of its properties.
	Hooked How = "hook"
)

// Change says what becomes of some properties between some pairs of versions.
type Change struct {
	// Paths name the properties at From, such as "spec.sku.name", sorted. They have no
	// indexes or keys: an element of a list or map is named like a single object.
	Paths []string `json:"paths"`
	Becomes
	// Pairs lists the pairs of versions where that becomes of them.
	Pairs []Pairs `json:"pairs"`
}

// Becomes says what becomes of a property.
type Becomes struct {
	Fate Fate  `json:"fate"`
	How  []How `json:"how,omitempty"`
	// Name is set if the property has another name at To. If it moved, this is its path
	// from the object around both places.
	Name string `json:"name,omitempty"`
	// What gives its type at From and its type at To.
	What string `json:"what,omitempty"`
	// Bags lists the parts of the route on which a bag has the value.
	Bags []Stay `json:"bags,omitempty"`
	// Hooks lists the hooks that are called for the object, in order.
	Hooks []string `json:"hooks,omitempty"`
}

// Pairs stands for each pair of one of the versions From and one of the versions To.
type Pairs struct {
	From []string `json:"from"`
	To   []string `json:"to"`
}

// Between reports whether a change is one of a pair of versions.
func (c *Change) Between(from, to string) bool {
	return slices.ContainsFunc(c.Pairs, func(p Pairs) bool { return slices.Contains(p.From, from) && slices.Contains(p.To, to) })
}

// Stay describes a part of a route on which a bag has a value.
type Stay struct {
	// From and To name the first and the last package whose bag has it. To is
	// empty if the value is never taken out.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
}

// addConversions adds a conversion from each version of each kind to each other version.
func (b *builder) addConversions() {
	found, known := map[*Resource]*collection{}, newKnown()
	for _, p := range b.Packages {
		if b.graph.types[p.Name] == nil || b.twin(p) != "" {
			continue
		}
		t := newTrace(b.graph.types[p.Name])
		for _, k := range b.kinds {
			if p.Resource(k.Kind) == nil {
				continue
			}
			if found[k] == nil {
				found[k] = newCollection(k, known)
			}
			b.addConversionsFrom(p.Name, found[k], t)
		}
	}
	for _, k := range b.kinds {
		if found[k] != nil {
			found[k].finish()
		}
	}
}

// addConversionsFrom adds the conversions of a kind from one version.
func (b *builder) addConversionsFrom(from string, found *collection, t *trace) {
	k := found.kind
	up := b.graph.way(from, k.Kind).up
	var atHub [len(halves)]*object
	for i, half := range halves {
		name := half.typeName(k.Kind)
		atHub[i] = t.follow(up, name, t.begin(t.types[name]))
	}
	for _, to := range k.Versions {
		if to.Name == from || to.AliasOf != "" || b.graph.types[to.Name] == nil {
			continue
		}
		down := b.graph.way(to.Name, k.Kind).down
		found.begin(from, to.Name)
		ends := newComparison(b, t, found, from, to.Name)
		for i, half := range halves {
			name := half.typeName(k.Kind)
			assigned, _, _ := ends.object(half.path, t.begun[t.types[name]], t.follow(down, name, atHub[i]), ends.to[name])
			found.conversion.Counts.Assigned += assigned
		}
	}
}

// comparison compares an object of one version with what arrives at another version.
type comparison struct {
	*builder
	*trace
	found    *collection
	from, to map[string]*ir.Type
	// ends holds the API versions of the two.
	ends   [2]string
	around []around // the objects around the one that is compared, outermost first
}

// around is an object, its type at the end of the route, and the property that has it.
type around struct {
	*object
	typ  *ir.Type
	name string
	at   *place // of the property, if something has become of it or below it
}

func newComparison(b *builder, t *trace, found *collection, from, to string) *comparison {
	return &comparison{
		builder: b, trace: t, found: found,
		from: b.graph.types[from], to: b.graph.types[to],
		ends: [2]string{b.graph.packages[from].APIVersion, b.graph.packages[to].APIVersion},
	}
}

// outcome is what becomes of the properties of an object, without what is below them.
type outcome struct {
	assigned int
	parts    []part
	objects  []inner
	settled  bool // whether all is assigned, also below; assigned counts it then
}

// part is what becomes of a property, or of the object itself if the name is "".
type part struct {
	name string
	*Becomes
}

// inner is an object that a property of another one holds, before and after the route.
type inner struct {
	name string
	x, y *object
	typ  *ir.Type
}

func (o *outcome) add(name string, becomes Becomes) {
	o.parts = append(o.parts, part{name, &becomes})
}

// object compares x with y, which x became at the end of the route, where it has a type.
// It adds what is not just assigned to found, and returns how many properties are. It
// reports whether something was not, and whether it met an object within itself.
func (c *comparison) object(name string, x, y *object, typ *ir.Type) (assigned int, changed, cut bool) {
	seen := c.properties(x, y, typ)
	if seen.settled {
		return seen.assigned, false, false
	}
	if slices.ContainsFunc(c.around, func(a around) bool { return a.object == y && a.typ == typ }) {
		return 0, false, true
	}
	c.around = append(c.around, around{object: y, typ: typ, name: name})
	for _, part := range seen.parts {
		c.found.add(c.place(), part.name, part.Becomes)
	}
	assigned, changed = seen.assigned, len(seen.parts) > 0
	for _, f := range seen.objects {
		n, changes, cuts := c.object(f.name, f.x, f.y, f.typ)
		assigned, changed, cut = assigned+n, changed || changes, cut || cuts
	}
	c.around = c.around[:len(c.around)-1]
	if !changed && !cut {
		seen.assigned, seen.settled = assigned, true
	}
	return assigned, changed, cut
}

// place returns the place of the object that is compared.
func (c *comparison) place() *place {
	at := &c.found.top
	for i := range c.around {
		if c.around[i].at == nil {
			c.around[i].at = at.inside(c.around[i].name)
		}
		at = c.around[i].at
	}
	return at
}

// properties returns what becomes of the properties of an object. It depends on nothing
// else, unless a property moves out of the object.
func (c *comparison) properties(x, y *object, typ *ir.Type) *outcome {
	for _, e := range y.ends {
		if e.typ == typ {
			return e.outcome
		}
	}
	seen := new(outcome)
	if len(y.hooks) > 0 {
		seen.add("", Becomes{Fate: Converted, How: []How{Hooked}, Hooks: y.hooks})
	}
	c.around = append(c.around, around{object: y, typ: typ})
	for i, f := range x.fields {
		c.property(seen, x, i, f, y, typ)
	}
	c.around = c.around[:len(c.around)-1]
	if !c.moves {
		y.ends = append(y.ends, end{typ, seen})
	}
	return seen
}

// arrived returns the index of the field of an object that has the value of a property.
// It looks first at an index.
func (y *object) arrived(p *ir.Property, first int) int {
	if first < len(y.fields) && y.fields[first].origin == p {
		return first
	}
	return slices.IndexFunc(y.fields, func(f field) bool { return f.origin == p })
}

// named returns the property of a type with a name. It looks first at an index.
func named(typ *ir.Type, name string, first int) *ir.Property {
	if first < len(typ.Properties) && typ.Properties[first].Name == name {
		return typ.Properties[first]
	}
	return typ.Property(name)
}

// property finds a property of x in y or in the bag of y, and adds the outcome to
// seen. It is the field of x at an index.
func (c *comparison) property(seen *outcome, x *object, index int, f field, y *object, typ *ir.Type) {
	i := y.arrived(f.property, index)
	if i < 0 {
		if c.movedProperty(seen, f, y) {
			return
		}
		becomes := Becomes{Fate: Lost, What: TypeText(f.property.Type, c.from)}
		if i := slices.IndexFunc(y.bag, func(e entry) bool { return e.origin == f.property }); i >= 0 {
			becomes.Fate, becomes.Bags = Carried, append(slices.Clip(y.bag[i].bags), Stay{From: y.bag[i].since})
		}
		seen.add(f.property.Name, becomes)
		c.movedBelow(seen, f, false)
		return
	}
	at := y.fields[i]
	if at.property = named(typ, at.property.Name, i); at.property == nil { // see object.recoded
		seen.add(f.property.Name, Becomes{Fate: Carried, What: TypeText(f.property.Type, c.from), Bags: at.bags})
		return
	}
	if becomes := c.becomes(f.property, at); becomes.Fate == Assigned {
		seen.assigned++
	} else {
		seen.add(f.property.Name, becomes)
	}
	if f.property.Name != at.property.Name && !strings.EqualFold(f.property.Name, at.property.Name) {
		c.renames.add(c.ends[0], x.typ.Name, f.property.Name, c.ends[1], at.property.Name)
	}
	to := c.to[at.property.Type.Leaf().Named]
	if f.object == nil || at.object == nil || to == nil { // nil for an object that is untyped JSON
		return
	}
	seen.objects = append(seen.objects, inner{f.property.Name, f.object, at.object, to})
}

// maxDepth is how many objects a search for a moved property goes into.
const maxDepth = 4

// movedProperty adds the outcome of a property that has moved, or of an object all of
// whose properties have, and reports whether it is one.
func (c *comparison) movedProperty(seen *outcome, f field, y *object) bool {
	if !c.moves {
		return false
	}
	for _, around := range slices.Backward(c.around) {
		path, at, inBag, found := c.nearest(f.property, around.object, around.typ)
		if !found {
			continue
		}
		change := c.becomes(f.property, at)
		change.How = append(slices.DeleteFunc(change.How, func(h How) bool { return h == PropertyRename }), Moved)
		change.Name = path
		switch {
		case inBag:
			change.Fate, change.Name = Carried, ""
		case change.Fate == Assigned:
			change.Fate = Converted
		}
		seen.add(f.property.Name, change)
		return true
	}
	if slices.ContainsFunc(y.emptied, func(v *value) bool { return v.origin == f.property }) {
		seen.add(f.property.Name, Becomes{Fate: Converted, How: []How{Moved}, What: TypeText(f.property.Type, c.from)})
		c.movedBelow(seen, f, true)
		return true
	}
	return false
}

// movedBelow adds the outcome of the properties of an object that have moved out of it. If
// all must have, because nothing else has the object, the others are lost.
func (c *comparison) movedBelow(seen *outcome, f field, all bool) {
	if !c.moves || f.object == nil || len(c.around) > maxDepth {
		return
	}
	below := new(outcome)
	for _, inner := range f.object.fields {
		if !c.movedProperty(below, inner, new(object)) && all {
			below.add(inner.property.Name, Becomes{Fate: Lost, What: TypeText(inner.property.Type, c.from)})
		}
	}
	for _, part := range below.parts {
		part.name = f.property.Name + "." + part.name
		seen.parts = append(seen.parts, part)
	}
}

// becomes returns how a property arrived. The property of the field is the one there.
func (c *comparison) becomes(p *ir.Property, at field) Becomes {
	becomes := Becomes{Fate: Assigned, Bags: at.bags}
	was, is := p.Type.Leaf(), at.property.Type.Leaf()
	differs := !p.Type.Equal(at.property.Type)
	var from, to *ir.Type
	if at.object == nil && (was.Named != "" || is.Named != "") { // a named type that is no object is an enum
		from, to = c.from[was.Named], c.to[is.Named]
	}
	enum := func(t *ir.Type) bool { return t != nil && t.Kind == ir.Enum }
	if at.former {
		becomes.How = append(becomes.How, FormerShape)
	}
	switch {
	case at.safe:
		becomes.How = append(becomes.How, SafeChange)
	case enum(from) || enum(to):
		if differs = c.enums.of(from) != c.enums.of(to); differs {
			becomes.How = append(becomes.How, Cast)
		}
	case was.Named != is.Named && !strings.EqualFold(was.Named, is.Named):
		becomes.How = append(becomes.How, TypeRename)
	}
	if p.Name != at.property.Name {
		becomes.How, becomes.Name = append(becomes.How, PropertyRename), at.property.Name
	}
	if differs {
		becomes.What = TypeText(p.Type, c.from) + " → " + TypeText(at.property.Type, c.to)
		if enum(from) && enum(to) {
			becomes.What = MembersText(c.enums.members(from), from.Open, c.enums.members(to), to.Open)
		}
	}
	switch {
	case len(becomes.Bags) > 0:
		becomes.Fate = Stashed
	case len(becomes.How) > 0:
		becomes.Fate = Converted
	}
	return becomes
}

// renames maps an API version, a type and a property's name to the newest name
// of that property, if it differs.
type renames map[[3]string]newest

// newest is a name of a property, and the newest API version that has it.
type newest struct{ version, name string }

// add records that a property of version from is called there at version to.
func (r renames) add(from, typ, name, to, there string) {
	key := [3]string{from, typ, name}
	last := r[key]
	if naming.CompareVersions(from, to) < 0 && (last.version == "" || naming.CompareVersions(last.version, to) < 0) {
		r[key] = newest{to, there}
	}
}

// of returns the newest name of a property.
func (r renames) of(version, typ, name string) string {
	return cmp.Or(r[[3]string{version, typ, name}].name, name)
}
