package arm

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// IsResource reports whether the body of an answer is the resource with an id. Its own id may
// have another scope, if one of the two scopes contains the other: ARM answers with the
// subscription's id of a role definition that was made at a resource group. ARM
// answers a PUT, or a GET after an operation, with other bodies as well, such as
// {"operation": "CreateServer"} or none. [Decode] reads these without an error, as a
// resource without properties. So call IsResource first, and GET the resource if it
// returns false.
func IsResource(body []byte, id string) bool {
	found, ok := IDOf(body)
	return ok && (SameID(found, id) || differByScope(IDKey(found), IDKey(id)))
}

// differByScope reports whether two ids, as [IDKey] returns them, have the same type and name, and the scope of one
// contains that of the other.
func differByScope(a, b string) bool {
	const providers = "providers/"
	i, j := strings.LastIndex("/"+a, "/"+providers), strings.LastIndex("/"+b, "/"+providers)
	if i < 0 || j < 0 || a[i:] != b[j:] {
		return false
	}
	return strings.HasPrefix(a[:i], b[:j]) || strings.HasPrefix(b[:j], a[:i])
}

// IDOf returns the id in the body of a resource.
func IDOf(body []byte) (id string, found bool) {
	var resource struct{ ID *string }
	if json.Unmarshal(body, &resource) != nil || resource.ID == nil || *resource.ID == "" {
		return "", false
	}
	return *resource.ID, true
}

// SameID reports whether two ARM ids identify the same resource. See [IDKey].
func SameID(a, b string) bool { return IDKey(a) == IDKey(b) }

// IDKey returns a text that is the same for all spellings of an ARM id. ARM ignores case, escapes, and a slash at the
// end.
func IDKey(id string) string {
	if text, err := url.PathUnescape(id); err == nil {
		id = text
	}
	return FoldCase(strings.Trim(id, "/"))
}

// FoldCase returns a text in lower case, as ARM compares names. No letter outside of ASCII becomes one of ASCII, as the
// Kelvin sign does by Unicode's rules.
func FoldCase(text string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); r < utf8.RuneSelf || lower >= utf8.RuneSelf {
			return lower
		}
		return r
	}, text)
}

// LastModifiedBy returns who was the last to change a resource, by the systemData of its body, or "" if the body does
// not say it.
func LastModifiedBy(body []byte) string { return systemDataOf(body).LastModifiedBy }

// CreatedAt returns when ARM created a resource, by the systemData of its body. found is false if the body does not
// say it, as with types that have no systemData.
func CreatedAt(body []byte) (at time.Time, found bool) {
	at, err := time.Parse(time.RFC3339, systemDataOf(body).CreatedAt)
	return at, err == nil
}

// systemData is what ARM says of the life of a resource.
type systemData struct{ CreatedAt, LastModifiedBy string }

// systemDataOf returns the systemData of a body, without what it lacks or has in another type.
func systemDataOf(body []byte) systemData {
	var resource struct{ SystemData systemData }
	_ = json.Unmarshal(body, &resource) // what it can read, it has read
	return resource.SystemData
}
