package conversion

import (
	"fmt"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type here struct{ Name string }

type there struct{ Name string }

func (h *here) assignTo(c *Context, dst *there)   { dst.Name = h.Name }
func (h *here) assignFrom(c *Context, src *there) { h.Name = src.Name }

func TestNilAndEmptyAreKeptApart(t *testing.T) {
	c := &Context{}
	number := func(i int) string { return fmt.Sprint(i) }
	for _, test := range []struct {
		helper                             string
		ofNil, ofEmpty, wantNil, wantEmpty any
	}{
		{"SliceTo", SliceTo(c, []here(nil), (*here).assignTo), SliceTo(c, []here{}, (*here).assignTo), []there(nil), []there{}},
		{"SliceFrom", SliceFrom(c, []there(nil), (*here).assignFrom), SliceFrom(c, []there{}, (*here).assignFrom), []here(nil), []here{}},
		{"MapTo", MapTo(c, map[string]here(nil), (*here).assignTo), MapTo(c, map[string]here{}, (*here).assignTo), map[string]there(nil), map[string]there{}},
		{"MapFrom", MapFrom(c, map[string]there(nil), (*here).assignFrom), MapFrom(c, map[string]there{}, (*here).assignFrom), map[string]here(nil), map[string]here{}},
		{"SliceOf", SliceOf(nil, number), SliceOf([]int{}, number), []string(nil), []string{}},
		{"MapOf", MapOf(nil, number), MapOf(map[string]int{}, number), map[string]string(nil), map[string]string{}},
		{"CopySlice", CopySlice([]metav1.Condition(nil)), CopySlice([]metav1.Condition{}), []metav1.Condition(nil), []metav1.Condition{}},
		{"ObjectTo", ObjectTo(c, (*here)(nil), (*here).assignTo), ObjectTo(c, &here{}, (*here).assignTo), (*there)(nil), &there{}},
		{"ObjectFrom", ObjectFrom(c, (*there)(nil), (*here).assignFrom), ObjectFrom(c, &there{}, (*here).assignFrom), (*here)(nil), &here{}},
	} {
		if !reflect.DeepEqual(test.ofNil, test.wantNil) {
			t.Errorf("%s of nil is %#v, want %#v", test.helper, test.ofNil, test.wantNil)
		}
		if !reflect.DeepEqual(test.ofEmpty, test.wantEmpty) {
			t.Errorf("%s of empty is %#v, want %#v", test.helper, test.ofEmpty, test.wantEmpty)
		}
	}
}

func TestElementsKeepTheirOrderAndKeys(t *testing.T) {
	c := &Context{}
	if got, want := SliceTo(c, []here{{"b"}, {"a"}, {"b"}}, (*here).assignTo), []there{{"b"}, {"a"}, {"b"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := MapFrom(c, map[string]there{"K": {"a"}, "k": {"b"}}, (*here).assignFrom), map[string]here{"K": {"a"}, "k": {"b"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNilElementsStayNil(t *testing.T) {
	got := SliceOf([]*here{nil, {"a"}}, func(h *here) *there { return ObjectTo(&Context{}, h, (*here).assignTo) })
	if want := []*there{nil, {"a"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Each entry of a map has its own value, though they are made in one place.
func TestValuesOfMapsShareNothing(t *testing.T) {
	type list struct{ Items []string }
	src := map[string]list{"a": {[]string{"1"}}, "b": {}}
	got := MapTo(&Context{}, src, func(s *list, c *Context, dst *list) {
		if s.Items != nil {
			dst.Items = append([]string(nil), s.Items...)
		}
	})
	if !reflect.DeepEqual(got, src) {
		t.Errorf("got %v, want %v", got, src)
	}
}
