package sample

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/armature-dev/armature/generator/ir"
)

// plausible are values of properties by what their names end in, in lower case. The
// first one that fits is taken.
var plausible = []struct{ ending, value string }{
	{"location", Region},
	{"locationname", Region},
	{"region", Region},
	{"addressprefix", "10.0.0.0/16"},
	{"addressprefixes", "10.0.0.0/16"},
	{"ipaddress", "10.0.0.4"},
	{"ip", "10.0.0.4"},
	{"uri", "https://example.com/"},
	{"url", "https://example.com/"},
	{"endpoint", "https://example.com/"},
	{"email", "admin@example.com"},
	{"tenantid", UnknownID},
	{"principalid", UnknownID},
	{"objectid", UnknownID},
	{"clientid", UnknownID},
	{"time", "2030-01-01T00:00:00Z"},
	{"date", "2030-01-01T00:00:00Z"},
	{"password", "Sample-Passw0rd"},
	{"port", "80"},
	{"portrange", "80"},
}

// text returns a text for a property that obeys limits.
func text(property string, limits *ir.Validation) (string, error) {
	property = strings.ToLower(property)
	var values []string
	for _, p := range plausible {
		if strings.HasSuffix(property, p.ending) {
			values = append(values, p.value)
		}
	}
	values = append(values, Name, UnknownID, "2030-01-01T00:00:00Z", "PT1H", "10.0.0.0/16", "https://example.com/", "1")
	for _, v := range values {
		if fits(v, limits) {
			return v, nil
		}
	}
	for more := range 300 { // repetitions beyond what the pattern requires
		v := strings.Repeat("a", more)
		if limits.Pattern != "" {
			tree, err := syntax.Parse(limits.Pattern, syntax.Perl)
			if err != nil {
				return "", err
			}
			v = match(tree, more)
		}
		if fits(v, limits) {
			return v, nil
		}
	}
	return "", fmt.Errorf("found no text for the pattern %q and the lengths", limits.Pattern)
}

// fits reports whether a text obeys limits.
func fits(text string, limits *ir.Validation) bool {
	if limits == nil {
		return true
	}
	length := int64(utf8.RuneCountInString(text))
	if limits.MinLength != nil && length < *limits.MinLength || limits.MaxLength != nil && length > *limits.MaxLength {
		return false
	}
	matched, err := regexp.MatchString(limits.Pattern, text)
	return err == nil && matched
}

// match returns a text that a pattern matches, if the pattern has no boundaries of
// words. more is how many repetitions it has beyond those that are required.
func match(tree *syntax.Regexp, more int) string {
	times := func(least, most int) string {
		if least += more; most >= 0 {
			least = min(least, most)
		}
		return strings.Repeat(match(tree.Sub[0], 0), least)
	}
	switch tree.Op {
	case syntax.OpLiteral:
		return string(tree.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCharClass:
		return string(runeOf(tree.Rune))
	case syntax.OpCapture:
		return match(tree.Sub[0], more)
	case syntax.OpStar:
		return times(0, -1)
	case syntax.OpPlus:
		return times(1, -1)
	case syntax.OpQuest:
		return times(0, 1)
	case syntax.OpRepeat:
		return times(tree.Min, tree.Max)
	case syntax.OpAlternate:
		return match(tree.Sub[0], more)
	case syntax.OpConcat:
		var all strings.Builder
		for _, part := range tree.Sub {
			all.WriteString(match(part, more))
		}
		return all.String()
	}
	return "" // what matches no text, such as the beginning
}

// runeOf returns a rune of a class, which has pairs of bounds.
func runeOf(class []rune) rune {
	for _, r := range "a1A0" {
		for i := 0; i < len(class); i += 2 {
			if class[i] <= r && r <= class[i+1] {
				return r
			}
		}
	}
	return class[0]
}

// number returns a whole number that obeys limits.
func number(limits *ir.Validation) (any, error) {
	if limits == nil {
		return int64(1), nil
	}
	least := cmp.Or(limits.Minimum, new(float64(math.MinInt32)))
	most := cmp.Or(limits.Maximum, new(float64(math.MaxInt32)))
	step := *cmp.Or(limits.MultipleOf, new(1.0))
	for _, n := range []float64{1, math.Ceil(*least/step) * step, math.Ceil(*least/step)*step + step, math.Floor(*most/step) * step} {
		if allows(limits, n) && n == math.Trunc(n) {
			return int64(n), nil
		}
	}
	return nil, fmt.Errorf("found no number from %v to %v", *least, *most)
}

// allows reports whether a number obeys limits.
func allows(limits *ir.Validation, n float64) bool {
	if limits == nil {
		return true
	}
	least, most := limits.Minimum, limits.Maximum
	switch {
	case least != nil && (n < *least || limits.ExclusiveMinimum && n == *least):
		return false
	case most != nil && (n > *most || limits.ExclusiveMaximum && n == *most):
		return false
	}
	return limits.MultipleOf == nil || math.Mod(n, *limits.MultipleOf) == 0
}
