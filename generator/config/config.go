// Package config reads group.yaml: what a person decided about a service
// group. Its main type is [Group].
package config

import (
	"fmt"
	"strings"
)

// Group is the content of a group.yaml. It knows where each entry stands, so
// that a later phase which finds one unknown or unused can say so; see
// [Group.Position].
type Group struct {
	// Exports are the resource types to publish, by ARM type.
	Exports map[string]*Export `yaml:"exports"`
	// Retired are the ARM API versions that no CRD serves any longer.
	Retired []string `yaml:"retired"`
	// HubNotAfter is an ARM API version; no later one becomes the hub of a
	// resource that has an earlier one.
	HubNotAfter string `yaml:"hubNotAfter"`
	// Names settles collisions: the Kubernetes name of a property.
	Names []Name `yaml:"names"`
	// References are properties that hold ARM ids and that no spec marks as
	// such, as Type.property with ARM's or the plain Kubernetes name.
	References []string `yaml:"references"`
	// NotReferences are properties that look like ARM ids, or that a spec
	// marks as such, and were found to be none.
	NotReferences []string `yaml:"notReferences"`
	// Secrets are properties that hold secrets and that no spec marks as such.
	// In a Spec each becomes a reference to a key of a Secret, whose value is the
	// text of a string, or JSON where the property is anything else, a list and an
	// object as a whole. No Status has them.
	Secrets []string `yaml:"secrets"`
	// NotSecrets are properties that look like secrets, or that a spec marks
	// as such, and were found to be none.
	NotSecrets []string `yaml:"notSecrets"`
	// Renames of types and properties between versions.
	Renames Renames `yaml:"renames"`
	// Removals are properties that disappear in a version and whose removal was reviewed.
	Removals []Removal `yaml:"removals"`
	// Waivers are laws that cannot hold for a property.
	Waivers []Waiver `yaml:"waivers"`

	// File is the name of the file, for messages.
	File string `yaml:"-"`

	positions map[string]position
}

// Export is a resource type to publish.
type Export struct {
	Kind       string   `yaml:"kind"`
	Plural     string   `yaml:"plural"`     // default: by English rules from Kind
	ShortNames []string `yaml:"shortNames"` // as kubectl takes them
	Hub        string   `yaml:"hub"`        // ARM version that overrides the choice of hub
	Aliases    []string `yaml:"aliases"`    // ARM versions that have alias packages
}

// Name gives a property its Kubernetes name.
type Name struct {
	Type string `yaml:"type" json:"type"` // without _Spec or _Status
	ARM  string `yaml:"arm" json:"arm"`   // ARM's name; "properties/x" for one inside the resource's properties
	Name string `yaml:"name" json:"name"`
}

// Renames between versions. Each holds from the version Since on: that is the
// first version that has the new name. Types are named without _Spec and
// _Status and mean both halves.
type Renames struct {
	Types      []TypeRename     `yaml:"types"`
	Properties []PropertyRename `yaml:"properties"`
}

// TypeRename says that a type has another name from a version on.
type TypeRename struct {
	From  string `yaml:"from"`
	To    string `yaml:"to"`
	Since string `yaml:"since"`
}

// PropertyRename says that a property has another name from a version on. Type
// may be the type's name before or after a rename of its own.
type PropertyRename struct {
	Type  string `yaml:"type"`
	From  string `yaml:"from"`
	To    string `yaml:"to"`
	Since string `yaml:"since"`
}

// Removal is a reviewed removal.
type Removal struct {
	Property string `yaml:"property"` // Type.property
	Since    string `yaml:"since"`    // the first version without it
	Reason   string `yaml:"reason"`
}

// Laws are the laws of package roundtrip that a property can be waived from:
// Edit and Frame of versions and of pairs, PairEdit and PairFrame of pairs alone.
var Laws = []string{"Edit", "Frame", "Halves", "NoLoss", "Pair", "PairEdit", "PairFrame", "RoundTrip", "Valid"}

// Waiver says that a law cannot hold for a property, because of a hook that
// computes it. The tests of each package that it speaks of fail if the law
// holds, those of pairs if only they can need it.
type Waiver struct {
	Law string `yaml:"law"` // of [Laws]
	// Property is Type.property, the type without _Spec and _Status, as the
	// version has it whose objects the law compares: Frame and NoLoss compare hubs.
	Property string   `yaml:"property"`
	Versions []string `yaml:"versions"` // ARM versions; all if there is none
	Role     string   `yaml:"role"`     // of the packages: api, which is the default, or storage
	Reason   string   `yaml:"reason"`
}

// position is a place in the file, from 1.
type position struct{ line, column int }

// Position is where an entry stands. The path to it is made of keys and
// indexes, such as "exports", "Microsoft.Cache/redis", "hub" or "references",
// 3; the position is that of the value, and of the key for an entry of
// exports. An entry that is absent stands where its nearest parent does.
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
