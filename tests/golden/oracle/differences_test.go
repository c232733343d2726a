package oracle

import (
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestCompare checks that a difference is found unless it is an exception.
func TestCompare(t *testing.T) {
	const rule = `{"rule": "(has(self.a)?1:0)+(has(self.b)?1:0) == 1", "message": "m"}`
	for _, test := range []struct {
		reason       string
		ours, theirs string
		isDefault    bool
		isAlias      bool
		want         string // the exceptions that hold, or "none"
	}{
		{"equal", `{"type": "object"}`, `{"type": "object"}`, true, false, ""},
		{"white space of docs", `{"description": "a\nb"}`, `{"description": "a b"}`, true, false, ""},
		{"other docs", `{"description": "a"}`, `{"description": "b"}`, false, false, "none"},
		{"shorter docs", `{"description": "A."}`, `{"description": "A. B."}`, false, false, "docs of other versions"},
		{"shorter docs in the default version", `{"description": "A."}`, `{"description": "A. B."}`, true, false, "none"},
		{"shorter docs of an enum", `{"description": "A. Known values: b, c."}`,
			`{"description": "A. B. Known values: b, c."}`, false, false, "docs of other versions"},
		{"docs of an enum without its values", `{"description": "A."}`, `{"description": "A. B. Known values: b, c."}`,
			false, false, "none"},
		{"no docs", `{}`, `{"description": "A. B."}`, false, false, "none"},
		{"no docs in an alias", `{}`, `{"description": "A. B."}`, false, true, "docs of other versions"},
		{"other docs in an alias", `{"description": "a"}`, `{"description": "b"}`, false, true, "none"},
		{"another type", `{"type": "string"}`, `{"type": "integer"}`, true, false, "none"},
		{"a property that is missing", `{"properties": {}}`, `{"properties": {"a": {"type": "string"}}}`, true, false, "none"},
		{"an enum that is missing", `{"properties": {"a": {}}}`, `{"properties": {"a": {"enum": ["x"]}}}`, true, false, "none"},
		{"a union", `{"items": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}}`,
			`{"items": {"x-kubernetes-validations": [` + rule + `]}}`, true, false, "unions in lists and maps unions in lists and maps "},
		{"a union of others", `{"items": {"oneOf": [{"required": ["a"]}, {"required": ["c"]}]}}`,
			`{"items": {"x-kubernetes-validations": [` + rule + `]}}`, true, false, "none"},
		{"a union of none, too", `{"items": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}, {"not": {}}]}}`,
			`{"items": {"x-kubernetes-validations": [` + rule + `]}}`, true, false, "none"},
		{"a text and the reference to it", `{"items": {"allOf": [{"not": {"required": ["a", "b"]}}]}}`,
			`{"items": {"x-kubernetes-validations": [{"rule": "(has(self.a)?1:0)+(has(self.b)?1:0) <= 1"}]}}`, true, false,
			"unions in lists and maps unions in lists and maps "},
		{"a text that is required, or the reference to it",
			`{"items": {"allOf": [{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}]}}`,
			`{"items": {"x-kubernetes-validations": [{"rule": "(has(self.a)?1:0)+(has(self.b)?1:0) == 1"}]}}`, true, false,
			"unions in lists and maps unions in lists and maps "},
		{"a text that is not required, where it should be", `{"items": {"allOf": [{"not": {"required": ["a", "b"]}}]}}`,
			`{"items": {"x-kubernetes-validations": [{"rule": "(has(self.a)?1:0)+(has(self.b)?1:0) == 1"}]}}`, true, false, "none"},
		{"a union in no list", `{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}`,
			`{"x-kubernetes-validations": [` + rule + `]}`, true, false, "none"},
		{"a whole Secret", `{"required": ["name"]}`, `{"required": ["key", "name"]}`, true, false, "a whole Secret"},
		{"another property that is not required", `{"required": ["a"]}`, `{"required": ["a", "b"]}`, true, false, "none"},
		{"a limit of a list", `{"items": {"type": "string", "pattern": "a"}}`, `{"items": {"type": "string"}}`, true, false, "none"},
		{"a limit of a map", `{"additionalProperties": {"type": "string", "pattern": "a"}}`,
			`{"additionalProperties": {"type": "string"}}`, true, false, "limits of a map's values"},
		{"a Status of another version", openStatus("conditions"), closedStatus, false, false,
			"the Status of other versions the Status of other versions "},
		{"such a Status at the default version", openStatus("conditions"), closedStatus, true, false, "none"},
		{"such a Status without conditions", openStatus("id"), closedStatus, false, false, "none"},
		{"a Status that says where the rest is", describedStatus("A. The rest is described at the default version: b"),
			describedStatus("A. C."), false, false, "the Status of other versions"},
		{"a Status whose first sentence has no period", describedStatus("A. The rest is described at the default version: b"),
			describedStatus("A"), false, false, "the Status of other versions"},
		{"a Status that says something else", describedStatus("B. The rest is described at the default version: b"),
			describedStatus("A. C."), false, false, "none"},
	} {
		differences, err := Compare(schema(t, test.ours), schema(t, test.theirs), test.isDefault, test.isAlias)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range differences {
			name := "none"
			for _, e := range Exceptions {
				if e.Holds(d) {
					name = e.Name
				}
			}
			if name == "none" {
				got = name
				break
			}
			got += name
			if len(differences) > 1 {
				got += " "
			}
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
}

const closedStatus = `{"properties": {"status": {"properties": {"conditions": {"type": "array"}, "id": {"type": "string"}}}}}`

// openStatus returns a schema in which only one property of the Status has a schema.
func openStatus(property string) string {
	return `{"properties": {"status": {"x-kubernetes-preserve-unknown-fields": true, "properties": {"` + property +
		`": {"type": "` + map[string]string{"conditions": "array", "id": "string"}[property] + `"}}}}}`
}

func describedStatus(doc string) string {
	return `{"properties": {"status": {"description": "` + doc + `"}}}`
}

func schema(t *testing.T, text string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	s := new(apiextensionsv1.JSONSchemaProps)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}
