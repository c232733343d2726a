// Package memory attacks the conversion webhook, in a process of its own with the
// release's limits, with what takes much memory. This file makes the objects.
package memory

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// place is a place for many elements in the objects of a type: a list or a map.
type place struct {
	before, after string // JSON around the elements
	element       string // the shortest one
	filled        string // one with all its scalars
	size          uintptr
}

// object returns an object of a version whose place has elements, as many as
// make it about so large.
func (p place) object(gvk schema.GroupVersionKind, element string, size int) string {
	if strings.HasPrefix(element, `"":`) { // members, with names of their own
		return p.around(gvk, members(element, size))
	}
	count := max(size/(len(element)+1), 1)
	return p.around(gvk, strings.TrimSuffix(strings.Repeat(element+",", count), ","))
}

func (p place) around(gvk schema.GroupVersionKind, elements string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":"hostile","namespace":"default","uid":"u"},`,
		gvk.GroupVersion(), gvk.Kind) +
		p.before + elements + p.after + "}"
}

// members returns members of an object, whose names begin with a text.
func members(element string, size int) string {
	name, value, _ := strings.Cut(element, ":")
	var all strings.Builder
	for i := 0; all.Len() < size; i++ {
		if i > 0 {
			all.WriteByte(',')
		}
		fmt.Fprintf(&all, `%s%x":%s`, strings.TrimSuffix(name, `"`), i, value)
	}
	return all.String()
}

// placesOf returns the places in a type, the one with the largest elements
// first.
func placesOf(t reflect.Type) []place {
	var c collector
	for _, half := range []string{"Spec", "Status"} {
		if f, found := t.FieldByName(half); found {
			name := strings.ToLower(half)
			c.walk(f.Type, `"`+name+`":`, "", nil)
		}
	}
	for i := range c.places {
		for j := i; j > 0 && c.places[j].size > c.places[j-1].size; j-- {
			c.places[j], c.places[j-1] = c.places[j-1], c.places[j]
		}
	}
	return c.places
}

type collector struct{ places []place }

func (c *collector) walk(t reflect.Type, before, after string, around []reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		c.walk(t.Elem(), before, after, around)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return
		}
		elem := t.Elem()
		c.places = append(c.places, place{before + "[", "]" + after, shortest(elem), filled(elem), elem.Size()})
		c.walk(elem, before+"[", "]"+after, around)
	case reflect.Map:
		elem := t.Elem()
		if elem.Name() == "Entry" {
			return // of a property bag
		}
		c.places = append(c.places, place{before + "{", "}" + after, `"":` + shortest(elem), `"":` + filled(elem), elem.Size()})
		c.walk(elem, before+`{"k":`, "}"+after, around)
	case reflect.Struct:
		for _, other := range around {
			if other == t {
				return
			}
		}
		around = append(around[:len(around):len(around)], t)
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			c.walk(f.Type, before+fmt.Sprintf(`{%q:`, name), "}"+after, around)
		}
	}
}

func shortest(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return shortest(t.Elem())
	case reflect.Struct, reflect.Map:
		return "{}"
	case reflect.Slice:
		return "[]"
	case reflect.String:
		return `""`
	case reflect.Bool:
		return "true"
	}
	return "0"
}

// filled returns an element that has each of its scalars.
func filled(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return shortest(t)
	}
	var members []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch of.Kind() {
		case reflect.String, reflect.Bool, reflect.Int64, reflect.Float64:
			if name != "" && name != "-" {
				members = append(members, fmt.Sprintf(`%q:%s`, name, shortest(of)))
			}
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}
