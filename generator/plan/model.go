// Package plan has the format of a service group's plan. A plan has a file for
// each generated package, which lists the resources of the package and the steps
// that convert its types. Its main type is [Package], which is one file; [Pairs]
// returns the steps.
//
// Package plan/planner makes a plan. It uses package plan/match, which decides how
// the properties of two types convert. Package plan/lock compares a plan with
// the choices that a person accepted.
package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Role is the role of a generated package.
type Role string

// The roles of a package.
const (
	API     Role = "api"
	Storage Role = "storage"
)

// Package is the plan of one generated Go package. With the shape of its own API
// version it is all that an emitter reads. A change of another API version
// changes it only if that version is a neighbour.
type Package struct {
	// Group is the Kubernetes API group, such as "cache.azure.armature.dev".
	Group string `json:"group"`
	// Provider is the ARM resource provider.
	Provider string `json:"provider"`
	// Name is the Kubernetes version and the Go package name.
	Name string `json:"name"`
	// ImportPath is the Go import path.
	ImportPath string `json:"importPath"`
	// APIVersion is the ARM API version.
	APIVersion string `json:"apiVersion"`
	Role       Role   `json:"role"`
	// Alias marks a package under an older prefix, which is kept for compatibility.
	Alias bool `json:"alias,omitempty"`
	// Retired marks an API version that group.yaml retires. No CRD lists it, but
	// its package remains, so that objects that were written at it can still be
	// converted and sent to ARM.
	Retired bool `json:"retired,omitempty"`
	// Twin is the import path of the ordinary storage package of an alias's
	// version. An alias has resources of its own, but uses its twin's Specs,
	// Statuses and all types below them.
	Twin string `json:"twin,omitempty"`
	// Resources are sorted by Kind.
	Resources []Resource `json:"resources"`
	// Neighbours are the packages that this one converts with, sorted by name.
	// The only neighbour of an API package is its storage package.
	Neighbours []Neighbour `json:"neighbours,omitempty"`
	// Changes are the properties that changed between this package and its
	// neighbours, and that no rename in group.yaml explains.
	Changes []Change `json:"changes,omitempty"`
	// Hooks are the hand-written methods that the conversions call.
	Hooks []Hook `json:"hooks,omitempty"`
	// Names are the properties that in some version share a name with another one of
	// their type, with the names that they have in this one, sorted. Only the API
	// packages that are no aliases have them.
	Names []ir.PropertyName `json:"names,omitempty"`
	// Waivers are the laws that do not hold for some properties.
	Waivers []Waiver `json:"waivers,omitempty"`
	// Misfits are methods with the names of hooks that no conversion calls.
	Misfits []Misfit `json:"misfits,omitempty"`
}

// Resource is a resource in a package.
type Resource struct {
	Kind     string `json:"kind"`
	Plural   string `json:"plural"`
	Singular string `json:"singular"`
	// ARMType is the resource type, such as "Microsoft.Cache/redis".
	ARMType string `json:"armType"`
	// ShortNames and Categories are for kubectl. Only API packages have them.
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	// Collections are the lists in its body whose elements are resources below it. Only
	// API packages have them.
	Collections []ir.Collection `json:"collections,omitempty"`
	// Hub is set if this package's type is the hub of the resource.
	Hub bool `json:"hub,omitempty"`
	// Next is the name of the neighbour that the resource converts with, "" for
	// the hub.
	Next string `json:"next,omitempty"`
	// StatusFrom is the API version from which the Status borrows what requests do
	// not have, because its own describes no response. It is "" if no version
	// describes one.
	StatusFrom string `json:"statusFrom,omitempty"`
	// StatusTypes are the types of such a Status, in the shape of an API version,
	// sorted by name. [Shape] has them in place of those made from the request.
	StatusTypes []*ir.Type `json:"statusTypes,omitempty"`
	// Deprecated is the warning of a deprecated version, or "".
	Deprecated string `json:"deprecated,omitempty"`
	// Until is the release that no longer has an alias version, or "".
	Until string `json:"until,omitempty"`
}

// Neighbour is a package that this one converts with.
type Neighbour struct {
	Name       string `json:"name"`
	ImportPath string `json:"importPath"`
	APIVersion string `json:"apiVersion"`
	// Types are the neighbour's storage types of the resources that convert with
	// it, without docs, sorted by name. It is empty in the plan of an API package
	// or an alias, whose storage types have the package's own shape.
	Types []*ir.Type `json:"types,omitempty"`
	// Pairs and Formers are the steps of the conversions, with names for types and
	// properties. The function [Pairs] finds the types and properties. The storage
	// package of an alias has no steps, because it uses its twin's types.
	Pairs   []NamedPair   `json:"pairs,omitempty"`
	Formers []NamedFormer `json:"formers,omitempty"`
}

// Removed is the value of [Change].What for a property that the later version lacks.
const Removed = "removed"

// Change is a property that one of two neighbouring versions has, and that the
// later one lacks or has with a type that does not match.
type Change struct {
	// Property is "Type.property" as the older version has it, the type
	// without _Spec and _Status.
	Property string `json:"property"`
	// Older and Since are the two API versions.
	Older string `json:"older"`
	Since string `json:"since"`
	// What is [Removed], or says what the type was and is now.
	What string `json:"what"`
	// Type is the older type, with its half.
	Type string `json:"type"`
	// By says who has assessed the change.
	By Assessor `json:"by,omitempty"`
}

// Assessor says who has assessed a [Change].
type Assessor string

// The assessors of changes.
const (
	// Nobody has assessed the change, so that the group does not build.
	Nobody Assessor = ""
	// Person means that an entry of changes in group.yaml says why the change is right.
	Person Assessor = "person"
	// Tool means that an entry of proposedChanges says so.
	Tool Assessor = "tool"
	// ReadOnly is the rule for properties that only responses have, before and after:
	// nobody sets them, and ARM tells them again.
	ReadOnly Assessor = "readOnly"
)

// Reason returns the reason of an assessor where group.yaml has none.
func (a Assessor) Reason() string {
	if a == ReadOnly {
		return "read-only before and after, by rule"
	}
	return "a move takes it out of the object"
}

// Resource returns the package's resource of a kind, or nil.
func (p *Package) Resource(kind string) *Resource {
	i := slices.IndexFunc(p.Resources, func(r Resource) bool { return r.Kind == kind })
	if i < 0 {
		return nil
	}
	return &p.Resources[i]
}

// Waiver is a law that group.yaml waives for a property of a package. The
// package's tests read it.
type Waiver struct {
	Law string `json:"law"`
	// Property is Type.property, the type without _Spec and _Status.
	Property string `json:"property"`
	Reason   string `json:"reason"`
}

// ChangesBy returns the changes of a group that an assessor has assessed, sorted. A
// change of both halves of a resource is returned once.
func ChangesBy(packages []*Package, by Assessor) []Change {
	var all []Change
	for _, p := range packages {
		for _, c := range p.Changes {
			if c.By == by {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, Change.Compare)
	return slices.CompactFunc(all, func(x, y Change) bool { return x.Line() == y.Line() })
}

// Text says what changed, in a sentence.
func (c Change) Text() string {
	if c.What == Removed {
		return fmt.Sprintf("%s of %s is not in %s", c.Property, c.Older, c.Since)
	}
	return fmt.Sprintf("%s of %s has another type in %s: %s", c.Property, c.Older, c.Since, c.What)
}

// Line says what changed, for a list of a version's changes.
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
