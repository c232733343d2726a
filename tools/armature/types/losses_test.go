package types

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/runtime/remainder"
)

// What a user has named like a bag must be shown as it is.
func TestUnpack(t *testing.T) {
	packedAt := func(version string, value any) map[string]any {
		return map[string]any{"value": value, "version": version}
	}
	packed := packedAt("2014-04-04", "x")
	for _, test := range []struct {
		name  string
		entry remainder.Entry
		want  string
	}{
		{"an entry of a bag", remainder.Entry{Path: "spec.$propertyBag.alphakey", Stored: packed, InBag: true},
			`spec.ALPHAKEY of 2014-04-04: "x"`},
		{"with a version in its key", remainder.Entry{Path: "spec.$propertyBag.alphakey@2014-04-04", Stored: packed, InBag: true},
			`spec.ALPHAKEY of 2014-04-04: "x"`},
		{"with a quoted key", remainder.Entry{Path: `spec.$propertyBag["@odata.type@2014-04-04"]`, Stored: packed, InBag: true},
			`spec.@ODATA.TYPE of 2014-04-04: "x"`},
		{"below a user's key that looks like a path into a bag",
			remainder.Entry{Path: `spec.rules["a.$propertyBag.b"].$propertyBag["c.d"]`, Stored: packed, InBag: true},
			`spec.rules["a.$propertyBag.b"].C.D of 2014-04-04: "x"`},
		{"below a user's key that is called like a bag",
			remainder.Entry{Path: "spec.rules.$propertyBag.$propertyBag.note", Stored: packed, InBag: true},
			`spec.rules.$propertyBag.NOTE of 2014-04-04: "x"`},
		{"a user's JSON that looks like an entry", remainder.Entry{Path: "spec.any.$propertyBag.note", Stored: packed},
			`spec.any.$propertyBag.note.value: "x"` + "\n" + `spec.any.$propertyBag.note.version: "2014-04-04"`},
		{"an object that has a bag, and one within that",
			remainder.Entry{Path: "spec.$propertyBag.home", InBag: true, Stored: packedAt("2016-06-06", map[string]any{
				"street": "Rue", "$propertyBag": map[string]any{"place": packedAt("2020-10-10", map[string]any{
					"latitude": 1.5, "$propertyBag": map[string]any{"height": packedAt("2021-11-11", int64(3))},
				})},
			})},
			"spec.HOME.PLACE.HEIGHT of 2021-11-11: 3\nspec.HOME.PLACE.latitude of 2020-10-10: 1.5\n" +
				`spec.HOME.street of 2016-06-06: "Rue"`},
		{"a list of objects", remainder.Entry{Path: "spec.rules", Stored: []any{
			map[string]any{"name": "a", "ports": []any{int64(80), int64(81)}}, map[string]any{"a.b": true}, "x"}},
			`spec.rules[0].name: "a"` + "\n" + `spec.rules[0].ports: [80,81]` + "\n" +
				`spec.rules[1]["a.b"]: true` + "\n" + `spec.rules[2]: "x"`},
		{"what is empty", remainder.Entry{Path: "spec.a", Stored: map[string]any{"b": map[string]any{}, "c": []any{}, "d": nil}},
			"spec.a.b: {}\nspec.a.c: []"},
		{"nothing", remainder.Entry{Path: "spec.a", Stored: nil}, ""},
		{"an object of a user that is called like a bag", remainder.Entry{Path: "spec.any", Stored: map[string]any{
			"$propertyBag": map[string]any{"note": "x"}}}, `spec.any.$propertyBag.note: "x"`},
		{"a quote in a user's key", remainder.Entry{Path: `spec.any["a[\"b.c"]`, Stored: int64(1)}, `spec.any["a[\"b.c"]: 1`},
	} {
		upper := func(_, key string) string {
			name := []byte(key)
			for i, c := range name {
				if 'a' <= c && c <= 'z' {
					name[i] = c - 'a' + 'A'
				}
			}
			return string(name)
		}
		var lines []string
		for _, l := range unpack(test.entry, upper) {
			lines = append(lines, l.String())
		}
		if diff := cmp.Diff(test.want, strings.Join(lines, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
