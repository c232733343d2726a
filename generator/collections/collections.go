// Package collections finds the lists in the body of a resource whose elements are
// resources of their own, such as the subnets of a virtual network. Its main function is
// [Find].
package collections

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// Child is a resource type below another one, with the body of its PUT in the raw form.
type Child struct {
	// Type is ARM's, such as "Microsoft.Network/virtualNetworks/subnets".
	Type string
	Body *ir.Type
}

// IsChild reports whether a resource type is directly below another one.
func IsChild(armType, parent string) bool {
	at := strings.LastIndexByte(armType, '/')
	return at > 0 && strings.EqualFold(armType[:at], parent)
}

// Find returns the collections in the body of a resource, sorted by path. A list is one
// if a request can have it, if only objects are around it, and if its elements have a
// name and are, by their type or by their content, what a PUT of a child sends. named
// returns the type that a reference names, or nil.
func Find(body *ir.Type, children []Child, named func(ir.TypeRef) *ir.Type) []ir.Collection {
	f := &finder{named: named}
	var found []ir.Collection
	f.lists(body, List{}, func(list List, element *ir.Type) {
		path := list.Path
		best := ir.Collection{}
		rank := 0
		for _, c := range children {
			nesting := f.match(element, c.Body)
			if nesting == none {
				continue
			}
			r := 1
			if isNamed(ir.Collection{Path: path, Type: c.Type}) {
				r = 2 // so it is this one of those with the same content
			}
			if r > rank {
				best, rank = ir.Collection{Path: path, Type: c.Type, Flat: nesting == flat}, r
			} else if r == rank && !strings.EqualFold(c.Type, best.Type) {
				best = ir.Collection{} // it can be either, so nobody can say
			}
		}
		if best.Type != "" {
			found = append(found, best)
		}
	})
	// If one list of a child has its name, another shows it for another reason, as the
	// default rules of a network security group, which are no rules of anybody's.
	own := map[string]bool{}
	for _, c := range found {
		if isNamed(c) {
			own[strings.ToLower(c.Type)] = true
		}
	}
	found = slices.DeleteFunc(found, func(c ir.Collection) bool { return !isNamed(c) && own[strings.ToLower(c.Type)] })
	slices.SortFunc(found, func(a, b ir.Collection) int { return cmp.Compare(a.Path, b.Path) })
	return found
}

// isNamed reports whether a list has the name of the type of its elements.
func isNamed(c ir.Collection) bool { return strings.EqualFold(last(c.Type), last(c.Path)) }

// List is a list in the body of a resource whose elements may be resources.
type List struct {
	Path string // by ARM's names
	// Types are those that have the Properties of the same index, which lead from the
	// body to the list.
	Types      []*ir.Type
	Properties []*ir.Property
}

// Owner returns the type that has the list, and the property.
func (l List) Owner() (*ir.Type, *ir.Property) {
	return l.Types[len(l.Types)-1], l.Properties[len(l.Properties)-1]
}

// Lists returns the lists that a request can have, around which are only objects, and
// whose elements have a name, sorted by path.
func Lists(body *ir.Type, named func(ir.TypeRef) *ir.Type) []List {
	var all []List
	(&finder{named: named}).lists(body, List{}, func(list List, _ *ir.Type) { all = append(all, list) })
	slices.SortStableFunc(all, func(a, b List) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

func last(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

type finder struct {
	named  func(ir.TypeRef) *ir.Type
	visits int
}

const (
	// maxDepth is how many objects are looked at in each other, and maxVisits how many in
	// all. No published body comes near either; one that is made to take forever does.
	maxDepth  = 32
	maxVisits = 100_000
)

// lists calls do with each list in a type to which way leads.
func (f *finder) lists(t *ir.Type, way List, do func(list List, element *ir.Type)) {
	f.visits++
	if slices.Contains(way.Types, t) || len(way.Types) > maxDepth || f.visits > maxVisits {
		return
	}
	way.Types = append(slices.Clip(way.Types), t)
	for _, p := range t.Properties {
		if p.ReadOnly || p.Spread {
			continue
		}
		of, element := f.object(p.Type), (*ir.Type)(nil)
		if p.Type.Items != nil {
			element = f.object(*p.Type.Items)
		}
		if of == nil && (element == nil || property(element, "name") == nil) {
			continue
		}
		list := List{Path: way.Path, Types: way.Types, Properties: append(slices.Clip(way.Properties), p)}
		if p.Flattened { // in the shaped form
			list.Path += "/properties"
		}
		if p.Variant == "" { // whose properties are beside the discriminator
			list.Path += "/" + p.ARMName()
		}
		if of != nil {
			f.lists(of, list, do)
			continue
		}
		list.Path = strings.TrimPrefix(list.Path, "/")
		do(list, element)
	}
}

// object returns the object that a type is, or nil.
func (f *finder) object(r ir.TypeRef) *ir.Type {
	if r.Named == "" {
		return nil
	}
	if t := f.named(r); t != nil && t.Kind == ir.Object {
		return t
	}
	return nil
}

func property(t *ir.Type, name string) *ir.Property {
	for _, p := range t.Properties {
		if p.ARMName() == name && p.Variant == "" {
			return p
		}
	}
	return nil
}

// nesting is how an element has what a child has under "properties".
type nesting int

const (
	none   nesting = iota // it is something else
	nested                // likewise
	flat                  // beside its name
)

// match compares an element of a list with the body of a child.
func (f *finder) match(element, child *ir.Type) nesting {
	if element == child {
		return nested
	}
	of, theirs := f.bag(element), f.bag(child)
	switch {
	case of != nil && of == theirs:
		return nested
	case of != nil && theirs != nil && same(of, theirs):
		return nested
	case of == nil && theirs != nil && same(element, theirs):
		return flat
	case of == nil && theirs == nil && same(element, child):
		return nested
	}
	return none
}

// bag returns the type of the "properties" of a resource, or nil.
func (f *finder) bag(t *ir.Type) *ir.Type {
	if p := property(t, "properties"); p != nil {
		return f.object(p.Type)
	}
	return nil
}

// envelope has the properties that ARM itself gives resources.
var envelope = map[string]bool{
	"id": true, "name": true, "type": true, "etag": true, "location": true, "tags": true, "systemData": true,
}

// fewest is how many properties two types have in common at least, to be the same by
// their content.
const fewest = 2

// same reports whether requests with two types have the same properties.
func same(a, b *ir.Type) bool {
	x, y := content(a), content(b)
	return len(x) >= fewest && slices.Equal(x, y)
}

// content returns the names of the properties that a request has of its own, sorted,
// each with the form of its type.
func content(t *ir.Type) []string {
	var all []string
	for _, p := range t.Properties {
		if p.ReadOnly || envelope[p.ARMName()] {
			continue
		}
		form := p.Type.Clone()
		if leaf := form.Leaf(); leaf.Named != "" {
			leaf.Named = "named"
		}
		all = append(all, p.ARMName()+" "+p.Variant+" "+form.String())
	}
	slices.Sort(all)
	return all
}
