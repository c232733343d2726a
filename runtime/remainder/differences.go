package remainder

import (
	"bytes"
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// Difference is one difference between two values.
type Difference struct {
	// Path is the path of a property or an element that only one of the values has, or that
	// has different values in JSON.
	Path string
	// Version is the ARM API version of the entry of a bag, or "" for anything else.
	Version string
}

// Differences returns the differences between two values of one Go type, in the order of the
// names in their paths. Lists of different lengths differ as a whole.
func Differences(a, b any) ([]Difference, error) {
	d := differ{}
	d.values(reflect.ValueOf(a), reflect.ValueOf(b), jsonTypeOf(reflect.TypeOf(a)))
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

// values compares two values. A value that JSON leaves out is the zero [reflect.Value].
func (d *differ) values(a, b reflect.Value, s *jsonType) {
	if !a.IsValid() || !b.IsValid() {
		if a.IsValid() || b.IsValid() {
			d.note("")
		}
		return
	}
	if sameMemory(a, b) {
		return
	}
	x, s := s.indirect(a)
	y, yType := s.indirect(b)
	switch null := s.null(x) || yType.null(y); {
	case s != yType || null != (s.null(x) && yType.null(y)):
		d.note("")
	case null:
	case s.kind == objectKind:
		for i := range s.fields {
			f := &s.fields[i]
			if f.kind == bagKind {
				d.bags(f.value(x).Interface().(propertybag.Bag), f.value(y).Interface().(propertybag.Bag))
				continue
			}
			d.child(step{name: f.name, named: true}, f.property(x), f.property(y), f.jsonType)
		}
	case s.kind == mapKind:
		for _, key := range sortedKeys(x, y) {
			d.child(step{name: key.String(), named: true}, x.MapIndex(key), y.MapIndex(key), s.elem)
		}
	case s.kind == listKind && x.Len() == y.Len():
		for i := range x.Len() {
			d.child(step{index: i}, x.Index(i), y.Index(i), s.elem)
		}
	case s.kind == listKind || !d.same(x, y, s):
		d.note("")
	}
}

// child compares two values one step deeper.
func (d *differ) child(to step, a, b reflect.Value, s *jsonType) {
	d.path = append(d.path, to)
	d.values(a, b, s)
	d.path = d.path[:len(d.path)-1]
}

// bags compares the entries of two bags. A missing bag equals an empty one.
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

// sameEntry reports whether two entries are equal as JSON.
func (d *differ) sameEntry(a, b propertybag.Entry) bool {
	if a.Version == b.Version && bytes.Equal(a.Value, b.Value) && bytes.Equal(a.Source, b.Source) {
		return true
	}
	bag := func(e propertybag.Entry) reflect.Value { return reflect.ValueOf(propertybag.Bag{"": e}) }
	return d.same(bag(a), bag(b), jsonTypeOf(reflect.TypeFor[propertybag.Bag]()))
}
