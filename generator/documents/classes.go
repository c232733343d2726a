package documents

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/armature-dev/armature/generator/ir"
)

// Classes numbers types so that equal ones have the same number. Types of different
// names are not equal. The function describe returns a type as text without the types
// that it refers to, and these in order; it is called for types that share their name.
//
// Types of equal text start in one class. A type leaves its class, with those that
// refer to the same classes, when one that it refers to has left its own. So types
// that refer to themselves can be compared, and a type is looked at again only if one
// that it refers to has another class.
func Classes[T comparable](types []T, name func(T) string, describe func(t T, name string) (text string, refs []T)) map[T]int {
	names, named := make([]string, len(types)), map[string]int{}
	for i, t := range types {
		names[i] = name(t)
		named[names[i]]++
	}
	at := make(map[T]int, len(types))
	for i, t := range types {
		at[t] = i
	}
	refs, users := make([][]int, len(types)), make([][]int, len(types))
	class, todo := make([]int, len(types)), make([]int, len(types))
	numbers := map[string]int{}
	var size []int // of each class
	for i, t := range types {
		text := names[i]
		var targets []T
		if named[text] > 1 {
			text, targets = describe(t, text)
		}
		for _, target := range targets {
			refs[i] = append(refs[i], at[target])
			users[at[target]] = append(users[at[target]], i)
		}
		if _, known := numbers[text]; !known {
			numbers[text] = len(size)
			size = append(size, 0)
		}
		class[i], todo[i] = numbers[text], i
		size[class[i]]++
	}
	for len(todo) > 0 {
		// The types to look at, by their class and those that they refer to.
		groups, order, count := map[string][]int{}, []string{}, map[int]int{}
		var key []byte
		for _, i := range todo {
			key = strconv.AppendInt(key[:0], int64(class[i]), 10)
			for _, ref := range refs[i] {
				key = strconv.AppendInt(append(key, ' '), int64(class[ref]), 10)
			}
			if groups[string(key)] == nil {
				order = append(order, string(key))
			}
			groups[string(key)] = append(groups[string(key)], i)
			count[class[i]]++
		}
		todo = todo[:0]
		stays, moved := map[int]bool{}, map[int]int{} // by class
		for _, k := range order {
			group := groups[k]
			from := class[group[0]]
			// The others of the class refer to what they did, so no group stays with them. If
			// there are no others, the first group does.
			if count[from] == size[from] && !stays[from] {
				stays[from] = true
				continue
			}
			moved[from] += len(group)
			for _, i := range group {
				class[i] = len(size)
				todo = append(todo, users[i]...)
			}
			size = append(size, len(group))
		}
		for c, n := range moved {
			size[c] -= n
		}
		slices.Sort(todo)
		todo = slices.Compact(todo)
	}
	for t, i := range at {
		at[t] = class[i]
	}
	return at
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
		q.Doc, q.Default = "", ""
		q.Validation, q.ItemValidation = p.Validation.Checked(), p.ItemValidation.Checked()
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
