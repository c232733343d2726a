package conversion

import (
	"fmt"
	"reflect"
	"testing"
)

type here struct{ Name string }

type there struct{ Name string }

func convert(c *Context, in *here, out *there) { out.Name = in.Name }

func TestNilAndEmpty(t *testing.T) {
	c, passing := &Context{}, &Context{passes: true}
	as := func(v here) there { return there(v) }
	number := func(i int) string { return fmt.Sprint(i) }
	for _, test := range []struct {
		helper                             string
		ofNil, ofEmpty, wantNil, wantEmpty any
	}{
		{"ObjectSlice", ObjectSlice(c, []here(nil), convert), ObjectSlice(c, []here{}, convert), []there(nil), []there{}},
		{"ObjectMap", ObjectMap(c, map[string]here(nil), convert), ObjectMap(c, map[string]here{}, convert),
			map[string]there(nil), map[string]there{}},
		{"SliceOf", SliceOf(nil, number), SliceOf([]int{}, number), []string(nil), []string{}},
		{"MapOf", MapOf(nil, number), MapOf(map[string]int{}, number), map[string]string(nil), map[string]string{}},
		{"PassSlice", PassSlice(c, []here(nil), as, convert), PassSlice(c, []here{}, as, convert), []there(nil), []there{}},
		{"PassSlice in a step that passes on", PassSlice(passing, []here(nil), as, convert),
			PassSlice(passing, []here{}, as, convert), []there(nil), []there{}},
		{"PassObject", PassObject(c, nil, nil, convert), PassObject(c, &here{}, &there{}, convert), (*there)(nil), &there{}},
		{"PassObject in a step that passes on", PassObject(passing, nil, nil, convert),
			PassObject(passing, &here{}, &there{}, convert), (*there)(nil), &there{}},
		{"Object", Object(c, (*here)(nil), convert), Object(c, &here{}, convert), (*there)(nil), &there{}},
	} {
		t.Run(test.helper, func(t *testing.T) {
			if !reflect.DeepEqual(test.ofNil, test.wantNil) {
				t.Errorf("nil became %#v, want %#v", test.ofNil, test.wantNil)
			}
			if !reflect.DeepEqual(test.ofEmpty, test.wantEmpty) {
				t.Errorf("empty became %#v, want %#v", test.ofEmpty, test.wantEmpty)
			}
		})
	}
}

func TestElements(t *testing.T) {
	c := &Context{}
	t.Run("of a slice keep their order", func(t *testing.T) {
		if got, want := ObjectSlice(c, []here{{"b"}, {"a"}, {"b"}}, convert), []there{{"b"}, {"a"}, {"b"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("of a map keep their keys", func(t *testing.T) {
		if got, want := ObjectMap(c, map[string]here{"K": {"a"}, "k": {"b"}}, convert),
			map[string]there{"K": {"a"}, "k": {"b"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("that are nil stay nil", func(t *testing.T) {
		got := SliceOf([]*here{nil, {"a"}}, func(h *here) *there { return Object(c, h, convert) })
		if want := []*there{nil, {"a"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	// ObjectMap makes all values in one struct.
	t.Run("of a map share nothing", func(t *testing.T) {
		type list struct{ Items []string }
		in := map[string]list{"a": {[]string{"1"}}, "b": {}}
		got := ObjectMap(c, in, func(c *Context, in, out *list) {
			if in.Items != nil {
				out.Items = append([]string(nil), in.Items...)
			}
		})
		if !reflect.DeepEqual(got, in) {
			t.Errorf("got %v, want %v", got, in)
		}
	})
}
