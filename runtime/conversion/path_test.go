package conversion

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// placed is a resource with objects in several places.
type placed struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              placedSpec `json:"spec"`
}

type placedSpec struct {
	One  *source           `json:"one,omitempty"`
	List []placedPart      `json:"list,omitzero"`
	Map  map[string]source `json:"map,omitzero"`
	None *placedSpec       `json:"none,omitempty"`
	Text map[string]string `json:"text,omitzero"`
}

type placedPart struct {
	Part source `json:"part"`
}

func TestErrorOfHook(t *testing.T) {
	in := &placed{Spec: placedSpec{One: &source{"a"}, List: make([]placedPart, 3), Map: map[string]source{"x": {}}}}
	out := &placed{Spec: placedSpec{One: &source{"b"}}}
	other := source{"c"}
	for _, test := range []struct {
		name   string
		object any
		want   string
	}{
		{"of an object has its path", in.Spec.One, "spec.one: *conversion.source: hm"},
		{"of an object of the destination has its path", out.Spec.One, "spec.one: *conversion.source: hm"},
		{"of an object in a list has the index", &in.Spec.List[2].Part, "spec.list[2].part: *conversion.source: hm"},
		{"of the Spec has its path", &in.Spec, "spec: *conversion.placedSpec: hm"},
		{"of the resource has no path", in, "*conversion.placed: hm"},
		{"of an element of a map has no path", &other, "*conversion.source: hm"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &Context{source: &placed{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "ada"}}, destination: &placed{}}
			c.Check(test.object, errors.New("hm"))
			c.locate(in, out)
			want := "converting *conversion.placed ns/ada to *conversion.placed: " + test.want
			if err := c.Err(); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}
