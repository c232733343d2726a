package remainder

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// The forms of a node in format 1. A node that is not an object is a JSON array
// whose first element is its form. A # after the form says that the plain value
// is a digest.
const (
	onlyStored = "+" // stored, and the other variants of a union if there are any
	onlyPlain  = "-" // plain
	differs    = "~" // plain, stored
	keyed      = "@" // key, elements, and order and shown if there is an order
	unkeyed    = "#" // shown, elements, and order if there is one
)

// maxDepth is how deep objects and lists of the annotation may be nested, less
// than what encoding/json reads.
const maxDepth = 5000

var errDepth = errors.New("objects and lists are nested too deep")

// encoder appends format 1, as JSON with no more escapes than it needs.
type encoder struct {
	text  []byte
	depth int
	err   error
}

var encoders = sync.Pool{New: func() any { return &encoder{} }}

// encoded calls use with an encoder, whose text is valid until use returns.
func encoded(use func(e *encoder)) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	*e = encoder{text: e.text[:0]}
	use(e)
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// next appends a comma if an element or member precedes.
func (e *encoder) next() {
	if n := len(e.text); n > 0 && strings.IndexByte("[{:", e.text[n-1]) < 0 {
		e.text = append(e.text, ',')
	}
}

// open begins an array or an object, which [encoder.shut] ends, and reports
// whether to write what is in it.
func (e *encoder) open(bracket byte) bool {
	e.next()
	if e.depth++; e.depth > maxDepth {
		e.fail(errDepth)
	}
	e.text = append(e.text, bracket)
	return e.err == nil
}

func (e *encoder) shut(bracket byte) {
	e.depth--
	e.text = append(e.text, bracket)
}

// name begins a member of an object.
func (e *encoder) name(name string) {
	e.string(name)
	e.text = append(e.text, ':')
}

func (e *encoder) string(s string) {
	e.next()
	e.text = appendString(e.text, s)
}

func (e *encoder) strings(all []string) {
	e.open('[')
	for _, s := range all {
		e.string(s)
	}
	e.shut(']')
}

func (e *encoder) value(value any) {
	switch v := value.(type) {
	case map[string]any:
		if e.open('{') {
			for _, name := range names(v) {
				e.name(name)
				e.value(v[name])
			}
		}
		e.shut('}')
	case []any:
		if e.open('[') {
			for _, element := range v {
				e.value(element)
			}
		}
		e.shut(']')
	case string:
		e.string(v)
	case Digest:
		e.string(string(v))
	case written:
		e.next()
		e.text = append(e.text, v...)
	case nil, bool, int64:
		e.next()
		e.text = appendScalar(e.text, v)
	case json.Number:
		p := newParser([]byte(v), string(v))
		if p.number(); p.end() != nil {
			e.fail(fmt.Errorf("%q is not a number", v))
		}
		e.next()
		e.text = append(e.text, v...)
	case float64:
		data, err := json.Marshal(v)
		if err != nil {
			e.fail(err)
		}
		e.next()
		e.text = append(e.text, data...)
	default:
		e.fail(fmt.Errorf("%T has no form in JSON", value))
	}
}

// names returns the names of an object's members, in order.
func names[T any](object map[string]T) []string {
	all := make([]string, 0, len(object))
	for name := range object {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func (e *encoder) node(n *node) {
	switch {
	case n.leaf != nil:
		e.open('[')
		e.leaf(n.leaf)
		e.shut(']')
	case n.list != nil:
		e.open('[')
		e.list(n.list)
		e.shut(']')
	default:
		if e.open('{') {
			for _, m := range n.members {
				e.name(m.name)
				e.node(m.node)
			}
		}
		e.shut('}')
	}
}

func (e *encoder) leaf(l *leaf) {
	form := differs
	switch {
	case l.plain == any(Absent{}):
		form = onlyStored
	case l.stored == any(Absent{}):
		form = onlyPlain
	}
	if _, ok := l.plain.(Digest); ok {
		form += "#"
	}
	e.string(form)
	if l.plain != any(Absent{}) {
		e.value(l.plain)
	}
	if l.stored != any(Absent{}) {
		e.value(l.stored)
	}
	if l.unless != nil {
		e.strings(l.unless)
	}
}

func (e *encoder) list(l *list) {
	if l.key != nil {
		e.string(keyed)
		e.strings(l.key)
	} else {
		e.string(unkeyed)
		e.string(join(l.shown))
	}
	if e.open('{') {
		for _, id := range names(l.elements) {
			e.name(id)
			e.node(l.elements[id])
		}
	}
	e.shut('}')
	if l.order != nil {
		e.strings(l.order)
		if l.key != nil {
			e.string(join(l.shown))
		}
	}
}

// join returns the text of contents.
func join(all []content) string {
	data := make([]byte, 0, len(all)*len(content{}))
	for _, c := range all {
		data = append(data, c[:]...)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// node reads a node of format 1.
func (p *parser) node() *node {
	if p.Next() == jsontext.KindBeginObject {
		return p.object()
	}
	var n *node
	p.Open(jsontext.KindBeginArray)
	switch form := p.string(); form {
	case onlyStored, onlyPlain, differs, onlyPlain + "#", differs + "#":
		n = newLeaf()
		p.leaf(form, n.leaf)
	case keyed, unkeyed:
		n = &node{list: p.list(form)}
	default:
		n = &node{}
		p.fail()
	}
	p.Close(jsontext.KindEndArray)
	return n
}

func (p *parser) object() *node {
	members := make([]member, 0, 8)
	p.members(func(name string) { members = append(members, member{name, p.node()}) })
	byName(members)
	same := func(a, b member) bool { return a.name == b.name }
	if len(members) == 0 || len(slices.CompactFunc(members, same)) < len(members) {
		p.fail()
	}
	return &node{members: members}
}

// more reports whether the array has another element.
func (p *parser) more() bool { return p.Next() != jsontext.KindEndArray }

// leaf reads what follows the form into l.
func (p *parser) leaf(form string, l *leaf) {
	l.plain, l.stored = Absent{}, Absent{}
	if form != onlyStored {
		if l.plain = p.value(); len(form) == 2 {
			digest, ok := l.plain.(string)
			if !ok {
				p.fail()
			}
			l.plain = Digest(digest)
		}
	}
	if form[:1] != onlyPlain {
		l.stored = p.written()
	}
	if form == onlyStored && p.more() {
		l.unless = p.strings()
	}
}

// list reads what follows the form.
func (p *parser) list(form string) *list {
	l := &list{elements: map[string]*node{}}
	if form == keyed {
		l.key = p.strings()
	} else {
		l.shown = p.contents()
	}
	p.members(func(id string) {
		if l.elements[id] != nil {
			p.fail()
		}
		l.elements[id] = p.node()
	})
	if p.more() {
		if l.order = p.strings(); form == keyed {
			l.shown = p.contents()
		}
	}
	if p.Err() != nil || !l.consistent() {
		p.fail()
	}
	return l
}

// consistent reports whether the list can have these elements.
func (l *list) consistent() bool {
	if l.key != nil && (len(l.key) == 0 || l.order != nil && len(l.shown) != 1) {
		return false
	}
	ordered := make(map[string]bool, len(l.order))
	for _, id := range l.order {
		ordered[id] = true
	}
	for id, n := range l.elements {
		added := n.added()
		if added && !ordered[id] {
			return false
		}
		if l.key == nil {
			i, err := strconv.Atoi(id)
			if err != nil || strconv.Itoa(i) != id || i < 0 || (i >= len(l.shown)) != added {
				return false
			}
		}
	}
	return true
}
