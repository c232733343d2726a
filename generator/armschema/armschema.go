// Package armschema reads the JSON schemas of ARM deployment templates: from
// the documents of one API version it makes the raw form of an [ir.Version].
package armschema

import "github.com/armature-dev/armature/generator/ir"

// Input says what to read.
type Input struct {
	// Provider is the ARM resource provider, such as "Microsoft.Cache".
	Provider string
	// APIVersion is ARM's, such as "2020-06-01".
	APIVersion string
	// Roots are the documents of the version, by the names that Read takes.
	Roots []string
	// Read returns the content of a file by its slash-separated name,
	// relative to the specs' root or to the workspace.
	Read func(name string) ([]byte, error)
	// Exports are the ARM types to read and their Kubernetes kinds. ARM
	// compares types without case, and so does Load.
	Exports map[string]string
}

// Load reads one API version. The error is a [*diag.List].
func Load(in Input) (*ir.Version, error) {
	return &ir.Version{Provider: in.Provider, APIVersion: in.APIVersion}, nil
}
