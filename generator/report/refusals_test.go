package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/ir"
)

func TestRefusals(t *testing.T) {
	in := input(t, "exports: {Contoso.Crm/persons: {kind: Person}}", map[string]string{
		"2020-01-01": "Person_Spec: name string, age integer, home Home\nHome: street string, city string",
		"2021-01-01": "Person_Spec: name string, age integer, home Home, title string\nHome: street string, city string",
	})
	older, newer := in.Shapes[0], in.Shapes[1]
	if older.APIVersion > newer.APIVersion {
		older, newer = newer, older
	}
	newer.Type("Person_Spec").Property("title").Required = true
	newer.Type("Home").Property("street").Required = true
	newer.Type("Person_Spec").Property("name").Validation = &ir.Validation{MaxLength: new(int64(9))}
	older.Type("Person_Spec").Property("age").Validation = &ir.Validation{Minimum: new(1.0)}
	r := reportOf(t, in)
	got := map[string][]Refusal{}
	for _, c := range r.Resources[0].Conversions {
		got[c.From+" "+c.To] = c.Refused
	}
	want := map[string][]Refusal{
		"v20200101 v20210101": {{"spec.home.street", "required"}, {"spec.name", "at most 9 characters"}, {"spec.title", "required"}},
		"v20210101 v20200101": {{"spec.age", "≥ 1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNarrower(t *testing.T) {
	type limits = ir.Validation
	integer := func(n int64) *int64 { return &n }
	number := func(n float64) *float64 { return &n }
	for name, test := range map[string]struct {
		was, is limits
		want    [2]bool // also the other way
	}{
		"the same":                 {limits{Pattern: "a", MinLength: integer(1)}, limits{Pattern: "a", MinLength: integer(1)}, [2]bool{}},
		"another pattern":          {limits{Pattern: "a"}, limits{Pattern: "b"}, [2]bool{true, true}},
		"a pattern":                {limits{}, limits{Pattern: "b"}, [2]bool{true, false}},
		"a least length":           {limits{MinLength: integer(1)}, limits{MinLength: integer(2)}, [2]bool{true, false}},
		"a least length of 0":      {limits{}, limits{MinLength: integer(0)}, [2]bool{}},
		"a greatest length":        {limits{}, limits{MaxLength: integer(2)}, [2]bool{true, false}},
		"fewer elements":           {limits{MaxItems: integer(3)}, limits{MaxItems: integer(2)}, [2]bool{true, false}},
		"more elements":            {limits{}, limits{MinItems: integer(2)}, [2]bool{true, false}},
		"a minimum":                {limits{}, limits{Minimum: number(0)}, [2]bool{true, false}},
		"a minimum that is not in": {limits{Minimum: number(0)}, limits{Minimum: number(0), ExclusiveMinimum: true}, [2]bool{true, false}},
		"a maximum":                {limits{Maximum: number(2)}, limits{Maximum: number(1)}, [2]bool{true, false}},
		"a maximum that is not in": {limits{Maximum: number(0)}, limits{Maximum: number(0), ExclusiveMaximum: true}, [2]bool{true, false}},
		"a multiple of a multiple": {limits{MultipleOf: number(6)}, limits{MultipleOf: number(3)}, [2]bool{false, true}},
		"a multiple":               {limits{}, limits{MultipleOf: number(3)}, [2]bool{true, false}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := [2]bool{narrower(&test.was, &test.is), narrower(&test.is, &test.was)}; got != test.want {
				t.Errorf("found %v, want %v", got, test.want)
			}
		})
	}
}
