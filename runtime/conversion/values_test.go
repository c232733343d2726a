package conversion

import (
	"fmt"
	"reflect"
	"testing"
)

type source struct{ Name string }

type destination struct{ Name string }

func convert(c *Context, in *source, out *destination) { out.Name = in.Name }

func TestNilAndEmpty(t *testing.T) {
	c, passing := &Context{}, &Context{passes: true}
	number := func(i int) string { return fmt.Sprint(i) }
	for _, test := range []struct {
		helper                             string
		ofNil, ofEmpty, wantNil, wantEmpty any
	}{
		{"ObjectSlice", ObjectSlice(c, []source(nil), convert), ObjectSlice(c, []source{}, convert), []destination(nil), []destination{}},
		{"ObjectMap", ObjectMap(c, map[string]source(nil), convert), ObjectMap(c, map[string]source{}, convert),
			map[string]destination(nil), map[string]destination{}},
		{"SliceOf", SliceOf(nil, number), SliceOf([]int{}, number), []string(nil), []string{}},
		{"MapOf", MapOf(nil, number), MapOf(map[string]int{}, number), map[string]string(nil), map[string]string{}},
		{"PassObjectSlice", PassObjectSlice(c, []source(nil), convert), PassObjectSlice(c, []source{}, convert),
			[]destination(nil), []destination{}},
		{"PassObjectSlice in a step that passes on", PassObjectSlice(passing, []source(nil), convert),
			PassObjectSlice(passing, []source{}, convert), []destination(nil), []destination{}},
		{"PassObjectMap", PassObjectMap(c, map[string]source(nil), convert), PassObjectMap(c, map[string]source{}, convert),
			map[string]destination(nil), map[string]destination{}},
		{"PassObjectMap in a step that passes on", PassObjectMap(passing, map[string]source(nil), convert),
			PassObjectMap(passing, map[string]source{}, convert), map[string]destination(nil), map[string]destination{}},
		{"PassObject", PassObject(c, nil, convert), PassObject(c, &source{}, convert), (*destination)(nil), &destination{}},
		{"PassObject in a step that passes on", PassObject(passing, nil, convert), PassObject(passing, &source{}, convert),
			(*destination)(nil), &destination{}},
		{"Object", Object(c, (*source)(nil), convert), Object(c, &source{}, convert), (*destination)(nil), &destination{}},
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
		if got, want := ObjectSlice(c, []source{{"b"}, {"a"}, {"b"}}, convert),
			[]destination{{"b"}, {"a"}, {"b"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("of a map keep their keys", func(t *testing.T) {
		if got, want := ObjectMap(c, map[string]source{"K": {"a"}, "k": {"b"}}, convert),
			map[string]destination{"K": {"a"}, "k": {"b"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("that are nil stay nil", func(t *testing.T) {
		got := SliceOf([]*source{nil, {"a"}}, func(h *source) *destination { return Object(c, h, convert) })
		if want := []*destination{nil, {"a"}}; !reflect.DeepEqual(got, want) {
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
