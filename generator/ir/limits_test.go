package ir

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	n := func(n int64) *int64 { return &n }
	for _, test := range []struct {
		limits Validation
		want   string
	}{
		{Validation{}, ""},
		{Validation{MinLength: n(0)}, ""},
		{Validation{MinLength: n(3), MaxLength: n(24)}, "3 to 24 characters"},
		{Validation{MinLength: n(5), MaxLength: n(5)}, "5 characters"},
		{Validation{MinLength: n(3)}, "at least 3 characters"},
		{Validation{MinLength: n(0), MaxLength: n(24)}, "at most 24 characters"},
		{Validation{Pattern: "^a+$"}, "a match of ^a+$"},
		{Validation{MaxLength: n(24), Pattern: "^a+$"}, "at most 24 characters that match ^a+$"},
	} {
		if got := test.limits.Words(); got != test.want {
			t.Errorf("%+v: found %q, want %q", test.limits, got, test.want)
		}
	}
}

func TestLimits(t *testing.T) {
	none, most, least := int64(0), int64(24), 0.5
	v := &Validation{Pattern: "^a", MinLength: &none, MaxLength: &most, MinItems: &most, Minimum: &least, Format: "uuid"}
	want := []string{`pattern "^a"`, "maxLength 24", "minItems 24", "minimum 0.5"}
	if got := v.Limits(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (*Validation)(nil).Limits(); got != nil {
		t.Errorf("got %q of none", got)
	}
}
