package biceptypes

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// value is the type of a property or an element, with its limits.
type value struct {
	ref ir.TypeRef
	// limits apply to the value itself, or to a list as a whole; itemLimits to the
	// elements of a list or a map.
	limits, itemLimits *ir.Validation
	isSecret           bool
}

func primitive(p ir.Primitive) value { return value{ref: ir.TypeRef{Primitive: p}} }

// user is the property that has a value.
type user struct {
	owner    *namedType
	property string
}

// value reads the type that a reference names.
func (r *reader) value(ref place, u user) value { return r.valueAt(ref, u, nil) }

// valueAt reads the type of an element of the lists and maps around.
func (r *reader) valueAt(ref place, u user, around []*jsontree.Node) value {
	t := r.target(ref)
	v := primitive(ir.Any)
	switch t.node.Get("$type").Text() {
	case "StringType":
		v = value{ref: ir.TypeRef{Primitive: ir.String}, limits: r.limits(t, u)}
	case "IntegerType":
		v = value{ref: ir.TypeRef{Primitive: ir.Integer}, limits: r.limits(t, u)}
	case "BooleanType":
		v = primitive(ir.Boolean)
	case "StringLiteralType":
		literals, _ := r.literals(t)
		v = value{ref: r.enum(literals, false, t, u)}
	case "UnionType":
		v = r.union(t, u, around)
	case "ArrayType":
		if !r.checkKind(t, "itemType", jsontree.Object) {
			return v
		}
		element := r.element(t, t.get("itemType"), u, around)
		v = value{ref: ir.TypeRef{Items: &element.ref}, limits: r.limits(t, u), itemLimits: element.limits, isSecret: element.isSecret}
	case "ObjectType", "DiscriminatedObjectType":
		v = r.objectValue(t, u, around)
	case "AnyType", "NullType", "":
	default:
		r.errorf(ref, "found %s, expected the type of a value", t.node.Get("$type").Text())
	}
	v.isSecret = v.isSecret || t.node.Get("sensitive").True()
	return v
}

// element reads the type of the elements of a list or a map.
func (r *reader) element(holder, ref place, u user, around []*jsontree.Node) value {
	if slices.Contains(around, holder.node) {
		r.note(ir.Approximated, u.owner, u.property, holder, "the list or map contains itself; from here on it is untyped JSON")
		return primitive(ir.Any)
	}
	if len(around) == maxDepth {
		r.errorf(holder, "lists and maps nested deeper than %d levels", maxDepth)
		return primitive(ir.Any)
	}
	v := r.valueAt(ref, u, append(slices.Clip(around), holder.node))
	if v.itemLimits != nil {
		r.note(ir.Approximated, u.owner, u.property, ref, "limits on the elements of a list in a list are not checked")
	}
	return v
}

// objectValue reads an object, a map or a union of objects.
func (r *reader) objectValue(t place, u user, around []*jsontree.Node) value {
	p := r.parts(t)
	switch {
	case len(p.names()) > 0 || len(p.variants) > 0:
		n := name{own: t.node.Get("name").Text(), within: u.owner, part: u.property}
		if naming.Type(n.own) == naming.Type("") {
			n.own = ""
		}
		return value{ref: r.object(typeKey{node: t.node}, n, p).ref()}
	case p.additional.node != nil:
		element := r.element(t, p.additional, u, around)
		return value{ref: ir.TypeRef{Map: &element.ref}, itemLimits: element.limits, isSecret: element.isSecret}
	}
	r.note(ir.Approximated, u.owner, u.property, t, "an object without declared properties is untyped JSON")
	return primitive(ir.Any)
}

// literals returns the literals among the alternatives of a type, and the others.
func (r *reader) literals(t place) (literals []string, rest []place) {
	done := map[*jsontree.Node]bool{}
	var visit func(t place, within []*jsontree.Node)
	visit = func(t place, within []*jsontree.Node) {
		switch {
		case t.node == nil, t.is("NullType"), done[t.node]:
		case slices.Contains(within, t.node):
			r.errorf(t, "the union is an alternative of itself")
		case len(within) > maxDepth:
			r.errorf(t, "unions nested deeper than %d levels", maxDepth)
		case t.is("StringLiteralType"):
			if value := t.node.Get("value").Text(); r.checkKind(t, "value", jsontree.String) && !slices.Contains(literals, value) {
				literals = append(literals, value)
			}
		case t.is("UnionType"):
			if !r.checkKind(t, "elements", jsontree.Array) {
				return
			}
			for _, element := range t.node.Get("elements").Items() {
				visit(r.target(place{t.doc, element}), append(slices.Clip(within), t.node))
			}
			done[t.node] = true
		case !slices.ContainsFunc(rest, func(other place) bool { return other.node == t.node }):
			rest = append(rest, t)
		}
	}
	visit(t, nil)
	return literals, rest
}

// union reads a union: an enum, which is open if it may be any string, or else a value
// whose alternatives nothing tells apart.
func (r *reader) union(t place, u user, around []*jsontree.Node) value {
	literals, rest := r.literals(t)
	texts := 0
	isSecret := false
	for _, other := range rest {
		if other.is("StringType") {
			texts++
		}
		isSecret = isSecret || other.node.Get("sensitive").True()
	}
	v := primitive(ir.Any)
	switch {
	case texts == len(rest) && len(literals) > 0:
		v = value{ref: r.enum(literals, texts > 0, t, u)}
	case texts == len(rest) && texts > 0:
		v = primitive(ir.String)
	default:
		r.note(ir.Approximated, u.owner, u.property, t, "the value may have %d types, and nothing distinguishes them; it is untyped JSON",
			len(literals)+len(rest))
	}
	if texts == 1 && len(rest) == 1 {
		v.limits = r.limits(rest[0], u)
	}
	v.isSecret = isSecret
	return v
}

const textLiterals = "the values of an enum look like numbers or booleans; bicep types have all constants as text, so the " +
	"property is text (%d of them, the first is here)"

// enum returns the enum of a property.
func (r *reader) enum(literals []string, open bool, at place, u user) ir.TypeRef {
	if len(literals) == 0 {
		return ir.TypeRef{Primitive: ir.String}
	}
	t, known := r.typeAt(typeKey{nil, u.owner, u.property}, name{within: u.owner, part: u.property})
	if known {
		return t.ref()
	}
	t.Kind, t.Base, t.Open = ir.Enum, ir.String, open
	for i, name := range naming.EnumNames(literals) {
		t.Values = append(t.Values, ir.EnumValue{Value: literals[i], Name: name})
	}
	if !slices.ContainsFunc(literals, func(l string) bool { return strings.HasPrefix(l, `"`) || !json.Valid([]byte(l)) }) {
		r.count(at, textLiterals)
	}
	return t.ref()
}

// limits returns the limits on a string, an integer or a list, or nil if there are
// none. It drops those that cannot be read, with a note.
func (r *reader) limits(t place, u user) *ir.Validation {
	var v ir.Validation
	whole := func(name string) *int64 {
		m := t.get(name)
		value, ok := m.node.Int()
		if m.node == nil {
			return nil
		}
		if !ok || value < 0 {
			r.note(ir.Approximated, u.owner, u.property, m, "%s is no length; it is dropped", name)
			return nil
		}
		return &value
	}
	number := func(name string) *float64 {
		m := t.get(name)
		value, ok := m.node.Float()
		if m.node == nil {
			return nil
		}
		if !ok {
			r.note(ir.Approximated, u.owner, u.property, m, "%s is no number; it is dropped", name)
			return nil
		}
		return &value
	}
	switch {
	case t.is("StringType"):
		v.MinLength, v.MaxLength = whole("minLength"), whole("maxLength")
		if pattern := t.get("pattern"); pattern.node != nil {
			if !v.SetPattern(pattern.node.Text()) {
				r.note(ir.Approximated, u.owner, u.property, pattern, "the pattern is not an RE2 expression and is dropped: %s",
					pattern.node.Text())
			}
		}
	case t.is("IntegerType"):
		v.Minimum, v.Maximum = number("minValue"), number("maxValue")
	case t.is("ArrayType"):
		v.MinItems, v.MaxItems = whole("minLength"), whole("maxLength")
	}
	return v.OrNil()
}

// doc returns the description of a property.
func doc(at place) string {
	return strings.TrimSpace(strings.ReplaceAll(at.node.Get("description").Text(), "\r\n", "\n"))
}
