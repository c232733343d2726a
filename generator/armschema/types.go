package armschema

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// namedType is a type that has no final name yet. A reference to it holds its
// number until it has.
type namedType struct {
	ir.Type
	number int
	at     schema
	hint   hint
	same   *namedType // the equal type that replaces this one, if there is one
}

// ref returns a reference to the type by its number.
func (t *namedType) ref() ir.TypeRef { return ir.TypeRef{Named: strconv.Itoa(t.number)} }

// hint has what a type can be named after.
type hint struct {
	// definition is the type's name in the spec, or "".
	definition string
	// within is the type that uses this one, and part the name of the property or
	// the variant there.
	within *namedType
	part   string
	// variant reports whether the type is a variant of the union within.
	variant bool
	// several reports whether the type is merged from several schemas. Its place is
	// that of the first.
	several bool
}

func (h hint) defined(name string) hint { return hint{definition: name, several: h.several} }

func (h hint) merged() hint {
	h.several = true
	return h
}

// docOf returns the description of a type. A type without a name in the spec has
// none, because the property that uses it has the description.
func (h hint) docOf(s schema) string {
	if h.definition == "" {
		return ""
	}
	return s.node.Get("description").Text()
}

// typeKey identifies a type. One schema makes several types if it is also read as
// a variant or as the body of a resource, or merged with others.
type typeKey struct {
	node    *jsontree.Node
	union   *namedType
	body    bool
	several bool
}

// typeAt returns the type of a schema, and reports whether it was read before or
// is being read.
func (r *reader) typeAt(at schema, h hint) (t *namedType, known bool) {
	key := typeKey{node: at.node, body: h.within == nil && h.definition == "", several: h.several}
	if h.variant {
		key.union = h.within
	}
	if t, known := r.byKey[key]; known {
		return t, true
	}
	t = &namedType{number: len(r.types), at: at, hint: h}
	r.types = append(r.types, t)
	r.byKey[key] = t
	return t, false
}

// named returns the type that a reference names, or nil.
func (r *reader) named(ref ir.TypeRef) *namedType {
	if ref.Named == "" {
		return nil
	}
	number, _ := strconv.Atoi(ref.Named)
	return r.types[number]
}

// version names the types and returns the version.
func (r *reader) version(resources []*resource) *ir.Version {
	v := &ir.Version{Provider: r.in.Provider, APIVersion: r.in.APIVersion}
	var roots []*namedType
	for _, res := range resources {
		roots = append(roots, res.body)
	}
	types := r.unify(r.reachable(roots))
	nameTypes(types)
	for _, t := range types {
		if t.Kind == ir.Enum {
			r.count(t.at, openEnums)
		}
		for _, p := range t.Properties {
			if target := r.named(*p.Type.Leaf()); target != nil {
				p.Type.Leaf().Named = target.standIn().Name
			}
		}
		v.Types = append(v.Types, &t.Type)
	}
	for _, res := range resources {
		res.Spec = res.body.standIn().Name
		v.Resources = append(v.Resources, &res.Resource)
	}
	r.noteTallies()
	v.Notes = r.notes
	v.Sort()
	return v
}

const openEnums = "a JSON schema does not say whether an enum may have other values than those listed; enums are " +
	"read as open (%d of them, the first is here)"

// standIn returns the type that replaces t, or t itself.
func (t *namedType) standIn() *namedType {
	for t.same != nil {
		t = t.same
	}
	return t
}

// reachable returns the types that the roots reach, in the order in which they
// were read.
func (r *reader) reachable(roots []*namedType) []*namedType {
	seen := map[*namedType]bool{}
	var visit func(t *namedType)
	visit = func(t *namedType) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		for _, p := range t.Properties {
			visit(r.named(*p.Type.Leaf()))
		}
	}
	for _, t := range roots {
		visit(t)
	}
	return slices.DeleteFunc(slices.Clone(r.types), func(t *namedType) bool { return !seen[t] })
}

// unify replaces equal types of the same name by one of them, and returns the
// types that are left. Such types exist where two files of a version repeat a
// definition.
func (r *reader) unify(types []*namedType) []*namedType {
	class := documents.Classes(types, (*namedType).label, r.content)
	first := map[int]*namedType{}
	var rest []*namedType
	for _, t := range types {
		if first[class[t]] == nil {
			first[class[t]] = t
			rest = append(rest, t)
			continue
		}
		t.same = first[class[t]]
	}
	return rest
}

// label returns the name of a type if names did not have to be unique.
func (t *namedType) label() string {
	switch {
	case t.hint.definition != "":
		return naming.Type(t.hint.definition)
	case t.hint.within == nil:
		return naming.Type(t.hint.part)
	}
	return t.hint.within.label() + naming.Type(t.hint.part)
}

// content returns a type of some name as text, and the types that it refers to.
func (r *reader) content(t *namedType, name string) (string, []*namedType) {
	text, targets := documents.Content(&t.Type, name)
	refs := make([]*namedType, len(targets))
	for i, target := range targets {
		refs[i] = r.named(ir.TypeRef{Named: target})
	}
	return text, refs
}

// nameTypes gives every type its name. A definition keeps its own name, after the
// name of its file if an earlier file has another definition of that name. Other
// types are named after the types that use them.
func nameTypes(types []*namedType) {
	taken := map[string]bool{}
	claim := func(t *namedType, names ...string) {
		for _, name := range names {
			if !taken[naming.Fold(name)] {
				t.Name = name
				break
			}
		}
		for n := 2; t.Name == ""; n++ {
			if name := fmt.Sprint(names[len(names)-1], n); !taken[naming.Fold(name)] {
				t.Name = name
			}
		}
		taken[naming.Fold(t.Name)] = true
	}

	inOrder := slices.Clone(types)
	slices.SortStableFunc(inOrder, func(a, b *namedType) int {
		return cmp.Or(cmp.Compare(a.depth(), b.depth()), cmp.Compare(a.label(), b.label()),
			cmp.Compare(strings.TrimSuffix(a.at.doc.Name, ".json"), strings.TrimSuffix(b.at.doc.Name, ".json")),
			cmp.Compare(a.at.node.Offset(), b.at.node.Offset()))
	})
	for _, t := range inOrder {
		label := t.label()
		switch {
		case t.hint.definition != "":
			claim(t, label, stem(t.at.doc.Name)+label)
		case t.hint.within == nil:
			claim(t, label, label+"Resource")
		default:
			name := t.hint.within.standIn().Name + naming.Type(t.hint.part)
			suffix := "Object"
			if t.Kind == ir.Enum {
				suffix = "Enum"
			}
			claim(t, name, name+suffix)
		}
	}
}

// depth returns the place of a type in the order of naming: definitions, then
// resources, then types that are named after others, which must have their names
// by then.
func (t *namedType) depth() int {
	switch {
	case t.hint.definition != "":
		return 0
	case t.hint.within == nil:
		return 1
	}
	return 2 + t.hint.within.depth()
}

// stem returns the name of a document as part of a type's name. It leaves out the
// provider, with which the names of all documents begin, unless there is nothing
// else.
func stem(file string) string {
	parts := strings.Split(strings.TrimSuffix(path.Base(file), ".json"), ".")
	if len(parts) > 2 {
		parts = parts[2:]
	}
	return naming.Type(strings.Join(parts, "-"))
}
