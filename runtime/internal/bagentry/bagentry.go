// Package bagentry reads the entries of property bags, from JSON that has been read so far by somebody else.
package bagentry

import (
	"slices"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// Read reads an entry: its version and its value, and as source the whole of it if it is not just these. It accepts any
// JSON, since a damaged entry must not make its object unreadable. What it returns may be part of the text.
func Read(r *rawjson.Reader) (version, value, source []byte) {
	var quoted, found []byte
	rest := r.Rest()
	others := r.Next() != '{'
	if others {
		r.Value()
	} else {
		for name := range r.Members {
			switch member := r.Value(); string(name) {
			case "version":
				quoted = member
			case "value":
				found = member
			default:
				others = true
			}
		}
	}
	known := found != nil && len(quoted) > 0 && quoted[0] == '"'
	if known {
		version, value = rawjson.Unquote(quoted), slices.Clip(found)
	}
	if !known || others {
		source = slices.Clip(r.Since(rest))
	}
	return version, value, source
}
