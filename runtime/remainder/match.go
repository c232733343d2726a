package remainder

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// defaultKeys come after those of [Options].
var defaultKeys = [][]string{{"id"}, {"name"}}

// keys calls yield with each way to identify an element.
func (o *Options) keys(yield func([]string) bool) {
	for _, keys := range [][][]string{o.Keys, defaultKeys} {
		for _, key := range keys {
			if len(key) > 0 && !yield(key) {
				return
			}
		}
	}
}

// key returns the key of a list and the identities of its elements, or nil.
func (d *differ) key(elements reflect.Value, elem *shape) ([]string, []string) {
	for key := range d.keys {
		if ids := d.identities(elements, elem, key); len(ids) > 0 {
			return key, ids
		}
	}
	return nil, nil
}

// identity returns the text of an element's key: the value of a single
// property, or a JSON array of several. A text that is long, or begins with #,
// is replaced by # and its digest.
func (d *digester) identity(element reflect.Value, elem *shape, key []string) (string, bool) {
	v, s := elem.value(element)
	if s.null(v) {
		return "", false
	}
	var text string
	if len(key) == 1 {
		var ok bool
		if text, ok = keyText(d.scalar(s.at(v, key[0]))); !ok {
			return "", false
		}
	} else {
		values := []byte{'['}
		for i, name := range key {
			value := d.scalar(s.at(v, name))
			if _, ok := keyText(value); !ok {
				return "", false
			}
			if i > 0 {
				values = append(values, ',')
			}
			values = appendScalar(values, value)
		}
		text = string(append(values, ']'))
	}
	if len(text) > short || strings.HasPrefix(text, "#") {
		text = "#" + string(digestOf(text))
	}
	return text, true
}

// scalar returns the tree of a value that is not an object or a list, else nil.
func (t *trees) scalar(v reflect.Value, s *shape) any {
	v, s = s.value(v)
	if s.null(v) || s.form >= isObject {
		return nil
	}
	return t.tree(v, s)
}

// keyText returns the text of a value that can identify an element.
func keyText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, v != ""
	case int64, float64, json.Number:
		return string(appendScalar(nil, v)), true
	}
	return "", false
}

// identities returns those of all elements, nil if an element has none or
// shares its own with another.
func (d *digester) identities(elements reflect.Value, elem *shape, key []string) []string {
	ids := make([]string, elements.Len())
	seen := make(map[string]bool, len(ids))
	for i := range ids {
		id, ok := d.identity(elements.Index(i), elem, key)
		if !ok || seen[id] {
			return nil
		}
		ids[i], seen[id] = id, true
	}
	return ids
}

// aligned reports whether the elements of two lists of the same length have the
// same keys in the same order, as far as they have any.
func (d *digester) aligned(a, b reflect.Value, elem *shape, key []string) bool {
	if elem.form != isHeld && !elem.mayHave(key) {
		return true
	}
	for i := range a.Len() {
		x, xs := elem.value(a.Index(i))
		y, ys := elem.value(b.Index(i))
		if !xs.hasMembers(x) || !ys.hasMembers(y) {
			return true // no list of objects
		}
		for _, name := range key {
			k, ks := xs.at(x, name)
			l, ls := ys.at(y, name)
			if k, ks = ks.value(k); ks.null(k) {
				if l, ls = ls.value(l); !ls.null(l) {
					return false
				}
				continue
			}
			if l, ls = ls.value(l); ls.null(l) {
				return false
			}
			if (k.Type() != l.Type() || ks.form >= isObject || !equal(k, l, ks)) && !same(d.tree(k, ks), d.tree(l, ls)) {
				return false
			}
		}
	}
	return true
}

// mayHave reports whether objects of a type may have a property of some names.
func (s *shape) mayHave(names []string) bool {
	return s.form == isMap || s.form == isObject && slices.ContainsFunc(names, func(path string) bool {
		name, _, _ := strings.Cut(path, "/")
		return s.named[name] != nil
	})
}

// at returns the property to which a path leads, with "/" between the names.
func (s *shape) at(v reflect.Value, path string) (reflect.Value, *shape) {
	for {
		name, rest, deeper := strings.Cut(path, "/")
		if v, s = s.property(v, name); !deeper {
			return v, s
		}
		if v, s = s.value(v); s.null(v) {
			return reflect.Value{}, held
		}
		path = rest
	}
}

// within reports whether all contains every element of some.
func within(some, all []string) bool {
	set := make(map[string]bool, len(all))
	for _, id := range all {
		set[id] = true
	}
	return !slices.ContainsFunc(some, func(id string) bool { return !set[id] })
}

// sequence returns the content for a list of identities.
func sequence(ids []string) content {
	sum := (&digester{}).sum(reflect.ValueOf(ids), shapeOf(reflect.TypeFor[[]string]()))
	return content(sum[:])
}

// found has the places of the elements of the list as shown in the list as written.
type found struct {
	at map[string]int
	// untouched is true if the client neither added, removed nor moved an element.
	untouched bool
}

// find finds the elements of the list as shown.
func (l *list) find(elements reflect.Value, elem *shape, d *digester) found {
	if l.key == nil {
		return findContents(l.shown, d.contents(elements, elem))
	}
	f := found{at: make(map[string]int, elements.Len())}
	ids := make([]string, elements.Len())
	twice := map[string][]int{}
	for i := range ids {
		id, ok := d.identity(elements.Index(i), elem, l.key)
		if !ok {
			continue
		}
		if first, ok := f.at[id]; !ok {
			f.at[id], ids[i] = i, id
		} else if l.elements[id] != nil {
			if twice[id] == nil {
				twice[id] = []int{first}
			}
			twice[id] = append(twice[id], i)
		}
	}
	for id, all := range twice {
		f.at[id] = d.bestMatch(l.elements[id], elements, elem, all)
	}
	f.untouched = l.order != nil && sequence(ids) == l.shown[0]
	return f
}

// maxCompared bounds how many elements with one key are compared, so that time
// stays linear in what is read.
const maxCompared = 8

// bestMatch returns the index of the element to which most entries apply, of
// those elements that a client has given the same key. Ties go to the first.
func (d *digester) bestMatch(n *node, elements reflect.Value, elem *shape, indices []int) int {
	best, most := indices[0], d.applicable(n, elements.Index(indices[0]), elem, true)
	for _, i := range indices[1:min(len(indices), maxCompared)] {
		if entries := d.applicable(n, elements.Index(i), elem, true); entries > most {
			best, most = i, entries
		}
	}
	return best
}

// applicable returns how many entries apply to a value, apart from those in lists.
func (d *digester) applicable(n *node, v reflect.Value, s *shape, present bool) (entries int) {
	if n.leaf != nil && d.matches(n.leaf.plain, v, s, present) {
		return 1
	}
	if v, s = s.value(v); s.form == isOpaque && v.IsValid() {
		v, s = held.value(reflect.ValueOf(d.tree(v, s)))
	}
	if s.form != isBag && (!present || s.null(v)) { // an absent bag is an empty one
		return 0
	}
	for _, m := range n.members {
		value, inner := s.property(v, m.name)
		entries += d.applicable(m.node, value, inner, value.IsValid())
	}
	return entries
}

// matches reports whether a value is plain, or has the digest plain.
func (d *digester) matches(plain any, v reflect.Value, s *shape, present bool) bool {
	if !present || plain == any(Absent{}) {
		return !present && plain == any(Absent{})
	}
	if digest, ok := plain.(Digest); ok {
		now := digester{}
		sum := now.sum(v, s)
		d.fail(now.err)
		return encodeDigest(sum) == digest
	}
	return same(d.tree(v, s), plain)
}

// findContents finds what was shown in what was written: first what is at the same
// distance from either end, so that of two equal elements each stays itself; then the
// same content anywhere; then, if the length is the same, what is left at the same
// place.
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
