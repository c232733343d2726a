// Package bagentry reads the entries of property bags, from JSON that has been read so far by somebody else.
package bagentry

import (
	"bytes"
	"encoding/json"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
)

// Read reads an entry: its version and its value, and as source the whole of it if it is not just these. It accepts any
// JSON, since a damaged entry must not make its object unreadable.
func Read(r *rawjson.Reader) (version string, value, source json.RawMessage) {
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
		version, value = string(rawjson.Unquote(quoted)), bytes.Clone(found)
	}
	if !known || others {
		source = bytes.Clone(r.Since(rest))
	}
	return version, value, source
}
