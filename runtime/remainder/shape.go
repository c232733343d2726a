package remainder

import (
	"cmp"
	"encoding"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// form says what JSON makes of a Go type.
type form int

const (
	isOpaque  form = iota // what the type's own methods say, or else encoding/json
	isHeld                // what an interface holds
	isText                // a string
	isNumber              // a [json.Number]
	isInteger             // of at most 64 bits, with a sign
	isFloat               // of 64 bits
	isBool
	isObject // of the fields of a struct
	isMap    // an object of the entries of a map, null if it is nil like those below
	isBag    // a [propertybag.Bag]
	isList   // of the elements of a slice
)

// shape describes what JSON makes of a Go type, and of pointers to it.
type shape struct {
	form   form
	fields []field // of an object, in the order of their names
	named  map[string]*field
	elem   *shape // of a map, a bag or a list
}

// field is a property of a Go struct.
type field struct {
	*shape
	name, key           string // key is [memberKey] the name
	index               []int
	omitEmpty, omitZero bool
}

// shapes are worked out once for each type, with those of its fields inside.
var shapes sync.Map // of *shape by reflect.Type

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	all := shaper{}
	s := all.shape(t)
	for t, s := range all {
		shapes.Store(t, s)
	}
	return s
}

// shaper has the shapes of types that lead to each other, some of them incomplete.
type shaper map[reflect.Type]*shape

func (all shaper) shape(t reflect.Type) *shape {
	if s, ok := all[t]; ok {
		return s
	}
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	if t.Kind() == reflect.Pointer {
		all[t] = all.shape(t.Elem())
		return all[t]
	}
	s := &shape{}
	all[t] = s
	switch kind := t.Kind(); {
	case kind == reflect.Interface:
		s.form = isHeld
	case t == reflect.TypeFor[json.Number]():
		s.form = isNumber
	case t == reflect.TypeFor[propertybag.Bag]():
		s.form, s.elem = isBag, all.shape(t.Elem())
	case marshals(t):
	case kind == reflect.String:
		s.form = isText
	case kind >= reflect.Int && kind <= reflect.Int64:
		s.form = isInteger
	case kind == reflect.Float64:
		s.form = isFloat
	case kind == reflect.Bool:
		s.form = isBool
	case kind == reflect.Struct:
		if fields, ok := all.fields(t); ok {
			s.form, s.fields, s.named = isObject, fields, make(map[string]*field, len(fields))
			for i := range fields {
				s.named[fields[i].name] = &fields[i]
			}
		}
	case kind == reflect.Map && t.Key().Kind() == reflect.String:
		s.form, s.elem = isMap, all.shape(t.Elem())
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		s.form, s.elem = isList, all.shape(t.Elem())
	}
	return s
}

// marshals reports whether a type's own methods say what JSON makes of it.
func marshals(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// fields returns those of a struct, if JSON has each as it has the field's type.
func (all shaper) fields(t reflect.Type) (fields []field, ok bool) {
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
			continue
		}
		split := strings.Split(options, ",")
		if slices.Contains(split, "string") {
			return nil, false
		}
		name = cmp.Or(name, f.Name)
		fields = append(fields, field{
			all.shape(f.Type), name, memberKey(name), f.Index, slices.Contains(split, "omitempty"),
			slices.Contains(split, "omitzero"),
		})
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return fields, true
}

// in returns the field of a struct.
func (f *field) in(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

// of returns the property of an object. It is invalid if JSON has none.
func (f *field) of(v reflect.Value) reflect.Value {
	return f.unlessOmitted(f.in(v))
}

func (f *field) unlessOmitted(v reflect.Value) reflect.Value {
	if f.omitted(v) {
		return reflect.Value{}
	}
	return v
}

func (f *field) omitted(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return (f.omitEmpty || f.omitZero) && v.IsNil()
	case reflect.Map, reflect.Slice:
		return f.omitEmpty && v.Len() == 0 || f.omitZero && v.IsNil()
	case reflect.String, reflect.Array:
		return f.omitEmpty && v.Len() == 0 || f.omitZero && v.IsZero()
	case reflect.Struct:
		return f.omitZero && v.IsZero()
	}
	return (f.omitEmpty || f.omitZero) && v.IsZero()
}

// present returns a function that reports whether an object has a property.
func (s *shape) present(v reflect.Value) func(string) bool {
	return func(name string) bool {
		value, _ := s.property(v, name)
		return value.IsValid()
	}
}

// bag returns the keys of an object's bag.
func (s *shape) bag(v reflect.Value) keys {
	if f := s.named[bag]; f != nil && f.form == isBag {
		return keys(maps.Keys(bagIn(f.in(v))))
	}
	return nil
}

// held is the shape of what a JSON tree has at a place, or an interface.
var held = shapeOf(reflect.TypeFor[any]())

// null reports whether JSON has null for a value.
func (s *shape) null(v reflect.Value) bool { return !v.IsValid() || s.form >= isMap && v.IsNil() }

// hasMembers reports whether a value is an object in JSON.
func (s *shape) hasMembers(v reflect.Value) bool {
	return !s.null(v) && (s.form == isObject || s.form == isMap || s.form == isBag)
}

// property returns a property of an object, with its shape. It is invalid if the
// object has none.
func (s *shape) property(v reflect.Value, name string) (reflect.Value, *shape) {
	switch {
	case s.form == isMap || s.form == isBag:
		if !v.IsValid() {
			return v, s.elem
		}
		return v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())), s.elem
	case s.form == isObject && s.named[name] != nil:
		f := s.named[name]
		return f.of(v), f.shape
	}
	return reflect.Value{}, held
}

// member returns a property of an object with its shape, of which the value is
// invalid unless it is the field of a struct that is there.
func (s *shape) member(v reflect.Value, name string) (reflect.Value, *shape) {
	f := s.named[name]
	switch {
	case f != nil && v.IsValid():
		return f.in(v), f.shape
	case f != nil:
		return reflect.Value{}, f.shape
	case s.form == isMap:
		return reflect.Value{}, s.elem
	}
	return reflect.Value{}, held
}

// value returns what pointers and interfaces lead to, with its shape. It is
// invalid if one of them is nil.
func (s *shape) value(v reflect.Value) (reflect.Value, *shape) {
	v = indirect(v)
	if s.form == isHeld && v.IsValid() {
		s = shapeOf(v.Type())
	}
	return v, s
}

func indirect(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	return v
}

// trees makes JSON trees of Go values: nil, bool, string, int64, float64,
// [json.Number], []any and map[string]any.
type trees struct {
	entry []byte
	err   error // the first
}

func (t *trees) fail(err error) { t.err = cmp.Or(t.err, err) }

// tree returns the tree of a value, nil if it is invalid.
func (t *trees) tree(v reflect.Value, s *shape) any {
	v, s = s.value(v)
	if s.null(v) {
		return nil
	}
	switch s.form {
	case isText:
		return v.String()
	case isNumber:
		return json.Number(cmp.Or(v.String(), "0"))
	case isInteger:
		return v.Int()
	case isFloat:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	case isBool:
		return v.Bool()
	case isObject:
		tree := map[string]any{}
		for i := range s.fields {
			f := &s.fields[i]
			if value := f.of(v); value.IsValid() {
				tree[f.name] = t.tree(value, f.shape)
			}
		}
		return tree
	case isMap:
		tree := make(map[string]any, v.Len())
		for entries := v.MapRange(); entries.Next(); {
			tree[entries.Key().String()] = t.tree(entries.Value(), s.elem)
		}
		return tree
	case isBag:
		tree := make(map[string]any, v.Len())
		for name, entry := range bagIn(v) {
			tree[name] = treeIn(t.written(entry))
		}
		return tree
	case isList:
		tree := make([]any, v.Len())
		for i := range tree {
			tree[i] = t.tree(v.Index(i), s.elem)
		}
		return tree
	}
	if v.CanAddr() {
		v = v.Addr() // for methods of the pointer
	}
	tree, err := treeOf(v.Interface())
	t.fail(err)
	return tree
}

// written returns the text of an entry of a bag.
func (t *trees) written(entry propertybag.Entry) any {
	t.entry = entry.AppendJSON(t.entry[:0])
	p := newParser(t.entry, string(t.entry))
	value := p.written()
	t.fail(p.end())
	return value
}

// treeOf returns a value as a JSON tree, with every number as it was written. It
// spares encoding/json from checking what a type's own method writes.
func treeOf(value any) (tree any, err error) {
	var data []byte
	if marshaler, ok := value.(json.Marshaler); ok {
		data, err = marshaler.MarshalJSON()
	} else {
		data, err = json.Marshal(value)
	}
	if err != nil {
		return nil, err
	}
	return parse(string(data))
}

// memberKey returns the text that begins a member of an object.
func memberKey(name string) string { return string(append(appendString(nil, name), ':')) }
