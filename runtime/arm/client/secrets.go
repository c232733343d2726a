package client

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Secrets are the secret values of a request.
type Secrets struct {
	// forms are those in which secrets are removed wherever they are. Those in short are removed
	// only where they are a whole value, which between finds.
	forms, short []string
	between      *regexp.Regexp
}

// shortest is how many characters a secret needs to be removed wherever it is. Shorter ones are
// parts of many words and numbers.
const shortest = 4

// NewSecrets returns the secrets with the given values, each the text of a string
// or JSON.
func NewSecrets(values ...string) Secrets {
	var s Secrets
	for _, v := range values {
		for _, text := range append(leaves(v), v) {
			to := &s.forms
			if utf8.RuneCountInString(strings.TrimSpace(text)) < shortest {
				to = &s.short
			}
			*to = append(*to, text, strings.TrimSpace(text), quoted(text, true), quoted(text, false), url.QueryEscape(text),
				url.PathEscape(text))
		}
	}
	s.forms, s.short = ordered(s.forms), ordered(s.short)
	if len(s.short) > 0 {
		var all []string
		for _, form := range s.short {
			all = append(all, regexp.QuoteMeta(form))
		}
		s.between = regexp.MustCompile("([\"'`“‘])(?:" + strings.Join(all, "|") + ")(\\\\*[\"'`”’])")
	}
	return s
}

// ordered returns forms without empty ones, the longest first, as one may hold another.
func ordered(forms []string) []string {
	forms = slices.DeleteFunc(forms, func(s string) bool { return strings.TrimSpace(s) == "" })
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(forms)
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

// removed stands in place of a secret.
const removed = "(secret)"

// Remove returns a text without the secrets. Those of fewer than four characters are removed
// only where they are the whole text, or stand between quotation marks, as values in JSON and in
// messages do. Elsewhere the same characters are mostly a word, or a part of one: without them
// the text could not be read, and what is missing would tell the secret.
func (s Secrets) Remove(text string) string {
	for _, form := range s.forms {
		text = strings.ReplaceAll(text, form, removed)
	}
	if slices.Contains(s.short, strings.TrimSpace(text)) {
		return removed
	}
	if s.between != nil {
		text = s.between.ReplaceAllString(text, "${1}"+removed+"${2}")
	}
	return text
}

// removeFromCode returns an error code without the secrets. A code stays as it is unless it is a
// secret as a whole: it is one of a list that a service has, whatever parts of it a secret has.
func (s Secrets) removeFromCode(code string) string {
	switch {
	case !isCode.MatchString(code):
		return s.Remove(code)
	case slices.Contains(s.forms, code), slices.Contains(s.short, code):
		return removed
	}
	return code
}

// isCode matches what ARM and its services have as codes of errors.
var isCode = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.]*$`)

// String hides the secrets from whoever prints a request.
func (Secrets) String() string { return "(secrets)" }

// GoString is like String.
func (Secrets) GoString() string { return "(secrets)" }
