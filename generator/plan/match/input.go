package match

import (
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Package is a package with all that decides how its types meet those of its
// neighbours.
type Package struct {
	*plan.Package
	// TypeRenames are group.yaml's, from this package's names to a neighbour's.
	TypeRenames []TypeRename
	// PropertyRenames likewise.
	PropertyRenames []PropertyRename
	// Recalls lists the properties that bags may have in several shapes. A
	// property that is not listed is taken from an entry of any version.
	Recalls []RecallLimit
	// Formers are the versions whose shapes the entries of bags may have,
	// sorted by package and version.
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

// RecallLimit says in which shapes bags may have a property. A shape is named
// by its ARM API version, "name@version" where the property had another name.
type RecallLimit struct {
	// Package is where the property lives: this one, a neighbour, or the
	// storage package of a [Former].
	Package  string
	Type     string
	Property string
	// Versions are the shapes that equal the property's.
	Versions []string
	// Shapes are those that convert to the property's.
	Shapes []FormerShape
	// Shared tells that other properties of the same name, whose types do not
	// match, may be in the same bag.
	Shared bool
}

// FormerShape is another shape of a property.
type FormerShape struct {
	Shape string
	// APIVersion is that of the [Former] with the types.
	APIVersion string
	Type       ir.TypeRef
}

// Former is a version that is no neighbour, whose shapes convert to the types
// of a package when they come out of a bag.
type Former struct {
	// Package is whose types they convert to: this one or a neighbour.
	Package string
	// Name is the version's storage package.
	Name       string
	APIVersion string
	Types      []*ir.Type
	// TypeRenames are from the version's names to the package's.
	TypeRenames []TypeRename
	// PropertyRenames likewise.
	PropertyRenames []PropertyRename
}
