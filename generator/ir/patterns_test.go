package ir_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

// TestRandomPatterns tests that a valid expression stays one, that nothing but shorthands
// changes, and that a class of ASCII characters has the same of these.
func TestRandomPatterns(t *testing.T) {
	parts := strings.Fields(`[ [ [^ ] ] ] \w \W \d \D \s \S - : [: :] [:digit:] \Q \E \\ \] \[ a 5 _ ^ $ | . \x{41} \pL \p{Lu} é`)
	valid := 0
	for seed := range uint64(30_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var text strings.Builder
		for range 1 + r.IntN(8) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		pattern := text.String()
		before, err := regexp.Compile(pattern)
		if err != nil {
			continue
		}
		valid++
		checked := (&ir.Validation{Pattern: pattern}).Checked()
		after, err := regexp.Compile(checked.Pattern)
		if err != nil {
			t.Fatalf("seed %d: %s became %s: %v", seed, pattern, checked.Pattern, err)
		}
		for r := range rune(128) {
			// \v is no space of RE2.
			if r != '\v' && before.MatchString(string(r)) != after.MatchString(string(r)) {
				t.Fatalf("seed %d: %s matches %q: %v, and so does not %s", seed, pattern, r, before.MatchString(string(r)), checked.Pattern)
			}
		}
	}
	if valid < 3_000 {
		t.Errorf("%d patterns are valid", valid)
	}
}

// TestPatterns tests that the shorthands of the patterns in specs mean what they mean to
// Azure's services, which are written for .NET: letters and digits of all scripts.
func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		behavior, pattern, want string
		matches, others         []string
	}{
		{"the name of a resource group", `^[-\w\._\(\)]+$`, `^[-\p{L}\p{Mn}\p{Nd}\p{Pc}\._\(\)]+$`,
			[]string{"Instruktører", "ресурсы", "資源", "a-b_(1).٣"}, []string{"a b", "a/b", "½", ""}},
		{"digits", `^\d+$`, `^\p{Nd}+$`, []string{"12", "٣"}, []string{"½", "a"}},
		{"spaces", `^\s$`, `^[\t-\r\x{85}\p{Z}]$`, []string{" ", "\t", "\v", "\u00a0", "\u2028", "\u0085"}, []string{"a", "\u200b"}},
		{"no letters", `^\W$`, `^[^\p{L}\p{Mn}\p{Nd}\p{Pc}]$`, []string{"-", " ", "½"}, []string{"a", "ø", "_", "‿"}},
		{"no digits", `^\D$`, `^\P{Nd}$`, []string{"a", "½"}, []string{"1", "٣"}},
		{"no spaces", `^\S$`, `^[^\t-\r\x{85}\p{Z}]$`, []string{"a", "\u200b"}, []string{" ", "\u00a0", "\v"}},
		{"no digits in a class", `^[\D5]$`, `^[\P{Nd}5]$`, []string{"a", "5"}, []string{"1", "٣"}},
		{"no spaces in a class", `^[\S ]$`, "", []string{"a", " ", "\u200b", "\U0010ffff"}, []string{"\u00a0", "\v", "\u2003"}},
		{"a class without some", `^[^\s\d-]$`, `^[^\t-\r\x{85}\p{Z}\p{Nd}-]$`, []string{"a"}, []string{" ", "٣", "-"}},
		{"letters but for one", `^[^\W_]$`, "", []string{"a", "ø", "٣", "‿"}, []string{"_", "-", " "}},
		{"letters but for some letters", `^[^\Wa-c]$`, "", []string{"d", "ø", "A", "1", "_"}, []string{"a", "b", "c", "-"}},
		{"no letters in a class, or one", `^[\W_x]$`, "", []string{"-", "_", "x", " "}, []string{"a", "ø", "y", "‿"}},
		{"all characters", `^[\w\W]$`, "", []string{"a", "-", "ø", "\n"}, nil},
		{"all characters, by spaces", `^[\s\S]$`, "", []string{"a", " ", "\u00a0"}, nil},
		{"no character", `^[^\w\W]$`, "", nil, []string{"a", "-"}},
		{"a bracket in a class", `^[]\w[]$`, `^[]\p{L}\p{Mn}\p{Nd}\p{Pc}[]$`, []string{"]", "[", "ø"}, []string{"-"}},
		{"a class with a name", `^[[:^digit:]\d]$`, `^[[:^digit:]\p{Nd}]$`, []string{"1", "a"}, nil},
		{"a hyphen behind", `^[\w-.]$`, `^[\p{L}\p{Mn}\p{Nd}\p{Pc}-.]$`, []string{"-", ".", "ø"}, []string{"/"}},
		{"a backslash before a letter", `^\\w[\\w]$`, `^\\w[\\w]$`, []string{`\ww`, `\w\`}, []string{`\wø`}},
		{"quoted text", `^\Q\w[\E\w$`, `^\Q\w[\E[\p{L}\p{Mn}\p{Nd}\p{Pc}]$`, []string{`\w[ø`}, []string{`ø`}},
		{"what has no shorthand", `^[a-z](?i:x)\p{Lu}\x{85}\.$`, `^[a-z](?i:x)\p{Lu}\x{85}\.$`, nil, nil},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			got := (&ir.Validation{Pattern: test.pattern}).Checked()
			if test.want != "" && got.Pattern != test.want {
				t.Errorf("%s became %s, want %s", test.pattern, got.Pattern, test.want)
			}
			if again := got.Checked(); again.Pattern != got.Pattern {
				t.Errorf("%s became %s", got.Pattern, again.Pattern)
			}
			expression, err := regexp.Compile(got.Pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range test.matches {
				if !expression.MatchString(text) {
					t.Errorf("%s, which was %s, does not match %q", got.Pattern, test.pattern, text)
				}
			}
			for _, text := range test.others {
				if expression.MatchString(text) {
					t.Errorf("%s, which was %s, matches %q", got.Pattern, test.pattern, text)
				}
			}
		})
	}
}
