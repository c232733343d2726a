package remainder

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// identity is the text of an element's key: the value of a single property, or
// a JSON array of several. A long one, and one that looks so, is # and its
// digest.
func identity(element any, key []string) (string, bool) {
	object, ok := element.(map[string]any)
	if !ok {
		return "", false
	}
	var text string
	if len(key) == 1 {
		if text, ok = keyText(object[key[0]]); !ok {
			return "", false
		}
	} else {
		values := []byte{'['}
		for i, name := range key {
			if _, ok := keyText(object[name]); !ok {
				return "", false
			}
			if i > 0 {
				values = append(values, ',')
			}
			values = appendScalar(values, object[name])
		}
		text = string(append(values, ']'))
	}
	if len(text) > short || strings.HasPrefix(text, "#") {
		text = "#" + string(DigestOf(text))
	}
	return text, true
}

// keyText is the text of a value that can identify something.
func keyText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, v != ""
	case int64, float64, json.Number:
		return string(appendScalar(nil, v)), true
	}
	return "", false
}

// identities are those of all elements, nil if one has none or not its own.
func identities(elements []any, key []string) []string {
	ids := make([]string, len(elements))
	seen := make(map[string]bool, len(elements))
	for i, element := range elements {
		id, ok := identity(element, key)
		if !ok || seen[id] {
			return nil
		}
		ids[i], seen[id] = id, true
	}
	return ids
}

// aligned is whether the elements of two lists of the same length have the
// same keys in the same order, as far as they have any.
func aligned(a, b []any, key []string) bool {
	for i := range a {
		x, xok := a[i].(map[string]any)
		y, yok := b[i].(map[string]any)
		if !xok || !yok {
			return true // no list of objects
		}
		for _, name := range key {
			if !same(x[name], y[name]) {
				return false
			}
		}
	}
	return true
}

// within is whether all has every one of some.
func within(some, all []string) bool {
	set := make(map[string]bool, len(all))
	for _, id := range all {
		set[id] = true
	}
	return !slices.ContainsFunc(some, func(id string) bool { return !set[id] })
}

// sequence stands for identities in their order.
func sequence(ids []string) content {
	tree := make([]any, len(ids))
	for i, id := range ids {
		tree[i] = id
	}
	return (&digester{}).content(tree)
}

// found says where a list as written has the elements of the list as shown.
type found struct {
	at map[string]int
	// untouched is whether the client neither added, removed nor moved any.
	untouched bool
}

// find finds the elements of the list as shown.
func (l *list) find(elements []any, d *digester) found {
	if l.key == nil {
		return findContents(l.shown, d.contents(elements))
	}
	f := found{at: make(map[string]int, len(elements))}
	ids := make([]string, len(elements))
	twice := map[string][]int{}
	for i, element := range elements {
		id, ok := identity(element, l.key)
		if !ok {
			continue
		}
		if first, there := f.at[id]; !there {
			f.at[id], ids[i] = i, id
		} else if l.elements[id] != nil {
			if twice[id] == nil {
				twice[id] = []int{first}
			}
			twice[id] = append(twice[id], i)
		}
	}
	for id, all := range twice {
		f.at[id] = l.elements[id].likest(elements, all)
	}
	f.untouched = l.order != nil && sequence(ids) == l.shown[0]
	return f
}

// most is how many elements with one key are compared, so that time stays
// linear in what is read.
const most = 8

// likest is which of the elements at some places, that a client has given the
// same key, is the one that was shown: that to which most entries apply, of
// several the first.
func (n *node) likest(elements []any, places []int) int {
	best, entries := places[0], n.fitting(elements[places[0]])
	for _, i := range places[1:min(len(places), most)] {
		if fitting := n.fitting(elements[i]); fitting > entries {
			best, entries = i, fitting
		}
	}
	return best
}

// fitting is how many entries apply to a value, without those in lists.
func (n *node) fitting(value any) (entries int) {
	if n.leaf != nil && is(value, n.leaf.plain) {
		return 1
	}
	object, ok := value.(map[string]any)
	if !ok {
		return 0
	}
	for _, m := range n.members {
		member := valueOf(object, m.name)
		if m.name == bag && member == any(Absent{}) {
			member = map[string]any{}
		}
		entries += m.node.fitting(member)
	}
	return entries
}

// findContents finds what was shown in what was written: what stands at the
// same distance from either end first, so that of two that look the same each
// stays itself; then the same content anywhere; then, if the length is the
// same, what is left at the same place.
func findContents(shown, written []content) found {
	at := make([]int, len(shown))
	for i := range at {
		at[i] = -1
	}
	taken := make([]bool, len(written))
	match := func(i, j int) { at[i], taken[j] = j, true }

	start, end := 0, min(len(shown), len(written))
	for start < end && shown[start] == written[start] {
		match(start, start)
		start++
	}
	for back := 1; back <= end-start && shown[len(shown)-back] == written[len(written)-back]; back++ {
		match(len(shown)-back, len(written)-back)
	}
	places := map[content][]int{}
	for j, c := range written {
		if !taken[j] {
			places[c] = append(places[c], j)
		}
	}
	for i, c := range shown {
		if js := places[c]; at[i] < 0 && len(js) > 0 {
			match(i, js[0])
			places[c] = js[1:]
		}
	}
	f := found{at: make(map[string]int, len(shown)), untouched: len(shown) == len(written)}
	for i := range at {
		if at[i] < 0 && len(shown) == len(written) && !taken[i] {
			match(i, i)
		}
		f.untouched = f.untouched && at[i] == i
		if at[i] >= 0 {
			f.at[strconv.Itoa(i)] = at[i]
		}
	}
	return f
}
