// Package naming makes the names of Kubernetes and Go from those of ARM:
// [JSON] and [Go] for properties, [Type] for types, [EnumNames] for constants,
// [Plural] for kinds, and [Patterns] for versions.
//
// These names are stored in objects and written in people's code. A rule here
// that changes renames what is already published.
package naming

import (
	"fmt"
	"strings"
	"unicode"
)

// JSON is the Kubernetes name of an ARM property, or of a variant by its
// discriminator's value: lower camel case, letters and digits only.
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

// Go is the field's name of a Kubernetes property: with its first letter in
// upper case and all else as it is, for "staticIP" and "subnetId" are spelled
// as their service spells them.
func Go(json string) string { return upperFirst(json) }

// Type is the Go name of a definition: upper camel case without underscores,
// which are for the parts that the generator adds, such as "_Status".
func Type(definition string) string {
	words := words(definition)
	for i, w := range words {
		words[i] = upperFirst(w)
	}
	return identifier("X", strings.Join(words, ""))
}

// Fold is the form in which names are compared: names that differ only in case
// are one name, because ARM does not tell them apart.
func Fold(name string) string { return strings.ToLower(name) }

// Plural is the name of a kind's resource in URLs where group.yaml gives none: by
// the few rules of apimachinery's meta.UnsafeGuessKindToResource, not by a
// dictionary of English, which takes longer to load than a verb to run.
func Plural(kind string) string {
	singular := Singular(kind)
	if strings.HasSuffix(singular, "s") {
		return singular + "es"
	}
	if stem, found := strings.CutSuffix(singular, "y"); found {
		return stem + "ies"
	}
	return singular + "s"
}

// Singular is the name by which kubectl takes one object of a kind.
func Singular(kind string) string { return strings.ToLower(kind) }

// EnumNames are the suffixes of the Go constants of an enum's values, in their
// order and all different. A value's name depends on others only where two
// would come to one name; the earlier then has it.
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

// spelled are the symbols that make a difference between values.
var spelled = map[rune]string{
	'*': "Star", '+': "Plus", '<': "Less", '>': "Greater", '=': "Equal", '!': "Not", '%': "Percent", '&': "And",
}

// enumName keeps the underscores of a value, and parts digits by one, so that
// "1.0" and "10" stay apart.
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

// words parts a name at all that is neither letter nor digit of an identifier.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// identifier puts a letter before a digit.
func identifier(letter, name string) string {
	if name == "" || unicode.IsDigit(rune(name[0])) {
		return letter + name
	}
	return name
}

func upperFirst(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// lowerFirstWord lowers the capitals that a word starts with, but for the one
// that starts its second part: "VMSize" is "vmSize". A lone small letter
// belongs to the capitals before it: "IPv6" is "ipv6", "URLs" is "urls".
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
