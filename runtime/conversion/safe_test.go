package conversion

import (
	"math"
	"reflect"
	"testing"

	"github.com/armature-dev/armature/runtime/propertybag"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func of[T any](v T) *T { return &v }

// TestSafeChanges expects each row of the table of safe changes to convert
// exactly the values that come back identical.
func TestSafeChanges(t *testing.T) {
	type sku struct{ Name string }
	type empty struct {
		PropertyBag propertybag.Bag `json:"$propertyBag,omitempty"`
	}
	type seat struct {
		Row         *int64          `json:"row,omitempty"`
		Name        *string         `json:"name,omitempty"`
		PropertyBag propertybag.Bag `json:"$propertyBag,omitempty"`
	}
	type untyped map[string]apiextensionsv1.JSON
	raw := func(text string) untyped { return untyped{"a": {Raw: []byte(text)}} }
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
		jsonEmpty   = row(Recode[map[string]empty, untyped], Recode[untyped, map[string]empty])
		jsonSeat    = row(Recode[map[string]seat, untyped], Recode[untyped, map[string]seat])
		seatJSON    = row(Recode[untyped, map[string]seat], Recode[map[string]seat, untyped])
		oneSeat     = row(Recode[*seat, *apiextensionsv1.JSON], Recode[*apiextensionsv1.JSON, *seat])
		noSeats     = map[string]seat(nil)
		noInt       = (*int64)(nil)
		noFloat     = (*float64)(nil)
		noString    = (*string)(nil)
		noSku, none = (*sku)(nil), []sku(nil)
	)
	for _, test := range []struct {
		row         string
		name        string
		change      [2]reflect.Value
		value, want any
	}{
		{"IntToFloat", "absent", intFloat, noInt, noFloat},
		{"IntToFloat", "an integer", intFloat, of(int64(-5)), of(-5.0)},
		{"IntToFloat", "2^53-1", intFloat, of(int64(1<<53 - 1)), of(float64(1<<53 - 1))},
		{"IntToFloat", "2^53 equals 2^53+1 as float64", intFloat, of(int64(1 << 53)), noFloat},
		{"IntToFloat", "2^53+1", intFloat, of(int64(1<<53 + 1)), noFloat},
		{"IntToFloat", "the least integer", intFloat, of(int64(math.MinInt64)), noFloat},
		{"IntToFloat", "the greatest integer", intFloat, of(int64(math.MaxInt64)), noFloat},
		{"FloatToInt", "absent", floatInt, noFloat, noInt},
		{"FloatToInt", "a whole number", floatInt, of(1e3), of(int64(1000))},
		{"FloatToInt", "zero", floatInt, of(0.0), of(int64(0))},
		{"FloatToInt", "-0", floatInt, of(math.Copysign(0, -1)), noInt},
		{"FloatToInt", "a fraction", floatInt, of(1.5), noInt},
		{"FloatToInt", "2^53", floatInt, of(float64(1 << 53)), noInt},
		{"FloatToInt", "beyond any integer", floatInt, of(1e308), noInt},
		{"FloatToInt", "NaN", floatInt, of(math.NaN()), noInt},
		{"FloatToInt", "-Inf", floatInt, of(math.Inf(-1)), noInt},
		{"IntToString", "absent", intString, noInt, noString},
		{"IntToString", "any integer", intString, of(int64(math.MinInt64)), of("-9223372036854775808")},
		{"IntToString", "zero", intString, of(int64(0)), of("0")},
		{"StringToInt", "absent", stringInt, noString, noInt},
		{"StringToInt", "digits", stringInt, of("-12"), of(int64(-12))},
		{"StringToInt", "leading zeros", stringInt, of("007"), noInt},
		{"StringToInt", "a leading plus", stringInt, of("+7"), noInt},
		{"StringToInt", "-0", stringInt, of("-0"), noInt},
		{"StringToInt", "an exponent", stringInt, of("1e3"), noInt},
		{"StringToInt", "a fraction", stringInt, of("1.0"), noInt},
		{"StringToInt", "a leading space", stringInt, of(" 1"), noInt},
		{"StringToInt", "an empty string", stringInt, of(""), noInt},
		{"StringToInt", "one more than the greatest integer", stringInt, of("9223372036854775808"), noInt},
		{"StringToInt", "digits of another script", stringInt, of("٣"), noInt},
		{"ListOf", "absent", objectList, noSku, none},
		{"ListOf", "an object", objectList, &sku{"a"}, []sku{{"a"}}},
		{"ListOf", "an empty object", objectList, &sku{}, []sku{{}}},
		{"One", "absent", listOfOne, none, noSku},
		{"One", "a list of one", listOfOne, []sku{{"a"}}, &sku{"a"}},
		{"One", "an empty list", listOfOne, []sku{}, noSku},
		{"One", "a list of two", listOfOne, []sku{{"a"}, {"a"}}, noSku},
		{"Recode", "absent", jsonEmpty, untyped(nil), map[string]empty(nil)},
		{"Recode", "no entries", jsonEmpty, untyped{}, map[string]empty{}},
		{"Recode", "an object without properties", jsonEmpty, raw(`{}`), map[string]empty{"a": {}}},
		{"Recode", "a property that the type lacks", jsonEmpty, raw(`{"x":1}`), map[string]empty(nil)},
		{"Recode", "null", jsonEmpty, raw(`null`), map[string]empty(nil)},
		{"Recode", "a list", jsonEmpty, raw(`[]`), map[string]empty(nil)},
		{"Recode", "text that is no JSON", jsonEmpty, raw(`{`), map[string]empty(nil)},
		{"Recode", "a user's $propertyBag is data", jsonEmpty, raw(`{"$propertyBag":{}}`), map[string]empty(nil)},
		{"Recode", "and so is an escaped one", jsonEmpty, raw(`{"\u0024propertyBag":{"x":{"version":"v"}}}`), map[string]empty(nil)},
		{"Recode", "properties of the type", jsonSeat, raw(`{"row":9223372036854775807,"name":"é\u003c"}`),
			map[string]seat{"a": {Row: of(int64(math.MaxInt64)), Name: of("é<")}}},
		{"Recode", "a name in another case", jsonSeat, raw(`{"Name":"n"}`), noSeats},
		{"Recode", "a name twice", jsonSeat, raw(`{"name":"n","name":"m"}`), noSeats},
		{"Recode", "a number in another spelling", jsonSeat, raw(`{"row":1.0}`), noSeats},
		{"Recode", "null in a property", jsonSeat, raw(`{"name":null}`), noSeats},
		{"Recode", "half a character", jsonSeat, raw(`{"name":"\ud800"}`), noSeats},
		{"Recode", "bytes that are no text", jsonSeat, raw("{\"name\":\"\xff\"}"), noSeats},
		{"Recode", "an object with a bag", seatJSON, map[string]seat{"a": {PropertyBag: propertybag.Bag{"x": {}}}}, untyped(nil)},
		{"Recode", "an object", seatJSON, map[string]seat{"a": {Name: of("n")}, "b": {}},
			untyped{"a": {Raw: []byte(`{"name":"n"}`)}, "b": {Raw: []byte(`{}`)}}},
		{"Recode", "a single object", oneSeat, &apiextensionsv1.JSON{Raw: []byte(`{"row":1}`)}, &seat{Row: of(int64(1))}},
	} {
		t.Run(test.row+"/"+test.name, func(t *testing.T) {
			got := test.change[0].Call([]reflect.Value{reflect.ValueOf(test.value)})[0]
			if !reflect.DeepEqual(got.Interface(), test.want) {
				t.Fatalf("%#v became %#v, want %#v", test.value, got, test.want)
			}
			if got.IsNil() {
				return
			}
			if back := test.change[1].Call([]reflect.Value{got})[0].Interface(); !reflect.DeepEqual(back, test.value) {
				t.Errorf("%#v came back as %#v", test.value, back)
			}
		})
	}
}
