package propertybag

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	kjson "sigs.k8s.io/json"
)

// Tally counts what conversions did with bags.
type Tally struct {
	// Stashed counts the values that went into a bag.
	Stashed int
	// Recalled counts the values that came out of one.
	Recalled int
	// Unreadable counts the entries that do not fit the property of their
	// name. They stay in the bag, and the property stays unset.
	Unreadable int
	// Errors are the values that could not be written as JSON.
	Errors []error
}

// Transfer carries the bag of a conversion's source to its destination. It
// never changes the source's bag, and allocates nothing for an empty one.
//
// A property is to be recalled before another of its name is stashed.
//
// Where a property has had several shapes, or where another one had its name,
// the methods take the shapes in which a bag may have it: the ARM API versions
// of the entries, "name@version" where the property had another name then.
type Transfer struct {
	source  Bag
	version string
	tally   *Tally
	taken   []string // the keys of source that are not carried on
	stashed Bag
}

// NewTransfer starts a transfer from source, the bag of an object whose shape
// is that of an ARM API version.
func NewTransfer(source Bag, version string, tally *Tally) Transfer {
	return Transfer{source: source, version: version, tally: tally}
}

// Stash puts a property that the destination lacks into its bag, in place of all that
// the bag has of the property. A nil value is none and changes nothing. Where shapes
// are given, the bag may have other properties of the name, and the entry is kept
// beside theirs, by its name and version.
func (t *Transfer) Stash(name string, value any, shapes ...string) {
	if isNil(value) {
		return
	}
	data, err := json.Marshal(value)
	if err != nil {
		t.tally.Errors = append(t.tally.Errors, fmt.Errorf("property %q: %w", name, err))
		return
	}
	if isNull(data) {
		return
	}
	t.supersede(name, shapes)
	if t.stashed == nil {
		t.stashed = make(Bag, len(t.source)+1)
	}
	key := Fold(name)
	if len(shapes) > 0 {
		key += "@" + t.version
	}
	t.stashed[key] = Entry{Version: t.version, Value: data}
	t.tally.Stashed++
}

// Recall takes a property that the source lacks out of its bag, into the
// variable that property points to. Where shapes are given, only an entry of
// one of them has the property's shape. An entry that does not fit the
// variable's type exactly stays in the bag; a note of [Bag.Note] does not.
func (t *Transfer) Recall(name string, property any, shapes ...string) {
	if len(t.source) == 0 {
		return
	}
	if len(shapes) > 0 {
		if entry, ok := t.source[Fold(name)]; ok && entry.Version == "" {
			t.tally.Unreadable++
		}
	}
	t.each(name, shapes, func(key string, entry Entry) bool {
		if isNull(entry.Value) || decode(entry.Value, property) {
			t.take(key)
			return false
		}
		t.tally.Unreadable++
		return true
	})
}

// RecallFrom takes a property that is still unset out of the bag, from an
// entry of another shape, which convert makes the destination's. An entry that
// convert makes nil of stays in the bag.
func RecallFrom[S, D any](t *Transfer, name string, property *D, convert func(S) D, shape string) {
	if len(t.source) == 0 || !isNil(*property) {
		return
	}
	t.each(name, []string{shape}, func(key string, entry Entry) bool {
		var src S
		if isNull(entry.Value) {
			t.take(key)
			return false
		}
		if !decode(entry.Value, &src) {
			t.tally.Unreadable++
			return true
		}
		if dst := convert(src); !isNil(dst) {
			*property = dst
			t.take(key)
		}
		return isNil(*property)
	})
}

// Fit returns the value of a property whose types in source and destination do
// not have the same values. Converted is the value in the destination's type, or
// nil if only the source's type can hold it: then the value goes into the bag. A
// value that is set takes the place of all that the bag has of the property.
func Fit[D any](t *Transfer, name string, value any, converted D, shapes ...string) D {
	switch {
	case isNil(value):
	case isNil(converted):
		t.Stash(name, value, shapes...)
	default:
		t.supersede(name, shapes)
	}
	return converted
}

func (t *Transfer) take(key string) {
	t.taken = append(t.taken, key)
	t.tally.Recalled++
}

// supersede leaves behind what the source's bag has of a property.
func (t *Transfer) supersede(name string, shapes []string) {
	t.each(name, shapes, func(key string, _ Entry) bool {
		t.taken = append(t.taken, key)
		return true
	})
}

// each visits the entries of a property that are still in the source's bag,
// until visit returns false.
func (t *Transfer) each(name string, shapes []string, visit func(string, Entry) bool) {
	if len(t.source) == 0 {
		return
	}
	at := func(key string, ours func(Entry) bool) bool {
		entry, ok := t.source[key]
		return !ok || !ours(entry) || slices.Contains(t.taken, key) || visit(key, entry)
	}
	if len(shapes) == 0 {
		at(Fold(name), func(Entry) bool { return true })
	}
	for _, shape := range shapes {
		named, version, other := strings.Cut(shape, "@")
		if !other {
			named, version = name, shape
		}
		ours := func(e Entry) bool { return e.Version == version }
		if key := Fold(named); !at(key, ours) || !at(key+"@"+version, ours) {
			return
		}
	}
}

// Rest returns the destination's bag: what was stashed, and what the source
// carries for other versions. It is nil if there is nothing.
func (t *Transfer) Rest() Bag {
	rest := t.stashed
	for name, entry := range t.source {
		if _, replaced := rest[name]; replaced || slices.Contains(t.taken, name) {
			continue
		}
		if rest == nil {
			rest = make(Bag, len(t.source)-len(t.taken))
		}
		rest[name] = *entry.DeepCopy()
	}
	return rest
}

// isNil reports whether a value of a property is absent.
func isNil(value any) bool {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return v.IsNil()
	}
	return false
}

// decode reads value into the variable that property points to if it fits
// exactly, else it leaves that variable alone.
func decode(value json.RawMessage, property any) bool {
	if len(value) == 0 || isNull(value) {
		return false
	}
	target := reflect.ValueOf(property).Elem()
	into := target
	if !target.IsZero() {
		into = reflect.New(target.Type()).Elem()
	}
	if strict, err := kjson.UnmarshalStrict(value, into.Addr().Interface()); err != nil || len(strict) > 0 {
		into.SetZero()
		return false
	}
	target.Set(into)
	return true
}
