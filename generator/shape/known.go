package shape

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// maxKnown is the greatest length of the list of an enum's values in a description.
// Each kind's CRD has the list once for each version, and must not become too big.
const maxKnown = 400

// Known returns a sentence with the values of an open enum, of which a CRD says
// nothing else, or "" for any other type.
func Known(t *ir.Type) string {
	if t == nil || t.Kind != ir.Enum || !t.Open || len(t.Values) == 0 {
		return ""
	}
	text := "Known values: "
	for i, v := range t.Values {
		value := v.Value
		if value == "" || strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' || r == ',' || r == '"' }) {
			value = strconv.Quote(value)
		}
		if i > 0 {
			value = ", " + value
		}
		if len(text)+len(value) > maxKnown {
			return text + fmt.Sprintf(", and %d more.", len(t.Values)-i)
		}
		text += value
	}
	return text + "."
}

// WithKnown returns a description that ends in the values of an open enum.
func WithKnown(doc, known string) string {
	doc = strings.TrimSpace(doc)
	switch {
	case known == "":
		return doc
	case doc == "":
		return known
	case strings.ContainsAny(doc[len(doc)-1:], ".!?:"):
		return doc + " " + known
	}
	return doc + ". " + known
}
