package manifests

import (
	"fmt"
	"strings"
)

// Demand is what some versions of a kind require of an object in a Spec, and their schemas do
// not, because an object of another version may lack it.
type Demand struct {
	Kind     string
	Versions []string
	// Steps lead to the object from the Spec.
	Steps []Step
	// Property is the property that it must have. A union has Variants instead, of which it
	// must have one; a schema allows no two.
	Property string
	Variants []string
}

// Expected says what is required.
func (d Demand) Expected() string {
	if d.Property != "" {
		return pathOf(d.Steps) + "." + d.Property
	}
	return fmt.Sprintf("one of %s in %s", strings.Join(d.Variants, ", "), pathOf(d.Steps))
}

// missing returns expressions in CEL, which together list what an object lacks.
func missing(demands []Demand) []string {
	var checks []check
	for _, d := range demands {
		has := func(value string) string { return fmt.Sprintf("%s[?'%s'].hasValue()", value, d.Property) }
		if d.Property == "" {
			has = func(value string) string {
				return fmt.Sprintf("%s.exists(w, %s[?w].hasValue())", celList(d.Variants), value)
			}
		}
		text := fmt.Sprintf("%s ? '' : '%s'", holds("object.spec", false, d.Steps, has, 'a'), d.Expected())
		checks = append(checks, check{d.Kind, d.Versions, text})
	}
	return wrongs(checks)
}
