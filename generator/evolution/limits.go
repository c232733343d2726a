package evolution

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// LimitsText returns what a property demands of its value beyond the type, "" for
// nothing.
func LimitsText(p *ir.Property) string {
	limits := validationTexts(p.Validation)
	if each := validationTexts(p.ItemValidation); len(each) > 0 {
		limits = append(limits, "each "+strings.Join(each, ", "))
	}
	return strings.Join(limits, ", ")
}

func validationTexts(v *ir.Validation) []string {
	if v == nil {
		return nil
	}
	var texts []string
	add := func(there bool, format string, args ...any) {
		if there {
			texts = append(texts, fmt.Sprintf(format, args...))
		}
	}
	add(v.Pattern != "", "matches %s", v.Pattern)
	span(add, v.MinLength, v.MaxLength, "characters")
	span(add, v.MinItems, v.MaxItems, "elements")
	least, most := "≥", "≤"
	if v.ExclusiveMinimum {
		least = ">"
	}
	if v.ExclusiveMaximum {
		most = "<"
	}
	add(v.Minimum != nil, "%s %v", least, deref(v.Minimum))
	add(v.Maximum != nil, "%s %v", most, deref(v.Maximum))
	add(v.MultipleOf != nil, "a multiple of %v", deref(v.MultipleOf))
	return texts
}

// span adds the text for a least and a greatest number of things.
func span(add func(there bool, format string, args ...any), least, most *int64, things string) {
	switch {
	case least != nil && most != nil && *least == *most:
		add(true, "%d %s", *least, things)
	case least != nil && most != nil:
		add(true, "%d to %d %s", *least, *most, things)
	default:
		add(least != nil, "at least %d %s", deref(least), things)
		add(most != nil, "at most %d %s", deref(most), things)
	}
}

func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
