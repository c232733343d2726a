package roundtrip

import (
	"reflect"
	"testing"
)

func TestShared(t *testing.T) {
	type empty struct{}
	type full struct{ Name *string }
	type object struct {
		EmptyList    []empty
		EmptyPointer *empty
		EmptyMap     map[string]empty
		EmptyLists   map[string][]*empty
		List         []full
		Pointer      *full
		Map          map[string]full
		Lists        map[string][]*full
	}
	name := "ada"
	list, pointer, m := []full{{}}, &full{}, map[string]full{}
	emptyList, emptyMap := []empty{{}}, map[string]empty{"a": {}}
	for _, test := range []struct {
		name string
		a, b object
		want string
	}{
		// Go may give all values of size zero one address.
		{"empty elements of two lists", object{EmptyList: []empty{{}, {}}}, object{EmptyList: []empty{{}, {}}}, ""},
		{"empty elements of one list", object{EmptyList: emptyList}, object{EmptyList: emptyList}, ""},
		{"pointers to empty values", object{EmptyPointer: &empty{}}, object{EmptyPointer: &empty{}}, ""},
		{"empty values of two maps", object{EmptyMap: map[string]empty{"a": {}}}, object{EmptyMap: map[string]empty{"a": {}}}, ""},
		{"empty values in lists in two maps", object{EmptyLists: map[string][]*empty{"a": {{}}}},
			object{EmptyLists: map[string][]*empty{"a": {{}}}}, ""},
		{"empty values of one map", object{EmptyMap: emptyMap}, object{EmptyMap: emptyMap}, ".EmptyMap[]"},
		{"one list", object{List: list}, object{List: list}, ".List[]"},
		{"one pointer", object{Pointer: pointer}, object{Pointer: pointer}, ".Pointer*"},
		{"one map", object{Map: m}, object{Map: m}, ".Map[]"},
		{"one pointer in elements of two lists", object{List: []full{{}, {&name}}}, object{List: []full{{}, {&name}}}, ".List[1].Name*"},
		{"one pointer in values of two maps", object{Map: map[string]full{"a": {&name}}},
			object{Map: map[string]full{"a": {&name}}}, `.Map["a"].Name*`},
		{"one element in lists in two maps", object{Lists: map[string][]*full{"a": {pointer}}},
			object{Lists: map[string][]*full{"a": {pointer}}},
			`.Lists["a"][0]*`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := shared(reflect.ValueOf(test.a), reflect.ValueOf(test.b)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
