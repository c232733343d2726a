package remainder

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Tree is a value as a JSON tree, with every number as it was written.
func Tree(value any) (any, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return parse(string(data))
}

// same is whether two trees have the same meaning.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, ok := b[name]; !ok || !same(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case string:
		b, ok := b.(string)
		return ok && a == b
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case Absent:
		_, ok := b.(Absent)
		return ok
	case nil:
		return b == nil
	}
	switch b.(type) {
	case map[string]any, []any, string, bool, Absent, nil:
		return false
	}
	var x, y [32]byte
	return bytes.Equal(appendScalar(x[:0], a), appendScalar(y[:0], b))
}

// Digest stands for a JSON tree, without regard to the order of members and to
// how numbers are written.
type Digest string

// DigestOf is the digest of a tree.
func DigestOf(tree any) Digest {
	return digest((&digester{}).sum(tree))
}

func digest(sum [16]byte) Digest { return Digest(base64.RawURLEncoding.EncodeToString(sum[:])) }

// short is the length up to which a value goes into the annotation where its
// digest would do.
const short = 32

// brief is a value to compare with, or its digest if that is shorter.
func brief(value any) any {
	switch v := value.(type) {
	case map[string]any, []any:
		return DigestOf(v)
	case string:
		if len(v) > short {
			return DigestOf(v)
		}
	}
	return value
}

// is whether a value is the one that brief made of it.
func is(value, brief any) bool {
	if digest, ok := brief.(Digest); ok {
		return DigestOf(value) == digest
	}
	return same(value, brief)
}

// content is what an element of a list is known by.
type content [8]byte

// digester computes the sums of trees. It remembers those of objects and
// lists, so that lists within lists cost no more than their size; so the trees
// must not change in between, except where they were summed already.
type digester struct {
	sums map[container]summed
	text []byte
}

// summed is the sum of a tree, with the tree: as long as that is there, no other
// has its identity.
type summed struct {
	sum  [16]byte
	tree any
}

// container is the identity of an object or a list.
type container struct {
	start  uintptr
	length int
}

func (d *digester) content(tree any) content {
	sum := d.sum(tree)
	return content(sum[:])
}

func (d *digester) contents(elements []any) []content {
	all := make([]content, len(elements))
	for i, element := range elements {
		all[i] = d.content(element)
	}
	return all
}

// sum is [half] for a tree's text. An object or list in
// the text of another is # and its own sum.
func (d *digester) sum(tree any) [16]byte {
	id, nested := identify(tree)
	if nested {
		if known, ok := d.sums[id]; ok {
			return known.sum
		}
	}
	start := len(d.text) // the text below belongs to the objects around
	switch tree := tree.(type) {
	case map[string]any:
		d.text = append(d.text, '{')
		for _, name := range names(tree) {
			d.text = append(appendString(d.text, name), ':')
			d.add(tree[name])
		}
	case []any:
		d.text = append(d.text, '[')
		for _, element := range tree {
			d.add(element)
		}
	default:
		d.text = appendScalar(d.text, tree)
	}
	sum := half(d.text[start:])
	d.text = d.text[:start]
	if nested {
		if d.sums == nil {
			d.sums = map[container]summed{}
		}
		d.sums[id] = summed{sum, tree}
	}
	return sum
}

// half is the first half of the SHA-256 of a text.
func half(text []byte) [16]byte {
	whole := sha256.Sum256(text)
	return [16]byte(whole[:])
}

// add appends a value to the text of what holds it.
func (d *digester) add(value any) {
	switch value.(type) {
	case map[string]any, []any:
		sum := d.sum(value)
		d.text = append(append(d.text, '#'), sum[:]...)
	default:
		d.text = appendScalar(d.text, value)
	}
	d.text = append(d.text, ',')
}

// identify is the identity of an object or a list that has something in it.
func identify(tree any) (container, bool) {
	switch tree := tree.(type) {
	case map[string]any:
		return container{reflect.ValueOf(tree).Pointer(), -1}, true
	case []any:
		return container{reflect.ValueOf(tree).Pointer(), len(tree)}, len(tree) > 0
	}
	return container{}, false
}

// appendScalar appends the canonical text of a value that is no object or list.
func appendScalar(text []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(text, "null"...)
	case bool:
		return strconv.AppendBool(text, v)
	case string:
		return appendString(text, v)
	case int64:
		return strconv.AppendInt(text, v, 10)
	case float64:
		return appendFloat(text, v)
	case json.Number:
		if i, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return strconv.AppendInt(text, i, 10)
		}
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			return appendFloat(text, f)
		}
		return append(text, v...)
	}
	return fmt.Append(text, value)
}

// appendFloat appends a number as the API server would have it after one more
// reading and writing: an integer if it is one.
func appendFloat(text []byte, f float64) []byte {
	if f >= -1<<63 && f < 1<<63 && f == float64(int64(f)) {
		return strconv.AppendInt(text, int64(f), 10)
	}
	return strconv.AppendFloat(text, f, 'g', -1, 64)
}

// appendString appends a JSON string that escapes no more than it must.
func appendString(text []byte, s string) []byte {
	text = append(text, '"')
	if isPlain(s) {
		text = append(text, s...)
	} else {
		text = appendEscaped(text, s)
	}
	return append(text, '"')
}

// isPlain is whether a string is ASCII that needs no escapes, as most are.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func appendEscaped(text []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for _, r := range s { // U+FFFD for what is no UTF-8
		switch {
		case r == '"' || r == '\\':
			text = append(text, '\\', byte(r))
		case r < ' ':
			text = append(text, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			text = utf8.AppendRune(text, r)
		}
	}
	return text
}
