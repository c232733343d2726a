package remainder

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// Digest is a digest of a JSON value. It does not depend on the order of members and on
// how numbers are written.
type Digest string

// DigestOf returns the digest of a Go value as JSON has it: that of its whole
// text at once. The digests within a [Remainder] are composed of those of
// objects and lists instead; testdata/README.md has both.
func DigestOf(object any) (Digest, error) {
	d := digesters.Get().(*digester)
	defer digesters.Put(d)
	d.text, d.err = d.text[:0], nil
	d.write(reflect.ValueOf(object), held)
	return encodeDigest(half(d.text)), d.err
}

// digesters has digesters for whole texts. They keep no sums, which belong to one
// object.
var digesters = sync.Pool{New: func() any { return &digester{whole: true} }}

// digestOf returns the digest of a JSON tree within a remainder.
func digestOf(tree any) Digest {
	return encodeDigest((&digester{}).sum(reflect.ValueOf(tree), held))
}

func encodeDigest(sum [16]byte) Digest { return Digest(base64.RawURLEncoding.EncodeToString(sum[:])) }

// short is the length up to which the annotation has a value itself, and not its
// digest.
const short = 32

// brief returns a value for comparisons, or its digest if the value is long.
func (d *digester) brief(tree any) any {
	switch v := tree.(type) {
	case map[string]any, []any:
		return encodeDigest(d.sum(reflect.ValueOf(v), held))
	case string:
		if len(v) > short {
			return digestOf(v)
		}
	}
	return tree
}

// content is the part of a digest that identifies an element of a list.
type content [8]byte

// digester computes the sums of values. It remembers those of objects and lists, so
// that lists within lists cost no more than their size. So a value must not change
// while the digester is in use.
type digester struct {
	trees
	sums map[identity]summed
	text []byte
	// whole is true if the text of an object or list has all that is in it, and
	// false if it has the sums of objects and lists in their place.
	whole bool
}

// summed is a sum with its value, which it keeps in memory so that no other value gets
// the same identity.
type summed struct {
	sum   [16]byte
	value reflect.Value
}

// identity identifies an object or a list in memory.
type identity struct {
	start  uintptr
	length int
	of     reflect.Type
}

// contents returns the content of each element of a list.
func (d *digester) contents(elements reflect.Value, elem *shape) []content {
	all := make([]content, elements.Len())
	for i := range all {
		sum := d.sum(elements.Index(i), elem)
		all[i] = content(sum[:])
	}
	return all
}

// sum returns [half] of a value's text.
func (d *digester) sum(v reflect.Value, s *shape) [16]byte {
	v, s = s.value(v)
	id, known := identify(v, s)
	if known {
		if summed, ok := d.sums[id]; ok {
			return summed.sum
		}
	}
	start := len(d.text) // the text before it belongs to the objects around
	d.write(v, s)
	sum := half(d.text[start:])
	d.text = d.text[:start]
	if known {
		if d.sums == nil {
			d.sums = map[identity]summed{}
		}
		d.sums[id] = summed{sum, v}
	}
	return sum
}

// half returns the first half of the SHA-256 of a text.
func half(text []byte) [16]byte {
	whole := sha256.Sum256(text)
	return [16]byte(whole[:])
}

// identify returns the identity of an object or a list, if it has one.
func identify(v reflect.Value, s *shape) (id identity, ok bool) {
	switch {
	case s.null(v):
	case s.form == isObject && v.CanAddr():
		return identity{v.UnsafeAddr(), -1, v.Type()}, true
	case s.form == isMap:
		return identity{v.Pointer(), -1, v.Type()}, true
	case s.form == isList:
		return identity{v.Pointer(), v.Len(), v.Type()}, v.Len() > 0
	}
	return id, false
}

// write appends the text of a value, which is the same for all values that mean
// the same.
func (d *digester) write(v reflect.Value, s *shape) {
	v, s = s.value(v)
	if s.null(v) {
		d.text = append(d.text, "null"...)
		return
	}
	switch s.form {
	case isText:
		d.text = appendString(d.text, v.String())
	case isNumber:
		d.text = appendScalar(d.text, json.Number(cmp.Or(v.String(), "0")))
	case isInteger:
		d.text = strconv.AppendInt(d.text, v.Int(), 10)
	case isFloat:
		d.text = appendFloat(d.text, v.Float())
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			d.tree(v, s) // an error
		}
	case isBool:
		d.text = strconv.AppendBool(d.text, v.Bool())
	case isObject:
		d.text = append(d.text, '{')
		for i := range s.fields {
			f := &s.fields[i]
			if value := f.of(v); value.IsValid() {
				d.text = append(d.text, f.key...)
				d.element(value, f.shape)
			}
		}
		d.end('}')
	case isMap:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		d.text = append(d.text, '{')
		for _, key := range keys {
			d.text = append(appendString(d.text, key.String()), ':')
			d.element(v.MapIndex(key), s.elem)
		}
		d.end('}')
	case isList:
		d.text = append(d.text, '[')
		for i := range v.Len() {
			d.element(v.Index(i), s.elem)
		}
		d.end(']')
	default:
		d.write(reflect.ValueOf(d.tree(v, s)), held)
	}
}

// element appends the text of what is in an object or a list.
func (d *digester) element(v reflect.Value, s *shape) {
	if !d.whole {
		if v, s = s.value(v); (s.form == isOpaque || s.form == isBag) && !s.null(v) {
			v, s = held.value(reflect.ValueOf(d.tree(v, s)))
		}
	}
	if d.whole || s.form < isObject || s.null(v) {
		d.write(v, s)
	} else {
		sum := d.sum(v, s)
		d.text = append(append(d.text, '#'), sum[:]...)
	}
	d.text = append(d.text, ',')
}

// end ends an object or a list that is written as a whole.
func (d *digester) end(bracket byte) {
	if d.whole {
		d.text = append(d.text, bracket)
	}
}

// same reports whether two trees have the same meaning.
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

// appendScalar appends the canonical text of a value that is not an object or a
// list.
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
	if rawjson.IsPlain(s) {
		text = append(text, s...)
	} else {
		text = appendEscaped(text, s)
	}
	return append(text, '"')
}

func appendEscaped(text []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for _, r := range s { // U+FFFD for what is not UTF-8
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
