package remainder

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// bothWays measures both ways of a value: to the annotation and back.
func bothWays(b *testing.B, stored, plain any) {
	b.Helper()
	value := annotationOf(b, Note{Object: person, Lost: diff(b, stored, plain, Options{})}, Limits{})
	b.Run("down", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := (Note{Object: person, Lost: diff(b, stored, plain, Options{})}).Write(nil, Limits{}, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(value)), "bytes")
	})
	b.Run("up", func(b *testing.B) {
		b.ReportAllocs()
		annotations := map[string]string{annotation.Remainder: value}
		for b.Loop() {
			b.StopTimer()
			tree := copied(plain)
			b.StartTimer()
			n, err := Read(annotations, person, nil, nil)
			if _, dropped := apply(b, n.Lost, tree, nil); err != nil || len(dropped) > 0 {
				b.Fatal(err, dropped)
			}
		}
	})
}

// account is an object of 200 properties that loses some.
func account(lost int) (stored, plain any) {
	h := map[string]any{}
	for i := range 10 {
		part := map[string]any{}
		for j := range 20 {
			part[fmt.Sprint("property", j)] = fmt.Sprint("value ", i, j)
		}
		h[fmt.Sprint("part", i)] = part
	}
	p := clone(h)
	for i := range lost {
		delete(p.(map[string]any)[fmt.Sprint("part", i%10)].(map[string]any), fmt.Sprint("property", i/10))
	}
	return h, p
}

// BenchmarkNothingLost measures what a lossless conversion pays.
func BenchmarkNothingLost(b *testing.B) {
	stored, plain := account(0)
	b.ReportAllocs()
	for b.Loop() {
		note := Note{Object: person, Lost: diff(b, stored, plain, Options{})}
		if annotations, err := note.Write(nil, Limits{}, nil); err != nil || annotations != nil {
			b.Fatal(annotations, err)
		}
	}
}

// BenchmarkEntries measures a remainder of 20 entries.
func BenchmarkEntries(b *testing.B) {
	stored, plain := account(20)
	bothWays(b, stored, plain)
}

// growing lists values whose cost must not grow faster than they do, in four sizes.
var growing = func() []growth {
	list := func(n int, element func(i int) map[string]any) (stored, plain any) {
		h, p := make([]any, n), make([]any, n)
		for i := range n {
			e := element(i)
			p[i] = e
			h[i] = clone(e)
			h[i].(map[string]any)["h"] = int64(i)
		}
		return map[string]any{"list": h}, map[string]any{"list": p}
	}
	return []growth{
		{"keys", []int{125, 250, 500, 1000}, func(n int) (any, any) {
			return list(n, func(i int) map[string]any { return map[string]any{"name": fmt.Sprint(i), "v": int64(i)} })
		}},
		{"contents", []int{125, 250, 500, 1000}, func(n int) (any, any) {
			return list(n, func(i int) map[string]any { return map[string]any{"v": int64(i)} })
		}},
		{"same contents", []int{125, 250, 500, 1000}, func(n int) (any, any) {
			return list(n, func(i int) map[string]any { return map[string]any{"v": "same"} })
		}},
		{"bag", []int{250, 500, 1000, 2000}, func(n int) (any, any) {
			h := propertybag.Bag{}
			for i := range n {
				h[fmt.Sprint("property", i)] = propertybag.Entry{Value: json.RawMessage(fmt.Sprint(i)), Version: "2021-04-01"}
			}
			return &account1{Bag: h}, &account1{}
		}},
		{"lists in lists of Go types", []int{10, 20, 40, 80}, func(n int) (any, any) {
			one := int64(1)
			h, p := account1{Amount: &one}, account1{}
			for i := range n {
				i := int64(i)
				h = account1{Rules: []account1{h, {Amount: &i}}}
				p = account1{Rules: []account1{p, {Amount: &i}}}
			}
			return &h, &p
		}},
		{"lists in lists", []int{10, 20, 40, 80}, func(n int) (any, any) {
			h, p := any(map[string]any{"h": int64(1)}), any(map[string]any{})
			for i := range n {
				h = map[string]any{"children": []any{h, map[string]any{"v": int64(i)}}}
				p = map[string]any{"children": []any{p, map[string]any{"v": int64(i)}}}
			}
			return h, p
		}},
	}
}()

type growth struct {
	name  string
	sizes []int
	make  func(n int) (stored, plain any)
}

// copied returns a copy of a tree or an account that shares nothing.
func copied(value any) any {
	if a, ok := value.(*account1); ok {
		data, _ := json.Marshal(a)
		value := &account1{}
		if err := json.Unmarshal(data, value); err != nil {
			panic(err)
		}
		return value
	}
	return clone(value)
}

func BenchmarkLinear(b *testing.B) {
	for _, test := range growing {
		for _, n := range test.sizes {
			b.Run(fmt.Sprint(test.name, "/", n), func(b *testing.B) {
				stored, plain := test.make(n)
				bothWays(b, stored, plain)
			})
		}
	}
}

// TestCost counts allocations, which grow as times do and are exact.
func TestCost(t *testing.T) {
	for _, test := range growing {
		t.Run("twice the size is twice the work, "+test.name, func(t *testing.T) {
			work := func(n int) (down, up float64) {
				stored, plain := test.make(n)
				var annotations map[string]string
				down = testing.AllocsPerRun(1, func() {
					annotations, _ = Note{Object: person, Lost: diff(t, stored, plain, Options{})}.Write(nil, Limits{}, nil)
				})
				up = testing.AllocsPerRun(1, func() {
					note, _ := Read(annotations, person, nil, nil)
					apply(t, note.Lost, copied(plain), nil)
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
	t.Run("equal objects cost nothing", func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 3))
		stored := randomAccount(r, 2)
		stored.Rules = []account1{*randomAccount(r, 0), *randomAccount(r, 0)}
		plain := *stored
		plain.Zones, plain.Rules = slices.Clone(stored.Zones), slices.Clone(stored.Rules)
		plain.Rules[1].Zones = slices.Clone(plain.Rules[1].Zones)
		annotations := map[string]string{"k": "v"}
		if n := testing.AllocsPerRun(10, func() {
			lost, err := Diff(stored, &plain, Options{})
			if err != nil || !lost.Empty() {
				t.Error(lost, err)
			}
			if got, err := (Note{Object: person, Lost: lost}).Write(annotations, Limits{}, nil); err != nil || len(got) != 1 {
				t.Error(got, err)
			}
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
