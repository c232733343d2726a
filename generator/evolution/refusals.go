package evolution

import (
	"math"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// Refusal describes what a version demands of a property of a Spec, and other versions do
// not: an object that comes from them may have a value that would be refused in a new
// object. See docs/policies.md.
type Refusal struct {
	// Path is as in [Property].
	Path string `json:"path"`
	// What says what is demanded.
	What string `json:"what"`
	// At names the version that demands it.
	At string `json:"at"`
	// Of lists the versions that do not.
	Of []string `json:"of"`
}

// addRefusals adds what versions demand of the property of a row.
func (m *matrix) addRefusals(r *row) {
	if m.steady(r) || !strings.HasPrefix(r.path, halves[0].path+".") {
		return
	}
	for to, name := range m.names {
		first := len(m.kind.Refused)
		for from, other := range m.names {
			for _, what := range m.refusals(r, from, to) {
				i := slices.IndexFunc(m.kind.Refused[first:], func(o *Refusal) bool { return o.What == what })
				if i < 0 {
					i = len(m.kind.Refused) - first
					m.kind.Refused = append(m.kind.Refused, &Refusal{Path: r.path, What: what, At: name})
				}
				m.kind.Refused[first+i].Of = append(m.kind.Refused[first+i].Of, other)
			}
		}
	}
}

// steady reports whether all versions that have the object around a property have it, and
// demand the same of it.
func (m *matrix) steady(r *row) bool {
	var first *member
	for i, c := range r.cells {
		switch {
		case c == nil && r.parent.cells[i] == nil:
		case c == nil:
			return false
		case first == nil:
			first = c
		case !first.same(c.Span) || !slices.Equal(first.union, c.union):
			return false
		}
	}
	return true
}

// refusals returns what version to demands of a property, and version from does not.
func (m *matrix) refusals(r *row, from, to int) []string {
	was, is := r.cells[from], r.cells[to]
	if is == nil || r.parent.cells[from] == nil {
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
	if is.Members != nil && !is.Open && (was.Members == nil || was.Open || !containsAll(is.Members, was.Members)) {
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
