package emit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

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
// quotes.
func TestEncodeYAML(t *testing.T) {
	texts := list{}
	for _, text := range []string{
		"", " ", "plain", "two words", "trailing ", " leading", "yes", "NO", "on", "y", "null", "~", "true", "1", "1e3", "0x1", "1_000", "0b1", "2021-01-01",
		"12:30", "a: b", "a:b", "a:", "a #b", "a#b", "#", "- a", "-", "a - b", "?", "? a", "!tag", "&a", "*a", "{a}", "[a]", "a]", "a, b", "|", ">",
		"%a", "@a", "`a`", "'a'", "it's", `"a"`, `say "a"`, `back\slash`, "new\nline", "tab\there", "é", "<a&b>", "\u2028", "=", "<<", ".inf", "NaN", "a\x7f",
	} {
		texts = append(texts, text)
	}
	value := node{
		"texts": texts, "number": 0.5, "whole": float64(3), "big": int64(1) << 53, "flag": true, "none": node{}, "empty": list{},
		"nested": list{node{"a": list{node{"b": "c"}, list{"d"}}, "e": node{"f": "g"}}, node{}},
		"true":   constant{"1"}, "a: b": constant{`"x"`},
	}
	want := map[string]any{
		"texts": []any(texts), "number": 0.5, "whole": float64(3), "big": float64(int64(1) << 53), "flag": true, "none": map[string]any{}, "empty": []any{},
		"nested": []any{
			map[string]any{"a": []any{map[string]any{"b": "c"}, []any{"d"}}, "e": map[string]any{"f": "g"}}, map[string]any{},
		},
		"true": float64(1), "a: b": "x",
	}
	text := encodeYAML(value)
	var got map[string]any
	if err := yaml.UnmarshalStrict(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, text)
	}
}
