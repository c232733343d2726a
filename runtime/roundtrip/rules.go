package roundtrip

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	fuzz "github.com/google/gofuzz"
	"pgregory.net/rapid"
)

// Rules say which objects of a version are valid, as far as its Go types do not:
// they have the rules of struct types and enums, by the names of the Go types.
type Rules map[string]*TypeRules

// TypeRules are the rules of a struct type or of an enum.
type TypeRules struct {
	// Properties of a struct type, by their names in JSON.
	Properties map[string]*PropertyRules `json:"properties,omitempty"`
	// Variants are the names of the properties that are variants of a union, of
	// which a valid value has exactly one, or at most one if VariantOptional is
	// set. AnyVariants makes every number of variants valid.
	Variants        []string `json:"variants,omitempty"`
	VariantOptional bool     `json:"variantOptional,omitempty"`
	AnyVariants     bool     `json:"anyVariants,omitempty"`
	// Values are the members of an enum, as JSON has them without quotes. Other
	// values are valid too if Open is set.
	Values []string `json:"values,omitempty"`
	Open   bool     `json:"open,omitempty"`
}

// PropertyRules are the rules of a property.
type PropertyRules struct {
	Required bool `json:"required,omitempty"`
	// From is the property that refers to the object that has the value, or "". One of the two is set.
	From string `json:"from,omitempty"`
	// Type is the type of the property in the words of its API, and Enum the enum
	// that the property, its elements or its entries are of, or "".
	Type string `json:"type,omitempty"`
	Enum string `json:"enum,omitempty"`
	// Limits of the value, and of its elements or entries; nil without any.
	Limits        *Limits `json:"limits,omitempty"`
	ElementLimits *Limits `json:"elementLimits,omitempty"`
}

// Limits has the constraints of a JSON schema on a value. A limit that has no
// meaning for the type of the value has no effect.
type Limits struct {
	Pattern          string   `json:"pattern,omitempty"`
	MinLength        *int64   `json:"minLength,omitempty"`
	MaxLength        *int64   `json:"maxLength,omitempty"`
	Minimum          *float64 `json:"minimum,omitempty"`
	Maximum          *float64 `json:"maximum,omitempty"`
	ExclusiveMinimum bool     `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum bool     `json:"exclusiveMaximum,omitempty"`
	MultipleOf       *float64 `json:"multipleOf,omitempty"`
	MinItems         *int64   `json:"minItems,omitempty"`
	MaxItems         *int64   `json:"maxItems,omitempty"`
}

// rulesOf returns the rules of a type, or nil.
func rulesOf(rules map[string]Rules, t reflect.Type) *TypeRules {
	return rules[t.PkgPath()][t.Name()]
}

// problem is a part of a value that its version does not allow.
type problem struct {
	owner
	path string
	what string
}

// problems returns what a version does not allow about an object.
func problems(rules map[string]Rules, object any) []problem {
	v := validator{rules: rules}
	v.value(reflect.ValueOf(object).Elem(), "", owner{}, nil, nil)
	return v.found
}

type validator struct {
	rules map[string]Rules
	found []problem
}

func (v *validator) value(x reflect.Value, path string, of owner, whole, each *Limits) {
	wrong := func(format string, args ...any) {
		v.found = append(v.found, problem{of, strings.TrimPrefix(path, "."), fmt.Sprintf(format, args...)})
	}
	own := rulesOf(v.rules, x.Type())
	if own != nil && own.Values != nil && !own.Open && !slices.Contains(own.Values, fmt.Sprint(x.Interface())) {
		wrong("%v is none of the values of %s", x, x.Type().Name())
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

func (v *validator) structure(x reflect.Value, own *TypeRules, path string) {
	variants := 0
	for i := range x.NumField() {
		field := x.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		name := jsonName(field)
		of := owner{x.Type().Name(), name}
		var p PropertyRules
		if own != nil && own.Properties[name] != nil {
			p = *own.Properties[name]
		}
		from := fieldOf(x, p.From)
		refers := from.IsValid() && !from.IsZero()
		switch {
		case refers && !x.Field(i).IsZero():
			v.found = append(v.found, problem{of, strings.TrimPrefix(path+"."+name, "."), p.From + " is set, too"})
		case p.Required && !refers && x.Field(i).IsZero():
			v.found = append(v.found, problem{of, strings.TrimPrefix(path+"."+name, "."), "it is required, and absent"})
		}
		if own != nil && slices.Contains(own.Variants, name) && !x.Field(i).IsNil() {
			variants++
		}
		v.value(x.Field(i), path+"."+name, of, p.Limits, p.ElementLimits)
	}
	if own != nil && len(own.Variants) > 0 && !own.AnyVariants && (variants > 1 || variants == 0 && !own.VariantOptional) {
		v.found = append(v.found, problem{
			owner{x.Type().Name(), ""}, strings.TrimPrefix(path, "."), fmt.Sprintf("it has %d variants", variants),
		})
	}
}

// fieldOf returns the field of a struct with a name in JSON, or no value.
func fieldOf(x reflect.Value, name string) reflect.Value {
	if i := fieldIndex(x.Type(), name); i >= 0 {
		return x.Field(i)
	}
	return reflect.Value{}
}

// items returns what is wrong with the length of a list, or "".
func (l *Limits) items(count int) string {
	n := int64(count)
	switch {
	case l == nil:
	case l.MinItems != nil && n < *l.MinItems:
		return fmt.Sprintf("%d elements are fewer than %d", n, *l.MinItems)
	case l.MaxItems != nil && n > *l.MaxItems:
		return fmt.Sprintf("%d elements are more than %d", n, *l.MaxItems)
	}
	return ""
}

// scalar returns what is wrong with a string or number, or "".
func (l *Limits) scalar(x reflect.Value) string {
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

func (l *Limits) text(s string) string {
	n := int64(utf8.RuneCountInString(s))
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

func (l *Limits) number(n float64) string {
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

// fillLimited fills a string or number within limits, if they can be kept. It
// reports whether the value is a string or number.
func (f *Filler) fillLimited(v reflect.Value, l *Limits) bool {
	c := fuzz.Continue{Rand: f.rand}
	switch v.Kind() {
	case reflect.String:
		v.SetString(l.someText(c, f.plain))
	case reflect.Int64:
		least, most := l.bounds(math.MinInt64, math.MaxInt64)
		v.SetInt(int64(least)) // unless another one fits
		for _, n := range []float64{l.multiple(math.Round(least + f.rand.Float64()*(most-least))), most, math.Ceil(least)} {
			if i := int64(n); float64(i) == n && l.number(n) == "" {
				v.SetInt(i)
				break
			}
		}
	case reflect.Float64:
		least, most := l.bounds(-1e9, 1e9)
		v.SetFloat(least)
		for _, n := range []float64{l.multiple(least + f.rand.Float64()*(most-least)), most, math.Round((least + most) / 2)} {
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

// multiple returns the multiple that is next to a number, if only multiples are allowed.
func (l *Limits) multiple(n float64) float64 {
	if l.MultipleOf == nil {
		return n
	}
	return math.Round(n / *l.MultipleOf) * *l.MultipleOf
}

// bounds returns the limits of a number, or least and most where it has none. A multiple
// is not so large that a float64 cannot tell it from its neighbours.
func (l *Limits) bounds(least, most float64) (float64, float64) {
	if l.MultipleOf != nil {
		least, most = max(least, -1e9), min(most, 1e9)
	}
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

// someText returns a string within the limits. Where few strings match the
// pattern and keep the limits of length, it returns any that matches.
func (l *Limits) someText(c fuzz.Continue, plain bool) string {
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
	if l.MaxLength != nil && int64(len(runes)) > *l.MaxLength {
		runes = runes[:*l.MaxLength]
	}
	for l.MinLength != nil && int64(len(runes)) < *l.MinLength {
		runes = append(runes, '𝒳')
	}
	return string(runes)
}

// fillEnum fills an enum with one of its values, or sometimes with another one if
// the enum is open.
func (f *Filler) fillEnum(v reflect.Value, t *TypeRules) {
	if t.Open && !f.plain && f.rand.Intn(4) == 0 {
		if v.Kind() == reflect.String {
			var s string
			fillString(&s, fuzz.Continue{Rand: f.rand})
			v.SetString(s)
		}
		return
	}
	value := t.Values[f.rand.Intn(len(t.Values))]
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
