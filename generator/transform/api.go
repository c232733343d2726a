package transform

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
)

// API returns the shape of a version, which determines its Go types and
// conversions: the version without descriptions, limits on values and notes.
// Packages that need no more are not built again when one of these changes. The
// result shares memory with v.
func API(v *ir.Version) *ir.Version {
	api := Limited(v)
	for i, r := range api.Resources {
		resource := *r
		resource.NameLimits, resource.KnownNames = nil, nil
		api.Resources[i] = &resource
	}
	for _, t := range api.Types {
		for _, p := range t.Properties {
			p.Validation, p.ItemValidation = nil, nil
		}
	}
	return api
}

// Limited returns the shape of a version with the limits on values: what tells which
// values are valid needs these, and no descriptions and notes. The result shares memory
// with v.
func Limited(v *ir.Version) *ir.Version {
	api := *v
	api.Resources = slices.Clone(v.Resources)
	api.Notes, api.WithoutDocs = nil, false
	api.Types = make([]*ir.Type, len(v.Types))
	for i, t := range v.Types {
		shape := *t
		shape.Doc = ""
		shape.Properties = make([]*ir.Property, len(t.Properties))
		for j, p := range t.Properties {
			property := *p
			property.Doc = ""
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

// Notes splits a version into its notes and the rest. Notes are written to a file
// of their own, because they name places in specs: they change when a spec is
// only rearranged, and only the report needs them.
func Notes(v *ir.Version) (rest, notes *ir.Version) {
	without := *v
	without.Notes = nil
	return &without, &ir.Version{Provider: v.Provider, APIVersion: v.APIVersion, Notes: v.Notes}
}
