package service

import (
	"slices"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/naming"
)

// unchanging are words that end like plurals and are none.
var unchanging = []string{"redis", "dns", "kubernetes", "sas", "iis", "access", "analysis", "status", "metadata"}

// Kinds returns a kind for each resource type: the singulars of the type's
// segments, so that a kind says what the resource belongs to, and kinds of
// different types differ, and differ from the kinds of their lists. A kind that
// would be longer than [config.LongestKind] lacks the first segments, or else some
// of the first words.
func Kinds(types []string) map[string]string {
	kinds := map[string]string{}
	taken := map[string]bool{}
	isFree := func(kind string) bool {
		return !taken[naming.Fold(kind)] && !taken[naming.Fold(kind+"List")] && !naming.IsDeclared(kind)
	}
	sorted := slices.Clone(types)
	slices.SortFunc(sorted, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	for _, t := range sorted {
		segments := kindSegments(t)
		for len(segments) > 1 && len(strings.Join(segments, "")) > config.LongestKind {
			segments = segments[1:]
		}
		kind := strings.Join(segments, "")
		for !isFree(kind) {
			kind += "Resource"
		}
		if len(kind) > config.LongestKind {
			kind = config.ShorterKind(kind, isFree)
		}
		taken[naming.Fold(kind)], taken[naming.Fold(kind+"List")] = true, true
		kinds[t] = kind
	}
	return kinds
}

// kindSegments returns what each segment of a resource type contributes to its kind.
// A segment that repeats the one before it, as in
// virtualNetworks/virtualNetworkPeerings, stands for both.
func kindSegments(armType string) []string {
	segments := strings.Split(armType, "/")[1:]
	for i, segment := range segments {
		segments[i] = naming.Type(singular(segment))
	}
	for i := len(segments) - 1; i > 0; i-- {
		if strings.HasPrefix(segments[i], segments[i-1]) {
			segments = slices.Delete(segments, i-1, i)
		}
	}
	return segments
}

// tooLong returns the kind that a resource type would have if its length did not
// matter, or "" if that is not too long.
func tooLong(armType string) string {
	if kind := strings.Join(kindSegments(armType), ""); len(kind) > config.LongestKind {
		return kind
	}
	return ""
}

// singular returns a word, or several in camel case, with the last one in the
// singular.
func singular(words string) string {
	lower := strings.ToLower(words)
	if slices.ContainsFunc(unchanging, func(word string) bool { return strings.HasSuffix(lower, word) }) {
		return words
	}
	return flect.Singularize(words)
}

// plural returns the plural of a kind for group.yaml, or "" if the generator's
// own rule makes the same as controller-gen.
func plural(kind string) string {
	if p := flect.Pluralize(naming.Singular(kind)); p != naming.Plural(kind) {
		return p
	}
	return ""
}
