package remainder

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// parse reads one JSON value, with every number as it was written. The tree
// shares the text.
func parse(text string) (tree any, err error) {
	p := parser{text: text}
	tree = p.value()
	return tree, p.end()
}

// parser reads JSON, once and from the beginning to the end. What is no JSON,
// or not what was asked for, ends it; then all that it reads is empty.
type parser struct {
	text    string
	at      int
	depth   int
	deepest int
	damaged bool
}

// maxRead is how many objects and lists the parser reads in each other; it is
// that of encoding/json.
const maxRead = 10000

func (p *parser) fail() { p.damaged, p.at = true, len(p.text) }

// end is an error unless all was read as it should be.
func (p *parser) end() error {
	if p.next() != 0 || p.at < len(p.text) {
		p.fail()
	}
	if p.damaged {
		return errDamaged
	}
	return nil
}

// next is the next byte that is no white space, 0 at the end.
func (p *parser) next() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take is whether c comes next, which is read then.
func (p *parser) take(c byte) bool {
	if p.next() != c || p.at == len(p.text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(c byte) {
	if !p.take(c) {
		p.fail()
	}
}

// open begins a list or an object, which [parser.shut] ends.
func (p *parser) open(bracket byte) {
	if p.depth++; p.depth > maxRead {
		p.fail()
	}
	p.deepest = max(p.deepest, p.depth)
	p.want(bracket)
}

func (p *parser) shut(bracket byte) {
	p.depth--
	p.want(bracket)
}

func (p *parser) list(element func()) {
	p.open('[')
	if p.next() != ']' {
		element()
		for p.take(',') {
			element()
		}
	}
	p.shut(']')
}

func (p *parser) object(member func(name string)) {
	one := func() {
		name := p.string()
		p.want(':')
		member(name)
	}
	p.open('{')
	if p.next() != '}' {
		one()
		for p.take(',') {
			one()
		}
	}
	p.shut('}')
}

func (p *parser) value() any {
	switch p.next() {
	case '{':
		object := map[string]any{}
		p.object(func(name string) { object[name] = p.value() })
		return object
	case '[':
		list := []any{}
		p.list(func() { list = append(list, p.value()) })
		return list
	case '"':
		return p.string()
	case 't':
		p.word("true")
		return true
	case 'f':
		p.word("false")
		return false
	case 'n':
		p.word("null")
		return nil
	}
	return p.number()
}

// written is the text of a JSON value, of which a tree is made when it is needed.
type written string

// tree is the value, which has been read without a fault before.
func (w written) tree() any {
	p := parser{text: string(w)}
	return p.value()
}

// treeIn is what a tree has at a place: a value, or what is still text.
func treeIn(value any) any {
	if w, ok := value.(written); ok {
		return w.tree()
	}
	return value
}

// maxWritten is how many objects and lists may be in each other in what is left
// as it is written, since nobody counts them again.
const maxWritten = 100

// written reads a value and leaves an object or list as it is written.
func (p *parser) written() any {
	if c := p.next(); c != '{' && c != '[' {
		return p.value()
	}
	start := p.at
	p.deepest = p.depth
	if p.pass(); p.deepest-p.depth > maxWritten && !p.damaged {
		p.at = start
		return p.value()
	}
	return written(p.text[start:p.at])
}

// pass reads a value and forgets it.
func (p *parser) pass() {
	switch p.next() {
	case '{':
		p.object(func(string) { p.pass() })
	case '[':
		p.list(p.pass)
	case '"':
		p.string()
	case 't', 'f', 'n':
		p.value()
	default:
		p.number()
	}
}

func (p *parser) word(word string) {
	if end := p.at + len(word); end <= len(p.text) && p.text[p.at:end] == word {
		p.at = end
		return
	}
	p.fail()
}

func (p *parser) number() json.Number {
	p.next()
	start := p.at
	p.skip('-')
	if !p.skip('0') {
		p.digits()
	}
	if p.skip('.') {
		p.digits()
	}
	if p.skip('e') || p.skip('E') {
		if !p.skip('-') {
			p.skip('+')
		}
		p.digits()
	}
	if p.damaged {
		return ""
	}
	return json.Number(p.text[start:p.at])
}

// skip is whether c is just here, which is read then.
func (p *parser) skip(c byte) bool {
	if p.at == len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) digits() {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	if p.at == start {
		p.fail()
	}
}

func (p *parser) string() string {
	p.want('"')
	start, plain := p.at, true
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return p.unquoted(start, plain)
		case c < ' ':
			p.fail()
			return ""
		case c == '\\':
			plain = false
			p.at++
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	p.fail()
	return ""
}

// unquoted is the string that was just read. One with escapes, or bytes that
// are no ASCII, is rare enough to leave it to encoding/json.
func (p *parser) unquoted(start int, plain bool) string {
	if inner := p.text[start : p.at-1]; plain {
		return inner
	}
	var s string
	if json.Unmarshal([]byte(p.text[start-1:p.at]), &s) != nil {
		p.fail()
	}
	return s
}

func (p *parser) int() int {
	i, err := strconv.Atoi(string(p.number()))
	if err != nil {
		p.fail()
	}
	return i
}

// strings reads a list of strings, of which no two are the same.
func (p *parser) strings() []string {
	all := []string{}
	p.list(func() { all = append(all, p.string()) })
	if sorted := slices.Sorted(slices.Values(all)); len(slices.Compact(sorted)) < len(all) {
		p.fail()
	}
	return all
}

// contents reads what [join] wrote.
func (p *parser) contents() []content {
	data, err := base64.RawURLEncoding.DecodeString(p.string())
	if err != nil || len(data)%len(content{}) != 0 {
		p.fail()
		return nil
	}
	all := make([]content, 0, len(data)/len(content{}))
	for c := range slices.Chunk(data, len(content{})) {
		all = append(all, content(c))
	}
	return all
}
