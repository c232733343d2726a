package remainder

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/internal/armtag"
)

// Options has what cannot be seen from the values of an object.
type Options struct {
	// Keys are the properties that together identify an element in a list of
	// objects, one slice for each way to identify them. The first that every
	// element of a list has, no two with the same values, is the key of that
	// list. After them come "id" and "name".
	Keys [][]string
	// Unions are the names of properties of which an object has one at a time,
	// one slice for each union. What is lost is not restored beside another
	// variant that the client has chosen.
	Unions [][]string
}

// OptionsOf returns what the tags of a Go type's fields say: listMapKey, the
// properties that identify the elements of a list, with commas between them, and "/"
// between the names of one that lies deeper, and arm, which marks the variants of a union as package arm has it.
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
	var union []string
	for _, f := range s.fields {
		field := t.FieldByIndex(f.index)
		if armtag.Of(field).Variant != "" {
			union = append(union, f.name)
		}
		if key := field.Tag.Get("listMapKey"); key != "" {
			add(&c.Keys, strings.Split(key, ","))
		}
		c.collect(field.Type)
	}
	add(&c.Unions, union)
}

// add adds one, unless it is empty or there already.
func add(all *[][]string, one []string) {
	if len(one) > 0 && !slices.ContainsFunc(*all, func(other []string) bool { return slices.Equal(one, other) }) {
		*all = append(*all, one)
	}
}
