package arm

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

// IsResource reports whether the body of an answer is the resource with an id. ARM
// answers a PUT, or a GET after an operation, with other bodies as well, such as
// {"operation": "CreateServer"} or none. [Decode] reads these without an error, as a
// resource without properties. So call IsResource first, and GET the resource if it
// returns false.
func IsResource(body []byte, id string) bool {
	found, ok := IDOf(body)
	return ok && SameID(found, id)
}

// IDOf returns the id in the body of a resource.
func IDOf(body []byte) (id string, found bool) {
	var resource struct{ ID *string }
	if json.Unmarshal(body, &resource) != nil || resource.ID == nil || *resource.ID == "" {
		return "", false
	}
	return *resource.ID, true
}

// SameID reports whether two ARM ids identify the same resource, ignoring case as ARM
// does.
func SameID(a, b string) bool {
	unescape := func(id string) string {
		if text, err := url.PathUnescape(id); err == nil {
			id = text
		}
		return strings.Trim(id, "/")
	}
	return strings.EqualFold(unescape(a), unescape(b))
}

// CreatedAt returns when ARM created a resource, by the systemData of its body. found is false if the body does not say
// it, as with types that have no systemData.
func CreatedAt(body []byte) (at time.Time, found bool) {
	var resource struct {
		SystemData struct{ CreatedAt string }
	}
	if json.Unmarshal(body, &resource) != nil {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, resource.SystemData.CreatedAt)
	return at, err == nil
}
