package structure

import (
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits, in columns. A tab counts as four.
const (
	codeLimit  = 140
	proseLimit = 120
	tab        = "    "
)

// longString is the number of columns from which a string literal of a test may make its line too long.
const longString = 100

var (
	generated = regexp.MustCompile(`(?m)^(// Code generated .* DO NOT EDIT\.|""".*; do not edit\.""")$`)
	structTag = regexp.MustCompile("^`\\w+:\"")
	directive = regexp.MustCompile(`^(//\w+:|(//|#) gazelle:)`)
)

// long is a line that has more columns than its limit.
type long struct{ number, columns, limit int }

// tooLong returns the lines of a file that are too long. Only the formats that people write by hand are checked.
func tooLong(file, text string) []long {
	limits := limitsOf(file, text)
	var found []long
	for i, line := range strings.Split(text, "\n") {
		if i >= len(limits) || limits[i] == 0 {
			continue
		}
		columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", tab))
		if columns > limits[i] {
			found = append(found, long{i + 1, columns, limits[i]})
		}
	}
	return found
}

// limitsOf returns the limit of each line of a file. A line with the limit 0 may have any length.
func limitsOf(file, text string) []int {
	lines := strings.Split(text, "\n")
	switch {
	case isVerbatim(file) || generated.MatchString(text):
		return nil
	case path.Ext(file) == ".go":
		return limitsOfGo(lines, text, isTest(file))
	case path.Ext(file) == ".md":
		return limitsOfMarkdown(lines)
	case slices.Contains([]string{".bzl", ".bazel", ".sh", ".yaml", ".bazelrc"}, path.Ext(file)), strings.HasPrefix(text, "#!"):
		return limitsOfComments(lines)
	}
	return nil
}

// isVerbatim reports whether the text of a file is what a test reads or expects, or a template for the text of an
// output. The README files beside these are prose.
func isVerbatim(file string) bool {
	if path.Base(file) == "README.md" {
		return false
	}
	return slices.ContainsFunc(strings.Split(file, "/"), func(name string) bool {
		return name == "testdata" || name == "templates" || strings.HasPrefix(name, "expected")
	})
}

func isTest(file string) bool {
	return strings.HasSuffix(file, "_test.go") || slices.Contains(strings.Split(file, "/"), "tests")
}

// limitsOfGo gives code its limit and comments theirs. Exempt are struct tags, directives, and in tests long string
// literals, which are harder to read in pieces.
func limitsOfGo(lines []string, text string, isTest bool) []int {
	limits := slices.Repeat([]int{codeLimit}, len(lines))
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var tokens scanner.Scanner
	tokens.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		pos, kind, literal := tokens.Scan()
		if kind == token.EOF {
			return limits
		}
		first := file.PositionFor(pos, false).Line - 1
		last := first + strings.Count(literal, "\n")
		switch {
		case kind == token.COMMENT:
			for i := first; i <= last; i++ {
				if i > first || startsWithComment(lines[i]) {
					limits[i] = proseLimitOf(lines[i])
				}
			}
		case kind == token.STRING && isExempt(literal, isTest):
			for i := first; i <= last; i++ {
				limits[i] = 0
			}
		}
	}
}

// startsWithComment reports whether a line of Go has nothing before its comment.
func startsWithComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*")
}

// isExempt reports whether a string literal may be longer than its line.
func isExempt(literal string, isTest bool) bool {
	return structTag.MatchString(literal) || isTest && utf8.RuneCountInString(literal) > longString
}

// limitsOfMarkdown gives prose its limit. Exempt are tables and fenced blocks, which show files and output.
func limitsOfMarkdown(lines []string) []int {
	limits := make([]int, len(lines))
	fenced := false
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			fenced = !fenced
			continue
		}
		if !fenced && !strings.HasPrefix(trimmed, "|") {
			limits[i] = proseLimitOf(line)
		}
	}
	return limits
}

// limitsOfComments gives the comments that begin with # their limit, and the text between triple quotes.
func limitsOfComments(lines []string) []int {
	limits := make([]int, len(lines))
	quoted := false
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if quoted || strings.HasPrefix(trimmed, "#") || strings.Contains(line, `"""`) {
			limits[i] = proseLimitOf(line)
		}
		quoted = quoted != (strings.Count(line, `"""`)%2 == 1)
	}
	return limits
}

// proseLimitOf returns the limit of a line of prose. Exempt are directives and URLs, which cannot be broken.
func proseLimitOf(line string) int {
	if strings.Contains(line, "://") || directive.MatchString(strings.TrimSpace(line)) {
		return 0
	}
	return proseLimit
}
