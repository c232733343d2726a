package paths

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
)

// These are the rules by which two texts mean the same in ARM. They go by what a property is, and not by its service.
// docs/drift.md has the source of each.

// commonText returns a text of a property in the form that all its spellings have in common. isEnum reports whether
// the type has values of its own.
func commonText(text, name string, isEnum bool) string {
	if isEnum {
		return arm.FoldCase(text)
	}
	if isLocation(name) {
		return arm.FoldCase(strings.ReplaceAll(text, " ", ""))
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return at.UTC().Format(time.RFC3339Nano)
	}
	return commonID(text)
}

// commonID returns an ARM id in the form that all its spellings have in common, and another text as it is.
func commonID(text string) string {
	for _, root := range []string{"/subscriptions/", "/providers/"} {
		if len(text) > len(root) && strings.EqualFold(text[:len(root)], root) {
			return "/" + arm.IDKey(text)
		}
	}
	return text
}

// isLocation reports whether the text of a property is the name of a region. ARM takes and shows "West Europe" as well
// as "westeurope".
func isLocation(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"location", "locations", "locationname", "region", "regions"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// commonReference returns what a reference is compared by: its ARM id, or all of it if it names an object.
func commonReference(id string, reference any) any {
	if id == "" {
		return reference
	}
	return "/" + arm.IDKey(id)
}

// commonNumber returns a number in the form that all its spellings have in common.
func commonNumber(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	if f, err := n.Float64(); err == nil {
		if i := int64(f); float64(i) == f {
			return i
		}
		return f
	}
	return n
}
