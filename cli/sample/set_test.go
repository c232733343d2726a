package sample

import "testing"

func TestSet(t *testing.T) {
	const object = "# a comment\nkind: Redis\nspec:\n  zones:\n  - \"1\"\n  sku:\n    name: Basic # small\n"
	for _, test := range []struct{ reason, set, want, err string }{
		{"a value is replaced, and all else stays", "spec.sku.name=Premium",
			"# a comment\nkind: Redis\nspec:\n  zones:\n  - \"1\"\n  sku:\n    name: Premium\n", ""},
		{"an element of a list", "spec.zones.0='3'",
			"# a comment\nkind: Redis\nspec:\n  zones:\n  - '3'\n  sku:\n    name: Basic # small\n", ""},
		{"an empty value is a text", "kind=",
			"# a comment\nkind: \"\"\nspec:\n  zones:\n  - \"1\"\n  sku:\n    name: Basic # small\n", ""},
		{"an element that there is not", "spec.zones.1=3", "", "--set: found 1 in spec.zones.1, expected a number below 1: it is a list"},
		{"no number of an element", "spec.zones.a=3", "", "--set: found a in spec.zones.a, expected a number below 1: it is a list"},
	} {
		s, err := parseSetting(test.set)
		if err != nil {
			t.Fatal(err)
		}
		got, err := setAll(object, []setting{s})
		if test.err == "" && err != nil || test.err != "" && (err == nil || err.Error() != test.err) || got != test.want {
			t.Errorf("%s: got %v and\n%s\nwant %q and\n%s", test.reason, err, got, test.err, test.want)
		}
	}
	if _, err := parseSetting("spec.a={"); err == nil {
		t.Error("a value that is no YAML is taken")
	}
}
