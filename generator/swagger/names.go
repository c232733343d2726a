package swagger

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// finish gives final names to the types that the resources reach, and adds the
// types, the resources and the notes to v.
func (r *reader) finish(v *ir.Version, resources []*resource) {
	bodies := r.reach(resources)
	for _, res := range resources {
		for _, other := range res.others {
			r.visit(bodies, other.spec)
		}
	}
	n := &namer{r: r}
	n.class = documents.Classes(r.inOrder(bodies), folded, n.content)
	n.assign(r.inOrder(r.reach(resources)))
	for class, t := range n.first {
		if t != nil && n.names[class] != "" {
			v.Types = append(v.Types, n.final(t))
		}
	}
	for _, res := range resources {
		res.Spec = n.name(res.spec)
		if res.status != nil {
			res.Status = n.name(res.status)
		}
		for _, other := range res.others {
			if n.class[other.spec] != n.class[res.spec] {
				r.note(ir.Approximated, res.spec, "", other.put.item,
					fmt.Sprintf("the body of this PUT differs from that at %s, which is used", res.Path))
			}
		}
		v.Resources = append(v.Resources, &res.Resource)
	}
	v.Notes = n.notes()
	v.Sort()
}

// reach returns the types that the bodies and responses of the resources reach.
func (r *reader) reach(resources []*resource) map[*namedType]bool {
	seen := map[*namedType]bool{}
	for _, res := range resources {
		r.visit(seen, res.spec)
		r.visit(seen, res.status)
	}
	return seen
}

// visit adds t and the types that it reaches to seen.
func (r *reader) visit(seen map[*namedType]bool, t *namedType) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	for _, p := range t.Properties {
		r.visit(seen, r.typeOf(*p.Type.Leaf()))
	}
}

// inOrder returns the types of a set in the order in which they were made.
func (r *reader) inOrder(set map[*namedType]bool) []*namedType {
	return slices.DeleteFunc(slices.Clone(r.types), func(t *namedType) bool { return !set[t] })
}

// namer gives types their names. Types with the same first name and the same
// content form a class, and become one type.
type namer struct {
	r     *reader
	class map[*namedType]int
	// first has the best type of each class, see better. names has the final name
	// of each class, or "" for a class that no resource reaches.
	first []*namedType
	names []string
}

// folded returns the name of a type as [naming.Fold] writes it.
func folded(t *namedType) string { return naming.Fold(t.names[0]) }

// content returns a type of some name as text, and the types that it refers to.
func (n *namer) content(t *namedType, name string) (string, []*namedType) {
	text, targets := documents.Content(&t.Type, name)
	refs := make([]*namedType, len(targets))
	for i, target := range targets {
		refs[i] = n.r.typeOf(ir.TypeRef{Named: target})
	}
	return text, refs
}

// better orders types by precedence for a name: definitions in the version's own
// documents, other definitions, unnamed schemas, and each of these by place.
func (n *namer) better(a, b *namedType) int {
	rank := func(t *namedType) int {
		switch {
		case t.definition && slices.Contains(n.r.roots, t.at.doc):
			return 0
		case t.definition:
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.at.doc.Name, b.at.doc.Name),
		cmp.Compare(a.at.node.Offset(), b.at.node.Offset()), cmp.Compare(a.names[0], b.names[0]))
}

// assign gives names to the classes of the types. If several classes have the
// same first name, the best one gets it. The others get the next of their names,
// or their first name after the name of their file.
func (n *namer) assign(types []*namedType) {
	slices.SortStableFunc(types, n.better)
	n.first = make([]*namedType, len(n.class))
	n.names = make([]string, len(n.class))
	var classes []int
	for _, t := range types {
		if class := n.class[t]; n.first[class] == nil {
			n.first[class] = t
			classes = append(classes, class)
		}
	}
	taken := map[string]bool{}
	take := func(class int, name string) bool {
		if taken[naming.Fold(name)] {
			return false
		}
		taken[naming.Fold(name)] = true
		n.names[class] = name
		return true
	}
	for _, class := range classes {
		take(class, n.first[class].names[0])
	}
	for _, class := range classes {
		if n.names[class] != "" {
			continue
		}
		t := n.first[class]
		file := path.Base(t.at.doc.Name)
		qualified := naming.Type(strings.TrimSuffix(file, path.Ext(file))) + t.names[0]
		done := slices.ContainsFunc(append(slices.Clone(t.names[1:]), qualified), func(name string) bool { return take(class, name) })
		for i := 2; !done; i++ {
			done = take(class, qualified+strconv.Itoa(i))
		}
	}
}

func (n *namer) name(t *namedType) string { return n.names[n.class[t]] }

// final returns a type with its name and the names of the types it refers to.
func (n *namer) final(t *namedType) *ir.Type {
	final := t.Type
	final.Name = n.name(t)
	for _, p := range final.Properties {
		leaf := p.Type.Leaf()
		if ref := n.r.typeOf(*leaf); ref != nil {
			leaf.Named = n.name(ref)
		}
	}
	return &final
}

// notes returns the notes on types that are used, with places and subjects.
func (n *namer) notes() []ir.Note {
	var notes []ir.Note
	for _, note := range n.r.notes {
		if note.owner != nil {
			if class, reached := n.class[note.owner]; !reached || n.first[class] != note.owner {
				continue
			}
			note.Subject = n.name(note.owner)
			if note.property != "" {
				note.Subject += "." + note.property
			}
		}
		note.File = note.at.doc.Name
		note.Pointer = note.at.doc.Pointer(note.at.node)
		notes = append(notes, note.Note)
	}
	return notes
}
