package remainder

import (
	"bytes"
	"reflect"
	"strconv"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// Diff returns what a stored object has and plain, its round trip, lacks. Both are
// pointers to the same Go type. Diff makes JSON trees only of what differs.
//
// The property originalVersion of a storage Spec is not a loss: set it to the same
// value in both, and put it into the [Note].
func Diff(stored, plain any, options Options) (Remainder, error) {
	d := differ{Options: options}
	root := d.values(reflect.ValueOf(stored), reflect.ValueOf(plain), shapeOf(reflect.TypeOf(stored)))
	if d.err != nil {
		return Remainder{}, d.err
	}
	return Remainder{root, d.unreadable}, nil
}

type differ struct {
	Options
	digester
	unreadable bool
}

// values returns the difference of two values of shape s, nil if there is none.
func (d *differ) values(stored, plain reflect.Value, s *shape) *node {
	h, hs := s.value(stored)
	p, ps := s.value(plain)
	switch {
	case hs.null(h) && ps.null(p):
		return nil
	case hs.null(h) || ps.null(p) || h.Type() != p.Type():
		return d.untyped(d.tree(h, hs), d.tree(p, ps))
	}
	switch hs.form {
	case isObject:
		return d.objects(h, p, hs)
	case isMap:
		return d.maps(h, p, hs)
	case isBag:
		return d.bags(h, p)
	case isList:
		if hs.elem.form != isOpaque {
			return d.lists(h, p, hs)
		}
	}
	if equal(h, p, hs) {
		return nil
	}
	return d.untyped(d.tree(h, hs), d.tree(p, ps))
}

// untyped returns the difference of two JSON trees.
func (d *differ) untyped(stored, plain any) *node {
	switch stored.(type) {
	case map[string]any, []any:
		if reflect.TypeOf(stored) == reflect.TypeOf(plain) {
			return d.values(reflect.ValueOf(stored), reflect.ValueOf(plain), held)
		}
	}
	if same(stored, plain) {
		return nil
	}
	return d.difference(stored, plain)
}

// difference returns an entry.
func (d *differ) difference(stored, plain any) *node {
	n := newLeaf()
	n.leaf.plain, n.leaf.stored = d.brief(plain), stored
	return n
}

// shared reports whether two values are the same in memory or both nil, as most
// scalars are after a conversion.
func shared(a, b reflect.Value) bool {
	kind := a.Kind()
	return (kind == reflect.Pointer || kind == reflect.Map) && a.UnsafePointer() == b.UnsafePointer()
}

// equal reports whether two values of one type are the same in memory. Where it
// reports false, their trees may still mean the same.
func equal(a, b reflect.Value, s *shape) bool {
	switch s.form {
	case isText, isNumber:
		return a.String() == b.String()
	case isInteger:
		return a.Int() == b.Int()
	case isFloat:
		return a.Float() == b.Float()
	case isBool:
		return a.Bool() == b.Bool()
	}
	return identical(a, b)
}

// identical compares structs and slices by their fields and elements, and all else with
// ==.
func identical(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if !identical(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		if a.Type().Elem().Kind() == reflect.Uint8 {
			return bytes.Equal(a.Bytes(), b.Bytes())
		}
		for i := range a.Len() {
			if !identical(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Comparable() && a.Equal(b)
}

// objects returns the difference of two structs.
func (d *differ) objects(h, p reflect.Value, s *shape) *node {
	var members []member
	for i := range s.fields {
		f := &s.fields[i]
		a, b := f.in(h), f.in(p)
		if shared(a, b) {
			continue
		}
		a, b = f.unlessOmitted(a), f.unlessOmitted(b)
		var n *node
		switch {
		case !a.IsValid() && !b.IsValid():
		case f.form == isBag: // an absent bag is an empty one
			n = d.bags(a, b)
		case !b.IsValid():
			n = d.added(f.name, d.tree(a, f.shape), s.present(h), s.bag(p))
		case !a.IsValid():
			n = d.difference(Absent{}, d.tree(b, f.shape))
		default:
			n = d.values(a, b, f.shape)
		}
		if n != nil {
			members = append(members, member{f.name, n})
		}
	}
	return nodeOf(members)
}

// nodeOf returns the node of an object, nil if it has no members.
func nodeOf(members []member) *node {
	if len(members) == 0 {
		return nil
	}
	byName(members)
	return &node{members: members}
}

// added returns the entry of a property that only the stored object has, with the other
// variants of the union that the property belongs to. If plain's bag already has the
// property, an entry in the bag does not show that a client edited it.
func (d *differ) added(name string, stored any, present func(string) bool, inBag keys) *node {
	n := d.difference(stored, Absent{})
	if inBag.has(name) {
		n.leaf.unless = []string{}
	}
	for _, union := range d.Unions {
		var others []string
		of, one := false, true
		for _, variant := range union {
			if variant == name {
				of = true
				continue
			}
			others = append(others, variant)
			one = one && !present(variant)
		}
		if of && one {
			n.leaf.unless = others
			break
		}
	}
	return n
}

// bags returns the difference of two bags, either of which may be absent. Each
// entry is compared as a whole, because its shape belongs to its version.
func (d *differ) bags(h, p reflect.Value) *node {
	stored, plain := bagIn(h), bagIn(p)
	members := make([]member, 0, len(stored))
	for name, entry := range stored {
		d.unreadable = d.unreadable || entry.Source != nil && entry.Version == ""
		other, ok := plain[name]
		switch {
		case !ok:
			members = append(members, member{name, d.difference(d.written(entry), Absent{})})
		case !alike(entry, other):
			if h, p := d.written(entry), treeIn(d.written(other)); !same(treeIn(h), p) {
				members = append(members, member{name, d.difference(h, p)})
			}
		}
	}
	for name, other := range plain {
		if _, ok := stored[name]; !ok {
			members = append(members, member{name, d.difference(Absent{}, treeIn(d.written(other)))})
		}
	}
	return nodeOf(members)
}

// bagIn returns the bag in v, nil if it is absent.
func bagIn(v reflect.Value) propertybag.Bag {
	if !v.IsValid() {
		return nil
	}
	return v.Interface().(propertybag.Bag)
}

// alike reports whether two entries have the same text.
func alike(a, b propertybag.Entry) bool {
	return a.Version == b.Version && bytes.Equal(a.Value, b.Value) && bytes.Equal(a.Source, b.Source)
}

// maps returns the difference of two maps.
func (d *differ) maps(h, p reflect.Value, s *shape) *node {
	var members []member
	note := func(key reflect.Value, n *node) {
		if n != nil {
			members = append(members, member{key.String(), n})
		}
	}
	for entries := h.MapRange(); entries.Next(); {
		key, a := entries.Key(), entries.Value()
		if b := p.MapIndex(key); b.IsValid() {
			note(key, d.values(a, b, s.elem))
		} else {
			note(key, d.difference(d.tree(a, s.elem), Absent{}))
		}
	}
	for entries := p.MapRange(); entries.Next(); {
		if key := entries.Key(); !h.MapIndex(key).IsValid() {
			note(key, d.difference(Absent{}, d.tree(entries.Value(), s.elem)))
		}
	}
	return nodeOf(members)
}

// lists returns the difference of two lists. A conversion keeps the order of
// elements, so those at the same index are compared; where a hook moved,
// dropped or added elements, their keys or contents say which belong together.
func (d *differ) lists(h, p reflect.Value, s *shape) *node {
	if h.Len() != p.Len() {
		return d.uneven(h, p, s)
	}
	if key, hIDs, pIDs := d.moved(h, p, s.elem); key != nil {
		return d.byKey(key, h, p, hIDs, pIDs, s.elem)
	}
	var nodes map[int]*node
	for i := range h.Len() {
		if n := d.values(h.Index(i), p.Index(i), s.elem); n != nil {
			if nodes == nil {
				nodes = map[int]*node{}
			}
			nodes[i] = n
		}
	}
	if nodes == nil {
		return nil
	}
	l := &list{elements: make(map[string]*node, len(nodes))}
	key, ids := d.key(p, s.elem)
	if key == nil {
		l.shown = d.contents(p, s.elem)
	}
	l.key = key
	for i, n := range nodes {
		if key == nil {
			l.elements[strconv.Itoa(i)] = n
		} else {
			l.elements[ids[i]] = n
		}
	}
	return &node{list: l}
}

// moved returns the key of two lists that have the same elements in different
// orders, and the identities of both, or nil.
func (d *differ) moved(h, p reflect.Value, elem *shape) (key []string, hIDs, pIDs []string) {
	for key := range d.keys {
		if d.aligned(h, p, elem, key) {
			continue
		}
		hIDs, pIDs := d.identities(h, elem, key), d.identities(p, elem, key)
		if hIDs != nil && pIDs != nil && within(hIDs, pIDs) {
			return key, hIDs, pIDs
		}
	}
	return nil, nil, nil
}

// uneven returns the difference of two lists of different lengths.
func (d *differ) uneven(h, p reflect.Value, s *shape) *node {
	longer := h
	if p.Len() > h.Len() {
		longer = p
	}
	if key, _ := d.key(longer, s.elem); key != nil {
		hIDs, pIDs := d.identities(h, s.elem, key), d.identities(p, s.elem, key)
		if hIDs != nil && pIDs != nil && (within(hIDs, pIDs) || within(pIDs, hIDs)) {
			return d.byKey(key, h, p, hIDs, pIDs, s.elem)
		}
	}
	if n := d.byContent(h, p, s.elem); n != nil {
		return n
	}
	return d.difference(d.tree(h, s), d.tree(p, s))
}

// byKey pairs elements by their keys, where one list has all keys of the other.
func (d *differ) byKey(key []string, h, p reflect.Value, hIDs, pIDs []string, elem *shape) *node {
	l := &list{key: key, elements: map[string]*node{}, order: hIDs, shown: []content{sequence(pIDs)}}
	at := make(map[string]int, len(pIDs))
	for i, id := range pIDs {
		at[id] = i
	}
	for i, id := range hIDs {
		if j, ok := at[id]; !ok {
			l.elements[id] = d.difference(d.tree(h.Index(i), elem), Absent{})
		} else if n := d.values(h.Index(i), p.Index(j), elem); n != nil {
			l.elements[id] = n
		}
		delete(at, id)
	}
	for id, j := range at {
		l.elements[id] = d.difference(Absent{}, d.tree(p.Index(j), elem))
	}
	return &node{list: l}
}

// byContent handles lists of which one is the other without some elements. It returns
// nil for any other lists.
func (d *differ) byContent(stored, plain reflect.Value, elem *shape) *node {
	h, p := d.contents(stored, elem), d.contents(plain, elem)
	l := &list{elements: map[string]*node{}, shown: p}
	if len(p) < len(h) {
		i := 0
		for j := range h {
			index := i
			if i < len(p) && h[j] == p[i] {
				i++
			} else {
				index = len(p) + j - i
				l.elements[strconv.Itoa(index)] = d.difference(d.tree(stored.Index(j), elem), Absent{})
			}
			l.order = append(l.order, strconv.Itoa(index))
		}
		if i < len(p) {
			return nil
		}
		return &node{list: l}
	}
	l.order = make([]string, 0, len(h))
	j := 0
	for i := range p {
		if j < len(h) && h[j] == p[i] {
			l.order = append(l.order, strconv.Itoa(i))
			j++
		} else {
			l.elements[strconv.Itoa(i)] = d.difference(Absent{}, d.tree(plain.Index(i), elem))
		}
	}
	if j < len(h) {
		return nil
	}
	return &node{list: l}
}
