package roundtrip

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// compared has a value of each kind that laws compare.
type compared struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              content
	Numbers           []float64
	Raw               json.RawMessage
	Bytes             []byte
	Bag               propertybag.Bag
	Times             map[string]*metav1.Time
	Version           caseless
	Lists             [][]nested
}

type content struct {
	Text    *string
	Integer *int64
	Number  *float64
	Flag    *bool
	Any     *apiextensionsv1.JSON
	List    []string
	Map     map[string]string
	MapList map[string][]content
	Self    *content
	Bag     propertybag.Bag
	Created metav1.Time
}

type nested struct {
	Name string
	In   []nested
	Any  apiextensionsv1.JSON
}

// caseless has its own equality.
type caseless string

func (c caseless) Equal(other caseless) bool {
	return bytes.EqualFold([]byte(c), []byte(other))
}

func TestEquality(t *testing.T) {
	equalities := map[string]equality{
		"exact":         exact,
		"anyBag":        {anyBag: true},
		"emptyMetadata": {emptyMetadata: true},
		"both":          {anyBag: true, emptyMetadata: true},
	}
	agree := func(t *testing.T, name string, e equality, a, b any) (equal bool) {
		t.Helper()
		equal = e.equal(a, b)
		if want := cmp.Equal(a, b, e.options()); equal != want {
			t.Errorf("%s: equal is %v, go-cmp says %v:\n%s", name, equal, want, cmp.Diff(a, b, e.options()))
		}
		if n := len(e.differences(place{}, reflect.ValueOf(a), reflect.ValueOf(b))); (n == 0) != equal {
			t.Errorf("%s: equal is %v, and there are %d differences", name, equal, n)
		}
		return equal
	}

	t.Run("it agrees with go-cmp on random objects", func(t *testing.T) {
		count := map[bool]int{}
		for seed := range int64(150) {
			f := NewFiller(seed)
			a := &compared{}
			f.left = 8 // go-cmp takes long for large ones
			for i := range reflect.TypeOf(a).Elem().NumField() {
				f.fill(reflect.ValueOf(a).Elem().Field(i))
				f.left = 4
			}
			b := deepCopy(reflect.ValueOf(a)).Interface().(*compared)
			for changes := range 4 {
				for name, e := range equalities {
					count[agree(t, name, e, a, b)]++
				}
				v := reflect.ValueOf(b).Elem()
				sites := f.collectSites(nil, v, nil, 0)
				edit := sites[f.rand.Intn(len(sites))].edit()
				edit.prepare(f, v)
				edit.at(v, edit.change)
				if changes%2 == 0 {
					rewrite(v)
				}
			}
		}
		if count[true] < 50 || count[false] < 50 {
			t.Errorf("of the comparisons, %d are equal and %d are not: too few to say anything", count[true], count[false])
		}
	})

	second := metav1.NewTime(time.Unix(1, 0))
	elsewhere := metav1.NewTime(time.Unix(1, 0).In(time.FixedZone("elsewhere", 3600)))
	later := metav1.NewTime(time.Unix(2, 0))
	labels := func(labels map[string]string) compared {
		return compared{ObjectMeta: metav1.ObjectMeta{Labels: labels}}
	}
	for _, test := range []struct {
		name  string
		a, b  any
		equal string // the equalities that hold: "all", "none", or one
	}{
		{"nil and empty lists differ", compared{Numbers: []float64{}}, compared{}, "none"},
		{"nil and empty maps differ", compared{Times: map[string]*metav1.Time{}}, compared{}, "none"},
		{"nil and empty maps in metadata", labels(nil), labels(map[string]string{}), "emptyMetadata"},
		{"other values in metadata differ", labels(map[string]string{"a": ""}), labels(map[string]string{}), "none"},
		{"bags", compared{Bag: propertybag.Bag{"a": {}}}, compared{}, "anyBag"},
		{"numbers within the tolerance are equal", []float64{math.Nextafter(0.3, 1)}, []float64{0.3}, "all"},
		{"numbers beyond it differ", []float64{1}, []float64{1 + 1e-11}, "none"},
		{"zeros of both signs are equal", []float64{0}, []float64{math.Copysign(0, -1)}, "all"},
		{"infinities are equal", []float64{math.Inf(1)}, []float64{math.Inf(1)}, "all"},
		{"infinities of two signs differ", []float64{math.Inf(1)}, []float64{math.Inf(-1)}, "none"},
		{"integers are exact", []int64{1<<53 + 1}, []int64{1 << 53}, "none"},
		{"one instant in two time zones is equal", second, elsewhere, "all"},
		{"two instants differ", second, later, "none"},
		{"no time and a time differ", (*metav1.Time)(nil), &second, "none"},
		{"JSON is compared without its layout", apiextensionsv1.JSON{Raw: []byte(`{"a":[1],"b":2}`)},
			apiextensionsv1.JSON{Raw: []byte(`{ "b": 2, "a": [1] }`)}, "all"},
		{"numbers in JSON are compared as they are written", json.RawMessage(`1.0`), json.RawMessage(`1`), "none"},
		{"invalid JSON is compared byte by byte", json.RawMessage(`{`), json.RawMessage(`{ `), "none"},
		{"bytes are compared as JSON", []byte(`[1, 2]`), []byte(`[1,2]`), "all"},
		{"a method Equal decides", caseless("a"), caseless("A"), "all"},
		{"a method Equal decides in maps", map[string]caseless{"x": "a"}, map[string]caseless{"x": "b"}, "none"},
		{"an entry with another key differs", map[string]string{"a": ""}, map[string]string{"b": ""}, "none"},
		{"interfaces with values of two types differ", []any{"1"}, []any{caseless("1")}, "none"},
		{"interfaces with equal values are equal", []any{"1", nil}, []any{"1", nil}, "all"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, e := range equalities {
				want := test.equal == "all" || test.equal == name || test.equal != "none" && name == "both"
				if equal := agree(t, name, e, test.a, test.b); equal != want {
					t.Errorf("%s: equal is %v, want %v", name, equal, want)
				}
			}
		})
	}

	t.Run("lists within lists take no exponential time", func(t *testing.T) {
		var grow func(depth int) []nested
		grow = func(depth int) (list []nested) {
			for range min(depth, 2) {
				list = append(list, nested{In: grow(depth - 1), Any: apiextensionsv1.JSON{Raw: []byte("1")}})
			}
			return list
		}
		a, b := grow(12), grow(12)
		b[1].In[1].In[1].Any.Raw = []byte("2")
		start := time.Now()
		all := exact.differences(place{}, reflect.ValueOf(a), reflect.ValueOf(b))
		if len(all) != 1 || all[0].String() != "[1].In[1].In[1].Any" {
			t.Errorf("the differences are %v", all)
		}
		if took := time.Since(start); took > 10*time.Second { // milliseconds, where go-cmp takes minutes
			t.Errorf("it took %v", took)
		}
	})
}

// rewrite changes the bytes of untyped JSON without its meaning.
func rewrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			rewrite(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[apiextensionsv1.JSON]() && v.CanSet() && v.Field(0).Len() > 0 {
			v.Field(0).SetBytes(append(bytes.Clone(v.Field(0).Bytes()), ' '))
			return
		}
		for i := range v.NumField() {
			rewrite(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			rewrite(v.Index(i))
		}
	}
}

func TestDifferences(t *testing.T) {
	one, two := "one", "two"
	for _, test := range []struct {
		name      string
		want, got compared
		lines     []string
	}{
		{"equal objects have none", compared{}, compared{}, nil},
		{"a property", compared{Spec: content{Text: &one}}, compared{Spec: content{Text: &two}},
			[]string{`Spec.Text: want "one", got "two"`}},
		{"an absent property", compared{Spec: content{Text: &one}}, compared{}, []string{`Spec.Text: want "one", got null`}},
		{"an element", compared{Spec: content{List: []string{"a", "b"}}}, compared{Spec: content{List: []string{"a", "c"}}},
			[]string{`Spec.List[1]: want "b", got "c"`}},
		{"elements of lists of different lengths", compared{Spec: content{List: []string{"a", "b", "c"}}},
			compared{Spec: content{List: []string{"a", "c"}}}, []string{`Spec.List[1:]: want ["b"], got []`}},
		{"an empty list", compared{Spec: content{List: []string{}}}, compared{}, []string{`Spec.List: want [], got null`}},
		{"entries", compared{Spec: content{Map: map[string]string{"a": "1", "b": "2"}}},
			compared{Spec: content{Map: map[string]string{"b": "3", "c": "4"}}},
			[]string{`Spec.Map["a"]: want "1", got nothing`, `Spec.Map["b"]: want "2", got "3"`, `Spec.Map["c"]: want nothing, got "4"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var lines []string
			for _, d := range exact.differences(place{}, reflect.ValueOf(&test.want), reflect.ValueOf(&test.got)) {
				lines = append(lines, d.String()+": want "+show(d.want)+", got "+show(d.got))
			}
			if diff := cmp.Diff(test.lines, lines); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}

	t.Run("an entry of a bag belongs to the property of its name", func(t *testing.T) {
		want := &compared{Bag: propertybag.Bag{"nick": {Version: "1"}}}
		all := exact.differences(place{}, reflect.ValueOf(want), reflect.ValueOf(&compared{Bag: propertybag.Bag{}}))
		if len(all) != 1 || all[0].owners[len(all[0].owners)-1] != (owner{"compared", "nick"}) {
			t.Errorf("the differences are %v", all)
		}
	})
}
