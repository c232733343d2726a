package report

import (
	"math"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// Refusal describes what a version demands of a property of a Spec, and the version that an
// object comes from does not: the object may have a value that would be refused in a new
// object. See docs/policies.md.
type Refusal struct {
	// Path is as in [Property].
	Path string `json:"path"`
	// What says what is demanded.
	What string `json:"what"`
}

// addRefusals adds to each conversion of the resource what its destination refuses.
func (m *matrix) addRefusals() {
	for _, c := range m.resource.Conversions {
		from, to := slices.Index(m.names, c.From), slices.Index(m.names, c.To)
		if from < 0 || to < 0 {
			continue // of an alias, which refuses what its twin does
		}
		for _, p := range m.resource.Properties {
			if strings.HasPrefix(p.Path, halves[0].path+".") {
				for _, what := range m.refusals(m.rows[p.Path], from, to) {
					c.Refused = append(c.Refused, Refusal{p.Path, what})
				}
			}
		}
	}
}

// refusals returns what version to demands of a property, and version from does not.
func (m *matrix) refusals(r *row, from, to int) []string {
	was, is, parent := r.cells[from], r.cells[to], m.rows[r.parent]
	if is == nil || parent.cells[from] == nil || parent.cells[to] == nil {
		return nil
	}
	var all []string
	if is.Required && (was == nil || !was.Required || was.Type != is.Type) {
		all = append(all, "required")
	}
	if was == nil {
		return all
	}
	if narrower(was.property.Validation, is.property.Validation) || narrower(was.property.ItemValidation, is.property.ItemValidation) {
		all = append(all, is.Limits)
	}
	if is.typ != nil && !is.Open && (was.typ == nil || was.Open || !containsAll(is.Members, was.Members)) {
		all = append(all, is.oneOf)
	}
	if is.union != nil && !containsAll(is.union, was.union) {
		all = append(all, is.oneOf)
	}
	return all
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// narrower reports whether limits refuse a value that others take. A pattern does if it is
// another one.
func narrower(was, is *ir.Validation) bool {
	if is == nil {
		return false
	}
	if was == nil {
		was = &ir.Validation{}
	}
	return is.Pattern != "" && is.Pattern != was.Pattern ||
		deref(was.MinLength) < deref(is.MinLength) || lowered(was.MaxLength, is.MaxLength) ||
		deref(was.MinItems) < deref(is.MinItems) || lowered(was.MaxItems, is.MaxItems) ||
		is.Minimum != nil && (was.Minimum == nil || *was.Minimum < *is.Minimum ||
			*was.Minimum == *is.Minimum && is.ExclusiveMinimum && !was.ExclusiveMinimum) ||
		lowered(was.Maximum, is.Maximum) ||
		is.Maximum != nil && *was.Maximum == *is.Maximum && is.ExclusiveMaximum && !was.ExclusiveMaximum ||
		is.MultipleOf != nil && (was.MultipleOf == nil || math.Mod(*was.MultipleOf, *is.MultipleOf) != 0)
}

// lowered reports whether there is a most that is less than it was.
func lowered[T int64 | float64](was, is *T) bool { return is != nil && (was == nil || *is < *was) }
