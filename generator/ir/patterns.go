package ir

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// GUID is the pattern of a GUID. JSON schemas of deployment templates have it
// where Swagger has the format uuid.
const GUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"

// OneOf returns the pattern of some names of resources, which ARM compares without case.
func OneOf(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return "^(?i:" + strings.Join(quoted, "|") + ")$"
}

// The shorthands \w, \d and \s as classes of characters. Azure's services are written for
// .NET, where they have letters, digits and spaces of all scripts. In RE2 they have those
// of ASCII.
const (
	wordClass  = `\p{L}\p{Mn}\p{Nd}\p{Pc}`
	digitClass = `\p{Nd}`
	spaceClass = `\t-\r\x{85}\p{Z}`
	// noSpaceClass has what spaceClass has not, for classes that have more beside.
	noSpaceClass = `\x00-\x{8}\x{e}-\x{1f}!-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}` +
		`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff}`
)

// shorthands have what stands for a shorthand alone, and what stands for it in a class.
// What \W is in a class depends on the rest of the class, see [wordWithout]; until that is
// known, a part of it stands for it.
var shorthands = map[byte]struct{ alone, inClass string }{
	'w': {"[" + wordClass + "]", wordClass}, 'W': {"[^" + wordClass + "]", `\p{Zs}`},
	'd': {digitClass, digitClass}, 'D': {`\P{Nd}`, `\P{Nd}`},
	's': {"[" + spaceClass + "]", spaceClass}, 'S': {"[^" + spaceClass + "]", noSpaceClass},
}

// forAllScripts returns an RE2 expression with the meaning that an expression of a spec has
// in .NET, as far as its shorthands are concerned. There is no Unicode form of \b in RE2.
func forAllScripts(pattern string) string {
	var out strings.Builder
	for pattern != "" {
		n := tokenLength(pattern)
		token := pattern[:n]
		pattern = pattern[n:]
		switch {
		case token[0] == '[':
			token = classForAllScripts(token)
		case len(token) == 2 && token[0] == '\\' && shorthands[token[1]].alone != "":
			token = shorthands[token[1]].alone
		}
		out.WriteString(token)
	}
	return out.String()
}

// tokenLength returns the length of a class, a quotation, an escape with its first character
// or a single byte, with which a valid expression begins.
func tokenLength(pattern string) int {
	switch {
	case strings.HasPrefix(pattern, `\Q`):
		if end := strings.Index(pattern, `\E`); end > 0 {
			return end + 2
		}
		return len(pattern)
	case pattern[0] == '[':
		i := 1 + len(pattern[1:]) - len(strings.TrimPrefix(pattern[1:], "^"))
		for first := true; first || pattern[i] != ']'; first = false {
			i += classTokenLength(pattern[i:])
		}
		return i + 1
	}
	return characterLength(pattern)
}

// classTokenLength is [tokenLength] for what is in a class, where a token may be a range too.
func classTokenLength(pattern string) int {
	if strings.HasPrefix(pattern, "[:") {
		if end := strings.Index(pattern[2:], ":]"); end >= 0 {
			return end + 4
		}
	}
	if strings.HasPrefix(strings.ToLower(pattern), `\p{`) {
		return strings.IndexByte(pattern, '}') + 1
	}
	n := characterLength(pattern)
	isClass := n == 2 && (shorthands[pattern[1]].alone != "" || pattern[1] == 'p' || pattern[1] == 'P')
	if !isClass && pattern[n] == '-' && pattern[n+1] != ']' {
		n += 1 + characterLength(pattern[n+1:])
	}
	return n
}

// characterLength returns the length of an escape with its first character, or of a byte.
func characterLength(pattern string) int {
	if pattern[0] == '\\' {
		return 2
	}
	return 1
}

// classForAllScripts is [forAllScripts] for a class with its brackets.
func classForAllScripts(class string) string {
	content, negated := strings.CutPrefix(class[1:], "^")
	var rest strings.Builder
	found, noWord := false, false
	for content != "]" {
		n := classTokenLength(content)
		token := content[:n]
		content = content[n:]
		if len(token) == 2 && token[0] == '\\' && shorthands[token[1]].alone != "" {
			found, noWord = true, noWord || token[1] == 'W'
			token = shorthands[token[1]].inClass
		}
		rest.WriteString(token)
	}
	switch {
	case !found:
		return class
	case noWord: // all but \w, or the rest, is all but what \w has and the rest has not
		return brackets(!negated, wordWithout(rest.String()))
	}
	return brackets(negated, rest.String())
}

func brackets(negated bool, content string) string {
	if content == "" { // of which nothing is in the class
		negated, content = !negated, `\x00-\x{10ffff}`
	}
	if negated {
		return "[^" + content + "]"
	}
	return "[" + content + "]"
}

// wordWithout returns the content of a class with the characters of \w that another class,
// given by its content, does not have.
func wordWithout(rest string) string {
	taken := rangesOf("[" + rest + "]")
	var out strings.Builder
	for _, category := range []struct {
		name  string
		table *unicode.RangeTable
	}{{"L", unicode.L}, {"Mn", unicode.Mn}, {"Nd", unicode.Nd}, {"Pc", unicode.Pc}} {
		whole, text := true, ""
		eachRange(category.table, func(from, to rune) {
			for at := from; at <= to; {
				next := to + 1 // where what holds of at ends
				in := false
				for i := 0; i < len(taken); i += 2 {
					switch {
					case taken[i] <= at && at <= taken[i+1]:
						in, next = true, min(next, taken[i+1]+1)
					case taken[i] > at:
						next = min(next, taken[i])
					}
				}
				if whole = whole && !in; !in {
					text += fmt.Sprintf(`\x{%x}-\x{%x}`, at, next-1)
				}
				at = next
			}
		})
		if whole {
			text = `\p{` + category.name + `}`
		}
		out.WriteString(text)
	}
	return out.String()
}

// eachRange calls f with the bounds of each range of a table, in which all characters are.
func eachRange(table *unicode.RangeTable, f func(from, to rune)) {
	each := func(from, to, stride rune) {
		if stride == 1 {
			f(from, to)
			return
		}
		for r := from; r <= to; r += stride {
			f(r, r)
		}
	}
	for _, r := range table.R16 {
		each(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		each(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
}

// rangesOf returns the bounds of the ranges of a valid class.
func rangesOf(class string) []rune {
	tree, err := syntax.Parse(class, syntax.Perl)
	switch {
	case err != nil || tree.Op == syntax.OpNoMatch:
		return nil
	case tree.Op == syntax.OpLiteral: // of one character
		return []rune{tree.Rune[0], tree.Rune[0]}
	case tree.Op == syntax.OpCharClass:
		return tree.Rune
	}
	return []rune{0, unicode.MaxRune} // it has all characters
}
