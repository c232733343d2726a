// Package armschema reads the JSON schemas of ARM deployment templates, which
// describe the resources of one API version as a template may declare them, and
// makes the raw form of [ir.Version]. Its main type is [Reader].
//
// These schemas describe requests only. So the resources have no Status and no
// Path, no property is read-only, and secrets and ARM ids are plain strings.
// The schemas also do not distinguish closed enums from open ones. All enums
// are read as open, because ARM accepts a template with a newer value.
package armschema

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// Reader is the [documents.Reader] of deployment templates' JSON schemas.
type Reader struct{}

// Format returns "jsonschema".
func (Reader) Format() string { return "jsonschema" }

// Mark describes the member in which most of these schemas have their resources.
func (Reader) Mark() string {
	return `the JSON schema of a deployment template ("resourceDefinitions")`
}

// Recognizes reports whether a document has a section of resources.
func (Reader) Recognizes(name string, text []byte) bool {
	var names []string
	for _, section := range sections {
		names = append(names, section.name)
	}
	return documents.HasMember(text, names...)
}

// Read implements [documents.Reader].
func (Reader) Read(in documents.Input) (*ir.Version, error) {
	r := newReader(in)
	resources := r.readResources()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	v := r.version(resources)
	addCollections(in, v)
	return v, nil
}

// Types implements [documents.Reader].
func (Reader) Types(in documents.Input) (map[string][]string, error) {
	r := newReader(in)
	types := map[string][]string{}
	for _, c := range r.candidates() {
		root := c.at.doc.Name
		if !slices.Contains(types[root], c.armType) {
			types[root] = append(types[root], c.armType)
		}
	}
	return types, r.errs.Err()
}

// newReader returns a reader with its roots.
func newReader(in documents.Input) *reader {
	r := &reader{
		in:        in,
		documents: map[string]*jsontree.Document{},
		byKey:     map[typeKey]*namedType{},
		visited:   map[*jsontree.Node]bool{},
		gathering: map[*jsontree.Node]bool{},
		asking:    map[*jsontree.Node]bool{},
		reading:   map[*jsontree.Node]bool{},
		tallies:   map[string]*tally{},
	}
	for _, name := range in.RootNames() {
		if doc := r.document(name, schema{}); doc != nil && r.isTemplateSchema(doc) {
			r.roots = append(r.roots, doc)
		}
	}
	return r
}

// reader holds the state of reading one version.
type reader struct {
	in        documents.Input
	errs      diag.List
	documents map[string]*jsontree.Document // nil where the file cannot be read
	roots     []*jsontree.Document

	types   []*namedType // in the order in which they were read
	byKey   map[typeKey]*namedType
	visited map[*jsontree.Node]bool // the schemas whose keywords were checked
	// gathering, asking and reading are the schemas that shape, isObject and value
	// are working on, to find those that consist of themselves.
	gathering, asking, reading map[*jsontree.Node]bool

	notes   []ir.Note
	tallies map[string]*tally
}

// schema is a JSON schema and the document that contains it.
type schema struct {
	doc  *jsontree.Document
	node *jsontree.Node
}

func (s schema) get(member string) schema { return schema{s.doc, s.node.Get(member)} }

func (s schema) items() []schema {
	var items []schema
	for _, item := range s.node.Items() {
		items = append(items, schema{s.doc, item})
	}
	return items
}

func (s schema) place() jsontree.Place { return jsontree.Place{Doc: s.doc, Node: s.node} }

// pointer returns the schema's file and pointer. Notes have these instead of a
// line, so that white space in a document changes no note.
func (s schema) pointer() string { return s.doc.Name + "#" + s.doc.Pointer(s.node) }

func (r *reader) errorf(at schema, format string, args ...any) {
	r.errs.Add(at.doc.Errorf(at.node, format, args...))
}

func (r *reader) note(kind ir.NoteKind, at schema, format string, args ...any) {
	r.notes = append(r.notes, ir.Note{
		Kind: kind, File: at.doc.Name, Pointer: at.doc.Pointer(at.node), Reason: fmt.Sprintf(format, args...),
	})
}

// tally counts the places of a note, to write it once for all of them.
type tally struct {
	first schema
	count int
}

// count adds a place to the tally of a reason. The version gets one note with
// the first place, and with the number of places in the %d of the reason.
func (r *reader) count(at schema, reason string) {
	t := r.tallies[reason]
	if t == nil {
		t = &tally{first: at}
		r.tallies[reason] = t
	}
	t.count++
}

func (r *reader) noteTallies() {
	for _, reason := range slices.Sorted(maps.Keys(r.tallies)) {
		t := r.tallies[reason]
		r.note(ir.Approximated, t.first, reason, t.count)
	}
}

// document returns a document, or nil after an error. It reads each document
// once. from is the reference that names the document, if there is one.
func (r *reader) document(name string, from schema) *jsontree.Document {
	if doc, known := r.documents[name]; known {
		return doc
	}
	r.documents[name] = nil
	doc, err := r.in.Open(name)
	if unreadable := (*documents.UnreadableError)(nil); errors.As(err, &unreadable) {
		r.unreadable(name, from, unreadable)
		return nil
	} else if err != nil {
		r.errs.Merge(err)
		return nil
	}
	r.documents[name] = doc
	return doc
}

func (r *reader) unreadable(name string, from schema, err *documents.UnreadableError) {
	if from.doc == nil {
		r.errs.Add(diag.Error{File: name, Message: err.Error()})
		return
	}
	r.errorf(from, "cannot read %s, which this $ref names: %s", name, err)
}

// sections are the members of a document that describe resources, with the scope
// of these resources. In a template, a management group is a resource like any
// other that an extension can be deployed to. "Unknown" means that the scope is a
// parameter.
var sections = []struct {
	name  string
	scope ir.Scope
}{
	{"resourceDefinitions", ir.ResourceGroup},
	{"subscription_resourceDefinitions", ir.Subscription},
	{"extension_resourceDefinitions", ir.Extension},
	{"unknown_resourceDefinitions", ir.Extension},
	{"managementGroup_resourceDefinitions", ir.Extension},
	{"tenant_resourceDefinitions", ir.Tenant},
}

func (r *reader) isTemplateSchema(doc *jsontree.Document) bool {
	root := schema{doc, doc.Root}
	if doc.Root.Kind() != jsontree.Object {
		r.errorf(root, "found %s, expected the JSON schema of a deployment template, which is an object", doc.Root.Kind())
		return false
	}
	for _, section := range sections {
		if doc.Root.Has(section.name) {
			return true
		}
	}
	if doc.Root.Has("swagger") {
		r.errorf(root.get("swagger"),
			"found a Swagger document, expected the JSON schema of a deployment template; its format is \"swagger\"")
		return false
	}
	r.errorf(root, "the document has no \"resourceDefinitions\"; it is not the JSON schema of a deployment template")
	return false
}

// target returns the target of a $ref. Its node is nil after an error.
func (r *reader) target(ref schema) schema {
	if ref.node.Kind() != jsontree.String {
		r.errorf(ref, "found %s, expected a string: the target of the $ref", ref.node.Kind())
		return schema{}
	}
	file, pointer, _ := strings.Cut(ref.node.Text(), "#")
	doc := ref.doc
	if file != "" {
		if doc = r.document(fileOf(file, ref.doc.Name), ref); doc == nil {
			return schema{}
		}
	}
	if target := doc.Find(pointer); target != nil {
		return schema{doc, target}
	}
	r.errs.Add(documents.Dangling(ref.place(), doc, pointer))
	return schema{}
}

// schemasFolder is the folder that both the URLs of the published schemas and
// the paths of a checkout have.
const schemasFolder = "schemas/"

// fileOf returns the name of the file that a reference in the file from names.
// The published schemas refer to each other by URL, and all lie in one folder.
func fileOf(reference, from string) string {
	_, rest, isURL := strings.Cut(reference, "://")
	if !isURL {
		return path.Join(path.Dir(from), reference)
	}
	_, rest, _ = strings.Cut(rest, "/")
	rest = strings.TrimPrefix(rest, schemasFolder)
	if i := strings.LastIndex("/"+from, "/"+schemasFolder); i >= 0 {
		return path.Join(from[:i], schemasFolder, rest)
	}
	return path.Join(path.Dir(path.Dir(from)), rest)
}
