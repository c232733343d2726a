package arm

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/reference"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Limits that no resource comes near. A Spec can reach them by containing itself.
const (
	maxDepth = 200
	maxBytes = 16 << 20
)

// Encode returns the body of a request for a Spec, or the body from which a Status would
// have been read. It does not change the value.
func Encode(ctx context.Context, value any, resolver Resolver) ([]byte, error) {
	v, err := structOf(value)
	if err != nil {
		return nil, err
	}
	c, err := codecOf(v.Type())
	if err != nil {
		return nil, err
	}
	e := encoders.Get().(*encoder)
	*e = encoder{ctx: ctx, resolver: resolver, buf: e.buf[:0], path: path{root: rootOf(value), steps: e.path.steps[:0]}}
	c.encode(e, v)
	body, err := slices.Clone(e.buf), join(e.errs...)
	clear(e.buf) // it may hold secrets
	e.ctx, e.resolver, e.errs = nil, nil, nil
	if cap(e.buf) <= 64<<10 {
		encoders.Put(e)
	}
	if err != nil {
		return nil, err
	}
	return body, nil
}

// encoders keeps encoders for reuse, because of their buffers.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

type encoder struct {
	ctx      context.Context
	resolver Resolver
	buf      []byte
	path     path
	errs     []error
	// types are the ARM types that references in the current field may have, or nil.
	types []string
}

// fail adds an error about the value at the current path.
func (e *encoder) fail(format string, args ...any) {
	e.errs = append(e.errs, fmt.Errorf("%s: %w", e.path.String(), fmt.Errorf(format, args...)))
}

// comma writes a comma, unless the next member or element is the first.
func (e *encoder) comma() {
	if last := e.buf[len(e.buf)-1]; last != '{' && last != '[' {
		e.buf = append(e.buf, ',')
	}
}

// enter goes one level deeper, and reports whether the limits permit that.
func (e *encoder) enter() bool {
	if e.path.depth++; e.path.depth <= maxDepth && len(e.buf) <= maxBytes {
		return true
	}
	if !e.path.exceeded {
		e.path.exceeded = true // once is enough
		e.fail("objects are nested more than %d deep, or there are more than %d bytes", maxDepth, maxBytes)
	}
	return false
}

func (e *encoder) leave() { e.path.depth-- }

func (o *object) codec() codec {
	return codec{encode: o.encode, decode: o.decode, form: objectForm, object: o}
}

func (o *object) encode(e *encoder, v reflect.Value) {
	if !e.enter() {
		return
	}
	defer e.leave()
	e.buf = append(e.buf, '{')
	o.members(e, v, 0)
	if o.deep {
		mark := len(e.buf)
		e.comma()
		e.buf = append(e.buf, `"`+propertiesObject+`":{`...)
		o.members(e, v, 1)
		if e.buf[len(e.buf)-1] == '{' && (o.empty == nil || v.Field(o.empty.index).IsNil()) {
			e.buf = e.buf[:mark]
		} else {
			e.buf = append(e.buf, '}')
		}
	}
	e.buf = append(e.buf, '}')
}

// members writes the fields of a struct that lie at one level.
func (o *object) members(e *encoder, v reflect.Value, at int) {
	for i := range o.levels[:at+1] {
		if u := o.levels[i].union; u != nil {
			o.variant(e, u, v, at-i)
		}
	}
	l := &o.levels[at]
	e.fields(l.fields, v)
	e.fields(l.from, v)
	if l.spread != nil {
		e.path.push(l.spread.json)
		writeMap(e, v.Field(l.spread.index), l.elem, func(key string) bool { return l.byName[key] != nil })
		e.path.pop()
	}
}

// fields writes some fields of a struct.
func (e *encoder) fields(fields []*field, of reflect.Value) {
	for _, f := range fields {
		value := of.Field(f.index)
		if f.nillable && value.IsNil() {
			continue
		}
		e.comma()
		e.buf = append(e.buf, f.key...)
		e.path.push(f.json)
		f.codec.encode(e, value)
		e.path.pop()
	}
}

// variant writes the fields of a union's variant that lie at one level, counted from the
// level of the union. The discriminator is at the first level.
func (o *object) variant(e *encoder, u *union, v reflect.Value, at int) {
	var found *variant
	for _, candidate := range u.variants {
		if v.Field(candidate.index).IsNil() {
			continue
		}
		if found != nil {
			e.fail("%s and %s are both set; a value is one of them", found.json, candidate.json)
			return
		}
		found = candidate
	}
	switch {
	case found != nil:
		if at == 0 {
			e.comma()
			e.buf = append(e.buf, u.key...)
			e.buf = appendString(e.buf, found.value)
		}
		e.path.push(found.json)
		found.object.members(e, v.Field(found.index).Elem(), at)
		e.path.pop()
	case u.raw != nil && at == 0 && !v.Field(u.raw.index).IsNil():
		o.other(e, u, v.Field(u.raw.index).Interface().(*apiextensionsv1.JSON).Raw)
	}
}

// other writes an object of an unknown variant, without the members that the union has fields
// for.
func (o *object) other(e *encoder, u *union, raw []byte) {
	e.path.push(u.raw.json)
	defer e.path.pop()
	if rawjson.Check(raw) != nil {
		e.fail("the value is not JSON")
		return
	}
	r := rawjson.New(raw)
	defer r.Free()
	if next := r.Next(); next != '{' {
		e.fail("found %s, expected an object", rawjson.Describe(next))
		return
	}
	l := &o.levels[0]
	if l.union != u {
		l = &o.levels[1]
	}
	for name := range r.Members {
		value := r.Value()
		if l.byName[string(name)] != nil || l == &o.levels[0] && string(name) == propertiesObject && !o.levels[1].empty() {
			continue
		}
		e.comma()
		e.buf = append(appendString(e.buf, string(name)), ':')
		e.buf = append(e.buf, value...)
	}
}

func pointerCodec(elem *codec, t reflect.Type) codec {
	return codec{
		elem: elem, // form and object are those of elem, which may not be complete yet
		encode: func(e *encoder, v reflect.Value) {
			if v.IsNil() { // only in a list or a map, because nil fields are left out
				e.buf = append(e.buf, "null"...)
				return
			}
			elem.encode(e, v.Elem())
		},
		decode: func(d *decoder, v reflect.Value) bool {
			p := reflect.New(t)
			ok := elem.decode(d, p.Elem())
			if ok {
				v.Set(p)
			}
			return ok
		},
	}
}

func sliceCodec(elem *codec) codec {
	return codec{
		form: listForm, elem: elem,
		encode: func(e *encoder, v reflect.Value) {
			if !e.enter() {
				return
			}
			defer e.leave()
			e.buf = append(e.buf, '[')
			for i := range v.Len() {
				e.comma()
				e.path.pushIndex(i)
				elem.encode(e, v.Index(i))
				e.path.pop()
			}
			e.buf = append(e.buf, ']')
		},
		decode: func(d *decoder, v reflect.Value) bool { return d.slice(elem, v) },
	}
}

func mapCodec(elem *codec, t reflect.Type) codec {
	return codec{
		form: mapForm, elem: elem,
		encode: func(e *encoder, v reflect.Value) {
			if !e.enter() {
				return
			}
			defer e.leave()
			e.buf = append(e.buf, '{')
			writeMap(e, v, elem, nil)
			e.buf = append(e.buf, '}')
		},
		decode: func(d *decoder, v reflect.Value) bool { return d.mapping(elem, t, v) },
	}
}

// writeMap writes the entries of a map in the order of their keys.
func writeMap(e *encoder, v reflect.Value, elem *codec, taken func(key string) bool) {
	type entry struct {
		key   string
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for each := v.MapRange(); each.Next(); {
		entries = append(entries, entry{each.Key().String(), each.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	for _, entry := range entries {
		e.path.pushKey(entry.key)
		if taken != nil && taken(entry.key) {
			e.fail("there is a property of this name")
		}
		e.comma()
		e.buf = append(appendString(e.buf, entry.key), ':')
		elem.encode(e, entry.value)
		e.path.pop()
	}
}

func encodeString(e *encoder, v reflect.Value) { e.buf = appendString(e.buf, v.String()) }

func encodeInteger(e *encoder, v reflect.Value) { e.buf = strconv.AppendInt(e.buf, v.Int(), 10) }

func encodeBool(e *encoder, v reflect.Value) { e.buf = strconv.AppendBool(e.buf, v.Bool()) }

// encodeNumber writes the shortest text that reads back as the same number.
func encodeNumber(e *encoder, v reflect.Value) {
	n := v.Float()
	if math.IsNaN(n) || math.IsInf(n, 0) {
		e.fail("found %v, which JSON has no form for", n)
		return
	}
	format := byte('f')
	if abs := math.Abs(n); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	e.buf = strconv.AppendFloat(e.buf, n, format, -1, 64)
}

func encodeJSON(e *encoder, v reflect.Value) {
	raw := v.Field(0).Bytes()
	if len(raw) == 0 {
		e.buf = append(e.buf, "null"...)
		return
	}
	compact := bytes.NewBuffer(e.buf)
	if err := json.Compact(compact, raw); err != nil {
		e.fail("the value is not JSON: %w", err)
		return
	}
	e.buf = compact.Bytes()
}

func encodeReference(e *encoder, v reflect.Value) {
	e.reference(*pointerTo[reference.Resource](v))
}

// typedCodec returns the codec of references that may only have some ARM types.
func typedCodec(c *codec, types []string) *codec {
	return &codec{encode: func(e *encoder, v reflect.Value) {
		e.types = types
		c.encode(e, v)
		e.types = nil
	}, decode: func(d *decoder, v reflect.Value) bool { return c.decode(d, v) }, form: c.form, elem: c.elem}
}

func encodeRoleDefinition(e *encoder, v reflect.Value) {
	ref := *pointerTo[reference.RoleDefinition](v)
	if ref.WellKnownName == "" {
		e.reference(reference.Resource{Group: ref.Group, Kind: ref.Kind, Name: ref.Name, ARMID: ref.ARMID})
		return
	}
	id, err := wellKnownRole(ref)
	if err != nil {
		e.fail("%w", err)
		return
	}
	e.buf = appendString(e.buf, id)
}

// reference writes the ARM id of a resource.
func (e *encoder) reference(ref reference.Resource) {
	id, err := idOf(e.ctx, e.resolver, ref, e.types)
	if err != nil {
		e.fail("%w", err)
		return
	}
	e.buf = appendString(e.buf, id)
}

// idOf returns the ARM id of a resource, which has one of some ARM types, or of any if there are none.
func idOf(ctx context.Context, resolver Resolver, ref reference.Resource, types []string) (string, error) {
	if ref.ARMID != "" {
		return ref.ARMID, nil
	}
	return resolve(ref.Name, resolver, func() (string, error) {
		if typed, ok := resolver.(TypeResolver); ok && types != nil {
			return typed.ResourceIDOf(ctx, ref, types)
		}
		return resolver.ResourceID(ctx, ref)
	})
}

// encodeUnfilled refuses a reference to what is in the place of another field once [FillIn] has
// put it there.
func encodeUnfilled(e *encoder, _ reflect.Value) {
	e.fail("other objects have what belongs here, and nobody has asked them")
}

// encodeSecret writes a secret that is text. It refuses bytes that are not UTF-8: JSON cannot
// represent them, so ARM would receive another value.
func encodeSecret(e *encoder, v reflect.Value) {
	ref := *pointerTo[reference.Secret](v)
	value, ok := e.secretKey(ref)
	if !ok {
		return
	}
	if at := invalidUTF8(value); at >= 0 {
		e.fail("the value of the key %q in the Secret %q is no UTF-8, at byte %d; expected text, as it is sent as a string",
			ref.Key, ref.Name, at)
		return
	}
	e.buf = appendString(e.buf, value)
}

// invalidUTF8 returns the index of the first byte of a text that is not UTF-8, or -1.
func invalidUTF8(text string) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// secretBytes returns the codec of secrets that are bytes.
func secretBytes(encoding *base64.Encoding) *codec {
	return secretCodec(func(e *encoder, v reflect.Value) {
		if value, ok := e.secretKey(*pointerTo[reference.Secret](v)); ok {
			e.buf = append(e.buf, '"')
			e.buf = append(encoding.AppendEncode(e.buf, []byte(value)), '"')
		}
	}, func(d *decoder, v reflect.Value) bool {
		text, ok := d.text("a secret")
		if !ok {
			return false
		}
		value, err := encoding.DecodeString(text)
		if err != nil {
			d.misfit("found a text that is not encoded in Base64, expected bytes")
			return false
		}
		return d.keep(string(value), v)
	})
}

// encodeSecretJSON writes a secret that is JSON. Its error has only the offset of a
// mistake, since the message of encoding/json would quote a part of the value.
func encodeSecretJSON(e *encoder, v reflect.Value) {
	ref := *pointerTo[reference.Secret](v)
	value, ok := e.secret(ref)
	if !ok {
		return
	}
	if offset, valid := validJSON(value); !valid {
		e.fail("the value of the key %q in the Secret %q is not JSON, at byte %d; expected JSON, as the property "+
			"is no string in ARM", ref.Key, ref.Name, offset)
		return
	}
	encodeJSON(e, reflect.ValueOf(apiextensionsv1.JSON{Raw: []byte(value)}))
}

// validJSON reports whether a text is JSON, which is UTF-8 by RFC 8259. If it is
// not, offset is the number of bytes before the mistake.
func validJSON(text string) (offset int64, valid bool) {
	err := json.Unmarshal([]byte(text), new(json.RawMessage))
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	return offset, err == nil && utf8.ValidString(text)
}

// secretKey is secret for a property that takes the value of one key.
func (e *encoder) secretKey(ref reference.Secret) (value string, ok bool) {
	if ref.Key == "" {
		e.fail("the reference to the Secret %q has no key, expected one, as the property is a text in ARM", ref.Name)
		return "", false
	}
	return e.secret(ref)
}

// secret returns the value that a reference to a Secret means.
func (e *encoder) secret(ref reference.Secret) (value string, ok bool) {
	if e.resolver == nil {
		e.fail("there is no Resolver that knows the value of the secret")
		return "", false
	}
	value, err := e.resolver.SecretValue(e.ctx, ref)
	if err != nil {
		e.fail("%w", err)
		return "", false
	}
	return value, true
}

// pointerTo returns a pointer to a value, or to a copy of it.
func pointerTo[T any](v reflect.Value) *T {
	if v.CanAddr() {
		return v.Addr().Interface().(*T)
	}
	value := v.Interface().(T)
	return &value
}

// appendString writes a JSON string.
func appendString(buf []byte, s string) []byte {
	if !rawjson.IsPlain(s) {
		quoted, err := json.Marshal(s)
		if err != nil {
			panic(err) // a string has a JSON form
		}
		return append(buf, quoted...)
	}
	buf = append(buf, '"')
	buf = append(buf, s...)
	return append(buf, '"')
}

func quote(s string) string { return string(appendString(nil, s)) }
