// Package match decides how the properties of two types convert: the pairs of a
// package and its neighbours, and those of the former shapes that bags bring. Its
// function is [Pairs].
package match

import (
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Package is a package with the choices that decide how its types convert to
// those of its neighbours.
type Package struct {
	*plan.Package
	// TypeRenames are the renames of types in group.yaml, from this package's
	// names to a neighbour's.
	TypeRenames []TypeRename
	// PropertyRenames are the renames of properties.
	PropertyRenames []PropertyRename
	// Moves are the moves of properties into and out of objects.
	Moves []Move
	// Recalls lists the properties of which bags may have several shapes. A
	// property that is not listed is recalled from an entry of any version.
	Recalls []RecallLimit
	// Formers are the versions whose shapes entries of bags may have, sorted by
	// package and version.
	Formers []Former
}

// TypeRename pairs a type of this package with a differently named one.
type TypeRename struct {
	Neighbour string
	Here      string
	There     string
}

// PropertyRename pairs a property of this package with a differently named one.
type PropertyRename struct {
	Neighbour string
	Type      string // here
	Here      string
	There     string
}

// Move pairs a property of this package, or of an object below it, with one elsewhere
// in the neighbour's type.
type Move struct {
	Neighbour string
	Type      string   // here
	Here      []string // the path from Type
	There     []string // the path from its partner
}

// RecallLimit lists the shapes of a property that bags may have. A shape is named
// by its ARM API version, or "name@version" if the property had another name.
type RecallLimit struct {
	// Package is the package of the property: this one, a neighbour, or the
	// storage package of a [Former].
	Package  string
	Type     string
	Property string
	// Versions are the shapes that are equal to the property's.
	Versions []string
	// Shapes are the shapes that convert to the property's.
	Shapes []FormerShape
	// Shared is set if the same bag may have other properties of that name, whose
	// types do not match.
	Shared bool
}

// FormerShape is another shape of a property.
type FormerShape struct {
	Shape string
	// APIVersion is the API version of the [Former] that has the type.
	APIVersion string
	Type       ir.TypeRef
}

// Former is a version that is no neighbour of a package, but whose values may come
// out of a bag and are then converted to the package's types.
type Former struct {
	// Package is the package whose types they convert to: this one or a neighbour.
	Package string
	// Name is the version's storage package.
	Name       string
	APIVersion string
	Types      []*ir.Type
	// TypeRenames lead from the version's names to the package's.
	TypeRenames []TypeRename
	// PropertyRenames and Moves do so too.
	PropertyRenames []PropertyRename
	Moves           []Move
}
