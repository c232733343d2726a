package biceptypes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// namedType is a type that has no final name yet. A reference to it holds its number
// until it has.
type namedType struct {
	ir.Type
	number int
	at     element
	hint   hint
	// bodies are the objects whose properties the type has, and without the names of
	// those that it does not have.
	bodies  []element
	without map[string]bool
	same    *namedType // the equal type that replaces this one, if there is one
}

// ref returns a reference to the type by its number.
func (t *namedType) ref() ir.TypeRef { return ir.TypeRef{Named: strconv.Itoa(t.number)} }

// isBody reports whether the type is the body of a resource.
func (t *namedType) isBody() bool { return t != nil && t.hint.within == nil && t.hint.definition == "" }

// hint has what a type can be named after.
type hint struct {
	// definition is the type's name in the document, or "".
	definition string
	// within is the type that uses this one, and part the name of the property or the
	// variant there, or the kind of a resource.
	within *namedType
	part   string
}

// typeKey identifies a type. One node makes several types if it is also a variant, a
// literal at several places, or the body of a resource.
type typeKey struct {
	node  *jsontree.Node
	union *namedType
	part  string
	body  string
}

// typeAt returns the type of a key, which is new if it was not asked for before.
func (r *reader) typeAt(key typeKey, at element, h hint) *namedType {
	if t := r.byKey[key]; t != nil {
		return t
	}
	t := &namedType{number: len(r.types), at: at, hint: h}
	r.types = append(r.types, t)
	r.byKey[key] = t
	return t
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
	reached := r.reachable(roots)
	types := r.unify(reached)
	nameTypes(types)
	for _, t := range types {
		for _, p := range t.Properties {
			if target := r.named(*p.Type.Leaf()); target != nil {
				p.Type.Leaf().Named = target.standIn().Name
			}
		}
		v.Types = append(v.Types, &t.Type)
	}
	for _, res := range resources {
		res.Spec = res.body.standIn().Name
		res.Status = res.Spec
		v.Resources = append(v.Resources, &res.Resource)
	}
	for _, n := range r.notes {
		switch {
		case n.owner == nil:
		case !slices.Contains(reached, n.owner):
			continue
		default:
			n.Subject = strings.TrimSuffix(n.owner.standIn().Name+"."+n.property, ".")
		}
		v.Notes = append(v.Notes, n.Note)
	}
	v.Sort()
	r.addCollections(v)
	return v
}

// standIn returns the type that replaces t, or t itself.
func (t *namedType) standIn() *namedType {
	for t.same != nil {
		t = t.same
	}
	return t
}

// reachable returns the types that the roots reach, in the order in which they were found.
func (r *reader) reachable(roots []*namedType) []*namedType {
	seen := map[*namedType]bool{}
	todo := slices.Clone(roots)
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if t == nil || seen[t] {
			continue
		}
		seen[t] = true
		for _, p := range t.Properties {
			todo = append(todo, r.named(*p.Type.Leaf()))
		}
	}
	return slices.DeleteFunc(slices.Clone(r.types), func(t *namedType) bool { return !seen[t] })
}

// unify replaces equal types of the same name by one of them, and returns the types that
// are left. Such types exist where two documents of a version repeat a definition.
func (r *reader) unify(types []*namedType) []*namedType {
	at := map[*namedType]int{}
	for i, t := range types {
		at[t] = i
	}
	contents, refs := make([]string, len(types)), make([][]int, len(types))
	for i, t := range types {
		contents[i] = t.label() + "\n" + t.content()
		for _, p := range t.Properties {
			if target := r.named(*p.Type.Leaf()); target != nil {
				refs[i] = append(refs[i], at[target])
			}
		}
	}
	first := map[int]*namedType{}
	var rest []*namedType
	for i, class := range documents.Classes(contents, refs) {
		if first[class] == nil {
			first[class] = types[i]
			rest = append(rest, types[i])
			continue
		}
		types[i].same = first[class]
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

// content returns a type as text, without docs and without the types that it refers to.
func (t *namedType) content() string {
	plain := t.Type
	plain.Doc, plain.Properties = "", nil
	for _, p := range t.Properties {
		p := *p
		p.Doc, p.Default = "", ""
		p.Type = p.Type.Renamed(func(string) string { return "named" })
		plain.Properties = append(plain.Properties, &p)
	}
	text, err := json.Marshal(plain)
	if err != nil {
		panic(err) // cannot happen: JSON can hold any ir.Type
	}
	return string(text)
}

// nameTypes gives every type its name: that of its definition, or one after the type that
// uses it. No name depends on the index of a type, which moves with every release of the
// documents.
func nameTypes(types []*namedType) {
	taken, last := map[string]bool{}, map[string]int{} // the last number for each label
	inOrder := slices.Clone(types)
	slices.SortStableFunc(inOrder, func(a, b *namedType) int {
		return cmp.Or(cmp.Compare(a.depth(), b.depth()), cmp.Compare(a.label(), b.label()))
	})
	for _, t := range inOrder {
		names := []string{t.label()}
		switch {
		case t.isBody():
			names = append(names, t.label()+"Resource")
		case t.hint.definition != "" && t.hint.within != nil:
			names = append(names, t.hint.within.label()+naming.Type(t.hint.part))
		default:
			names = append(names, t.label()+"Enum")
		}
		free := func(name string) bool { return !taken[naming.Fold(name)] }
		if i := slices.IndexFunc(names, free); i >= 0 {
			t.Name = names[i]
		}
		for t.Name == "" {
			last[t.label()] = max(last[t.label()], 1) + 1
			if name := fmt.Sprint(t.label(), last[t.label()]); free(name) {
				t.Name = name
			}
		}
		taken[naming.Fold(t.Name)] = true
	}
}

// depth returns the place of a type in the order of naming: resources, definitions, then
// types that are named after others.
func (t *namedType) depth() int {
	switch {
	case t.isBody():
		return 0
	case t.hint.definition != "":
		return 1
	}
	return 2
}
