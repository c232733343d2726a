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
	f.lists(body, "", nil, func(path string, element *ir.Type) {
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

// Lists returns the paths of the lists that a request can have, around which are only
// objects, and whose elements have a name, sorted.
func Lists(body *ir.Type, named func(ir.TypeRef) *ir.Type) []string {
	var paths []string
	(&finder{named: named}).lists(body, "", nil, func(path string, _ *ir.Type) { paths = append(paths, path) })
	slices.Sort(paths)
	return slices.Compact(paths)
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

// lists calls do with each list. around has the types that the path leads through.
func (f *finder) lists(t *ir.Type, path string, around []*ir.Type, do func(path string, element *ir.Type)) {
	f.visits++
	if slices.Contains(around, t) || len(around) > maxDepth || f.visits > maxVisits {
		return
	}
	around = append(slices.Clip(around), t)
	for _, p := range t.Properties {
		if p.ReadOnly || p.Spread {
			continue
		}
		at := path
		if p.Flattened { // in the shaped form
			at += "/properties"
		}
		if p.Variant == "" { // whose properties are beside the discriminator
			at += "/" + p.ARMName()
		}
		if of := f.object(p.Type); of != nil {
			f.lists(of, at, around, do)
		} else if p.Type.Items != nil {
			if element := f.object(*p.Type.Items); element != nil && property(element, "name") != nil {
				do(strings.TrimPrefix(at, "/"), element)
			}
		}
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
