// Package documents is what the readers of specs have in common: what they are
// given, and how they open it. Its main type is [Input].
package documents

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/armature-dev/armature/generator/jsontree"
)

// Input is the documents of one API version.
type Input struct {
	// Provider is the ARM resource provider, such as "Microsoft.Cache".
	Provider string
	// APIVersion is ARM's, such as "2020-06-01".
	APIVersion string
	// Roots are the names of the version's own documents, which have its
	// resources.
	Roots []string
	// Read returns the content of a file by its name: slash-separated and
	// relative to the specs' root or to the workspace. References are resolved
	// relative to the file that holds them, and read by the same function.
	Read func(name string) ([]byte, error)
	// Exports are the resource types to read: ARM type to Kubernetes kind.
	// Types are compared without case.
	Exports map[string]string
}

// RootNames are the roots in an order of their own, each once.
func (in *Input) RootNames() []string {
	return slices.Compact(slices.Sorted(slices.Values(in.Roots)))
}

// Open reads a document. It fails with an [*UnreadableError], or with what
// [jsontree.Parse] finds wrong.
func (in *Input) Open(name string) (*jsontree.Document, error) {
	text, err := in.Read(name)
	if err != nil {
		return nil, &UnreadableError{err}
	}
	return jsontree.Parse(name, text)
}

// UnreadableError tells that a document cannot be read.
type UnreadableError struct{ cause error }

// Missing tells that there is no such file, and nothing more is known.
func (e *UnreadableError) Missing() bool { return errors.Is(e.cause, fs.ErrNotExist) }

func (e *UnreadableError) Error() string {
	if e.Missing() {
		return "the file does not exist"
	}
	return e.cause.Error()
}

func (e *UnreadableError) Unwrap() error { return e.cause }
