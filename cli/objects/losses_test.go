package objects

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
)

// What a user has named like a bag must be shown as it is.
func TestUnpack(t *testing.T) {
	entry := func(path, name, version, value string) remainder.Entry {
		return remainder.Entry{Path: path, Name: name, Value: propertybag.Entry{Version: version, Value: []byte(value)}}
	}
	for _, test := range []struct {
		name  string
		entry remainder.Entry
		want  string
	}{
		{"an entry of a bag", entry("spec", "alphakey", "2014-04-04", `"x"`), `spec.ALPHAKEY of 2014-04-04: "x"`},
		{"with a version in its key", entry("spec", "alphakey@2014-04-04", "2014-04-04", `"x"`),
			`spec.ALPHAKEY of 2014-04-04: "x"`},
		{"with an odd key", entry("spec", "@odata.type@2014-04-04", "2014-04-04", `"x"`),
			`spec.@ODATA.TYPE of 2014-04-04: "x"`},
		{"below a user's key that looks like a path into a bag", entry(`spec.rules["a.$propertyBag.b"]`, "c.d", "2014-04-04", `"x"`),
			`spec.rules["a.$propertyBag.b"].C.D of 2014-04-04: "x"`},
		{"a spelling of an enum", entry("spec.tier", "", "", `"GOLD"`), `spec.tier: "GOLD"`},
		{"what no version can read", remainder.Entry{Path: "spec", Name: "a.b",
			Value: propertybag.Entry{Source: []byte(`{"x":1}`)}}, `spec.$propertyBag["a.b"].x: 1`},
		{"a bag that is none", remainder.Entry{Path: "spec", Value: propertybag.Entry{Source: []byte(`"odd"`)}},
			`spec.$propertyBag[""]: "odd"`},
		{"an object that has a bag, and one within that",
			entry("spec", "home", "2016-06-06", `{"street":"Rue","$propertyBag":{"place":{"version":"2020-10-10","value":{
				"latitude":1.5,"$propertyBag":{"height":{"value":3,"version":"2021-11-11"}}}}}}`),
			"spec.HOME.PLACE.HEIGHT of 2021-11-11: 3\nspec.HOME.PLACE.latitude of 2020-10-10: 1.5\n" +
				`spec.HOME.street of 2016-06-06: "Rue"`},
		{"a list of objects", entry("spec", "rules", "1", `[{"name":"a","ports":[80,81]},{"a.b":true},"x"]`),
			`spec.RULES[0].name of 1: "a"` + "\n" + `spec.RULES[0].ports of 1: [80,81]` + "\n" +
				`spec.RULES[1]["a.b"] of 1: true` + "\n" + `spec.RULES[2] of 1: "x"`},
		{"what is empty", entry("spec", "a", "1", `{"b":{},"c":[],"d":null}`), "spec.A.b of 1: {}\nspec.A.c of 1: []"},
		{"nothing", entry("spec", "a", "1", `null`), ""},
		{"an object of a user that is called like a bag", entry("spec", "any", "1", `{"$propertyBag":{"note":"x"}}`),
			`spec.ANY.$propertyBag.note of 1: "x"`},
		{"a quote in a user's key", entry("spec", "any", "1", `{"a[\"b.c":1}`), `spec.ANY["a[\"b.c"] of 1: 1`},
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
