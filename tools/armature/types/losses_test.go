package types

import (
	"testing"

	"github.com/armature-dev/armature/runtime/remainder"
)

// What a user has named like a bag must be shown as it is.
func TestUnpack(t *testing.T) {
	packed := map[string]any{"value": "x", "version": "2014-04-04"}
	for _, test := range []struct {
		name  string
		entry remainder.Entry
		want  string
	}{
		{"an entry of a bag", remainder.Entry{Path: "spec.$propertyBag.alphakey", Stored: packed, InBag: true},
			`spec.ALPHAKEY of 2014-04-04: "x"`},
		{"with a version in its key", remainder.Entry{Path: "spec.$propertyBag.alphakey@2014-04-04", Stored: packed, InBag: true},
			`spec.ALPHAKEY of 2014-04-04: "x"`},
		{"with a quoted key", remainder.Entry{Path: `spec.$propertyBag["@odata.type@2014-04-04"]`, Stored: packed, InBag: true},
			`spec.@ODATA.TYPE of 2014-04-04: "x"`},
		{"below a user's key that looks like a path into a bag",
			remainder.Entry{Path: `spec.rules["a.$propertyBag.b"].$propertyBag["c.d"]`, Stored: packed, InBag: true},
			`spec.rules["a.$propertyBag.b"].C.D of 2014-04-04: "x"`},
		{"below a user's key that is called like a bag",
			remainder.Entry{Path: "spec.rules.$propertyBag.$propertyBag.note", Stored: packed, InBag: true},
			`spec.rules.$propertyBag.NOTE of 2014-04-04: "x"`},
		{"a user's JSON that looks like an entry", remainder.Entry{Path: "spec.any.$propertyBag.note", Stored: packed},
			`spec.any.$propertyBag.note: {"value":"x","version":"2014-04-04"}`},
		{"a quote in a user's key", remainder.Entry{Path: `spec.any["a[\"b.c"]`, Stored: int64(1)}, `spec.any["a[\"b.c"]: 1`},
	} {
		upper := func(_, key string) string {
			name := []byte(key)
			for i, c := range name {
				if 'a' <= c && c <= 'z' {
					name[i] = c - 'a' + 'A'
				}
			}
			return string(name)
		}
		if got := unpack(test.entry, upper).String(); got != test.want {
			t.Errorf("%s: found %s, want %s", test.name, got, test.want)
		}
	}
}
