package swagger

import (
	"errors"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/jsontree"
)

// readDocuments reads the roots and every document that they refer to,
// directly or not, checks every reference, and registers the definitions.
func (r *reader) readDocuments() {
	for _, name := range r.in.RootNames() {
		if doc := r.document(name, schema{}); doc != nil {
			r.roots = append(r.roots, doc)
		}
	}
	for _, report := range r.late {
		report()
	}
	if r.errs.Err() != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(r.documents)) {
		if doc := r.documents[name]; doc != nil {
			r.indexSubtypes(doc)
		}
	}
	r.checkCycles()
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
	if !r.isSwagger(doc) {
		return nil
	}
	r.documents[name] = doc
	for _, m := range doc.Root.Get("definitions").Members() {
		r.definitions[m.Value] = m.Name
	}
	r.checkReferences(schema{doc, doc.Root}, false)
	return doc
}

// unreadable reports a document that cannot be read. It suggests a name only if
// the error says no more than that the file does not exist.
func (r *reader) unreadable(name string, from schema, err *documents.UnreadableError) {
	if from.doc == nil {
		r.errs.Add(diag.Error{File: name, Message: err.Error()})
		return
	}
	r.late = append(r.late, func() {
		hint := ""
		if err.Missing() {
			known := slices.Collect(maps.Keys(r.documents))
			known = slices.DeleteFunc(known, func(n string) bool { return r.documents[n] == nil })
			hint = diag.DidYouMean(name, known)
		}
		r.errorf(from, "cannot read %s, which this $ref names: %s%s", name, err, hint)
	})
}

func (r *reader) isSwagger(doc *jsontree.Document) bool {
	root := schema{doc, doc.Root}
	version := doc.Root.Get("swagger")
	switch {
	case doc.Root.Kind() != jsontree.Object:
		r.errorf(root, "found %s, expected a Swagger 2.0 document, which is an object", doc.Root.Kind())
	case version.Text() == "2.0":
		return true
	case version != nil:
		r.errorf(root.get("swagger"), "found Swagger version %q, expected \"2.0\"", version.Literal())
	case doc.Root.Has("openapi"):
		r.errorf(root.get("openapi"), "found an OpenAPI %s document, expected Swagger 2.0", doc.Root.Get("openapi").Literal())
	case doc.Root.Has("resourceDefinitions"):
		r.errorf(root, "found a deployment-template schema, expected Swagger 2.0; its format is \"jsonschema\"")
	default:
		r.errorf(root, "the document has no member \"swagger\": \"2.0\"; it is not a Swagger 2.0 document")
	}
	return false
}

// opaque has the members in which "$ref" is not a reference to be resolved, such
// as examples.
var opaque = map[string]bool{
	"x-ms-examples": true, "examples": true, "example": true,
	"default": true, "enum": true, "x-ms-enum": true,
}

// named has the members whose values are objects with free names, in which
// "$ref" or "example" is a name like any other.
var named = map[string]bool{
	"properties": true, "definitions": true, "parameters": true,
	"responses": true, "paths": true, "x-ms-paths": true,
}

// edge leads from a schema to one that it is, or inherits from. ref is the $ref,
// which a base that is written in the allOf itself does not have.
type edge struct {
	ref schema
	to  *jsontree.Node
}

// checkCycles reports the schemas that are, or inherit from, themselves. A
// schema may have a property of its own type.
func (r *reader) checkCycles() {
	done := map[*jsontree.Node]bool{}
	var path []edge
	var visit func(n *jsontree.Node)
	visit = func(n *jsontree.Node) {
		for _, e := range r.edges[n] {
			begin := slices.IndexFunc(path, func(p edge) bool { return p.to == e.to })
			if begin >= 0 {
				r.reportCycle(append(slices.Clone(path[begin+1:]), e))
				continue
			}
			if done[e.to] {
				continue
			}
			path = append(path, e)
			visit(e.to)
			path = path[:len(path)-1]
			done[e.to] = true
		}
	}
	for _, n := range r.sources {
		if !done[n] {
			path = append(path[:0], edge{to: n})
			visit(n)
			done[n] = true
		}
	}
}

func (r *reader) reportCycle(cycle []edge) {
	cycle = slices.DeleteFunc(cycle, func(e edge) bool { return e.ref.node == nil })
	last := cycle[len(cycle)-1]
	steps := []string{last.ref.node.Text()}
	for _, e := range cycle {
		steps = append(steps, e.ref.node.Text())
	}
	r.errorf(last.ref, "the $ref closes a cycle of references: %s; a schema cannot be or inherit from itself", strings.Join(steps, " -> "))
}

// checkReferences resolves all references below at, and so reads the documents
// that they name. If free is set, the names of the members have no meaning.
func (r *reader) checkReferences(at schema, free bool) {
	for _, item := range at.node.Items() {
		r.checkReferences(schema{at.doc, item}, false)
	}
	for _, m := range at.node.Members() {
		switch {
		case m.Name == "allOf" && !free:
			r.checkBases(at, schema{at.doc, m.Value})
		case free:
			r.checkReferences(schema{at.doc, m.Value}, false)
		case m.Name == "$ref":
			r.checkReference(at)
		case !opaque[m.Name]:
			r.checkReferences(schema{at.doc, m.Value}, named[m.Name])
		}
	}
}

// checkBases resolves the references in an allOf.
func (r *reader) checkBases(at, bases schema) {
	for _, base := range bases.node.Items() {
		if base.Has("$ref") {
			r.checkReference(schema{at.doc, base}, at.node)
		} else {
			r.addEdge(at.node, edge{to: base})
		}
		r.checkReferences(schema{at.doc, base}, false)
	}
}

// checkReference resolves the "$ref" of at, and adds edges to its target from at
// and from the schemas in from.
func (r *reader) checkReference(at schema, from ...*jsontree.Node) {
	ref := at.get("$ref")
	if ref.node.Kind() != jsontree.String {
		r.errorf(ref, "found %s, expected a string: the target of the $ref", ref.node.Kind())
		return
	}
	file, pointer, ok := r.split(ref)
	if !ok {
		return
	}
	doc := ref.doc
	if file != ref.doc.Name {
		doc = r.document(file, ref)
	}
	if doc == nil {
		return
	}
	target := doc.Find(pointer)
	if target == nil {
		r.errs.Add(documents.Dangling(ref.place(), doc, pointer))
		return
	}
	for _, n := range append(from, at.node) {
		r.addEdge(n, edge{ref, target})
	}
}

func (r *reader) addEdge(from *jsontree.Node, e edge) {
	if r.edges[from] == nil {
		r.sources = append(r.sources, from)
	}
	r.edges[from] = append(r.edges[from], e)
}

// split returns the two parts of a reference: the name of the file, and the
// pointer into it.
func (r *reader) split(ref schema) (file, pointer string, ok bool) {
	text := ref.node.Text()
	target, fragment, _ := strings.Cut(text, "#")
	if strings.Contains(target, "://") {
		r.errorf(ref, "the $ref %q leads out of the specs; expected a relative file name", text)
		return "", "", false
	}
	if strings.Contains(text, "%") {
		var err, err2 error
		target, err = url.PathUnescape(target)
		fragment, err2 = url.PathUnescape(fragment)
		if err := errors.Join(err, err2); err != nil {
			r.errorf(ref, "the $ref %q is malformed: %s", text, err)
			return "", "", false
		}
	}
	if target == "" {
		return ref.doc.Name, fragment, true
	}
	file = path.Join(path.Dir(ref.doc.Name), target)
	if strings.HasPrefix(file, "../") {
		r.errorf(ref, "the $ref %q leads out of the specs' root", text)
		return "", "", false
	}
	return file, fragment, true
}

// target returns the target of a reference that checkReference has accepted.
func (r *reader) target(ref schema) schema {
	file, pointer, ok := r.split(ref)
	if !ok || r.documents[file] == nil {
		return schema{}
	}
	doc := r.documents[file]
	return schema{doc, doc.Find(pointer)}
}

// follow returns the parameter or response that at is or refers to.
func (r *reader) follow(at schema) schema {
	for at.node.Has("$ref") {
		at = r.target(at.get("$ref"))
	}
	return at
}

// indexSubtypes adds the definitions of a document to the subtypes of those that
// they inherit from.
func (r *reader) indexSubtypes(doc *jsontree.Document) {
	for _, m := range doc.Root.Get("definitions").Members() {
		for _, base := range m.Value.Get("allOf").Items() {
			if base.Has("$ref") {
				target := r.target(schema{doc, base.Get("$ref")})
				r.subtypes[target.node] = append(r.subtypes[target.node], schema{doc, m.Value})
			}
		}
	}
}
