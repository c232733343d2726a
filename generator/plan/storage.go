package plan

import "github.com/armature-dev/armature/generator/ir"

// storageShape is what a storage package declares: every property optional,
// enums as their base types, without docs, validation and notes. The result
// shares nothing with v that it changes.
func storageShape(v *ir.Version) *ir.Version {
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
		for i, p := range t.Properties {
			property := *p
			property.Type = p.Type.Clone()
			if leaf := property.Type.Leaf(); base[leaf.Named] != "" {
				*leaf = ir.TypeRef{Primitive: base[leaf.Named]}
			}
			property.Doc, property.Required, property.Validation, property.ItemValidation = "", false, nil, nil
			object.Properties[i] = &property
		}
		shape.Types = append(shape.Types, &object)
	}
	return shape
}
