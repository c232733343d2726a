package swagger

import (
	"fmt"

	"github.com/armature-dev/armature/generator/ir"
)

// forKind is the kind of values that a keyword of validation applies to.
type forKind uint8

const (
	forStrings forKind = 1 << iota
	forNumbers
	forArrays
)

// keywords are the limits that the raw form has.
var keywords = []struct {
	name string
	kind forKind
	set  func(v *ir.Validation, s schema) bool
}{
	{"pattern", forStrings, func(v *ir.Validation, s schema) bool { v.Pattern = s.node.Text(); return v.Pattern != "" }},
	{"format", forStrings | forNumbers, func(v *ir.Validation, s schema) bool { v.Format = s.node.Text(); return true }},
	{"minLength", forStrings, func(v *ir.Validation, s schema) bool { return setInt(&v.MinLength, s) }},
	{"maxLength", forStrings, func(v *ir.Validation, s schema) bool { return setInt(&v.MaxLength, s) }},
	{"minimum", forNumbers, func(v *ir.Validation, s schema) bool { return setFloat(&v.Minimum, s) }},
	{"maximum", forNumbers, func(v *ir.Validation, s schema) bool { return setFloat(&v.Maximum, s) }},
	{"exclusiveMinimum", forNumbers, func(v *ir.Validation, s schema) bool { v.ExclusiveMinimum = s.node.True(); return true }},
	{"exclusiveMaximum", forNumbers, func(v *ir.Validation, s schema) bool { v.ExclusiveMaximum = s.node.True(); return true }},
	{"multipleOf", forNumbers, func(v *ir.Validation, s schema) bool { return setFloat(&v.MultipleOf, s) }},
	{"minItems", forArrays, func(v *ir.Validation, s schema) bool { return setInt(&v.MinItems, s) }},
	{"maxItems", forArrays, func(v *ir.Validation, s schema) bool { return setInt(&v.MaxItems, s) }},
	{"uniqueItems", forArrays, func(v *ir.Validation, s schema) bool { v.UniqueItems = s.node.True(); return true }},
}

// unchecked are the limits that Kubernetes cannot check.
var unchecked = []string{"uniqueItems", "minProperties", "maxProperties", "patternProperties"}

func setInt(to **int64, s schema) bool {
	value, ok := s.node.Int()
	if ok {
		*to = &value
	}
	return ok
}

func setFloat(to **float64, s schema) bool {
	value, ok := s.node.Float()
	if ok {
		*to = &value
	}
	return ok
}

// validation returns the limits on a value of some kind, or nil if there are
// none. It drops limits that do not apply or cannot be read, with a note.
func (r *reader) validation(c chain, kind forKind, at valueContext) *ir.Validation {
	var v ir.Validation
	for _, keyword := range keywords {
		s := c.get(keyword.name)
		reason := ""
		switch {
		case s.node == nil:
			continue
		case keyword.kind&kind == 0 && !isChecked(keyword.name):
			continue // which noteUnchecked notes, or nobody needs to know
		case keyword.kind&kind == 0:
			reason = "%s does not apply to a value of this type; it is dropped"
		case !keyword.set(&v, s):
			reason = "%s has no value of the right type; it is dropped"
		case keyword.name == "pattern":
			if !v.SetPattern(v.Pattern) {
				reason = "%s is not an RE2 expression; it is dropped"
			}
		}
		if reason != "" {
			r.note(ir.Approximated, at.owner, at.property, s, fmt.Sprintf(reason, keyword.name))
		}
	}
	return v.OrNil()
}

// isChecked reports whether Kubernetes can check a limit.
func isChecked(keyword string) bool { return keyword != "format" && keyword != "uniqueItems" }

// noteUnchecked adds notes on limits that Kubernetes cannot check.
func (r *reader) noteUnchecked(c chain, at valueContext) {
	for _, name := range unchecked {
		if s := c.get(name); s.node != nil {
			r.note(ir.Approximated, at.owner, at.property, s, name+" is not checked")
		}
	}
}
