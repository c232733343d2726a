package manifests

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// NameLimits are the limits on the name in Azure of some kinds at some versions.
type NameLimits struct {
	// Of has kinds and versions, such as "Redis/v20241101".
	Of []string
	// Least and Most are lengths, nil for none. Pattern is an RE2 expression, or "".
	Least, Most *int64
	Pattern     string
	// Expected says it in words.
	Expected string
	// GUID reports whether the default is not the name of the object.
	GUID bool
}

// limits returns limits as a list in CEL. Lengths are patterns, because all values of a map
// in CEL have one type.
func limits(names []NameLimits) string {
	var elements []string
	for _, n := range names {
		var marks []string
		if n.GUID {
			marks = []string{"guid"}
		}
		elements = append(elements, fmt.Sprintf("{'of': %s, 'length': %s, 'pattern': %s, 'expected': %s, 'marks': %s}", celTexts(n.Of),
			celTexts(some(lengthPattern(n.Least, n.Most))), celTexts(some(n.Pattern)), celTexts(some(n.Expected)), celTexts(marks)))
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

// mostRepetitions is how many repetitions RE2 allows.
const mostRepetitions = 1000

// lengthPattern returns a pattern of the texts with a length, or "". A length that RE2
// cannot count to has no limit: no name of ARM is as long.
func lengthPattern(least, most *int64) string {
	from, to := int64(0), ""
	if least != nil {
		from = min(*least, mostRepetitions)
	}
	if most != nil && *most <= mostRepetitions {
		to = strconv.FormatInt(*most, 10)
	}
	if from <= 0 && to == "" {
		return ""
	}
	return fmt.Sprintf("^(?s:.{%d,%s})$", max(from, 0), to)
}

// some returns a list of a text, or nil if that is empty.
func some(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// celTexts returns a list of texts in CEL.
func celTexts(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = celText(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// celText returns a text as a literal in CEL, in which every character can be seen. Go's
// escapes are CEL's, too.
func celText(text string) string { return strconv.QuoteToASCII(text) }

// OpenEnum is a property of a Spec whose values are known, but not all.
type OpenEnum struct {
	Kind     string
	Versions []string
	// Steps lead to the property from the Spec. Without steps it is the name in Azure.
	Steps []Step
	// Values are the known ones.
	Values []string
}

// Step leads from a value to a property, or to the elements of a list or of a map.
type Step struct {
	Property  string
	List, Map bool
}

// Path returns the path of the property in the object.
func (e OpenEnum) Path() string { return pathOf(e.Steps) }

// pathOf returns the path to which steps lead in an object.
func pathOf(steps []Step) string {
	path := "spec"
	for _, s := range steps {
		switch {
		case s.List:
			path += "[]"
		case s.Map:
			path += ".*"
		default:
			path += "." + s.Property
		}
	}
	return path
}

// knownValues returns the lists of values, each once, as lists in CEL.
func knownValues(enums []OpenEnum) []string {
	var lists []string
	for _, e := range enums {
		if list := celTexts(e.Values); !slices.Contains(lists, list) {
			lists = append(lists, list)
		}
	}
	return lists
}

// longEnough is the length of the checks in an expression after which another one is begun.
// The time in which an API server compiles an expression grows with the square of its length,
// and it compiles each policy when it starts, too: those of network in three expressions took
// 28 s on a busy machine, and with these 0.8 s.
const longEnough = 1_000

// check is an expression in CEL that is an empty text if an object of a kind at one of some
// versions is as it should be, and otherwise says what is wrong.
type check struct {
	kind     string
	versions []string
	text     string
}

// wrongs returns expressions in CEL, which together list what is wrong with an object. With an
// object at a version of another release nothing is.
func wrongs(checks []check) []string {
	var expressions []string
	for len(checks) > 0 {
		// The checks of a kind at the same versions share a condition.
		first, length := checks[0], 0
		var texts []string
		checks = slices.DeleteFunc(slices.Clone(checks), func(c check) bool {
			if length > longEnough || c.kind != first.kind || !slices.Equal(c.versions, first.versions) {
				return false
			}
			texts, length = append(texts, c.text), length+len(c.text)
			return true
		})
		expressions = append(expressions, fmt.Sprintf(
			"request.kind.kind == '%s' && request.kind.version in %s ? [\n      %s\n      ].filter(u, u != '') : []",
			first.kind, celList(first.versions), strings.Join(texts, ",\n      ")))
	}
	return expressions
}

// unknownValues returns expressions in CEL, which together list what is said about the values
// of an object that are not known.
func unknownValues(enums []OpenEnum) []string {
	lists := knownValues(enums)
	var checks []check
	for _, e := range enums {
		checks = append(checks, check{e.Kind, e.Versions, e.check(slices.Index(lists, celTexts(e.Values)))})
	}
	return wrongs(checks)
}

// mostShown is how much of a list of values is shown, as in the description of a property.
const mostShown = 400

// check returns an expression that is an empty text if the values of an object are known,
// which list has, and otherwise says what is expected.
func (e OpenEnum) check(list int) string {
	known := "variables.known[" + strconv.Itoa(list) + "]"
	shown := known + ".join(', ')"
	if utf8.RuneCountInString(strings.Join(e.Values, ", ")) > mostShown {
		shown += ".substring(0, " + strconv.Itoa(mostShown) + ") + '…'"
	}
	path, isKnown := e.Path(), func(value string) string { return value + " in " + known }
	if len(e.Steps) == 0 {
		path, isKnown = "spec.azureName", func(spec string) string {
			return fmt.Sprintf("%s.exists(k, k.lowerAscii() == (%s[?'azureName'].orValue('') == '' ? object.metadata.name : "+
				"%[2]s.azureName).lowerAscii())", known, spec)
		}
	}
	return fmt.Sprintf("%s ? '' : '%s is none of ' + %s", holds("object.spec", false, e.Steps, isKnown, 'a'), path, shown)
}

// holds returns a condition that is true if another one is for all values to which steps
// lead. A value may be an optional one of CEL. Properties are selected by an index, since not
// every name of a property is one that CEL selects.
func holds(value string, optional bool, steps []Step, condition func(value string) string, variable rune) string {
	if len(steps) == 0 {
		if optional {
			return fmt.Sprintf("%s.optMap(v, %s).orValue(true)", value, condition("v"))
		}
		return condition(value)
	}
	step, rest := steps[0], steps[1:]
	if !step.List && !step.Map {
		return holds(value+"[?'"+step.Property+"']", true, rest, condition, variable)
	}
	empty := "[]"
	if step.Map {
		empty = "{}"
	}
	all := value
	if optional {
		// What an optional value has is of no known type, and optMap repeats what it is called on.
		// Kubernetes before 1.32 finds two types for that, unless the elements are dyn.
		all = "dyn(" + value + ".orValue(" + empty + "))"
	}
	element := string(variable)
	if step.Map {
		element = value + "[?" + element + "]"
	}
	return fmt.Sprintf("%s.all(%c, %s)", all, variable, holds(element, step.Map, rest, condition, variable+1))
}
