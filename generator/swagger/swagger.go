// Package swagger reads the Swagger 2.0 documents in which Azure describes one
// API version of a resource provider, and makes the raw form of [ir.Version]
// of them: for each exported resource the body that its PUT takes and the
// response that it gives, and every type that these reach. Its main type is
// [Reader].
package swagger

import (
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// Reader is the [documents.Reader] of Swagger 2.0.
type Reader struct{}

// Format returns "swagger".
func (Reader) Format() string { return "swagger" }

// Mark describes the member that Swagger documents begin with.
func (Reader) Mark() string { return `a Swagger 2.0 document ("swagger": "2.0")` }

// Recognizes reports whether a document is Swagger of any version. Read reports
// those that are not 2.0.
func (Reader) Recognizes(name string, text []byte) bool {
	return documents.HasMember(text, "swagger")
}

// Read implements [documents.Reader].
func (Reader) Read(in documents.Input) (*ir.Version, error) {
	r := newReader(in)
	r.readDocuments()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	v := &ir.Version{Provider: in.Provider, APIVersion: in.APIVersion}
	resources := r.readResources()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	r.finish(v, resources)
	return v, nil
}

// reader holds what is known while a version is read.
type reader struct {
	in   documents.Input
	errs diag.List

	documents map[string]*jsontree.Document
	// late are reports that wait until all documents are read, because they
	// suggest names.
	late  []func()
	roots []*jsontree.Document
	// edges are the references between schemas, by the schema that has them;
	// sources are their keys in order.
	edges   map[*jsontree.Node][]edge
	sources []*jsontree.Node
	// definitions are the names of the schemas that have one.
	definitions map[*jsontree.Node]string
	// subtypes are the definitions that inherit directly from one.
	subtypes map[*jsontree.Node][]schema

	types   []*namedType
	objects map[typeKey]*namedType
	// within are the unnamed schemas (arrays, maps, allOf) that are being read,
	// by which those that hold themselves are found.
	within map[*jsontree.Node]bool
	notes  []note
}

func newReader(in documents.Input) *reader {
	return &reader{
		in:          in,
		documents:   map[string]*jsontree.Document{},
		edges:       map[*jsontree.Node][]edge{},
		definitions: map[*jsontree.Node]string{},
		subtypes:    map[*jsontree.Node][]schema{},
		objects:     map[typeKey]*namedType{},
		within:      map[*jsontree.Node]bool{},
	}
}

// schema is a schema, and the document that its references are relative to.
type schema struct {
	doc  *jsontree.Document
	node *jsontree.Node
}

func (s schema) place() jsontree.Place { return jsontree.Place{Doc: s.doc, Node: s.node} }

func (s schema) get(name string) schema { return schema{s.doc, s.node.Get(name)} }

// note is an ir.Note whose subject has no final name yet.
type note struct {
	ir.Note
	at schema
	// owner is the type that the note is about; a note on a type that no
	// resource reaches is dropped.
	owner    *namedType
	property string
}

func (r *reader) note(kind ir.NoteKind, owner *namedType, property string, at schema, reason string) {
	r.notes = append(r.notes, note{ir.Note{Kind: kind, Reason: reason}, at, owner, property})
}

func (r *reader) errorf(at schema, format string, args ...any) {
	r.errs.Add(at.doc.Errorf(at.node, format, args...))
}
