package jsontree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxDepth keeps a malicious text from exhausting the stack.
	maxDepth = 1000
	// indexFrom is the number of members from which an index pays.
	indexFrom = 12
	// slab is the number of nodes that are allocated at once.
	slab = 512
)

// Parse reads a text. The error is a [diag.Error] at the first offending byte.
// A byte order mark is skipped, as many published specs begin with one.
func Parse(name string, text []byte) (*Document, error) {
	if err := CheckSize(int64(len(text))); err != nil {
		return nil, diag.Error{File: name, Message: err.Error()}
	}
	p := &parser{doc: &Document{Name: name, text: text}, src: string(text)}
	rest := bytes.TrimPrefix(text, []byte("\ufeff"))
	p.start = len(text) - len(rest)
	p.Decoder = jsontext.NewDecoder(bytes.NewBuffer(rest), jsontext.AllowInvalidUTF8(true)) // as in encoding/json
	root, err := p.value()
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return nil, p.positioned(err)
	}
	p.doc.Root = root
	return p.doc, nil
}

// CheckSize returns an error if a file is too big to be parsed, so that it need
// not even be read.
func CheckSize(size int64) error {
	if size > MaxSize {
		return fmt.Errorf("the file has %d MiB; at most %d MiB are read", size>>20, MaxSize>>20)
	}
	return nil
}

type parser struct {
	*jsontext.Decoder
	doc   *Document
	src   string
	start int // of what the decoder reads, in src

	free []Node
	// Children are gathered on these stacks, so that each node gets a slice
	// of exactly its own size.
	members []Member
	items   []*Node
}

// end returns an error if anything follows the value.
func (p *parser) end() error {
	switch _, err := p.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return p.errorf("found more than one value")
	default:
		return err
	}
}

// errorf returns an error at what was read last.
func (p *parser) errorf(format string, args ...any) error {
	return &jsontext.SyntacticError{ByteOffset: p.InputOffset() - 1, Err: fmt.Errorf(format, args...)}
}

// positioned returns an error with file, line and column.
func (p *parser) positioned(err error) error {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		syntax = &jsontext.SyntacticError{ByteOffset: p.InputOffset(), Err: err}
	}
	message := syntax.Err.Error()
	if syntax.Err == jsontext.ErrDuplicateName {
		message = fmt.Sprintf("the object has a second member %q", syntax.JSONPointer.LastToken())
	}
	line, column := diag.Position(p.doc.text, syntax.ByteOffset+int64(p.start))
	return diag.Error{File: p.doc.Name, Line: line, Column: column, Message: "invalid JSON: " + message}
}

// node returns a node of what was read last, which had so many bytes.
func (p *parser) node(kind Kind, size int) *Node {
	if len(p.free) == 0 {
		p.free = make([]Node, slab)
	}
	n := &p.free[0]
	p.free = p.free[1:]
	end := p.start + int(p.InputOffset())
	n.kind, n.offset, n.text = kind, int32(end-size), p.src[end-size:end]
	return n
}

func (p *parser) value() (*Node, error) {
	switch kind := p.PeekKind(); kind {
	case jsontext.KindBeginObject:
		return p.object()
	case jsontext.KindBeginArray:
		return p.array()
	default:
		value, err := p.ReadValue()
		if err != nil {
			return nil, err
		}
		n := p.node(kinds[kind], len(value))
		if kind == jsontext.KindString {
			n.text = unquoted(n.text)
		}
		return n, nil
	}
}

// name reads the name of a member.
func (p *parser) name() (string, error) {
	value, err := p.ReadValue()
	if err != nil {
		return "", err
	}
	end := p.start + int(p.InputOffset())
	return unquoted(p.src[end-len(value) : end]), nil
}

// kinds has the kinds of values that have no others within them.
var kinds = map[jsontext.Kind]Kind{
	jsontext.KindNull: Null, jsontext.KindTrue: Bool, jsontext.KindFalse: Bool, jsontext.KindString: String, jsontext.KindNumber: Number,
}

// unquoted returns what a JSON string says.
func unquoted(quoted string) string {
	inner := quoted[1 : len(quoted)-1]
	if strings.IndexByte(inner, '\\') < 0 && utf8.ValidString(inner) {
		return inner
	}
	text, _ := jsontext.AppendUnquote(nil, quoted) // U+FFFD for what is not UTF-8
	return string(text)
}

// open begins an object or array.
func (p *parser) open(kind Kind) (*Node, error) {
	if _, err := p.ReadToken(); err != nil {
		return nil, err
	}
	if p.StackDepth() > maxDepth {
		return nil, p.errorf("nested deeper than %d levels", maxDepth)
	}
	n := p.node(kind, 1)
	n.text = ""
	return n, nil
}

func (p *parser) object() (*Node, error) {
	n, err := p.open(Object)
	if err != nil {
		return nil, err
	}
	base := len(p.members)
	for p.PeekKind() == jsontext.KindString {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		p.members = append(p.members, Member{name, value})
	}
	n.members = append(make([]Member, 0, len(p.members)-base), p.members[base:]...)
	p.members = p.members[:base]
	if len(n.members) >= indexFrom {
		n.index = make(map[string]int32, len(n.members))
		for i, m := range n.members {
			n.index[m.Name] = int32(i)
		}
	}
	_, err = p.ReadToken()
	return n, err
}

func (p *parser) array() (*Node, error) {
	n, err := p.open(Array)
	if err != nil {
		return nil, err
	}
	base := len(p.items)
	for kind := p.PeekKind(); kind != jsontext.KindEndArray && kind != jsontext.KindInvalid; kind = p.PeekKind() {
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		p.items = append(p.items, value)
	}
	n.items = append(make([]*Node, 0, len(p.items)-base), p.items[base:]...)
	p.items = p.items[:base]
	_, err = p.ReadToken()
	return n, err
}
