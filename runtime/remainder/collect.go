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

// Collect returns what a stored object has and plain, its round trip, lacks. Both are
// pointers to the same Go type. It fails if what is lost is no JSON.
//
// The property originalVersion of a storage Spec is not a loss: set it to the same
// value in both, and put it into the [Note].
func Collect(stored, plain any, options Options) (Remainder, error) {
	c := collector{canonical: canonicals.Get().(*canonical), options: options}
	defer canonicals.Put(c.canonical)
	c.reset()
	c.value(reflect.ValueOf(stored), reflect.ValueOf(plain), shapeOf(reflect.TypeOf(stored)))
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

// value appends the node of a value, and reports whether anything is lost of it:
// otherwise it appends nothing.
func (c *collector) value(stored, plain reflect.Value, s *shape) bool {
	if shared(stored, plain) {
		return false
	}
	h, s := s.value(stored)
	p, of := s.value(plain)
	if s != of || s.null(h) || s.null(p) {
		return false
	}
	switch s.form {
	case isText:
		return c.spelling(h.String(), p.String())
	case isObject:
		return c.object(h, p, s)
	case isMap:
		return s.elem.loses() && c.entriesOf(h, p, s.elem)
	case isList:
		return s.elem.loses() && h.Len() == p.Len() && c.list(h, p, s.elem)
	}
	return false
}

// shared reports whether two values are the same in memory, as most are after a
// conversion: pointers and maps that are equal or both nil, and slices of equal elements.
func shared(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Map:
		return a.UnsafePointer() == b.UnsafePointer()
	case reflect.Slice:
		return a.IsNil() == b.IsNil() && string(memory(a)) == string(memory(b))
	}
	return false
}

// memory returns the bytes of a slice's elements. Elements with the same bytes are equal:
// what they point to is the same.
func memory(slice reflect.Value) []byte {
	size := uintptr(slice.Len()) * slice.Type().Elem().Size()
	return unsafe.Slice((*byte)(slice.UnsafePointer()), size)
}

// loses reports whether something may be lost of a value.
func (s *shape) loses() bool { return s.form == isText || s.form >= isObject || s.form == isHeld }

func (c *collector) spelling(stored, plain string) bool {
	if stored == plain || !strings.EqualFold(stored, plain) {
		return false
	}
	c.text = appendString(c.text, stored)
	c.entries++
	return true
}

// open begins an object, to which [collector.member] adds, and returns where it begins.
func (c *collector) open() int {
	c.text = append(c.text, '{')
	return len(c.text)
}

// member begins a member, and returns where to cut the text off if it has nothing.
func (c *collector) member(in int) (at int) {
	if at = len(c.text); at > in {
		c.text = append(c.text, ',')
	}
	return at
}

// shut ends an object, and reports whether it has members: otherwise it removes it.
func (c *collector) shut(in int) bool {
	if len(c.text) == in {
		c.text = c.text[:in-1]
		return false
	}
	c.text = append(c.text, '}')
	return true
}

// below appends the node of a value one step below, or cuts the text off.
func (c *collector) below(to step, at int, stored, plain reflect.Value, s *shape) {
	c.path = append(c.path, to)
	if !c.value(stored, plain, s) {
		c.text = c.text[:at]
	}
	c.path = c.path[:len(c.path)-1]
}

func (c *collector) object(h, p reflect.Value, s *shape) bool {
	in := c.open()
	for i := range s.fields {
		f := &s.fields[i]
		if !f.loses() {
			continue
		}
		a, b := f.in(h), f.in(p)
		if shared(a, b) {
			continue
		}
		at := c.member(in)
		c.text = append(c.text, f.key...)
		if f.form != isBag {
			c.below(step{name: f.name, named: true}, at, a, b, f.shape)
		} else if !c.bag(a.Interface().(propertybag.Bag), b.Interface().(propertybag.Bag)) {
			c.text = c.text[:at]
		}
	}
	return c.shut(in)
}

// bag appends the entries that only the stored object's bag has.
func (c *collector) bag(stored, plain propertybag.Bag) bool {
	in := c.open()
	for _, name := range sortedNames(stored) {
		if _, is := plain[name]; is {
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
	return c.shut(in)
}

func (c *collector) entriesOf(h, p reflect.Value, elem *shape) bool {
	in := c.open()
	for _, key := range sortedKeys(h) {
		if plain := p.MapIndex(key); plain.IsValid() {
			at := c.member(in)
			c.text = append(appendString(c.text, escape(key.String())), ':')
			c.below(step{name: key.String(), named: true}, at, h.MapIndex(key), plain, elem)
		}
	}
	return c.shut(in)
}

func (c *collector) list(h, p reflect.Value, elem *shape) bool {
	start := len(c.text)
	c.text = append(c.text, '[')
	in := c.open()
	for i := range h.Len() {
		at := c.member(in)
		c.text = append(strconv.AppendInt(append(c.text, '"'), int64(i), 10), `":`...)
		c.below(step{index: i}, at, h.Index(i), p.Index(i), elem)
	}
	if !c.shut(in) {
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
