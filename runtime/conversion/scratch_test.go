package conversion

import (
	"fmt"
	"testing"
	"unsafe"
)

// Whatever was done to what a conversion was lent, the next finds it empty.
func TestWhatIsLentIsEmpty(t *testing.T) {
	for n := range 20 {
		c := begin(nil)
		var all [][]here
		for i := range n {
			all = append(all, lent[here](c, i))
		}
		for i, slice := range all {
			if len(slice) != i || cap(slice) != i || slice == nil {
				t.Fatalf("lent %d of %d, %#v", len(slice), i, slice)
			}
			for j := range slice {
				if slice[j] != (here{}) {
					t.Fatalf("conversion %d was lent %v", n, slice[j])
				}
				slice[j].Name = fmt.Sprint(i, j)
			}
			_ = append(slice, here{"more"})
		}
		for i, slice := range all {
			for j := range slice {
				if want := fmt.Sprint(i, j); slice[j].Name != want {
					t.Fatalf("%s was lent twice: %s", want, slice[j].Name)
				}
			}
		}
		c.done(nil)
	}
}

// What is soon garbage is lent, what stays is made.
func TestDestinationsOnTheRoadAreLent(t *testing.T) {
	src := make([]here, 100)
	convert := func() {
		c := begin(nil)
		c.private = true
		for range 10 {
			SliceFrom(c, SliceTo(c, src, (*here).assignTo), (*here).assignFrom)
			ObjectTo(c, &src[0], (*here).assignTo)
		}
		c.done(nil)
	}
	convert()
	if n := testing.AllocsPerRun(100, convert); n > 10 { // the Context, and now and then a new scratch
		t.Errorf("%v allocations", n)
	}
	c := begin(nil)
	stays := SliceTo(c, []here{{"a"}}, (*here).assignTo)
	c.done(nil)
	c = begin(nil)
	c.private = true
	SliceTo(c, []here{{"b"}}, (*here).assignTo)
	c.done(nil)
	if stays[0].Name != "a" {
		t.Errorf("%v", stays)
	}
}

// Between two objects on the road a struct goes over as it is; at either end it
// does not, since the source stays as it was and the destination keeps nothing
// that is lent.
func TestWhatIsAlikeIsTakenOverOnTheRoadOnly(t *testing.T) {
	src := []here{{"a"}, {"b"}}
	for _, test := range []struct {
		why            string
		owned, private bool
		taken          bool
	}{
		{"from source to destination", false, false, false},
		{"from the source", false, true, false},
		{"on the road", true, true, true},
		{"to the destination", true, false, false},
	} {
		c := &Context{owned: test.owned, private: test.private}
		for helper, slice := range map[string][]there{
			"TakeSliceTo":   TakeSliceTo(c, src, (*here).assignTo),
			"TakeSliceFrom": TakeSliceFrom(c, src, func(dst *there, _ *Context, src *here) { dst.Name = src.Name }),
		} {
			if taken := unsafe.SliceData(slice) == (*there)(unsafe.Pointer(&src[0])); taken != test.taken || len(slice) != 2 || slice[1].Name != "b" {
				t.Errorf("%s, %s: taken is %v, %v", helper, test.why, taken, slice)
			}
		}
		for helper, object := range map[string]*there{
			"TakeObjectTo":   TakeObjectTo(c, &src[0], (*here).assignTo),
			"TakeObjectFrom": TakeObjectFrom(c, &src[0], func(dst *there, _ *Context, src *here) { dst.Name = src.Name }),
		} {
			if taken := object == (*there)(unsafe.Pointer(&src[0])); taken != test.taken || object.Name != "a" {
				t.Errorf("%s, %s: taken is %v, %v", helper, test.why, taken, object)
			}
		}
	}
}
