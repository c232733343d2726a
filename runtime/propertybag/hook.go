package propertybag

import "encoding/json"

// Forget removes what an object of an ARM API version has put into the bag for
// a property, and makes an empty bag nil. It is for a hook whose way back
// computes that property anew, and for the bag of the hook's destination only.
func (b *Bag) Forget(name, version string) {
	name = Fold(name)
	for _, key := range []string{name, name + "@" + version} {
		if entry, ok := (*b)[key]; ok && entry.Version == version {
			delete(*b, key)
		}
	}
	if len(*b) == 0 {
		*b = nil
	}
}

// Note puts an entry without a value into the bag of an object: that a property
// of an ARM API version is not set, which the hook's way back would compute, or
// whatever else it must know then. A version that has a property of the name
// takes the note and leaves the property unset.
func (b *Bag) Note(name, version string) {
	if *b == nil {
		*b = Bag{}
	}
	(*b)[Fold(name)] = Entry{Version: version, Value: json.RawMessage("null")}
}

// Noted reports whether the bag has a note of [Bag.Note].
func (b Bag) Noted(name, version string) bool {
	entry, ok := b[Fold(name)]
	return ok && entry.Version == version && isNull(entry.Value)
}
