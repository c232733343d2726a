package remainder

import (
	"fmt"
	"testing"
)

// bothWays measures both ways of an object, from trees to the annotation and back.
func bothWays(b *testing.B, stored, plain any) {
	b.Helper()
	annotation := annotationOf(b, Note{Object: person, Lost: Diff(stored, plain, Options{})}, Limits{})
	b.Run("down", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := (Note{Object: person, Lost: Diff(stored, plain, Options{})}).Write(nil, Limits{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(annotation)), "bytes")
	})
	b.Run("up", func(b *testing.B) {
		b.ReportAllocs()
		annotations := map[string]string{Annotation: annotation}
		for b.Loop() {
			b.StopTimer()
			tree := clone(plain)
			b.StartTimer()
			n, err := Read(annotations, person, nil)
			if _, dropped := n.Lost.Apply(tree, nil); err != nil || len(dropped) > 0 {
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

// BenchmarkNothingLost is what a lossless conversion pays.
func BenchmarkNothingLost(b *testing.B) {
	stored, plain := account(0)
	b.ReportAllocs()
	for b.Loop() {
		if annotations, err := (Note{Object: person, Lost: Diff(stored, plain, Options{})}).Write(nil, Limits{}); err != nil || annotations != nil {
			b.Fatal(annotations, err)
		}
	}
}

// BenchmarkEntries is a remainder of 20 entries.
func BenchmarkEntries(b *testing.B) {
	stored, plain := account(20)
	bothWays(b, stored, plain)
}

// growing are what must not cost more than its size, in four sizes.
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
			h := map[string]any{}
			for i := range n {
				h[fmt.Sprint("property", i)] = map[string]any{"value": int64(i), "version": "2021-04-01"}
			}
			return map[string]any{bag: h}, map[string]any{}
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

// TestTwiceTheSizeIsTwiceTheWork counts allocations, which tell what times do
// and are exact.
func TestTwiceTheSizeIsTwiceTheWork(t *testing.T) {
	for _, test := range growing {
		work := func(n int) (down, up float64) {
			stored, plain := test.make(n)
			var annotations map[string]string
			down = testing.AllocsPerRun(1, func() {
				annotations, _ = Note{Object: person, Lost: Diff(stored, plain, Options{})}.Write(nil, Limits{})
			})
			up = testing.AllocsPerRun(1, func() {
				note, _ := Read(annotations, person, nil)
				note.Lost.Apply(clone(plain), nil)
			})
			return down, up
		}
		for _, n := range test.sizes[1:] {
			down, up := work(n)
			halfDown, halfUp := work(n / 2)
			if down > 2.2*halfDown || up > 2.2*halfUp {
				t.Errorf("%s of %d: %v allocations down and %v up; of half the size %v and %v", test.name, n, down, up, halfDown, halfUp)
			}
		}
	}
}

func TestNothingLostCostsNothing(t *testing.T) {
	stored, plain := account(0)
	for i, list := range []string{`["a","b"]`, `[{"name":"a"},{"name":"b"}]`, `[1,[2,{}]]`} {
		name := fmt.Sprint("list", i)
		stored.(map[string]any)[name], plain.(map[string]any)[name] = tree(t, list), tree(t, list)
	}
	annotations := map[string]string{"k": "v"}
	if n := testing.AllocsPerRun(10, func() {
		if got, err := (Note{Object: person, Lost: Diff(stored, plain, Options{})}).Write(annotations, Limits{}); err != nil || len(got) != 1 {
			t.Error(got, err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
