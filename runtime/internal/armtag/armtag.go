// Package armtag reads the key "arm" of the tags of generated structs, which
// says how ARM's form of a property differs from the Kubernetes one. Package arm
// documents the key.
package armtag

import (
	"reflect"
	"strings"
)

// Tag is the content of a field's tag.
type Tag struct {
	// Name is ARM's name of the property.
	Name string
	// Nested reports whether the property lies in the object "properties".
	Nested bool
	// Spread reports whether the field is a map whose entries lie beside the
	// other fields.
	Spread bool
	// Discriminator is the property whose value selects a variant of a union, and
	// Variant is the value that selects this field, or "*" for all other values.
	// Both are empty for a field that is not part of a union.
	Discriminator, Variant string
	// JSON reports whether the value of a secret is JSON, not text.
	JSON bool
	// Unknown reports whether ARM does not know the property.
	Unknown bool
	// AzureName reports whether the field is the name of the resource in Azure,
	// which ARM has in the URL.
	AzureName bool
}

// Of reads the tag of a field. A field without the key has its JSON name in ARM.
func Of(field reflect.StructField) Tag {
	name, isJSON := strings.CutSuffix(field.Tag.Get("arm"), ",json")
	tag := Tag{JSON: isJSON}
	switch name {
	case "-", "-,name":
		tag.Unknown, tag.AzureName = true, name != "-"
		return tag
	case "":
		tag.Name, _, _ = strings.Cut(field.Tag.Get("json"), ",")
		return tag
	}
	tag.Name, tag.Nested = strings.CutPrefix(name, "properties/")
	tag.Spread = tag.Name == "*"
	if discriminator, variant, found := strings.Cut(tag.Name, "="); found {
		tag.Discriminator, tag.Variant = discriminator, variant
	}
	return tag
}
