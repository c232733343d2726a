package ir

import (
	"fmt"
	"regexp"
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
