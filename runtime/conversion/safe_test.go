package conversion

import (
	"math"
	"reflect"
	"testing"
)

func of[T any](v T) *T { return &v }

// Each row of the table of safe changes takes a value only if it comes back
// identical.
func TestSafeChangesTakeWhatComesBack(t *testing.T) {
	type sku struct{ Name string }
	row := func(there, back any) [2]reflect.Value {
		return [2]reflect.Value{reflect.ValueOf(there), reflect.ValueOf(back)}
	}
	var (
		intFloat    = row(IntToFloat, FloatToInt)
		floatInt    = row(FloatToInt, IntToFloat)
		intString   = row(IntToString, StringToInt)
		stringInt   = row(StringToInt, IntToString)
		objectList  = row(ListOf[sku], One[sku])
		listOfOne   = row(One[sku], ListOf[sku])
		noInt       = (*int64)(nil)
		noFloat     = (*float64)(nil)
		noString    = (*string)(nil)
		noSku, none = (*sku)(nil), []sku(nil)
	)
	for _, test := range []struct {
		why         string
		row         [2]reflect.Value
		value, want any
	}{
		{"absent stays absent", intFloat, noInt, noFloat},
		{"an integer", intFloat, of(int64(-5)), of(-5.0)},
		{"the greatest of which the next has a float64 too", intFloat, of(int64(1<<53 - 1)), of(float64(1<<53 - 1))},
		{"2^53 and 2^53+1 are one float64", intFloat, of(int64(1 << 53)), noFloat},
		{"2^53+1", intFloat, of(int64(1<<53 + 1)), noFloat},
		{"the least", intFloat, of(int64(math.MinInt64)), noFloat},
		{"the greatest", intFloat, of(int64(math.MaxInt64)), noFloat},
		{"absent stays absent", floatInt, noFloat, noInt},
		{"a whole number", floatInt, of(1e3), of(int64(1000))},
		{"zero", floatInt, of(0.0), of(int64(0))},
		{"-0 is not 0", floatInt, of(math.Copysign(0, -1)), noInt},
		{"a fraction", floatInt, of(1.5), noInt},
		{"2^53", floatInt, of(float64(1 << 53)), noInt},
		{"beyond any integer", floatInt, of(1e308), noInt},
		{"no number", floatInt, of(math.NaN()), noInt},
		{"no end", floatInt, of(math.Inf(-1)), noInt},
		{"absent stays absent", intString, noInt, noString},
		{"any integer", intString, of(int64(math.MinInt64)), of("-9223372036854775808")},
		{"zero", intString, of(int64(0)), of("0")},
		{"absent stays absent", stringInt, noString, noInt},
		{"digits", stringInt, of("-12"), of(int64(-12))},
		{"zeros in front", stringInt, of("007"), noInt},
		{"a sign in front", stringInt, of("+7"), noInt},
		{"-0", stringInt, of("-0"), noInt},
		{"an exponent", stringInt, of("1e3"), noInt},
		{"a fraction", stringInt, of("1.0"), noInt},
		{"space", stringInt, of(" 1"), noInt},
		{"nothing", stringInt, of(""), noInt},
		{"one more than the greatest", stringInt, of("9223372036854775808"), noInt},
		{"digits of another script", stringInt, of("٣"), noInt},
		{"absent stays absent", objectList, noSku, none},
		{"an object", objectList, &sku{"a"}, []sku{{"a"}}},
		{"an empty object is no empty list", objectList, &sku{}, []sku{{}}},
		{"absent stays absent", listOfOne, none, noSku},
		{"a list of one", listOfOne, []sku{{"a"}}, &sku{"a"}},
		{"an empty list is not absent", listOfOne, []sku{}, noSku},
		{"a list of two", listOfOne, []sku{{"a"}, {"a"}}, noSku},
	} {
		got := test.row[0].Call([]reflect.Value{reflect.ValueOf(test.value)})[0]
		if !reflect.DeepEqual(got.Interface(), test.want) {
			t.Errorf("%s: %#v became %#v", test.why, test.value, got)
			continue
		}
		if got.IsNil() {
			continue
		}
		if back := test.row[1].Call([]reflect.Value{got})[0].Interface(); !reflect.DeepEqual(back, test.value) {
			t.Errorf("%s: %#v came back as %#v", test.why, test.value, back)
		}
	}
}
