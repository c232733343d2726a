package webhook

import (
	"encoding/json"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// span is a part of a text.
type span struct{ from, to int }

func (s span) of(data []byte) []byte { return data[s.from:s.to] }
func (s span) found() bool           { return s.to > 0 }

// lastRead returns where a value is that the reader has just read.
func lastRead(r *rawjson.Reader, value []byte) span {
	return span{r.Offset() - len(value), r.Offset()}
}

// member is a member of an object whose name was read and whose value was not.
type member struct {
	name []byte
	at   int // where its name begins, with the quote
}

// members calls visit for each member of the object that comes next, until
// visit returns an error. Visit reads the value.
func members(r *rawjson.Reader, visit func(member) error) error {
	r.Open(jsontext.KindBeginObject)
	for r.Next() == jsontext.KindString {
		name := r.Value()
		if err := visit(member{rawjson.Unquote(name), lastRead(r, name).from}); err != nil {
			return err
		}
	}
	r.Close(jsontext.KindEndObject)
	return r.Err()
}

// values calls visit for each member of an object, until visit returns an error.
func values(object []byte, visit func(m member, value span) error) error {
	r := rawjson.New(object)
	defer r.Free()
	return members(r, func(m member) error {
		v := lastRead(r, r.Value())
		if err := r.Err(); err != nil {
			return err
		}
		return visit(m, v)
	})
}

// errFound ends a visit of members early.
var errFound = errors.New("found")

// largeError is the error of what exceeds a limit.
type largeError struct{ text string }

func (e *largeError) Error() string { return e.text }

// unquote returns the value of a JSON string, which must be valid UTF-8.
func unquote(quoted []byte) ([]byte, error) {
	return jsontext.AppendUnquote(nil, quoted)
}

// valid reports whether data is one JSON value, of valid UTF-8 and without
// duplicate names.
func valid(data []byte) bool { return jsontext.Value(data).IsValid() }

// quote appends text as a JSON string.
func quote(dst []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // of a string it cannot fail
	return append(dst, quoted...)
}
