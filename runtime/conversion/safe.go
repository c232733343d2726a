package conversion

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/armature-dev/armature/runtime/propertybag"
	kjson "sigs.k8s.io/json"
)

// The functions below are the closed table of safe changes of a property's type.
// They return nil for an absent value, and for a value that would come back as
// another one, which [propertybag.Fit] keeps in the bag.

// exact is the magnitude up to which different integers are different as float64.
const exact = 1 << 53

// IntToFloat converts an integer that is exact as a float64.
func IntToFloat(src *int64) *float64 {
	if src == nil || *src > exact-1 || *src < -(exact-1) {
		return nil
	}
	dst := float64(*src)
	return &dst
}

// FloatToInt converts a number without a fraction, except -0.
func FloatToInt(src *float64) *int64 {
	if src == nil || math.Trunc(*src) != *src || math.Abs(*src) > exact-1 || *src == 0 && math.Signbit(*src) {
		return nil
	}
	dst := int64(*src)
	return &dst
}

// IntToString converts an integer to decimal digits.
func IntToString(src *int64) *string {
	if src == nil {
		return nil
	}
	dst := strconv.FormatInt(*src, 10)
	return &dst
}

// StringToInt converts the digits that [IntToString] would write.
func StringToInt(src *string) *int64 {
	if src == nil {
		return nil
	}
	dst, err := strconv.ParseInt(*src, 10, 64)
	if err != nil || strconv.FormatInt(dst, 10) != *src {
		return nil
	}
	return &dst
}

// ListOf returns a list of one object, or nil if there is none.
func ListOf[T any](object *T) []T {
	if object == nil {
		return nil
	}
	return []T{*object}
}

// One returns a pointer to the element of a list that has only one, or nil.
func One[T any](list []T) *T {
	if len(list) != 1 {
		return nil
	}
	return &list[0]
}

// Recode converts untyped JSON, or a list or map of it, to objects that have the same JSON, and back.
func Recode[D, S any](src S) D {
	var dst, none D
	text, err := json.Marshal(src)
	if err != nil || !utf8.Valid(text) || bytes.Contains(bytes.ToLower(text), []byte(surrogate)) {
		return none
	}
	if strict, err := kjson.UnmarshalStrict(text, &dst); err != nil || len(strict) > 0 {
		return none
	}
	again, err := json.Marshal(dst)
	if err != nil || bytes.Contains(again, []byte(bagMember)) || !reflect.DeepEqual(treeOf(text), treeOf(again)) {
		return none
	}
	return dst
}

const (
	// bagMember is how an object begins its bag, which untyped JSON could not tell from data.
	bagMember = `"` + propertybag.Name + `"`
	// surrogate is how an escape of half a character begins, which a string of Go cannot have.
	surrogate = `\ud`
)

// treeOf returns JSON that has been encoded as values, with its numbers as they are written.
func treeOf(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	_ = d.Decode(&tree) // of what json.Marshal wrote
	return tree
}
