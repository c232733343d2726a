package untyped

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// restore restores the kind and the metadata that a mapping left out of an object.
// It returns an error if the mapping changed them: the API server would ignore the
// change, or take the object for another one.
func (f fixed) restore(content map[string]any) error {
	switch kind := content["kind"]; kind {
	case nil, "", f.Kind:
		content["kind"] = f.Kind
	default:
		return fmt.Errorf("changed the kind from %s to %v", f.Kind, kind)
	}
	if isEmpty(content["metadata"]) {
		if f.Metadata != nil {
			content["metadata"] = f.Metadata
		}
		return nil
	}
	metadata, ok := content["metadata"].(map[string]any)
	if !ok {
		return fmt.Errorf("returned metadata of type %T", content["metadata"])
	}
	return f.restoreMetadata(metadata)
}

func (f fixed) restoreMetadata(metadata map[string]any) error {
	var changed []string
	for _, field := range slices.Sorted(maps.Keys(metadata)) {
		switch value := metadata[field]; {
		case field == "labels" || field == "annotations":
			if isEmpty(value) {
				delete(metadata, field) // as when the last one is taken away
			} else if err := onlyStrings(field, value); err != nil {
				return err
			}
		case !isEmpty(value) && !reflect.DeepEqual(value, f.Metadata[field]):
			changed = append(changed, "metadata."+field)
		}
	}
	if changed != nil {
		return fmt.Errorf("changed %s; of metadata only labels and annotations may change", strings.Join(changed, ", "))
	}
	for field, value := range f.Metadata {
		if field != "labels" && field != "annotations" {
			metadata[field] = value
		}
	}
	return nil
}

// onlyStrings returns an error for labels or annotations that are not strings. The
// API server would refuse them later, without naming the mapping.
func onlyStrings(field string, value any) error {
	entries, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("made metadata.%s of type %T", field, value)
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if _, ok := entries[key].(string); !ok {
			return fmt.Errorf("made metadata.%s[%q] of type %T, not a string", field, key, entries[key])
		}
	}
	return nil
}

// isEmpty reports whether a JSON value means the same as an absent one.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}
