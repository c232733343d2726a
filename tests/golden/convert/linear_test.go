package convert_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/tests/golden/convert/v1"
	"github.com/armature-dev/armature/tests/golden/convert/v3storage"
)

// growth is a part of a hub that may be large. Each element has something that v1
// lacks, so that the annotation of a v1 object carries it.
type growth struct {
	name  string
	sizes []int
	hub   func(n int) *v3storage.Person
}

var growing = []growth{
	{"elements of a list", []int{125, 250, 500, 1000}, func(n int) *v3storage.Person {
		related := make([]v3storage.Relation, n)
		for i := range related {
			related[i] = relation(i)
		}
		return knows(v3storage.Relation{Related: related})
	}},
	{"entries of a bag", []int{250, 500, 1000, 2000}, func(n int) *v3storage.Person {
		hub := &v3storage.Person{}
		hub.Spec.PropertyBag = propertybag.Bag{}
		for i := range n {
			hub.Spec.PropertyBag[fmt.Sprint("property", i)] = propertybag.Entry{
				Version: "2014-04-04", Value: json.RawMessage(fmt.Sprint(i)),
			}
		}
		return hub
	}},
	{"levels of objects", []int{10, 20, 40, 80}, func(n int) *v3storage.Person {
		r := relation(0)
		for i := 1; i < n; i++ {
			parent := r
			r = relation(i)
			r.Parent = &parent
		}
		return knows(r)
	}},
	{"levels of lists", []int{10, 20, 40, 80}, func(n int) *v3storage.Person {
		r := relation(0)
		for i := 1; i < n; i++ {
			next := relation(i)
			next.Related = []v3storage.Relation{r}
			r = next
		}
		return knows(r)
	}},
	{"levels of maps", []int{10, 20, 40, 80}, func(n int) *v3storage.Person {
		r := relation(0)
		for i := 1; i < n; i++ {
			next := relation(i)
			next.ByRole = map[string]v3storage.Relation{"role": r}
			r = next
		}
		return knows(r)
	}},
}

// relation returns a Relation with a property that v1 lacks.
func relation(i int) v3storage.Relation {
	name, since := fmt.Sprint("name ", i), fmt.Sprint("since ", i)
	return v3storage.Relation{Name: &name, Since: &since}
}

func knows(r v3storage.Relation) *v3storage.Person {
	hub := &v3storage.Person{}
	hub.Spec.Relation = &r
	return hub
}

func shown(tb testing.TB, hub *v3storage.Person) *v1.Person {
	tb.Helper()
	object := &v1.Person{}
	if err := object.ConvertFrom(hub); err != nil {
		tb.Fatal(err)
	}
	return object
}

func stored(tb testing.TB, object *v1.Person) *v3storage.Person {
	tb.Helper()
	hub := &v3storage.Person{}
	if err := object.ConvertTo(hub); err != nil {
		tb.Fatal(err)
	}
	return hub
}

// BenchmarkLinear measures the time for each element, entry or level, which does not
// depend on how many there are.
func BenchmarkLinear(b *testing.B) {
	for _, test := range growing {
		for _, n := range test.sizes {
			hub := test.hub(n)
			object := shown(b, hub)
			run := func(way string, convert func()) {
				b.Run(fmt.Sprintf("%s/%s/%d", test.name, way, n), func(b *testing.B) {
					for b.Loop() {
						convert()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/one")
					b.ReportMetric(0, "ns/op")
				})
			}
			run("down", func() { shown(b, hub) })
			run("up", func() { stored(b, object) })
		}
	}
}

func TestGrowth(t *testing.T) {
	t.Run("twice the size makes twice the allocations", testAllocationsOfGrowth)
	t.Run("everything comes back", testGrowthComesBack)
}

// testAllocationsOfGrowth counts allocations, which grow as the time does and are
// exact.
func testAllocationsOfGrowth(t *testing.T) {
	for _, test := range growing {
		work := func(n int) (down, up float64) {
			hub := test.hub(n)
			object := shown(t, hub)
			return testing.AllocsPerRun(5, func() { shown(t, hub) }), testing.AllocsPerRun(5, func() { stored(t, object) })
		}
		for _, n := range test.sizes[1:] {
			down, up := work(n)
			halfDown, halfUp := work(n / 2)
			if down > 2.2*halfDown || up > 2.2*halfUp {
				t.Errorf("%d %s: %v allocations down and %v up; of half of them %v and %v", n, test.name, down, up, halfDown, halfUp)
			}
		}
	}
}

func testGrowthComesBack(t *testing.T) {
	for _, test := range growing {
		for _, n := range test.sizes {
			hub := test.hub(n)
			want, err := json.Marshal(hub)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := json.Marshal(stored(t, shown(t, hub))); err != nil || string(got) != string(want) {
				t.Errorf("%d %s: %v, %d bytes came back as %d", n, test.name, err, len(want), len(got))
			}
		}
	}
}
