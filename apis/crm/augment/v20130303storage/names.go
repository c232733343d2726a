package v20130303storage

import (
	"strings"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// The ARM API versions of this package and the next one, as bags have them.
const (
	version     = "2013-03-03"
	nextVersion = "2014-04-04"
)

// names holds a person's names of this version, and nextNames those of the next
// version. Spec and Status have the same.
type (
	names struct {
		first, middle, last **string
		bag                 *propertybag.Bag
	}
	nextNames struct {
		known, family, alphaKey, legal **string
		bag                            *propertybag.Bag
	}
)

// The names of one version are computed from those of the other where the bag has
// none. Each way must undo the other, whichever comes first. So the bag notes what
// the way back cannot see: that a name is unset which the way back would compute,
// or would have computed before another client unset its source, and that a name
// was computed which the way back would take for one that somebody has set. A name
// that the way back computes again is not kept in the bag, so that it follows when
// a client of the other version changes the names it is computed from.

// The keys of notes about a name of this version begin with these: that it was
// computed, and that the bag of the next version notes it as unset, although
// nothing would be computed for it.
const (
	computed = "computed "
	unset    = "unset "
)

// assignTo computes the names of the next version.
func assignTo(here *names, next *nextNames) {
	for _, n := range pairs(here, next) {
		if *n.next == nil && !here.bag.Noted(n.nextName, nextVersion) {
			*n.next = n.up()
		}
	}
	for _, n := range pairs(here, next) {
		if n.here == nil {
			continue
		}
		wasComputed, wasUnset := here.bag.Noted(computed+n.name, version), here.bag.Noted(unset+n.name, version)
		next.bag.Forget(computed+n.name, version)
		next.bag.Forget(unset+n.name, version)
		switch again := n.down(); {
		case wasComputed && equal(again, *n.here):
			next.bag.Forget(n.name, version)
		case *n.here == nil && (again != nil || wasUnset):
			next.bag.Note(n.name, version)
		}
	}
}

// assignFrom computes the names of this version.
func assignFrom(here *names, next *nextNames) {
	for _, n := range pairs(here, next) {
		if n.here == nil || *n.here != nil || next.bag.Noted(n.name, version) {
			continue
		}
		if *n.here = n.down(); *n.here != nil {
			here.bag.Note(computed+n.name, version)
		}
	}
	for _, n := range pairs(here, next) {
		if n.here != nil && next.bag.Noted(n.name, version) && n.down() == nil {
			here.bag.Note(unset+n.name, version)
		}
		switch again := n.up(); {
		case equal(again, *n.next):
			here.bag.Forget(n.nextName, nextVersion)
		case again != nil && *n.next == nil:
			here.bag.Note(n.nextName, nextVersion)
		}
	}
}

// pair is a name of the next version and the name of this version that is
// computed from it. here is nil if there is none.
type pair struct {
	name, nextName string
	here, next     **string
	up, down       func() *string // compute next and here
}

// pairs returns all pairs of names.
func pairs(here *names, next *nextNames) []pair {
	first := func() *string { return *here.first }
	last := func() *string { return *here.last }
	return []pair{
		{"firstName", "knownAs", here.first, next.known, first, func() *string { return *next.known }},
		{"lastName", "familyName", here.last, next.family, last, func() *string { return *next.family }},
		{"", "alphaKey", nil, next.alphaKey, last, nil},
		{"middleName", "legalName", here.middle, next.legal, func() *string { return join(here) },
			func() *string { return middleOf(*next.legal, here) }},
	}
}

// join returns the three names in one, or nil if none is set.
func join(n *names) *string {
	var parts []string
	set := false
	for _, name := range []*string{*n.first, *n.middle, *n.last} {
		set = set || name != nil
		if name != nil && *name != "" {
			parts = append(parts, *name)
		}
	}
	if !set {
		return nil
	}
	joined := strings.Join(parts, " ")
	return &joined
}

// middleOf returns the part of a legal name between first and last name, or nil
// if the legal name does not begin and end with these.
func middleOf(legal *string, n *names) *string {
	if legal == nil || *n.first == nil || *n.last == nil {
		return nil
	}
	rest, begins := strings.CutPrefix(*legal, **n.first+" ")
	middle, ends := strings.CutSuffix(rest, " "+**n.last)
	if !begins || !ends || middle == "" {
		return nil
	}
	return &middle
}

// equal reports whether both are set to the same text.
func equal(a, b *string) bool { return a != nil && b != nil && *a == *b }
