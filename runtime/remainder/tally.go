package remainder

// Tally counts what conversions did with remainders.
type Tally struct {
	// Carried counts the entries that were put into an annotation, or had no room there.
	Carried int
	// Applied counts the entries that were restored.
	Applied int
	// Dropped counts the entries that were not restored, because the client has changed or
	// removed their place.
	Dropped int
	// Damaged counts the annotations that could not be read.
	Damaged int
	// Foreign counts the annotations that were made for another object.
	Foreign int
	// Older counts the annotations in a format that is no longer read.
	Older int
	// Forged counts the annotations that no key has signed.
	Forged int
	// Stale counts the annotations for an earlier state of the object.
	Stale int
	// Newer counts the annotations in the format of a newer release.
	Newer int
	// Refused counts the writes that were refused because they would lose data that
	// did not fit into the annotation.
	Refused int
}
