package naming

import "testing"

func TestVisible(t *testing.T) {
	for _, test := range []struct{ text, want, reason string }{
		{"a b\n\tc", "a b\n\tc", "white space stays"},
		{"naïve 日本 😀", "naïve 日本 😀", "letters of all scripts stay"},
		{"a\x00b\ufeffc", "abc", "Go refuses NUL and a byte order mark"},
		{"\x1b[2Ja\x7f\u0085", "[2Ja\u0085", "an escape drives a terminal"},
		{"a\u202eb\u2066c\u200bd", "abcd", "text is shown in the order in which it stands"},
		{"a\xffb", "a\ufffdb", "what is not UTF-8 is replaced"},
	} {
		if got := Visible(test.text); got != test.want {
			t.Errorf("%s: %q: got %q, want %q", test.reason, test.text, got, test.want)
		}
	}
}
