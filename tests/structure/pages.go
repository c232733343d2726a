package structure

import (
	"regexp"
	"strings"
)

// entryLimit is the number of lines that an entry of docs/decisions.md may have, and glossaryLimit the number of words
// that docs/glossary.md may explain.
const (
	entryLimit    = 5
	glossaryLimit = 30
)

// entry is a decision and its reason: a paragraph that begins with bold text, with what follows it.
type entry struct {
	name        string // the bold text
	line, lines int
}

var bold = regexp.MustCompile(`^\*\*(.+?)\*\*`)

// entriesOf returns the entries of a page. An entry ends before the next one, and before a heading. Its empty lines and
// the rows of tables do not count. The bold text of a name may go on in the next line.
func entriesOf(page string) []entry {
	var entries []entry
	inside := false
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		begins := strings.HasPrefix(line, "**")
		switch {
		case begins:
			name := bold.FindStringSubmatch(strings.Join(lines[i:min(i+2, len(lines))], " "))
			if name == nil {
				name = []string{"", line}
			}
			entries = append(entries, entry{name: name[1], line: i + 1, lines: 1})
			inside = true
		case strings.HasPrefix(line, "#"):
			inside = false
		case inside && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "|"):
			entries[len(entries)-1].lines++
		}
	}
	return entries
}

// wordsOf returns the words that the table of a glossary explains.
func wordsOf(page string) []string {
	var words []string
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) != 2 || strings.TrimSpace(cells[0]) == "word" {
			continue
		}
		for word := range strings.SplitSeq(cells[0], ",") {
			words = append(words, strings.TrimSpace(word))
		}
	}
	return words
}
