// Package remainder keeps what an API version cannot hold while a client has the object
// in its hands. API versions have no property bag, so a client that reads an old
// version and writes it back would drop all that the old version does not know. A
// conversion to an API version therefore puts what is lost, which is stored minus
// up(down(stored)), into one annotation, and the conversion back restores it like a
// three-way merge. Stored is the object at the storage version of the API version, so
// that what is lost is in its bags, one property at a time. The main types are
// [Remainder], which holds what is lost, and [Note], the content of the annotation.
//
//	down: lost, err := Diff(stored, up(down(stored)), OptionsOf(stored))
//	      annotations, err = Note{Object: object, Lost: lost}.Write(annotations, Limits{}, keys)
//	up:   note, err := Read(annotations, object, keys, tally)
//	      merged := up(written)
//	      dropped, err := note.Lost.Apply(merged, tally)
//	      annotations = Strip(annotations)
//
// # Three ways
//
// Every entry of a remainder has a path, the value that the plain round trip gives
// there, and the stored object's value; either may be absent. The entry applies where
// the client left the round trip's value as it was, so that the client's own edit wins,
// and each entry is decided on its own, so that one edit never costs a neighbouring
// property. An entry whose parent is gone goes with it. All of this happens in the
// shape of the stored object, on JSON trees: nil, bool, string, int64, float64,
// [encoding/json.Number], []any and map[string]any. Numbers compare by value, as the
// API server keeps them: 1 and 1.0 are the same, 1<<53 and 1<<53 + 1 are not.
//
// The elements of a list are found again by their key, or where the list has
// none, by the content they were shown with, or where that was edited, by
// their position in a list of the same length; see [Options].
//
// # Trust
//
// A remainder holds data of its own object only, and the reader of an object
// may read it at any of its versions, so the annotation reveals nothing that its
// reader may not know. Whoever may write an object may write its annotation, so
// [Keys] sign it. Reading one takes any input, in time that is linear in it.
//
// The annotation is a compatibility contract; testdata/README.md describes
// format 1.
package remainder

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// Remainder holds what a conversion to an API version and back loses of the stored
// object. The zero Remainder is that of a conversion that loses nothing.
type Remainder struct {
	root *node
	// unreadable is true if a bag of the stored object has an entry that is none.
	unreadable bool
}

// Entry is one difference of a [Remainder].
type Entry struct {
	// Path is the place, for people: spec.rules[name=web].ports[0].
	Path string
	// Plain is the value that the plain round trip gives: a JSON value, its
	// [Digest], or [Absent].
	Plain any
	// Stored is the value that the stored object has: a JSON value, or [Absent].
	Stored any
	// InBag is true if the values are entries of a bag. Only
	// [Remainder.EntriesOf] knows.
	InBag bool
}

// Absent is the value of a property that is absent, unlike null.
type Absent struct{}

// Empty reports whether nothing is lost.
func (r Remainder) Empty() bool { return r.root == nil }

// Without returns the remainder without the entries of one member of the object.
func (r Remainder) Without(name string) Remainder {
	if r.root == nil {
		return r
	}
	rest := slices.DeleteFunc(slices.Clone(r.root.members), func(m member) bool { return m.name == name })
	if len(rest) == 0 {
		return Remainder{}
	}
	return Remainder{root: &node{members: rest}, unreadable: r.unreadable}
}

// Entries returns all differences, in the order of their paths.
func (r Remainder) Entries() []Entry {
	var c collector
	c.collect(r.root)
	return c.entries
}

// EntriesOf is [Remainder.Entries] with the type of the object that the
// remainder was taken of, which says what is in a bag. Object may be empty.
func (r Remainder) EntriesOf(object any) []Entry {
	var c collector
	v := reflect.ValueOf(object)
	c.typed(r.root, v, shapeOf(v.Type()))
	return c.entries
}

// The annotation armature.dev/unreadable lists at most mostListed places, each of at
// most mostBytes bytes.
const (
	mostListed = 20
	mostBytes  = 200
)

// listUnreadable returns the places of the entries of bags that no version can
// read, for people.
func (r Remainder) listUnreadable() string {
	var places []string
	for _, e := range r.Entries() {
		entry, _ := e.Stored.(map[string]any)
		_, hasValue := entry["value"]
		_, hasVersion := entry["version"].(string)
		if strings.Contains(e.Path, "."+bag) && !(hasValue && hasVersion) {
			place := strings.ReplaceAll(e.Path, "."+bag, "")
			if len(place) > mostBytes {
				place = strings.ToValidUTF8(place[:mostBytes], "") + "…"
			}
			places = append(places, place)
		}
	}
	if more := len(places) - mostListed; more > 0 {
		places = append(places[:mostListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(places, ", ")
}

// Len returns the number of entries.
func (r Remainder) Len() int { return r.root.len() }

// OutsideBags reports whether anything is lost that is not in a bag, of an object
// of the type that the remainder was taken of.
func (r Remainder) OutsideBags(object any) bool {
	v := reflect.ValueOf(object)
	return r.root != nil && r.root.outsideBags(v, shapeOf(v.Type()))
}

func (n *node) outsideBags(v reflect.Value, s *shape) bool {
	if n.leaf != nil || n.list != nil && n.list.order != nil {
		return true
	}
	if v.IsValid() {
		v, s = s.value(v)
	}
	if n.list != nil {
		elem := held
		if s.form == isList {
			elem = s.elem
		}
		for _, element := range n.list.elements {
			if element.outsideBags(reflect.Value{}, elem) {
				return true
			}
		}
		return false
	}
	return s.form != isBag && slices.ContainsFunc(n.members, func(m member) bool {
		field, inner := s.member(v, m.name)
		return m.node.outsideBags(field, inner)
	})
}

func (n *node) len() (entries int) {
	switch {
	case n == nil:
	case n.leaf != nil:
		return 1
	case n.list != nil:
		for _, element := range n.list.elements {
			entries += element.len()
		}
	default:
		for _, member := range n.members {
			entries += member.node.len()
		}
	}
	return entries
}

// node holds what is lost of one value. Exactly one of its three forms is set.
type node struct {
	leaf    *leaf
	members []member // of an object, in the order of their names
	list    *list
}

// member holds what is lost of a property.
type member struct {
	name string
	node *node
}

// byName sorts members by their names.
func byName(members []member) {
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
}

// leaf is a value that differs between the stored object and the plain round trip.
type leaf struct {
	plain  any // Absent, a Digest or a value that is no longer than one
	stored any // Absent, a value, or written
	unless []string
}

// newLeaf returns a node with a leaf, allocated in one piece.
func newLeaf() *node {
	var both struct {
		node
		of leaf
	}
	both.node.leaf = &both.of
	return &both.node
}

// list holds what is lost of the elements of a list.
type list struct {
	// key has the properties that identify the elements, nil if it is their
	// content. An element goes by the text of its key, or by its index in the
	// list as shown; those that the stored object alone has follow behind.
	key      []string
	elements map[string]*node
	// order has all of the stored object's elements, if they are not those of the list
	// as shown in the same order.
	order []string
	// shown is the content of each element of the list as shown, or, where
	// there are a key and an order, the sequence of its keys.
	shown []content
}

// bag is the property that holds values of other versions. An entry of a bag
// has a shape that goes with its version, so it is taken as a whole.
const bag = propertybag.Name

// added reports whether the node is an element or member that the stored object
// alone has.
func (n *node) added() bool { return n.leaf != nil && n.leaf.plain == any(Absent{}) }

// ids returns the elements that have an entry, in order.
func (l *list) ids() []string {
	ids := names(l.elements)
	if l.key == nil {
		slices.SortStableFunc(ids, func(a, b string) int { return len(a) - len(b) })
	}
	return ids
}

// collector lists entries, with the path to where it is.
type collector struct {
	path    []step
	entries []Entry
	inBag   bool
}

// step is one of a path: to a member of an object, or to an element of a list.
type step struct {
	name string // or the element's id
	in   *list
}

func (c *collector) collect(n *node) { c.typed(n, reflect.Value{}, held) }

func (c *collector) within(s step, n *node) {
	c.path = append(c.path, s)
	c.collect(n)
	c.path = c.path[:len(c.path)-1]
}

// typed collects the entries of a value, of which only the type need be known.
func (c *collector) typed(n *node, v reflect.Value, s *shape) {
	if n == nil {
		return
	}
	if n.leaf != nil {
		c.entries = append(c.entries, Entry{c.text(), n.leaf.plain, treeIn(n.leaf.stored), c.inBag})
		return
	}
	if v.IsValid() {
		v, s = s.value(v)
	}
	below := func(to step, n *node, v reflect.Value, s *shape) {
		c.path = append(c.path, to)
		c.typed(n, v, s)
		c.path = c.path[:len(c.path)-1]
	}
	if n.list != nil {
		elem := held
		if s.form == isList {
			elem = s.elem
		}
		for _, id := range n.list.ids() {
			below(step{id, n.list}, n.list.elements[id], reflect.Value{}, elem)
		}
		return
	}
	for _, m := range n.members {
		field, inner := s.member(v, m.name)
		around := c.inBag
		c.inBag = around || s.form == isBag
		below(step{name: m.name}, m.node, field, inner)
		c.inBag = around
	}
}

// text returns the path for people.
func (c *collector) text() string {
	var text strings.Builder
	for i, s := range c.path {
		switch {
		case s.in != nil && s.in.key == nil:
			text.WriteString("[" + s.name + "]")
		case s.in != nil:
			text.WriteString("[" + strings.Join(s.in.key, ",") + "=" + s.name + "]")
		case s.name == "" || strings.ContainsAny(s.name, `.[]"`):
			text.WriteString("[" + strconv.Quote(s.name) + "]")
		case i == 0:
			text.WriteString(s.name)
		default:
			text.WriteString("." + s.name)
		}
	}
	return text.String()
}
