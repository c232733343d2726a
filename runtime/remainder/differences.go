package remainder

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// Difference is where two values differ.
type Difference struct {
	// Path is that of a property or an element that only one of the values has, or of
	// which the two mean something else in JSON.
	Path string
	// Version is the ARM API version of the entry of a bag, or "" for all else.
	Version string
}

// Differences returns where two values of one Go type differ, in the order of the paths'
// names. Lists of different lengths differ as a whole.
func Differences(a, b any) ([]Difference, error) {
	d := differ{}
	d.values(reflect.ValueOf(a), reflect.ValueOf(b), shapeOf(reflect.TypeOf(a)))
	return d.found, d.err
}

// differ finds differences.
type differ struct {
	canonical
	path  path
	found []Difference
}

func (d *differ) note(version string) {
	d.found = append(d.found, Difference{d.path.String(), version})
}

// values compares two values, which are invalid where JSON has none.
func (d *differ) values(a, b reflect.Value, s *shape) {
	if !a.IsValid() || !b.IsValid() {
		if a.IsValid() || b.IsValid() {
			d.note("")
		}
		return
	}
	if shared(a, b) {
		return
	}
	x, s := s.value(a)
	y, of := s.value(b)
	switch null := s.null(x) || of.null(y); {
	case s != of || null != (s.null(x) && of.null(y)):
		d.note("")
	case null:
	case s.form == isObject:
		for i := range s.fields {
			f := &s.fields[i]
			if f.form == isBag {
				d.bags(f.in(x).Interface().(propertybag.Bag), f.in(y).Interface().(propertybag.Bag))
				continue
			}
			d.below(step{name: f.name, named: true}, f.of(x), f.of(y), f.shape)
		}
	case s.form == isMap:
		keys := append(x.MapKeys(), y.MapKeys()...)
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		keys = slices.CompactFunc(keys, func(a, b reflect.Value) bool { return a.String() == b.String() })
		for _, key := range keys {
			d.below(step{name: key.String(), named: true}, x.MapIndex(key), y.MapIndex(key), s.elem)
		}
	case s.form == isList && x.Len() == y.Len():
		for i := range x.Len() {
			d.below(step{index: i}, x.Index(i), y.Index(i), s.elem)
		}
	case s.form == isList || !d.same(x, y, s):
		d.note("")
	}
}

// below compares two values one step below.
func (d *differ) below(to step, a, b reflect.Value, s *shape) {
	d.path = append(d.path, to)
	d.values(a, b, s)
	d.path = d.path[:len(d.path)-1]
}

// bags compares the entries of two bags. An absent bag is an empty one.
func (d *differ) bags(a, b propertybag.Bag) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		x, inA := a[name]
		y, inB := b[name]
		if inA == inB && (x.Version == y.Version && string(x.Value) == string(y.Value) && string(x.Source) == string(y.Source)) {
			continue
		}
		if inA == inB {
			x, y := reflect.ValueOf(propertybag.Bag{"": x}), reflect.ValueOf(propertybag.Bag{"": y})
			if d.same(x, y, shapeOf(x.Type())) {
				continue
			}
		}
		d.path = append(d.path, step{name: propertybag.Name, named: true}, step{name: name, named: true})
		d.note(cmp.Or(x.Version, y.Version))
		d.path = d.path[:len(d.path)-2]
	}
}
