package plan

import "github.com/armature-dev/armature/generator/ir"

// StepKind says how a value comes from one type to another.
type StepKind string

// The kinds of steps. Stash and Recall are of properties only, the others of
// properties and of the elements of slices and maps alike.
const (
	// Assign: both are the same scalar (String, Integer, Number, Boolean). As
	// properties they are pointers, which may be shared.
	Assign StepKind = "assign"
	// Cast: one is an enum, the other its base type or an enum of the same base.
	Cast StepKind = "cast"
	// Copy: both are the same type that is not generated (Any, Reference,
	// Secret, Owner, AnyOwner, Conditions). It is copied deep.
	Copy StepKind = "copy"
	// Object: both are objects that match; Value.Pair converts them.
	Object StepKind = "object"
	// Slice: both are arrays, whose elements convert as Value.Elem says.
	Slice StepKind = "slice"
	// Map: both are maps, whose values convert as Value.Elem says.
	Map StepKind = "map"
	// Fit: the change of type is in the closed table of safe changes, int to
	// float, int to string, or one object (converted as Elem says) to a list of
	// one, or the reverse. A value that would not come back identical is
	// stashed, so that the property is recalled too.
	Fit StepKind = "fit"
	// Stash: the destination lacks the property, which goes into its bag.
	Stash StepKind = "stash"
	// Recall: the source lacks the property, which comes from its bag.
	Recall StepKind = "recall"
)

// Pair is how a type of a package converts to a type of a neighbour and back.
type Pair struct {
	// Here is the package's type, There the neighbour's. Both are objects.
	Here, There *ir.Type
	// To are the steps from Here to There, From those from There to Here.
	// Each property of the destination is the Dst of at most one step. Steps
	// are in the alphabetical order of their properties without regard to
	// case; of one name a Recall comes before the Stash, so that what the bag
	// has of a name is taken out before another shape of that name goes in.
	To, From []Step
}

// Step is how one property converts.
type Step struct {
	Value
	// Src is the source's property; nil in a Recall.
	Src *ir.Property
	// Dst is the destination's property; nil in a Stash.
	Dst *ir.Property
	// Partner of a Stash or a Recall is the other side's property of the same
	// name, whose type does not match; nil where there is none.
	Partner *ir.Property
	// Versions of a Recall or Fit are the shapes of entries that equal Dst's;
	// none if the entries of all versions have it.
	Versions []string
	// Shapes of a Recall or Fit are others that convert to Dst's.
	Shapes []ShapeValue
	// Beside of a Stash or Fit are the shapes of the entries whose place Src
	// takes; none if it takes that of all entries of its name.
	Beside []string
}

// ShapeValue is how the value of an entry that has another shape converts.
type ShapeValue struct {
	Shape string
	// Type of the entry's value, among the types of a [FormerPairs].
	Type ir.TypeRef
	Value
}

// Property is the one that names the step: Dst, or Src of a Stash. A bag has a
// Stash or Recall under its name.
func (s Step) Property() *ir.Property {
	if s.Dst == nil {
		return s.Src
	}
	return s.Dst
}

// Value is how a value converts: that of a property, or of an element.
type Value struct {
	Kind StepKind
	// Elem is how the elements convert, of a Slice and a Map, or how the one
	// object does, of a Fit.
	Elem *Value
	// Pair converts the objects; of an Object only. The direction is that of
	// the step: its To in a To, its From in a From.
	Pair *Pair
}

// NeighbourPairs are the pairs of a package and one of its neighbours.
type NeighbourPairs struct {
	Neighbour Neighbour
	// Kinds of the resources that convert with the neighbour, sorted.
	Kinds []string
	// Pairs are sorted by the name of the type here. The Spec and the Status
	// of each resource are among them, and every pair that another one needs.
	Pairs []*Pair
	// Formers are the versions that only bags bring here, in the order of
	// [Package.Formers].
	Formers []FormerPairs
}

// Pair returns the pair of a type here, or nil.
func (n *NeighbourPairs) Pair(here string) *Pair {
	for _, p := range n.Pairs {
		if p.Here.Name == here {
			return p
		}
	}
	return nil
}

// FormerPairs are how the shapes of a version that is no neighbour convert to
// the types of a package. Only the To of each pair is of use.
type FormerPairs struct {
	// Package, APIVersion and Types are of the [Former]; the types have the
	// version before their names, by which a Go file declares them.
	Package, APIVersion string
	Types               []*ir.Type
	Pairs               []*Pair
}
