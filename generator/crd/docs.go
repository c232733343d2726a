package crd

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/shape"
)

// docLevel says how much of the docs a schema keeps.
type docLevel int

// The levels of docs.
const (
	noDocs docLevel = iota
	firstSentences
	fullDocs
)

// keep returns the part of a doc that the level keeps.
func (l docLevel) keep(doc string) string {
	switch l {
	case noDocs:
		return ""
	case firstSentences:
		return firstSentence(doc)
	}
	return flow(doc)
}

// flow returns a doc with one line for each paragraph.
func flow(doc string) string {
	var lines []string
	for _, words := range naming.Paragraphs(doc) {
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

// abbreviations end in a period that does not end the sentence.
var abbreviations = []string{"e.g.", "i.e.", "etc.", "vs.", "eg.", "ie.", "cf.", "incl.", "no.", "ex."}

// firstSentence returns the first sentence of a doc's first paragraph. A period
// ends it if a space and no lower-case letter follow.
func firstSentence(doc string) string {
	all := naming.Paragraphs(doc)
	if len(all) == 0 {
		return ""
	}
	words := all[0]
	for i, word := range words {
		word = strings.TrimRight(word, `)"'`)
		if !strings.HasSuffix(word, ".") && !strings.HasSuffix(word, "!") && !strings.HasSuffix(word, "?") {
			continue
		}
		abbreviated := slices.Contains(abbreviations, strings.ToLower(strings.TrimLeft(word, `("'`)))
		if i+1 < len(words) && (abbreviated || startsLower(words[i+1])) {
			continue
		}
		return strings.Join(words[:i+1], " ")
	}
	return strings.Join(words, " ")
}

func startsLower(word string) bool { return word[0] >= 'a' && word[0] <= 'z' }

// describe adds the part of a doc that the schema keeps, if there is any.
func (s *schemer) describe(n *schema, docs ...string) *schema { return s.describeKnown(n, "", docs...) }

// describeKnown adds the part of a doc that the schema keeps, and the values of an
// open enum.
func (s *schemer) describeKnown(n *schema, known string, docs ...string) *schema {
	kept := ""
	for _, doc := range docs {
		if kept = s.docs.keep(doc); kept != "" {
			break
		}
	}
	if s.docs != noDocs {
		kept = shape.WithKnown(kept, naming.Visible(known))
	}
	n.Description = kept
	return n
}
