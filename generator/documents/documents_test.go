package documents_test

import (
	"testing"

	"github.com/armature-dev/armature/generator/documents"
)

func TestHasMember(t *testing.T) {
	for _, test := range []struct {
		behavior, text string
		want           bool
	}{
		{"the first member", `{"swagger": "2.0"}`, true},
		{"a member behind others", `{"info": {"title": ["x"]}, "swagger": 2}`, true},
		{"a byte order mark", "\ufeff" + `{"swagger": "2.0"}`, true},
		{"a malformed text behind the member", `{"swagger": oops`, true},
		{"members of one name, and invalid UTF-8", `{"a": 1, "a": "` + "\xff" + `", "swagger": "2.0"}`, true},
		{"a member of the other name", `{"info": {}, "schema": {}}`, true},
		{"another member", `{"openapi": "3.0.1"}`, false},
		{"a member of a member", `{"info": {"swagger": "2.0"}}`, false},
		{"a value", `{"info": "swagger"}`, false},
		{"an array", `["swagger"]`, false},
		{"a malformed text before the member", `{"info": oops, "swagger": "2.0"}`, false},
		{"no text", ``, false},
		{"a text that ends", `{`, false},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if got := documents.HasMember([]byte(test.text), "swagger", "schema"); got != test.want {
				t.Errorf("HasMember(%s) = %v, want %v", test.text, got, test.want)
			}
		})
	}
}

func TestFirstHasMember(t *testing.T) {
	for _, test := range []struct {
		behavior, text string
		want           bool
	}{
		{"a member of the first element", `[{"a": [1], "$type": "x"}, 7]`, true},
		{"a byte order mark", "\ufeff" + `[{"$type": "x"}]`, true},
		{"a malformed text behind the member", `[{"$type": oops`, true},
		{"a member of another element", `[{}, {"$type": "x"}]`, false},
		{"no element", `[]`, false},
		{"an array in the array", `[[{"$type": "x"}]]`, false},
		{"an object", `{"$type": "x"}`, false},
		{"no text", ``, false},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if got := documents.FirstHasMember([]byte(test.text), "$type"); got != test.want {
				t.Errorf("FirstHasMember(%s) = %v, want %v", test.text, got, test.want)
			}
		})
	}
}
