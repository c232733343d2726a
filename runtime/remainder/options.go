package remainder

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Options has what cannot be seen from the values of an object.
type Options struct {
	// Keys are the properties that together identify an element in a list of
	// objects, one slice for each way to identify them. The first that every
	// element of a list has, no two with the same values, is the key of that
	// list. After them come "id" and "name".
	Keys [][]string
}

// OptionsOf returns what the tag listMapKey of a Go type's fields says: the properties
// that identify the elements of a list, with commas between them, and "/" between the
// names of one that lies deeper.
func OptionsOf(object any) Options {
	t := reflect.TypeOf(object)
	if known, ok := options.Load(t); ok {
		return known.(Options)
	}
	var c optionsCollector
	c.collect(t)
	options.Store(t, c.Options)
	return c.Options
}

var options sync.Map // of Options by reflect.Type

type optionsCollector struct {
	Options
	seen map[reflect.Type]bool
}

func (c *optionsCollector) collect(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		c.collect(t.Elem())
		return
	}
	s := shapeOf(t)
	if s.form != isObject || c.seen[t] {
		return
	}
	if c.seen == nil {
		c.seen = map[reflect.Type]bool{}
	}
	c.seen[t] = true
	for _, f := range s.fields {
		field := t.FieldByIndex(f.index)
		if tag := field.Tag.Get("listMapKey"); tag != "" {
			key := strings.Split(tag, ",")
			if !slices.ContainsFunc(c.Keys, func(other []string) bool { return slices.Equal(key, other) }) {
				c.Keys = append(c.Keys, key)
			}
		}
		c.collect(field.Type)
	}
}
