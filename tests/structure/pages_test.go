package structure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDecisions checks that docs/decisions.md has each decision and its reason in few lines, and docs/glossary.md few
// words.
func TestDecisions(t *testing.T) {
	all := files(t)
	t.Run("an entry of docs/decisions.md has at most five lines", func(t *testing.T) {
		const page = "docs/decisions.md"
		entries := entriesOf(all[page])
		if len(entries) < 50 {
			t.Errorf("%s has %d entries, expected more: an entry begins with bold text", page, len(entries))
		}
		for _, e := range entries {
			if e.lines > entryLimit {
				t.Errorf("%s:%d: %q has %d lines, expected at most %d: the decision and its reason; how it works belongs "+
					"to ARCHITECTURE.md or to the page of the feature", page, e.line, e.name, e.lines, entryLimit)
			}
		}
	})
	t.Run("docs/glossary.md explains at most 30 words, each once", func(t *testing.T) {
		const page = "docs/glossary.md"
		words, seen := wordsOf(all[page]), map[string]bool{}
		if len(words) == 0 || len(words) > glossaryLimit {
			t.Errorf("%s explains %d words, expected 1 to %d: a page explains what it alone needs", page, len(words), glossaryLimit)
		}
		for _, word := range words {
			if seen[word] {
				t.Errorf("%s explains %q twice", page, word)
			}
			seen[word] = true
		}
	})
}

func TestEntriesOf(t *testing.T) {
	const page = `# Page

Text before the first entry.

## Section

**One.** Its reason
in two lines.

**Two whose name
goes on**: a list.

- a
  b

| table | row |

More of it.

## Next

Text that belongs to no entry.

**Three**
`
	want := []entry{{"One.", 7, 2}, {"Two whose name goes on", 10, 5}, {"Three", 24, 1}}
	if diff := cmp.Diff(want, entriesOf(page), cmp.AllowUnexported(entry{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWordsOf(t *testing.T) {
	const page = "# Glossary\n\n| word | meaning |\n|---|---|\n| hub | What is stored. |\n| link, neighbour | A pair. |\n"
	if diff := cmp.Diff([]string{"hub", "link", "neighbour"}, wordsOf(page)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
