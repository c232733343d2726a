// Package plan decides, from the shapes of all versions of a service group,
// what each generated package holds: which storage version is the hub of a
// resource, which neighbour each storage version converts with, and how the
// properties of two neighbours meet. Its main types are [Package], which is
// one plan file, and [Pair], which is how one type converts to another.
package plan

import (
	"cmp"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Role tells the generated packages apart.
type Role string

// The roles of a package.
const (
	API     Role = "api"
	Storage Role = "storage"
)

// Package is the plan of one generated Go package, and all that its emitters
// need beside the shape of its own version. It holds nothing that another
// version's change alters, but for the neighbours' types that it converts with.
type Package struct {
	// Group is the Kubernetes API group, such as "cache.azure.com".
	Group string `json:"group"`
	// Provider is the ARM resource provider.
	Provider string `json:"provider"`
	// Name is the Kubernetes version and the Go package name.
	Name string `json:"name"`
	// ImportPath is the Go import path.
	ImportPath string `json:"importPath"`
	// APIVersion is ARM's.
	APIVersion string `json:"apiVersion"`
	Role       Role   `json:"role"`
	// Alias marks the packages under an older prefix, kept for compatibility.
	Alias bool `json:"alias,omitempty"`
	// Retired marks an API version that group.yaml retires: no CRD lists it, and
	// its package remains, so that what was written at it can still be converted
	// and sent to ARM.
	Retired bool `json:"retired,omitempty"`
	// Twin is the import path of the storage package whose version an alias is
	// of. An alias has storage resources of its own, and its twin's Specs,
	// Statuses and all below them: these are the same types.
	Twin string `json:"twin,omitempty"`
	// Resources are sorted by Kind.
	Resources []Resource `json:"resources"`
	// Neighbours are the packages that this one converts with, sorted by
	// name: of an API package its storage package alone.
	Neighbours []Neighbour `json:"neighbours,omitempty"`
	// TypeRenames are group.yaml's, from this package's names to a neighbour's.
	TypeRenames []TypeRename `json:"typeRenames,omitempty"`
	// PropertyRenames likewise.
	PropertyRenames []PropertyRename `json:"propertyRenames,omitempty"`
	// Recalls lists the properties that bags may have in several shapes. A
	// property that is not listed is taken from an entry of any version.
	Recalls []RecallLimit `json:"recalls,omitempty"`
	// Formers are the versions whose shapes the entries of bags may have,
	// sorted by package and version.
	Formers []Former `json:"formers,omitempty"`
	// Unassessed are what changed between this package and its neighbours, and
	// that group.yaml neither has a rename for nor says was reviewed.
	Unassessed []Change `json:"unassessed,omitempty"`
	// Hooks are the hand-written methods that the conversions call.
	Hooks []Hook `json:"hooks,omitempty"`
	// Waivers are the laws that do not hold for some properties.
	Waivers []Waiver `json:"waivers,omitempty"`
	// Misfits are methods that are named like hooks and that nothing calls.
	Misfits []Misfit `json:"misfits,omitempty"`
}

// Resource is a resource in a package.
type Resource struct {
	Kind     string `json:"kind"`
	Plural   string `json:"plural"`
	Singular string `json:"singular"`
	// ARMType such as "Microsoft.Cache/redis".
	ARMType string `json:"armType"`
	// ShortNames and Categories, as kubectl takes them, stand at the API versions.
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	// Hub tells that this package's type is the hub of the resource.
	Hub bool `json:"hub,omitempty"`
	// Next is the neighbour (its Name) that the resource converts with;
	// "" for the hub.
	Next string `json:"next,omitempty"`
	// StatusFrom is the API version whose Status the resource takes, where its
	// own describes no response; "" too where no version describes one.
	StatusFrom string `json:"statusFrom,omitempty"`
	// StatusTypes are the types of a Status that the own version lacks, in the
	// shape of an API version, sorted by name. [Shape] puts them in their place.
	StatusTypes []*ir.Type `json:"statusTypes,omitempty"`
	// Deprecated is the warning of a deprecated version, or "".
	Deprecated string `json:"deprecated,omitempty"`
}

// Neighbour is a package that this one converts with.
type Neighbour struct {
	Name       string `json:"name"`
	ImportPath string `json:"importPath"`
	APIVersion string `json:"apiVersion"`
	// Types are the neighbour's storage types of the resources that convert
	// with it, without docs, sorted by name; empty in the plan of an API package,
	// whose storage types have its own shape, and of an alias, whose twin has it.
	Types []*ir.Type `json:"types,omitempty"`
}

// TypeRename pairs a type of this package with a differently named one.
type TypeRename struct {
	Neighbour string `json:"neighbour"`
	Here      string `json:"here"`
	There     string `json:"there"`
}

// PropertyRename pairs a property of this package with a differently named one.
type PropertyRename struct {
	Neighbour string `json:"neighbour"`
	Type      string `json:"type"` // here
	Here      string `json:"here"`
	There     string `json:"there"`
}

// RecallLimit says in which shapes bags may have a property. A shape is named
// by its ARM API version, "name@version" where the property had another name.
type RecallLimit struct {
	// Package is where the property lives: this one, a neighbour, or the
	// storage package of a [Former].
	Package  string `json:"package"`
	Type     string `json:"type"`
	Property string `json:"property"`
	// Versions are the shapes that equal the property's.
	Versions []string `json:"versions"`
	// Shapes are those that convert to the property's.
	Shapes []FormerShape `json:"shapes,omitempty"`
	// Shared tells that other properties of the same name, whose types do not
	// match, may be in the same bag.
	Shared bool `json:"shared,omitempty"`
}

// FormerShape is another shape of a property.
type FormerShape struct {
	Shape string `json:"shape"`
	// APIVersion is that of the [Former] with the types.
	APIVersion string     `json:"apiVersion"`
	Type       ir.TypeRef `json:"type"`
}

// Former is a version that is no neighbour, whose shapes convert to the types
// of a package when they come out of a bag.
type Former struct {
	// Package is whose types they convert to: this one or a neighbour.
	Package string `json:"package"`
	// Name is the version's storage package.
	Name       string     `json:"name"`
	APIVersion string     `json:"apiVersion"`
	Types      []*ir.Type `json:"types,omitempty"`
	// TypeRenames are from the version's names to the package's.
	TypeRenames []TypeRename `json:"typeRenames,omitempty"`
	// PropertyRenames likewise.
	PropertyRenames []PropertyRename `json:"propertyRenames,omitempty"`
}

// Removed is what became of a property that a later version lacks.
const Removed = "removed"

// Change is a property that the later of two versions that convert with each
// other lacks, or has with a type that does not match.
type Change struct {
	// Property is "Type.property" as the older version has it, the type
	// without _Spec and _Status.
	Property string `json:"property"`
	// Older and Since are the two API versions.
	Older string `json:"older"`
	Since string `json:"since"`
	// What is Removed, or what the type was and is now.
	What string `json:"what"`
}

func (c Change) compare(o Change) int {
	return cmp.Or(naming.CompareVersions(c.Since, o.Since), cmp.Compare(c.Property, o.Property),
		cmp.Compare(c.What, o.What), naming.CompareVersions(c.Older, o.Older))
}
