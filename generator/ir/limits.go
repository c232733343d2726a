package ir

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Checked returns the limits that Kubernetes checks, as it checks them, or nil if there
// are none. The pattern means there what it means to ARM.
func (v *Validation) Checked() *Validation {
	if v == nil {
		return nil
	}
	checked := *v
	checked.Pattern = forAllScripts(v.Pattern)
	checked.OtherPattern, checked.Format, checked.UniqueItems = "", "", false
	return checked.OrNil()
}

// OrNil returns v, or nil if it has no limits.
func (v *Validation) OrNil() *Validation {
	if v == nil || *v == (Validation{}) {
		return nil
	}
	return v
}

// SetPattern sets the pattern, and reports whether it is an RE2 expression.
func (v *Validation) SetPattern(pattern string) bool {
	v.Pattern, v.OtherPattern = pattern, ""
	if _, err := regexp.Compile(pattern); err != nil {
		v.Pattern, v.OtherPattern = "", pattern
	}
	return v.OtherPattern == ""
}

// Words returns the limits on a text in words, such as "3 to 24 characters that match
// ^[a-z]+$".
func (v *Validation) Words() string {
	length := ""
	switch least, most := v.MinLength, v.MaxLength; {
	case least != nil && most != nil && *least == *most:
		length = fmt.Sprintf("%d characters", *least)
	case least != nil && *least > 0 && most != nil:
		length = fmt.Sprintf("%d to %d characters", *least, *most)
	case most != nil:
		length = fmt.Sprintf("at most %d characters", *most)
	case least != nil && *least > 0:
		length = fmt.Sprintf("at least %d characters", *least)
	}
	switch {
	case v.Pattern == "":
		return length
	case length == "":
		return "a match of " + v.Pattern
	}
	return length + " that match " + v.Pattern
}

// Limits returns the limits of values, such as "maxLength 24", in one order, without those that
// limit nothing, and without formats, which are types.
func (v *Validation) Limits() (all []string) {
	if v == nil {
		return nil
	}
	for _, pattern := range []string{v.Pattern, v.OtherPattern} {
		if pattern != "" {
			all = append(all, fmt.Sprintf("pattern %q", pattern))
		}
	}
	for _, n := range []struct {
		name  string
		value *int64
	}{{"minLength", v.MinLength}, {"maxLength", v.MaxLength}, {"minItems", v.MinItems}, {"maxItems", v.MaxItems}} {
		if n.value != nil && (*n.value > 0 || strings.HasPrefix(n.name, "max")) {
			all = append(all, fmt.Sprint(n.name, " ", *n.value))
		}
	}
	for _, n := range []struct {
		name  string
		value *float64
	}{{"minimum", v.Minimum}, {"maximum", v.Maximum}, {"multipleOf", v.MultipleOf}} {
		if n.value != nil {
			all = append(all, n.name+" "+strconv.FormatFloat(*n.value, 'f', -1, 64))
		}
	}
	return all
}
