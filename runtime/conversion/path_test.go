package conversion

import (
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// placed is a resource with objects in some places.
type placed struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              placedSpec `json:"spec"`
}

type placedSpec struct {
	One  *here             `json:"one,omitempty"`
	List []placedPart      `json:"list,omitzero"`
	Map  map[string]here   `json:"map,omitzero"`
	None *placedSpec       `json:"none,omitempty"`
	Text map[string]string `json:"text,omitzero"`
}

type placedPart struct {
	Part here `json:"part"`
}

// An error of a hook says of which object it is, wherever that is on the road.
func TestAnErrorOfAHookHasThePath(t *testing.T) {
	atSource := &placed{Spec: placedSpec{One: &here{"a"}, List: make([]placedPart, 3), Map: map[string]here{"x": {}}}}
	c := &Context{source: atSource, destination: &placed{}}
	c.depth++
	between := &lent[placed](c, 1)[0]
	between.Spec.One = &here{"b"}
	elsewhere := here{"c"}
	for _, test := range []struct {
		why    string
		object any
		want   string
	}{
		{"an object", atSource.Spec.One, "spec.one: *conversion.here: hm"},
		{"in an element of a list", &atSource.Spec.List[2].Part, "spec.list[2].part: *conversion.here: hm"},
		{"the Spec", &atSource.Spec, "spec: *conversion.placedSpec: hm"},
		{"of a version on the road", between.Spec.One, "spec.one: *conversion.here: hm"},
		{"the resource itself", atSource, ": *conversion.placed: hm"},
		{"a copy of an element of a map", &elsewhere, ": *conversion.here: hm"},
	} {
		c.errs = nil
		c.Check(test.object, errors.New("hm"))
		if err := c.Err(); err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.why, err, test.want)
		}
	}
	c.done(nil)
}
