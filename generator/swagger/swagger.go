// Package swagger reads the Swagger 2.0 documents in which Azure describes one
// API version of a resource provider, and makes the raw form of [ir.Version]:
// for each exported resource the request body and the response of its PUT, every
// type that these refer to, and the actions of the resource. Its main type is [Reader].
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
	resources := r.readResources()
	v := &ir.Version{Provider: in.Provider, APIVersion: in.APIVersion, Actions: r.actions(resources)}
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	r.addCollections(resources)
	r.finish(v, resources)
	return v, nil
}

// Types implements [documents.Reader].
func (Reader) Types(in documents.Input) (map[string][]string, error) {
	r := newReader(in)
	r.readDocuments()
	types := r.rootTypes()
	return types, r.errs.Err()
}

// reader holds the state of reading one version.
type reader struct {
	in   documents.Input
	errs diag.List

	documents map[string]*jsontree.Document
	// late are reports that wait until all documents are read, because they
	// suggest names of documents.
	late  []func()
	roots []*jsontree.Document
	// edges has the references between schemas, by the schema that has them.
	// sources has the keys of edges in the order in which they were read.
	edges   map[*jsontree.Node][]edge
	sources []*jsontree.Node
	// definitions has the names of the schemas that are definitions.
	definitions map[*jsontree.Node]string
	// subtypes has the definitions that inherit directly from a definition.
	subtypes map[*jsontree.Node][]schema

	types   []*namedType
	objects map[typeKey]*namedType
	// within has the arrays and maps that are being read, to find those that
	// contain themselves.
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

// schema is a JSON schema and the document that contains it.
type schema struct {
	doc  *jsontree.Document
	node *jsontree.Node
}

func (s schema) place() jsontree.Place { return jsontree.Place{Doc: s.doc, Node: s.node} }

func (s schema) get(name string) schema { return schema{s.doc, s.node.Get(name)} }

// note is an [ir.Note] whose subject has no final name yet.
type note struct {
	ir.Note
	at schema
	// owner is the type that the note is about. A note on a type that no resource
	// reaches is dropped.
	owner    *namedType
	property string
}

func (r *reader) note(kind ir.NoteKind, owner *namedType, property string, at schema, reason string) {
	r.notes = append(r.notes, note{ir.Note{Kind: kind, Reason: reason}, at, owner, property})
}

func (r *reader) errorf(at schema, format string, args ...any) {
	r.errs.Add(at.doc.Errorf(at.node, format, args...))
}
