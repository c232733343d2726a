package roundtrip

import (
	"encoding/json"
	"math"
	"math/rand"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/armature-dev/armature/runtime/propertybag"
	fuzz "github.com/google/gofuzz"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Filler fills objects at random: the same ones from the same seed. It decides
// what is there and what is not; gofuzz fills in the values, for which
// it brings functions that prefer the awkward ones.
//
// Two things that Go's types do not tell are known like this. A
// field with a tag such as `arm:"kind=Cat"` is one variant of a union, as package
// arm says; at most one of them is set. An enum gets one of the values that
// [Filler.AddEnums] was told.
type Filler struct {
	// Bags names what entries of bags may be called beside names that no
	// property has: by the name of the struct type, and under "" in all types.
	Bags map[string][]string

	// shapes are by package. Every other object is valid by its shape.
	shapes map[string]*shape
	valid  bool
	// plain asks for values that people read: no awkward ones in the place of
	// gofuzz's, and one element in lists and maps.
	plain bool

	fuzzer *fuzz.Fuzzer
	custom map[reflect.Type]bool // what fuzzer has a function for
	enums  map[reflect.Type]reflect.Value
	// spellings are values of enums in capitals and in small letters.
	spellings []string
	rand      *rand.Rand
	// absent is the chance of nil, of this object.
	absent float64
	// left is how many structs may still be filled.
	left int
	// inside is the struct type whose fields are being filled, and within
	// counts how often each type encloses it.
	inside reflect.Type
	within map[reflect.Type]int
}

const (
	maxElements  = 3   // of a slice or map
	maxRecursion = 2   // of a type within itself
	maxStructs   = 400 // in one Spec or Status
)

// NewFiller returns a Filler; functions are gofuzz's, for further types.
func NewFiller(seed int64, functions ...any) *Filler {
	f := &Filler{
		rand:   rand.New(rand.NewSource(seed)),
		custom: map[reflect.Type]bool{},
		enums:  map[reflect.Type]reflect.Value{},
		within: map[reflect.Type]int{},
	}
	functions = append([]any{
		f.fillText, fillInteger, fillNumber, fillTime, f.fillBag,
		func(j *apiextensionsv1.JSON, c fuzz.Continue) { j.Raw = rawJSON(c) },
		func(raw *json.RawMessage, c fuzz.Continue) { *raw = rawJSON(c) },
		func(f *metav1.FieldsV1, c fuzz.Continue) { f.Raw = []byte(`{"f:spec":{}}`) },
		func(*metav1.TypeMeta, fuzz.Continue) {},
	}, functions...)
	for _, function := range functions {
		f.custom[reflect.TypeOf(function).In(0).Elem()] = true
	}
	f.fuzzer = fuzz.New().RandSource(f.rand).Funcs(functions...)
	// One object in four is full; the others lack more or less.
	if f.rand.Intn(4) > 0 {
		f.absent = f.rand.Float64()
	}
	return f
}

// AddEnums tells the values of enums: slices such as []Color{Red, Green}.
func (f *Filler) AddEnums(values ...any) {
	for _, slice := range values {
		v := reflect.ValueOf(slice)
		f.enums[v.Type().Elem()] = v
		for i := range v.Len() {
			if value := v.Index(i); value.Kind() == reflect.String {
				f.spellings = append(f.spellings, strings.ToUpper(value.String()), strings.ToLower(value.String()))
			}
		}
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

// rule is what the shape of a version asks of a value.
type rule struct {
	required    bool
	whole, each *limits // of the value, and of its elements
}

func (f *Filler) fill(v reflect.Value) { f.fillBy(v, rule{}) }

func (f *Filler) fillBy(v reflect.Value, r rule) {
	t := v.Type()
	own := shapeOf(f.shapes, t)
	switch {
	case !v.CanSet():
	case own != nil && own.Kind == "enum":
		f.fillEnum(v, own)
	case r.whole != nil && f.fillLimited(v, r.whole):
	case f.custom[t]:
		f.fuzzer.Fuzz(v.Addr().Interface())
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
			if r.required || f.present(t) {
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
					f.fillKey(key)
					f.fillBy(value, rule{whole: r.each})
					v.SetMapIndex(key, value)
				}
			}
		case reflect.String: // a named string type
			var s string
			f.fuzzer.Fuzz(&s)
			v.SetString(s)
		default:
			f.fuzzer.Fuzz(v.Addr().Interface())
		}
	}
}

// fillKey fills the key of a map with anything but the name that bags have:
// package remainder takes what has it for one.
func (f *Filler) fillKey(v reflect.Value) {
	for f.fill(v); v.Kind() == reflect.String && v.String() == bagName; {
		f.fill(v)
	}
}

// fillPresent fills a value that is to be there.
func (f *Filler) fillPresent(v reflect.Value) { f.fillBy(v, rule{required: true}) }

func (f *Filler) fillStruct(v reflect.Value, own *shapeType) {
	t := v.Type()
	f.left--
	f.within[t]++
	defer func() { f.within[t]-- }()
	var variants []int
	for i := range t.NumField() {
		f.inside = t
		if strings.Contains(t.Field(i).Tag.Get("arm"), "=") {
			variants = append(variants, i)
		} else {
			f.fillBy(v.Field(i), f.ruleOf(own, t.Field(i)))
		}
	}
	if len(variants) > 0 {
		f.fillBy(v.Field(variants[f.rand.Intn(len(variants))]), rule{required: f.valid && own != nil && own.variants && !own.VariantOptional})
	}
}

// ruleOf is what a valid object has to keep to.
func (f *Filler) ruleOf(own *shapeType, field reflect.StructField) rule {
	if !f.valid || own == nil || own.properties[jsonName(field)] == nil {
		return rule{}
	}
	p := own.properties[jsonName(field)]
	return rule{p.Required, p.Validation, p.ItemValidation}
}

// present decides whether a value of type t is there.
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

// makeSlice has room for more, which nobody is to notice.
func (f *Filler) makeSlice(t reflect.Type, l *limits) reflect.Value {
	n := f.lengthWithin(t.Elem(), l)
	return reflect.MakeSlice(t, n, max(n, maxElements))
}

// lengthWithin is the length of a list that has limits.
func (f *Filler) lengthWithin(t reflect.Type, l *limits) int {
	n := f.length(t)
	if l != nil && l.MinItems != nil {
		n = max(n, *l.MinItems)
	}
	if l != nil && l.MaxItems != nil {
		n = min(n, *l.MaxItems)
	}
	return n
}

// allowed tells whether one more value of type t would not make too large an object.
func (f *Filler) allowed(t reflect.Type) bool {
	return t.Kind() != reflect.Struct || f.left > 0 && f.within[t] < maxRecursion
}

// pick returns one of the values, or a random one.
func pick[T any](c fuzz.Continue, random func() T, values ...T) T {
	if i := c.Intn(len(values) + 3); i < len(values) {
		return values[i]
	}
	return random()
}

// fillText makes values of enums too, as other versions may spell them.
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

// fillTime makes whole seconds, which is what JSON keeps.
func fillTime(t *metav1.Time, c fuzz.Continue) {
	*t = metav1.Unix(c.Int63n(int64(100*365*24*time.Hour/time.Second)), 0)
}

func rawJSON(c fuzz.Continue) []byte {
	return []byte(pick(c, func() string { return strconv.FormatInt(c.Int63(), 10) },
		`{}`, `[]`, `""`, `-0.5e+300`, `true`, `9007199254740993`, `"<&>\u0000\""`, `{"b":[1,null,{"c":"d"}],"a":{}}`))
}

func (f *Filler) fillBag(b *propertybag.Bag, c fuzz.Continue) {
	*b = nil // an empty bag is nil
	names := append([]string{"zz-one", "zz-two"}, f.Bags[f.inside.Name()]...)
	if all := f.Bags[""]; len(all) > 0 {
		names = append(names, all[c.Intn(len(all))], all[c.Intn(len(all))])
	}
	for _, name := range names {
		if c.Intn(4) == 0 {
			if *b == nil {
				*b = propertybag.Bag{}
			}
			(*b)[name] = propertybag.Entry{Version: "2001-01-01", Value: rawJSON(c)}
			if c.Intn(8) == 0 {
				(*b)[name] = propertybag.Entry{Source: rawJSON(c)} // damaged, or of a newer format
			}
		}
	}
}
