package evolution

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

func TestLimitsText(t *testing.T) {
	number := func(n float64) *float64 { return &n }
	count := func(n int64) *int64 { return &n }
	for want, p := range map[string]ir.Property{
		"":                                  {},
		"matches ^a|b$, 1 to 24 characters": {Validation: &ir.Validation{Pattern: "^a|b$", MinLength: count(1), MaxLength: count(24)}},
		"36 characters":                     {Validation: &ir.Validation{MinLength: count(36), MaxLength: count(36)}},
		"at least 1 elements, each ≤ 5": {Validation: &ir.Validation{MinItems: count(1)},
			ItemValidation: &ir.Validation{Maximum: number(5)}},
		"> 0, < 1.5, a multiple of 0.5": {Validation: &ir.Validation{Minimum: number(0), Maximum: number(1.5),
			ExclusiveMinimum: true, ExclusiveMaximum: true, MultipleOf: number(.5)}},
	} {
		if got := LimitsText(&p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
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
