// Package rawjson reads JSON in memory without making Go values of it, for
// packages that pass most of a text on as it is. Its main type is [Reader],
// which is a [jsontext.Decoder] whose errors need not be checked at each step.
package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Reader reads one JSON value, part by part, from the beginning to the end. It takes
// what encoding/json takes: an object may have a name twice, and invalid UTF-8 becomes
// U+FFFD. After the first error everything that it reads is empty, and [Reader.Next] is
// [jsontext.KindInvalid].
//
// What it returns is part of the text, unless a string has escapes or invalid
// UTF-8.
type Reader struct {
	text    []byte
	source  bytes.Buffer // of the text, which jsontext then does not copy
	decoder jsontext.Decoder
	err     error
}

var readers = sync.Pool{New: func() any { return new(Reader) }}

// New returns a reader of a text. [Reader.Free] may return it for reuse.
func New(text []byte) *Reader {
	r := readers.Get().(*Reader)
	r.text, r.err = text, nil
	r.source = *bytes.NewBuffer(text)
	r.decoder.Reset(&r.source, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return r
}

// Free ends the use of a reader. What it has returned stays valid.
func (r *Reader) Free() {
	if len(r.text) <= maxKept { // what is kept holds on to the text
		readers.Put(r)
	}
}

const maxKept = 64 << 10

// Check returns an error if a text is not one JSON value.
func Check(text []byte) error {
	r := New(text)
	defer r.Free()
	r.Value()
	return r.End()
}

// Error says where a text is not as it should be.
type Error struct {
	// Offset is the index of a byte in the text.
	Offset int
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %v", e.Offset, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Fail ends the reading with an error, unless there was one before.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// failed notes an error of the decoder.
func (r *Reader) failed(err error) {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax):
		r.Fail(&Error{int(syntax.ByteOffset), syntax.Err})
	case err == io.EOF:
		r.Fail(&Error{len(r.text), io.ErrUnexpectedEOF})
	default:
		r.Fail(err)
	}
}

// Next returns the kind of what comes next: of a value, or of the end of the
// object or array that is being read.
func (r *Reader) Next() jsontext.Kind {
	if r.err != nil {
		return jsontext.KindInvalid
	}
	return r.decoder.PeekKind()
}

// Offset returns the index of the byte behind what was read last.
func (r *Reader) Offset() int { return int(r.decoder.InputOffset()) }

// Rest returns the text from the next value on.
func (r *Reader) Rest() []byte {
	return bytes.TrimLeft(r.text[r.Offset():], " \t\r\n,:")
}

// Since returns the text that was read since [Reader.Rest] returned rest.
func (r *Reader) Since(rest []byte) []byte {
	return rest[:max(len(rest)-len(r.text)+r.Offset(), 0)]
}

// Value reads a value and returns its text.
func (r *Reader) Value() []byte {
	if r.err != nil {
		return nil
	}
	value, err := r.decoder.ReadValue()
	if err != nil {
		r.failed(err)
		return nil
	}
	return value
}

// Measure says what a value consists of.
type Measure struct {
	// Depth is how deep objects and arrays are nested.
	Depth int
	// Objects counts objects, and null, which can stand for one.
	Objects int
	// Strings counts strings, names included.
	Strings int
	// Lists counts arrays.
	Lists int
	// Others counts numbers and booleans.
	Others int
}

// Nested is like [Reader.Value], and also returns how deep objects and arrays are
// nested in the value.
func (r *Reader) Nested() (value []byte, depth int) {
	value, m := r.Measured()
	return value, m.Depth
}

// Measured is [Reader.Value], and measures the value.
func (r *Reader) Measured() (value []byte, m Measure) {
	if r.err != nil {
		return nil, m
	}
	rest, around := r.Rest(), r.decoder.StackDepth()
	for {
		token, err := r.decoder.ReadToken()
		if err != nil {
			r.failed(err)
			return nil, Measure{}
		}
		switch token.Kind() {
		case jsontext.KindBeginObject, jsontext.KindNull:
			m.Objects++
		case jsontext.KindString:
			m.Strings++
		case jsontext.KindBeginArray:
			m.Lists++
		case jsontext.KindEndObject, jsontext.KindEndArray:
		default:
			m.Others++
		}
		now := r.decoder.StackDepth() - around
		if now <= 0 {
			break
		}
		m.Depth = max(m.Depth, now)
	}
	return r.Since(rest), m
}

// Open begins an object or array, which [Reader.Close] ends.
func (r *Reader) Open(kind jsontext.Kind) { r.bracket(kind) }

// Close ends an object or array, of which everything was read.
func (r *Reader) Close(kind jsontext.Kind) { r.bracket(kind) }

func (r *Reader) bracket(kind jsontext.Kind) {
	r.expect(kind)
	if r.err != nil {
		return
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		r.failed(err)
	}
}

// Members reads an object. It yields the names of its members; the caller reads
// each member's value.
func (r *Reader) Members(yield func(name []byte) bool) {
	r.Open(jsontext.KindBeginObject)
	for r.Next() == jsontext.KindString {
		if !yield(r.Text()) {
			return
		}
	}
	r.Close(jsontext.KindEndObject)
}

// Elements reads an array. It yields the indexes of its elements, which the
// caller reads.
func (r *Reader) Elements(yield func(i int) bool) {
	r.Open(jsontext.KindBeginArray)
	for i := 0; r.more(); i++ {
		if !yield(i) {
			return
		}
	}
	r.Close(jsontext.KindEndArray)
}

// more reports whether there is another element.
func (r *Reader) more() bool {
	next := r.Next()
	return next != jsontext.KindEndArray && next != jsontext.KindInvalid
}

// Text reads a string and returns what it says.
func (r *Reader) Text() []byte {
	r.expect(jsontext.KindString)
	return Unquote(r.Value())
}

// expect fails unless what comes next is of a kind. What is not JSON is left to
// whoever reads it.
func (r *Reader) expect(kind jsontext.Kind) {
	if next := r.Next(); next != kind && next != jsontext.KindInvalid {
		r.Fail(&Error{len(r.text) - len(r.Rest()), fmt.Errorf("found %s, expected %s", Describe(next), Describe(kind))})
	}
}

// End returns an error unless the value was read to its end, without an error,
// and nothing follows it.
func (r *Reader) End() error {
	if r.err == nil {
		if _, err := r.decoder.ReadToken(); err == nil {
			r.Fail(&Error{r.Offset(), errors.New("found more than one value")})
		} else if err != io.EOF {
			r.failed(err)
		}
	}
	return r.err
}

// Describe returns the words for a kind in a message.
func Describe(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindEndObject:
		return "the end of an object"
	case jsontext.KindBeginArray:
		return "an array"
	case jsontext.KindEndArray:
		return "the end of an array"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "true or false"
	case jsontext.KindNull:
		return "null"
	}
	return "no JSON"
}

// Unquote returns what a JSON string says, which must be valid but for its UTF-8.
func Unquote(quoted []byte) []byte {
	if len(quoted) < 2 {
		return nil
	}
	if inner := quoted[1 : len(quoted)-1]; IsPlain(inner) {
		return inner
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return text
}

// IsPlain reports whether a JSON string can have a text as it is: ASCII without
// control characters, quotes and backslashes.
func IsPlain[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
