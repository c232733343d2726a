package naming

import (
	"strings"
	"unicode"
)

// Visible returns a text without characters that a reader does not see. Go allows
// some of them nowhere, such as NUL and a byte order mark; others drive a terminal,
// or change the order in which text is shown.
func Visible(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, text)
}

// isASCII reports whether a text has only visible characters and white space of
// ASCII.
func isASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// Paragraphs returns the words of each paragraph of a text, without characters that a
// reader does not see. A blank line starts a paragraph.
func Paragraphs(text string) [][]string {
	var all [][]string
	var words []string
	end := func() {
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	for line := range strings.Lines(Visible(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			end()
		}
		words = append(words, fields...)
	}
	end()
	return all
}
