package webhook

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// review is the request of a ConversionReview. Its objects are parts of the body, which
// are not parsed: see [headOf].
type review struct {
	apiVersion string // of the review itself
	uid        []byte // a JSON string, as it came
	desired    string // apiVersion
	objects    []measured
}

// measured is an object, and what it consists of.
type measured struct {
	raw     []byte
	measure rawjson.Measure
}

// shortest is about the length of the shortest object that converts. A shorter
// one is refused at once, so that the list of a body's objects cannot take many
// times its memory.
const shortest = len(`{"apiVersion":"v1","kind":"K"}`)

// parseReview reads a body. With an error it returns what it had read, which may
// have the UID that the answer needs.
func parseReview(body []byte) (*review, error) {
	r := &review{}
	var kind string
	var requested bool
	var seen names
	s := &scanner{rawjson.New(body)}
	defer s.Free()
	err := members(s.Reader, func(m member) (err error) {
		switch string(m.name) {
		case "apiVersion":
			r.apiVersion, _, err = s.string(m, &seen)
		case "kind":
			kind, _, err = s.string(m, &seen)
		case "request":
			if err = seen.add(m); err == nil && s.Next() == jsontext.KindBeginObject {
				requested = true
				return r.parseRequest(s)
			}
			fallthrough
		default:
			err = cmp.Or(err, s.sound(m))
		}
		return err
	})
	switch err = cmp.Or(err, s.End()); {
	case err != nil:
		return r, err
	case kind != "ConversionReview":
		return r, fmt.Errorf("its kind is %s, expected ConversionReview", clip(kind))
	case r.apiVersion != apiextensionsv1.SchemeGroupVersion.String():
		return r, fmt.Errorf("its apiVersion is %s, expected %s: conversionReviewVersions of the "+
			"CustomResourceDefinition must have v1", clip(r.apiVersion), apiextensionsv1.SchemeGroupVersion)
	case !requested:
		return r, errors.New("it has no request")
	case r.uid == nil:
		return r, errors.New("its request has no uid")
	case r.desired == "":
		return r, errors.New("its request has no desiredAPIVersion")
	}
	return r, nil
}

// scanner reads the body of a request.
type scanner struct{ *rawjson.Reader }

const (
	// deepest is how deep a value may be nested, about as deep as decoders of
	// JSON go, the API server's too. What may be written has a lower limit.
	deepest = 9_900
	// longest is how long a value may be that is no object to convert.
	longest = 1 << 10
)

// value reads a value of which only the syntax is checked.
func (s *scanner) value() (measured, span, error) {
	value, m := s.Measured()
	v := lastRead(s.Reader, value)
	if m.Depth > deepest {
		return measured{}, v, &largeError{fmt.Sprintf("byte %d: JSON is nested deeper than the limit of %d", v.from, deepest)}
	}
	return measured{value, m}, v, s.Err()
}

// short reads a value that the API server keeps short.
func (s *scanner) short(m member) ([]byte, span, error) {
	value, v, err := s.value()
	if err == nil && len(value.raw) > longest {
		err = &largeError{fmt.Sprintf("byte %d: %s has %d bytes, expected at most %d", v.from, clean(string(m.name)),
			len(value.raw), longest)}
	}
	return value.raw, v, err
}

func (r *review) parseRequest(s *scanner) error {
	var seen names
	return members(s.Reader, func(m member) (err error) {
		switch string(m.name) {
		case "uid":
			_, r.uid, err = s.string(m, &seen)
		case "desiredAPIVersion":
			r.desired, _, err = s.string(m, &seen)
		case "objects":
			if err = seen.add(m); err == nil && s.Next() == jsontext.KindBeginArray {
				return r.parseObjects(s)
			}
			fallthrough
		default:
			err = cmp.Or(err, s.sound(m))
		}
		return err
	})
}

func (r *review) parseObjects(s *scanner) error {
	for i := range s.Elements {
		rest := s.Rest()
		object, v, err := s.value()
		var syntax *rawjson.Error
		switch {
		case errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF): // its text would quote the object
			h, _ := headOf(rest)
			return fmt.Errorf("object %d: object %s does not convert to %s: it is no JSON at byte %d", i,
				nameOf(rest, h.metadata), path.Base(clean(r.desired)), syntax.Offset)
		case err != nil:
			return err
		case object.raw[0] != '{':
			return fmt.Errorf("byte %d: object %d is no JSON object", v.from, i)
		case len(object.raw) < shortest:
			return fmt.Errorf("byte %d: object %d has no apiVersion and kind", v.from, i)
		case i >= mostObjects:
			return &largeError{fmt.Sprintf("it has more than %d objects", mostObjects)}
		}
		r.objects = append(r.objects, object)
	}
	return s.Err()
}

// string reads the value of a member, which must be a string. It returns the string,
// and its JSON text.
func (s *scanner) string(m member, seen *names) (text string, raw []byte, err error) {
	if err := seen.add(m); err != nil {
		return "", nil, err
	}
	raw, v, err := s.short(m)
	if err != nil {
		return "", nil, err
	}
	unquoted, err := unquote(raw)
	if err != nil {
		return "", nil, fmt.Errorf("byte %d: %s is not a string", v.from, m.name)
	}
	return string(unquoted), raw, nil
}

// sound reads a value that is not used.
func (s *scanner) sound(m member) error {
	value, v, err := s.short(m)
	if err == nil && !valid(value) {
		err = fmt.Errorf("byte %d: duplicate names or invalid UTF-8", v.from)
	}
	return err
}

// names has the names of an object that were read, to refuse one that comes twice.
type names []string

func (n *names) add(m member) error {
	for _, name := range *n {
		if name == string(m.name) {
			return fmt.Errorf("byte %d: a second %s", m.at, m.name)
		}
	}
	*n = append(*n, string(m.name))
	return nil
}

// clip quotes a text from outside for an error, and cuts a long one.
func clip(text string) string {
	const most = 100
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}

// head has the parts of an object that decide how it converts.
type head struct {
	apiVersion, kind []byte // JSON strings, as they came
	metadata         span
}

// headOf reads no more of an object than it must. Of the API server's objects
// that is the beginning, because its JSON is in the order of names.
func headOf(object []byte) (head, error) {
	var h head
	err := values(object, func(m member, v span) error {
		switch string(m.name) {
		case "apiVersion":
			h.apiVersion = v.of(object)
		case "kind":
			h.kind = v.of(object)
		case "metadata":
			h.metadata = v
		default:
			return nil
		}
		if h.apiVersion != nil && h.kind != nil && h.metadata.found() {
			return errFound
		}
		return nil
	})
	switch {
	case err != nil && err != errFound:
		return h, err
	case h.kind == nil:
		return h, errors.New("it has no kind")
	case h.apiVersion == nil:
		return h, errors.New("it has no apiVersion")
	}
	return h, nil
}
