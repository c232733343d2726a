package plan

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
)

// StepKind is the way in which a value converts from one type to another.
type StepKind string

// The kinds of steps. Only properties are stashed and recalled; the other kinds
// apply to the elements of slices and maps too.
const (
	// Assign: both types are the same scalar (String, Integer, Number, Boolean).
	// Properties of those types are pointers, which may be shared.
	Assign StepKind = "assign"
	// Cast: one type is an enum, the other its base type or an enum of that base.
	Cast StepKind = "cast"
	// Copy: both are the same type, which is not generated (Any, Reference,
	// Secret, Owner, AnyOwner, Conditions). The value is copied deeply.
	Copy StepKind = "copy"
	// Object: both types are objects that match. Value.Pair converts them.
	Object StepKind = "object"
	// Slice: both types are arrays. Value.Elem converts their elements.
	Slice StepKind = "slice"
	// Map: both types are maps. Value.Elem converts their values.
	Map StepKind = "map"
	// Fit: the change of type is in the closed table of safe changes: integer to
	// number, integer to numeric string, one object (which Elem converts) to a
	// list of one, untyped JSON to an object of which nothing is demanded, and
	// the reverse of each. A value that would not come back
	// identical is stashed, and recalled on the way back.
	Fit StepKind = "fit"
	// Stash: the destination lacks the property. The value goes into its bag.
	Stash StepKind = "stash"
	// Recall: the source lacks the property. The value comes from its bag.
	Recall StepKind = "recall"
)

// Pair has the steps that convert a type of a package to a type of a neighbour,
// and back.
type Pair struct {
	// Here is the package's type, There the neighbour's. Both are objects.
	Here, There *ir.Type
	// To has the steps from Here to There, From those from There to Here. Each
	// property of the destination is the Dst of at most one step. Steps are in
	// the alphabetical order of their properties, without regard to case, and moves
	// come last. For one name a Recall comes before the Stash, so that the old entry
	// of that name is taken out of the bag before a new one goes in.
	To, From []Step
}

// Step converts one property.
type Step struct {
	Value
	// Src is the source's property; nil in a Recall.
	Src *ir.Property
	// Dst is the destination's property; nil in a Stash.
	Dst *ir.Property
	// SrcIn and DstIn of a move are the properties, outermost first, of the objects
	// around Src and around Dst.
	SrcIn, DstIn []*ir.Property
	// Emptied is set in a Stash of an object all of whose properties move elsewhere, so
	// that it is stashed only if it is there and has none of them.
	Emptied bool
	// Partner of a Stash or Recall is the other side's property of the same name,
	// whose type does not match. It is nil if there is none.
	Partner *ir.Property
	// Versions of a Recall or Fit are the API versions whose entries have the
	// shape of Dst. It is empty if the entries of all versions have it.
	Versions []string
	// Shapes of a Recall or Fit are the other shapes, which convert to that of Dst.
	Shapes []ShapeValue
	// Beside of a Stash or Fit are the shapes of the entries that Src replaces. It
	// is empty if Src replaces all entries of its name.
	Beside []string
}

// ShapeValue converts the value of an entry that has another shape.
type ShapeValue struct {
	Shape string
	// Type is the type of the entry's value, among the types of a [FormerPairs].
	Type ir.TypeRef
	Value
}

// Property returns the property that names the step: Src of a Stash, Dst of all
// others. Its name is that of the entry in a bag.
func (s Step) Property() *ir.Property {
	if s.Dst == nil {
		return s.Src
	}
	return s.Dst
}

// Moves reports whether the step takes a property into or out of an object.
func (s Step) Moves() bool { return len(s.SrcIn)+len(s.DstIn) > 0 }

// Stashes reports whether the step may put its Src into the bag. A value that a move
// leaves behind stays in the object around it.
func (s Step) Stashes() bool { return s.Kind == Stash || s.Kind == Fit && len(s.SrcIn) == 0 }

// Recalls reports whether the step may take its Dst out of the bag.
func (s Step) Recalls() bool { return s.Kind == Recall || s.Kind == Fit && len(s.DstIn) == 0 }

// Gone returns the stashes of properties that the destination lacks. What a user asks of
// the operator is not among them, because it is not Azure's to remove.
func Gone(steps []Step) []Step {
	return slices.DeleteFunc(slices.Clone(steps), func(s Step) bool {
		return s.Kind != Stash || s.Emptied || s.Src.Type.Primitive == ir.OperatorSpec
	})
}

// Value converts the value of a property or of an element.
type Value struct {
	Kind StepKind
	// Elem converts the elements of a Slice or Map, or the one object of a Fit.
	Elem *Value
	// Pair converts an Object. The step's direction says which steps of the pair
	// apply: its To in a To, its From in a From.
	Pair *Pair
}

// NeighbourPairs has the pairs of a package and one of its neighbours.
type NeighbourPairs struct {
	Neighbour Neighbour
	// Kinds are the kinds that convert with the neighbour, sorted.
	Kinds []string
	// Pairs are sorted by the name of the type here. They include the Spec and the
	// Status of each resource, and every pair that another pair needs.
	Pairs []*Pair
	// Formers are versions that are no neighbours, but whose values bags may
	// bring, sorted by package and version.
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

// FormerPairs has the pairs that convert the types of a version which is no
// neighbour to the types of a package. The pairs have no steps back.
type FormerPairs struct {
	// Package is the package whose types they convert to: this one or a
	// neighbour. The names of Types begin with the version; a Go file declares
	// them so.
	Package, APIVersion string
	Types               []*ir.Type
	Pairs               []*Pair
}
