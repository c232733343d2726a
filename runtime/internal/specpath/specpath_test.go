package specpath

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Run("a path is the same after it was read", func(t *testing.T) {
		for _, path := range []string{
			"spec.sku.name", `spec.tags["a,b"]`, `spec.tags["a\"]b"]`, "spec.rules[name=web].port", `spec.rules[name="a]b"].port`,
			"spec.rules[name=Größe 1]", `spec.tags[""]`, `spec.a["/subscriptions/s"].b`,
		} {
			if _, err := Parse(path); err != nil || Clean(path) != path {
				t.Errorf("%s: got %s, %v", path, Clean(path), err)
			}
		}
	})
	t.Run("an error says what was expected, and where", func(t *testing.T) {
		for path, want := range map[string]string{
			"":                   `found the end after "", expected spec`,
			"tags":               `found "tags" after "", expected spec`,
			"spec":               `found the end after "spec", expected the name of a property`,
			"spec.":              `found the end after "spec.", expected the name of a property`,
			"spec.a..b":          `found ".b" after "spec.a.", expected the name of a property`,
			"spec.a b":           `found " b" after "spec.a", expected "." or "["`,
			"specs.a":            `found "s.a" after "spec", expected "." or "["`,
			"spec.tags[a]":       `found "a]" after "spec.tags[", expected a name in quotes, or name= and the name of an element`,
			"spec.tags['a']":     `found "'a']" after "spec.tags[", expected a name in quotes`,
			`spec.tags["a"`:      `found the end after "spec.tags[\"a\"", expected "]"`,
			"spec.rules[name=]":  `found "]" after "spec.rules[name=", expected the name of an element`,
			"spec.rules[name=a":  `found "a" after "spec.rules[name=", expected the name of an element`,
			"spec.rules[name=a[": `found "[" after "spec.rules[name=a", expected "]"`,
		} {
			if _, err := Parse(path); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", path, err, want)
			}
		}
	})
}

func TestClean(t *testing.T) {
	for path, want := range map[string]string{`spec["a"]`: "spec.a", `spec.a[name="b"]`: "spec.a[name=b]", "a": "a"} {
		if got := Clean(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestSplitList(t *testing.T) {
	got := SplitList(` spec.a, spec.tags["x,\",y"],,spec.list[name="a,b"].c `)
	want := []string{"spec.a", `spec.tags["x,\",y"]`, `spec.list[name="a,b"].c`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
