package remainder

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// Collect returns the data of a stored object that is missing in plain, the result of its
// round trip. Both are pointers to the same Go type. It fails if that data is not JSON.
//
// The property originalVersion of a storage Spec is not a loss: set it to the same
// value in both, and put it into the [Note].
func Collect(stored, plain any, options Options) (Remainder, error) {
	c := collector{canonical: canonicals.Get().(*canonical), options: options}
	defer canonicals.Put(c.canonical)
	c.reset()
	c.value(reflect.ValueOf(stored), reflect.ValueOf(plain), jsonTypeOf(reflect.TypeOf(stored)))
	if c.entries > 0 && c.err == nil {
		c.err = rawjson.Check(c.text)
	}
	if c.entries == 0 || c.err != nil {
		return Remainder{}, c.err
	}
	return Remainder{string(c.text), c.entries, c.unreadable}, nil
}

// collector writes nodes.
type collector struct {
	*canonical
	options    Options
	entries    int
	unreadable []string
	path       path
}

// value appends the node of a value, and reports whether a part of the value is lost. If
// nothing is lost, it appends nothing.
func (c *collector) value(stored, plain reflect.Value, s *jsonType) bool {
	if sameMemory(stored, plain) {
		return false
	}
	h, s := s.indirect(stored) // the original, h, and its round trip, p
	p, plainType := s.indirect(plain)
	if s != plainType || s.null(h) || s.null(p) {
		return false
	}
	switch s.kind {
	case stringKind:
		return c.spelling(h.String(), p.String())
	case objectKind:
		return c.object(h, p, s)
	case mapKind:
		return s.elem.mayLose() && c.entriesOf(h, p, s.elem)
	case listKind:
		return s.elem.mayLose() && h.Len() == p.Len() && c.list(h, p, s.elem)
	}
	return false
}

// sameMemory reports whether two values have the same memory, as most have after a
// conversion: pointers and maps that are equal, and slices whose elements have the same bytes.
func sameMemory(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Map:
		return a.UnsafePointer() == b.UnsafePointer()
	case reflect.Slice:
		return a.IsNil() == b.IsNil() && string(bytesOf(a)) == string(bytesOf(b))
	}
	return false
}

// bytesOf returns the memory of a slice's elements. Elements with the same bytes are equal,
// because their pointers are.
func bytesOf(slice reflect.Value) []byte {
	size := uintptr(slice.Len()) * slice.Type().Elem().Size()
	return unsafe.Slice((*byte)(slice.UnsafePointer()), size)
}

// mayLose reports whether a round trip can lose a part of values of the type.
func (s *jsonType) mayLose() bool {
	return s.kind == stringKind || s.kind >= objectKind || s.kind == interfaceKind
}

func (c *collector) spelling(stored, plain string) bool {
	if stored == plain || !strings.EqualFold(stored, plain) {
		return false
	}
	c.text = appendString(c.text, stored)
	c.entries++
	return true
}

// openObject begins an object, and returns where its members begin, for [collector.member] and
// [collector.closeObject].
func (c *collector) openObject() int {
	c.text = append(c.text, '{')
	return len(c.text)
}

// member begins a member of an object, and returns where it begins: the caller cuts the text
// there if the member remains empty.
func (c *collector) member(in int) (at int) {
	if at = len(c.text); at > in {
		c.text = append(c.text, ',')
	}
	return at
}

// closeObject ends an object, and reports whether it has members. If it has none, it removes the
// object.
func (c *collector) closeObject(in int) bool {
	if len(c.text) == in {
		c.text = c.text[:in-1]
		return false
	}
	c.text = append(c.text, '}')
	return true
}

// child appends the node of a value one step deeper, or cuts the text at the given index if
// nothing of the value is lost.
func (c *collector) child(to step, at int, stored, plain reflect.Value, s *jsonType) {
	c.path = append(c.path, to)
	if !c.value(stored, plain, s) {
		c.text = c.text[:at]
	}
	c.path = c.path[:len(c.path)-1]
}

func (c *collector) object(h, p reflect.Value, s *jsonType) bool {
	in := c.openObject()
	for i := range s.fields {
		f := &s.fields[i]
		if !f.mayLose() {
			continue
		}
		a, b := f.value(h), f.value(p)
		if sameMemory(a, b) {
			continue
		}
		at := c.member(in)
		c.text = append(c.text, f.key...)
		if f.kind != bagKind {
			c.child(step{name: f.name, named: true}, at, a, b, f.jsonType)
		} else if !c.bag(a.Interface().(propertybag.Bag), b.Interface().(propertybag.Bag)) {
			c.text = c.text[:at]
		}
	}
	return c.closeObject(in)
}

// bag appends the entries that only the stored object's bag has.
func (c *collector) bag(stored, plain propertybag.Bag) bool {
	in := c.openObject()
	for _, name := range sortedNames(stored) {
		if _, exists := plain[name]; exists {
			continue
		}
		entry := stored[name]
		if entry.Source != nil && entry.Version == "" {
			place := append(slices.Clone(c.path), step{name: name, named: true})
			c.unreadable = append(c.unreadable, place.String())
		}
		c.member(in)
		c.text = entry.AppendJSON(append(appendString(c.text, name), ':'))
		c.entries++
	}
	return c.closeObject(in)
}

func (c *collector) entriesOf(h, p reflect.Value, elem *jsonType) bool {
	in := c.openObject()
	for _, key := range sortedKeys(h) {
		if plain := p.MapIndex(key); plain.IsValid() {
			at := c.member(in)
			c.text = append(appendString(c.text, escapeKey(key.String())), ':')
			c.child(step{name: key.String(), named: true}, at, h.MapIndex(key), plain, elem)
		}
	}
	return c.closeObject(in)
}

func (c *collector) list(h, p reflect.Value, elem *jsonType) bool {
	start := len(c.text)
	c.text = append(c.text, '[')
	in := c.openObject()
	for i := range h.Len() {
		at := c.member(in)
		c.text = append(strconv.AppendInt(append(c.text, '"'), int64(i), 10), `":`...)
		c.child(step{index: i}, at, h.Index(i), p.Index(i), elem)
	}
	if !c.closeObject(in) {
		c.text = c.text[:start]
		return false
	}
	key, ids := c.key(p, elem, &c.options)
	c.text = append(append(append(c.text, `,"`...), join(ids)...), '"')
	if key != nil {
		c.text = appendString(append(c.text, ','), strings.Join(key, ","))
	}
	c.text = append(c.text, ']')
	return true
}
