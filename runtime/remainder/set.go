package remainder

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// set makes an empty value what a tree says, and reports whether that fits its
// type exactly. The value shares nothing with the annotation.
func set(v reflect.Value, tree any, s *shape) (fits bool) {
	switch {
	case s.form == isHeld && v.Kind() == reflect.Interface && v.NumMethod() == 0:
		if tree = clone(treeIn(tree)); tree != nil {
			v.Set(reflect.ValueOf(tree))
		}
		return true
	case s.form == isOpaque || s.form == isHeld || s.form == isNumber || s.form == isBag:
		return decodeInto(v, tree)
	}
	if tree = treeIn(tree); tree == nil {
		return true
	}
	for v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch tree := tree.(type) {
	case string:
		if fits = s.form == isText; fits {
			v.SetString(strings.Clone(tree))
		}
	case bool:
		if fits = s.form == isBool; fits {
			v.SetBool(tree)
		}
	case map[string]any:
		switch s.form {
		case isObject:
			return setFields(v, tree, s)
		case isMap:
			return setEntries(v, tree, s)
		}
	case []any:
		if s.form != isList {
			return false
		}
		v.Set(reflect.MakeSlice(v.Type(), len(tree), len(tree)))
		for i, element := range tree {
			if !set(v.Index(i), element, s.elem) {
				return false
			}
		}
		return true
	default:
		return setNumber(v, tree, s)
	}
	return fits
}

// clone returns a copy of a tree that shares no memory with it.
func clone(tree any) any {
	switch tree := tree.(type) {
	case string:
		return strings.Clone(tree)
	case json.Number:
		return json.Number(strings.Clone(string(tree)))
	case []any:
		copied := make([]any, len(tree))
		for i, element := range tree {
			copied[i] = clone(element)
		}
		return copied
	case map[string]any:
		copied := make(map[string]any, len(tree))
		for name, value := range tree {
			copied[strings.Clone(name)] = clone(value)
		}
		return copied
	}
	return tree
}

func setFields(v reflect.Value, tree map[string]any, s *shape) bool {
	for name, value := range tree {
		f := s.named[name]
		if f == nil || !set(f.in(v), value, f.shape) {
			return false
		}
	}
	return true
}

func setEntries(v reflect.Value, tree map[string]any, s *shape) bool {
	t := v.Type()
	v.Set(reflect.MakeMapWithSize(t, len(tree)))
	for name, value := range tree {
		fresh := reflect.New(t.Elem()).Elem()
		if !set(fresh, value, s.elem) {
			return false
		}
		v.SetMapIndex(reflect.ValueOf(strings.Clone(name)).Convert(t.Key()), fresh)
	}
	return true
}

func setNumber(v reflect.Value, tree any, s *shape) bool {
	written := string(appendScalar(nil, tree))
	switch s.form {
	case isInteger:
		i, err := strconv.ParseInt(written, 10, v.Type().Bits())
		v.SetInt(i)
		return err == nil
	case isFloat:
		switch number := tree.(type) { // -0 has a sign
		case float64:
			v.SetFloat(number)
			return true
		case json.Number:
			written = string(number)
		}
		f, err := strconv.ParseFloat(written, 64)
		v.SetFloat(f)
		return err == nil
	}
	return false
}

// decodeInto decodes a tree into a type that says itself what it is in JSON.
func decodeInto(v reflect.Value, tree any) (fits bool) {
	encoded(func(e *encoder) {
		if e.value(tree); e.err != nil {
			return
		}
		target := v.Addr().Interface()
		if u, ok := target.(json.Unmarshaler); ok {
			fits = u.UnmarshalJSON(e.text) == nil
			return
		}
		d := json.NewDecoder(bytes.NewReader(e.text))
		d.DisallowUnknownFields()
		fits = d.Decode(target) == nil
	})
	return fits
}
