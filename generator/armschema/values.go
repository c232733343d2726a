package armschema

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// value is the type of a property or an element, with its limits.
type value struct {
	ref ir.TypeRef
	// limits apply to the value itself, or to a list as a whole.
	limits *ir.Validation
	// itemLimits apply to the elements.
	itemLimits *ir.Validation
}

func primitive(p ir.Primitive) value { return value{ref: ir.TypeRef{Primitive: p}} }

// maxSteps is the length from which a chain of references is considered a cycle.
const maxSteps = 100

// unwrap follows references. It also removes the alternative of an expression,
// which nearly every schema here has: "a value, or an expression that gives one".
// It returns the inner schema, and the name of the last definition on the way.
// The node is nil after an error, or if there is only an expression.
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

// nameOf returns the last part of a $ref.
func nameOf(ref schema) string {
	text := ref.node.Text()
	return jsontree.Unescape(text[strings.LastIndexByte(text, '/')+1:])
}

// isExpression reports whether a $ref refers to the expressions of templates, such
// as "[parameters('x')]". Kubernetes objects have no expressions.
func isExpression(ref schema) bool {
	file, pointer, _ := strings.Cut(ref.node.Text(), "#")
	if file == "" {
		file = ref.doc.Name
	}
	return pointer == "/definitions/expression" && strings.HasSuffix("/"+file, "/common/definitions.json")
}

// alternatives returns the schemas in oneOf and anyOf that are not expressions,
// and the number of expressions.
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

// onlyAlternative returns the schema that s wraps, if there is exactly one: beside
// an expression in a oneOf, or alone in an allOf.
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

// value reads a schema. A type without a name in the spec is named by the hint.
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
	if r.reading[s.node] {
		r.note(ir.Approximated, s, "the value contains itself; from here on it is untyped JSON")
		return primitive(ir.Any)
	}
	r.reading[s.node] = true
	defer delete(r.reading, s.node)
	if rest, _ := alternatives(s); len(rest) > 0 {
		return r.anyOfValues(s, rest, hint)
	}
	return r.byType(s, hint)
}

var typeNames = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

// byType reads a schema by its "type", given or implied.
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
		r.errorf(s.get("type"), "found type %q, expected one of %s%s", name, strings.Join(typeNames, ", "),
			diag.DidYouMean(name, typeNames))
	}
	return primitive(ir.Any)
}

// isMap reports whether additionalProperties allows any name.
func isMap(n *jsontree.Node) bool { return n.Kind() == jsontree.Object || n.True() }

// typeName returns the "type" of a schema, or the one that its other members
// imply.
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
		r.note(ir.Approximated, t, "the value may have %d types; it is untyped JSON", len(names))
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
		r.note(ir.Approximated, items, "each element has its own schema; the elements are untyped JSON")
		items = schema{}
	}
	v := primitive(ir.Any)
	if items.node != nil {
		v = r.value(items, hint)
	}
	if v.ref.Items != nil && v.limits.Checked() != nil || v.itemLimits.Checked() != nil {
		r.note(ir.Approximated, items, "limits on lists in lists are dropped")
	}
	return value{ref: ir.TypeRef{Items: &v.ref}, limits: r.limits(s), itemLimits: v.limits}
}

// isObject reports whether a schema has declared properties, directly or in the
// schemas that it is composed of. Other objects are untyped JSON, except for a
// definition whose "properties" are empty: only responses have properties of it,
// and requests send it empty.
func (r *reader) isObject(s schema, defined bool) bool {
	properties := s.node.Get("properties")
	if len(properties.Members()) > 0 {
		return true
	}
	if r.asking[s.node] {
		return true // it consists of itself, which shape reports
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

// anyOfValues reads a value that may be of several types, with nothing that says
// which one it has.
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
		r.note(ir.Approximated, at, "the value may have %d types, and nothing distinguishes them; it is untyped JSON", len(values))
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

// commonBase returns the primitive type that all values have, or "", and the
// number of values that are enums.
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

// enumValues returns the values of an enum, or the value of a const.
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

// enumBase returns the primitive type of an enum's values, from the "type" of the
// enum or else from the values.
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

// plainFormats are the formats that do not restrict a value, or in a way that ARM
// checks better than a schema could.
var plainFormats = []string{
	"", "uri", "date", "date-time", "duration", "password", "byte", "int32", "int64", "float", "double",
}

// limits returns the limits on a primitive value or a list, or nil if there are
// none.
func (r *reader) limits(s schema) *ir.Validation {
	v := ir.Validation{
		MinLength: r.int(s, "minLength"), MaxLength: r.int(s, "maxLength"),
		MinItems: r.int(s, "minItems"), MaxItems: r.int(s, "maxItems"),
		Minimum: r.float(s, "minimum"), Maximum: r.float(s, "maximum"), MultipleOf: r.float(s, "multipleOf"),
	}
	v.ExclusiveMinimum = r.exclusive(s, "exclusiveMinimum", &v.Minimum)
	v.ExclusiveMaximum = r.exclusive(s, "exclusiveMaximum", &v.Maximum)
	if pattern := s.get("pattern"); pattern.node != nil {
		if !v.SetPattern(pattern.node.Text()) {
			r.note(ir.Approximated, pattern, "the pattern is not an RE2 expression and is dropped: %s", pattern.node.Text())
		}
	}
	v.Format, v.UniqueItems = s.node.Get("format").Text(), s.node.Get("uniqueItems").True()
	switch format := v.Format; {
	case (format == "uuid" || format == "guid") && v.Pattern == "":
		v.Pattern = ir.GUID
	case !slices.Contains(plainFormats, format):
		r.note(ir.Approximated, s.get("format"), "the format %q is not checked", format)
	}
	return v.OrNil()
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

// exclusive reads an exclusive limit. It has two forms: a flag beside the limit,
// and since draft 6 the limit itself.
func (r *reader) exclusive(s schema, keyword string, limit **float64) bool {
	n := s.get(keyword)
	if n.node.Kind() == jsontree.Number {
		*limit = r.float(s, keyword)
		return true
	}
	return n.node.True()
}

// understood are the members of a schema that the reader reads, or that say
// nothing about the value.
var understood = map[string]bool{
	"$ref": true, "$schema": true, "id": true, "$id": true, "title": true, "description": true, "$comment": true,
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true,
	"oneOf": true, "anyOf": true, "allOf": true, "enum": true, "const": true,
	"pattern": true, "minLength": true, "maxLength": true, "minItems": true, "maxItems": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"format": true, "default": true,
}

// checkKeywords adds notes on the members of a schema that the reader does not
// read.
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

// same reports whether two schemas are equal except for their descriptions.
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

// covers reports whether a has all members that b has, except for descriptions.
func covers(a, b *jsontree.Node) bool {
	for _, m := range b.Members() {
		prose := m.Name == "description" && m.Value.Kind() == jsontree.String
		if !prose && !same(a.Get(m.Name), m.Value) {
			return false
		}
	}
	return true
}
