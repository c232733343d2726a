package paths

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/runtime/internal/specpath"
	"github.com/armature-dev/armature/runtime/reference"
)

// node is what a Spec has at a path.
type node struct {
	depth  int
	parent string
	// text is the value in the form that all its spellings have in common, "" of what has nodes below it.
	text string
	// value is the value as it is, of what has a text.
	value any
	// open reports whether the names below it are those of entries: of a map, or of a list whose elements have names.
	// Those of an object are the names of its properties.
	open bool
	// secret reports whether the value is a reference to a secret.
	secret bool
}

// nodes are the nodes of a Spec by their paths.
type nodes map[string]*node

// collect returns the nodes of a Spec: a struct, or JSON.
func collect(spec any) (nodes, error) {
	all := nodes{}
	v := reflect.ValueOf(spec)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if raw, isJSON := spec.(json.RawMessage); isJSON {
		value, err := parse(raw)
		if err != nil {
			return nil, err
		}
		v = reflect.ValueOf(value)
	}
	if err := all.inside(specpath.Root, v, 1); err != nil {
		return nil, err
	}
	return all, nil
}

// inside adds the nodes below a path.
func (n nodes) inside(path string, of reflect.Value, depth int) error {
	if of.Kind() == reflect.Map {
		for key, value := range of.Seq2() {
			if err := n.add(path, specpath.Member(path, key.String()), property{name: key.String()}, value, depth); err != nil {
				return err
			}
		}
		return nil
	}
	for p, value := range properties(of) {
		if err := n.add(path, specpath.Member(path, p.name), p, value, depth); err != nil {
			return err
		}
	}
	return nil
}

// add adds the node of a value with those below it.
func (n nodes) add(parent, path string, of property, v reflect.Value, depth int) error {
	v, err := valueOf(v)
	if err != nil || !v.IsValid() {
		return err
	}
	at := &node{depth: depth, parent: parent}
	n[path] = at
	switch {
	case v.Type() == reflect.TypeFor[reference.Secret]():
		at.secret = true
	case isLeaf(v):
	case v.Kind() == reflect.Map, v.Kind() == reflect.Struct:
		// Of JSON nobody knows whether it is a map.
		at.open = v.Kind() == reflect.Map && v.Type() != reflect.TypeFor[map[string]any]()
		return n.inside(path, v, depth+1)
	case v.Kind() == reflect.Slice:
		names := namesOf(v)
		if at.open = names != nil; !at.open {
			break
		}
		for i, name := range names {
			element, err := valueOf(v.Index(i))
			if err != nil {
				return err
			}
			on := specpath.Element(path, name)
			n[on] = &node{depth: depth + 1, parent: path}
			if err := n.inside(on, element, depth+2); err != nil {
				return err
			}
		}
		return nil
	}
	common, err := commonForm(v, of)
	if err != nil {
		return err
	}
	text, err := json.Marshal(common)
	at.text, at.value = string(text), v.Interface()
	return err
}

// property describes a property of a struct.
type property struct {
	name string
	// unordered reports whether the order of the elements of a list means nothing, because they have keys.
	unordered bool
}

// properties yields the properties of a struct that have a value, and the values.
func properties(of reflect.Value) func(func(property, reflect.Value) bool) {
	return func(yield func(property, reflect.Value) bool) {
		for i := range of.NumField() {
			field := of.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			value := of.Field(i)
			if name == "" || name == "-" || !field.IsExported() || value.IsZero() && value.Kind() != reflect.Struct {
				continue
			}
			if !yield(property{name, field.Tag.Get("listMapKey") != ""}, value) {
				return
			}
		}
	}
}

// valueOf returns what a value points to, and of JSON what it says. It returns the zero Value for null.
func valueOf(v reflect.Value) (reflect.Value, error) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.IsValid() && v.Type() == reflect.TypeFor[apiextensionsv1.JSON]() {
		value, err := parse(v.Interface().(apiextensionsv1.JSON).Raw)
		return reflect.ValueOf(value), err
	}
	if k := v.Kind(); (k == reflect.Map || k == reflect.Slice) && v.IsNil() {
		return reflect.Value{}, nil
	}
	return v, nil
}

// parse reads JSON. Numbers stay as they are written.
func parse(text []byte) (value any, err error) {
	if len(text) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("the Spec has what is no JSON: %w", err)
	}
	return value, nil
}

// isLeaf reports whether a struct is one value: a reference.
func isLeaf(v reflect.Value) bool {
	switch v.Interface().(type) {
	case reference.Resource, reference.RoleDefinition, reference.Value:
		return true
	}
	return false
}

// namesOf returns the names of the elements of a list, as [specpath.Names] does.
func namesOf(list reflect.Value) []string {
	var all []any
	for i := range list.Len() {
		element, err := valueOf(list.Index(i))
		if err != nil {
			return nil
		}
		object := map[string]any{}
		switch {
		case element.Kind() == reflect.Struct && !isLeaf(element) && element.Type() != reflect.TypeFor[reference.Secret]():
			for p, value := range properties(element) {
				if value, _ := valueOf(value); p.name == "name" && value.Kind() == reflect.String {
					object["name"] = value.String()
				}
			}
		case element.IsValid() && element.Type() == reflect.TypeFor[map[string]any]():
			object = element.Interface().(map[string]any)
		}
		all = append(all, object)
	}
	return specpath.Names(all)
}

// commonForm returns a value as JSON in the form that all its spellings have in common.
func commonForm(v reflect.Value, of property) (any, error) {
	v, err := valueOf(v)
	if err != nil || !v.IsValid() {
		return nil, err
	}
	switch value := v.Interface().(type) {
	case reference.Resource:
		return commonReference(value.ARMID, value), nil
	case reference.RoleDefinition:
		return commonReference(value.ARMID, value), nil
	case json.Number:
		return commonNumber(value), nil
	case reference.Value, reference.Secret:
		return value, nil
	}
	switch v.Kind() {
	case reflect.String:
		return commonText(v.String(), of.name, v.Type() != reflect.TypeFor[string]()), nil
	case reflect.Struct:
		object := map[string]any{}
		for p, value := range properties(v) {
			if object[p.name], err = commonForm(value, p); err != nil {
				return nil, err
			}
		}
		return object, nil
	case reflect.Map:
		object := map[string]any{}
		for key, value := range v.Seq2() {
			name := key.String()
			if object[commonID(name)], err = commonForm(value, property{name: name}); err != nil {
				return nil, err
			}
		}
		return object, nil
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			if list[i], err = commonForm(v.Index(i), property{name: of.name}); err != nil {
				return nil, err
			}
		}
		if of.unordered || v.Type().Elem() == reflect.TypeFor[reference.Resource]() {
			return sorted(list)
		}
		return list, nil
	}
	return v.Interface(), nil
}

// sorted returns a list in an order that depends on its elements alone.
func sorted(list []any) ([]any, error) {
	texts := map[string]any{}
	var order []string
	for _, e := range list {
		text, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		texts[string(text)], order = e, append(order, string(text))
	}
	slices.Sort(order)
	for i, text := range order {
		list[i] = texts[text]
	}
	return list, nil
}
