package biceptypes

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// The flags of a property. Those that say what is known before a deployment, and what
// identifies the resource, mean nothing here.
const (
	required  = 1
	readOnly  = 2
	writeOnly = 4
)

func flagsOf(property *jsontree.Node) int64 {
	flags, _ := property.Get("flags").Int()
	return flags
}

// maxNesting is how many lists and unions may be in each other. Azure has two.
const maxNesting = 50

// value is what a property, or an element of a list or map, can be.
type value struct {
	ref                ir.TypeRef
	limits, itemLimits *ir.Validation
	secret             bool
}

// value reads the type that a reference names. If it needs a name, h says after what.
func (r *reader) value(ref element, h hint) value {
	t := r.target(ref)
	switch t.kind() {
	case "StringType":
		return value{ref: ir.TypeRef{Primitive: ir.String}, limits: r.limits(t, h.within, h.part), secret: t.node.Get("sensitive").True()}
	case "IntegerType":
		return value{ref: ir.TypeRef{Primitive: ir.Integer}, limits: r.limits(t, h.within, h.part)}
	case "BooleanType":
		return value{ref: ir.TypeRef{Primitive: ir.Boolean}}
	case "AnyType", "NullType":
		return value{ref: ir.TypeRef{Primitive: ir.Any}}
	case "StringLiteralType":
		// Each place has an enum of its own, because a document has one literal for all places.
		return value{ref: r.enum(typeKey{node: t.node, union: h.within, part: h.part}, t, h)}
	case "UnionType":
		return r.nested(t, func() value { return r.union(t, h) })
	case "ArrayType":
		return r.nested(t, func() value {
			item := r.value(t.get("itemType"), h)
			return value{
				ref: ir.TypeRef{Items: &item.ref}, limits: r.limits(t, h.within, h.part),
				itemLimits: cmp.Or(item.itemLimits, item.limits), secret: item.secret,
			}
		})
	case "ObjectType", "DiscriminatedObjectType":
		return r.object(t, h)
	}
	if t.node != nil {
		r.errorf(t, "found a type of the kind %q, expected one of StringType, IntegerType, BooleanType, AnyType, "+
			"StringLiteralType, UnionType, ArrayType, ObjectType, DiscriminatedObjectType", t.kind())
	}
	return value{ref: ir.TypeRef{Primitive: ir.Any}}
}

// nested reads a list or a union, which must not consist of itself.
func (r *reader) nested(t element, read func() value) value {
	if r.within[t.node] || len(r.within) >= maxNesting {
		reason := "the type consists of itself"
		if !r.within[t.node] {
			reason = "more than " + strconv.Itoa(maxNesting) + " lists and unions are in each other here"
		}
		r.errorf(t, "%s", reason)
		return value{ref: ir.TypeRef{Primitive: ir.Any}}
	}
	r.within[t.node] = true
	defer delete(r.within, t.node)
	return read()
}

// literals returns the texts of a union, each once, and whether it has other strings too.
func (r *reader) literals(union element) (values []string, open bool) {
	for _, item := range union.node.Get("elements").Items() {
		switch t := r.target(element{union.doc, item}); t.kind() {
		case "StringLiteralType":
			if text := t.node.Get("value").Text(); !slices.Contains(values, text) {
				values = append(values, text)
			}
		case "StringType":
			open = true
		}
	}
	return values, open
}

// union reads a union: an enum, or its only type. Any other may be anything.
func (r *reader) union(t element, h hint) value {
	items := t.node.Get("elements").Items()
	texts := 0
	for _, item := range items {
		if k := r.target(element{t.doc, item}).kind(); k == "StringLiteralType" || k == "StringType" {
			texts++
		}
	}
	switch {
	case len(items) == 1:
		return r.value(element{t.doc, items[0]}, h)
	case len(items) > 0 && texts == len(items):
		if values, _ := r.literals(t); len(values) == 0 {
			return value{ref: ir.TypeRef{Primitive: ir.String}, secret: r.isSensitive(t)}
		}
		return value{ref: r.enum(typeKey{node: t.node}, t, h), secret: r.isSensitive(t)}
	}
	r.note(ir.Approximated, h.within, h.part, t, "may be of one of %d types; it is JSON of any content", len(items))
	return value{ref: ir.TypeRef{Primitive: ir.Any}}
}

// enum returns the type of a literal or of a union of texts.
func (r *reader) enum(key typeKey, t element, h hint) ir.TypeRef {
	if known := r.byKey[key]; known != nil {
		return known.ref()
	}
	enum := r.typeAt(key, t, h)
	enum.Kind, enum.Base = ir.Enum, ir.String
	values := []string{t.node.Get("value").Text()}
	if t.kind() == "UnionType" {
		values, enum.Open = r.literals(t)
	}
	for i, name := range naming.EnumNames(values) {
		enum.Values = append(enum.Values, ir.EnumValue{Value: values[i], Name: name})
	}
	return enum.ref()
}

// object returns the type of an object, whose properties are read later, or of a map.
func (r *reader) object(t element, h hint) value {
	secret := t.node.Get("sensitive").True()
	members := len(t.node.Get("properties").Members())
	switch {
	case t.kind() == "ObjectType" && members == 0 && t.node.Has("additionalProperties"):
		return r.nested(t, func() value {
			item := r.value(t.get("additionalProperties"), h)
			return value{ref: ir.TypeRef{Map: &item.ref}, itemLimits: cmp.Or(item.itemLimits, item.limits), secret: secret || item.secret}
		})
	case t.kind() == "ObjectType" && members == 0 && !(h.within.isBody() && h.part == "properties"):
		return value{ref: ir.TypeRef{Primitive: ir.Any}, secret: secret}
	}
	h.definition = cmp.Or(t.node.Get("name").Text(), "Object")
	key := typeKey{node: t.node}
	known := r.byKey[key]
	if known == nil {
		known = r.typeAt(key, t, h)
		known.bodies = []element{t}
	}
	return value{ref: known.ref(), secret: secret}
}

// limit is a limit on a value, by its name here.
type limit struct {
	name string
	set  func(v *ir.Validation, n *jsontree.Node) bool
}

var (
	textLimits = []limit{
		{"minLength", func(v *ir.Validation, n *jsontree.Node) bool { return setInt(&v.MinLength, n) }},
		{"maxLength", func(v *ir.Validation, n *jsontree.Node) bool { return setInt(&v.MaxLength, n) }},
		{"pattern", func(v *ir.Validation, n *jsontree.Node) bool {
			if _, err := regexp.Compile(n.Text()); err != nil || n.Text() == "" {
				return false
			}
			v.Pattern = n.Text()
			return true
		}},
	}
	listLimits = []limit{
		{"minLength", func(v *ir.Validation, n *jsontree.Node) bool { return setInt(&v.MinItems, n) }},
		{"maxLength", func(v *ir.Validation, n *jsontree.Node) bool { return setInt(&v.MaxItems, n) }},
	}
	integerLimits = []limit{
		{"minValue", func(v *ir.Validation, n *jsontree.Node) bool { return setFloat(&v.Minimum, n) }},
		{"maxValue", func(v *ir.Validation, n *jsontree.Node) bool { return setFloat(&v.Maximum, n) }},
	}
	limitsOf = map[string][]limit{"StringType": textLimits, "ArrayType": listLimits, "IntegerType": integerLimits}
)

func setInt(to **int64, n *jsontree.Node) bool {
	value, ok := n.Int()
	if ok {
		*to = &value
	}
	return ok
}

func setFloat(to **float64, n *jsontree.Node) bool {
	value, ok := n.Float()
	if ok {
		*to = &value
	}
	return ok
}

// limits returns the limits on a value, or nil if there are none. What cannot be read is
// dropped with a note.
func (r *reader) limits(t element, owner *namedType, property string) *ir.Validation {
	v := ir.Validation{}
	for _, l := range limitsOf[t.kind()] {
		if at := t.get(l.name); at.node != nil && !l.set(&v, at.node) {
			reason := "%s has no value of the right type; it is dropped"
			if l.name == "pattern" {
				reason = "%s is not an RE2 expression; it is dropped"
			}
			r.note(ir.Approximated, owner, property, at, reason, l.name)
		}
	}
	if v == (ir.Validation{}) {
		return nil
	}
	return &v
}

// readTypes reads the properties of all types that were found, and of those that these
// need.
func (r *reader) readTypes() {
	for i := 0; i < len(r.types); i++ {
		t := r.types[i]
		if t.Kind == ir.Enum {
			continue
		}
		t.Kind = ir.Object
		switch {
		case len(t.bodies) > 1:
			r.addAll(t, t.bodies)
		case t.at.kind() == "DiscriminatedObjectType":
			r.addUnion(t)
		default:
			r.addProperties(t, t.at.get("properties"), t.without)
			r.addSpread(t, t.at)
		}
		slices.SortStableFunc(t.Properties, func(a, b *ir.Property) int {
			return cmp.Or(cmp.Compare(a.ARM, b.ARM), cmp.Compare(a.Variant, b.Variant))
		})
	}
}

// envelope has the properties of a body that its URL or ARM itself gives it.
var envelope = map[string]bool{"id": true, "name": true, "type": true}

// addProperties adds the members of an object to its type, without those that skip has.
func (r *reader) addProperties(t *namedType, members element, skip map[string]bool) {
	for _, m := range members.node.Members() {
		at := element{members.doc, m.Value}
		switch {
		case skip[m.Name] || t.isBody() && m.Name == "apiVersion":
		case t.isBody() && envelope[m.Name]:
			t.Properties = append(t.Properties, &ir.Property{
				ARM: m.Name, Type: ir.TypeRef{Primitive: ir.String}, ReadOnly: true, Doc: docOf(at), At: at.place(),
			})
		default:
			t.Properties = append(t.Properties, r.property(t, m.Name, at))
		}
	}
}

func (r *reader) property(t *namedType, name string, at element) *ir.Property {
	ref := at.get("type")
	if ref.node == nil {
		ref = at // which is no reference either, and that is the error
	}
	v := r.value(ref, hint{within: t, part: name})
	flags := flagsOf(at.node)
	p := &ir.Property{
		ARM: name, Type: v.ref, Doc: docOf(at), Required: flags&required != 0 && flags&readOnly == 0,
		ReadOnly: flags&readOnly != 0, WriteOnly: flags&writeOnly != 0, IsSecret: v.secret,
		Validation: v.limits, ItemValidation: v.itemLimits, At: at.place(),
	}
	if p.ReadOnly && p.WriteOnly {
		p.ReadOnly, p.WriteOnly = false, false
		r.note(ir.Approximated, t, name, at, "is marked as read-only and as write-only; it is neither here")
	}
	p.MayBeNumber = v.ref.Leaf().Primitive == ir.Integer
	return p
}

func docOf(property element) string {
	return strings.TrimSpace(strings.ReplaceAll(property.node.Get("description").Text(), "\r\n", "\n"))
}

// addSpread adds the map of additional properties, if there is one.
func (r *reader) addSpread(t *namedType, at element) {
	if !at.node.Has("additionalProperties") || slices.ContainsFunc(t.Properties, func(p *ir.Property) bool { return p.Spread }) {
		return
	}
	v := r.value(at.get("additionalProperties"), hint{within: t, part: "value"})
	t.Properties = append(t.Properties, &ir.Property{
		Spread: true, Type: ir.TypeRef{Map: &v.ref}, ItemValidation: cmp.Or(v.itemLimits, v.limits), IsSecret: v.secret,
		At: at.get("additionalProperties").place(),
	})
}

// addUnion adds the properties that all variants of a union share, and the variants.
func (r *reader) addUnion(t *namedType) {
	t.Discriminator = t.at.node.Get("discriminator").Text()
	shared := map[string]bool{t.Discriminator: true}
	for _, m := range t.at.node.Get("baseProperties").Members() {
		shared[m.Name] = true
	}
	r.addProperties(t, t.at.get("baseProperties"), map[string]bool{t.Discriminator: true})
	for _, m := range t.at.node.Get("elements").Members() {
		ref := element{t.at.doc, m.Value}
		of := r.target(ref)
		if of.node == nil {
			continue
		}
		if of.node.Get("properties").Get(t.Discriminator) != nil && flagsOf(of.node.Get("properties").Get(t.Discriminator))&required == 0 {
			t.VariantOptional = true
		}
		v := r.typeAt(typeKey{node: of.node, union: t, part: m.Name}, of, hint{
			definition: cmp.Or(of.node.Get("name").Text(), "Object"), within: t, part: m.Name})
		v.bodies, v.without = []element{of}, shared
		if of.kind() == "DiscriminatedObjectType" {
			v.bodies = append(v.bodies, r.elements(of)...)
			r.note(ir.Approximated, v, "", of, "the variant has variants itself; here it has the properties of all of "+
				"them, and each is optional")
		}
		t.Properties = append(t.Properties, &ir.Property{Variant: m.Name, Type: v.ref(), At: ref.place()})
	}
}

// elements returns the variants of a union, and of the unions among these.
func (r *reader) elements(union element) []element {
	var all []element
	todo := []element{union}
	seen := map[*jsontree.Node]bool{union.node: true}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for _, m := range at.node.Get("elements").Members() {
			if t := r.target(element{at.doc, m.Value}); t.node != nil && !seen[t.node] {
				seen[t.node] = true
				all = append(all, t)
				todo = append(todo, t)
			}
		}
	}
	return all
}

// addAll adds the properties of several objects to one type. What only some have, or
// require, is optional. A property that they have with different types is JSON of any
// content.
func (r *reader) addAll(t *namedType, bodies []element) {
	for i, body := range bodies {
		part := &namedType{Type: ir.Type{Name: t.Name}, number: t.number, at: t.at, hint: t.hint, without: t.without}
		r.addProperties(part, body.get("properties"), t.without)
		r.addProperties(part, body.get("baseProperties"), t.without)
		r.addSpread(part, body)
		for _, p := range part.Properties {
			at := slices.IndexFunc(t.Properties, func(q *ir.Property) bool { return q.ARM == p.ARM && q.Spread == p.Spread })
			switch {
			case at < 0:
				// The first has what all share. With one more, that has all the rest.
				p.Required = p.Required && (i == 0 || len(bodies) == 2)
				t.Properties = append(t.Properties, p)
			case !t.Properties[at].Type.Equal(p.Type):
				q := t.Properties[at]
				q.Required = q.Required && p.Required
				if !q.Spread {
					q.Type, q.Validation, q.ItemValidation = ir.TypeRef{Primitive: ir.Any}, nil, nil
					r.note(ir.Approximated, t, p.ARM, body, "has different types in the variants; it is JSON of any content")
				}
			default:
				t.Properties[at].Required = t.Properties[at].Required && p.Required
			}
		}
	}
}
