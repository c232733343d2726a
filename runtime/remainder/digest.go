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

// Digest is a digest of a JSON value. It does not depend on the order of members or on
// the notation of numbers.
type Digest string

// DigestOf returns the digest of the JSON of a Go value.
func DigestOf(object any) (Digest, error) {
	w := canonicals.Get().(*canonical)
	defer canonicals.Put(w)
	w.reset()
	w.write(reflect.ValueOf(object), anyType)
	return encodeDigest(sum128(w.text)), w.err
}

var canonicals = sync.Pool{New: func() any { return new(canonical) }}

func encodeDigest(sum [16]byte) Digest { return Digest(base64.RawURLEncoding.EncodeToString(sum[:])) }

// sum128 returns the first 128 bits of the SHA-256 of a text.
func sum128(text []byte) [16]byte {
	whole := sha256.Sum256(text)
	return [16]byte(whole[:])
}

// canonical writes values as canonical texts: values that are equal in JSON have the same
// text. Numbers are compared by value, as the API server stores them: 1 and 1.0 are
// equal, 1<<53 and 1<<53 + 1 are not.
type canonical struct {
	text []byte
	err  error // the first
}

// reset prepares a canonical that was used before for another use.
func (w *canonical) reset() { w.text, w.err = w.text[:0], nil }

func (w *canonical) fail(err error) { w.err = cmp.Or(w.err, err) }

// same reports whether two values of one type are equal as JSON.
func (w *canonical) same(a, b reflect.Value, s *jsonType) bool {
	start := len(w.text)
	w.write(a, s)
	middle := len(w.text)
	w.write(b, s)
	same := string(w.text[start:middle]) == string(w.text[middle:])
	w.text = w.text[:start]
	return same
}

// write appends the text of a value to the buffer.
func (w *canonical) write(v reflect.Value, s *jsonType) { w.text = w.appendValue(w.text, v, s) }

// appendValue appends the text of a value to the given text. It does not store the text in w at
// each step, because each store would be work for the garbage collector.
func (w *canonical) appendValue(text []byte, v reflect.Value, s *jsonType) []byte {
	v, s = s.indirect(v)
	if s.null(v) {
		return append(text, "null"...)
	}
	switch s.kind {
	case stringKind:
		return appendString(text, v.String())
	case numberKind:
		return appendNumber(text, cmp.Or(v.String(), "0"))
	case integerKind:
		return strconv.AppendInt(text, v.Int(), 10)
	case floatKind:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			w.fail(fmt.Errorf("%v has no form in JSON", v.Float()))
		}
		return appendFloat(text, v.Float())
	case boolKind:
		return strconv.AppendBool(text, v.Bool())
	case objectKind:
		text = append(text, '{')
		for i := range s.fields {
			f := &s.fields[i]
			if value := f.property(v); value.IsValid() {
				text = append(w.appendValue(append(text, f.key...), value, f.jsonType), ',')
			}
		}
		return append(text, '}')
	case mapKind:
		text = append(text, '{')
		for _, key := range sortedKeys(v) {
			text = append(appendString(text, key.String()), ':')
			text = append(w.appendValue(text, v.MapIndex(key), s.elem), ',')
		}
		return append(text, '}')
	case bagKind:
		bag := v.Interface().(propertybag.Bag)
		text = append(text, '{')
		for _, name := range sortedNames(bag) {
			text = append(appendString(text, name), ':')
			text = append(w.appendRaw(text, bag[name].AppendJSON(nil)), ',')
		}
		return append(text, '}')
	case listKind:
		text = append(text, '[')
		for i := range v.Len() {
			text = append(w.appendValue(text, v.Index(i), s.elem), ',')
		}
		return append(text, ']')
	}
	if v.CanAddr() {
		v = v.Addr() // for methods with a pointer receiver
	}
	return w.appendOpaque(text, v.Interface())
}

// appendOpaque appends the text of a value whose type has its own form in JSON. It calls the
// type's method itself, because encoding/json would also check what the method writes.
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

// appendRaw appends the canonical text of JSON.
func (w *canonical) appendRaw(text, data []byte) []byte {
	var tree any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		w.fail(err)
		return text
	}
	return w.appendValue(text, reflect.ValueOf(tree), anyType)
}

// appendNumber appends a number as [appendFloat] does, or as it is written if it does not
// fit into 64 bits.
func appendNumber(text []byte, number string) []byte {
	if i, err := strconv.ParseInt(number, 10, 64); err == nil {
		return strconv.AppendInt(text, i, 10)
	}
	if f, err := strconv.ParseFloat(number, 64); err == nil {
		return appendFloat(text, f)
	}
	return append(text, number...)
}

// appendFloat appends a number as the API server would write it after reading it: as an
// integer if it is one.
func appendFloat(text []byte, f float64) []byte {
	if f >= -1<<63 && f < 1<<63 && f == float64(int64(f)) {
		return strconv.AppendInt(text, int64(f), 10)
	}
	return strconv.AppendFloat(text, f, 'g', -1, 64)
}

// appendString appends a JSON string with only the escapes that JSON requires.
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
