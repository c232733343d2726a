// Package propertybag keeps what a version of a resource cannot hold. When a
// resource converts to a version that lacks one of its properties, the value
// goes into the destination's bag as JSON, with the version whose shape it
// has, and comes back from there when a later conversion reaches a version
// that has the property. Its main types are [Bag], which is stored, and
// [Transfer], which carries a bag through one conversion.
//
// The JSON form is a compatibility contract. Format 1:
//
//	"$propertyBag": {
//	  "middlename": {"value": "Jo", "version": "2013-03-03"},
//	  "badge@2011-01-01": {"value": "B-7", "version": "2011-01-01"}
//	}
//
// An entry is under the name of its property without case. Where versions do not agree
// on what the name is, an entry is under the name and the version, so that the bag can
// have values of several shapes. Which it is the writer knows from the shapes of all
// versions; a reader takes either.
package propertybag

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/internal/bagentry"
	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// Bag holds values that its object has no property for, by [Fold]ed name
// or by that, "@" and their version.
type Bag map[string]Entry

// Entry is a value in a [Bag].
type Entry struct {
	// Version is the ARM API version whose shape Value has.
	Version string
	// Value is the value as JSON, every number exactly as it was written.
	Value json.RawMessage
	// Source is the whole entry as it was read, if it is not just a version and
	// a value: it is of a newer format, or damaged. It is written back as it is.
	Source json.RawMessage
}

// The property of an object that has its bag.
const (
	Name  = "$propertyBag" // in JSON
	Field = "PropertyBag"  // in Go
)

// Fold returns the name of a property in a bag, which is in lower case.
func Fold(name string) string { return strings.ToLower(name) }

// MarshalJSON writes format 1, or the entry as it was read.
func (e Entry) MarshalJSON() ([]byte, error) {
	return e.AppendJSON(nil), nil
}

// AppendJSON appends what [Entry.MarshalJSON] writes.
func (e Entry) AppendJSON(text []byte) []byte {
	if e.Source != nil {
		return append(text, e.Source...)
	}
	text = append(slices.Grow(text, len(`{"value":null,"version":"2006-01-02-preview"}`)+len(e.Value)), `{"value":`...)
	if e.Value == nil {
		text = append(text, "null"...)
	}
	text = append(append(text, e.Value...), `,"version":`...)
	if rawjson.IsPlain(e.Version) {
		text = append(append(append(text, '"'), e.Version...), '"')
	} else {
		quoted, _ := json.Marshal(e.Version) // of a string, which cannot fail
		text = append(text, quoted...)
	}
	return append(text, '}')
}

// UnmarshalJSON reads an entry, which as with any [json.Unmarshaler] has to be
// valid JSON. It accepts any, since a damaged entry must not make its object
// unreadable.
func (e *Entry) UnmarshalJSON(data []byte) error {
	r := rawjson.New(data)
	defer r.Free()
	version, value, source := bagentry.Read(r)
	*e = Entry{string(version), bytes.Clone(value), bytes.Clone(source)}
	return nil
}

// UnmarshalJSON reads a bag. It accepts any JSON: what is no object becomes an
// entry without a name.
func (b *Bag) UnmarshalJSON(data []byte) error {
	var entries map[string]Entry
	if json.Unmarshal(data, &entries) != nil {
		entries = map[string]Entry{"": {Source: bytes.Clone(data)}}
	}
	*b = entries
	return nil
}

func isNull(data []byte) bool { return string(data) == "null" }

// DeepCopyInto writes a copy that shares nothing.
func (in Bag) DeepCopyInto(out *Bag) { *out = in.clone() }

// DeepCopy returns a copy that shares nothing. It is short enough for the compiler
// to inline it, since most bags are nil.
func (in Bag) DeepCopy() Bag {
	if in == nil {
		return nil
	}
	return in.clone()
}

func (in Bag) clone() Bag {
	out := make(Bag, len(in))
	for name, entry := range in {
		out[name] = *entry.DeepCopy()
	}
	return out
}

// DeepCopyInto writes a copy that shares nothing.
func (in *Entry) DeepCopyInto(out *Entry) {
	*out = *in
	out.Value = bytes.Clone(in.Value)
	out.Source = bytes.Clone(in.Source)
}

// DeepCopy returns a copy that shares nothing.
func (in *Entry) DeepCopy() *Entry {
	if in == nil {
		return nil
	}
	out := new(Entry)
	in.DeepCopyInto(out)
	return out
}
