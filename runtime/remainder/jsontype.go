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

// typeKind says how JSON represents a Go type.
type typeKind int

const (
	opaqueKind    typeKind = iota // by the type's own methods, or as only encoding/json knows
	interfaceKind                 // as the value in the interface
	stringKind                    // a string
	numberKind                    // a [json.Number]
	integerKind                   // of at most 64 bits, with a sign
	floatKind                     // of 64 bits
	boolKind
	objectKind // an object with the fields of a struct
	mapKind    // an object with the entries of a map; like the kinds below, null if it is nil
	bagKind    // a [propertybag.Bag]
	listKind   // a list of the elements of a slice
)

// jsonType describes how JSON represents a Go type, and pointers to it.
type jsonType struct {
	kind   typeKind
	isEnum bool    // a string of a type of its own
	fields []field // of an object, in the order of their names
	named  map[string]*field
	elem   *jsonType // of a map or a list
}

// field is a property of a Go struct.
type field struct {
	*jsonType
	name, key           string // key is the text that begins the member
	index               []int
	omitEmpty, omitZero bool
}

// jsonTypes has the descriptions, which are made once for each type.
var jsonTypes sync.Map // of *jsonType by reflect.Type

func jsonTypeOf(t reflect.Type) *jsonType {
	if s, ok := jsonTypes.Load(t); ok {
		return s.(*jsonType)
	}
	all := typeBuilder{}
	s := all.build(t)
	for t, s := range all {
		jsonTypes.Store(t, s)
	}
	return s
}

// typeBuilder has the descriptions of types that refer to each other. Some are incomplete.
type typeBuilder map[reflect.Type]*jsonType

func (all typeBuilder) build(t reflect.Type) *jsonType {
	if s, ok := all[t]; ok {
		return s
	}
	if s, ok := jsonTypes.Load(t); ok {
		return s.(*jsonType)
	}
	if t.Kind() == reflect.Pointer {
		all[t] = all.build(t.Elem())
		return all[t]
	}
	s := &jsonType{}
	all[t] = s
	switch kind := t.Kind(); {
	case kind == reflect.Interface:
		s.kind = interfaceKind
	case t == reflect.TypeFor[json.Number]():
		s.kind = numberKind
	case t == reflect.TypeFor[propertybag.Bag]():
		s.kind = bagKind
	case marshals(t):
	case kind == reflect.String:
		s.kind, s.isEnum = stringKind, t != reflect.TypeFor[string]()
	case kind >= reflect.Int && kind <= reflect.Int64:
		s.kind = integerKind
	case kind == reflect.Float64:
		s.kind = floatKind
	case kind == reflect.Bool:
		s.kind = boolKind
	case kind == reflect.Struct:
		if fields, ok := all.fields(t); ok {
			s.kind, s.fields, s.named = objectKind, fields, make(map[string]*field, len(fields))
			for i := range fields {
				s.named[fields[i].name] = &fields[i]
			}
		}
	case kind == reflect.Map && t.Key().Kind() == reflect.String:
		s.kind, s.elem = mapKind, all.build(t.Elem())
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		s.kind, s.elem = listKind, all.build(t.Elem())
	}
	return s
}

// marshals reports whether a type has its own methods for JSON.
func marshals(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// fields returns the fields of a struct. ok is false if a tag gives a field another form in
// JSON than its type has.
func (all typeBuilder) fields(t reflect.Type) (fields []field, ok bool) {
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
			all.build(f.Type), name, string(append(appendString(nil, name), ':')), f.Index,
			slices.Contains(split, "omitempty"), slices.Contains(split, "omitzero"),
		})
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return fields, true
}

// value returns the field of a struct.
func (f *field) value(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

// property returns the field of a struct, or the zero [reflect.Value] if JSON omits it.
func (f *field) property(v reflect.Value) reflect.Value {
	if v = f.value(v); f.omitted(v) {
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

// anyType describes interfaces, and the values of a JSON tree.
var anyType = jsonTypeOf(reflect.TypeFor[any]())

// null reports whether a value is null in JSON.
func (s *jsonType) null(v reflect.Value) bool { return !v.IsValid() || s.kind >= mapKind && v.IsNil() }

// indirect returns the value to which pointers and interfaces lead, and its type. The value
// is the zero [reflect.Value] if one of them is nil.
func (s *jsonType) indirect(v reflect.Value) (reflect.Value, *jsonType) {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	if s.kind == interfaceKind && v.IsValid() {
		s = jsonTypeOf(v.Type())
	}
	return v, s
}

// sortedKeys returns the keys of maps, sorted and without duplicates.
func sortedKeys(maps ...reflect.Value) []reflect.Value {
	var keys []reflect.Value
	for _, m := range maps {
		keys = append(keys, m.MapKeys()...)
	}
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	return slices.CompactFunc(keys, func(a, b reflect.Value) bool { return a.String() == b.String() })
}

// at returns the property at a path, which has "/" between the names. The value is the zero
// [reflect.Value] if there is none.
func (s *jsonType) at(v reflect.Value, path string) (reflect.Value, *jsonType) {
	for rest, deeper := path, true; deeper; {
		var name string
		if v, s = s.indirect(v); s.null(v) {
			return reflect.Value{}, anyType
		}
		name, rest, deeper = strings.Cut(rest, "/")
		switch {
		case s.kind == mapKind:
			v, s = v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())), s.elem
		case s.named[name] != nil:
			f := s.named[name]
			v, s = f.property(v), f.jsonType
		default:
			return reflect.Value{}, anyType
		}
	}
	return s.indirect(v)
}

// mayHave reports whether objects of the type may have one of the properties.
func (s *jsonType) mayHave(names []string) bool {
	return s.kind == mapKind || s.kind == interfaceKind || slices.ContainsFunc(names, func(path string) bool {
		name, _, _ := strings.Cut(path, "/")
		return s.named[name] != nil
	})
}

// sortedNames returns the names of a bag's entries, sorted.
func sortedNames(bag propertybag.Bag) []string {
	names := slices.AppendSeq(make([]string, 0, len(bag)), maps.Keys(bag))
	slices.Sort(names)
	return names
}
