package report

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
		if got := limitsText(&p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
