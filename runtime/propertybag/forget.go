package propertybag

// Forget removes what an object of an ARM API version has put into the bag for
// a property, and makes an empty bag nil. It is for a hook whose way back
// computes that property anew, and for the bag of the hook's destination only.
func (b *Bag) Forget(name, version string) {
	name = Fold(name)
	for _, key := range []string{name, name + "@" + version} {
		if entry, there := (*b)[key]; there && entry.Version == version {
			delete(*b, key)
		}
	}
	if len(*b) == 0 {
		*b = nil
	}
}
