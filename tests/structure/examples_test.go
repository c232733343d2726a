package structure

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// example matches a block of a page that is from a file of the repository.
var example = regexp.MustCompile("(?ms)^<!-- from: (\\S+) -->\n```[^\n]*\n(.*?)^```$")

// pagesOf yields the pages among files.
func pagesOf(all map[string]string) func(yield func(name, page string) bool) {
	return func(yield func(name, page string) bool) {
		for name, text := range all {
			if strings.HasSuffix(name, ".md") && !yield(name, text) {
				return
			}
		}
	}
}

// TestExamples compares the examples on pages with the files that they are from.
func TestExamples(t *testing.T) {
	all, found := files(t), 0
	for name, page := range pagesOf(all) {
		for _, e := range example.FindAllStringSubmatch(page, -1) {
			found++
			for part := range strings.SplitSeq(e[2], "...\n") {
				if !hasLines(all[e[1]], part) {
					t.Errorf("%s shows what is not in %q:\n%s", name, e[1], part)
				}
			}
		}
	}
	if found == 0 {
		t.Error("found no example")
	}
}

// patch matches a block of a page that changes a file, and hunk one of its hunks.
var (
	patch = regexp.MustCompile("(?ms)^```diff\n--- a/(\\S+)\n[^\n]*\n(.*?)^```$")
	hunk  = regexp.MustCompile(`(?m)^@@ .*\n((?:[ +-].*\n|\n)+)`)
)

// TestPatches checks that patches on pages fit the files of the repository that they change. Only the nights follow
// all pages.
func TestPatches(t *testing.T) {
	all, found := files(t), 0
	for name, page := range pagesOf(all) {
		for _, p := range patch.FindAllStringSubmatch(page, -1) {
			before, known := all[p[1]]
			if !known {
				continue // a file that an earlier step of the page writes
			}
			found++
			for _, h := range hunk.FindAllStringSubmatch(p[2], -1) {
				if !strings.Contains(before, linesBefore(h[1])) {
					t.Errorf("%s patches what is not in %s:\n%s", name, p[1], h[0])
				}
			}
		}
	}
	if found == 0 {
		t.Error("found no patch")
	}
}

// linesBefore returns the lines that a hunk is for.
func linesBefore(hunk string) string {
	var lines strings.Builder
	for line := range strings.Lines(hunk) {
		if !strings.HasPrefix(line, "+") {
			lines.WriteString(strings.TrimLeft(line[:1], " -") + line[1:])
		}
	}
	return lines.String()
}

// hasLines reports whether a text has lines one after the other, all with the same
// indentation before them.
func hasLines(text, lines string) bool {
	have, want := strings.Split(text, "\n"), strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	for i := range len(have) - len(want) + 1 {
		indent, is := strings.CutSuffix(have[i], want[0])
		if !is || strings.TrimSpace(indent) != "" {
			continue
		}
		indented := make([]string, len(want))
		for j, line := range want {
			if indented[j] = indent + line; line == "" {
				indented[j] = ""
			}
		}
		if slices.Equal(have[i:i+len(want)], indented) {
			return true
		}
	}
	return false
}

func TestHasLines(t *testing.T) {
	const text = "a:\n  b:\n    c\n\n  d\n"
	for lines, want := range map[string]bool{
		"b:\n  c\n\nd\n": true,
		"a:\n":           true,
		"b:\nc\n":        false, // another indentation
		"b:\n  d\n":      false,
		"c\n\nd\n":       false,
		"b\n":            false, // not the whole line
		"":               true,  // an empty line, which the text has
	} {
		if got := hasLines(text, lines); got != want {
			t.Errorf("%q: got %v, want %v", lines, got, want)
		}
	}
}
