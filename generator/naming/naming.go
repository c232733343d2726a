// Package naming makes Kubernetes and Go names from ARM names:
// [JSON] and [Go] for properties, [Type] for types, [EnumNames] for constants,
// [Plural] for kinds, and [Patterns] for versions.
//
// These names are stored in objects and used in other people's code. A change of
// a rule here renames what is already published.
package naming

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// JSON returns the Kubernetes name of an ARM property, or of the variant of a
// union that a discriminator's value selects: lower camel case, letters and
// digits only.
func JSON(arm string) string {
	words := words(arm)
	if len(words) == 0 {
		return "x"
	}
	words[0] = lowerFirstWord(words[0])
	for i, w := range words[1:] {
		words[i+1] = upperFirst(w)
	}
	return identifier("x", strings.Join(words, ""))
}

// Go returns the name of the Go field of a Kubernetes property: its first letter
// is made upper case, and the rest keeps the spelling of the service, such as
// "staticIP" and "subnetId".
func Go(json string) string { return upperFirst(json) }

// Type returns the Go name of a definition: upper camel case without
// underscores, which are reserved for suffixes that the generator adds, such as
// "_Status".
func Type(definition string) string {
	words := words(definition)
	for i, w := range words {
		words[i] = upperFirst(w)
	}
	return identifier("X", strings.Join(words, ""))
}

// Fold returns the form in which names are compared: names that differ only in
// case are equal, because ARM does not distinguish them.
func Fold(name string) string { return strings.ToLower(name) }

// CompareFolded compares two names as their folded forms compare. It makes these
// only where the names have characters other than ASCII.
func CompareFolded(x, y string) int {
	lower := func(c byte) byte {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	for i := range min(len(x), len(y)) {
		a, b := lower(x[i]), lower(y[i])
		if a >= utf8.RuneSelf || b >= utf8.RuneSelf {
			return strings.Compare(Fold(x), Fold(y))
		}
		if a != b {
			return cmp.Compare(a, b)
		}
	}
	return cmp.Compare(len(x), len(y))
}

// Plural returns the name of a kind's resource in URLs, for kinds to which
// group.yaml gives none. It makes the same plurals as controller-gen for all
// regular nouns. controller-gen's dictionary of the others would take longer to
// load than a verb takes to run.
func Plural(kind string) string {
	singular := Singular(kind)
	if stem, found := strings.CutSuffix(singular, "y"); found && !endsInAny(stem, "a", "e", "o", "u") {
		return stem + "ies"
	}
	if endsInAny(singular, "s", "x", "z", "ch", "sh") {
		return singular + "es"
	}
	return singular + "s"
}

func endsInAny(word string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(word, e) })
}

// Singular returns the name by which kubectl accepts one object of a kind.
func Singular(kind string) string { return strings.ToLower(kind) }

// EnumNames returns the suffixes of the Go constants of an enum's values, in the
// order of the values. All are different. A name depends on other values only if
// two values would get the same name; the earlier one then gets it.
func EnumNames(values []string) []string {
	names := make([]string, len(values))
	taken := make(map[string]bool, len(values))
	for i, value := range values {
		if name := enumName(value); !taken[name] {
			names[i], taken[name] = name, true
		}
	}
	for i, value := range values {
		for n := 2; names[i] == ""; n++ {
			if name := fmt.Sprintf("%s_%d", enumName(value), n); !taken[name] {
				names[i], taken[name] = name, true
			}
		}
	}
	return names
}

// spelled has the words for symbols, since two values may differ in these only.
var spelled = map[rune]string{
	'*': "Star", '+': "Plus", '<': "Less", '>': "Greater", '=': "Equal", '!': "Not", '%': "Percent", '&': "And",
}

// enumName returns the name for one value. It keeps underscores, and puts one
// between digits that a symbol separates, so that "1.0" and "10" differ.
func enumName(value string) string {
	var name strings.Builder
	runes := []rune(value)
	upper := true
	for i, r := range runes {
		digitNext := i+1 < len(runes) && unicode.IsDigit(runes[i+1])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if upper {
				r = unicode.ToUpper(r)
			}
			name.WriteRune(r)
			upper = false
			continue
		case r == '_':
			name.WriteRune('_')
		case spelled[r] != "":
			name.WriteString(spelled[r])
		case i == 0 && r == '-' && digitNext:
			name.WriteString("Minus")
		case i > 0 && unicode.IsDigit(runes[i-1]) && digitNext:
			name.WriteRune('_')
		}
		upper = true
	}
	switch {
	case value == "":
		return "Empty"
	case name.Len() == 0:
		return "Other"
	}
	return name.String()
}

// words splits a name at every character that is not an ASCII letter or digit.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// identifier returns name, after the given letter if it would not be an
// identifier otherwise.
func identifier(letter, name string) string {
	if name == "" || unicode.IsDigit(rune(name[0])) {
		return letter + name
	}
	return name
}

func upperFirst(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// lowerFirstWord returns a word with its leading capitals in lower case, except
// for the capital that starts a second part: "VMSize" becomes "vmSize". A single
// small letter belongs to the capitals before it: "IPv6" becomes "ipv6", "URLs"
// becomes "urls".
func lowerFirstWord(word string) string {
	isUpper := func(i int) bool { return i < len(word) && unicode.IsUpper(rune(word[i])) }
	isLower := func(i int) bool { return i < len(word) && unicode.IsLower(rune(word[i])) }
	n := 0
	for isUpper(n) {
		n++
	}
	if n > 1 && isLower(n) && isLower(n+1) {
		n--
	}
	return strings.ToLower(word[:n]) + word[n:]
}
