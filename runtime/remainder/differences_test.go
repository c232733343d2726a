package remainder

import (
	"strings"
	"testing"
)

func TestDifferences(t *testing.T) {
	for _, test := range []struct{ why, a, b, want string }{
		{"none", `{"name":"a","parts":{"x":{"B":1}},"rules":[{"amount":1}]}`,
			`{"name":"a","parts":{"x":{"B":1}},"rules":[{"amount":1}]}`, ``},
		{"a value", `{"name":"a"}`, `{"name":"b"}`, `name`},
		{"one that only one has", `{"name":"a","part":{"id":"x"}}`, `{"amount":1,"part":{}}`, `amount name part.id`},
		{"an object that only one has", `{"part":{"id":"x"}}`, `{}`, `part`},
		{"keys of maps", `{"plain":{"a":{},"b":{"name":"x"}}}`, `{"plain":{"b":{"name":"y"},"c":{}}}`, `plain.a plain.b.name plain.c`},
		{"an odd key", `{"tags":{"a.b":"x"}}`, `{"tags":{"a.b":"y"}}`, `tags["a.b"]`},
		{"elements", `{"zones":["a","b"],"rules":[{"id":"1"},{}]}`, `{"zones":["a","c"],"rules":[{"id":"2"},{}]}`, `rules[0].id zones[1]`},
		{"the number of elements", `{"zones":["a"],"rules":[{"id":"1"},{}]}`, `{"zones":[],"rules":[{"id":"1"}]}`, `rules zones`},
		{"an absent element and an empty one", `{"grid":[null]}`, `{"grid":[[]]}`, `grid[0]`},
		{"null", `{"parts":{"a":null,"b":null}}`, `{"parts":{"a":{},"b":null}}`, `parts.a`},
		{"untyped JSON by its meaning", `{"any":{"a":1.0,"b":[]}}`, `{"any":{"b":[],"a":1}}`, ``},
		{"other untyped JSON", `{"any":{"a":1}}`, `{"any":{"a":2}}`, `any`},
		{"entries of bags, with their versions", `{"B":1,"part":{"B":1}}`, `{"B":2,"part":{}}`, `$propertyBag.h@1 part.$propertyBag.h@1`},
		{"entries of bags by their meaning", `{"$propertyBag":{"h":{"value":1,"version":"1"}}}`,
			`{"$propertyBag":{"h":{"version":"1","value":1.0}}}`, ``},
		{"an absent bag is an empty one", `{"$propertyBag":{}}`, `{}`, ``},
	} {
		t.Run(test.why, func(t *testing.T) {
			for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
				found, err := Differences(read[string](t, pair[0]), read[string](t, pair[1]))
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, d := range found {
					if d.Version != "" {
						d.Path += "@" + d.Version
					}
					got = append(got, d.Path)
				}
				if strings.Join(got, " ") != test.want {
					t.Errorf("%s and %s: got %q, want %q", pair[0], pair[1], got, test.want)
				}
			}
		})
	}
	t.Run("values in interfaces", func(t *testing.T) {
		type half struct {
			Spec any `json:"spec"`
		}
		found, err := Differences(&half{read[string](t, `{"name":"a"}`)}, &half{read[string](t, `{"name":"b"}`)})
		if err != nil || len(found) != 1 || found[0].Path != "spec.name" {
			t.Errorf("%v, %v", found, err)
		}
	})
}
