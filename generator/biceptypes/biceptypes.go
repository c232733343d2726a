// Package biceptypes reads the types that Azure publishes for Bicep, its language for
// deployments, and makes the raw form of [ir.Version]. Its main type is [Reader].
//
// A document is a list of types, which name each other by index. It describes the
// requests and the responses of each resource in one body, and its actions with their
// answers. It does not tell numbers from integers, or what cannot change, and marks no
// ids of resources and few secrets.
package biceptypes

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// Reader is the [documents.Reader] of Bicep's types.
type Reader struct{}

// Format returns "bicep".
func (Reader) Format() string { return "bicep" }

// Mark describes the member that each type has.
func (Reader) Mark() string { return `Bicep types (a list of objects with "$type")` }

// Recognizes reports whether a document is a list whose first element has a "$type".
func (Reader) Recognizes(name string, text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(text, []byte("[")) && documents.HasMember(text[1:], "$type")
}

// Read implements [documents.Reader].
func (Reader) Read(in documents.Input) (*ir.Version, error) {
	r := newReader(in)
	resources := r.resources()
	r.readTypes()
	actions := r.actions()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	v := r.version(resources)
	v.Actions = actions
	v.Sort()
	return v, nil
}

// Types implements [documents.Reader].
func (Reader) Types(in documents.Input) (map[string][]string, error) {
	r := newReader(in)
	types := map[string][]string{}
	for _, c := range r.candidates() {
		doc := c.at.doc.Name
		for _, t := range c.types() {
			if !slices.Contains(types[doc], t) {
				types[doc] = append(types[doc], t)
			}
		}
	}
	return types, r.errs.Err()
}

// newReader returns a reader with its roots.
func newReader(in documents.Input) *reader {
	r := &reader{in: in, byKey: map[typeKey]*namedType{}, within: map[*jsontree.Node]bool{}}
	for _, name := range in.RootNames() {
		doc, err := in.Open(name)
		switch unreadable := (*documents.UnreadableError)(nil); {
		case errors.As(err, &unreadable):
			r.errs.Add(diag.Error{File: name, Message: unreadable.Error()})
		case err != nil:
			r.errs.Merge(err)
		case doc.Root.Kind() != jsontree.Array:
			r.errorf(element{doc, doc.Root}, "found %s, expected Bicep types, which are an array", doc.Root.Kind())
		default:
			r.roots = append(r.roots, doc)
		}
	}
	return r
}

// reader holds the state of reading one version.
type reader struct {
	in    documents.Input
	errs  diag.List
	roots []*jsontree.Document

	types []*namedType // in the order in which they were found
	byKey map[typeKey]*namedType
	// within has the lists and unions that are being read, to find those that consist of
	// themselves.
	within map[*jsontree.Node]bool
	notes  []note
}

// element is a JSON value and the document that contains it.
type element struct {
	doc  *jsontree.Document
	node *jsontree.Node
}

func (e element) get(member string) element { return element{e.doc, e.node.Get(member)} }

func (e element) place() jsontree.Place { return jsontree.Place{Doc: e.doc, Node: e.node} }

// kind returns the kind of a type, such as "ObjectType".
func (e element) kind() string { return e.node.Get("$type").Text() }

func (r *reader) errorf(at element, format string, args ...any) {
	r.errs.Add(at.doc.Errorf(at.node, format, args...))
}

// note is an [ir.Note] whose subject has no final name yet.
type note struct {
	ir.Note
	// owner is the type that the note is about, or nil. A note on a type that no resource
	// reaches is dropped.
	owner    *namedType
	property string
}

func (r *reader) note(kind ir.NoteKind, owner *namedType, property string, at element, format string, args ...any) {
	r.notes = append(r.notes, note{ir.Note{
		Kind: kind, File: at.doc.Name, Pointer: at.doc.Pointer(at.node), Reason: fmt.Sprintf(format, args...),
	}, owner, property})
}

// target returns the type that a reference names. Its node is nil after an error.
func (r *reader) target(ref element) element {
	if ref.node.Kind() != jsontree.Object {
		if ref.doc != nil {
			at := ref
			if at.node == nil {
				at.node = ref.doc.Root
			}
			r.errorf(at, "found %s, expected a reference such as {\"$ref\": \"#/12\"}", ref.node.Kind())
		}
		return element{}
	}
	text := ref.node.Get("$ref").Text()
	index, isIndex := strings.CutPrefix(text, "#/")
	i, err := strconv.Atoi(index)
	types := ref.doc.Root.Items()
	switch {
	case !isIndex || err != nil:
		r.errorf(ref, "found the $ref %q, expected the index of a type, such as \"#/12\"", text)
		return element{}
	case i < 0 || i >= len(types):
		r.errorf(ref, "the $ref names type %d, and the file has the types 0 to %d", i, len(types)-1)
		return element{}
	}
	return element{ref.doc, types[i]}
}
