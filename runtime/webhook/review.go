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

// review is the request of a ConversionReview. Its objects are unparsed parts of the body:
// see [headOf].
type review struct {
	apiVersion string // of the review itself
	uid        []byte // a JSON string, as in the request
	desired    string // apiVersion
	objects    []measured
}

// measured is an object, and the numbers of values in it.
type measured struct {
	raw     []byte
	measure rawjson.Measure
}

// minObject is about the length of the shortest object that converts. A shorter
// one is refused at once, so that the list of objects cannot take many times the
// memory of the body.
const minObject = len(`{"apiVersion":"v1","kind":"K"}`)

// parseReview reads a body. If it fails, it also returns the part that it has read, which may
// have the UID that the answer needs.
func parseReview(body []byte) (*review, error) {
	r := &review{}
	var kind string
	var requested bool
	var seen memberNames
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
			err = cmp.Or(err, s.skip(m))
		}
		return err
	})
	switch err = cmp.Or(err, s.End()); {
	case err != nil:
		return r, err
	case kind != "ConversionReview":
		return r, fmt.Errorf("its kind is %s, expected ConversionReview", quoteShort(kind))
	case r.apiVersion != apiextensionsv1.SchemeGroupVersion.String():
		return r, fmt.Errorf("its apiVersion is %s, expected %s: conversionReviewVersions of the "+
			"CustomResourceDefinition must have v1", quoteShort(r.apiVersion), apiextensionsv1.SchemeGroupVersion)
	case !requested:
		return r, errors.New("it has no request, expected an object")
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
	// maxReadDepth is how deep a value may be nested. It is about the limit of JSON decoders,
	// including the API server's. Objects that are written have a lower limit.
	maxReadDepth = 9_900
	// maxValue is how many bytes a value may have, other than the objects to convert.
	maxValue = 1 << 10
)

// value reads a value, and checks only its syntax.
func (s *scanner) value() (measured, span, error) {
	value, m := s.Measured()
	v := lastRead(s.Reader, value)
	if m.Depth > maxReadDepth {
		return measured{}, v, &largeError{fmt.Sprintf("byte %d: JSON is nested deeper than the limit of %d", v.from, maxReadDepth)}
	}
	return measured{value, m}, v, s.Err()
}

// shortValue reads a value of at most maxValue bytes.
func (s *scanner) shortValue(m member) ([]byte, span, error) {
	value, v, err := s.value()
	if err == nil && len(value.raw) > maxValue {
		err = &largeError{fmt.Sprintf("byte %d: %s has %d bytes, expected at most %d", v.from, sanitize(string(m.name)),
			len(value.raw), maxValue)}
	}
	return value.raw, v, err
}

func (r *review) parseRequest(s *scanner) error {
	var seen memberNames
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
			err = cmp.Or(err, s.skip(m))
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
		case errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF): // err itself would quote the object
			h, _ := headOf(rest)
			return fmt.Errorf("object %d: object %s does not convert to %s: invalid JSON at byte %d", i,
				nameOf(rest, h.metadata), path.Base(sanitize(r.desired)), syntax.Offset)
		case err != nil:
			return err
		case object.raw[0] != '{':
			return fmt.Errorf("byte %d: object %d is not a JSON object", v.from, i)
		case len(object.raw) < minObject:
			return fmt.Errorf("byte %d: object %d has no apiVersion and kind", v.from, i)
		case i >= maxObjects:
			return &largeError{fmt.Sprintf("it has more than %d objects", maxObjects)}
		}
		r.objects = append(r.objects, object)
	}
	return s.Err()
}

// string reads the value of a member, which must be a string. It returns the string,
// and its JSON text.
func (s *scanner) string(m member, seen *memberNames) (text string, raw []byte, err error) {
	if err := seen.add(m); err != nil {
		return "", nil, err
	}
	raw, v, err := s.shortValue(m)
	if err != nil {
		return "", nil, err
	}
	unquoted, err := unquote(raw)
	if err != nil {
		return "", nil, fmt.Errorf("byte %d: %s is not a string", v.from, m.name)
	}
	return string(unquoted), raw, nil
}

// skip checks a value that is not used.
func (s *scanner) skip(m member) error {
	value, v, err := s.shortValue(m)
	if err == nil && !valid(value) {
		err = fmt.Errorf("byte %d: duplicate names or invalid UTF-8", v.from)
	}
	return err
}

// memberNames has the names of an object's members, to refuse duplicates.
type memberNames []string

func (n *memberNames) add(m member) error {
	for _, name := range *n {
		if name == string(m.name) {
			return fmt.Errorf("byte %d: found a second %s, expected one", m.at, m.name)
		}
	}
	*n = append(*n, string(m.name))
	return nil
}

// quoteShort quotes a text from a client for an error, and cuts a long one.
func quoteShort(text string) string {
	const limit = 100
	if len(text) > limit {
		text = text[:limit] + "…"
	}
	return strconv.Quote(text)
}

// head has the parts of an object that decide how it converts.
type head struct {
	apiVersion, kind []byte // JSON strings, as in the request
	metadata         span
}

// headOf reads the head of an object, and no more of the object than it must. For objects
// from the API server that is the beginning, because their members are sorted by name.
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
