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
// An entry is under the name of its property without case. Where versions do
// not agree on what the name is, an entry is under the name and the version,
// so that values of several shapes stand side by side. Which it is the writer
// knows from the shapes of all versions; a reader takes either.
package propertybag

import (
	"bytes"
	"encoding/json"
	"strings"
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
	// Source is the whole entry as it was read, where that is more or other
	// than a version and a value: a newer format, or a damaged entry. It is
	// written back as it stands.
	Source json.RawMessage
}

// Fold is the name of a property in a bag: without regard to case.
func Fold(name string) string { return strings.ToLower(name) }

// MarshalJSON writes format 1, or the entry as it was read.
func (e Entry) MarshalJSON() ([]byte, error) {
	if e.Source != nil {
		return e.Source, nil
	}
	return json.Marshal(struct {
		Value   json.RawMessage `json:"value"`
		Version string          `json:"version"`
	}{e.Value, e.Version})
}

// UnmarshalJSON reads an entry. It accepts any JSON, since a damaged entry
// must not make its object unreadable.
func (e *Entry) UnmarshalJSON(data []byte) error {
	if !e.readFormat1(data) {
		e.readAny(data)
	}
	return nil
}

func (e *Entry) readAny(data []byte) {
	*e = Entry{}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(data, &members) // nil if data is no object
	version, versioned := members["version"]
	value, valued := members["value"]
	known := versioned && valued && json.Unmarshal(version, &e.Version) == nil && !isNull(version)
	if known {
		e.Value = value
	}
	if !known || len(members) != 2 {
		e.Source = bytes.Clone(data)
	}
}

// readFormat1 reads an entry that is just as MarshalJSON writes it, without
// white space around the value or escapes in the version, as nearly all are.
func (e *Entry) readFormat1(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(`{"value":`))
	rest, closed := bytes.CutSuffix(rest, []byte(`"}`))
	i := bytes.LastIndexByte(rest, '"')
	if !ok || !closed || i < 0 || bytes.IndexByte(rest[i:], '\\') >= 0 {
		return false
	}
	value, ok := bytes.CutSuffix(rest[:i], []byte(`,"version":`))
	version := rest[i+1:]
	if !ok || !json.Valid(value) || len(bytes.TrimSpace(value)) < len(value) || bytes.ContainsFunc(version, func(r rune) bool { return r < ' ' || r > '~' }) {
		return false
	}
	*e = Entry{Version: string(version), Value: bytes.Clone(value)}
	return true
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
func (in Bag) DeepCopyInto(out *Bag) {
	*out = make(Bag, len(in))
	for name, entry := range in {
		(*out)[name] = *entry.DeepCopy()
	}
}

// DeepCopy returns a copy that shares nothing.
func (in Bag) DeepCopy() Bag {
	if in == nil {
		return nil
	}
	out := new(Bag)
	in.DeepCopyInto(out)
	return *out
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
