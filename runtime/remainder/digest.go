package remainder

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// Digest is a digest of a JSON value. It does not depend on the order of members and on
// how numbers are written.
type Digest string

// DigestOf returns the digest of a Go value as JSON has it.
func DigestOf(object any) (Digest, error) {
	w := canonicals.Get().(*canonical)
	defer canonicals.Put(w)
	w.reset()
	w.write(reflect.ValueOf(object), held)
	return encodeDigest(half(w.text)), w.err
}

var canonicals = sync.Pool{New: func() any { return new(canonical) }}

func encodeDigest(sum [16]byte) Digest { return Digest(base64.RawURLEncoding.EncodeToString(sum[:])) }

// half returns the first half of the SHA-256 of a text.
func half(text []byte) [16]byte {
	whole := sha256.Sum256(text)
	return [16]byte(whole[:])
}

// canonical writes values as a text that is the same for all values that mean the same
// in JSON. Numbers compare by value, as the API server keeps them: 1 and 1.0 are the
// same, 1<<53 and 1<<53 + 1 are not.
type canonical struct {
	text []byte
	err  error // the first
}

// reset makes a canonical that was used before ready for use.
func (w *canonical) reset() { w.text, w.err = w.text[:0], nil }

func (w *canonical) fail(err error) { w.err = cmp.Or(w.err, err) }

// same reports whether two values of one type mean the same.
func (w *canonical) same(a, b reflect.Value, s *shape) bool {
	start := len(w.text)
	w.write(a, s)
	middle := len(w.text)
	w.write(b, s)
	same := string(w.text[start:middle]) == string(w.text[middle:])
	w.text = w.text[:start]
	return same
}

// write appends the text of a value.
func (w *canonical) write(v reflect.Value, s *shape) {
	v, s = s.value(v)
	if s.null(v) {
		w.text = append(w.text, "null"...)
		return
	}
	switch s.form {
	case isText:
		w.text = appendString(w.text, v.String())
	case isNumber:
		w.text = appendNumber(w.text, cmp.Or(v.String(), "0"))
	case isInteger:
		w.text = strconv.AppendInt(w.text, v.Int(), 10)
	case isFloat:
		w.text = appendFloat(w.text, v.Float())
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			w.fail(fmt.Errorf("%v has no form in JSON", v.Float()))
		}
	case isBool:
		w.text = strconv.AppendBool(w.text, v.Bool())
	case isObject:
		w.text = append(w.text, '{')
		for i := range s.fields {
			f := &s.fields[i]
			if value := f.of(v); value.IsValid() {
				w.text = append(w.text, f.key...)
				w.element(value, f.shape)
			}
		}
		w.text = append(w.text, '}')
	case isMap:
		w.text = append(w.text, '{')
		for _, key := range sortedKeys(v) {
			w.text = append(appendString(w.text, key.String()), ':')
			w.element(v.MapIndex(key), s.elem)
		}
		w.text = append(w.text, '}')
	case isBag:
		bag := v.Interface().(propertybag.Bag)
		w.text = append(w.text, '{')
		for _, name := range slices.Sorted(maps.Keys(bag)) {
			w.text = append(appendString(w.text, name), ':')
			w.raw(bag[name].AppendJSON(nil))
			w.text = append(w.text, ',')
		}
		w.text = append(w.text, '}')
	case isList:
		w.text = append(w.text, '[')
		for i := range v.Len() {
			w.element(v.Index(i), s.elem)
		}
		w.text = append(w.text, ']')
	default:
		if v.CanAddr() {
			v = v.Addr() // for methods of the pointer
		}
		w.opaque(v.Interface())
	}
}

// element appends the text of what is in an object or a list.
func (w *canonical) element(v reflect.Value, s *shape) {
	w.write(v, s)
	w.text = append(w.text, ',')
}

// opaque appends the text of a value that says itself what it is in JSON. It spares
// encoding/json from checking what a type's own method writes.
func (w *canonical) opaque(value any) {
	var data []byte
	var err error
	if marshaler, ok := value.(json.Marshaler); ok {
		data, err = marshaler.MarshalJSON()
	} else {
		data, err = json.Marshal(value)
	}
	w.fail(err)
	w.raw(data)
}

// raw appends the text of JSON.
func (w *canonical) raw(data []byte) {
	var tree any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		w.fail(err)
		return
	}
	w.write(reflect.ValueOf(tree), held)
}

// appendNumber appends a number as [appendFloat] does, or as it is written where it does
// not fit 64 bits.
func appendNumber(text []byte, number string) []byte {
	if i, err := strconv.ParseInt(number, 10, 64); err == nil {
		return strconv.AppendInt(text, i, 10)
	}
	if f, err := strconv.ParseFloat(number, 64); err == nil {
		return appendFloat(text, f)
	}
	return append(text, number...)
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
