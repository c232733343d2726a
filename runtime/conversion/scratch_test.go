package conversion

import (
	"fmt"
	"testing"
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
