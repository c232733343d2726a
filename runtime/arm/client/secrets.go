package client

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Secrets are the secret values of a request.
type Secrets struct{ forms []string }

// NewSecrets returns the secrets with the given values, each the text of a string
// or JSON.
func NewSecrets(values ...string) Secrets {
	var forms []string
	for _, v := range values {
		for _, text := range append(leaves(v), v) {
			forms = append(forms, text, strings.TrimSpace(text), quoted(text, true), quoted(text, false), url.QueryEscape(text),
				url.PathEscape(text))
		}
	}
	forms = slices.DeleteFunc(forms, func(s string) bool { return strings.TrimSpace(s) == "" })
	// The longest first, as one may hold another.
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return Secrets{slices.Compact(forms)}
}

// quoted returns a text as a JSON string without its quotation marks.
func quoted(text string, escapeHTML bool) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(escapeHTML)
	if encoder.Encode(text) != nil {
		return text
	}
	return b.String()[1 : b.Len()-2] // without the marks and the line's end
}

// leaves returns the strings of a value that is a JSON object or list.
func leaves(value string) []string {
	var list []any
	var object map[string]any
	switch {
	case json.Unmarshal([]byte(value), &list) == nil:
		return leavesOf(list)
	case json.Unmarshal([]byte(value), &object) == nil:
		return leavesOf(object)
	}
	return nil
}

func leavesOf(value any) []string {
	var all []string
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		for _, v := range value {
			all = append(all, leavesOf(v)...)
		}
	case map[string]any:
		for _, v := range value {
			all = append(all, leavesOf(v)...)
		}
	}
	return all
}

// Remove returns a text without the secrets.
func (s Secrets) Remove(text string) string {
	for _, form := range s.forms {
		text = strings.ReplaceAll(text, form, "(secret)")
	}
	return text
}

// String hides the secrets from whoever prints a request.
func (Secrets) String() string { return "(secrets)" }

// GoString is like String.
func (Secrets) GoString() string { return "(secrets)" }
