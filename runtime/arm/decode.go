package arm

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/reference"
	"github.com/go-json-experiment/json/jsontext"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Ignored describes the parts of a body from ARM that were left out.
type Ignored struct {
	// Count is the number of properties that the version does not know.
	Count int
	// Paths has the paths in the body of up to a hundred of these properties.
	Paths []string
	// Misfits are values that do not have the type of their property, up to a hundred.
	Misfits []Misfit
}

// Misfit describes a value that does not have the type of its property. It does not contain the
// value, which may be secret.
type Misfit struct {
	// Path is the path of the value in the body. Property is the same path for all elements of a
	// list and all entries of a map, such as properties.rules[].ports.
	Path, Property string
	// Problem says what was found, and what was expected.
	Problem string
}

func (m Misfit) String() string { return m.Path + ": " + m.Problem }

// Decode reads a body from ARM into an empty Status, or the body of a request into an
// empty Spec. Properties that the version does not know are left out and reported, and so
// are values of another type, unless they can be read without loss. Decode fails if the
// body is not an object, and if it has a secret that nobody keeps; it reads the rest of the
// body nevertheless.
func Decode(body []byte, into any) (Ignored, error) { return Decoder{}.Decode(body, into) }

// Decoder reads bodies that [Decode] cannot read: those with secrets.
type Decoder struct {
	// KeepSecret stores a secret from the body of a request, and returns the reference to
	// it. path is the path of the secret in the body. value is the text of a string, or the
	// bytes that the string encodes if the property has bytes, or else JSON. Without
	// KeepSecret a secret is an error.
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
		return Ignored{}, fmt.Errorf("the body is not JSON: %w", err)
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

// misfit notes that the value at the path does not have the type of its property.
func (d *decoder) misfit(format string, args ...any) {
	if all := &d.ignored.Misfits; len(*all) < maxIgnored {
		*all = append(*all, Misfit{d.path.String(), d.path.property(), fmt.Sprintf(format, args...)})
	}
}

// maxIgnored is how many paths of values that were left out are reported.
const maxIgnored = 100

// ignore skips a property that has no field, and counts it unless it is null.
func (d *decoder) ignore(name []byte) {
	if d.null() {
		return
	}
	if d.ignored.Count++; d.ignored.Count <= maxIgnored {
		d.path.push(string(name))
		d.ignored.Paths = append(d.ignored.Paths, d.path.String())
		d.path.pop()
	}
	d.Value()
}

// expect reports whether the next value is of a kind. It skips a value of any other kind.
func (d *decoder) expect(kind jsontext.Kind, name string) bool {
	if d.Next() == kind {
		return true
	}
	d.misfit("found %s, expected %s", rawjson.Describe(d.Next()), name)
	d.Value()
	return false
}

// null reports whether the next value is null, and skips it if it is.
func (d *decoder) null() bool {
	if d.Next() != 'n' {
		return false
	}
	d.Value()
	return true
}

// lookAhead returns the string that is a member of the next object. It compares names without
// case, as ARM varies it.
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

// copyNext returns a copy of the next value, and does not read past it.
func (d *decoder) copyNext() []byte {
	r := rawjson.New(d.Rest())
	defer r.Free()
	return slices.Clone(r.Value())
}

// enter goes one level deeper, and reports whether it may: a value that is too deep is skipped.
func (d *decoder) enter() bool {
	if d.path.depth++; d.path.depth <= maxDepth {
		return true
	}
	d.misfit("objects are nested more than %d deep", maxDepth)
	d.Value()
	return false
}

func (d *decoder) leave() { d.path.depth-- }

// target is a struct into which a JSON object is read, at one of the struct's levels.
// An object has more than one target if it is a union.
type target struct {
	*object
	v  reflect.Value
	at int
}

func (t target) level() *level { return &t.levels[t.at] }

func (o *object) decode(d *decoder, v reflect.Value) bool {
	var buffer [2]target
	return d.object(append(buffer[:0], target{o, v, 0}), false)
}

// object reads an object into its targets. raw reports whether the object is inside one that is
// also kept as raw JSON, and fits whether the object has the expected type.
func (d *decoder) object(targets []target, raw bool) (fits bool) {
	if !d.expect('{', "an object") {
		return false
	}
	if !d.enter() {
		d.leave()
		return false
	}
	defer d.leave()
	targets, isRaw, fits := d.addVariants(targets)
	raw = raw || isRaw
	for name := range d.Members {
		switch t, f := find(targets, name); {
		case strings.EqualFold(string(name), propertiesObject) && slices.ContainsFunc(targets, target.goesDeeper):
			d.nested(targets, raw)
		case f != nil:
			d.field(f, t.v.Field(f.index))
		case isDiscriminator(targets, name):
			d.Value()
		case raw && t == nil:
			d.Value()
		case t != nil:
			d.spread(t, string(name))
		default:
			d.ignore(name)
		}
	}
	return fits
}

func (t target) goesDeeper() bool { return t.at == 0 && t.deep }

// nested reads "properties" into the fields that lie there.
func (d *decoder) nested(targets []target, raw bool) {
	if d.null() {
		return
	}
	var deeper []target
	for _, t := range targets {
		if t.goesDeeper() {
			deeper = append(deeper, target{t.object, t.v, 1})
		}
	}
	d.path.push(propertiesObject)
	d.object(deeper, raw)
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

// find returns the field with a name, and its target. If there is none, it returns a target
// whose map takes properties of all names, if there is one.
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

// addVariants adds the structs of the variants that the next object's discriminators select.
// raw reports whether a discriminator has another value, and the object was kept as raw JSON.
// fits is false if it could not be kept either.
func (d *decoder) addVariants(targets []target) (all []target, raw, fits bool) {
	fits = true
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
			raw = true
		case found:
			d.misfit("found another %s, expected one of %s", u.discriminator, u.values())
			fits = false
		}
	}
	return targets, raw, fits
}

// values lists the values of a discriminator, for a message.
func (u *union) values() string {
	all := make([]string, len(u.variants))
	for i, v := range u.variants {
		all[i] = strconv.Quote(v.value)
	}
	return strings.Join(all, ", ")
}

// field reads the value of a field. A null is no value.
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
	if elem.decode(d, value) {
		m.SetMapIndex(reflect.ValueOf(key).Convert(m.Type().Key()), value)
	}
	d.path.pop()
}

func (d *decoder) mapping(elem *codec, t reflect.Type, v reflect.Value) (fits bool) {
	if !d.expect('{', "an object") {
		return false
	}
	if fits = d.enter(); fits {
		m := reflect.MakeMap(t)
		for name := range d.Members {
			d.entry(elem, m, string(name))
		}
		v.Set(m)
	}
	d.leave()
	return fits
}

func (d *decoder) slice(elem *codec, v reflect.Value) (fits bool) {
	if !d.expect('[', "an array") {
		return false
	}
	if fits = d.enter(); fits {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		for i := range d.Elements {
			n := v.Len()
			if n == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(n + 1)
			d.path.pushIndex(i)
			if !elem.decode(d, v.Index(n)) {
				v.Index(n).SetZero()
				v.SetLen(n)
			}
			d.path.pop()
		}
	}
	d.leave()
	return fits
}

// text reads a string, or a number or a boolean that another program has written without
// quotation marks.
func (d *decoder) text(name string) (text string, ok bool) {
	switch d.Next() {
	case '0':
		if number := string(d.Value()); isCanonical(number) {
			return number, true
		}
		d.misfit("found a number, expected %s", name)
		return "", false
	case 't', 'f':
		return string(d.Value()), true
	}
	return d.quoted(name)
}

// quoted reads a string.
func (d *decoder) quoted(name string) (text string, ok bool) {
	if !d.expect('"', name) {
		return "", false
	}
	quoted := d.Value()
	if text := quoted[1 : len(quoted)-1]; rawjson.IsPlain(text) {
		return string(text), true
	}
	unquoted, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		d.misfit("found a string that is not UTF-8, expected %s", name)
		return "", false
	}
	return string(unquoted), true
}

// isCanonical reports whether a text is the canonical text of a number.
func isCanonical(text string) bool {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(n, 10) == text
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && strconv.FormatFloat(f, 'f', -1, 64) == text
}

func decodeString(d *decoder, v reflect.Value) bool {
	read := d.text
	if v.Type() != reflect.TypeFor[string]() {
		read = d.quoted // a number is never a value of an enum
	}
	text, ok := read("a string")
	v.SetString(text)
	return ok
}

func decodeBool(d *decoder, v reflect.Value) bool {
	kind := d.Next()
	switch {
	case kind == 't' || kind == 'f':
		d.Value()
		v.SetBool(kind == 't')
		return true
	case kind == '"':
		if text := string(d.Text()); text == "true" || text == "false" {
			v.SetBool(text == "true")
			return true
		}
		d.misfit("found a string, expected true or false")
		return false
	}
	return d.expect('t', "true or false")
}

// decodeInteger reads an integer. It also reads other texts of integers, such as 5.0, as long
// as they are exact.
func decodeInteger(d *decoder, v reflect.Value) bool {
	text, ok := d.number("an integer")
	if !ok {
		return false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f, floatErr := strconv.ParseFloat(text, 64)
		if floatErr != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
			d.misfit("found another number, expected an integer of 64 bits")
			return false
		}
		n = int64(f)
	}
	v.SetInt(n)
	return true
}

func decodeNumber(d *decoder, v reflect.Value) bool {
	text, ok := d.number("a number")
	if !ok {
		return false
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		d.misfit("found a larger number, expected a number of 64 bits")
		return false
	}
	v.SetFloat(n)
	return true
}

// number reads a number, or a string that is the canonical text of one.
func (d *decoder) number(name string) (text string, ok bool) {
	if d.Next() == '"' {
		if text = string(d.Text()); isCanonical(text) {
			return text, true
		}
		d.misfit("found a string, expected %s", name)
		return "", false
	}
	if !d.expect('0', name) {
		return "", false
	}
	return string(d.Value()), true
}

func decodeJSON(d *decoder, v reflect.Value) bool {
	v.Field(0).SetBytes(slices.Clone(d.Value()))
	return true
}

func decodeReference(d *decoder, v reflect.Value) bool {
	id, ok := d.quoted("the ARM id of a resource")
	v.Set(reflect.ValueOf(reference.Resource{ARMID: id}))
	return ok
}

func decodeRoleDefinition(d *decoder, v reflect.Value) bool {
	id, ok := d.quoted("the ARM id of a role definition")
	v.Set(reflect.ValueOf(reference.RoleDefinition{ARMID: id}))
	return ok
}

func decodeSecret(d *decoder, v reflect.Value) bool {
	value, ok := d.text("a secret")
	return ok && d.keep(value, v)
}

func decodeSecretJSON(d *decoder, v reflect.Value) bool {
	value := d.Value()
	if !utf8.Valid(value) {
		d.misfit("found JSON that is not UTF-8, expected a secret")
		return false
	}
	return d.keep(string(value), v)
}

// keep passes a secret to KeepSecret, and sets v to the reference that this returns.
func (d *decoder) keep(value string, v reflect.Value) bool {
	if d.KeepSecret == nil {
		d.fail("found a secret, expected none, as no KeepSecret stores it")
		return false
	}
	ref, err := d.KeepSecret(d.path.String(), value)
	if err != nil {
		d.fail("%w", err)
		return false
	}
	v.Set(reflect.ValueOf(ref))
	return true
}
