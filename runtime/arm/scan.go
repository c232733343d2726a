package arm

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// scanner goes through a text that is valid JSON.
type scanner struct {
	text []byte
	at   int
}

// peek is the first byte of what is next.
func (s *scanner) peek() byte {
	for {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			s.at++
		default:
			return c
		}
	}
}

// what says in a message of what kind the next value is.
func (s *scanner) what() string {
	switch s.peek() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// null passes over a null.
func (s *scanner) null() bool {
	if s.peek() != 'n' {
		return false
	}
	s.at += len("null")
	return true
}

// skip passes over the next value and returns it.
func (s *scanner) skip() []byte {
	s.peek()
	start := s.at
	for depth := 0; s.at < len(s.text); {
		switch s.text[s.at] {
		case '"':
			s.literal()
		case '{', '[':
			depth++
			s.at++
			continue
		case '}', ']':
			depth--
			s.at++
		case ' ', '\t', '\n', '\r', ',', ':':
			s.at++
			continue
		default:
			s.word()
		}
		if depth == 0 {
			break
		}
	}
	return s.text[start:s.at]
}

// word passes over a number, true, false or null.
func (s *scanner) word() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r', ',', '}', ']':
			return
		}
		s.at++
	}
}

// literal passes over a string and returns what is between its quotes, and
// whether that is what the string says.
func (s *scanner) literal() (text []byte, plain bool) {
	s.at++
	start, plain := s.at, true
	for s.text[s.at] != '"' {
		switch c := s.text[s.at]; {
		case c == '\\':
			plain = false
			s.at++
		case c >= utf8.RuneSelf:
			plain = false
		}
		s.at++
	}
	s.at++
	return s.text[start : s.at-1], plain
}

// string reads a string. The result may share the scanner's text.
func (s *scanner) string() []byte {
	s.peek()
	start := s.at
	text, plain := s.literal()
	if plain {
		return text
	}
	var value string
	if err := json.Unmarshal(s.text[start:s.at], &value); err != nil {
		panic(err) // the text is valid
	}
	return []byte(value)
}

// each yields the names of an object's members. The caller passes over each
// member's value.
func (s *scanner) each(yield func(name []byte) bool) {
	s.peek()
	s.at++
	for s.peek() != '}' {
		if !yield(s.string()) {
			return
		}
	}
	s.at++
}

// elements yields the indexes of an array's elements, which the caller passes over.
func (s *scanner) elements(yield func(i int) bool) {
	s.peek()
	s.at++
	for i := 0; s.peek() != ']'; i++ {
		if !yield(i) {
			return
		}
	}
	s.at++
}

// lookAhead returns the string that the next object has under a name, given by
// ARM and so compared without case.
func (s scanner) lookAhead(name string) (value string, found bool) {
	for member := range s.each {
		if !strings.EqualFold(string(member), name) {
			s.skip()
			continue
		}
		if s.peek() != '"' {
			return "", false
		}
		return string(s.string()), true
	}
	return "", false
}

// copyNext is a copy of the next value.
func (s scanner) copyNext() []byte { return slices.Clone(s.skip()) }
