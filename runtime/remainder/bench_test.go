package remainder

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// entry returns the bag of a value.
func entry(i int) propertybag.Bag {
	return propertybag.Bag{"h": {Version: "2021-04-01", Value: json.RawMessage(fmt.Sprint(i))}}
}

// of returns a pointer to a value.
func of[T any](value T) *T { return &value }

// growing lists accounts whose cost must not grow faster than they do, in four sizes.
var growing = func() []growth {
	list := func(n int, element func(i int) account[string]) *account[string] {
		a := &account[string]{}
		for i := range n {
			e := element(i)
			e.Bag = entry(i)
			a.Rules = append(a.Rules, e)
		}
		return a
	}
	many := []int{125, 250, 500, 1000}
	return []growth{
		{"keys", many, func(n int) *account[string] {
			return list(n, func(i int) account[string] { return account[string]{Name: of(fmt.Sprint(i)), Amount: of(int64(i))} })
		}},
		{"contents", many, func(n int) *account[string] {
			return list(n, func(i int) account[string] { return account[string]{Amount: of(int64(i))} })
		}},
		{"same contents", many, func(n int) *account[string] {
			return list(n, func(i int) account[string] { return account[string]{Amount: of(int64(7))} })
		}},
		{"bag", []int{250, 500, 1000, 2000}, func(n int) *account[string] {
			bag := propertybag.Bag{}
			for i := range n {
				bag[fmt.Sprint("property", i)] = entry(i)["h"]
			}
			return &account[string]{Bag: bag}
		}},
		{"enums", many, func(n int) *account[string] {
			a := &account[string]{}
			for i := range n {
				a.Tiers = append(a.Tiers, fmt.Sprint("Tier", i))
			}
			return a
		}},
		{"maps", many, func(n int) *account[string] {
			a := &account[string]{Plain: map[string]account[string]{}}
			for i := range n {
				a.Plain[fmt.Sprint(i)] = account[string]{Bag: entry(i)}
			}
			return a
		}},
	}
}()

type growth struct {
	name  string
	sizes []int
	make  func(n int) *account[string]
}

func BenchmarkLinear(b *testing.B) {
	for _, test := range growing {
		for _, n := range test.sizes {
			stored := test.make(n)
			plain := shownOf(b, stored)
			shown := text(plain)
			annotations, err := Note{Object: person, Lost: collect(b, stored)}.Write(nil, Limits{}, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprint(test.name, "/", n, "/down"), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					lost, err := Collect(stored, plain, accountOptions)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := (Note{Object: person, Lost: lost}).Write(nil, Limits{}, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(annotations[annotation.Remainder])), "bytes")
			})
			b.Run(fmt.Sprint(test.name, "/", n, "/up"), func(b *testing.B) {
				b.ReportAllocs()
				written := read[tier](b, shown)
				for b.Loop() {
					b.StopTimer()
					merged := read[string](b, shown)
					b.StartTimer()
					note, err := Read(annotations, person, nil, nil)
					if err != nil {
						b.Fatal(err)
					}
					note.Lost.Restore(merged, written, nil)
				}
			})
		}
	}
}

// fewestAllocs returns the fewest allocations of some runs. The race detector makes pools lose buffers now and then.
func fewestAllocs(f func()) float64 {
	fewest := testing.AllocsPerRun(1, f)
	for range 12 {
		fewest = min(fewest, testing.AllocsPerRun(1, f))
	}
	return fewest
}

// TestCost counts allocations, which grow as times do and are exact.
func TestCost(t *testing.T) {
	for _, test := range growing {
		t.Run("twice the size is twice the work, "+test.name, func(t *testing.T) {
			work := func(n int) (down, up float64) {
				stored := test.make(n)
				plain := shownOf(t, stored)
				written := read[tier](t, text(plain))
				var annotations map[string]string
				down = fewestAllocs(func() {
					lost, err := Collect(stored, plain, accountOptions)
					if err != nil {
						t.Fatal(err)
					}
					annotations, _ = Note{Object: person, Lost: lost}.Write(nil, Limits{Annotations: MaxAnnotations}, nil)
				})
				up = fewestAllocs(func() {
					note, _ := Read(annotations, person, nil, nil)
					note.Lost.Restore(read[string](t, text(plain)), written, nil)
				})
				return down, up
			}
			for _, n := range test.sizes[1:] {
				down, up := work(n)
				halfDown, halfUp := work(n / 2)
				if down > 2.2*halfDown || up > 2.2*halfUp {
					t.Errorf("%d elements: %v allocations down and %v up; of half the size %v and %v", n, down, up, halfDown, halfUp)
				}
			}
		})
	}
	t.Run("equal objects cost next to nothing", func(t *testing.T) {
		stored := read[string](t,
			`{"amount":1,"name":"a","part":{"name":"b","zones":["x"]},"rules":[{"name":"a"},{"name":"b"}],"zones":["x","y"]}`)
		plain := shownOf(t, stored)
		annotations := map[string]string{"k": "v"}
		if n := testing.AllocsPerRun(10, func() {
			lost, err := Collect(stored, plain, Options{})
			if err != nil || !lost.Empty() {
				t.Error(lost, err)
			}
			if got, err := (Note{Object: person, Lost: lost}).Write(annotations, Limits{}, nil); err != nil || len(got) != 1 {
				t.Error(got, err)
			}
		}); n > 10 {
			t.Errorf("%v allocations", n)
		}
	})
}
