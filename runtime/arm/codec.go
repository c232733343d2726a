package arm

import (
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/internal/armtag"
	"github.com/armature-dev/armature/runtime/reference"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	propertiesObject = "properties" // the one object of ARM whose properties are one level higher in Kubernetes
)

// codec encodes and decodes the values of one Go type.
type codec struct {
	encode func(*encoder, reflect.Value)
	// decode reports whether it has read a value. If it has not, the value is left out.
	decode func(*decoder, reflect.Value) bool
	// form is what the value is in JSON, as far as that matters, object describes an object, and elem is the codec of
	// the elements of a list, or of the values of a map.
	form   form
	object *object
	elem   *codec
}

// form is a form of a value in JSON.
type form int

const (
	otherForm form = iota
	objectForm
	listForm
	mapForm
	secretForm
)

// field is a struct's field that ARM knows.
type field struct {
	index int
	json  string // its name in Kubernetes, for messages
	arm   string
	key   string // as in JSON: "arm":
	codec *codec
	// keys are the names in Kubernetes of the properties by which the elements of a list are told apart.
	keys []string
	// nillable is true if a nil value is absent.
	nillable bool
}

// object describes where ARM has the fields of a struct: in the object itself,
// and in its "properties".
type object struct {
	levels [2]level
	// deep reports whether a field lies in "properties".
	deep bool
	// empty is the field that is set if "properties" exists and none of its members has a
	// field, or nil if the struct has no such field.
	empty *field
}

// level has the fields of a struct that lie in one JSON object.
type level struct {
	fields []*field
	byName map[string]*field // by ARM name, and by ARM name without case
	spread *field
	elem   *codec // of spread's values
	union  *union
	// from are references that [FillIn] replaces. Answers have none.
	from []*field
}

// union describes how to find the variant of a JSON object by its discriminator.
type union struct {
	discriminator string
	key           string // as in JSON
	variants      []*variant
	raw           *field
}

type variant struct {
	*field
	value  string
	object *object
}

// find returns the variant that a discriminator's value selects, or nil. ARM
// compares such values without case.
func (u *union) find(value string) *variant {
	var folded *variant
	for _, v := range u.variants {
		if v.value == value {
			return v
		}
		if strings.EqualFold(v.value, value) {
			folded = v
		}
	}
	return folded
}

var (
	codecs   sync.Map // of *codec by reflect.Type
	building sync.Mutex
)

// codecOf returns the codec of a type. It makes each codec once.
func codecOf(t reflect.Type) (*codec, error) {
	if c, made := codecs.Load(t); made {
		return c.(*codec), nil
	}
	building.Lock()
	defer building.Unlock()
	b := &builder{codecs: map[reflect.Type]*codec{}, objects: map[reflect.Type]*object{}}
	c := b.codec(t)
	if b.err != nil {
		return nil, b.err
	}
	for t, c := range b.codecs {
		codecs.Store(t, c)
	}
	return c, nil
}

// builder makes the codecs of a type and of all types that it contains. They are stored
// for others only when all of them are complete.
type builder struct {
	codecs  map[reflect.Type]*codec
	objects map[reflect.Type]*object
	err     error // the first
}

func (b *builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

var special = map[reflect.Type]codec{
	reflect.TypeFor[apiextensionsv1.JSON]():     {encode: encodeJSON, decode: decodeJSON},
	reflect.TypeFor[reference.Resource]():       {encode: encodeReference, decode: decodeReference},
	reflect.TypeFor[reference.RoleDefinition](): {encode: encodeRoleDefinition, decode: decodeRoleDefinition},
	reflect.TypeFor[reference.Secret]():         {encode: encodeSecret, decode: decodeSecret, form: secretForm},
	reflect.TypeFor[reference.Value]():          {encode: encodeUnfilled},
}

// byteEncodings are the encodings of secrets that are bytes.
var byteEncodings = map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64url": base64.RawURLEncoding}

// SecretForms returns the forms in which [Encode] sends the value of a secret, apart from how JSON quotes them.
func SecretForms(value string) []string {
	forms := []string{value}
	for _, name := range slices.Sorted(maps.Keys(byteEncodings)) {
		forms = append(forms, byteEncodings[name].EncodeToString([]byte(value)))
	}
	return forms
}

// secrets are the codecs of secrets that are not text, by their encodings.
var secrets = func() map[string]*codec {
	all := map[string]*codec{"json": secretCodec(encodeSecretJSON, decodeSecretJSON)}
	for name, encoding := range byteEncodings {
		all[name] = secretBytes(encoding)
	}
	return all
}()

func secretCodec(encode func(*encoder, reflect.Value), decode func(*decoder, reflect.Value) bool) *codec {
	c := pointerCodec(&codec{encode: encode, decode: decode, form: secretForm}, reflect.TypeFor[reference.Secret]())
	return &c
}

// unknownToARM has the types of fields that only Kubernetes has.
var unknownToARM = map[reflect.Type]bool{
	reflect.TypeFor[*reference.Owner]():        true,
	reflect.TypeFor[*reference.AnyOwner]():     true,
	reflect.TypeFor[*reference.OperatorSpec](): true,
	reflect.TypeFor[[]metav1.Condition]():      true,
}

func (b *builder) codec(t reflect.Type) *codec {
	if c, made := codecs.Load(t); made {
		return c.(*codec)
	}
	if c := b.codecs[t]; c != nil {
		return c
	}
	c := new(codec) // stored before it is complete, because a type may contain itself
	b.codecs[t] = c
	if known, found := special[t]; found {
		*c = known
		return c
	}
	switch t.Kind() {
	case reflect.String:
		*c = codec{encode: encodeString, decode: decodeString}
	case reflect.Int64:
		*c = codec{encode: encodeInteger, decode: decodeInteger}
	case reflect.Float64:
		*c = codec{encode: encodeNumber, decode: decodeNumber}
	case reflect.Bool:
		*c = codec{encode: encodeBool, decode: decodeBool}
	case reflect.Pointer:
		*c = pointerCodec(b.codec(t.Elem()), t.Elem())
	case reflect.Slice:
		*c = sliceCodec(b.codec(t.Elem()))
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			b.fail("%v: the keys of a JSON object are strings", t)
		}
		*c = mapCodec(b.codec(t.Elem()), t)
	case reflect.Struct:
		*c = b.object(t).codec()
	default:
		b.fail("%v: no form in ARM is known for it", t)
	}
	return c
}

// object returns the description of a struct.
func (b *builder) object(t reflect.Type) *object {
	if o := b.objects[t]; o != nil {
		return o
	}
	o := new(object)
	b.objects[t] = o
	for i := range o.levels {
		o.levels[i].byName = map[string]*field{}
	}
	for i := range t.NumField() {
		b.place(o, t, i)
	}
	o.deep = !o.levels[1].empty()
	for _, l := range o.levels {
		if l.union == nil {
			continue
		}
		for _, v := range l.union.variants {
			o.deep = o.deep || v.object.deep
		}
	}
	if f := o.levels[0].byName[propertiesObject]; o.deep && f != nil {
		if goType := t.Field(f.index).Type; goType.Kind() != reflect.Pointer || goType.Elem().Kind() != reflect.Struct ||
			!b.object(goType.Elem()).isEmpty() {
			b.fail("%v.%s: other fields lie in %q, so this is a pointer to a struct without fields", t, f.json, propertiesObject)
		}
		o.empty = f
		delete(o.levels[0].byName, propertiesObject)
		o.levels[0].fields = slices.DeleteFunc(o.levels[0].fields, func(g *field) bool { return g == f })
	}
	return o
}

// isEmpty reports whether ARM knows no field of the struct.
func (o *object) isEmpty() bool { return o.levels[0].empty() && o.levels[1].empty() }

func (l *level) empty() bool {
	return len(l.fields) == 0 && l.spread == nil && l.union == nil && len(l.from) == 0
}

// place adds a field to the level that its tag names.
func (b *builder) place(o *object, t reflect.Type, i int) {
	goField := t.Field(i)
	json := jsonName(goField)
	tag := armtag.Of(goField)
	if tag.Unknown || unknownToARM[goField.Type] {
		return
	}
	if tag.Name == "" || !goField.IsExported() {
		b.fail("%v.%s: a field has a name in JSON, or the tag `arm:\"-\"`", t, goField.Name)
		return
	}
	l := &o.levels[0]
	if tag.Nested {
		l = &o.levels[1]
	}
	f := &field{index: i, json: json, arm: tag.Name, key: quote(tag.Name) + ":", codec: b.codec(goField.Type)}
	if tag.Encoding != "" {
		if goField.Type != reflect.TypeFor[*reference.Secret]() {
			b.fail("%v.%s: only a secret has a value that is %s", t, goField.Name, tag.Encoding)
			return
		}
		f.codec = secrets[tag.Encoding]
	}
	if types := armTypes(goField); types != nil {
		f.codec = typedCodec(f.codec, types)
	}
	if keys := goField.Tag.Get("listMapKey"); keys != "" {
		f.keys = strings.Split(keys, ",")
	}
	switch goField.Type.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		f.nillable = true
	}
	switch {
	case tag.Keys || goField.Type == reflect.TypeFor[*reference.Value]():
		f.codec = &codec{encode: encodeUnfilled}
		l.from = append(l.from, f)
		return
	case tag.Spread:
		if goField.Type.Kind() != reflect.Map {
			b.fail("%v.%s: properties of all names are a map", t, goField.Name)
			return
		}
		l.spread, l.elem = f, b.codec(goField.Type.Elem())
	case tag.Variant != "":
		b.addVariant(l, t, f, goField.Type, tag.Discriminator, tag.Variant)
	default:
		l.fields = append(l.fields, f)
		l.byName[tag.Name] = f
	}
	if folded := strings.ToLower(tag.Name); l.byName[folded] == nil && l.byName[tag.Name] == f {
		l.byName[folded] = f
	}
}

// jsonName returns the name of a field in Kubernetes.
func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// armTypes returns the ARM types that a reference in a field may have, or nil if it may have any.
func armTypes(field reflect.StructField) []string {
	if types := field.Tag.Get("armtypes"); types != "" {
		return strings.Split(types, ",")
	}
	return nil
}

func (b *builder) addVariant(l *level, t reflect.Type, f *field, goType reflect.Type, discriminator, value string) {
	if l.union == nil {
		l.union = &union{discriminator: discriminator, key: quote(discriminator) + ":"}
	}
	if l.union.discriminator != discriminator {
		b.fail("%v.%s: one object is told apart by %q and by %q", t, f.json, l.union.discriminator, discriminator)
	}
	switch {
	case value == "*" && goType == reflect.TypeFor[*apiextensionsv1.JSON]():
		l.union.raw = f
	case value != "*" && goType.Kind() == reflect.Pointer && goType.Elem().Kind() == reflect.Struct:
		l.union.variants = append(l.union.variants, &variant{f, value, b.object(goType.Elem())})
	default:
		b.fail("%v.%s: a variant is a pointer to a struct, or to JSON for any other value", t, f.json)
	}
}
