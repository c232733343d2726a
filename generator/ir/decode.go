package ir

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"unicode/utf8"
)

// DecodeStrict reads the JSON of any value that Armature keeps in a file. It
// refuses unknown fields, because another version of the generator wrote them.
//
// Every action begins with it, so it has a fast path for text that [Canonical]
// made of structs. Any other text, malformed text included, goes to
// encoding/json.
func DecodeStrict(text string, into any) error {
	value := reflect.ValueOf(into).Elem()
	r := newReader(text)
	if utf8.ValidString(r.text) && r.value(value) && r.end() {
		return nil
	}
	value.SetZero()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("text after the end")
	}
	return nil
}

// reader reads canonical JSON. Its methods return false where the text may not
// be canonical. Strings share the memory of the text.
type reader struct {
	text   string
	at     int
	fields map[reflect.Type][]string      // the JSON names of a struct's fields, or ""
	spare  map[reflect.Type]reflect.Value // slices in which elements are collected
}

func newReader(text string) *reader {
	return &reader{
		text:   text,
		fields: map[reflect.Type][]string{}, spare: map[reflect.Type]reflect.Value{},
	}
}

// next skips white space and returns the next byte, or 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\n':
		default:
			return c
		}
	}
	return 0
}

// end reports whether only white space is left. A byte 0 in the text is not the
// end.
func (r *reader) end() bool { return r.next() == 0 && r.at == len(r.text) }

// take skips c if it is the next byte, and reports whether it was.
func (r *reader) take(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// value reads a value into v, which must be zero.
func (r *reader) value(v reflect.Value) bool {
	if kind := v.Kind(); (kind == reflect.Pointer || kind == reflect.Slice) && r.next() == 'n' {
		return r.word() == "null"
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem())
	case reflect.Struct:
		return r.object(v)
	case reflect.Slice:
		return r.array(v)
	case reflect.String:
		s, ok := r.string()
		v.SetString(s)
		return ok
	case reflect.Bool:
		word := r.word()
		v.SetBool(word == "true")
		return word == "true" || word == "false"
	case reflect.Int64, reflect.Float64: // rare
		return json.Unmarshal([]byte(r.word()), v.Addr().Interface()) == nil
	}
	return false
}

func (r *reader) object(v reflect.Value) bool {
	fields := r.fieldsOf(v.Type())
	if !r.take('{') {
		return false
	}
	if r.take('}') {
		return true
	}
	for i := 0; ; i++ {
		name, ok := r.string()
		for i < len(fields) && fields[i] != name { // canonical text has them in order
			i++
		}
		if !ok || name == "" || i == len(fields) || !r.take(':') || !r.value(v.Field(i)) {
			return false
		}
		if !r.take(',') {
			return r.take('}')
		}
	}
}

// array collects the elements in a slice that it uses again, since memory that a
// growing slice leaves behind takes longer to get than the elements to copy.
func (r *reader) array(v reflect.Value) bool {
	if !r.take('[') {
		return false
	}
	if r.take(']') {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		return true
	}
	all, ok := r.spare[v.Type()]
	if !ok {
		all = reflect.New(v.Type()).Elem()
	}
	delete(r.spare, v.Type()) // an element may have such a slice
	for more := true; more; more = r.take(',') {
		all.Grow(1)
		all.SetLen(all.Len() + 1)
		if !r.value(all.Index(all.Len() - 1)) {
			return false
		}
	}
	v.Set(reflect.MakeSlice(v.Type(), all.Len(), all.Len()))
	reflect.Copy(v, all)
	all.Clear()
	all.SetLen(0)
	r.spare[v.Type()] = all
	return r.take(']')
}

// string reads a string. Only one with escapes is copied.
func (r *reader) string() (string, bool) {
	if !r.take('"') {
		return "", false
	}
	start := r.at
	for {
		i := strings.IndexByte(r.text[r.at:], '"')
		if i < 0 {
			return "", false
		}
		r.at += i + 1
		inside := r.text[start : r.at-1]
		if strings.IndexByte(inside, '\\') < 0 {
			for i := range len(inside) {
				if inside[i] < ' ' {
					return "", false
				}
			}
			return inside, true
		}
		if (len(inside)-len(strings.TrimRight(inside, `\`)))%2 == 0 { // the quotation mark is not escaped
			var s string
			err := json.Unmarshal([]byte(r.text[start-1:r.at]), &s)
			return s, err == nil
		}
	}
}

// word reads a number, true, false or null.
func (r *reader) word() string {
	r.next()
	rest := r.text[r.at:]
	i := strings.IndexAny(rest, ",}]\n ")
	if i < 0 {
		i = len(rest)
	}
	r.at += i
	return rest[:i]
}

// fieldsOf returns the JSON name of each field of a struct, or "".
func (r *reader) fieldsOf(t reflect.Type) []string {
	fields := r.fields[t]
	if fields == nil {
		fields = make([]string, t.NumField())
		for i := range fields {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "-" {
				fields[i] = name
			}
		}
		r.fields[t] = fields
	}
	return fields
}
