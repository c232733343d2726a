// Package biceptypes reads the types.json files of Azure's bicep types, which
// describe the resources of one API version as Azure derives them from its specs,
// and makes the raw form of [ir.Version]. Its main type is [Reader].
//
// A file is an array of types, which refer to each other by index. A resource has
// one body for requests and responses; flags of its properties tell them apart.
// The format has no numbers with fractions, so that no integer here is known to be
// one, and it marks few secrets and no ARM ids. Package transform notes the
// properties that may be either.
//
// Nothing that the reader makes depends on the indexes, since these move with
// every change of a file.
package biceptypes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// Reader is the [documents.Reader] of bicep types.
type Reader struct{}

// Format returns "bicep".
func (Reader) Format() string { return "bicep" }

// Mark describes the member with which each type begins.
func (Reader) Mark() string { return `a types.json of bicep types (an array of objects with "$type")` }

// Recognizes reports whether a document is an array of objects with "$type".
func (Reader) Recognizes(name string, text []byte) bool {
	return documents.FirstHasMember(text, "$type")
}

// Read implements [documents.Reader].
func (Reader) Read(in documents.Input) (*ir.Version, error) {
	r := newReader(in)
	found := r.descriptions()
	resources := r.readResources(found)
	r.fillAll()
	actions := r.actions(resources, found)
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	r.addCollections(resources, found)
	return r.version(resources, actions), nil
}

// Types implements [documents.Reader]. Resources of one type whose names tell them apart
// are types of their own, such as Microsoft.Web/sites/config/web.
func (Reader) Types(in documents.Input) (map[string][]string, error) {
	r := newReader(in)
	types := map[string][]string{}
	for _, d := range r.descriptions() {
		root := d.at.doc.Name
		if d.scopes == 0 {
			continue
		}
		described := []string{d.armType}
		if byNames(d.body) && len(d.names) > 1 {
			described = nil
			for _, name := range d.names {
				described = append(described, d.armType+"/"+name)
			}
		}
		for _, t := range described {
			if !slices.Contains(types[root], t) {
				types[root] = append(types[root], t)
			}
		}
	}
	return types, r.errs.Err()
}

// newReader returns a reader with its roots.
func newReader(in documents.Input) *reader {
	r := &reader{in: in, byKey: map[typeKey]*namedType{}, known: map[*jsontree.Node]parts{}, tallies: map[string]*tally{}}
	for _, name := range in.RootNames() {
		doc, err := in.Open(name)
		switch unreadable, is := err.(*documents.UnreadableError); {
		case is:
			r.errs.Add(diag.Error{File: name, Message: unreadable.Error()})
		case err != nil:
			r.errs.Merge(err)
		case doc.Root.Kind() != jsontree.Array:
			r.errs.Add(doc.Errorf(doc.Root, "found %s, expected a types.json of bicep types, which is an array", doc.Root.Kind()))
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

	types []*namedType // in the order in which resources reach them
	byKey map[typeKey]*namedType
	known map[*jsontree.Node]parts
	// queue has what reads the properties of types that have none yet, in the order of
	// types. Types may refer to each other more deeply than a stack holds.
	queue []func()

	notes   []note
	tallies map[string]*tally
}

// place is a JSON value and the document that contains it.
type place struct {
	doc  *jsontree.Document
	node *jsontree.Node
}

func (p place) get(member string) place { return place{p.doc, p.node.Get(member)} }

func (p place) is(kind string) bool { return p.node.Get("$type").Text() == kind }

func (p place) tree() jsontree.Place { return jsontree.Place{Doc: p.doc, Node: p.node} }

// errorf adds an error with the place as a pointer too, since a file may be one line.
func (r *reader) errorf(at place, format string, args ...any) {
	r.errs.Add(at.doc.Errorf(at.node, "%s: %s", at.doc.Pointer(at.node), fmt.Sprintf(format, args...)))
}

// note is an [ir.Note] whose subject has no final name yet.
type note struct {
	ir.Note
	owner    *namedType // or nil
	property string
}

func (r *reader) note(kind ir.NoteKind, owner *namedType, property string, at place, format string, args ...any) {
	r.notes = append(r.notes, note{ir.Note{
		Kind: kind, File: at.doc.Name, Pointer: at.doc.Pointer(at.node), Reason: fmt.Sprintf(format, args...),
	}, owner, property})
}

// tally counts the places of a note, to write it once for all of them.
type tally struct {
	first place
	count int
}

// count adds a place to the tally of a reason. The version gets one note with
// the first place, and with the number of places in the %d of the reason.
func (r *reader) count(at place, reason string) {
	t := r.tallies[reason]
	if t == nil {
		t = &tally{first: at}
		r.tallies[reason] = t
	}
	t.count++
}

func (r *reader) noteTallies() {
	for _, reason := range slices.Sorted(maps.Keys(r.tallies)) {
		r.note(ir.Approximated, nil, "", r.tallies[reason].first, reason, r.tallies[reason].count)
	}
}

// kinds are the kinds of types that a file may have.
var kinds = []string{
	"AnyType", "ArrayType", "BooleanType", "DiscriminatedObjectType", "IntegerType", "NullType", "ObjectType",
	"ResourceFunctionType", "ResourceType", "StringLiteralType", "StringType", "UnionType",
}

// target returns the type that {"$ref": "#/12"} names. Its node is nil after an error.
func (r *reader) target(ref place) place {
	if ref.node == nil {
		return place{}
	}
	text := ref.node.Get("$ref").Text()
	if text == "" {
		r.errorf(ref, "found %s, expected a reference to a type, such as {\"$ref\": \"#/12\"}", ref.node.Kind())
		return place{}
	}
	target := place{ref.doc, nil}
	if len(text) > 1 && text[:2] == "#/" {
		target.node = ref.doc.Find(text[1:])
	}
	kind := target.get("$type")
	switch {
	case target.node == nil:
		r.errorf(ref, "the $ref %q names no type of this file, which has %d; expected \"#/\" and an index", text, len(ref.doc.Root.Items()))
		return place{}
	case kind.node.Kind() != jsontree.String:
		r.errorf(target, "found %s, expected a type, which is an object with \"$type\"", target.node.Kind())
		return place{}
	case !slices.Contains(kinds, kind.node.Text()):
		r.errorf(kind, "found the type %q, expected one of %s%s", kind.node.Text(), strings.Join(kinds, ", "),
			diag.DidYouMean(kind.node.Text(), kinds))
		return place{}
	}
	return target
}

// checkKind reports whether a value has the JSON kind that the format demands, and
// adds an error if it has not.
func (r *reader) checkKind(at place, name string, kind jsontree.Kind) bool {
	if m := at.get(name); m.node.Kind() != kind {
		if m.node == nil {
			m = at
		}
		r.errorf(m, "found %s, expected %q to be %s", at.node.Get(name).Kind(), name, kind)
		return false
	}
	return true
}
