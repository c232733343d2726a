package roundtrip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// equality compares values for laws. Nil and empty are different. Strings, integers and
// booleans must be the same; numbers may differ by what JSON in other languages loses;
// untyped JSON and times are compared by their meaning, and types with a method Equal
// by that method.
//
// Laws compare far more values than differ, so equality takes time linear in
// the size of the values. go-cmp, whose options [equality.options] are the same
// equality, takes exponential time for lists within lists.
type equality struct {
	// anyBag makes all property bags equal.
	anyBag bool
	// emptyMetadata makes nil and empty equal in metadata, because the JSON of
	// Kubernetes' own types does not tell them apart.
	emptyMetadata bool

	inMetadata bool
}

// exact is the equality without exceptions.
var exact = equality{}

// tolerance is how much two equal numbers may differ, as a fraction of the
// smaller one.
const tolerance = 1e-12

// comparer compares two values of a type.
type comparer struct {
	equal func(e equality, a, b reflect.Value) bool
	// whole reports whether a difference is one of the whole value, rather than
	// of fields, elements or entries within.
	whole bool
}

// comparers has the comparer of each type that was compared.
var comparers sync.Map

func comparerOf(t reflect.Type) comparer {
	if known, ok := comparers.Load(t); ok {
		return known.(comparer)
	}
	r := newComparer(t)
	comparers.Store(t, r)
	return r
}

// newComparer makes the comparer of a type. Comparers look up those of the types within
// when they compare, because a type may contain itself.
func newComparer(t reflect.Type) comparer {
	whole := func(equal func(a, b reflect.Value) bool) comparer {
		return comparer{func(_ equality, a, b reflect.Value) bool { return equal(a, b) }, true}
	}
	switch t {
	case reflect.TypeFor[metav1.Time]():
		return whole(func(a, b reflect.Value) bool {
			return a.Interface().(metav1.Time).Time.Equal(b.Interface().(metav1.Time).Time)
		})
	case reflect.TypeFor[apiextensionsv1.JSON]():
		return whole(func(a, b reflect.Value) bool { return sameJSON(a.Field(0).Bytes(), b.Field(0).Bytes()) })
	case reflect.TypeFor[float64]():
		return whole(func(a, b reflect.Value) bool { return sameNumber(a.Float(), b.Float()) })
	}
	if t.AssignableTo(reflect.TypeFor[json.RawMessage]()) {
		return whole(func(a, b reflect.Value) bool { return sameJSON(a.Bytes(), b.Bytes()) })
	}
	if m, ok := t.MethodByName("Equal"); ok && isEqual(t, m.Type) {
		return whole(func(a, b reflect.Value) bool { return m.Func.Call([]reflect.Value{a, b})[0].Bool() })
	}
	switch t.Kind() {
	case reflect.Pointer:
		return comparer{equal: equalPointers}
	case reflect.Interface:
		return comparer{equal: equalInterfaces}
	case reflect.Slice:
		return comparer{equal: equalSlices}
	case reflect.Map:
		return comparer{equal: equalMaps}
	case reflect.Struct:
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				return whole(func(a, b reflect.Value) bool { return reflect.DeepEqual(a.Interface(), b.Interface()) })
			}
		}
		return comparer{equal: equalStructs}
	case reflect.String, reflect.Bool, reflect.Int64: // faster than Value.Equal
		return whole(equalBasic)
	}
	return whole(func(a, b reflect.Value) bool { return reflect.DeepEqual(a.Interface(), b.Interface()) })
}

// isEqual reports whether m is the type of a method Equal that compares t with t.
func isEqual(t, m reflect.Type) bool {
	return m.NumIn() == 2 && !m.IsVariadic() && t.AssignableTo(m.In(1)) && m.NumOut() == 1 && m.Out(0) == reflect.TypeFor[bool]()
}

func equalBasic(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	}
	return a.Int() == b.Int()
}

func equalPointers(e equality, a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() && b.IsNil()
	}
	return comparerOf(a.Type().Elem()).equal(e, a.Elem(), b.Elem())
}

func equalInterfaces(e equality, a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() && b.IsNil()
	}
	a, b = a.Elem(), b.Elem()
	return a.Type() == b.Type() && comparerOf(a.Type()).equal(e, a, b)
}

func equalSlices(e equality, a, b reflect.Value) bool {
	if a.Len() != b.Len() || a.IsNil() != b.IsNil() && !e.inMetadata {
		return false
	}
	element := comparerOf(a.Type().Elem())
	for i := range a.Len() {
		if !element.equal(e, a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func equalMaps(e equality, a, b reflect.Value) bool {
	if e.anyBag && a.Type() == reflect.TypeFor[propertybag.Bag]() {
		return true
	}
	if a.Len() != b.Len() || a.IsNil() != b.IsNil() && !e.inMetadata {
		return false
	}
	element := comparerOf(a.Type().Elem())
	for entries := a.MapRange(); entries.Next(); {
		other := b.MapIndex(entries.Key())
		if !other.IsValid() || !element.equal(e, entries.Value(), other) {
			return false
		}
	}
	return true
}

func equalStructs(e equality, a, b reflect.Value) bool {
	e = e.within(a.Type())
	for i := range a.NumField() {
		if x := a.Field(i); !comparerOf(x.Type()).equal(e, x, b.Field(i)) {
			return false
		}
	}
	return true
}

// within returns the equality of the fields of a struct.
func (e equality) within(t reflect.Type) equality {
	e.inMetadata = e.inMetadata || e.emptyMetadata && t == reflect.TypeFor[metav1.ObjectMeta]()
	return e
}

// equal reports whether two values of one type are equal.
func (e equality) equal(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if !x.IsValid() || !y.IsValid() {
		return !x.IsValid() && !y.IsValid()
	}
	return comparerOf(x.Type()).equal(e, x, y)
}

// options are the options that make go-cmp compare in the same way.
func (e equality) options() cmp.Options {
	options := cmp.Options{
		cmpopts.EquateApprox(tolerance, 0),
		cmp.Comparer(func(a, b metav1.Time) bool { return a.Time.Equal(b.Time) }),
		cmp.Comparer(func(a, b json.RawMessage) bool { return sameJSON(a, b) }),
		cmp.Comparer(func(a, b apiextensionsv1.JSON) bool { return sameJSON(a.Raw, b.Raw) }),
	}
	if e.anyBag {
		options = append(options, cmp.Comparer(func(a, b propertybag.Bag) bool { return true }))
	}
	if e.emptyMetadata {
		inMetadata := func(path cmp.Path) bool {
			for _, step := range path {
				if step.Type() == reflect.TypeFor[metav1.ObjectMeta]() {
					return true
				}
			}
			return false
		}
		options = append(options, cmp.FilterPath(inMetadata, cmpopts.EquateEmpty()))
	}
	return options
}

// difference is a place at which two values differ.
type difference struct {
	place
	want, got reflect.Value // not valid where one has no such element or entry
}

// place is the path to a value, and the properties on it.
type place struct {
	path   string
	owners []owner
}

func (p place) String() string { return strings.TrimPrefix(p.path, ".") }

// at returns the place of a value within, which is at a step and belongs to owners.
func (p place) at(step string, owners ...owner) place {
	return place{p.path + step, append(p.owners[:len(p.owners):len(p.owners)], owners...)}
}

// differences returns the places at which two values differ, each as deep as
// possible. Elements of lists are compared by their indexes; of lists that
// differ in length, what is between equal elements at both ends differs.
func (e equality) differences(p place, want, got reflect.Value) (all []difference) {
	r := comparerOf(want.Type())
	if r.equal(e, want, got) {
		return nil
	}
	within := func(p place, want, got reflect.Value) { all = append(all, e.differences(p, want, got)...) }
	whole := []difference{{p, want, got}}
	if r.whole {
		return whole
	}
	switch want.Kind() {
	case reflect.Pointer, reflect.Interface:
		if want.IsNil() || got.IsNil() || want.Elem().Type() != got.Elem().Type() {
			return whole
		}
		within(p, want.Elem(), got.Elem())
	case reflect.Slice:
		if want.Len() == 0 || got.Len() == 0 {
			return whole
		}
		if want.Len() != got.Len() {
			return []difference{e.listDifference(p, want, got)}
		}
		for i := range want.Len() {
			within(p.at("["+strconv.Itoa(i)+"]"), want.Index(i), got.Index(i))
		}
	case reflect.Map:
		if want.IsNil() || got.IsNil() {
			return whole
		}
		union := reflect.MakeMap(want.Type())
		for _, m := range []reflect.Value{want, got} {
			for entries := m.MapRange(); entries.Next(); {
				union.SetMapIndex(entries.Key(), entries.Value())
			}
		}
		for _, key := range sortedKeys(union) {
			at := p.at(fmt.Sprintf("[%q]", key))
			if want.Type() == reflect.TypeFor[propertybag.Bag]() && len(p.owners) > 0 {
				at = p.at(fmt.Sprintf("[%q]", key), owner{p.owners[len(p.owners)-1].typ, key.String()})
			}
			if x, y := want.MapIndex(key), got.MapIndex(key); !x.IsValid() || !y.IsValid() {
				all = append(all, difference{at, x, y})
			} else {
				within(at, x, y)
			}
		}
	case reflect.Struct:
		t := want.Type()
		e = e.within(t)
		for i := range t.NumField() {
			within(p.at("."+t.Field(i).Name, owner{t.Name(), jsonName(t.Field(i))}), want.Field(i), got.Field(i))
		}
	}
	return all
}

// listDifference is the difference of lists of different lengths.
func (e equality) listDifference(p place, want, got reflect.Value) difference {
	element := comparerOf(want.Type().Elem())
	shorter := min(want.Len(), got.Len())
	first := 0
	for first < shorter && element.equal(e, want.Index(first), got.Index(first)) {
		first++
	}
	last := 0
	for last < shorter-first && element.equal(e, want.Index(want.Len()-1-last), got.Index(got.Len()-1-last)) {
		last++
	}
	return difference{p.at(fmt.Sprintf("[%d:]", first)), want.Slice(first, want.Len()-last), got.Slice(first, got.Len()-last)}
}

// show prints a value as JSON, so that nothing hides behind a pointer.
func show(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	if data, err := json.Marshal(v.Interface()); err == nil {
		return string(data)
	}
	return fmt.Sprintf("%+v", v)
}

func sameNumber(a, b float64) bool {
	if math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsNaN(a) || math.IsNaN(b) {
		return a == b
	}
	return math.Abs(a-b) <= tolerance*math.Min(math.Abs(a), math.Abs(b))
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := parse(a)
	y, errY := parse(b)
	return errors.Join(errX, errY) == nil && reflect.DeepEqual(x, y)
}

// parse returns the value of a JSON text, with numbers as they were written.
func parse(data []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}
