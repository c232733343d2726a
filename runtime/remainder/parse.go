package remainder

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// parse reads one JSON value, with every number as it was written. The tree
// shares the text.
func parse(text string) (tree any, err error) {
	p := newParser([]byte(text), text)
	tree = p.value()
	if err := p.end(); err != nil {
		return nil, err
	}
	return tree, nil
}

// parser reads JSON. After an error all that it reads is empty.
type parser struct {
	*rawjson.Reader
	text string
}

// newParser returns a parser of a text, which is given in two forms.
func newParser(data []byte, text string) parser { return parser{rawjson.New(data), text} }

// end ends the use of the parser. It returns an error unless everything was
// read as it should be.
func (p *parser) end() error {
	defer p.Free()
	if p.End() != nil {
		return errDamaged
	}
	return nil
}

func (p *parser) fail() { p.Fail(errDamaged) }

func (p *parser) value() any {
	switch p.Next() {
	case jsontext.KindBeginObject:
		object := map[string]any{}
		p.members(func(name string) { object[name] = p.value() })
		return object
	case jsontext.KindBeginArray:
		list := []any{}
		for range p.Elements {
			list = append(list, p.value())
		}
		return list
	case jsontext.KindString:
		return p.string()
	case jsontext.KindNumber:
		return p.number()
	case jsontext.KindTrue:
		p.Value()
		return true
	case jsontext.KindFalse:
		p.Value()
		return false
	}
	p.Value()
	return nil
}

// members calls member for each member of an object, to read its value.
func (p *parser) members(member func(name string)) {
	p.Open(jsontext.KindBeginObject)
	for p.Next() == jsontext.KindString {
		member(p.string())
	}
	p.Close(jsontext.KindEndObject)
}

// part returns what was just read as a part of the text.
func (p *parser) part(value []byte) string {
	return p.text[p.Offset()-len(value) : p.Offset()]
}

func (p *parser) string() string {
	if p.Next() != jsontext.KindString {
		p.fail()
		return ""
	}
	quoted := p.Value()
	if len(quoted) < 2 {
		return ""
	}
	if inner := quoted[1 : len(quoted)-1]; !rawjson.IsPlain(inner) {
		return string(rawjson.Unquote(quoted))
	}
	text := p.part(quoted)
	return text[1 : len(text)-1]
}

func (p *parser) number() json.Number {
	if p.Next() != jsontext.KindNumber {
		p.fail()
		return ""
	}
	return json.Number(p.part(p.Value()))
}

func (p *parser) int() int {
	i, err := strconv.Atoi(string(p.number()))
	if err != nil {
		p.fail()
	}
	return i
}

// written is the text of a JSON value. Its tree is made only when it is needed.
type written string

// treeIn returns what a tree has at a place: a value, or one that is still text.
func treeIn(value any) any {
	if w, ok := value.(written); ok {
		value, _ = parse(string(w)) // it was read before
	}
	return value
}

// maxWritten is how deep objects and lists may be nested in a value that is left
// as it is written, because nothing counts them again.
const maxWritten = 100

// written reads a value and leaves an object or list as it is written.
func (p *parser) written() any {
	if next := p.Next(); next != jsontext.KindBeginObject && next != jsontext.KindBeginArray {
		return p.value()
	}
	value, depth := p.Nested()
	text := p.part(value)
	if depth > maxWritten {
		tree, _ := parse(text)
		return tree
	}
	return written(text)
}

// strings reads a list of strings, of which no two are the same.
func (p *parser) strings() []string {
	all := []string{}
	for range p.Elements {
		all = append(all, p.string())
	}
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
