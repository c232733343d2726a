package crd

import "testing"

func TestFirstSentence(t *testing.T) {
	for _, test := range []struct{ doc, want, reason string }{
		{"", "", "no doc"},
		{"One\nline. Two.", "One line.", "white space is one space"},
		{"No period", "No period", "one sentence without an end"},
		{"A name, e.g. Of a cache. More.", "A name, e.g. Of a cache.", "an abbreviation ends nothing"},
		{"Version 1.2 or 4. not more. More.", "Version 1.2 or 4. not more.", "no sentence starts with a small letter"},
		{"Is it? Yes.", "Is it?", "other ends"},
		{"(All of it.) More.", "(All of it.)", "an end in brackets"},
		{"First\n\nSecond.", "First", "a paragraph ends a sentence"},
		{"Times etc.", "Times etc.", "an abbreviation at the end"},
	} {
		if got := firstSentence(test.doc); got != test.want {
			t.Errorf("%s: %q: got %q, want %q", test.reason, test.doc, got, test.want)
		}
	}
}

// TestEncodeYAML reads back texts that YAML would not take for strings without
