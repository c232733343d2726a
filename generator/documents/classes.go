package documents

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/armature-dev/armature/generator/ir"
)

// Classes numbers types so that equal ones have the same number. The function
// describe returns a type as text without the types that it refers to, and these
// in order.
//
// Types of equal text start in one class. Each round splits the classes whose
// types refer to types of different classes, until none is left. So types that
// refer to themselves can be compared, and the order of types does not matter.
func Classes[T comparable](types []T, describe func(T) (text string, refs []T)) map[T]int {
	refs := make([][]T, len(types))
	class := make(map[T]int, len(types))
	numbers := map[string]int{}
	number := func(key string) int {
		if _, known := numbers[key]; !known {
			numbers[key] = len(numbers)
		}
		return numbers[key]
	}
	for i, t := range types {
		var text string
		text, refs[i] = describe(t)
		class[t] = number(text)
	}
	for count := 0; count < len(numbers); {
		count = len(numbers)
		numbers = make(map[string]int, count)
		next := make(map[T]int, len(types))
		var key []byte
		for i, t := range types {
			key = strconv.AppendInt(key[:0], int64(class[t]), 10)
			for _, ref := range refs[i] {
				key = strconv.AppendInt(append(key, ' '), int64(class[ref]), 10)
			}
			next[t] = number(string(key))
		}
		class = next
	}
	return class
}

// Content returns a type as text under another name, without docs and without the
// targets of its references, and these targets in order.
func Content(t *ir.Type, name string) (text string, targets []string) {
	bare := *t
	bare.Name, bare.Doc = name, ""
	bare.Values = slices.Clone(bare.Values)
	for i := range bare.Values {
		bare.Values[i].Doc = ""
	}
	bare.Properties = make([]*ir.Property, len(t.Properties))
	for i, p := range t.Properties {
		q := *p
		q.Doc = ""
		q.Type = q.Type.Clone()
		if leaf := q.Type.Leaf(); leaf.Named != "" {
			targets = append(targets, leaf.Named)
			leaf.Named = "?"
		}
		bare.Properties[i] = &q
	}
	encoded, err := json.Marshal(bare)
	if err != nil {
		panic(err) // cannot happen: JSON can hold any ir.Type
	}
	return string(encoded), targets
}
