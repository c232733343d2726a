package renames

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/armature-dev/armature/generator/diag"
)

// words splits a name in camel case into words in small letters:
// "automaticOSUpgrade" gives "automatic", "os", "upgrade". A number is a word.
func words(name string) []string {
	var all []string
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !starts(runes, i) {
			continue
		}
		if word := strings.ToLower(strings.Trim(string(runes[start:i]), "-_. ")); word != "" {
			all = append(all, word)
		}
		start = i
	}
	return all
}

// starts reports whether a word starts at rune i.
func starts(runes []rune, i int) bool {
	previous, current := runes[i-1], runes[i]
	switch {
	case unicode.IsDigit(previous) != unicode.IsDigit(current), current == '-', current == '_', current == '.', current == ' ':
		return true
	case !unicode.IsUpper(current):
		return false
	}
	next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
	// The last capital of several starts the next word, unless only the s of a
	// plural follows.
	return !unicode.IsUpper(previous) || next && !(runes[i+1] == 's' && (i+2 == len(runes) || unicode.IsUpper(runes[i+2])))
}

// similarity returns the similarity of two words, from 0 to 1.
func similarity(a, b string) float64 {
	short, long := a, b
	if len(short) > len(long) {
		short, long = b, a
	}
	switch {
	case a == b:
		return 1
	case long == short+"s" || long == short+"es":
		return 0.95
	case len(short) >= 3 && strings.HasPrefix(long, short):
		return 0.8
	case len(short) >= 5 && diag.Nearest(short, []string{long}) != "":
		return 0.7 // probably a corrected spelling
	}
	return 0
}

// compareNames returns the similarity of two names by the words that they share,
// and a phrase that says so.
func compareNames(from, to string) (float64, string) {
	a, b := words(from), words(to)
	sum := 0.0
	var shared []string
	taken := make([]bool, len(b))
	for _, word := range a {
		best, at := 0.0, -1
		for i, other := range b {
			if l := similarity(word, other); !taken[i] && l > best {
				best, at = l, i
			}
		}
		if at < 0 {
			continue
		}
		taken[at] = true
		sum += best
		if word == b[at] {
			shared = append(shared, word)
		} else {
			shared = append(shared, word+"~"+b[at])
		}
	}
	like := 2 * sum / float64(len(a)+len(b))
	if len(shared) == 0 {
		return 0, fmt.Sprintf("the names %s and %s have no word in common", from, to)
	}
	return like, fmt.Sprintf("the names %s and %s share: %s", from, to, strings.Join(shared, ", "))
}

// stopWords are words of docs that say nothing about a property, most frequent
// first.
var stopWords = strings.Fields(`the of and for to is in this that be a an or are if by on with as it not when can will which from
	has have only may must should at any all its value values property properties gets sets get set specifies specified
	indicates describes description name type resource azure optional required default used use using`)

// compareDocs returns the similarity of two docs by the significant words that
// they share, and a phrase that says so. The phrase is "" if one of the docs has
// too few words.
func compareDocs(from, to string) (float64, string) {
	a, b := significant(from), significant(to)
	if len(a) < 2 || len(b) < 2 {
		return 0, ""
	}
	common := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			common++
		}
	}
	like := 2 * float64(common) / float64(len(a)+len(b))
	if strings.TrimSpace(from) == strings.TrimSpace(to) {
		return 1, "their docs are the same: " + quote(from)
	}
	return like, fmt.Sprintf("their docs share %d of %d significant words: %s and %s", common, len(a)+len(b)-common, quote(from), quote(to))
}

// significant returns the words of a text without stop words, each once.
func significant(text string) []string {
	var all []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) > 1 && !slices.Contains(stopWords, word) && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// quote returns the beginning of a text in quotes, on one line.
func quote(text string) string {
	const width = 70
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > width {
		text = strings.TrimSpace(string(runes[:width])) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// opposites are sets of words that never replace each other.
var opposites = [][]string{
	{"min", "max"}, {"minimum", "maximum"}, {"start", "end", "stop"}, {"source", "destination", "target"},
	{"primary", "secondary"}, {"enable", "disable"}, {"enabled", "disabled"}, {"allow", "deny"},
	{"read", "write"}, {"inbound", "outbound"}, {"from", "to"}, {"first", "last"}, {"public", "private"},
	{"before", "after"}, {"latitude", "longitude"}, {"request", "response"}, {"width", "height"},
	{"days", "hours", "minutes", "seconds"},
}

// opposed returns a word of each name that exclude each other, or "".
func opposed(from, to []string) (string, string) {
	for _, a := range from {
		for _, b := range to {
			if a == b || slices.Contains(to, a) || slices.Contains(from, b) {
				continue
			}
			if slices.ContainsFunc(opposites, func(set []string) bool { return slices.Contains(set, a) && slices.Contains(set, b) }) ||
				unicode.IsDigit(rune(a[0])) && unicode.IsDigit(rune(b[0])) {
				return a, b
			}
		}
	}
	return "", ""
}

// units are the units of numbers.
var units = strings.Fields("days hours minutes seconds milliseconds bytes kb mb gb tb percent percentage")

// unitOf returns the unit in a property's name, or "".
func unitOf(name string) string {
	for _, word := range words(name) {
		if slices.Contains(units, word) {
			return word
		}
	}
	return ""
}
