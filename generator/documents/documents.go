// Package documents defines what a reader of specs is, what it is given, and
// how it opens a document. Its main type is [Reader].
package documents

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// Ref stands in place of the format in the entry of a file to which the documents of a
// version refer, and which describes no resources of it.
const Ref = "ref"

// Reader reads the documents of one format. The readers that a build uses are
// listed in package readers.
type Reader interface {
	// Format returns the name of the format, with which an entry of BUILD.bazel
	// may begin: one word, such as "swagger".
	Format() string
	// Mark describes how the format is recognized, for error messages, such as
	// `Swagger 2.0 ("swagger": "2.0")`.
	Mark() string
	// Recognizes reports whether a document is of the format. It looks for the
	// format's mark only: what is wrong with the document, Read reports.
	Recognizes(name string, text []byte) bool
	// Read reads the documents of one API version and returns the raw form of
	// the version, with notes on whatever it could not carry over. An error is a
	// *diag.List with everything that is wrong with the documents. It is not an
	// error if the version lacks an exported resource: another version may have it.
	Read(in Input) (*ir.Version, error)
	// Types returns the resource types that each root describes, as the root
	// spells them. It uses neither Exports nor Provider. It is enough that the
	// names of the types can be read.
	Types(in Input) (map[string][]string, error)
}

// Input has the documents of one API version, which a Reader reads.
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

// RootNames returns the roots sorted, each once.
func (in *Input) RootNames() []string {
	return slices.Compact(slices.Sorted(slices.Values(in.Roots)))
}

// Text returns the content of a file. The error, if any, is an
// [*UnreadableError].
func (in *Input) Text(name string) ([]byte, error) {
	text, err := in.Read(name)
	if err != nil {
		return nil, &UnreadableError{err}
	}
	return text, nil
}

// Open reads and parses a JSON document. It fails with an [*UnreadableError] or
// with an error of [jsontree.Parse].
func (in *Input) Open(name string) (*jsontree.Document, error) {
	text, err := in.Text(name)
	if err != nil {
		return nil, err
	}
	return jsontree.Parse(name, text)
}

// UnreadableError is the error for a document that cannot be read.
type UnreadableError struct{ cause error }

// Missing reports whether the file does not exist, and nothing more is known.
func (e *UnreadableError) Missing() bool { return errors.Is(e.cause, fs.ErrNotExist) }

func (e *UnreadableError) Error() string {
	if e.Missing() {
		return "the file does not exist"
	}
	return e.cause.Error()
}

func (e *UnreadableError) Unwrap() error { return e.cause }

// HasMember reports whether a text is a JSON object that has a member of one of
// the names. It stops at that member, so the text behind it may be malformed.
// As in [jsontree.Parse], the text may begin with a byte order mark.
func HasMember(text []byte, names ...string) bool {
	return hasMember(decoder(text), names)
}

// FirstHasMember reports whether a text is a JSON array whose first element is an
// object that has a member of one of the names. It stops where HasMember does.
func FirstHasMember(text []byte, names ...string) bool {
	d := decoder(text)
	if token, err := d.ReadToken(); err != nil || token.Kind() != '[' {
		return false
	}
	return hasMember(d, names)
}

func decoder(text []byte) *jsontext.Decoder {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func hasMember(d *jsontext.Decoder, names []string) bool {
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	for {
		token, err := d.ReadToken()
		if err != nil || token.Kind() != '"' {
			return false
		}
		if slices.Contains(names, token.String()) {
			return true
		}
		if err := d.SkipValue(); err != nil {
			return false
		}
	}
}
