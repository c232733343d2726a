// Package plan is the plan of a service group: a file for each generated
// package, which says what the package holds and how its types convert to those
// of its neighbours. Its main type is [Package], which is such a file;
// [Conversions] reads the steps of its conversions.
//
// Package plan/build makes a plan, with package plan/match, which finds out how
// properties meet; package plan/lock compares it with what a person accepted.
package plan

import (
	"cmp"
	"fmt"
	"slices"

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
	// Changes are the properties that changed between this package and its
	// neighbours, and that no rename in group.yaml explains.
	Changes []Change `json:"changes,omitempty"`
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
	// Pairs and Formers are the steps of the conversions, by the names of types
	// and properties; [Conversions] finds those. Of an alias's storage package,
	// whose types are its twin's, there are none.
	Pairs   []NamedPair   `json:"pairs,omitempty"`
	Formers []NamedFormer `json:"formers,omitempty"`
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
	// Type is the older type, with its half.
	Type string `json:"type"`
	// Assessed is set if group.yaml says why the change is right.
	Assessed bool `json:"assessed,omitempty"`
}

// Resource returns the package's resource of a kind, or nil.
func (p *Package) Resource(kind string) *Resource {
	i := slices.IndexFunc(p.Resources, func(r Resource) bool { return r.Kind == kind })
	if i < 0 {
		return nil
	}
	return &p.Resources[i]
}

// Waiver is a law that does not hold for a property at a package, as
// group.yaml says. The package's tests read it; package roundtrip has the laws.
type Waiver struct {
	Law string `json:"law"`
	// Property is Type.property, the type without _Spec and _Status.
	Property string `json:"property"`
	Reason   string `json:"reason"`
}

// Unassessed returns the changes of a group that nobody has assessed, in the
// order of a baseline, one for both halves of a resource.
func Unassessed(packages []*Package) []Change {
	var all []Change
	for _, p := range packages {
		for _, c := range p.Changes {
			if !c.Assessed {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, Change.Compare)
	return slices.CompactFunc(all, func(x, y Change) bool { return x.Line() == y.Line() })
}

// Line returns the line of a baseline that lists a change.
func (c Change) Line() string { return fmt.Sprintf("%s %s: %s", c.Since, c.Property, c.What) }

// Compare orders changes by the later version, then by property.
func (c Change) Compare(o Change) int {
	return cmp.Or(naming.CompareVersions(c.Since, o.Since), cmp.Compare(c.Property, o.Property),
		cmp.Compare(c.What, o.What), naming.CompareVersions(c.Older, o.Older), cmp.Compare(c.Type, o.Type))
}

// RetypedText says what the type of a property was and is now, in the same words
// for both halves of a resource.
func RetypedText(was, is ir.TypeRef) string {
	return fmt.Sprintf("%s is now %s", was.Renamed(naming.Common), is.Renamed(naming.Common))
}
