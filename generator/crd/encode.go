package crd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	w.object(reflect.ValueOf(d).Elem(), 0)
	return out.Bytes(), w.sizes
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
	w.object(reflect.ValueOf(s).Elem(), 0)
	return w.bytes
}

// writer writes YAML and counts what the same is as JSON.
type writer struct {
	out *bytes.Buffer // nil if it only counts
	sizes
}

// object writes the members of a struct or a map, of which there is at least one. The
// first has no indent, so that it can follow the dash of a list.
func (w *writer) object(v reflect.Value, depth int) {
	before := w.size
	w.bytes += len("{}")
	isFirst := true
	member := func(key string, value reflect.Value) {
		if !isFirst {
			w.bytes += len(",")
			w.indent(depth)
		}
		isFirst = false
		w.bytes += jsonTextBytes(key) + len(":")
		w.write(yamlText(key), ":")
		w.value(value, depth)
	}
	if v.Kind() == reflect.Map {
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), byText) {
			member(key.String(), v.MapIndex(key))
		}
		return
	}
	for i, f := range fieldsOf(v.Type()) {
		if value := v.Field(i); !f.omitEmpty || !isEmpty(value) {
			member(f.key, value)
		}
	}
	switch part := v.Addr().Interface().(type) {
	case *entry:
		w.versions = append(w.versions, w.size.minus(before))
	case *schema:
		w.schemas++
		if part.Description != "" {
			w.descriptions += len(`"description":,`) + jsonTextBytes(part.Description)
		}
	}
}

// value writes the value of a member at the given depth, after the member's key.
func (w *writer) value(v reflect.Value, depth int) {
	v = reflect.Indirect(v)
	switch {
	case isObject(v):
		w.write("\n")
		w.indent(depth + 1)
		w.object(v, depth+1)
	case v.Kind() == reflect.Slice:
		w.bytes += len("[]") + len(",")*(v.Len()-1)
		w.write("\n")
		for i := range v.Len() {
			w.indent(depth)
			w.write("- ")
			if item := reflect.Indirect(v.Index(i)); isObject(item) {
				w.object(item, depth+1)
			} else {
				w.scalar(item)
			}
		}
	default:
		w.write(" ")
		w.scalar(v)
	}
}

// scalar writes a scalar and ends the line.
func (w *writer) scalar(v reflect.Value) {
	text, size := forms(v.Interface())
	w.bytes += size
	w.write(text, "\n")
}

// forms returns a scalar as YAML, and the length of its JSON.
func forms(scalar any) (string, int) {
	switch value := scalar.(type) {
	case string:
		return yamlText(value), jsonTextBytes(value)
	case literal:
		if value.isText {
			return forms(value.text)
		}
		return value.text, len(value.text)
	case float64:
		inJSON, _ := json.Marshal(value)
		return strconv.FormatFloat(value, 'f', -1, 64), len(inJSON)
	case struct{}:
		return "{}", len("{}")
	}
	text := fmt.Sprint(scalar)
	return text, len(text)
}

func (w *writer) write(texts ...string) {
	for _, text := range texts {
		if w.out != nil {
			w.out.WriteString(text)
		}
	}
}

func (w *writer) indent(depth int) { w.write(strings.Repeat("  ", depth)) }

// field says how a field of a struct is written.
type field struct {
	key       string
	omitEmpty bool
}

var knownFields sync.Map // lists of field by reflect.Type

// fieldsOf returns the fields of a struct, in order.
func fieldsOf(t reflect.Type) []field {
	if known, ok := knownFields.Load(t); ok {
		return known.([]field)
	}
	fields := make([]field, t.NumField())
	for i := range fields {
		key, options, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		fields[i] = field{key, options == "omitempty"}
	}
	knownFields.Store(t, fields)
	return fields
}

// isObject reports whether a value has members. A struct without fields is written
// as a scalar.
func isObject(v reflect.Value) bool {
	return v.Kind() == reflect.Map || v.Kind() == reflect.Struct && v.NumField() > 0 && v.Type() != reflect.TypeFor[literal]()
}

// isEmpty reports whether omitempty leaves a value out.
func isEmpty(v reflect.Value) bool {
	if v.Kind() == reflect.Map || v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.IsZero()
}

func byText(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }

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
