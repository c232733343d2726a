package armschema

import (
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// value is the type of a property or an element, and what limits it.
type value struct {
	ref ir.TypeRef
	// limits hold for the value itself, or for a list as a whole.
	limits *ir.Validation
	// itemLimits hold for the elements.
	itemLimits *ir.Validation
}

func primitive(p ir.Primitive) value { return value{ref: ir.TypeRef{Primitive: p}} }

// maxSteps is how far a chain of references is followed before it is taken for
// a cycle.
const maxSteps = 100

// unwrap follows references, and takes from "a value, or an expression that
// gives one", which nearly every schema here is, the value. The name is that
// of the definition that it comes to, if any. A nil node is a value that
// nothing is known of: an error, or an expression alone.
func (r *reader) unwrap(s schema) (inner schema, definition string) {
	for range maxSteps {
		if s.node.Kind() != jsontree.Object {
			if s.node != nil && !isBool(s.node) {
				r.errorf(s, "found %s, expected a schema, which is an object", s.node.Kind())
			}
			return schema{}, ""
		}
		r.checkKeywords(s)
		if ref := s.get("$ref"); ref.node != nil {
			if isExpression(ref) {
				return schema{}, ""
			}
			s, definition = r.target(ref), nameOf(ref)
			continue
		}
		only, ok := onlyAlternative(s)
		if !ok {
			return s, definition
		}
		s = only
	}
	r.errorf(s, "the $refs from here form a cycle")
	return schema{}, ""
}

func isBool(n *jsontree.Node) bool { return n.Kind() == jsontree.Bool }

// nameOf is the last part of what a $ref refers to.
func nameOf(ref schema) string {
	text := ref.node.Text()
	return jsontree.Unescape(text[strings.LastIndexByte(text, '/')+1:])
}

// isExpression tells whether a $ref means a template's expression, such as
// "[parameters('x')]", which no Kubernetes object has.
func isExpression(ref schema) bool {
	file, pointer, _ := strings.Cut(ref.node.Text(), "#")
	if file == "" {
		file = ref.doc.Name
	}
	return pointer == "/definitions/expression" && strings.HasSuffix("/"+file, "/common/definitions.json")
}

// alternatives are what stands in a schema's oneOf or anyOf, but for expressions.
func alternatives(s schema) (rest []schema, expressions int) {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		for _, item := range s.get(keyword).items() {
			if ref := item.get("$ref"); ref.node != nil && isExpression(ref) {
				expressions++
				continue
			}
			rest = append(rest, item)
		}
	}
	return rest, expressions
}

// onlyAlternative is the one schema that s wraps: beside an expression in a
// oneOf, or alone in an allOf.
func onlyAlternative(s schema) (schema, bool) {
	if s.node.Has("properties") {
		return schema{}, false
	}
	all := s.get("allOf").items()
	rest, expressions := alternatives(s)
	switch {
	case len(rest) == 0 && expressions == 0 && len(all) == 1:
		return all[0], true
	case len(rest) == 0 && expressions > 0 && len(all) == 0:
		return schema{s.doc, nil}, true
	case len(rest) == 1 && expressions > 0 && len(all) == 0:
		return rest[0], true
	}
	return schema{}, false
}

// value reads a schema. Types that it has no name for are named by the hint:
// what holds them, and as what.
func (r *reader) value(s schema, hint hint) value {
	s, definition := r.unwrap(s)
	if s.node == nil {
		return primitive(ir.Any)
	}
	if definition != "" {
		hint = hint.defined(definition)
	}
	if s.node.Has("enum") || s.node.Has("const") {
		return value{ref: r.enum(s, enumValues(s), hint)}
	}
	if r.isObject(s, definition != "") {
		return value{ref: r.object(s, hint)}
	}
	if rest, _ := alternatives(s); len(rest) > 0 {
		return r.anyOfValues(s, rest, hint)
	}
	return r.byType(s, hint)
}

var typeNames = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

// byType reads a schema by its "type", or by what else tells it.
func (r *reader) byType(s schema, hint hint) value {
	name := r.typeName(s)
	switch name {
	case "string", "integer", "number", "boolean":
		return value{ref: ir.TypeRef{Primitive: ir.Primitive(name)}, limits: r.limits(s)}
	case "array":
		return r.array(s, hint)
	case "object":
		if values := s.get("additionalProperties"); isMap(values.node) {
			v := r.value(values, hint)
			return value{ref: ir.TypeRef{Map: &v.ref}, itemLimits: v.limits}
		}
	case "", "null":
	default:
		r.errorf(s.get("type"), "found type %q, expected one of %s%s", name, strings.Join(typeNames, ", "), diag.DidYouMean(name, typeNames))
	}
	return primitive(ir.Any)
}

// isMap tells whether additionalProperties lets any name in.
func isMap(n *jsontree.Node) bool { return n.Kind() == jsontree.Object || n.True() }

// typeName is the schema's "type", or what its other members imply.
func (r *reader) typeName(s schema) string {
	t := s.get("type")
	switch t.node.Kind() {
	case jsontree.String:
		return t.node.Text()
	case jsontree.Array:
		names := slices.DeleteFunc(t.items(), func(item schema) bool { return item.node.Text() == "null" })
		if len(names) == 1 {
			return names[0].node.Text()
		}
		r.note(ir.Approximated, t, "the value may have %d types; taken as untyped", len(names))
		return ""
	case jsontree.Missing:
		switch {
		case s.node.Has("items"):
			return "array"
		case s.node.Has("additionalProperties"), s.node.Has("properties"):
			return "object"
		case s.node.Has("pattern"), s.node.Has("maxLength"), s.node.Has("minLength"):
			return "string"
		}
		return ""
	}
	r.errorf(t, "found %s, expected the name of a type", t.node.Kind())
	return ""
}

func (r *reader) array(s schema, hint hint) value {
	items := s.get("items")
	if items.node.Kind() == jsontree.Array {
		r.note(ir.Approximated, items, "each element has a schema of its own; the elements are taken as untyped")
		items = schema{}
	}
	v := primitive(ir.Any)
	if items.node != nil {
		v = r.value(items, hint)
	}
	if v.ref.Items != nil && v.limits != nil || v.itemLimits != nil {
		r.note(ir.Approximated, items, "limits on lists in lists are dropped")
	}
	return value{ref: ir.TypeRef{Items: &v.ref}, limits: r.limits(s), itemLimits: v.limits}
}

// isObject tells whether a schema has properties of its own, directly or in
// what it is composed of. An object without any is untyped JSON, but for a
// definition that lists none: that one has only properties that responses
// have, and a request sends it empty.
func (r *reader) isObject(s schema, defined bool) bool {
	properties := s.node.Get("properties")
	if len(properties.Members()) > 0 {
		return true
	}
	if r.asking[s.node] {
		return true // of itself: shape has the error
	}
	r.asking[s.node] = true
	defer delete(r.asking, s.node)
	isObject := func(part schema) bool {
		inner, definition := r.unwrap(part)
		return inner.node != nil && r.isObject(inner, definition != "")
	}
	if slices.ContainsFunc(s.get("allOf").items(), isObject) {
		return true
	}
	if rest, _ := alternatives(s); len(rest) > 0 {
		return !slices.ContainsFunc(rest, func(part schema) bool { return !isObject(part) })
	}
	return defined && properties != nil && !isMap(s.node.Get("additionalProperties"))
}

// anyOfValues reads a value that one of several schemas describes, none of
// which says which one it is.
func (r *reader) anyOfValues(at schema, parts []schema, hint hint) value {
	var values []value
	for i, part := range parts {
		if !slices.ContainsFunc(parts[:i], func(earlier schema) bool { return same(earlier.node, part.node) }) {
			values = append(values, r.value(part, hint))
		}
	}
	if len(values) == 1 {
		return values[0]
	}
	base, enums := r.commonBase(values)
	switch {
	case base == "":
		r.note(ir.Approximated, at, "the value may be one of %d kinds, which nothing tells apart; taken as untyped", len(values))
		return primitive(ir.Any)
	case enums < len(values):
		return primitive(base)
	}
	var members []string
	for _, part := range parts {
		inner, _ := r.unwrap(part)
		for _, member := range enumValues(inner) {
			if !slices.Contains(members, member) {
				members = append(members, member)
			}
		}
	}
	return value{ref: r.enum(at, members, hint.merged())}
}

// commonBase is the primitive that all values are of, or "", and how many of
// them are enums.
func (r *reader) commonBase(values []value) (base ir.Primitive, enums int) {
	for _, v := range values {
		p := v.ref.Primitive
		if t := r.named(v.ref); t != nil && t.Kind == ir.Enum {
			p = t.Base
			enums++
		}
		switch {
		case p == "" || p == ir.Any:
			return "", 0
		case base == "" || base == p:
			base = p
		case base == ir.Integer && p == ir.Number, base == ir.Number && p == ir.Integer:
			base = ir.Number
		default:
			return "", 0
		}
	}
	return base, enums
}

// enumValues are the members of an enum, or the one value of a const.
func enumValues(s schema) []string {
	if c := s.node.Get("const"); c != nil {
		return []string{c.Literal()}
	}
	var values []string
	for _, item := range s.node.Get("enum").Items() {
		if item.Kind() != jsontree.Null && !slices.Contains(values, item.Literal()) {
			values = append(values, item.Literal())
		}
	}
	return values
}

func (r *reader) enum(s schema, values []string, hint hint) ir.TypeRef {
	base := r.enumBase(s)
	if base == ir.Boolean || len(values) == 0 {
		return ir.TypeRef{Primitive: base}
	}
	t, known := r.typeAt(s, hint)
	if !known {
		t.Kind, t.Base, t.Open = ir.Enum, base, true
		t.Doc = hint.docOf(s)
		for i, name := range naming.EnumNames(values) {
			t.Values = append(t.Values, ir.EnumValue{Value: values[i], Name: name})
		}
	}
	return t.ref()
}

// enumBase is the primitive of an enum's values, by its type or by its members.
func (r *reader) enumBase(s schema) ir.Primitive {
	switch r.typeName(s) {
	case "integer":
		return ir.Integer
	case "number":
		return ir.Number
	case "boolean":
		return ir.Boolean
	case "string":
		return ir.String
	}
	members := append(s.get("enum").items(), s.get("const"))
	for _, member := range members {
		switch _, whole := member.node.Int(); {
		case member.node.Kind() == jsontree.Bool:
			return ir.Boolean
		case whole:
			return ir.Integer
		case member.node.Kind() == jsontree.Number:
			return ir.Number
		}
	}
	return ir.String
}

// guid is the pattern that these schemas have for a GUID, and the meaning of
// the format where one is used instead.
const guid = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"

// plainFormats put no condition on a value, or one that ARM checks better than
// a schema could.
var plainFormats = []string{
	"", "uri", "date", "date-time", "duration", "password", "byte", "int32", "int64", "float", "double",
}

// limits are the validations of a primitive or of a list, or nil.
func (r *reader) limits(s schema) *ir.Validation {
	v := ir.Validation{
		MinLength: r.int(s, "minLength"), MaxLength: r.int(s, "maxLength"),
		MinItems: r.int(s, "minItems"), MaxItems: r.int(s, "maxItems"),
		Minimum: r.float(s, "minimum"), Maximum: r.float(s, "maximum"), MultipleOf: r.float(s, "multipleOf"),
	}
	v.ExclusiveMinimum = r.exclusive(s, "exclusiveMinimum", &v.Minimum)
	v.ExclusiveMaximum = r.exclusive(s, "exclusiveMaximum", &v.Maximum)
	if pattern := s.get("pattern"); pattern.node != nil {
		if _, err := regexp.Compile(pattern.node.Text()); err == nil {
			v.Pattern = pattern.node.Text()
		} else {
			r.note(ir.Approximated, pattern, "the pattern is no RE2 expression and is dropped: %s", pattern.node.Text())
		}
	}
	switch format := s.node.Get("format").Text(); {
	case (format == "uuid" || format == "guid") && v.Pattern == "":
		v.Pattern = guid
	case !slices.Contains(plainFormats, format):
		r.note(ir.Approximated, s.get("format"), "the format %q is not checked", format)
	}
	if v == (ir.Validation{}) {
		return nil
	}
	return &v
}

func (r *reader) int(s schema, keyword string) *int64 {
	n := s.get(keyword)
	if n.node == nil {
		return nil
	}
	value, ok := n.node.Int()
	if !ok {
		r.errorf(n, "found %s, expected %q to be a whole number", n.node.Kind(), keyword)
		return nil
	}
	return &value
}

func (r *reader) float(s schema, keyword string) *float64 {
	n := s.get(keyword)
	if n.node == nil {
		return nil
	}
	value, ok := n.node.Float()
	if !ok {
		r.errorf(n, "found %s, expected %q to be a number", n.node.Kind(), keyword)
		return nil
	}
	return &value
}

// exclusive reads both forms of an exclusive limit: a flag on the limit beside
// it, and since draft 6 the limit itself.
func (r *reader) exclusive(s schema, keyword string, limit **float64) bool {
	n := s.get(keyword)
	if n.node.Kind() == jsontree.Number {
		*limit = r.float(s, keyword)
		return true
	}
	return n.node.True()
}

// understood are the members of a schema that the reader takes in, or that say
// nothing about the value.
var understood = map[string]bool{
	"$ref": true, "$schema": true, "id": true, "$id": true, "title": true, "description": true, "$comment": true,
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true,
	"oneOf": true, "anyOf": true, "allOf": true, "enum": true, "const": true,
	"pattern": true, "minLength": true, "maxLength": true, "minItems": true, "maxItems": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"format": true, "default": true,
}

// checkKeywords notes what a schema says and the reader does not take in.
func (r *reader) checkKeywords(s schema) {
	if r.visited[s.node] {
		return
	}
	r.visited[s.node] = true
	for _, m := range s.node.Members() {
		if !understood[m.Name] {
			r.note(ir.Skipped, schema{s.doc, m.Value}, "the keyword %q is not supported", m.Name)
		}
	}
}

// same tells whether two schemas say the same, whatever their descriptions.
func same(a, b *jsontree.Node) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() || a.Literal() != b.Literal() || len(a.Items()) != len(b.Items()) {
		return false
	}
	for i, item := range a.Items() {
		if !same(item, b.Items()[i]) {
			return false
		}
	}
	return covers(a, b) && covers(b, a)
}

func covers(a, b *jsontree.Node) bool {
	for _, m := range b.Members() {
		prose := m.Name == "description" && m.Value.Kind() == jsontree.String
		if !prose && !same(a.Get(m.Name), m.Value) {
			return false
		}
	}
	return true
}
