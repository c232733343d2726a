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
	// Encoding says what the value of a secret is in ARM if it is not text: one of
	// Encodings, or "".
	Encoding string
	// Keys reports whether the field is a list of references whose ids are keys of the map that has
	// the same place in ARM.
	Keys bool
	// CreateOnly reports whether the field refers to the value of a property that cannot change once
	// the resource exists.
	CreateOnly bool
	// Unknown reports whether ARM does not know the property.
	Unknown bool
	// AzureName reports whether the field is the name of the resource in Azure,
	// which ARM has in the URL.
	AzureName bool
}

// Encodings are JSON that is no string, and bytes as a string in one of the two forms of
// RFC 4648.
var Encodings = []string{"json", "base64", "base64url"}

// Of reads the tag of a field. A field without the key has its JSON name in ARM.
func Of(field reflect.StructField) Tag {
	name, tag := field.Tag.Get("arm"), Tag{}
	for _, encoding := range Encodings {
		if before, found := strings.CutSuffix(name, ","+encoding); found {
			name, tag.Encoding = before, encoding
		}
	}
	name, tag.Keys = strings.CutSuffix(name, ",keys")
	name, tag.CreateOnly = strings.CutSuffix(name, ",createOnly")
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
