package propertybag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
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
type Transfer struct {
	source  Bag
	version string
	tally   *Tally
	taken   []string // the names of source that were recalled
	stashed Bag
}

// NewTransfer starts a transfer from source, the bag of an object whose shape
// is that of an ARM API version.
func NewTransfer(source Bag, version string, tally *Tally) Transfer {
	return Transfer{source: source, version: version, tally: tally}
}

// Stash puts a property that the destination lacks into its bag. A nil value
// is none and changes nothing.
func (t *Transfer) Stash(name string, value any) {
	if v := reflect.ValueOf(value); !v.IsValid() || isNil(v) {
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
	if t.stashed == nil {
		t.stashed = make(Bag, len(t.source)+1)
	}
	t.stashed[Fold(name)] = Entry{Version: t.version, Value: data}
	t.tally.Stashed++
}

// Recall takes a property that the source lacks out of its bag, into the
// variable that property points to. Where versions are given, only an entry
// of one of them has the property's shape. An entry that does not fit the
// variable's type exactly stays in the bag.
func (t *Transfer) Recall(name string, property any, versions ...string) {
	if len(t.source) == 0 {
		return
	}
	name = Fold(name)
	entry, ok := t.source[name]
	if !ok {
		return
	}
	if len(versions) > 0 && !slices.Contains(versions, entry.Version) || !decode(entry.Value, property) {
		t.tally.Unreadable++
		return
	}
	t.taken = append(t.taken, name)
	t.tally.Recalled++
}

// Rest is the destination's bag: what was stashed, and what the source carries
// for other versions. It is nil if there is nothing.
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

func isNil(v reflect.Value) bool {
	switch v.Kind() {
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
	fresh := reflect.New(target.Type())
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	if d.Decode(fresh.Interface()) != nil {
		return false
	}
	if _, err := d.Token(); err != io.EOF {
		return false
	}
	target.Set(fresh.Elem())
	return true
}
