package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// scanner finds its way through JSON without decoding it. It goes by quotes
// and brackets only: whoever uses a value that it has passed decodes it or
// calls [valid] first.
type scanner struct {
	data  []byte
	at    int
	limit int // of nesting
}

// span is a part of the data.
type span struct{ from, to int }

func (s span) of(data []byte) []byte { return data[s.from:s.to] }
func (s span) found() bool           { return s.to > 0 }

// member is one of an object, when the scanner has come to its value.
type member struct {
	name []byte
	at   int // where its name begins, with the quote
}

func (s *scanner) fail(expected string) error {
	if s.at >= len(s.data) {
		return fmt.Errorf("byte %d: it ends here, expected %s", s.at, expected)
	}
	return fmt.Errorf("byte %d: expected %s", s.at, expected)
}

// next is the next byte that is no white space, 0 at the end.
func (s *scanner) next() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// take moves past a byte if it is the next.
func (s *scanner) take(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

// text moves past a string and returns what is between its quotes.
func (s *scanner) text() ([]byte, error) {
	if !s.take('"') {
		return nil, s.fail("a string")
	}
	from := s.at
	if s.at = stringEnd(s.data, from); s.at > len(s.data) {
		s.at = len(s.data)
		return nil, s.fail("the end of a string")
	}
	return s.data[from : s.at-1], nil
}

// stringEnd is what follows the string whose text begins at i, and more than
// the length of the data if it does not end.
func stringEnd(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
		i++
	}
	return len(data) + 1
}

// value moves past a value.
func (s *scanner) value() (span, error) {
	c := s.next()
	from := s.at
	switch c {
	case '"':
		_, err := s.text()
		return span{from, s.at}, err
	case '{', '[':
		err := s.nested()
		return span{from, s.at}, err
	}
	for s.at < len(s.data) && !delimits[s.data[s.at]] {
		s.at++
	}
	if s.at == from {
		return span{}, s.fail("a value")
	}
	return span{from, s.at}, nil
}

// delimits has the bytes that end a number or a literal.
var delimits = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true, '"': true, '{': true, '}': true, '[': true, ']': true}

// nested moves past an object or an array.
func (s *scanner) nested() error {
	depth := 0
	for i := s.at; i < len(s.data); i++ {
		switch s.data[i] {
		case '"':
			i = stringEnd(s.data, i+1) - 1
		case '{', '[':
			if depth++; depth > s.limit {
				s.at = i
				return &depthError{s.limit, i}
			}
		case '}', ']':
			if depth--; depth == 0 {
				s.at = i + 1
				return nil
			}
		}
	}
	s.at = len(s.data)
	return s.fail("the end of an object or array")
}

// depthError refuses JSON that is nested too deep.
type depthError struct{ limit, at int }

func (e *depthError) Error() string {
	return fmt.Sprintf("byte %d: JSON is nested deeper than the limit of %d", e.at, e.limit)
}

// members visits the members of an object and moves past it, or stops where
// visit returns an error. Visit moves past the value.
func (s *scanner) members(visit func(member) error) error {
	if !s.take('{') {
		return s.fail("an object")
	}
	if s.take('}') {
		return nil
	}
	for {
		s.next()
		m := member{at: s.at}
		var err error
		if m.name, err = s.text(); err != nil {
			return err
		}
		if bytes.IndexByte(m.name, '\\') >= 0 {
			if m.name, err = unquote(s.data[m.at:s.at]); err != nil {
				return fmt.Errorf("byte %d: a name that is no JSON string", m.at)
			}
		}
		if !s.take(':') {
			return s.fail("a colon after a name")
		}
		if err := visit(m); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.fail("a comma or the end of an object")
		}
	}
}

// values visits the values of an object's members.
func (s *scanner) values(visit func(m member, value span) error) error {
	return s.members(func(m member) error {
		v, err := s.value()
		if err != nil {
			return err
		}
		return visit(m, v)
	})
}

// elements visits the elements of an array and moves past it.
func (s *scanner) elements(visit func(span) error) error {
	if !s.take('[') {
		return s.fail("an array")
	}
	if s.take(']') {
		return nil
	}
	for {
		v, err := s.value()
		if err != nil {
			return err
		}
		if err := visit(v); err != nil {
			return err
		}
		if s.take(']') {
			return nil
		}
		if !s.take(',') {
			return s.fail("a comma or the end of an array")
		}
	}
}

// errFound ends a visit of members early.
var errFound = errors.New("found")

// unquote is the text of a JSON string. It must be valid UTF-8.
func unquote(quoted []byte) ([]byte, error) {
	return jsontext.AppendUnquote(nil, quoted)
}

// valid is whether data is one JSON value, of valid UTF-8 and without
// duplicate names.
func valid(data []byte) bool { return jsontext.Value(data).IsValid() }

// quote appends text as a JSON string.
func quote(dst []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // of a string it cannot fail
	return append(dst, quoted...)
}
