package client

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/armature-dev/armature/runtime/arm"
)

// Secrets are the secret values of a request.
type Secrets struct {
	// forms has the secrets, plain and encoded, that are removed wherever they are. Those in
	// short are removed only where they are a whole value; quotedShort finds these places.
	forms, short []string
	quotedShort  *regexp.Regexp
}

// minLength is how many characters a secret must have to be removed wherever it is. Shorter
// secrets are parts of many words and numbers.
const minLength = 4

// NewSecrets returns the secrets with the given values, each the text of a string
// or JSON.
func NewSecrets(values ...string) Secrets {
	var s Secrets
	for _, v := range values {
		for _, text := range append(leaves(v), v) {
			to := s.listOf(text)
			for _, form := range arm.SecretForms(text) {
				*to = append(*to, form, strings.TrimRight(form, "="), strings.TrimSpace(form), quoted(form, true), quoted(form, false),
					url.QueryEscape(form), url.PathEscape(form))
			}
			for _, number := range numbers(text) {
				to = s.listOf(number)
				*to = append(*to, number)
			}
		}
	}
	s.forms, s.short = ordered(s.forms), ordered(s.short)
	if len(s.short) > 0 {
		var all []string
		for _, form := range s.short {
			// A regular expression has no bytes that are not UTF-8. JSON has U+FFFD for each.
			all = append(all, regexp.QuoteMeta(string([]rune(form))))
		}
		s.quotedShort = regexp.MustCompile("([\"'`“‘])(?:" + strings.Join(all, "|") + ")(\\\\*[\"'`”’])")
	}
	return s
}

// listOf returns the list for the forms of a text.
func (s *Secrets) listOf(text string) *[]string {
	if utf8.RuneCountInString(strings.TrimSpace(text)) < minLength {
		return &s.short
	}
	return &s.forms
}

// ordered returns the forms that are not empty, the longest first, because one may contain another.
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
	return b.String()[1 : b.Len()-2] // without the quotation marks and the line feed
}

// numbers returns the ways to write a number, or nil if a text is none: a service may write it in its own way.
func numbers(text string) []string {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return nil
	}
	var all []string
	for _, format := range []byte{'f', 'e', 'g'} {
		all = append(all, strconv.FormatFloat(n, format, -1, 64))
	}
	return all
}

// leaves returns the strings and the numbers of a value that is a JSON object or list.
func leaves(value string) []string {
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil
	}
	switch root.(type) {
	case []any, map[string]any:
		return leavesOf(root)
	}
	return nil
}

func leavesOf(value any) []string {
	var all []string
	switch value := value.(type) {
	case string:
		return []string{value}
	case json.Number:
		return []string{value.String()}
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

// removed is written in place of a secret.
const removed = "(secret)"

// Remove returns a text without the secrets. Secrets of fewer than four characters are removed
// only where they are the whole text, or are between quotation marks, as values in JSON and in
// messages are. Elsewhere the same characters are mostly a word, or a part of one: without them
// the text could not be read, and the gaps would reveal the secret.
func (s Secrets) Remove(text string) string {
	for _, form := range s.forms {
		text = strings.ReplaceAll(text, form, removed)
	}
	if slices.Contains(s.short, strings.TrimSpace(text)) {
		return removed
	}
	if s.quotedShort != nil {
		text = s.quotedShort.ReplaceAllString(text, "${1}"+removed+"${2}")
	}
	return text
}

// removeFromCode returns an error code without the secrets. Only a code that equals a secret is
// removed: a code comes from a fixed list of the service, even if a secret is a part of it.
func (s Secrets) removeFromCode(code string) string {
	switch {
	case !isCode.MatchString(code):
		return s.Remove(code)
	case slices.Contains(s.forms, code), slices.Contains(s.short, code):
		return removed
	}
	return code
}

// isCode matches the error codes of ARM and its services.
var isCode = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.]*$`)

// String does not show the secrets, so that no printed request does.
func (Secrets) String() string { return "(secrets)" }

// GoString is like String.
func (Secrets) GoString() string { return "(secrets)" }
