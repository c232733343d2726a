package armtest

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

const (
	// shared ends the name of what all variants of a union have.
	shared = "-shared"
	// selector is in the names of schemas that decide whether a value is of a variant.
	selector = "-selects-"
)

const definitions = "#/definitions/"

// spellOut makes JSON schema of the discriminators of a document, which only
// Swagger has: a definition with one becomes what all variants share, and any of
// the definitions that build upon it, as the discriminator says.
func spellOut(doc any) {
	root, _ := doc.(map[string]any)
	all, _ := root["definitions"].(map[string]any)
	heirs := map[string][]string{} // by the name of what they build upon
	type union struct{ name, discriminator string }
	var unions []union
	for name, definition := range all {
		d, _ := definition.(map[string]any)
		if discriminator, ok := d["discriminator"].(string); ok {
			unions = append(unions, union{name, discriminator})
		}
		for _, base := range basesOf(d) {
			heirs[base] = append(heirs[base], name)
		}
	}
	for _, u := range unions {
		var choices, none []any
		for _, heir := range descendants(u.name, heirs, map[string]bool{}) {
			selects := u.name + selector + heir
			all[selects] = map[string]any{
				"required":   []any{u.discriminator},
				"properties": map[string]any{u.discriminator: map[string]any{"enum": []any{valueOf(heir, all)}}},
			}
			choices = append(choices, map[string]any{"allOf": []any{ref(selects), ref(heir)}})
			none = append(none, ref(selects))
		}
		if len(choices) == 0 {
			continue
		}
		choices = append(choices, map[string]any{"not": map[string]any{"anyOf": none}})
		all[u.name+shared] = all[u.name]
		all[u.name] = map[string]any{"allOf": []any{ref(u.name + shared), map[string]any{"anyOf": choices}}}
		for _, heir := range heirs[u.name] {
			buildUpon(all, heir, u.name)
		}
	}
}

func ref(name string) map[string]any { return map[string]any{"$ref": definitions + name} }

// basesOf returns the definitions that one builds upon.
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

// descendants returns all definitions that build upon one, directly or not.
func descendants(name string, heirs map[string][]string, seen map[string]bool) []string {
	var all []string
	for _, heir := range heirs[name] {
		if !seen[heir] {
			seen[heir] = true
			all = append(append(all, heir), descendants(heir, heirs, seen)...)
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

// buildUpon makes an heir build upon what the variants of a union share, rather
// than on the union, which would never end.
func buildUpon(all map[string]any, heir, union string) {
	for _, name := range []string{heir, heir + shared} {
		definition, _ := all[name].(map[string]any)
		list, _ := definition["allOf"].([]any)
		for i, element := range list {
			if base, _ := element.(map[string]any); base["$ref"] == definitions+union {
				list[i] = ref(union + shared)
			}
		}
	}
}

// leaves returns the errors that no other explains. Of the variants of a union
// only the one that the value says to be counts.
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

// isOther reports whether errors belong to a variant that the value is not.
func isOther(errors []*jsonschema.ValidationError) bool {
	for _, e := range errors {
		_, not := e.ErrorKind.(*kind.Not)
		if not || strings.Contains(e.SchemaURL, selector) {
			return true
		}
	}
	return false
}
