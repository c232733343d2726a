// Package config reads group.yaml: what a person decided about a service
// group. Its main type is [Group].
package config

// Group is the content of a group.yaml. Positions are kept beside each entry,
// so that a later phase which finds one unknown or unused can say where it stands.
type Group struct {
	// Exports are the resource types to publish, by ARM type.
	Exports map[string]*Export `yaml:"exports"`
	// Names settles collisions: the Kubernetes name of a property.
	Names []Name `yaml:"names"`
	// References are properties that hold ARM ids and that no spec marks as such.
	References []string `yaml:"references"`
	// NotReferences are properties that look like ARM ids and were found to be none.
	NotReferences []string `yaml:"notReferences"`
	// Secrets are properties that hold secrets and that no spec marks as such.
	Secrets []string `yaml:"secrets"`
	// NotSecrets are properties that look like secrets and were found to be none.
	NotSecrets []string `yaml:"notSecrets"`
	// Renames of types and properties between versions.
	Renames Renames `yaml:"renames"`
	// Removals are properties that disappear in a version and whose removal was reviewed.
	Removals []Removal `yaml:"removals"`
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
	Type string `yaml:"type"` // without _Spec or _Status
	ARM  string `yaml:"arm"`  // ARM's name; "properties/x" for one inside the resource's properties
	Name string `yaml:"name"`
}

// Renames between versions. Each holds from the version Since on: that is the
// first version that has the new name. Types are named without _Spec and
// _Status and mean both halves.
type Renames struct {
	Types []struct {
		From  string `yaml:"from"`
		To    string `yaml:"to"`
		Since string `yaml:"since"`
	} `yaml:"types"`
	Properties []struct {
		Type  string `yaml:"type"`
		From  string `yaml:"from"`
		To    string `yaml:"to"`
		Since string `yaml:"since"`
	} `yaml:"properties"`
}

// Removal is a reviewed removal.
type Removal struct {
	Property string `yaml:"property"` // Type.property
	Since    string `yaml:"since"`    // the first version without it
	Reason   string `yaml:"reason"`
}
