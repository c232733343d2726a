package documents

import (
	"slices"
	"strconv"
)

// Classes divides types into those that are equal: that have the same content, and refer
// to equal types in the same order. It returns the number of each type's class. contents
// has the content of each type without its references, and refs the indexes of the types
// that each refers to.
//
// All types of one content start in one class. A type leaves its class, with those that
// refer to the same classes, when one that it refers to has left its own. So types may
// refer to themselves, and a type is looked at again only if one that it refers to has
// another class.
func Classes(contents []string, refs [][]int) []int {
	class, numbers := make([]int, len(contents)), map[string]int{}
	users := make([][]int, len(contents))
	todo := make([]int, len(contents))
	for i, content := range contents {
		if _, known := numbers[content]; !known {
			numbers[content] = len(numbers)
		}
		class[i], todo[i] = numbers[content], i
		for _, ref := range refs[i] {
			users[ref] = append(users[ref], i)
		}
	}
	size := make([]int, len(numbers), len(contents))
	for _, c := range class {
		size[c]++
	}
	for len(todo) > 0 {
		// The types to look at, by class and by the classes that they refer to.
		groups, order := map[string][]int{}, []string{}
		count := map[int]int{}
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
	return class
}
