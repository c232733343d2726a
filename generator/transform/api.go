package transform

import "github.com/armature-dev/armature/generator/ir"

// API is the shape of a version: all that makes its Go types and conversions,
// without descriptions, limits on values and notes. Packages that need no more
// are not built again when one of those changes. The result shares with v what
// is equal in both.
func API(v *ir.Version) *ir.Version {
	api := *v
	api.Notes = nil
	api.Types = make([]*ir.Type, len(v.Types))
	for i, t := range v.Types {
		shape := *t
		shape.Doc = ""
		shape.Properties = make([]*ir.Property, len(t.Properties))
		for j, p := range t.Properties {
			property := *p
			property.Doc, property.Validation, property.ItemValidation = "", nil, nil
			shape.Properties[j] = &property
		}
		shape.Values = make([]ir.EnumValue, len(t.Values))
		for j, value := range t.Values {
			value.Doc = ""
			shape.Values[j] = value
		}
		api.Types[i] = &shape
	}
	return &api
}

// Notes parts a version into all but its notes, and its notes. These have a
// file of their own, because they name places in specs: they change when a
// spec is only moved about, and are needed for the report alone.
func Notes(v *ir.Version) (rest, notes *ir.Version) {
	without := *v
	without.Notes = nil
	return &without, &ir.Version{Provider: v.Provider, APIVersion: v.APIVersion, Notes: v.Notes}
}
