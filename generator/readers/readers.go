// Package readers reads the documents of one API version, each with the reader
// of its format. Its main type is [Set].
package readers

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/biceptypes"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/swagger"
)

// All has the reader of every format. A new format is a folder with a
// [documents.Reader] and a line here.
//
// Where documents of two formats contradict each other, the reader listed first
// decides ([transform.Merge]). That is Swagger, because it says most.
var All = Set{
	swagger.Reader{},
	biceptypes.Reader{},
	armschema.Reader{},
}

// Set is a set of readers, in order of precedence.
type Set []documents.Reader

// Document is one document of a version, as an entry of BUILD.bazel gives it.
type Document struct {
	// Format is the name of the document's format, or "" if the document shows it.
	Format string
	Name   string
}

// Read reads one API version: in, whose Roots are not used, says all but its
// documents. It returns what each format says of the version, in order of precedence.
// A document of unknown format is accepted if another document
// refers to it, since formats need not mark files that hold definitions only.
func (s Set) Read(in documents.Input, docs []Document) ([]*ir.Version, error) {
	var errs diag.List
	roots := map[string][]string{} // by format
	var unknown []string
	for _, doc := range docs {
		formats, err := s.formats(&in, doc)
		switch {
		case err != nil:
			errs.Merge(err)
		case len(formats) == 0:
			unknown = append(unknown, doc.Name)
		case len(formats) > 1:
			errs.Addf(doc.Name, 0, 0, "the document may be %s; begin its entry in BUILD.bazel with one of them, "+
				"such as %q", strings.Join(formats, " or "), formats[0]+":")
		default:
			roots[formats[0]] = append(roots[formats[0]], doc.Name)
		}
	}

	used := map[string]bool{}
	all := in
	all.Read = func(name string) ([]byte, error) {
		used[path.Clean(name)] = true
		return in.Read(name)
	}
	var versions []*ir.Version
	for _, reader := range s {
		all.Roots = roots[reader.Format()]
		if len(all.Roots) == 0 {
			continue
		}
		v, err := reader.Read(all)
		errs.Merge(err)
		if v != nil {
			v.Sources = []string{reader.Format()}
			versions = append(versions, v)
		}
	}
	for _, name := range unknown {
		if !used[path.Clean(name)] {
			errs.Merge(s.unknown(&in, name))
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return versions, nil
}

// Types returns the resource types that each document of one API version
// describes. Documents of no known format describe none.
func (s Set) Types(in documents.Input, docs []Document) (map[string][]string, error) {
	var errs diag.List
	roots := map[string][]string{} // by format
	for _, doc := range docs {
		formats, err := s.formats(&in, doc)
		errs.Merge(err)
		if len(formats) == 1 {
			roots[formats[0]] = append(roots[formats[0]], doc.Name)
		}
	}
	types := map[string][]string{}
	for _, reader := range s {
		all := in
		if all.Roots = roots[reader.Format()]; len(all.Roots) == 0 {
			continue
		}
		found, err := reader.Types(all)
		errs.Merge(err)
		maps.Copy(types, found)
	}
	return types, errs.Err()
}

// formats returns the names of the formats that a document may have.
func (s Set) formats(in *documents.Input, doc Document) ([]string, error) {
	if doc.Format != "" {
		names := s.names()
		if !slices.Contains(names, doc.Format) {
			return nil, diag.Error{File: doc.Name, Message: "the entry in BUILD.bazel begins with the format " + doc.Format +
				", which no reader has; expected " + strings.Join(names, " or ") + diag.DidYouMean(doc.Format, names)}
		}
		return []string{doc.Format}, nil
	}
	text, err := in.Text(doc.Name)
	if err != nil {
		return nil, diag.Error{File: doc.Name, Message: err.Error()}
	}
	var formats []string
	for _, reader := range s {
		if reader.Recognizes(doc.Name, text) {
			formats = append(formats, reader.Format())
		}
	}
	return formats, nil
}

// unknown returns the error for a document that no reader recognizes and that
// no other document refers to. A file that should be JSON and is not may have
// lost its mark by that, so this is reported instead.
func (s Set) unknown(in *documents.Input, name string) error {
	if path.Ext(name) == ".json" {
		if _, err := in.Open(name); err != nil {
			return err
		}
	}
	marks := make([]string, len(s))
	for i, reader := range s {
		marks[i] = reader.Mark()
	}
	return diag.Error{File: name, Message: "no reader recognizes the document, and no other document refers to it; expected " +
		strings.Join(marks, " or ") +
		"; if it is one of these, begin its entry in BUILD.bazel with the format, such as \"" + s[0].Format() + ":\""}
}

// names returns the names of all formats.
func (s Set) names() []string {
	names := make([]string, len(s))
	for i, reader := range s {
		names[i] = reader.Format()
	}
	return names
}
