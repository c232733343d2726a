package remainder

import (
	"encoding/base64"
	"reflect"
	"slices"
)

// identity identifies an element among the elements of a list, here and in the annotation.
// It is the beginning of the SHA-256 of the values of the element's key, or of the element's
// content if it has no key. The first bit says which, see [identity.keyed].
type identity [6]byte

// keyed reports whether the identity is computed from a key.
func (id identity) keyed() bool { return id[0]&0x80 != 0 }

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

// key returns the key of a list and the identities of its elements. The key is the first one
// that all elements have, no two with the same values. If there is none, it is the first one
// that some elements have, no two with the same values, or else nil.
func (w *canonical) key(list reflect.Value, elem *jsonType, options *Options) (key []string, ids []identity) {
	ids = make([]identity, list.Len())
	for candidate := range options.keys {
		if !elem.mayHave(candidate) {
			continue
		}
		all := w.keyed(list, elem, candidate)
		keyed, distinct := countKeys(all)
		if distinct && keyed > 0 && (key == nil || keyed == len(all)) {
			key, ids = candidate, all
		}
		if distinct && keyed == len(all) {
			break
		}
	}
	w.addContents(ids, list, elem)
	return key, ids
}

// countKeys counts the elements that have a key, and reports whether no two have the same.
func countKeys(ids []identity) (keyed int, distinct bool) {
	seen := make(map[identity]bool, len(ids))
	for _, id := range ids {
		if id.keyed() {
			keyed++
			seen[id] = true
		}
	}
	return keyed, keyed == len(seen)
}

// identities returns the identities of the elements of a list. The key may be nil.
func (w *canonical) identities(list reflect.Value, elem *jsonType, key []string) []identity {
	ids := w.keyed(list, elem, key)
	w.addContents(ids, list, elem)
	return ids
}

// keyed returns the identities of the elements that have a key. Those of the others are
// zero, which [canonical.addContents] replaces.
func (w *canonical) keyed(list reflect.Value, elem *jsonType, key []string) []identity {
	ids := make([]identity, list.Len())
	start := len(w.text)
	for i := range ids {
		if w.writeKey(list.Index(i), elem, key) {
			ids[i] = w.identity(start)
			ids[i][0] |= 0x80
		}
		w.text = w.text[:start]
	}
	return ids
}

// addContents sets the identities of the elements without a key.
func (w *canonical) addContents(ids []identity, list reflect.Value, elem *jsonType) {
	start := len(w.text)
	for i := range ids {
		if !ids[i].keyed() {
			w.write(list.Index(i), elem)
			ids[i] = w.identity(start)
			w.text = w.text[:start]
		}
	}
}

// identity returns the identity for the text from start on, with 0 as the first bit.
func (w *canonical) identity(start int) identity {
	sum := sum128(w.text[start:])
	sum[0] &= 0x7f
	return identity(sum[:])
}

// writeKey appends the values of an element's key, and reports whether the element has all of
// them. A value must be a number, or a string that is not empty.
func (w *canonical) writeKey(element reflect.Value, elem *jsonType, key []string) bool {
	w.text = append(w.text, '[')
	for _, name := range key {
		v, s := elem.at(element, name)
		if s.null(v) || s.kind < stringKind || s.kind > floatKind || s.kind == stringKind && v.Len() == 0 {
			return false
		}
		w.text = append(w.appendValue(w.text, v, s), ',')
	}
	return len(key) > 0
}

// matchElements returns, for each element that was shown to the client, the index of the same
// element in the list that the client wrote, or -1. It matches elements in three steps:
//   - equal identities at the same distance from the beginning or the end, up to the first that
//     differ, so that two equal elements keep their order,
//   - equal identities anywhere,
//   - if the lists have the same length, the remaining elements at the same index. But if all
//     elements that were shown had keys, an element with another key is another element.
func matchElements(shown, written []identity) []int {
	at := slices.Repeat([]int{-1}, len(shown))
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
	places := map[identity][]int{}
	for j, id := range written {
		if !taken[j] {
			places[id] = append(places[id], j)
		}
	}
	for i, id := range shown {
		if js := places[id]; at[i] < 0 && len(js) > 0 {
			match(i, js[0])
			places[id] = js[1:]
		}
	}
	if len(shown) == len(written) {
		all := !slices.ContainsFunc(shown, func(id identity) bool { return !id.keyed() })
		for i := range at {
			if at[i] < 0 && !taken[i] && !(all && written[i].keyed()) {
				match(i, i)
			}
		}
	}
	return at
}

// join returns the text of identities in an annotation.
func join(ids []identity) string {
	data := make([]byte, 0, len(ids)*len(identity{}))
	for _, id := range ids {
		data = append(data, id[:]...)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// split returns the identities of a text that [join] has made, and reports whether it is valid.
func split(text []byte) (ids []identity, ok bool) {
	data, err := base64.RawURLEncoding.AppendDecode(nil, text)
	if err != nil || len(data)%len(identity{}) != 0 {
		return nil, false
	}
	for id := range slices.Chunk(data, len(identity{})) {
		ids = append(ids, identity(id))
	}
	return ids, true
}
