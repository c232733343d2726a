package arm

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/reference"
	"github.com/go-json-experiment/json/jsontext"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Ignored describes the properties that ARM sent and the version does not know.
type Ignored struct {
	Count int
	// Paths has up to a hundred of their places in what ARM sent.
	Paths []string
}

// Decode reads what ARM sent into an empty Status, or the body of a request into an
// empty Spec. What the version does not know is left out and counted. What cannot be
// read is an error; everything else is read nevertheless.
func Decode(body []byte, into any) (Ignored, error) { return Decoder{}.Decode(body, into) }

// Decoder reads what ARM sends, where [Decode] does not suffice.
type Decoder struct {
	// KeepSecret takes a secret from the body of a request, and returns where it is
	// kept from now on. path is its place in the body. The value is the text of a
	// string, or else JSON. Without it a secret is an error.
	KeepSecret func(path, value string) (reference.Secret, error)
}

// Decode is like the function [Decode].
func (o Decoder) Decode(body []byte, into any) (Ignored, error) {
	if own, ok := into.(FromARMConverter); ok {
		return own.FromARM(body)
	}
	v, err := structOf(into)
	if err != nil {
		return Ignored{}, err
	}
	c, err := codecOf(v.Type())
	switch {
	case err != nil:
		return Ignored{}, err
	case len(body) > maxBytes:
		return Ignored{}, fmt.Errorf("found %d bytes, expected at most %d", len(body), maxBytes)
	}
	if err := rawjson.Check(body); err != nil { // before a secret is kept
		return Ignored{}, fmt.Errorf("found no JSON: %w", err)
	}
	d := &decoder{Decoder: o, Reader: rawjson.New(body)}
	defer d.Free()
	if next := d.Next(); next != '{' {
		return Ignored{}, fmt.Errorf("found %s, expected an object", rawjson.Describe(next))
	}
	c.decode(d, v)
	return d.ignored, join(append(d.errs, d.End())...)
}

type decoder struct {
	Decoder
	*rawjson.Reader
	path    path
	ignored Ignored
	errs    []error
}

func (d *decoder) fail(format string, args ...any) {
	d.errs = append(d.errs, fmt.Errorf("%s: %w", d.path.String(), fmt.Errorf(format, args...)))
}

// ignore skips a property that no field is for, and counts it unless it is null.
func (d *decoder) ignore(name []byte) {
	if d.null() {
		return
	}
	if d.ignored.Count++; d.ignored.Count <= 100 {
		d.path.push(string(name))
		d.ignored.Paths = append(d.ignored.Paths, d.path.String())
		d.path.pop()
	}
	d.Value()
}

// expect reports whether the next value is of a kind. It passes over any other.
func (d *decoder) expect(kind jsontext.Kind, name string) bool {
	if d.Next() == kind {
		return true
	}
	d.fail("found %s, expected %s", rawjson.Describe(d.Next()), name)
	d.Value()
	return false
}

// null passes over a null, and reports whether one comes next.
func (d *decoder) null() bool {
	if d.Next() != 'n' {
		return false
	}
	d.Value()
	return true
}

// lookAhead returns the string that the next object has under a name, given by
// ARM and so compared without case.
func (d *decoder) lookAhead(name string) (value string, found bool) {
	r := rawjson.New(d.Rest())
	defer r.Free()
	for member := range r.Members {
		if !strings.EqualFold(string(member), name) {
			r.Value()
			continue
		}
		if r.Next() != '"' {
			return "", false
		}
		return string(r.Text()), true
	}
	return "", false
}

// copyNext returns a copy of the next value, which is still to be read.
func (d *decoder) copyNext() []byte {
	r := rawjson.New(d.Rest())
	defer r.Free()
	return slices.Clone(r.Value())
}

// enter goes one level deeper, or passes over what is too deep.
func (d *decoder) enter() bool {
	if d.path.depth++; d.path.depth <= maxDepth {
		return true
	}
	d.fail("objects are nested more than %d deep", maxDepth)
	d.Value()
	return false
}

func (d *decoder) leave() { d.path.depth-- }

// target is a struct whose fields one JSON object holds at one of its levels.
// An object has more than one target if it is a union.
type target struct {
	*object
	v  reflect.Value
	at int
}

func (t target) level() *level { return &t.levels[t.at] }

func (o *object) decode(d *decoder, v reflect.Value) {
	var room [2]target
	d.object(append(room[:0], target{o, v, 0}), false)
}

// object reads an object into its targets. kept reports whether the object is part of
// one that is kept as it is.
func (d *decoder) object(targets []target, kept bool) {
	if !d.expect('{', "an object") {
		return
	}
	if !d.enter() {
		d.leave()
		return
	}
	defer d.leave()
	targets, other := d.addVariants(targets)
	kept = kept || other
	for name := range d.Members {
		switch t, f := find(targets, name); {
		case strings.EqualFold(string(name), nested) && slices.ContainsFunc(targets, target.goesDeeper):
			d.nested(targets, kept)
		case f != nil:
			d.field(f, t.v.Field(f.index))
		case isDiscriminator(targets, name):
			d.Value()
		case kept && t == nil:
			d.Value()
		case t != nil:
			d.spread(t, string(name))
		default:
			d.ignore(name)
		}
	}
}

func (t target) goesDeeper() bool { return t.at == 0 && t.deep }

// nested reads "properties" into the fields that lie there.
func (d *decoder) nested(targets []target, kept bool) {
	if d.null() {
		return
	}
	var deeper []target
	for _, t := range targets {
		if t.goesDeeper() {
			deeper = append(deeper, target{t.object, t.v, 1})
		}
	}
	d.path.push(nested)
	d.object(deeper, kept)
	d.path.pop()
	if slices.ContainsFunc(deeper, func(t target) bool { return t.level().isSet(t.v) }) {
		return
	}
	for _, t := range deeper {
		if f := t.empty; f != nil {
			t.v.Field(f.index).Set(reflect.New(t.v.Field(f.index).Type().Elem()))
		}
	}
}

// isSet reports whether a struct has a value in one of the fields of the level.
func (l *level) isSet(v reflect.Value) bool {
	isSet := func(f *field) bool { return f != nil && !v.Field(f.index).IsZero() }
	return slices.ContainsFunc(l.fields, isSet) || isSet(l.spread) ||
		l.union != nil && (isSet(l.union.raw) || slices.ContainsFunc(l.union.variants, func(x *variant) bool { return isSet(x.field) }))
}

// find returns the field that a name belongs to, or else the target that takes
// names of all kinds, if there is one.
func find(targets []target, name []byte) (*target, *field) {
	var spread *target
	for i := range targets {
		l := targets[i].level()
		if f := l.byName[string(name)]; f != nil {
			return &targets[i], f
		}
		if l.spread != nil && spread == nil {
			spread = &targets[i]
		}
	}
	folded := strings.ToLower(string(name))
	for i := range targets {
		if f := targets[i].level().byName[folded]; f != nil && strings.EqualFold(f.arm, folded) {
			return &targets[i], f
		}
	}
	return spread, nil
}

func isDiscriminator(targets []target, name []byte) bool {
	return slices.ContainsFunc(targets, func(t target) bool {
		u := t.level().union
		return u != nil && strings.EqualFold(u.discriminator, string(name))
	})
}

// addVariants adds the structs of the variants that the object, which is next,
// says to be. Other is true if it is none of them, and was kept as it is.
func (d *decoder) addVariants(targets []target) (all []target, other bool) {
	for i := 0; i < len(targets); i++ {
		t := targets[i]
		u := t.level().union
		if u == nil {
			continue
		}
		value, found := d.lookAhead(u.discriminator)
		switch known := u.find(value); {
		case found && known != nil:
			p := reflect.New(t.v.Field(known.index).Type().Elem())
			t.v.Field(known.index).Set(p)
			targets = append(targets, target{known.object, p.Elem(), 0})
		case u.raw != nil:
			t.v.Field(u.raw.index).Set(reflect.ValueOf(&apiextensionsv1.JSON{Raw: d.copyNext()}))
			other = true
		case found:
			d.fail("found %s %q, expected one of %s", u.discriminator, clip([]byte(value)), u.values())
		}
	}
	return targets, other
}

// values lists what a discriminator can be, for a message.
func (u *union) values() string {
	all := make([]string, len(u.variants))
	for i, v := range u.variants {
		all[i] = strconv.Quote(v.value)
	}
	return strings.Join(all, ", ")
}

// field reads a value, of which null is none.
func (d *decoder) field(f *field, v reflect.Value) {
	if d.null() {
		return
	}
	d.path.push(f.arm)
	f.codec.decode(d, v)
	d.path.pop()
}

// spread reads a value into the map of a target.
func (d *decoder) spread(t *target, name string) {
	l := t.level()
	m := t.v.Field(l.spread.index)
	if m.IsNil() {
		m.Set(reflect.MakeMap(m.Type()))
	}
	d.entry(l.elem, m, name)
}

// entry reads the value of a map's key.
func (d *decoder) entry(elem *codec, m reflect.Value, key string) {
	d.path.pushKey(key)
	value := reflect.New(m.Type().Elem()).Elem()
	elem.decode(d, value)
	m.SetMapIndex(reflect.ValueOf(key).Convert(m.Type().Key()), value)
	d.path.pop()
}

func (d *decoder) mapping(elem *codec, t reflect.Type, v reflect.Value) {
	if !d.expect('{', "an object") {
		return
	}
	if d.enter() {
		m := reflect.MakeMap(t)
		for name := range d.Members {
			d.entry(elem, m, string(name))
		}
		v.Set(m)
	}
	d.leave()
}

func (d *decoder) slice(elem *codec, v reflect.Value) {
	if !d.expect('[', "an array") {
		return
	}
	if d.enter() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		for i := range d.Elements {
			if i == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(i + 1)
			d.path.pushIndex(i)
			elem.decode(d, v.Index(i))
			d.path.pop()
		}
	}
	d.leave()
}

func decodeString(d *decoder, v reflect.Value) {
	if d.expect('"', "a string") {
		v.SetString(string(d.Text()))
	}
}

func decodeBool(d *decoder, v reflect.Value) {
	switch kind := d.Next(); kind {
	case 't', 'f':
		d.Value()
		v.SetBool(kind == 't')
	default:
		d.expect('t', "true or false")
	}
}

// decodeInteger also reads what other programs write for a whole number, such
// as 5.0, as far as it is exact.
func decodeInteger(d *decoder, v reflect.Value) {
	text, ok := d.number("an integer")
	if !ok {
		return
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		f, floatErr := strconv.ParseFloat(string(text), 64)
		if floatErr != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
			d.fail("found %s, expected an integer of 64 bits", clip(text))
			return
		}
		n = int64(f)
	}
	v.SetInt(n)
}

func decodeNumber(d *decoder, v reflect.Value) {
	text, ok := d.number("a number")
	if !ok {
		return
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		d.fail("found %s, expected a number of 64 bits", clip(text))
		return
	}
	v.SetFloat(n)
}

func (d *decoder) number(kind string) (text []byte, ok bool) {
	if !d.expect('0', kind) {
		return nil, false
	}
	return d.Value(), true
}

// clip returns a text from outside for an error, and cuts a long one.
func clip(text []byte) string {
	const most = 100
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

func decodeJSON(d *decoder, v reflect.Value) { v.Field(0).SetBytes(slices.Clone(d.Value())) }

func decodeReference(d *decoder, v reflect.Value) {
	if d.expect('"', "the ARM id of a resource") {
		v.Set(reflect.ValueOf(reference.Resource{ARMID: string(d.Text())}))
	}
}

func decodeRoleDefinition(d *decoder, v reflect.Value) {
	if d.expect('"', "the ARM id of a role definition") {
		v.Set(reflect.ValueOf(reference.RoleDefinition{ARMID: string(d.Text())}))
	}
}

func decodeSecret(d *decoder, v reflect.Value) {
	if d.expect('"', "a secret") {
		d.keep(string(d.Text()), v)
	}
}

func decodeSecretJSON(d *decoder, v reflect.Value) { d.keep(string(d.Value()), v) }

// keep gives a secret to the caller, and keeps the reference to it.
func (d *decoder) keep(value string, v reflect.Value) {
	if d.KeepSecret == nil {
		d.fail("found a secret, and no KeepSecret that takes it")
		return
	}
	ref, err := d.KeepSecret(d.path.String(), value)
	if err != nil {
		d.fail("%w", err)
		return
	}
	v.Set(reflect.ValueOf(ref))
}
