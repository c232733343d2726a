package ir

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Canonical returns the JSON of any value that Armature keeps in a file, with
// an indent of one space, no HTML escapes, and a newline at the end.
//
// Many actions end with it, so it writes the indented text at once. It leaves to
// encoding/json only what files rarely have.
func Canonical(value any) ([]byte, error) {
	w := &writer{forms: map[reflect.Type]*form{}}
	w.value(w.formOf(reflect.TypeOf(value)), reflect.ValueOf(value))
	w.WriteByte('\n')
	return w.Bytes(), w.err
}

// writer writes canonical JSON.
type writer struct {
	bytes.Buffer
	depth int
	forms map[reflect.Type]*form
	err   error
}

// form says how the values of a type are written.
type form struct {
	kind   reflect.Kind // Invalid if encoding/json writes them
	elem   *form        // of a pointer, slice or map
	fields []fieldForm  // of a struct
}

// fieldForm is the form of a field that JSON has.
type fieldForm struct {
	*form
	index     int
	name      string // as it is written, with the colon
	omitEmpty bool
}

// formOf returns the form of a type, which is nil for that of a nil interface.
func (w *writer) formOf(t reflect.Type) *form {
	if f := w.forms[t]; f != nil {
		return f
	}
	f := new(form)
	w.forms[t] = f // before its parts, since types contain themselves
	if t == nil || hasOwnForm(t) {
		return f
	}
	switch kind := t.Kind(); kind {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
		f.kind = kind
	case reflect.Pointer:
		f.kind, f.elem = kind, w.formOf(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			f.kind, f.elem = kind, w.formOf(t.Elem())
		}
	case reflect.Map:
		if t.Key().Kind() == reflect.String && !hasOwnForm(t.Key()) {
			f.kind, f.elem = kind, w.formOf(t.Elem())
		}
	case reflect.Struct:
		if fields, ok := w.fieldsOf(t); ok {
			f.kind, f.fields = kind, fields
		}
	}
	return f
}

// fieldsOf returns the fields of a struct, or false if these have more than a name
// and omitempty.
func (w *writer) fieldsOf(t reflect.Type) (fields []fieldForm, ok bool) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous, option != "" && option != "omitempty":
			return nil, false
		case !field.IsExported(), name == "-":
			continue
		case name == "":
			name = field.Name
		}
		fields = append(fields, fieldForm{w.formOf(field.Type), i, strconv.Quote(name) + ": ", option != ""})
	}
	return fields, true
}

// hasOwnForm reports whether a type says itself how it is written.
func hasOwnForm(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

func (w *writer) value(f *form, v reflect.Value) {
	switch f.kind {
	case reflect.String:
		w.string(v.String())
	case reflect.Bool:
		w.Write(strconv.AppendBool(w.AvailableBuffer(), v.Bool()))
	case reflect.Int, reflect.Int64:
		w.Write(strconv.AppendInt(w.AvailableBuffer(), v.Int(), 10))
	case reflect.Struct:
		w.object(f, v)
	case reflect.Pointer, reflect.Slice, reflect.Map:
		switch {
		case v.IsNil():
			w.WriteString("null")
		case f.kind == reflect.Pointer:
			w.value(f.elem, v.Elem())
		case f.kind == reflect.Slice:
			w.array(f, v)
		default:
			w.entries(f, v)
		}
	default:
		w.other(v)
	}
}

func (w *writer) object(f *form, v reflect.Value) {
	l := w.open('{')
	for i := range f.fields {
		field := &f.fields[i]
		value := v.Field(field.index)
		if field.omitEmpty && isEmpty(value) {
			continue
		}
		l.next()
		w.WriteString(field.name)
		w.value(field.form, value)
	}
	l.close('}')
}

func (w *writer) array(f *form, v reflect.Value) {
	l := w.open('[')
	for i := range v.Len() {
		l.next()
		w.value(f.elem, v.Index(i))
	}
	l.close(']')
}

func (w *writer) entries(f *form, v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
	l := w.open('{')
	for _, key := range keys {
		l.next()
		w.string(key.String())
		w.WriteString(": ")
		w.value(f.elem, v.MapIndex(key))
	}
	l.close('}')
}

// list writes what is around the elements of an array or object.
type list struct {
	*writer
	some bool
}

func (w *writer) open(bracket byte) list {
	w.WriteByte(bracket)
	w.depth++
	return list{writer: w}
}

func (l *list) next() {
	if l.some {
		l.WriteByte(',')
	}
	l.some = true
	l.newLine()
}

func (l *list) close(bracket byte) {
	l.depth--
	if l.some {
		l.newLine()
	}
	l.WriteByte(bracket)
}

func (w *writer) newLine() {
	line := append(w.AvailableBuffer(), '\n')
	for range w.depth {
		line = append(line, ' ')
	}
	w.Write(line)
}

func (w *writer) string(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			w.other(reflect.ValueOf(s))
			return
		}
	}
	w.WriteByte('"')
	w.WriteString(s)
	w.WriteByte('"')
}

// other writes a value as encoding/json does.
func (w *writer) other(v reflect.Value) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	var value any
	if v.IsValid() {
		value = v.Interface()
	}
	err := e.Encode(value)
	if err == nil {
		err = json.Indent(&w.Buffer, bytes.TrimSpace(text.Bytes()), strings.Repeat(" ", w.depth), " ")
	}
	if err != nil && w.err == nil {
		w.err = err
	}
}

// isEmpty reports whether omitempty leaves a value out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
