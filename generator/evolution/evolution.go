// Package evolution says how the properties of a resource change from version to
// version, and what becomes of each when an object is converted from one version to
// any other. It is the one place that knows this: a report and a site show it. Its
// main type is [Resource]; [New] makes those of a group from its plan and its shapes.
//
// A trace follows each property of a version through the steps that package plan has
// for each pair of neighbours, along the whole route and in and out of the bags. A
// route leads from one version to another through the hub, and each conversion between
// two neighbours is a hop. Most hops change nothing of most types. The trace passes
// over these as a whole, once it has checked that their steps leave out no property.
package evolution

import (
	"cmp"
	"slices"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Input holds what the evolution of a group follows from.
type Input struct {
	// Packages holds the plans of all packages of a group.
	Packages []*plan.Package
	// Shapes has an entry for each API version, with limits. Docs do not matter.
	Shapes []*ir.Version
	// Config is the group.yaml, which has the reasons of the assessed changes.
	Config *config.Group
}

// Resource describes the versions of an exported resource type.
type Resource struct {
	ARMType string `json:"armType"`
	Kind    string `json:"kind"`
	// Hub names the storage version at which objects are stored.
	Hub string `json:"hub"`
	// Versions lists the API versions by date.
	Versions []Version `json:"versions"`
	// Conversions has an entry for each ordered pair of versions, by date. An
	// alias without hooks converts as its twin does, and has no entries.
	Conversions []*Conversion `json:"conversions,omitempty"`
	// Changes lists the properties that are not just assigned, by path. Between all other
	// pairs of versions a property has the same path and value.
	Changes []*Change `json:"changes,omitempty"`
	// Refused lists what versions demand of the Spec and others do not, by path.
	Refused []*Refusal `json:"refused,omitempty"`
	// Properties lists the properties of all versions, by path.
	Properties []*Property `json:"properties,omitempty"`

	members map[string]bool      // "type.property", folded, without _Spec and _Status
	byPath  map[string][]*Change // the changes by each of their paths
}

// Version describes an API version of a resource.
type Version struct {
	APIVersion string `json:"apiVersion"`
	// Name is the Kubernetes version.
	Name       string `json:"name"`
	Deprecated bool   `json:"deprecated,omitempty"`
	// AliasOf names the Kubernetes version that this one is an alias of. It is
	// empty for an alias with hooks, which converts in a way of its own.
	AliasOf string `json:"aliasOf,omitempty"`
	// Until is the release that no longer has an alias, or "".
	Until string `json:"until,omitempty"`
	// Route lists the storage versions from this version to the hub. The way from one
	// version to another is its route to the hub, and the route of the other one back.
	Route []string `json:"route"`
}

// New returns the kinds of a group, sorted. It is an error if a conversion loses something.
func New(in Input) ([]*Resource, error) {
	b := &builder{Input: in, renames: renames{}, enums: newEnums()}
	b.Packages = slices.Clone(in.Packages)
	slices.SortFunc(b.Packages, func(x, y *plan.Package) int {
		return cmp.Or(naming.CompareVersions(x.APIVersion, y.APIVersion), cmp.Compare(x.Name, y.Name))
	})
	var err error
	if b.graph, err = newGraph(b.Packages, b.Shapes); err != nil {
		return nil, err
	}
	for _, p := range b.Packages {
		b.addPackage(p)
	}
	slices.SortFunc(b.kinds, func(x, y *Resource) int { return cmp.Compare(x.Kind, y.Kind) })
	b.addConversions()
	b.addProperties()
	var errs diag.List
	for _, k := range b.kinds {
		errs.Merge(k.CheckNothingLost())
	}
	return b.kinds, errs.Err()
}

// builder makes the kinds of a group step by step.
type builder struct {
	Input
	kinds   []*Resource
	graph   *graph
	renames renames
	enums   *enums
}

// addPackage adds the versions that a package publishes.
func (b *builder) addPackage(p *plan.Package) {
	for _, planned := range p.Resources {
		k := b.kind(planned)
		if planned.Hub {
			k.Hub = p.Name
		}
		if p.Role != plan.API {
			continue
		}
		k.Versions = append(k.Versions, Version{
			APIVersion: p.APIVersion, Name: p.Name, Deprecated: planned.Deprecated != "", AliasOf: b.twin(p), Until: planned.Until,
			Route: b.graph.way(p.Name, k.Kind).route(),
		})
	}
}

// kind returns the kind of a resource, and adds it if there is none.
func (b *builder) kind(planned plan.Resource) *Resource {
	for _, k := range b.kinds {
		if k.Kind == planned.Kind {
			return k
		}
	}
	k := &Resource{ARMType: planned.ARMType, Kind: planned.Kind}
	b.kinds = append(b.kinds, k)
	return k
}

// twin returns the API package that a package is an alias of, or "". An alias with
// hooks has none, because it converts in a way of its own.
func (b *builder) twin(p *plan.Package) string {
	if !p.Alias || len(p.Hooks) > 0 {
		return ""
	}
	for _, other := range b.Packages {
		if other.Role == plan.API && !other.Alias && other.APIVersion == p.APIVersion {
			return other.Name
		}
	}
	return ""
}

// Distinct returns the versions that are no alias. An alias with hooks counts as none,
// because it converts in a way of its own.
func (k *Resource) Distinct() []Version {
	return slices.DeleteFunc(slices.Clone(k.Versions), func(v Version) bool { return v.AliasOf != "" })
}

// Declares reports whether a type of the kind has a property at some version. The
// property has the form "Type.property", as in group.yaml.
func (k *Resource) Declares(property string) bool { return k.members[naming.Fold(property)] }

// Route returns the storage versions on the way from one version to another.
func (k *Resource) Route(from, to string) []string {
	var up, down []string
	for _, v := range k.Versions {
		if v.Name == from {
			up = v.Route
		}
		if v.Name == to {
			down = slices.Clone(v.Route)
		}
	}
	slices.Reverse(down)
	return slices.Concat(up, down[min(len(down), 1):])
}

// Between returns what becomes of the properties of an object that is converted from one
// version to another, by path. It lacks those that are just assigned.
func (k *Resource) Between(from, to string) map[string][]Becomes {
	all := map[string][]Becomes{}
	for _, c := range k.Changes {
		if c.Between(from, to) {
			for _, path := range c.Paths {
				all[path] = append(all[path], c.Becomes)
			}
		}
	}
	return all
}

// CheckNothingLost returns an error that names each property that some conversion of the
// kind loses. The plan of the group is wrong then.
func (k *Resource) CheckNothingLost() error {
	var errs diag.List
	for _, c := range k.Changes {
		if c.Fate != Lost {
			continue
		}
		for _, pairs := range c.Pairs {
			for _, from := range pairs.From {
				for _, to := range pairs.To {
					errs.Addf("", 0, 0, "%s from %s to %s loses %s, by way of %s: this is an error of the generator",
						k.Kind, from, to, joined(c.Paths), joined(k.Route(from, to)))
				}
			}
		}
	}
	return errs.Err()
}
