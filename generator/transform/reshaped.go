package transform

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// Reshaped returns the properties whose shape in now differs from that in before, so
// that an object or a client of before may not fit now. Both are shaped forms of one
// version. What is only in now does not count, nor do descriptions and limits that are
// gone.
func Reshaped(before, now *ir.Version) []ir.Reshaped {
	r := &reshaper{before: before, now: now, seen: map[[2]string]bool{}}
	for _, old := range before.Resources {
		if resource := now.Resource(old.Type); resource != nil {
			r.types(old.Spec, resource.Spec)
			r.types(old.Status, resource.Status)
		}
	}
	slices.SortFunc(r.found, func(a, b ir.Reshaped) int {
		return cmp.Or(cmp.Compare(a.Property, b.Property), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(r.found)
}

// reshaper holds what is known while two shapes of a version are compared.
type reshaper struct {
	before, now *ir.Version
	seen        map[[2]string]bool // pairs of types
	found       []ir.Reshaped
}

// types compares two types, and those below them.
func (r *reshaper) types(before, now string) {
	a, b := r.before.Type(before), r.now.Type(now)
	if a == nil || b == nil || r.seen[[2]string{before, now}] {
		return
	}
	r.seen[[2]string{before, now}] = true
	for _, p := range a.Properties {
		i := slices.IndexFunc(b.Properties, func(q *ir.Property) bool { return strings.EqualFold(p.Path(), q.Path()) })
		if i < 0 {
			r.add(a, p, "is gone")
			continue
		}
		r.properties(a, p, b.Properties[i])
	}
	for _, q := range b.Properties {
		isNew := !slices.ContainsFunc(a.Properties, func(p *ir.Property) bool { return strings.EqualFold(p.Path(), q.Path()) })
		if q.Required && isNew {
			r.add(b, q, "is new and required")
		}
	}
}

// properties compares two properties of types that are the same in ARM.
func (r *reshaper) properties(t *ir.Type, p, q *ir.Property) {
	was, is := jsonType(r.before, p.Type), jsonType(r.now, q.Type)
	switch {
	case was != is:
		r.add(t, p, was+" is now "+is)
	case p.Name != q.Name:
		r.add(t, p, "is now named "+q.Name)
	case q.Required && !p.Required:
		r.add(t, p, "is now required")
	case !r.takes(p.Type, q.Type):
		r.add(t, p, "takes other values now")
	default:
		r.types(p.Type.Leaf().Named, q.Type.Leaf().Named)
	}
}

// takes reports whether values of a scalar type before are values of the type now.
func (r *reshaper) takes(before, now ir.TypeRef) bool {
	a, b := r.before.Type(before.Leaf().Named), r.now.Type(now.Leaf().Named)
	if b == nil || b.Kind != ir.Enum || b.Open {
		return true
	}
	if a == nil || a.Open {
		return false
	}
	return !slices.ContainsFunc(values(a), func(v string) bool { return !slices.Contains(values(b), v) })
}

func (r *reshaper) add(t *ir.Type, p *ir.Property, what string) {
	r.found = append(r.found, ir.Reshaped{Property: naming.Common(t.Name) + "." + p.Name, What: what})
}
