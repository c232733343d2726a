package remainder

import (
	"cmp"
	"encoding"
	"encoding/json"
	"maps"
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
	isEnum bool    // a string of a type of its own
	fields []field // of an object, in the order of their names
	named  map[string]*field
	elem   *shape // of a map or a list
}

// field is a property of a Go struct.
type field struct {
	*shape
	name, key           string // key is the text that begins the member
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
		s.form = isBag
	case marshals(t):
	case kind == reflect.String:
		s.form, s.isEnum = isText, t != reflect.TypeFor[string]()
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
			all.shape(f.Type), name, string(append(appendString(nil, name), ':')), f.Index,
			slices.Contains(split, "omitempty"), slices.Contains(split, "omitzero"),
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
	if v = f.in(v); f.omitted(v) {
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

// held is the shape of what a JSON tree has at a place, or an interface.
var held = shapeOf(reflect.TypeFor[any]())

// null reports whether JSON has null for a value.
func (s *shape) null(v reflect.Value) bool { return !v.IsValid() || s.form >= isMap && v.IsNil() }

// value returns what pointers and interfaces lead to, with its shape. It is
// invalid if one of them is nil.
func (s *shape) value(v reflect.Value) (reflect.Value, *shape) {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	if s.form == isHeld && v.IsValid() {
		s = shapeOf(v.Type())
	}
	return v, s
}

// sortedKeys returns the keys of maps, each once, in their order.
func sortedKeys(maps ...reflect.Value) []reflect.Value {
	var keys []reflect.Value
	for _, m := range maps {
		keys = append(keys, m.MapKeys()...)
	}
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	return slices.CompactFunc(keys, func(a, b reflect.Value) bool { return a.String() == b.String() })
}

// at returns the property to which a path leads, with "/" between the names. It is
// invalid if there is none.
func (s *shape) at(v reflect.Value, path string) (reflect.Value, *shape) {
	for rest, deeper := path, true; deeper; {
		var name string
		if v, s = s.value(v); s.null(v) {
			return reflect.Value{}, held
		}
		name, rest, deeper = strings.Cut(rest, "/")
		switch {
		case s.form == isMap:
			v, s = v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())), s.elem
		case s.named[name] != nil:
			f := s.named[name]
			v, s = f.of(v), f.shape
		default:
			return reflect.Value{}, held
		}
	}
	return s.value(v)
}

// mayHave reports whether objects of a type may have a property of some names.
func (s *shape) mayHave(names []string) bool {
	return s.form == isMap || s.form == isHeld || slices.ContainsFunc(names, func(path string) bool {
		name, _, _ := strings.Cut(path, "/")
		return s.named[name] != nil
	})
}

// sortedNames returns the names of a bag's entries, in their order.
func sortedNames(bag propertybag.Bag) []string {
	names := slices.AppendSeq(make([]string, 0, len(bag)), maps.Keys(bag))
	slices.Sort(names)
	return names
}
