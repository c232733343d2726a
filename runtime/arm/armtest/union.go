package armtest

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

const (
	// shared ends the name of the schema that all variants of a union share.
	shared = "-shared"
	// selector is in the names of schemas that are satisfied by the values of one variant.
	selector = "-selects-"
)

const definitions = "#/definitions/"

// rewriteDiscriminators replaces the discriminators of a document, which only Swagger has, by
// JSON schema: a definition with a discriminator becomes the schema that all variants share,
// together with the variant that the discriminator selects.
func rewriteDiscriminators(doc any) {
	root, _ := doc.(map[string]any)
	all, _ := root["definitions"].(map[string]any)
	children := map[string][]string{} // names of definitions, by the definition that they extend
	type union struct{ name, discriminator string }
	var unions []union
	for name, definition := range all {
		d, _ := definition.(map[string]any)
		if discriminator, ok := d["discriminator"].(string); ok {
			unions = append(unions, union{name, discriminator})
		}
		for _, base := range basesOf(d) {
			children[base] = append(children[base], name)
		}
	}
	for _, u := range unions {
		var choices, none []any
		for _, child := range descendants(u.name, children, map[string]bool{}) {
			selects := u.name + selector + child
			all[selects] = map[string]any{
				"required":   []any{u.discriminator},
				"properties": map[string]any{u.discriminator: map[string]any{"enum": []any{valueOf(child, all)}}},
			}
			choices = append(choices, map[string]any{"allOf": []any{ref(selects), ref(child)}})
			none = append(none, ref(selects))
		}
		if len(choices) == 0 {
			continue
		}
		choices = append(choices, map[string]any{"not": map[string]any{"anyOf": none}})
		all[u.name+shared] = all[u.name]
		all[u.name] = map[string]any{"allOf": []any{ref(u.name + shared), map[string]any{"anyOf": choices}}}
		for _, child := range children[u.name] {
			deriveFromShared(all, child, u.name)
		}
	}
}

func ref(name string) map[string]any { return map[string]any{"$ref": definitions + name} }

// basesOf returns the names of the definitions that a definition extends.
func basesOf(definition map[string]any) []string {
	var bases []string
	list, _ := definition["allOf"].([]any)
	for _, element := range list {
		base, _ := element.(map[string]any)
		at, _ := base["$ref"].(string)
		if name, local := strings.CutPrefix(at, definitions); local {
			bases = append(bases, name)
		}
	}
	return bases
}

// descendants returns the names of all definitions that extend one, directly or not.
func descendants(name string, children map[string][]string, seen map[string]bool) []string {
	var all []string
	for _, child := range children[name] {
		if !seen[child] {
			seen[child] = true
			all = append(append(all, child), descendants(child, children, seen)...)
		}
	}
	return all
}

// valueOf returns the discriminator's value of a variant.
func valueOf(name string, all map[string]any) any {
	definition, _ := all[strings.TrimSuffix(name, shared)].(map[string]any)
	if shares, isUnion := all[name+shared].(map[string]any); isUnion {
		definition = shares
	}
	if value := definition["x-ms-discriminator-value"]; value != nil {
		return value
	}
	return name
}

// deriveFromShared changes a definition to extend the schema that the variants of a union share,
// and not the union itself, which would be a cycle.
func deriveFromShared(all map[string]any, child, union string) {
	for _, name := range []string{child, child + shared} {
		definition, _ := all[name].(map[string]any)
		list, _ := definition["allOf"].([]any)
		for i, element := range list {
			if base, _ := element.(map[string]any); base["$ref"] == definitions+union {
				list[i] = ref(union + shared)
			}
		}
	}
}

// leaves returns the errors that have no causes. Of the variants of a union it returns the
// errors only for the one that the discriminator selects.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	_, anyOf := e.ErrorKind.(*kind.AnyOf)
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		below := leaves(cause)
		if anyOf && isOther(below) {
			continue
		}
		all = append(all, below...)
	}
	if len(all) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	return all
}

// isOther reports whether errors belong to a variant that the discriminator does not select.
func isOther(errors []*jsonschema.ValidationError) bool {
	for _, e := range errors {
		_, not := e.ErrorKind.(*kind.Not)
		if not || strings.Contains(e.SchemaURL, selector) {
			return true
		}
	}
	return false
}
