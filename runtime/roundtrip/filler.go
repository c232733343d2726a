package roundtrip

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/armature-dev/armature/runtime/internal/armtag"
	"github.com/armature-dev/armature/runtime/propertybag"
	fuzz "github.com/google/gofuzz"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Filler fills objects at random, the same ones from the same seed. It chooses which
// values are absent, and prefers awkward values.
//
// It knows two things that Go's types do not say. A field with a tag such as
// `arm:"kind=Cat"` is one variant of a union, as package arm documents; at most
// one variant is set. And an enum gets one of its values.
type Filler struct {
	*vocabulary
	rand *rand.Rand
	// valid asks for objects that their version allows.
	valid bool
	// plain asks for values that people read: none of the awkward ones, and one
	// element in lists and maps.
	plain bool
	// bags has entries for property bags, by the name of the struct type, and all
	// of them under "". Bags have other entries too, whose names no property has.
	bags map[string][]BagEntry

	// fuzzer calls the functions that users wrote. It is made when it is needed.
	fuzzer *fuzz.Fuzzer
	// absent is the chance that a value of this object is nil.
	absent float64
	// left is how many structs may still be filled.
	left int
	// inside is the struct type whose fields are being filled, and depth is how
	// often each type encloses it.
	inside reflect.Type
	depth  map[reflect.Type]int
}

const (
	maxElements  = 3   // of a slice or map
	maxRecursion = 2   // of a type within itself
	maxStructs   = 400 // in one Spec or Status
)

// vocabulary has what a Filler needs to know about the types of a kind. It does not
// change, so all Fillers of a kind share it.
type vocabulary struct {
	functions []any                          // that users wrote, for gofuzz
	custom    map[reflect.Type]bool          // the types that they fill
	enums     map[reflect.Type]reflect.Value // slices of the values of enums
	// spellings are values of enums in capitals and in small letters.
	spellings []string
	rules     map[string]Rules // by package
}

// newVocabulary returns the vocabulary with functions for gofuzz, such as
// func(*Color, fuzz.Continue), and enums, in slices such as []Color{Red, Green}.
func newVocabulary(functions, enums []any, rules map[string]Rules) *vocabulary {
	w := &vocabulary{functions: functions, custom: map[reflect.Type]bool{}, enums: map[reflect.Type]reflect.Value{}, rules: rules}
	for _, function := range functions {
		w.custom[reflect.TypeOf(function).In(0).Elem()] = true
	}
	for _, slice := range enums {
		v := reflect.ValueOf(slice)
		w.enums[v.Type().Elem()] = v
		for i := range v.Len() {
			if value := v.Index(i); value.Kind() == reflect.String {
				w.spellings = append(w.spellings, strings.ToUpper(value.String()), strings.ToLower(value.String()))
			}
		}
	}
	return w
}

// NewFiller returns a Filler for types without enums.
func NewFiller(seed int64) *Filler { return newVocabulary(nil, nil, nil).filler(seed, 0) }

// filler returns a Filler. What it fills depends on the seed and the stream.
func (w *vocabulary) filler(seed, stream int64) *Filler {
	f := &Filler{vocabulary: w, rand: newRand(seed, stream), depth: map[reflect.Type]int{}}
	f.valid = w.fillsValid(seed)
	// One object in four is full; the others lack more or less.
	if f.rand.Intn(4) > 0 {
		f.absent = f.rand.Float64()
	}
	return f
}

// fillsValid reports whether the objects of a seed are valid. If there are rules,
// those of every other seed are.
func (w *vocabulary) fillsValid(seed int64) bool { return len(w.rules) > 0 && seed%2 != 0 }

// newRand returns random numbers whose source is seeded quickly, unlike those of
// math/rand.
func newRand(seed, stream int64) *rand.Rand {
	return rand.New(source{randv2.NewPCG(uint64(seed)*0x9e3779b97f4a7c15, uint64(stream))})
}

// source adapts a source of math/rand/v2 to math/rand.
type source struct{ *randv2.PCG }

func (s source) Int63() int64    { return int64(s.Uint64() >> 1) }
func (s source) Seed(seed int64) { s.PCG.Seed(uint64(seed), 0) }

// FillExample fills the values that pointers point to with text and numbers for
// people to read, each different: with everything if full is set, and otherwise with
// nothing but what the rules of their version require.
func FillExample(rules map[string]Rules, full bool, pointers ...any) {
	n := 0
	f := newVocabulary([]any{
		func(s *string, _ fuzz.Continue) { n++; *s = fmt.Sprintf("text %d", n) },
		func(i *int64, _ fuzz.Continue) { n++; *i = int64(n) },
		func(f *float64, _ fuzz.Continue) { n++; *f = float64(n) + 0.5 },
		func(b *bool, _ fuzz.Continue) { *b = true },
		func(m *metav1.Time, _ fuzz.Continue) { *m = metav1.Unix(0, 0).Rfc3339Copy() },
		func(j *apiextensionsv1.JSON, _ fuzz.Continue) { j.Raw = []byte(`{"key":"value"}`) },
	}, nil, rules).filler(1, 0)
	f.plain, f.valid = true, true
	if f.absent = 1; full {
		f.absent = 0
	}
	for _, pointer := range pointers {
		f.left = maxStructs
		f.fill(reflect.ValueOf(pointer).Elem())
	}
}

// Fill fills the object that pointer points to.
func (f *Filler) Fill(pointer any) {
	v := reflect.ValueOf(pointer).Elem()
	if v.Kind() != reflect.Struct {
		f.left = maxStructs
		f.fill(v)
		return
	}
	for i := range v.NumField() {
		f.inside = v.Type()
		f.left = maxStructs // so that a large Spec does not leave the Status empty
		f.fill(v.Field(i))
	}
}

// isLeaf reports whether values of a type are filled as a whole.
func (w *vocabulary) isLeaf(t reflect.Type) bool { return w.custom[t] || builtin[t] }

// builtin are the types that [Filler.fillBuiltin] fills.
var builtin = map[reflect.Type]bool{
	reflect.TypeFor[string]():               true,
	reflect.TypeFor[int64]():                true,
	reflect.TypeFor[float64]():              true,
	reflect.TypeFor[bool]():                 true,
	reflect.TypeFor[metav1.Time]():          true,
	reflect.TypeFor[metav1.TypeMeta]():      true,
	reflect.TypeFor[metav1.FieldsV1]():      true,
	reflect.TypeFor[apiextensionsv1.JSON](): true,
	reflect.TypeFor[json.RawMessage]():      true,
	reflect.TypeFor[propertybag.Bag]():      true,
}

func (f *Filler) fillBuiltin(pointer any) {
	c := fuzz.Continue{Rand: f.rand}
	switch p := pointer.(type) {
	case *string:
		f.fillText(p, c)
	case *int64:
		fillInteger(p, c)
	case *float64:
		fillNumber(p, c)
	case *bool:
		*p = c.RandBool()
	case *metav1.Time:
		fillTime(p, c)
	case *metav1.FieldsV1:
		p.Raw = []byte(`{"f:spec":{}}`)
	case *apiextensionsv1.JSON:
		p.Raw = rawJSON(c)
	case *json.RawMessage:
		*p = rawJSON(c)
	case *propertybag.Bag:
		f.fillBag(p, c)
	}
}

// fuzz fills a value with gofuzz. Its type is one that users wrote a function for,
// or an unknown one.
func (f *Filler) fuzz(pointer any) {
	if f.fuzzer == nil {
		f.fuzzer = fuzz.New().RandSource(f.rand).Funcs(append([]any{
			f.fillText, fillInteger, fillNumber, fillTime, f.fillBag,
			func(j *apiextensionsv1.JSON, c fuzz.Continue) { j.Raw = rawJSON(c) },
			func(raw *json.RawMessage, c fuzz.Continue) { *raw = rawJSON(c) },
		}, f.functions...)...)
	}
	f.fuzzer.Fuzz(pointer)
}

// rule has the rules for one value.
type rule struct {
	required    bool
	whole, each *Limits // of the value, and of its elements
}

func (f *Filler) fill(v reflect.Value) { f.fillBy(v, rule{}) }

func (f *Filler) fillBy(v reflect.Value, r rule) {
	t := v.Type()
	own := rulesOf(f.rules, t)
	switch {
	case !v.CanSet():
	case own != nil && len(own.Values) > 0:
		f.fillEnum(v, own)
	case r.whole != nil && f.fillLimited(v, r.whole):
	case f.custom[t]:
		f.fuzz(v.Addr().Interface())
	case builtin[t]:
		f.fillBuiltin(v.Addr().Interface())
	case f.enums[t].IsValid():
		v.Set(f.enums[t].Index(f.rand.Intn(f.enums[t].Len())))
	default:
		switch t.Kind() {
		case reflect.Struct:
			f.fillStruct(v, own)
		case reflect.Pointer:
			if r.required || f.present(t.Elem()) {
				v.Set(reflect.New(t.Elem()))
				f.fillBy(v.Elem(), rule{whole: r.whole, each: r.each})
			}
		case reflect.Slice:
			if r.required || f.present(t) && f.mayFill(t, r.whole) {
				v.Set(f.makeSlice(t, r.whole))
				for i := range v.Len() {
					f.fillBy(v.Index(i), rule{whole: r.each})
				}
			}
		case reflect.Map:
			if r.required || f.present(t) {
				v.Set(reflect.MakeMap(t))
				for range f.length(t.Elem()) {
					key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
					f.fill(key)
					f.fillBy(value, rule{whole: r.each})
					v.SetMapIndex(key, value)
				}
			}
		case reflect.String: // a named string type
			text := reflect.New(reflect.TypeFor[string]()).Elem()
			f.fill(text)
			v.SetString(text.String())
		default:
			f.fuzz(v.Addr().Interface())
		}
	}
}

// fillPresent fills a value and does not leave it nil.
func (f *Filler) fillPresent(v reflect.Value) { f.fillBy(v, rule{required: true}) }

func (f *Filler) fillStruct(v reflect.Value, own *TypeRules) {
	t := v.Type()
	f.left--
	f.depth[t]++
	defer func() { f.depth[t]-- }()
	var variants []int
	for i := range t.NumField() {
		f.inside = t
		if isHidden(t.Field(i)) {
			continue
		}
		if armtag.Of(t.Field(i)).Variant != "" {
			variants = append(variants, i)
		} else {
			f.fillBy(v.Field(i), f.ruleOf(own, t.Field(i)))
		}
	}
	if f.valid && own != nil {
		f.choose(v, own)
	}
	if len(variants) > 0 {
		f.fillBy(v.Field(variants[f.rand.Intn(len(variants))]),
			rule{required: f.valid && own != nil && len(own.Variants) > 0 && !own.VariantOptional})
	}
}

// choose takes away one of each two fields of which a valid object has one.
func (f *Filler) choose(v reflect.Value, own *TypeRules) {
	for i := range v.NumField() {
		p := own.Properties[jsonName(v.Type().Field(i))]
		if p == nil || p.From == "" {
			continue
		}
		value, from := v.Field(i), fieldOf(v, p.From)
		switch {
		case !from.IsValid() || value.IsZero() || from.IsZero():
		case f.rand.Intn(2) == 0:
			value.SetZero()
		default:
			from.SetZero()
		}
	}
}

// ruleOf returns the rules for a field of a valid object.
func (f *Filler) ruleOf(own *TypeRules, field reflect.StructField) rule {
	if !f.valid || own == nil || own.Properties[jsonName(field)] == nil {
		return rule{}
	}
	p := own.Properties[jsonName(field)]
	return rule{p.Required, p.Limits, p.ElementLimits}
}

// present decides whether a value of type t is present.
func (f *Filler) present(t reflect.Type) bool { return f.allowed(t) && f.rand.Float64() >= f.absent }

// length decides how many elements of type t a slice or map has.
func (f *Filler) length(t reflect.Type) int {
	switch {
	case !f.allowed(t):
		return 0
	case f.plain:
		return 1
	}
	return f.rand.Intn(maxElements + 1)
}

// makeSlice makes a slice that has more capacity than elements, because
// conversions must not depend on that.
func (f *Filler) makeSlice(t reflect.Type, l *Limits) reflect.Value {
	n := f.lengthWithin(t.Elem(), l)
	return reflect.MakeSlice(t, n, max(n, maxElements))
}

// lengthWithin decides how many elements a list with limits has.
func (f *Filler) lengthWithin(t reflect.Type, l *Limits) int {
	n := f.length(t)
	if l != nil && l.MinItems != nil {
		n = max(n, int(*l.MinItems))
	}
	if l != nil && l.MaxItems != nil {
		n = min(n, int(*l.MaxItems))
	}
	return n
}

// mayFill reports whether a list may have as many elements as it has to have. Otherwise a type that has to have two of
// itself in a list would never end.
func (f *Filler) mayFill(t reflect.Type, l *Limits) bool {
	return l == nil || l.MinItems == nil || *l.MinItems == 0 || f.allowed(t.Elem())
}

// allowed reports whether the object may have one more value of type t.
func (f *Filler) allowed(t reflect.Type) bool {
	return t.Kind() != reflect.Struct || f.left > 0 && f.depth[t] < maxRecursion
}

// pick returns one of the values, or a random one.
func pick[T any](c fuzz.Continue, random func() T, values ...T) T {
	if i := c.Intn(len(values) + 3); i < len(values) {
		return values[i]
	}
	return random()
}

// fillText fills a string, sometimes with a member of an enum as other versions
// may spell it.
func (f *Filler) fillText(s *string, c fuzz.Continue) {
	if len(f.spellings) > 0 && c.Intn(8) == 0 {
		*s = f.spellings[c.Intn(len(f.spellings))]
		return
	}
	fillString(s, c)
}

func fillString(s *string, c fuzz.Continue) {
	*s = pick(c, func() string { return strconv.FormatInt(c.Int63(), 36) },
		"", " ", "null", "a\"b'c`d\\e", "\x00\x1f\x7f\t\r\n", "𝒳😀", "<a&b>", "é\u2028\ufeff", "1e3", "007", "$propertyBag")
}

func fillInteger(i *int64, c fuzz.Continue) {
	*i = pick(c, c.Int63, 0, 1, -1, math.MaxInt64, math.MinInt64, 1<<53+1)
}

func fillNumber(n *float64, c fuzz.Continue) {
	*n = pick(c, c.NormFloat64, 0, math.Copysign(0, -1), 0.1, 1e308, -1e308, math.SmallestNonzeroFloat64, 1<<53)
}

// fillTime fills a time without fractions of a second, because JSON has none.
func fillTime(t *metav1.Time, c fuzz.Continue) {
	*t = metav1.Unix(c.Int63n(int64(100*365*24*time.Hour/time.Second)), 0)
}

func rawJSON(c fuzz.Continue) []byte {
	return []byte(pick(c, func() string { return strconv.FormatInt(c.Int63(), 10) },
		`{}`, `[]`, `""`, `-0.5e+300`, `true`, `9007199254740993`, `"<&>\u0000\""`, `{"b":[1,null,{"c":"d"}],"a":{}}`,
		`{"$propertyBag":{},"a":{"$propertyBag":{"value":1}}}`))
}

// BagEntry is the key of an entry of a property bag, and the version that the
// entry names.
type BagEntry struct {
	Key     string `json:"key"`
	Version string `json:"version"`
}

// fillBag makes some of the entries that the bag's type may have, and entries whose
// names no property has. Few of the values fit the type of their property.
func (f *Filler) fillBag(b *propertybag.Bag, c fuzz.Continue) {
	*b = nil // an empty bag is nil
	if f.plain {
		return
	}
	entries := []BagEntry{{"zz-one", "2001-01-01"}, {"zz-two", "2001-01-01"}}
	if f.inside != nil {
		entries = append(entries, f.bags[f.inside.Name()]...)
	}
	if all := f.bags[""]; len(all) > 0 {
		entries = append(entries, all[c.Intn(len(all))], all[c.Intn(len(all))])
	}
	for _, e := range entries {
		if c.Intn(4) > 0 {
			continue
		}
		if *b == nil {
			*b = propertybag.Bag{}
		}
		(*b)[e.Key] = propertybag.Entry{Version: e.Version, Value: rawJSON(c)}
		if c.Intn(8) == 0 {
			(*b)[e.Key] = propertybag.Entry{Source: rawJSON(c)} // damaged, or of a newer format
		}
	}
}

// isHidden reports whether JSON lacks a field, or has it in the form that its type gives it. The laws do not change it.
func isHidden(field reflect.StructField) bool { return field.Tag.Get("json") == "-" }
