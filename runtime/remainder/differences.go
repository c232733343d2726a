package remainder

import (
	"bytes"
	"cmp"
	"maps"
	"reflect"
	"slices"

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
		for _, key := range sortedKeys(x, y) {
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
		if inA && inB && d.sameEntry(x, y) {
			continue
		}
		d.path = append(d.path, step{name: propertybag.Name, named: true}, step{name: name, named: true})
		d.note(cmp.Or(x.Version, y.Version))
		d.path = d.path[:len(d.path)-2]
	}
}

// sameEntry reports whether two entries mean the same.
func (d *differ) sameEntry(a, b propertybag.Entry) bool {
	if a.Version == b.Version && bytes.Equal(a.Value, b.Value) && bytes.Equal(a.Source, b.Source) {
		return true
	}
	bag := func(e propertybag.Entry) reflect.Value { return reflect.ValueOf(propertybag.Bag{"": e}) }
	return d.same(bag(a), bag(b), shapeOf(reflect.TypeFor[propertybag.Bag]()))
}
