// Package config reads group.yaml, the decisions of a person about a service
// group. Its main type is [Group].
package config

import (
	"fmt"
	"strings"
)

// Group is the content of a group.yaml. It keeps the position of each entry, so
// that a later phase can report an unknown or unused one; see [Group.Position].
type Group struct {
	// Exports are the resource types to publish, by ARM type.
	Exports map[string]*Export `yaml:"exports"`
	// Retired are the ARM API versions that no CRD serves any longer.
	Retired []string `yaml:"retired"`
	// HubNotAfter is an ARM API version; no later one becomes the hub of a
	// resource that has an earlier one.
	HubNotAfter string `yaml:"hubNotAfter"`
	// Names gives properties their Kubernetes names where the default names collide.
	Names []Name `yaml:"names"`
	// Properties are the marks of properties, by Type.property, with ARM's or the plain
	// Kubernetes name.
	Properties Properties `yaml:"properties"`
	// Outputs are what the operator writes into Secrets and ConfigMaps for those who
	// ask for it, by ARM type and by their own names.
	Outputs map[string]map[string]*Output `yaml:"outputs"`
	// NotOutputs are actions that tell secrets, and of which there is no output, by ARM type
	// and by their names. The values are the reasons.
	NotOutputs map[string]map[string]string `yaml:"notOutputs"`
	// Changes are what happened to properties and types from one version to another.
	Changes []Change `yaml:"changes"`
	// ProposedChanges are changes that a tool has proposed, until a person has looked at
	// the specs and moves them to Changes. [Parse] appends them there.
	ProposedChanges []Change `yaml:"proposedChanges"`
	// Waivers are laws that cannot hold for a property.
	Waivers []Waiver `yaml:"waivers"`

	// File is the name of the file, for messages.
	File string `yaml:"-"`

	positions map[string]position
}

// Export is a resource type to publish.
type Export struct {
	Kind       string   `yaml:"kind"`
	Plural     string   `yaml:"plural"`     // default: made from Kind
	ShortNames []string `yaml:"shortNames"` // for kubectl
	AzureNames []string `yaml:"azureNames"` // that ARM takes beside those that specs list
	Hub        string   `yaml:"hub"`        // ARM version that overrides the choice of hub
	NameForm   string   `yaml:"nameForm"`   // the form of names in Azure: one of the constants below, or "" for what the specs say
	// Name corrects what specs say of names in Azure, or is nil.
	Name    *NameCorrection `yaml:"name"`
	Aliases []*Alias        `yaml:"aliases"`
}

// The forms of names in Azure.
const (
	// GUIDName is a GUID.
	GUIDName = "guid"
	// FreeName is none, although the words of a spec let one think so.
	FreeName = "free"
)

// Alias says which versions of a resource have another name beside their own, for
// clients and objects that have it.
type Alias struct {
	Prefix   string   `yaml:"prefix"`   // the text before the date in the other name, such as v1alpha1api
	Versions []string `yaml:"versions"` // ARM versions
	Until    string   `yaml:"until"`    // the release that no longer has the aliases, such as 1.2; unknown if empty
}

// Name gives a property its Kubernetes name.
type Name struct {
	Type string `yaml:"type" json:"type"` // without _Spec or _Status
	ARM  string `yaml:"arm" json:"arm"`   // ARM's name; see [ir.Property.Path]
	Name string `yaml:"name" json:"name"`
}

// Laws are the names of the laws of package roundtrip that may be waived for a
// property. Edit and Frame apply to versions and to pairs of versions, PairEdit
// and PairFrame to pairs only.
var Laws = []string{"Edit", "Frame", "Halves", "NoLoss", "Pair", "PairEdit", "PairFrame", "RoundTrip", "Valid"}

// Waiver says that a law cannot hold for a property, because a hook computes
// it. The tests of each package named here fail if the law holds. The tests of
// pairs do so only for a waiver that no other test can need.
type Waiver struct {
	Law string `yaml:"law"` // one of [Laws]
	// Property is Type.property, with the type's name without _Spec and _Status.
	// The names are those of the version whose objects the law compares; Frame and
	// NoLoss compare objects of the hub.
	Property string   `yaml:"property"`
	Versions []string `yaml:"versions"` // ARM versions; all if empty
	Role     string   `yaml:"role"`     // role of the packages: api (the default) or storage
	Reason   string   `yaml:"reason"`
}

// position is a place in the file. Lines and columns start at 1.
type position struct{ line, column int }

// Position returns the position of an entry. The path to it consists of keys and
// indexes, such as "exports", "Microsoft.Cache/redis", "hub" or "changes",
// 3. The position is that of the value, or of the key for an entry of a map with free keys.
// For an absent entry it is the position of the nearest parent that is present.
func (g *Group) Position(path ...any) (line, column int) {
	for ; ; path = path[:len(path)-1] {
		if p, ok := g.positions[pathKey(path)]; ok || len(path) == 0 {
			return p.line, p.column
		}
	}
}

func pathKey(path []any) string {
	var key strings.Builder
	for _, step := range path {
		fmt.Fprintf(&key, "\x00%v", step)
	}
	return key.String()
}
