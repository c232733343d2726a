package roundtrip

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	fuzz "github.com/google/gofuzz"
	"pgregory.net/rapid"
)

// shape is what the shape of an API version tells that its Go types do not: a
// part of the file that the generator makes of the version's specs.
type shape struct {
	Types []*shapeType `json:"types"`

	types map[string]*shapeType
}

type shapeType struct {
	Name            string           `json:"name"`
	Kind            string           `json:"kind"`
	Properties      []*shapeProperty `json:"properties"`
	VariantOptional bool             `json:"variantOptional"`
	Base            string           `json:"base"`
	Values          []struct {
		Value string `json:"value"`
	} `json:"values"`
	Open bool `json:"open"`

	properties map[string]*shapeProperty
	variants   bool
}

type shapeProperty struct {
	Name           string        `json:"name"`
	Variant        string        `json:"variant"`
	Required       bool          `json:"required"`
	Type           *shapeTypeRef `json:"type"`
	Validation     *limits       `json:"validation"`
	ItemValidation *limits       `json:"itemValidation"`
}

// shapeTypeRef is the type of a property, of which one field is set.
type shapeTypeRef struct {
	Primitive string        `json:"primitive"`
	Named     string        `json:"named"`
	Items     *shapeTypeRef `json:"items"`
	Map       *shapeTypeRef `json:"map"`
}

// limits are what a JSON schema asks of a value. What has no meaning for the
// value's type says nothing.
type limits struct {
	Pattern          string   `json:"pattern"`
	MinLength        *int     `json:"minLength"`
	MaxLength        *int     `json:"maxLength"`
	Minimum          *float64 `json:"minimum"`
	Maximum          *float64 `json:"maximum"`
	ExclusiveMinimum bool     `json:"exclusiveMinimum"`
	ExclusiveMaximum bool     `json:"exclusiveMaximum"`
	MultipleOf       *float64 `json:"multipleOf"`
	MinItems         *int     `json:"minItems"`
	MaxItems         *int     `json:"maxItems"`
}

// index makes the types known by their names.
func (s *shape) index() *shape {
	s.types = map[string]*shapeType{}
	for _, t := range s.Types {
		s.types[t.Name] = t
		t.properties = map[string]*shapeProperty{}
		for _, p := range t.Properties {
			t.properties[p.Name] = p
			t.variants = t.variants || p.Variant != ""
		}
	}
	return s
}

// shapeOf is the shape of a type, or nil.
func shapeOf(shapes map[string]*shape, t reflect.Type) *shapeType {
	if s := shapes[t.PkgPath()]; s != nil {
		return s.types[t.Name()]
	}
	return nil
}

// problem is something about a value that its version does not allow.
type problem struct {
	owner
	path string
	what string
}

// problems are what a version does not allow about an object.
func problems(shapes map[string]*shape, object any) []problem {
	v := validator{shapes: shapes}
	v.value(reflect.ValueOf(object).Elem(), "", owner{}, nil, nil)
	return v.found
}

type validator struct {
	shapes map[string]*shape
	found  []problem
}

func (v *validator) value(x reflect.Value, path string, of owner, whole, each *limits) {
	wrong := func(format string, args ...any) {
		v.found = append(v.found, problem{of, strings.TrimPrefix(path, "."), fmt.Sprintf(format, args...)})
	}
	own := shapeOf(v.shapes, x.Type())
	if own != nil && own.Kind == "enum" && !own.Open && !own.has(x) {
		wrong("%v is none of the values of %s", x, own.Name)
	}
	switch x.Kind() {
	case reflect.Pointer:
		if !x.IsNil() {
			v.value(x.Elem(), path, of, whole, each)
		}
	case reflect.Slice:
		if x.IsNil() || x.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		if what := whole.items(x.Len()); what != "" {
			wrong("%s", what)
		}
		for i := range x.Len() {
			v.value(x.Index(i), fmt.Sprintf("%s[%d]", path, i), of, each, nil)
		}
	case reflect.Map:
		for _, key := range sortedKeys(x) {
			v.value(x.MapIndex(key), fmt.Sprintf("%s[%q]", path, key), of, each, nil)
		}
	case reflect.Struct:
		v.structure(x, own, path)
	case reflect.String, reflect.Int64, reflect.Float64:
		if what := whole.scalar(x); what != "" {
			wrong("%s", what)
		}
	}
}

func (v *validator) structure(x reflect.Value, own *shapeType, path string) {
	variants := 0
	for i := range x.NumField() {
		field := x.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		name := jsonName(field)
		of := owner{x.Type().Name(), name}
		var p shapeProperty
		if own != nil && own.properties[name] != nil {
			p = *own.properties[name]
		}
		if p.Required && x.Field(i).IsZero() {
			v.found = append(v.found, problem{of, strings.TrimPrefix(path+"."+name, "."), "it is required, and absent"})
		}
		if p.Variant != "" && !x.Field(i).IsNil() {
			variants++
		}
		v.value(x.Field(i), path+"."+name, of, p.Validation, p.ItemValidation)
	}
	if own != nil && own.variants && !strings.HasSuffix(own.Name, "_Status") && (variants > 1 || variants == 0 && !own.VariantOptional) {
		v.found = append(v.found, problem{owner{own.Name, ""}, strings.TrimPrefix(path, "."), fmt.Sprintf("it has %d variants", variants)})
	}
}

// has tells whether a value is one of an enum.
func (t *shapeType) has(x reflect.Value) bool {
	for _, v := range t.Values {
		if v.Value == fmt.Sprint(x.Interface()) {
			return true
		}
	}
	return len(t.Values) == 0
}

// items says what is wrong with the length of a list.
func (l *limits) items(n int) string {
	switch {
	case l == nil:
	case l.MinItems != nil && n < *l.MinItems:
		return fmt.Sprintf("%d elements are fewer than %d", n, *l.MinItems)
	case l.MaxItems != nil && n > *l.MaxItems:
		return fmt.Sprintf("%d elements are more than %d", n, *l.MaxItems)
	}
	return ""
}

// scalar says what is wrong with a string or number.
func (l *limits) scalar(x reflect.Value) string {
	switch {
	case l == nil:
	case x.Kind() == reflect.String:
		return l.text(x.String())
	case x.Kind() == reflect.Int64:
		return l.number(float64(x.Int()))
	case x.Kind() == reflect.Float64:
		return l.number(x.Float())
	}
	return ""
}

func (l *limits) text(s string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case l.MinLength != nil && n < *l.MinLength:
		return fmt.Sprintf("%q is shorter than %d", s, *l.MinLength)
	case l.MaxLength != nil && n > *l.MaxLength:
		return fmt.Sprintf("%q is longer than %d", s, *l.MaxLength)
	case l.Pattern != "" && !patternOf(l.Pattern).MatchString(s):
		return fmt.Sprintf("%q does not match %s", s, l.Pattern)
	}
	return ""
}

func (l *limits) number(n float64) string {
	switch {
	case l.Minimum != nil && (n < *l.Minimum || n == *l.Minimum && l.ExclusiveMinimum):
		return fmt.Sprintf("%v is less than %v", n, *l.Minimum)
	case l.Maximum != nil && (n > *l.Maximum || n == *l.Maximum && l.ExclusiveMaximum):
		return fmt.Sprintf("%v is more than %v", n, *l.Maximum)
	case l.MultipleOf != nil && math.Mod(n, *l.MultipleOf) != 0:
		return fmt.Sprintf("%v is no multiple of %v", n, *l.MultipleOf)
	}
	return ""
}

// pattern is a regular expression and the strings that match it.
type pattern struct {
	*regexp.Regexp
	strings *rapid.Generator[string]
}

var patterns sync.Map // of *pattern by expression

func patternOf(expression string) *pattern {
	if known, ok := patterns.Load(expression); ok {
		return known.(*pattern)
	}
	p := &pattern{regexp.MustCompile(expression), rapid.StringMatching(expression)}
	patterns.Store(expression, p)
	return p
}

// fillLimited fills a string or number within limits, if it can. It tells
// whether it is one.
func (f *Filler) fillLimited(v reflect.Value, l *limits) bool {
	c := fuzz.Continue{Rand: f.rand}
	switch v.Kind() {
	case reflect.String:
		v.SetString(l.someText(c, f.plain))
	case reflect.Int64:
		least, most := l.bounds(math.MinInt64, math.MaxInt64)
		v.SetInt(int64(least)) // unless another one fits
		for _, n := range []float64{math.Round(least + f.rand.Float64()*(most-least)), most, math.Ceil(least)} {
			if i := int64(n); float64(i) == n && l.number(n) == "" {
				v.SetInt(i)
				break
			}
		}
	case reflect.Float64:
		least, most := l.bounds(-1e9, 1e9)
		v.SetFloat(least)
		for _, n := range []float64{least + f.rand.Float64()*(most-least), most, math.Round((least + most) / 2)} {
			if l.number(n) == "" {
				v.SetFloat(n)
				break
			}
		}
	default:
		return false
	}
	return true
}

// bounds are the least and the greatest number, as multiples of what they should be.
func (l *limits) bounds(least, most float64) (float64, float64) {
	if l.Minimum != nil {
		least = *l.Minimum
		if l.ExclusiveMinimum {
			least++
		}
	}
	if l.Maximum != nil {
		most = *l.Maximum
		if l.ExclusiveMaximum {
			most--
		}
	}
	return least, max(least, most)
}

// someText is a string within the limits; of a pattern that leaves little room
// for them it is one that matches.
func (l *limits) someText(c fuzz.Continue, plain bool) string {
	s := "text"
	if l.Pattern != "" {
		for range 50 {
			if s = patternOf(l.Pattern).strings.Example(c.Int()); l.text(s) == "" {
				break
			}
		}
		return s
	}
	if !plain {
		fillString(&s, c)
	}
	runes := []rune(s)
	if l.MaxLength != nil && len(runes) > *l.MaxLength {
		runes = runes[:*l.MaxLength]
	}
	for l.MinLength != nil && len(runes) < *l.MinLength {
		runes = append(runes, '𝒳')
	}
	return string(runes)
}

// fillEnum fills an enum with one of its values or, if it is open, now and then
// with another.
func (f *Filler) fillEnum(v reflect.Value, t *shapeType) {
	if t.Open && !f.plain && f.rand.Intn(4) == 0 || len(t.Values) == 0 {
		if v.Kind() == reflect.String {
			var s string
			fillString(&s, fuzz.Continue{Rand: f.rand})
			v.SetString(s)
		}
		return
	}
	value := t.Values[f.rand.Intn(len(t.Values))].Value
	switch v.Kind() {
	case reflect.String:
		v.SetString(value)
	case reflect.Int64:
		n, _ := strconv.ParseInt(value, 10, 64)
		v.SetInt(n)
	case reflect.Float64:
		n, _ := strconv.ParseFloat(value, 64)
		v.SetFloat(n)
	}
}
