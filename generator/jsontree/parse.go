package jsontree

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/armature-dev/armature/generator/diag"
)

const (
	// maxDepth keeps a malicious text from exhausting the stack.
	maxDepth = 1000
	// indexFrom is the number of members from which an index pays.
	indexFrom = 12
	// slab is how many nodes are allocated at once.
	slab = 512
)

// Parse reads a text. The error is a [diag.Error] at the first offending byte.
// A byte order mark is skipped, as many published specs begin with one.
func Parse(name string, text []byte) (*Document, error) {
	if err := CheckSize(int64(len(text))); err != nil {
		return nil, diag.Error{File: name, Message: err.Error()}
	}
	p := &parser{doc: &Document{Name: name, text: text}, src: string(text)}
	if strings.HasPrefix(p.src, "\ufeff") {
		p.at = len("\ufeff")
	}
	root, err := p.document()
	if err != nil {
		return nil, err
	}
	p.doc.Root = root
	return p.doc, nil
}

// CheckSize tells whether a file is too big to be parsed, so that it need not
// even be read.
func CheckSize(size int64) error {
	if size > MaxSize {
		return fmt.Errorf("the file has %d MiB; at most %d MiB are read", size>>20, MaxSize>>20)
	}
	return nil
}

type parser struct {
	doc   *Document
	src   string
	at    int
	depth int

	free []Node
	// Children are gathered on these stacks, so that each node gets a slice
	// of exactly its own size.
	members []Member
	items   []*Node
}

func (p *parser) document() (*Node, error) {
	p.space()
	root, err := p.value()
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(p.src) {
		return nil, p.errorf(p.at, "found %s behind the end of the JSON value", p.found())
	}
	return root, nil
}

func (p *parser) errorf(offset int, format string, args ...any) error {
	line, column := diag.Position(p.doc.text, int64(offset))
	return diag.Error{File: p.doc.Name, Line: line, Column: column, Message: "invalid JSON: " + fmt.Sprintf(format, args...)}
}

// found describes what stands at the parser's place.
func (p *parser) found() string {
	if p.at >= len(p.src) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.at:])
	return fmt.Sprintf("%q", r)
}

func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\n', '\r', '\t':
			p.at++
		default:
			return
		}
	}
}

// take consumes c, if it comes next behind white space.
func (p *parser) take(c byte) bool {
	p.space()
	if p.at < len(p.src) && p.src[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) node(kind Kind, offset int) *Node {
	if len(p.free) == 0 {
		p.free = make([]Node, slab)
	}
	n := &p.free[0]
	p.free = p.free[1:]
	n.kind, n.offset = kind, int32(offset)
	return n
}

// value reads the value that begins right here.
func (p *parser) value() (*Node, error) {
	if p.at >= len(p.src) {
		return nil, p.errorf(p.at, "found the end of the file, expected a value")
	}
	switch c := p.src[p.at]; {
	case c == '{':
		return p.nested((*parser).object)
	case c == '[':
		return p.nested((*parser).array)
	case c == '"':
		n := p.node(String, p.at)
		text, err := p.str()
		n.text = text
		return n, err
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	for _, word := range []struct {
		text string
		kind Kind
	}{{"true", Bool}, {"false", Bool}, {"null", Null}} {
		if strings.HasPrefix(p.src[p.at:], word.text) {
			n := p.node(word.kind, p.at)
			n.text = word.text
			p.at += len(word.text)
			return n, nil
		}
	}
	return nil, p.errorf(p.at, "found %s, expected a value", p.found())
}

func (p *parser) nested(read func(*parser) (*Node, error)) (*Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.errorf(p.at, "nested deeper than %d levels", maxDepth)
	}
	n, err := read(p)
	p.depth--
	return n, err
}

func (p *parser) object() (*Node, error) {
	n := p.node(Object, p.at)
	p.at++
	if p.take('}') {
		return n, nil
	}
	base := len(p.members)
	for {
		p.space()
		nameAt := p.at
		if p.at >= len(p.src) || p.src[p.at] != '"' {
			return nil, p.errorf(p.at, "found %s, expected a member's name in quotes", p.found())
		}
		name, err := p.str()
		if err != nil {
			return nil, err
		}
		if !p.take(':') {
			return nil, p.errorf(p.at, "found %s, expected ':' behind the name %q", p.found(), name)
		}
		p.space()
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		p.members = append(p.members, Member{name, value})
		if !n.enter(p.members[base:]) {
			return nil, p.errorf(nameAt, "the object has a second member %q", name)
		}
		if p.take(',') {
			continue
		}
		if !p.take('}') {
			return nil, p.errorf(p.at, "found %s, expected ',' or '}' behind the value of %q", p.found(), name)
		}
		n.members = append(make([]Member, 0, len(p.members)-base), p.members[base:]...)
		p.members = p.members[:base]
		return n, nil
	}
}

// enter adds the last member to the index, which it begins once there are
// enough members, and tells whether its name is new.
func (n *Node) enter(members []Member) bool {
	last := len(members) - 1
	if n.index == nil {
		for i := range last {
			if members[i].Name == members[last].Name {
				return false
			}
		}
		if len(members) < indexFrom {
			return true
		}
		n.index = make(map[string]int32, 2*indexFrom)
		for i := range last {
			n.index[members[i].Name] = int32(i)
		}
	}
	if _, taken := n.index[members[last].Name]; taken {
		return false
	}
	n.index[members[last].Name] = int32(last)
	return true
}

func (p *parser) array() (*Node, error) {
	n := p.node(Array, p.at)
	p.at++
	if p.take(']') {
		return n, nil
	}
	base := len(p.items)
	for {
		p.space()
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		p.items = append(p.items, value)
		if p.take(',') {
			continue
		}
		if !p.take(']') {
			return nil, p.errorf(p.at, "found %s, expected ',' or ']' behind an element", p.found())
		}
		n.items = append(make([]*Node, 0, len(p.items)-base), p.items[base:]...)
		p.items = p.items[:base]
		return n, nil
	}
}

// str reads the string that begins right here.
func (p *parser) str() (string, error) {
	begin := p.at
	for i := begin + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			p.at = i + 1
			return p.src[begin+1 : i], nil
		case c == '\\' || c >= utf8.RuneSelf:
			return p.escaped(begin, i)
		case c < ' ':
			return "", p.errorf(i, "found the control character %q in a string", rune(c))
		}
	}
	return "", p.errorf(begin, "the string does not end")
}

// escaped reads a string that has an escape, or a rune outside ASCII, at i.
func (p *parser) escaped(begin, i int) (string, error) {
	for ; i < len(p.src) && p.src[i] != '"'; i++ {
		if p.src[i] == '\\' {
			i++
		}
	}
	if i >= len(p.src) {
		return "", p.errorf(begin, "the string does not end")
	}
	var text string
	if err := json.Unmarshal(p.doc.text[begin:i+1], &text); err != nil {
		return "", p.errorf(begin, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	p.at = i + 1
	return text, nil
}

func (p *parser) number() (*Node, error) {
	n := p.node(Number, p.at)
	begin := p.at
	for p.at < len(p.src) && strings.IndexByte("+-.eE0123456789", p.src[p.at]) >= 0 {
		p.at++
	}
	n.text = p.src[begin:p.at]
	if !json.Valid([]byte(n.text)) {
		return nil, p.errorf(begin, "%s is not a number", n.text)
	}
	return n, nil
}
