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

// lastRead returns the place of the value that the reader has just read.
func lastRead(r *rawjson.Reader, value []byte) span {
	return span{r.Offset() - len(value), r.Offset()}
}

// member is a member of an object. Its name has been read, and its value has not.
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

// errFound is returned by visitors of members to end the visit early.
var errFound = errors.New("found")

// largeError says that a review or an object exceeds a limit.
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
	quoted, _ := json.Marshal(text) // cannot fail for a string
	return append(dst, quoted...)
}
