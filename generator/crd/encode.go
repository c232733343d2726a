package crd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Decode reads the text of a CRD that a group's target crds has made. It is an error
// if the text has a field that such a CRD does not have.
func Decode(text []byte) (*Definition, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	d := new(Definition)
	if err := decoder.Decode(d); err != nil {
		return nil, fmt.Errorf("found no CRD that a group's target crds has made: %w", err)
	}
	if d.Kind != kind || len(d.Spec.Versions) == 0 {
		return nil, fmt.Errorf("found the kind %q with %d versions, expected a "+kind+" that a group's target crds has made",
			d.Kind, len(d.Spec.Versions))
	}
	return d, nil
}

// UnmarshalYAML reads a scalar.
func (l *literal) UnmarshalYAML(n *yaml.Node) error {
	*l = literal{n.Value, n.ShortTag() == "!!str"}
	return nil
}

// Text returns the CRD as YAML, with sorted keys, in the usual style of CRDs.
func (d *Definition) Text() []byte {
	text, _ := d.encode()
	return text
}

// encode returns the CRD as YAML, and the size of the whole and of each version. A
// general encoder would be twenty times slower, and take longer than the rest of
// generating a group.
func (d *Definition) encode() ([]byte, sizes) {
	var out bytes.Buffer
	out.WriteString("---\n")
	w := writer{out: &out}
	var all sizes
	w.whole(func(o *object) {
		o.text("apiVersion", d.APIVersion)
		o.text("kind", d.Kind)
		o.object("metadata", func(o *object) {
			o.textMap("annotations", d.Metadata.Annotations)
			o.textMap("labels", d.Metadata.Labels)
			o.text("name", d.Metadata.Name)
		})
		o.object("spec", func(o *object) {
			o.object("conversion", d.Spec.Conversion.write)
			o.text("group", d.Spec.Group)
			o.object("names", d.Spec.Names.write)
			o.text("scope", d.Spec.Scope)
			writeList(o, "versions", d.Spec.Versions, func(v *entry, o *object) {
				before := w.size
				v.write(o)
				of := w.size.minus(before)
				of.bytes += len("{}")
				all.versions = append(all.versions, of)
			})
		})
	})
	all.size = w.size
	return out.Bytes(), all
}

// sizes has the size of a CRD, and that of each version.
type sizes struct {
	size
	versions []size
}

// size is the size of a part of a CRD.
type size struct {
	bytes        int // of compact JSON
	descriptions int // bytes that are descriptions
	schemas      int // the number of schemas
}

func (s size) minus(other size) size {
	return size{s.bytes - other.bytes, s.descriptions - other.descriptions, s.schemas - other.schemas}
}

// jsonBytes returns the length of a schema as compact JSON.
func (s *schema) jsonBytes() int {
	var w writer
	w.whole(s.write)
	return w.size.bytes
}

func (c conversion) write(o *object) {
	o.text("strategy", c.Strategy)
	o.object("webhook", func(o *object) {
		if config := c.Webhook.ClientConfig; config != nil {
			o.object("clientConfig", config.write)
		}
		o.texts("conversionReviewVersions", c.Webhook.ReviewVersions)
	})
}

func (c *clientConfig) write(o *object) {
	o.text("caBundle", c.CABundle)
	o.object("service", func(o *object) {
		o.text("name", c.Service.Name)
		o.text("namespace", c.Service.Namespace)
		o.text("path", c.Service.Path)
		o.integer("port", &c.Service.Port)
	})
}

func (n names) write(o *object) {
	o.texts("categories", n.Categories)
	o.text("kind", n.Kind)
	o.text("listKind", n.ListKind)
	o.text("plural", n.Plural)
	o.texts("shortNames", n.ShortNames)
	o.text("singular", n.Singular)
}

func (v *entry) write(o *object) {
	writeList(o, "additionalPrinterColumns", v.Columns, Column.write)
	o.isTrue("deprecated", v.Deprecated)
	o.text("deprecationWarning", v.DeprecationWarning)
	o.text("name", v.Name)
	o.object("schema", func(o *object) { o.schema("openAPIV3Schema", v.Schema.Root) })
	o.boolean("served", v.Served)
	o.boolean("storage", v.Storage)
	o.object("subresources", func(o *object) { o.scalar("status", "{}", "{}") })
}

func (c Column) write(o *object) {
	o.text("jsonPath", c.JSONPath)
	o.text("name", c.Name)
	if c.Priority > 0 {
		o.integer("priority", &c.Priority)
	}
	o.text("type", c.Type)
}

func (s *schema) write(o *object) {
	o.w.size.schemas++
	o.schema("additionalProperties", s.AdditionalProperties)
	writeList(o, "anyOf", s.AnyOf, (*schema).writePart)
	if s.Description != "" {
		o.text("description", s.Description)
		o.w.size.descriptions += len(`"description":,`) + jsonTextBytes(s.Description)
	}
	writeScalars(o, "enum", s.Enum, literal.forms)
	o.isTrue("exclusiveMaximum", s.ExclusiveMaximum)
	o.isTrue("exclusiveMinimum", s.ExclusiveMinimum)
	o.text("format", s.Format)
	o.schema("items", s.Items)
	o.integer("maxItems", s.MaxItems)
	o.integer("maxLength", s.MaxLength)
	o.integer("maxProperties", s.MaxProperties)
	o.number("maximum", s.Maximum)
	o.integer("minItems", s.MinItems)
	o.integer("minLength", s.MinLength)
	o.number("minimum", s.Minimum)
	o.number("multipleOf", s.MultipleOf)
	if s.Not != nil {
		o.object("not", s.Not.writePart)
	}
	writeList(o, "oneOf", s.OneOf, (*schema).writePart)
	o.text("pattern", s.Pattern)
	if len(s.Properties) > 0 {
		o.object("properties", func(o *object) {
			for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
				o.schema(name, s.Properties[name])
			}
		})
	}
	o.texts("required", s.Required)
	o.text("type", s.Type)
	o.texts("x-kubernetes-list-map-keys", s.ListMapKeys)
	o.text("x-kubernetes-list-type", s.ListType)
	o.isTrue("x-kubernetes-preserve-unknown-fields", s.PreserveUnknown)
	writeList(o, "x-kubernetes-validations", s.Validations, Rule.write)
}

// writePart writes a schema that is a condition on another, and does not count as one.
func (s *schema) writePart(o *object) {
	s.write(o)
	o.w.size.schemas--
}

func (r Rule) write(o *object) {
	o.text("fieldPath", r.FieldPath)
	o.text("message", r.Message)
	o.text("rule", r.Rule)
}

// writer writes YAML and counts what the same is as JSON.
type writer struct {
	out  *bytes.Buffer // nil if it only counts
	size size
}

// object is an object that is being written, with at least one member. The members
// are written in the order of their keys.
type object struct {
	w       *writer
	depth   int
	members int
}

// whole writes an object that is in no other.
func (w *writer) whole(members func(*object)) {
	w.size.bytes += len("{}")
	members(&object{w: w})
}

func (w *writer) write(text string) {
	if w.out != nil {
		w.out.WriteString(text)
	}
}

func (w *writer) indent(depth int) {
	if w.out == nil {
		return
	}
	for range depth {
		w.out.WriteString("  ")
	}
}

// key starts a member. The first has no indent, so that it can follow the dash of a
// list.
func (o *object) key(key string) {
	if o.members > 0 {
		o.w.size.bytes += len(",")
		o.w.indent(o.depth)
	}
	o.members++
	o.w.size.bytes += jsonTextBytes(key) + len(":")
	o.w.write(yamlText(key) + ":")
}

// object writes a member that is an object.
func (o *object) object(key string, members func(*object)) {
	o.key(key)
	o.w.size.bytes += len("{}")
	o.w.write("\n")
	o.w.indent(o.depth + 1)
	members(&object{w: o.w, depth: o.depth + 1})
}

func (o *object) schema(key string, s *schema) {
	if s != nil {
		o.object(key, s.write)
	}
}

// writeList writes a member that is a list of objects, unless it is empty.
func writeList[T any](o *object, key string, items []T, members func(T, *object)) {
	for i, item := range items {
		o.item(key, i)
		o.w.size.bytes += len("{}")
		members(item, &object{w: o.w, depth: o.depth + 1})
	}
}

// writeScalars writes a member that is a list of scalars, unless it is empty. forms
// returns a scalar as YAML and the length of its JSON.
func writeScalars[T any](o *object, key string, items []T, forms func(T) (string, int)) {
	for i, item := range items {
		o.item(key, i)
		text, size := forms(item)
		o.w.size.bytes += size
		o.w.write(text + "\n")
	}
}

// item starts an item of a list.
func (o *object) item(key string, i int) {
	if i == 0 {
		o.key(key)
		o.w.size.bytes += len("[]")
		o.w.write("\n")
	} else {
		o.w.size.bytes += len(",")
	}
	o.w.indent(o.depth)
	o.w.write("- ")
}

// scalar writes a member that is a scalar, whose text in YAML and JSON is given.
func (o *object) scalar(key, inYAML, inJSON string) {
	o.key(key)
	o.w.size.bytes += len(inJSON)
	o.w.write(" " + inYAML + "\n")
}

// text writes a member that is a text, unless it is empty.
func (o *object) text(key, value string) {
	if value == "" {
		return
	}
	o.key(key)
	text, size := textForms(value)
	o.w.size.bytes += size
	o.w.write(" " + text + "\n")
}

func (o *object) texts(key string, values []string) { writeScalars(o, key, values, textForms) }

func (o *object) textMap(key string, values map[string]string) {
	if len(values) == 0 {
		return
	}
	o.object(key, func(o *object) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			o.text(name, values[name])
		}
	})
}

func (o *object) boolean(key string, value bool) {
	text := strconv.FormatBool(value)
	o.scalar(key, text, text)
}

// isTrue writes a member that is true, or nothing.
func (o *object) isTrue(key string, value bool) {
	if value {
		o.boolean(key, true)
	}
}

// integer writes a member that is an integer, unless it is absent.
func (o *object) integer(key string, value *int64) {
	if value != nil {
		text := strconv.FormatInt(*value, 10)
		o.scalar(key, text, text)
	}
}

// number writes a member that is a number, unless it is absent.
func (o *object) number(key string, value *float64) {
	if value != nil {
		inJSON, _ := json.Marshal(*value)
		o.scalar(key, strconv.FormatFloat(*value, 'f', -1, 64), string(inJSON))
	}
}

// forms returns a literal as YAML, and the length of its JSON.
func (l literal) forms() (string, int) {
	if l.isText {
		return textForms(l.text)
	}
	return l.text, len(l.text)
}

// textForms returns a text as YAML, and the length of its JSON.
func textForms(text string) (string, int) { return yamlText(text), jsonTextBytes(text) }

// jsonTextBytes returns the length of a text as JSON.
func jsonTextBytes(text string) int {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			quoted, _ := json.Marshal(text)
			return len(quoted)
		}
	}
	return len(`""`) + len(text)
}

// yamlText returns a text as YAML, without quotes if every reader takes it for a text.
func yamlText(text string) string {
	if isPlain(text) {
		return text
	}
	return strconv.Quote(text) // Go's escapes are YAML's, too
}

// isPlain reports whether a text needs no quotes. It is strict: a letter comes
// first, and no character has a meaning in YAML.
func isPlain(text string) bool {
	if text == "" || strings.HasSuffix(text, " ") || slices.Contains(reserved, strings.ToLower(text)) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i == 0:
			return false
		case c >= '0' && c <= '9', strings.IndexByte(" -_./,()=+@;'\"[]{}$!?*&<>|%", c) >= 0:
		case c == ':' && i+1 < len(text) && text[i+1] != ' ':
		default:
			return false
		}
	}
	return true
}

// reserved are the words that YAML 1.1 does not read as strings.
var reserved = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
