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
func (w *canonical) write(v reflect.Value, s *shape) { w.text = w.appendValue(w.text, v, s) }

// appendValue appends the text of a value to a text of the caller's: so the steps of a value
// store nothing in w, which the garbage collector would have to watch.
func (w *canonical) appendValue(text []byte, v reflect.Value, s *shape) []byte {
	v, s = s.value(v)
	if s.null(v) {
		return append(text, "null"...)
	}
	switch s.form {
	case isText:
		return appendString(text, v.String())
	case isNumber:
		return appendNumber(text, cmp.Or(v.String(), "0"))
	case isInteger:
		return strconv.AppendInt(text, v.Int(), 10)
	case isFloat:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			w.fail(fmt.Errorf("%v has no form in JSON", v.Float()))
		}
		return appendFloat(text, v.Float())
	case isBool:
		return strconv.AppendBool(text, v.Bool())
	case isObject:
		text = append(text, '{')
		for i := range s.fields {
			f := &s.fields[i]
			if value := f.of(v); value.IsValid() {
				text = append(w.appendValue(append(text, f.key...), value, f.shape), ',')
			}
		}
		return append(text, '}')
	case isMap:
		text = append(text, '{')
		for _, key := range sortedKeys(v) {
			text = append(appendString(text, key.String()), ':')
			text = append(w.appendValue(text, v.MapIndex(key), s.elem), ',')
		}
		return append(text, '}')
	case isBag:
		bag := v.Interface().(propertybag.Bag)
		text = append(text, '{')
		for _, name := range sortedNames(bag) {
			text = append(appendString(text, name), ':')
			text = append(w.appendRaw(text, bag[name].AppendJSON(nil)), ',')
		}
		return append(text, '}')
	case isList:
		text = append(text, '[')
		for i := range v.Len() {
			text = append(w.appendValue(text, v.Index(i), s.elem), ',')
		}
		return append(text, ']')
	}
	if v.CanAddr() {
		v = v.Addr() // for methods of the pointer
	}
	return w.appendOpaque(text, v.Interface())
}

// appendOpaque appends the text of a value that says itself what it is in JSON. It spares
// encoding/json from checking what a type's own method writes.
func (w *canonical) appendOpaque(text []byte, value any) []byte {
	var data []byte
	var err error
	if marshaler, ok := value.(json.Marshaler); ok {
		data, err = marshaler.MarshalJSON()
	} else {
		data, err = json.Marshal(value)
	}
	w.fail(err)
	return w.appendRaw(text, data)
}

// appendRaw appends the text of JSON.
func (w *canonical) appendRaw(text, data []byte) []byte {
	var tree any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		w.fail(err)
		return text
	}
	return w.appendValue(text, reflect.ValueOf(tree), held)
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
