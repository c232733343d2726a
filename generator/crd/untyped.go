package crd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// Untyping says what a large CRD gains if group.yaml marks properties as untyped.
type Untyping struct {
	Kind string
	// Bytes is the size of the CRD as it is.
	Bytes int
	// Properties make the CRD small enough together. They are as in group.yaml, such as
	// "Subnet.properties".
	Properties []Saving
	// Others are properties that do so alone and take more of the schema away, the
	// next one first. It is empty if no single property is enough.
	Others []Saving
	// Fits is how many API versions of the average size the CRD can have then.
	Fits int
}

// Saving is the number of bytes that the CRD lacks without the schema of what is in
// a property.
type Saving struct {
	Property string
	Bytes    int
}

func (s Saving) String() string { return fmt.Sprintf("%s (%d bytes)", s.Property, s.Bytes) }

// Names returns the names of the properties, for messages.
func (u Untyping) Names() string {
	var names []string
	for _, p := range u.Properties {
		names = append(names, p.Property)
	}
	return strings.Join(names, ", ")
}

// enoughBytes is the size that a CRD should have if some of its properties are
// untyped. A property cannot become untyped once objects that have it are stored,
// so versions to come need room.
const enoughBytes = MaxBytes / 2

// leastSaving is the number of bytes that a property must save to be proposed.
const leastSaving = MaxBytes / 100

// maxOthers is the number of alternatives that an Untyping lists.
const maxOthers = 4

// Untypings returns a proposal for each CRD that leaves less room for versions to
// come than it takes, by kind. It returns none for a CRD that no property can make
// smaller.
func Untypings(versions []*ir.Version, packages []*plan.Package, lock *lock.Lock, meta Meta) ([]Untyping, error) {
	kinds, err := listed(versions, packages, lock, meta)
	if err != nil {
		return nil, err
	}
	var proposed []Untyping
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		_, sizes := define(kinds[kind]).encode()
		if sizes.bytes <= enoughBytes {
			continue
		}
		if u := untyping(kinds[kind], summarize(kinds[kind], sizes)); len(u.Properties) > 0 {
			proposed = append(proposed, u)
		}
	}
	return proposed, nil
}

// untyping returns which properties of a large CRD to untype. Of those that save
// enough it takes the one that saves least, since that one leaves most of the
// schema as it is. If none saves enough, it takes the one that saves most, and
// looks for another.
func untyping(all []listing, summary *Summary) Untyping {
	u := Untyping{Kind: all[0].Kind, Bytes: summary.Bytes}
	t := &trial{untyped: map[string]bool{}}
	bytes := summary.Bytes
	for bytes > enoughBytes {
		savings := t.run(all)
		if len(savings) == 0 {
			break
		}
		enough, _ := slices.BinarySearchFunc(savings, bytes-enoughBytes, func(s Saving, want int) int { return cmp.Compare(s.Bytes, want) })
		best := min(enough, len(savings)-1)
		if len(u.Properties) == 0 {
			u.Others = savings[best+1 : min(best+1+maxOthers, len(savings))]
		}
		u.Properties = append(u.Properties, savings[best])
		t.untyped[savings[best].Property] = true
		bytes -= savings[best].Bytes
	}
	if bytes > MaxBytes {
		u.Properties, u.Others = nil, nil
	}
	versions, ofVersions := 0, bytes-summary.Bytes
	for _, v := range summary.Versions {
		if !apiversion.IsStorage(v.Name) {
			versions, ofVersions = versions+1, ofVersions+v.Bytes
		}
	}
	u.Fits = (MaxBytes - (bytes - ofVersions)) * versions / ofVersions
	return u
}

// tooLarge returns the message for a CRD that an API server cannot store.
func tooLarge(u Untyping) string {
	text := fmt.Sprintf("the CRD has %d bytes as JSON; an API server can store %d. ", u.Bytes, MaxBytes)
	if len(u.Properties) == 0 {
		return text + "Retire a version of the group, or drop an export"
	}
	text += fmt.Sprintf("Mark %s in group.yaml as untyped, if no object is stored yet, after which %d versions fit",
		join(u.Properties, " and "), u.Fits)
	if len(u.Others) > 0 {
		text += fmt.Sprintf(" (instead of it, each of these saves more: %s)", join(u.Others, ", "))
	}
	return text + "; or retire a version of the group, or drop the export"
}

func join(savings []Saving, separator string) string {
	var texts []string
	for _, s := range savings {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, separator)
}

// trial tries properties as untyped ones.
type trial struct {
	// untyped has the properties that are untyped in this trial.
	untyped map[string]bool
	// saves has the number of bytes that each other property would save.
	saves map[string]int
	// within has the properties around the present one.
	within []string
	// secret has the properties that hold secrets, and cannot be untyped.
	secret map[string]bool
}

// run returns what each property would save that is worth it, the least first.
func (t *trial) run(all []listing) []Saving {
	t.saves, t.secret = map[string]int{}, map[string]bool{}
	for _, v := range all {
		if !v.isStored() {
			s := v.schemer(all[0].pkg.Name)
			s.trial = t
			s.root(v.Resource)
		}
	}
	var savings []Saving
	for property, bytes := range t.saves {
		if bytes >= leastSaving && !t.secret[property] {
			savings = append(savings, Saving{property, bytes})
		}
	}
	slices.SortFunc(savings, func(a, b Saving) int {
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), strings.Compare(a.Property, b.Property))
	})
	return savings
}

// property returns the schema of a property, and notes what it would save to
// untype it.
func (t *trial) property(s *schemer, of *ir.Type, p *ir.Property) *schema {
	entry := naming.Common(of.Name) + "." + p.ARMName()
	untyped := s.describe(&schema{PreserveUnknown: true}, p.Doc)
	if t.untyped[entry] {
		return untyped
	}
	if p.Type.Primitive == ir.Secret || p.Type.Primitive == ir.SecretJSON {
		for _, around := range t.within {
			t.secret[around] = true
		}
	}
	t.within = append(t.within, entry)
	n := s.typed(of, p)
	t.within = t.within[:len(t.within)-1]
	if object := s.Type(p.Type.Leaf().Named); object != nil && object.Kind == ir.Object && p.Variant == "" {
		t.saves[entry] += n.jsonBytes() - untyped.jsonBytes()
	}
	return n
}
