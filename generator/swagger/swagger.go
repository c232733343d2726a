// Package swagger reads the Swagger 2.0 documents in which Azure describes one
// API version of a resource provider, and makes the raw form of [ir.Version]
// of them: for each exported resource the body that its PUT takes and the
// response that it gives, and every type that these reach. Its main function
// is [Load].
package swagger

import (
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
)

// Input is the documents of one API version.
type Input struct {
	// Provider is the ARM resource provider, such as "Microsoft.Cache".
	Provider string
	// APIVersion is ARM's, such as "2020-06-01".
	APIVersion string
	// Roots are the names of the version's own documents, which have its paths.
	Roots []string
	// Read returns the content of a file by its name: slash-separated and
	// relative to the specs' root or to the workspace. References are resolved
	// relative to the file that holds them, and read by the same function.
	Read func(name string) ([]byte, error)
	// Exports are the resource types to read: ARM type to Kubernetes kind.
	// Types are compared without case.
	Exports map[string]string
}

// Load reads one API version. An error that it returns is a *diag.List with all
// that is wrong with the documents. A resource that in.Exports names and
// that no path of this version has is no error: another version may have it.
func Load(in Input) (*ir.Version, error) {
	var errs diag.List
	v := &ir.Version{Provider: in.Provider, APIVersion: in.APIVersion}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return v, nil
}
