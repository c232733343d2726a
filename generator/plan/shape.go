package plan

import (
	"cmp"
	"slices"

	"github.com/armature-dev/armature/generator/ir"
)

// Shape returns the part of an API version that a package declares: its
// resources, each with a Status, and the types that they reach. For a storage
// package it returns the [StorageShape] of that. It does not change v.
func Shape(pkg *Package, v *ir.Version) *ir.Version {
	shape := &ir.Version{Provider: v.Provider, APIVersion: v.APIVersion, Types: Described(v), WithoutDocs: v.WithoutDocs}
	var roots []string
	for _, r := range pkg.Resources {
		own := v.Resource(r.ARMType)
		if own == nil {
			continue
		}
		resource := *own
		if resource.Requested {
			shape.Types = append(shape.Types, r.StatusTypes...)
		}
		shape.Resources = append(shape.Resources, &resource)
		roots = append(roots, resource.Spec, resource.Status)
	}
	slices.SortFunc(shape.Resources, func(a, b *ir.Resource) int { return cmp.Compare(a.Type, b.Type) })
	slices.SortFunc(shape.Types, func(a, b *ir.Type) int { return cmp.Compare(a.Name, b.Name) })
	shape.Types = slices.CompactFunc(shape.Types, func(a, b *ir.Type) bool { return a.Name == b.Name })
	shape.Types = shape.Reachable(roots...)
	if pkg.Role == Storage {
		return StorageShape(shape)
	}
	return shape
}

// Described returns the types of a version that its spec describes: all but those of
// Statuses that are made from requests. A plan has these, with what they borrow.
func Described(v *ir.Version) []*ir.Type {
	var roots []string
	for _, r := range v.Resources {
		roots = append(roots, r.Spec)
		if !r.Requested {
			roots = append(roots, r.Status)
		}
	}
	return v.Reachable(roots...)
}

// StorageShape returns a version with the types of a storage package: every
// property is optional, enums are replaced by their base types, and docs,
// validation and notes are dropped. It does not change v.
func StorageShape(v *ir.Version) *ir.Version {
	base := map[string]ir.Primitive{}
	for _, t := range v.Types {
		if t.Kind == ir.Enum {
			base[t.Name] = t.Base
		}
	}
	shape := &ir.Version{Provider: v.Provider, APIVersion: v.APIVersion, Resources: v.Resources}
	for _, t := range v.Types {
		if t.Kind == ir.Enum {
			continue
		}
		object := *t
		object.Doc, object.Properties = "", make([]*ir.Property, len(t.Properties))
		properties := make([]ir.Property, len(t.Properties))
		for i, p := range t.Properties {
			property := &properties[i]
			*property = *p
			property.Type = p.Type.Clone()
			if leaf := property.Type.Leaf(); base[leaf.Named] != "" {
				*leaf = ir.TypeRef{Primitive: base[leaf.Named]}
			}
			property.Doc, property.Required, property.Validation, property.ItemValidation = "", false, nil, nil
			object.Properties[i] = property
		}
		shape.Types = append(shape.Types, &object)
	}
	return shape
}
