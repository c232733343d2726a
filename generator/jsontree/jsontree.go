// Package jsontree reads JSON into a tree that keeps the order of members and
// the place of every value, so that whoever reads a spec can say where it
// found what. Its main type is [Node]; a [Document] is a file's root.
//
// It is strict as encoding/json is, and stricter in that a member may not be
// repeated. Nothing is copied but strings with escapes, and lines, columns and
// pointers are worked out only when somebody asks for them.
package jsontree

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/generator/diag"
)

// MaxSize is the largest text that Parse takes, in bytes. The largest spec
// that Azure publishes has a few megabytes.
const MaxSize = 64 << 20

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. Missing is the kind of a nil *Node.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String names the kind as an error message does.
func (k Kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Node is a JSON value. All methods work on a nil Node, which is a value that
// is not there, so that lookups can be chained.
type Node struct {
	offset  int32
	kind    Kind
	text    string // the decoded string, the number's literal, "true" or "false"
	members []Member
	items   []*Node
	index   map[string]int32 // of the members, in large objects
}

// Member is a name and its value in an object.
type Member struct {
	Name  string
	Value *Node
}

// Kind returns the kind of the value.
func (n *Node) Kind() Kind {
	if n == nil {
		return Missing
	}
	return n.kind
}

// Offset returns the index of the value's first byte in the text.
func (n *Node) Offset() int64 {
	if n == nil {
		return 0
	}
	return int64(n.offset)
}

// Members returns an object's members in the order of the text, nil for other kinds.
func (n *Node) Members() []Member {
	if n == nil {
		return nil
	}
	return n.members
}

// Items returns an array's elements, nil for other kinds.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}

// Get returns the member of that name, or nil.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	if n.index != nil {
		if i, ok := n.index[name]; ok {
			return n.members[i].Value
		}
		return nil
	}
	for i := range n.members {
		if n.members[i].Name == name {
			return n.members[i].Value
		}
	}
	return nil
}

// Has reports whether an object has a member of that name.
func (n *Node) Has(name string) bool { return n.Get(name) != nil }

// Names returns the names of an object's members, in the order of the text.
func (n *Node) Names() []string {
	names := make([]string, len(n.Members()))
	for i, m := range n.Members() {
		names[i] = m.Name
	}
	return names
}

// Text returns the decoded text of a string, "" for other kinds.
func (n *Node) Text() string {
	if n.Kind() != String {
		return ""
	}
	return n.text
}

// Literal returns the decoded text of a string, a number or boolean as the text
// spells it, or "null"; and "" for arrays and objects.
func (n *Node) Literal() string {
	switch n.Kind() {
	case Null:
		return "null"
	case Bool, Number, String:
		return n.text
	}
	return ""
}

// JSON returns the value as compact JSON, with members and numbers as the text has them,
// or "" for a value that is not there.
func (n *Node) JSON() string {
	var b strings.Builder
	n.writeJSON(&b)
	return b.String()
}

func (n *Node) writeJSON(b *strings.Builder) {
	switch n.Kind() {
	case String:
		b.WriteString(quote(n.text))
	case Array:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(m.Name) + ":")
			m.Value.writeJSON(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString(n.Literal())
	}
}

func quote(text string) string {
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		panic(err) // cannot happen: Parse refuses text that is no UTF-8
	}
	return string(quoted)
}

// True reports whether the value is true.
func (n *Node) True() bool { return n.Kind() == Bool && n.text == "true" }

// Float returns a number's value; ok is false for other kinds.
func (n *Node) Float() (value float64, ok bool) {
	if n.Kind() != Number {
		return 0, false
	}
	value, err := strconv.ParseFloat(n.text, 64)
	return value, err == nil
}

// Int returns the value of a whole number in int64's range, which may be
// written as 1.0 or 1e3; ok is false for all else.
func (n *Node) Int() (value int64, ok bool) {
	if n.Kind() != Number {
		return 0, false
	}
	if value, err := strconv.ParseInt(n.text, 10, 64); err == nil {
		return value, true
	}
	f, ok := n.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// Document is a JSON text and its tree.
type Document struct {
	// Name is the file's, as errors and notes show it.
	Name string
	Root *Node

	text []byte
}

// Position returns the line and the column of a node, both from 1.
func (d *Document) Position(n *Node) (line, column int) {
	return diag.Position(d.text, n.Offset())
}

// Place is a value and the document that has it, for whoever must say later
// where something came from. The zero Place is nowhere.
type Place struct {
	Doc  *Document
	Node *Node
}

// Errorf returns an error at the place.
func (p Place) Errorf(format string, args ...any) diag.Error {
	if p.Doc == nil {
		return diag.Error{Message: fmt.Sprintf(format, args...)}
	}
	return p.Doc.Errorf(p.Node, format, args...)
}

// String returns the place as messages show it, "file:line:column", or "".
func (p Place) String() string {
	if p.Doc == nil {
		return ""
	}
	line, column := p.Doc.Position(p.Node)
	return fmt.Sprintf("%s:%d:%d", p.Doc.Name, line, column)
}

// Errorf returns an error at a node.
func (d *Document) Errorf(n *Node, format string, args ...any) diag.Error {
	line, column := d.Position(n)
	return diag.Error{File: d.Name, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// Find returns the node at a JSON pointer (RFC 6901), or nil. "" is the root.
func (d *Document) Find(pointer string) *Node {
	n := d.Root
	for pointer != "" {
		if pointer[0] != '/' {
			return nil
		}
		var token string
		token, pointer = pointer[1:], ""
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, pointer = token[:i], token[i:]
		}
		n = n.step(Unescape(token))
	}
	return n
}

func (n *Node) step(token string) *Node {
	if n.Kind() != Array {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.items) {
		return nil
	}
	return n.items[i]
}

// Pointer returns the JSON pointer of a node of this document.
func (d *Document) Pointer(n *Node) string {
	var pointer strings.Builder
	for at := d.Root; at != nil && at != n; {
		// Siblings stand in order, so the way down leads through the last
		// child that does not begin behind n.
		switch at.kind {
		case Object:
			i := sort.Search(len(at.members), func(i int) bool { return at.members[i].Value.offset > n.offset }) - 1
			if i < 0 {
				return pointer.String()
			}
			pointer.WriteString("/" + Escape(at.members[i].Name))
			at = at.members[i].Value
		case Array:
			i := sort.Search(len(at.items), func(i int) bool { return at.items[i].offset > n.offset }) - 1
			if i < 0 {
				return pointer.String()
			}
			pointer.WriteString("/" + strconv.Itoa(i))
			at = at.items[i]
		default:
			return pointer.String()
		}
	}
	return pointer.String()
}

// Escape returns a name as a token of a JSON pointer.
func Escape(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Unescape returns the name that a token of a JSON pointer stands for.
func Unescape(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
