package remainder

import "strconv"

// Diff is what plain, the round trip of a stored object, lacks of it. Both are
// JSON trees, which the remainder shares.
//
// The property originalVersion of a storage Spec is no loss: set it alike in
// both, and carry it with [Note].
func Diff(stored, plain any, options Options) Remainder {
	d := differ{Options: options}
	return Remainder{d.value(stored, plain)}
}

type differ struct {
	Options
	digester
}

// defaultKeys come after those of [Options].
var defaultKeys = [][]string{{"id"}, {"name"}}

// keys calls yield with each way to identify an element.
func (d *differ) keys(yield func([]string) bool) {
	for _, keys := range [][][]string{d.Keys, defaultKeys} {
		for _, key := range keys {
			if len(key) > 0 && !yield(key) {
				return
			}
		}
	}
}

func (d *differ) value(stored, plain any) *node {
	switch h := stored.(type) {
	case map[string]any:
		if p, ok := plain.(map[string]any); ok {
			return d.object(h, p)
		}
	case []any:
		if p, ok := plain.([]any); ok {
			return d.list(h, p)
		}
	}
	if same(stored, plain) {
		return nil
	}
	return difference(stored, plain)
}

// difference is an entry.
func difference(stored, plain any) *node {
	n := newLeaf()
	n.leaf.plain, n.leaf.stored = brief(plain), stored
	return n
}

func (d *differ) object(stored, plain map[string]any) *node {
	var members []member
	note := func(name string, n *node) {
		if n != nil {
			members = append(members, member{name, n})
		}
	}
	for name, h := range stored {
		p, ok := plain[name]
		switch {
		case name == bag:
			note(name, d.bag(h, valueOf(plain, name)))
		case ok:
			note(name, d.value(h, p))
		default:
			note(name, d.added(name, h, has(stored), bagOf(plain)))
		}
	}
	for name, p := range plain {
		if _, ok := stored[name]; ok {
			continue
		}
		if name == bag {
			note(name, d.bag(Absent{}, p))
		} else {
			note(name, difference(Absent{}, p))
		}
	}
	return nodeOf(members)
}

// nodeOf is the node of an object, nil if it has no members.
func nodeOf(members []member) *node {
	if len(members) == 0 {
		return nil
	}
	byName(members)
	return &node{members: members}
}

// bag takes the entries of a bag one by one, and each as a whole. A bag that
// is not there is an empty one.
func (d *differ) bag(stored, plain any) *node {
	h, hok := entries(stored)
	p, pok := entries(plain)
	if !hok || !pok {
		return d.value(stored, plain)
	}
	var members []member
	for name := range h {
		if !same(h[name], valueOf(p, name)) {
			members = append(members, member{name, difference(h[name], valueOf(p, name))})
		}
	}
	for name := range p {
		if _, ok := h[name]; !ok {
			members = append(members, member{name, difference(Absent{}, p[name])})
		}
	}
	return nodeOf(members)
}

// entries are those of a bag, unless it is damaged.
func entries(bag any) (map[string]any, bool) {
	if bag == any(Absent{}) {
		return nil, true
	}
	members, ok := bag.(map[string]any)
	return members, ok
}

// valueOf is a member of an object, or [Absent].
func valueOf(object map[string]any, name string) any {
	if value, ok := object[name]; ok {
		return value
	}
	return Absent{}
}

// has tells which members an object has.
func has(object map[string]any) func(string) bool {
	return func(name string) bool { _, ok := object[name]; return ok }
}

// added is an entry of a property that the stored object alone has, with the other
// variants of the union that the property is of. Where plain's bag has the
// property already, an entry there is no sign of a client's edit.
func (d *differ) added(name string, stored any, present func(string) bool, inBag keys) *node {
	n := difference(stored, Absent{})
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

// list pairs elements that the conversion made of each other. Conversions keep
// order; keys tell what hooks move, leave out or add.
func (d *differ) list(stored, plain []any) *node {
	if len(stored) != len(plain) {
		return d.uneven(stored, plain)
	}
	if key, h, p := d.moved(stored, plain); key != nil {
		return d.byKey(key, stored, plain, h, p)
	}
	var nodes map[int]*node
	for i := range stored {
		if n := d.value(stored[i], plain[i]); n != nil {
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
	key, ids := d.key(plain)
	if key == nil {
		l.shown = d.contents(plain)
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

// moved is the key of two lists of the same elements in another order.
func (d *differ) moved(stored, plain []any) (key []string, h, p []string) {
	for key := range d.keys {
		if aligned(stored, plain, key) {
			continue
		}
		h, p := identities(stored, key), identities(plain, key)
		if h != nil && p != nil && within(h, p) {
			return key, h, p
		}
	}
	return nil, nil, nil
}

// uneven is the difference of two lists of which one has more elements.
func (d *differ) uneven(stored, plain []any) *node {
	longer := stored
	if len(plain) > len(stored) {
		longer = plain
	}
	if key, _ := d.key(longer); key != nil {
		h, p := identities(stored, key), identities(plain, key)
		if h != nil && p != nil && (within(h, p) || within(p, h)) {
			return d.byKey(key, stored, plain, h, p)
		}
	}
	if n := d.byContent(stored, plain); n != nil {
		return n
	}
	return difference(stored, plain)
}

// byKey pairs elements by their keys, where one list has all keys of the other.
func (d *differ) byKey(key []string, stored, plain []any, h, p []string) *node {
	l := &list{key: key, elements: map[string]*node{}, order: h, shown: []content{sequence(p)}}
	at := make(map[string]any, len(p))
	for i, id := range p {
		at[id] = plain[i]
	}
	for i, id := range h {
		if n := d.value(stored[i], valueOf(at, id)); n != nil {
			l.elements[id] = n
		}
		delete(at, id)
	}
	for id, p := range at {
		l.elements[id] = difference(Absent{}, p)
	}
	return &node{list: l}
}

// byContent finds one list in the other with some elements left out, or returns nil.
func (d *differ) byContent(stored, plain []any) *node {
	h, p := d.contents(stored), d.contents(plain)
	l := &list{elements: map[string]*node{}, shown: p}
	if len(p) < len(h) {
		i := 0
		for j := range h {
			index := i
			if i < len(p) && h[j] == p[i] {
				i++
			} else {
				index = len(p) + j - i
				l.elements[strconv.Itoa(index)] = difference(stored[j], Absent{})
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
			l.elements[strconv.Itoa(i)] = difference(Absent{}, plain[i])
		}
	}
	if j < len(h) {
		return nil
	}
	return &node{list: l}
}

// key is the key of a list and those of its elements, or nil.
func (d *differ) key(elements []any) ([]string, []string) {
	for key := range d.keys {
		if ids := identities(elements, key); len(ids) > 0 {
			return key, ids
		}
	}
	return nil, nil
}
