package remainder

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Options has facts that the values of an object do not show.
type Options struct {
	// Keys has the keys of lists of objects. A key is a slice of the properties
	// that together identify an element. The key of a list is the first one that
	// every element has, no two with the same values. After these keys, "id" and
	// "name" are tried.
	Keys [][]string
}

// OptionsOf returns the Options for a Go type. It reads the keys from the tags listMapKey of
// the type's fields. A tag has the properties that identify the elements of a list, with
// commas between them, and "/" between the names of a nested property.
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
	s := jsonTypeOf(t)
	if s.kind != objectKind || c.seen[t] {
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
