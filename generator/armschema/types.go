package armschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// namedType is a type that has no final name yet. Until then a reference to it
// holds its number.
type namedType struct {
	ir.Type
	number int
	at     schema
	hint   hint
	same   *namedType // the type that stands for this one, because both are equal
}

// ref refers to a type by its number, which finish replaces.
func (t *namedType) ref() ir.TypeRef { return ir.TypeRef{Named: strconv.Itoa(t.number)} }

// hint tells how to name a type.
type hint struct {
	// definition is the spec's own name for it, or "".
	definition string
	// within is the type that holds it, and part the name of what it is there.
	within *namedType
	part   string
	// variant tells that the type is a variant of the union within.
	variant bool
	// several tells that it comes of several schemas, of which the place is
	// the first.
	several bool
}

func (h hint) defined(name string) hint { return hint{definition: name, several: h.several} }

func (h hint) merged() hint {
	h.several = true
	return h
}

// docOf is the description of a type. What has no name of its own is described
// where it is used.
func (h hint) docOf(s schema) string {
	if h.definition == "" {
		return ""
	}
	return s.node.Get("description").Text()
}

// typeKey tells types apart. One schema makes several types where it is read
// as a variant, or merged with others.
type typeKey struct {
	node    *jsontree.Node
	union   *namedType
	several bool
}

// typeAt returns the type that stands at a schema, and whether it has been
// read, or is being read, already.
func (r *reader) typeAt(at schema, h hint) (t *namedType, known bool) {
	key := typeKey{node: at.node, several: h.several}
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

// named is the type that a reference means, or nil.
func (r *reader) named(ref ir.TypeRef) *namedType {
	if ref.Named == "" {
		return nil
	}
	number, _ := strconv.Atoi(ref.Named)
	return r.types[number]
}

// version names the types and puts the whole together.
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
		res.Spec = res.body.Name
		v.Resources = append(v.Resources, &res.Resource)
	}
	r.noteTallies()
	v.Notes = r.notes
	v.Sort()
	return v
}

const openEnums = "JSON schema does not tell whether a service takes values that an enum does not list; enums are read as open: %d here, the first at this place"

func (t *namedType) standIn() *namedType {
	for t.same != nil {
		t = t.same
	}
	return t
}

// reachable are the types that the roots reach, in the order in which they were met.
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

// unify lets one type stand for all that come of definitions of one name and
// say the same, as they do where two files of a version repeat a definition.
// It refines a partition: types of one name are taken for equal until their
// content, or the class of a type that they hold, tells them apart.
func (r *reader) unify(types []*namedType) []*namedType {
	class := make(map[*namedType]string, len(types))
	for _, t := range types {
		class[t] = t.label()
	}
	for count := 0; ; {
		next := make(map[*namedType]string, len(types))
		numbers := map[string]string{}
		for _, t := range types {
			content := class[t] + "\n" + r.content(t, class)
			if numbers[content] == "" {
				numbers[content] = strconv.Itoa(len(numbers))
			}
			next[t] = numbers[content]
		}
		class = next
		if len(numbers) == count {
			break
		}
		count = len(numbers)
	}
	first := map[string]*namedType{}
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

// label is what a type would be called if names needed not be unique.
func (t *namedType) label() string {
	switch {
	case t.hint.definition != "":
		return naming.Type(t.hint.definition)
	case t.hint.within == nil:
		return naming.Type(t.hint.part)
	}
	return t.hint.within.label() + naming.Type(t.hint.part)
}

// content is all that a type says, without prose, and with classes in place of
// the types that it holds.
func (r *reader) content(t *namedType, class map[*namedType]string) string {
	plain := t.Type
	plain.Doc, plain.Properties = "", nil
	for _, p := range t.Properties {
		p := *p
		p.Doc = ""
		p.Type = p.Type.Clone()
		if target := r.named(*p.Type.Leaf()); target != nil {
			p.Type.Leaf().Named = class[target]
		}
		plain.Properties = append(plain.Properties, &p)
	}
	text, err := json.Marshal(plain)
	if err != nil {
		panic(err) // the IR is plain data
	}
	return string(text)
}

// nameTypes gives every type its name: definitions have their own, with the
// file's before it where an earlier file has another definition of that name,
// and the others are named after what holds them.
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
			cmp.Compare(strings.TrimSuffix(a.at.doc.Name, ".json"), strings.TrimSuffix(b.at.doc.Name, ".json")), cmp.Compare(a.at.node.Offset(), b.at.node.Offset()))
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

// depth orders the types for naming: definitions, then resources, then the
// types that are named after another, which must have its name by then.
func (t *namedType) depth() int {
	switch {
	case t.hint.definition != "":
		return 0
	case t.hint.within == nil:
		return 1
	}
	return 2 + t.hint.within.depth()
}

// stem is a document's file name as a part of a type's name, without the
// provider that all files of a version begin with, if there is more.
func stem(file string) string {
	parts := strings.Split(strings.TrimSuffix(path.Base(file), ".json"), ".")
	if len(parts) > 2 {
		parts = parts[2:]
	}
	return naming.Type(strings.Join(parts, "-"))
}
