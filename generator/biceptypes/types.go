package biceptypes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// namedType is a type that has no final name yet. A reference to it holds its
// number until it has.
type namedType struct {
	ir.Type
	number int
	name   name
	same   *namedType // the equal type that stands for this one, which may be itself
}

// ref returns a reference to the type by its number.
func (t *namedType) ref() ir.TypeRef { return ir.TypeRef{Named: strconv.Itoa(t.number)} }

// named returns the type that a reference names, or nil.
func (r *reader) named(ref ir.TypeRef) *namedType {
	if ref.Named == "" {
		return nil
	}
	number, _ := strconv.Atoi(ref.Named)
	return r.types[number]
}

// name has what a type can be named after.
type name struct {
	// own is the name that the file gives an object, or the kind of a body, else "".
	own  string
	body bool
	// within is the type that uses this one first, or nil for a body, and part the
	// property or the value of the discriminator there.
	within *namedType
	part   string
}

// label returns the name of a type if names did not have to be unique.
func (n name) label() string {
	if n.own != "" {
		return naming.Type(n.own)
	}
	return n.within.name.label() + naming.Type(n.part)
}

// typeKey identifies a type: by its place and, for the body of a resource, the type of
// that or, for a variant, the union and the discriminator's value. An enum has the type
// and the property that use it, because the file gives it no name.
type typeKey struct {
	node   *jsontree.Node
	within *namedType
	role   string
}

// typeAt returns the type of a key, and reports whether it was there before.
func (r *reader) typeAt(key typeKey, n name) (t *namedType, known bool) {
	if t, known := r.byKey[key]; known {
		return t, true
	}
	t = &namedType{number: len(r.types), name: n}
	r.types = append(r.types, t)
	r.byKey[key] = t
	return t, false
}

// version returns the version with all types that the resources reach.
func (r *reader) version(resources []*resource, actions []ir.Action) *ir.Version {
	v := &ir.Version{Provider: r.in.Provider, APIVersion: r.in.APIVersion, Actions: actions}
	reached := map[*namedType]bool{}
	for _, res := range resources {
		r.reach(reached, res.body)
	}
	bodies := maps.Clone(reached)
	for _, res := range resources {
		for _, other := range res.others {
			r.reach(bodies, other.body)
		}
	}
	class := documents.Classes(r.inOrder(bodies), folded, r.content)
	first := map[int]*namedType{}
	var types []*namedType
	for _, t := range r.inOrder(reached) {
		if first[class[t]] == nil {
			first[class[t]] = t
			types = append(types, t)
		}
		t.same = first[class[t]]
	}
	nameTypes(types)
	for _, t := range types {
		for _, p := range t.Properties {
			if target := r.named(*p.Type.Leaf()); target != nil {
				p.Type.Leaf().Named = target.same.Name
			}
		}
		v.Types = append(v.Types, &t.Type)
	}
	for _, res := range resources {
		res.Spec = res.body.same.Name
		res.Status = res.Spec
		for _, other := range res.others {
			if class[other.body] != class[res.body] {
				r.note(ir.Approximated, nil, "", other.at, "%s is described differently in an earlier file, which is used", res.Type)
			}
		}
		v.Resources = append(v.Resources, &res.Resource)
	}
	r.noteTallies()
	for _, n := range r.notes {
		if n.owner != nil {
			if n.owner.same != n.owner {
				continue // of a type that no resource reaches, or that another one stands for
			}
			n.Subject = n.owner.Name
			if n.property != "" {
				n.Subject += "." + n.property
			}
		}
		v.Notes = append(v.Notes, n.Note)
	}
	v.Sort()
	return v
}

// reach adds a type and the types that it reaches to seen.
func (r *reader) reach(seen map[*namedType]bool, t *namedType) {
	for queue := []*namedType{t}; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		if seen[t] {
			continue
		}
		seen[t] = true
		for _, p := range t.Properties {
			if target := r.named(*p.Type.Leaf()); target != nil {
				queue = append(queue, target)
			}
		}
	}
}

// inOrder returns the types of a set in the order in which they were reached.
func (r *reader) inOrder(set map[*namedType]bool) []*namedType {
	return slices.DeleteFunc(slices.Clone(r.types), func(t *namedType) bool { return !set[t] })
}

// folded returns the name of a type as [naming.Fold] writes it.
func folded(t *namedType) string { return naming.Fold(t.name.label()) }

// content returns a type of some name as text, and the types that it refers to.
func (r *reader) content(t *namedType, name string) (string, []*namedType) {
	text, targets := documents.Content(&t.Type, name)
	refs := make([]*namedType, len(targets))
	for i, target := range targets {
		refs[i] = r.named(ir.TypeRef{Named: target})
	}
	return text, refs
}

// nameTypes gives every type its name: first to objects that have one, in the order in
// which resources reach them, then to bodies. The others, also objects of which an
// earlier one has the name, are named after the types that use them.
func nameTypes(types []*namedType) {
	taken := map[string]bool{}
	claim := func(t *namedType, names ...string) {
		for _, name := range names {
			if t.Name == "" && !taken[naming.Fold(name)] {
				t.Name = name
				taken[naming.Fold(name)] = true
			}
		}
	}
	for _, t := range types {
		if t.name.own != "" && !t.name.body {
			claim(t, t.name.label())
		}
	}
	for _, t := range types {
		if t.name.body {
			claim(t, t.name.label(), t.name.label()+"Resource")
		}
	}
	for _, t := range types {
		if t.Name != "" {
			continue
		}
		stem, suffix := t.name.label(), "Object"
		if t.Kind == ir.Enum {
			suffix = "Enum"
		}
		if t.name.within != nil {
			stem = t.name.within.same.Name + naming.Type(t.name.part)
		}
		claim(t, stem, stem+suffix)
		for n := 2; t.Name == ""; n++ {
			claim(t, fmt.Sprint(stem, suffix, n))
		}
	}
}

// parts has what an object consists of.
type parts struct {
	// properties are the members of types that have properties. Of two with one name the
	// first counts.
	properties []place
	// additional refers to the type of additional properties. Its node is nil if there
	// are none.
	additional place
	// discriminator is the property whose value selects one of the variants.
	discriminator string
	variants      []variant
	// omit has the properties that are left out, because the union of which this is a
	// variant has them.
	omit map[string]bool
	// alternatives are bodies of which the object is one. Only the name of the resource,
	// which the body does not have, tells them apart.
	alternatives []parts
}

// variant is what a value of the discriminator adds to an object.
type variant struct {
	value string
	at    place
	parts
}

// maxDepth is how deep lists and maps, or unions, may lie in each other.
const maxDepth = 32

// parts returns the parts of an object or a union of objects.
func (r *reader) parts(at place) parts { return r.partsWithin(at, nil) }

// partsWithin returns the parts of a type that is a variant of the unions within. It
// reads each type once, since unions may share their variants.
func (r *reader) partsWithin(at place, within []*jsontree.Node) parts {
	if slices.Contains(within, at.node) {
		r.errorf(at, "the union is a variant of itself")
		return parts{}
	}
	if len(within) > maxDepth {
		r.errorf(at, "unions nested deeper than %d levels", maxDepth)
		return parts{}
	}
	p, known := r.known[at.node]
	if !known {
		p = r.readParts(at, within)
		r.known[at.node] = p
	}
	return p
}

func (r *reader) readParts(at place, within []*jsontree.Node) parts {
	switch {
	case at.is("ObjectType"):
		r.checkKind(at, "properties", jsontree.Object)
		return parts{properties: []place{at.get("properties")}, additional: at.get("additionalProperties")}
	case !at.is("DiscriminatedObjectType"):
		r.errorf(at, "found %s, expected an object or a union of objects", at.node.Get("$type").Text())
		return parts{}
	}
	if !r.checkKind(at, "discriminator", jsontree.String) || !r.checkKind(at, "elements", jsontree.Object) ||
		!r.checkKind(at, "baseProperties", jsontree.Object) {
		return parts{}
	}
	p := parts{properties: []place{at.get("baseProperties")}, discriminator: at.node.Get("discriminator").Text()}
	for _, value := range slices.Sorted(slices.Values(at.node.Get("elements").Names())) {
		element := r.target(at.get("elements").get(value))
		if element.node == nil {
			continue
		}
		v := variant{value, element, r.partsWithin(element, append(slices.Clip(within), at.node))}
		if v.discriminator != p.discriminator {
			p.variants = append(p.variants, v)
			continue
		}
		// A union by the same property has its values instead of this one.
		for _, inner := range v.variants {
			inner.properties = append(slices.Clone(inner.properties), v.properties...)
			p.variants = append(p.variants, inner)
		}
	}
	slices.SortStableFunc(p.variants, func(a, b variant) int { return cmp.Compare(a.value, b.value) })
	p.variants = slices.CompactFunc(p.variants, func(a, b variant) bool { return a.value == b.value })
	return p
}

// has reports whether an object has a property.
func (p parts) has(name string) bool {
	return slices.ContainsFunc(p.properties, func(at place) bool { return at.node.Has(name) })
}

// property returns a property, or a place without a node.
func (p parts) property(name string) place {
	for _, at := range p.properties {
		if property := at.get(name); property.node != nil {
			return property
		}
	}
	return place{}
}

// names returns the names of the properties, sorted.
func (p parts) names() []string {
	var names []string
	for _, at := range p.properties {
		names = append(names, at.node.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// object returns the type of an object, which gets its properties later.
func (r *reader) object(key typeKey, n name, p parts) *namedType {
	t, known := r.typeAt(key, n)
	if !known {
		t.Kind = ir.Object
		r.queue = append(r.queue, func() { r.fill(t, p) })
	}
	return t
}

// fillAll gives all types their properties. It stops at the first type with errors.
func (r *reader) fillAll() {
	for len(r.queue) > 0 && r.errs.Err() == nil {
		fill := r.queue[0]
		r.queue = r.queue[1:]
		fill()
	}
}

// envelope has the properties of a body that name the resource. Of a request, the URL
// has them.
var envelope = map[string]bool{"id": true, "name": true, "type": true}

// fill gives a type the properties of an object.
func (r *reader) fill(t *namedType, p parts) {
	for _, name := range p.names() {
		property := p.property(name)
		switch {
		case p.omit[name], len(p.variants) > 0 && name == p.discriminator:
		case t.name.body && name == "apiVersion": // of the request's URL; no response has it
		default:
			t.Properties = append(t.Properties, r.property(t, name, property))
		}
	}
	r.addAlternatives(t, p)
	r.addSpread(t, p.additional)
	r.addVariants(t, p)
	slices.SortStableFunc(t.Properties, func(a, b *ir.Property) int {
		return cmp.Or(cmp.Compare(a.ARM, b.ARM), cmp.Compare(a.Variant, b.Variant))
	})
}

// The flags of a property.
const (
	required = 1 << iota
	readOnly
	writeOnly
	deployTime // known before the deployment, as names are
	identifier // never set
	allFlags   = 1<<iota - 1
)

func (r *reader) property(t *namedType, name string, at place) *ir.Property {
	if t.name.body && envelope[name] {
		return &ir.Property{ARM: name, Type: ir.TypeRef{Primitive: ir.String}, Doc: doc(at), ReadOnly: true, At: at.tree()}
	}
	if at.node.Kind() != jsontree.Object {
		r.errorf(at, "found %s, expected a property, which is an object with a type", at.node.Kind())
		return &ir.Property{ARM: name, Type: ir.TypeRef{Primitive: ir.Any}}
	}
	flags := int64(0)
	if m := at.get("flags"); m.node != nil {
		value, whole := m.node.Int()
		if flags = value; !whole || flags < 0 {
			r.errorf(m, "found %s, expected a sum of flags", cmp.Or(m.node.Literal(), m.node.Kind().String()))
		} else if flags &^= allFlags; flags != 0 {
			r.note(ir.Skipped, t, name, m, "the flags %d have no known meaning", flags)
		}
		flags = value
	}
	if r.checkKind(at, "type", jsontree.Object) {
		v := r.value(at.get("type"), user{t, name})
		p := &ir.Property{
			ARM: name, Type: v.ref, Doc: doc(at), Required: flags&required != 0, ReadOnly: flags&readOnly != 0,
			IsSecret: v.isSecret, MayBeFraction: v.ref.Leaf().Primitive == ir.Integer,
			Validation: v.limits, ItemValidation: v.itemLimits, At: at.tree(),
		}
		p.WriteOnly = flags&writeOnly != 0 && !p.ReadOnly
		return p
	}
	return &ir.Property{ARM: name, Type: ir.TypeRef{Primitive: ir.Any}}
}

// addSpread adds the map of additional properties to an object that has declared
// properties too.
func (r *reader) addSpread(t *namedType, additional place) {
	if additional.node == nil {
		return
	}
	v := r.value(additional, user{t, "value"})
	t.Properties = append(t.Properties, &ir.Property{
		Spread: true, Type: ir.TypeRef{Map: &v.ref}, IsSecret: v.isSecret, MayBeFraction: v.ref.Leaf().Primitive == ir.Integer,
		ItemValidation: v.limits, At: additional.tree(),
	})
}

// addVariants adds the variants of a union to its type. The type of a variant has
// the properties that the variant adds to those that all variants share.
func (r *reader) addVariants(t *namedType, p parts) {
	if len(p.variants) == 0 {
		return
	}
	t.Discriminator = p.discriminator
	omit := map[string]bool{p.discriminator: true}
	for _, name := range p.names() {
		omit[name] = true
	}
	for _, v := range p.variants {
		if discriminator := v.property(p.discriminator); discriminator.node != nil {
			flags, _ := discriminator.node.Get("flags").Int()
			t.VariantOptional = t.VariantOptional || flags&required == 0
		}
		v.omit = omit
		vt := r.object(typeKey{v.at.node, t, v.value}, name{within: t, part: v.value}, v.parts)
		t.Properties = append(t.Properties, &ir.Property{Variant: v.value, Type: vt.ref(), At: v.at.tree()})
	}
}

// addAlternatives adds the properties of all alternatives. One that does not refer to
// the same type in all of them is untyped, and one that some lack is optional.
func (r *reader) addAlternatives(t *namedType, p parts) {
	all := parts{}
	for _, alternative := range p.alternatives {
		all.properties = append(all.properties, alternative.properties...)
	}
	for _, name := range all.names() {
		if name == "apiVersion" || p.has(name) {
			continue
		}
		first := all.property(name)
		property := r.property(t, name, first)
		for _, alternative := range p.alternatives {
			at := alternative.property(name)
			flags, _ := at.node.Get("flags").Int()
			property.Required = property.Required && flags&required != 0
			if envelope[name] || at.node == nil ||
				at.node.Get("type").Get("$ref").Text() == first.node.Get("type").Get("$ref").Text() {
				continue
			}
			own := r.property(t, name, at)
			property.IsSecret = property.IsSecret || own.IsSecret
			if property.Type.Primitive != ir.Any {
				property.Type, property.Validation, property.ItemValidation = ir.TypeRef{Primitive: ir.Any}, nil, nil
				property.MayBeFraction = false
				r.note(ir.Approximated, t, name, at, "the type depends on the name of the resource; it is untyped JSON, unless each "+
					"name is exported by itself, such as %q", "Microsoft.Web/sites/config/web")
			}
		}
		t.Properties = append(t.Properties, property)
	}
}
