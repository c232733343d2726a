package swagger

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// valueContext describes where a value is used.
type valueContext struct {
	// hint is the name of the type if it has no name of its own.
	hint string
	// owner and property are the subject of notes about the value.
	owner    *namedType
	property string
}

// value is the content of a schema.
type value struct {
	ref             ir.TypeRef
	validation      *ir.Validation
	itemValidation  *ir.Validation
	isSecret, isARM bool
	resourceTypes   []string // of which the id is, if isARM
	encoding        ir.Encoding
}

// chain is a schema followed by the schemas that it refers to in turn. Members of
// earlier schemas override those of later ones, such as a "readOnly" beside a
// "$ref".
type chain []schema

// last returns the schema at the end, which has the structure.
func (c chain) last() schema { return c[len(c)-1] }

// get returns the member with the given name of the first schema that has one.
func (c chain) get(name string) schema {
	for _, s := range c {
		if s.node.Has(name) {
			return s.get(name)
		}
	}
	return schema{}
}

// chain follows the references of a schema. An allOf with nothing but a reference
// counts as a reference too, unless it makes a definition a type of its own. A schema
// that [reader.extends] the target of its reference is the last one.
func (r *reader) chain(s schema) chain {
	c := chain{s}
	for {
		next := r.next(s)
		if next.node == nil {
			return c
		}
		c = append(c, next)
		s = next
	}
}

func (r *reader) next(s schema) schema {
	if s.node.Has("$ref") {
		target := r.target(s.get("$ref"))
		if s.node.Has("enum") || r.extends(s, target) {
			return schema{}
		}
		return target
	}
	bases := s.node.Get("allOf").Items()
	if len(bases) != 1 || !bases[0].Has("$ref") || hasStructure(s.node) || s.node.Has("x-ms-discriminator-value") {
		return schema{}
	}
	reference := schema{s.doc, bases[0]}
	base := r.target(reference.get("$ref"))
	if _, isDefinition := r.definitions[s.node]; isDefinition && r.isObject(base) || r.extends(s, base) {
		return schema{}
	}
	if len(r.beside(reference, base)) > 0 {
		return reference
	}
	return base
}

// hasStructure reports whether a schema says more about a value than its type.
func hasStructure(n *jsontree.Node) bool {
	for _, name := range []string{"properties", "additionalProperties", "discriminator", "items", "enum"} {
		if n.Has(name) {
			return true
		}
	}
	return false
}

func (r *reader) isObject(s schema) bool {
	n := r.chain(s).last().node
	switch n.Get("type").Text() {
	case "object":
		return true
	case "":
		return !n.Has("enum") && !n.Has("items")
	}
	return false
}

// value reads a schema.
func (r *reader) value(s schema, at valueContext) value {
	return r.valueOf(r.chain(s), at)
}

var typeNames = []string{"string", "integer", "number", "boolean", "array", "object", "file"}

func (r *reader) valueOf(c chain, at valueContext) value {
	last := c.last()
	v := value{
		isSecret: c.get("x-ms-secret").node.True(),
		isARM:    c.get("x-ms-arm-id-details").node != nil || c.get("x-ms-arm-id").node != nil,
	}
	v.resourceTypes = r.resourceTypes(c, at)
	r.checkShape(last)
	r.noteBeside(c, at)
	if len(last.node.Get("enum").Items()) > 0 {
		r.enumValue(c, &v, at)
		return v
	}
	format := c.get("format").node.Text()
	switch name := last.node.Get("type").Text(); name {
	case "string":
		r.stringValue(c, format, &v, at)
	case "integer":
		v.ref.Primitive = ir.Integer
		v.validation = r.validation(c, forNumbers, at)
	case "number":
		v.ref.Primitive = ir.Number
		if format == "int32" || format == "int64" {
			v.ref.Primitive = ir.Integer
		}
		v.validation = r.validation(c, forNumbers, at)
	case "boolean":
		v.ref.Primitive = ir.Boolean
		r.validation(c, 0, at)
	case "array":
		r.arrayValue(c, &v, at)
	case "file":
		v.ref.Primitive = ir.Any
		r.note(ir.Approximated, at.owner, at.property, last, "a file is read as untyped JSON")
	case "object", "":
		if name == "" && last.node.Has("items") {
			r.arrayValue(c, &v, at)
		} else {
			r.objectValue(c, &v, at)
			r.validation(c, 0, at)
		}
	default:
		r.errorf(last.get("type"), "found type %q, expected one of %s%s", name, strings.Join(typeNames, ", "),
			diag.DidYouMean(name, typeNames))
	}
	return v
}

// resourceType matches an ARM type.
var resourceType = regexp.MustCompile(`^[A-Za-z0-9.]+(/[A-Za-z0-9._-]+)+$`)

// resourceTypes returns the types of resources whose ids a value may hold, or nil if it
// may hold any.
func (r *reader) resourceTypes(c chain, at valueContext) []string {
	var types []string
	allowed := c.get("x-ms-arm-id-details").get("allowedResources")
	for _, item := range allowed.node.Items() {
		// Some specs spell the member "resourceType".
		text := cmp.Or(item.Get("type").Text(), item.Get("resourceType").Text())
		if !resourceType.MatchString(text) {
			if text != "*" {
				r.note(ir.Approximated, at.owner, at.property, allowed, fmt.Sprintf("found %q among allowedResources, expected a resource "+
					"type; a reference may be to any", text))
			}
			return nil
		}
		types = append(types, text)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// shapes has the JSON kinds that members of a schema must have.
var shapes = []struct {
	name string
	kind jsontree.Kind
}{
	{"type", jsontree.String}, {"properties", jsontree.Object}, {"allOf", jsontree.Array},
	{"required", jsontree.Array}, {"items", jsontree.Object}, {"enum", jsontree.Array}, {"discriminator", jsontree.String},
}

// checkShape reports the members of a schema that have the wrong kind.
func (r *reader) checkShape(s schema) {
	if s.node.Kind() != jsontree.Object {
		r.errorf(s, "found %s, expected a schema, which is an object", s.node.Kind())
	}
	for _, shape := range shapes {
		if m := s.get(shape.name); m.node != nil && m.node.Kind() != shape.kind {
			r.errorf(m, "%q is %s, expected %s", shape.name, m.node.Kind(), shape.kind)
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf", "not"} {
		if s.node.Has(keyword) {
			r.errorf(s.get(keyword), "%q is not a keyword of Swagger 2.0; expected \"allOf\" or \"discriminator\"", keyword)
		}
	}
}

// plainFormats are the formats of strings that do not restrict a value, or in a
// way that ARM checks better than a schema could.
var plainFormats = []string{
	"", "arm-id", "base64url", "binary", "byte", "date", "date-time", "date-time-rfc1123",
	"duration", "email", "password", "uri", "url", "uuid",
}

// encodings are those of the formats of bytes.
var encodings = map[string]ir.Encoding{"byte": ir.Base64, "base64url": ir.Base64URL}

func (r *reader) stringValue(c chain, format string, v *value, at valueContext) {
	v.ref.Primitive = ir.String
	v.validation = r.validation(c, forStrings, at)
	v.isSecret = v.isSecret || format == "password"
	v.isARM = v.isARM || format == "arm-id"
	v.encoding = encodings[format]
	switch {
	case format == "uuid":
		if v.validation == nil {
			v.validation = &ir.Validation{}
		}
		v.validation.Pattern = cmp.Or(v.validation.Pattern, ir.GUID)
	case !slices.Contains(plainFormats, format):
		r.note(ir.Approximated, at.owner, at.property, c.get("format"), fmt.Sprintf("the format %q is not checked", format))
	}
}

func (r *reader) arrayValue(c chain, v *value, at valueContext) {
	v.validation = r.validation(c, forArrays, at)
	v.ref.Items = &ir.TypeRef{Primitive: ir.Any}
	items := c.last().get("items")
	if items.node.Kind() == jsontree.Array {
		return // checkShape has reported it
	}
	if items.node == nil {
		r.note(ir.Approximated, at.owner, at.property, c.last(), "the array has no items; they are untyped JSON")
		return
	}
	r.elements(c.last(), items, v, v.ref.Items, at)
}

// elements reads the type of the elements of an array or a map into ref.
func (r *reader) elements(holder, s schema, v *value, ref *ir.TypeRef, at valueContext) {
	if r.within[holder.node] {
		r.note(ir.Approximated, at.owner, at.property, holder, "the list or map contains itself; from here on it is untyped JSON")
		return
	}
	r.within[holder.node] = true
	element := r.value(s, at)
	delete(r.within, holder.node)
	*ref = element.ref
	v.itemValidation = element.validation
	v.isSecret = v.isSecret || element.isSecret
	v.isARM = v.isARM || element.isARM
	v.encoding = element.encoding
	if v.resourceTypes == nil {
		v.resourceTypes = element.resourceTypes
	}
	if element.itemValidation.Checked() != nil {
		r.note(ir.Approximated, at.owner, at.property, s, "limits on the elements of a list in a list are not checked")
	}
}

func (r *reader) objectValue(c chain, v *value, at valueContext) {
	last := c.last()
	if t := r.objects[typeKey{last.node, nil}]; t != nil {
		v.ref.Named = t.ref
		return
	}
	m := r.members(last)
	additional := m.additional.node
	switch {
	case len(m.list) > 0 || m.discriminator.node != nil || additional.Kind() == jsontree.Bool && !additional.True():
		v.ref.Named = r.object(last, m, at).ref
	case additional != nil:
		v.ref.Map = &ir.TypeRef{Primitive: ir.Any}
		if additional.Kind() == jsontree.Object {
			r.elements(last, m.additional, v, v.ref.Map, at)
		}
	default:
		v.ref.Primitive = ir.Any
		if last.node.Has("type") {
			r.note(ir.Approximated, at.owner, at.property, last, "an object without declared properties is untyped JSON")
		}
	}
}

// enumValue reads a schema with an enum.
func (r *reader) enumValue(c chain, v *value, at valueContext) {
	last := c.last()
	base, ok := enumBase(last)
	if !ok {
		v.ref.Primitive = base
		r.note(ir.Approximated, at.owner, at.property, last.get("enum"), "an enum of such values is not checked")
		return
	}
	v.isSecret = v.isSecret || c.get("format").node.Text() == "password"
	// A limit beside the reference to an enum says more than the enum; one in the enum
	// itself says less than the values.
	kind := forNumbers
	if base == ir.String {
		kind = forStrings
	}
	v.validation = r.validation(c[:len(c)-1], kind, at)
	r.validation(c[len(c)-1:], 0, at)
	v.ref.Named = r.enum(last, base, at).ref
}
