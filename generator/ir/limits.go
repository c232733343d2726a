package ir

import "fmt"

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
