package program

import (
	"strings"
	"unicode"
)

// Clean returns a text in one line without control characters and without those that change the order of others, with
// which somebody could change what a terminal or a page shows.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return ' '
		}
		return r
	}, text)
}
