package v1beta20130303storage

import (
	"strings"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// The ARM API versions that the two have in bags.
const (
	version     = "2013-03-03"
	nextVersion = "2014-04-04"
)

// names are what this version has of a person's names, nextNames what the next
// version has, which Spec and Status have alike.
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

// The names of the one version are computed from those of the other where they
// are not set already, that is, where the bag had none. The destination's bag
// has the names of the source; one that the way back would compute again need
// not be carried. But where a name was computed, the one that it comes from is
// carried: so each way undoes the other, whichever comes first.

// assignTo sets the names of the next version.
func assignTo(here *names, next *nextNames) {
	if *next.known == nil {
		*next.known = *here.first
	} else if equal(*next.known, *here.first) {
		next.bag.Forget("firstName", version)
	}
	if *next.alphaKey == nil {
		*next.alphaKey = *here.last
	}
	if *next.family == nil {
		*next.family = *here.last
	} else if equal(*next.family, *here.last) {
		next.bag.Forget("lastName", version)
	}
	if *next.legal == nil {
		*next.legal = join(here)
	} else if equal(middleOf(*next.legal, here), *here.middle) {
		next.bag.Forget("middleName", version)
	}
}

// assignFrom sets the names of this version.
func assignFrom(here *names, next *nextNames) {
	computed := equal(join(here), *next.legal)
	if computed {
		here.bag.Forget("legalName", nextVersion)
	}
	if *here.first == nil {
		*here.first = *next.known
	} else if equal(*here.first, *next.known) {
		here.bag.Forget("knownAs", nextVersion)
	}
	if *here.last == nil {
		*here.last = *next.family
	} else {
		if equal(*here.last, *next.family) {
			here.bag.Forget("familyName", nextVersion)
		}
		if equal(*here.last, *next.alphaKey) {
			here.bag.Forget("alphaKey", nextVersion)
		}
	}
	if *here.middle == nil && !computed {
		*here.middle = middleOf(*next.legal, here)
	}
}

// join is the three names in one, nil if none is set.
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

// middleOf is what stands in a legal name between first and last name, nil if
// it does not begin and end with them.
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

// equal tells whether both are set, and to the same.
func equal(a, b *string) bool { return a != nil && b != nil && *a == *b }
