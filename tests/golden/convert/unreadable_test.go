package convert_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/annotation"
)

// TestUnreadable has stored objects that do not fit their Go types, because
// somebody wrote them at the storage version, which has no schema.
func TestUnreadable(t *testing.T) {
	for _, test := range []struct {
		what string
		// spec and status are JSON.
		spec, status string
		shown        string // the Spec as version 1 shows it
		named        string // the annotation
	}{
		{"a number for a text", `{"familyName":"Lovelace","zipCode":3}`, `{}`, `{"lastName":"Lovelace"}`, "spec.zipcode"},
		{"an object that looks like an entry",
			`{"familyName":"Lovelace","zipCode":{"value":"W1","version":"2011-01-01"}}`, `{}`, `{"lastName":"Lovelace"}`, "spec.zipcode"},
		{"a text for a list", `{"familyName":"Lovelace","levels":"1"}`, `{}`, `{"lastName":"Lovelace"}`, "spec.levels"},
		{"one element of a list of scalars", `{"familyName":"Lovelace","levels":[1,"2"]}`, `{}`, `{"lastName":"Lovelace"}`, "spec.levels"},
		{"a property of an element", `{"grid":[[{"city":"London"},{"city":7,"street":"x"}]]}`, `{}`,
			`{"grid":[[{"city":"London"},{"street":"x"}]]}`, `city`},
		{"where there is no bag", `{"familyName":"Lovelace","owner":{"name":1}}`, `{}`, `{"lastName":"Lovelace"}`, "spec.owner"},
		{"many", `{"familyName":1,"zipCode":2,"tier":3,"score":"4"}`, `{}`, `{}`, "spec.familyname, spec.score, spec.tier, spec.zipcode"},
		{"all of the Spec", `7`, `{}`, `{}`, `spec[""]`},
		{"a condition", `{"familyName":"Lovelace"}`, `{"conditions":[{"type":5}],"id":"x"}`, `{"lastName":"Lovelace"}`,
			"status.conditions"},
		{"beside a bag that is none", `{"familyName":"Lovelace","zipCode":3,"$propertyBag":"x"}`, `{}`,
			`{"lastName":"Lovelace"}`, "spec.zipcode"},
		{"beside an entry of its name",
			`{"familyName":"Lovelace","zipCode":3,"$propertyBag":{"zipcode":{"value":["W1"],"version":"2012-02-02"}}}`,
			`{}`, `{"lastName":"Lovelace"}`, "spec.zipcode@"},
	} {
		t.Run(test.what, func(t *testing.T) {
			r := newReplica(t, "a")
			stored := ada()
			var spec any
			if err := json.Unmarshal([]byte(test.spec), &spec); err != nil {
				t.Fatal(err)
			}
			stored["spec"], stored["status"] = spec, json.RawMessage(test.status)
			shown := r.convert("v1", stored)
			if got := textOf(shown["spec"]); got != test.shown {
				t.Errorf("shown %s, want %s", got, test.shown)
			}
			annotations, _ := metadataOf(shown)["annotations"].(map[string]any)
			if named, _ := annotations[annotation.Unreadable].(string); !strings.Contains(named, test.named) {
				t.Errorf("the annotation is %q, want %q", named, test.named)
			}
			if log := r.log.String(); !strings.Contains(log, "default/ada") ||
				!strings.Contains(log, "cannot read a") || strings.Contains(log, "Lovelace") {
				t.Errorf("logged %s", log)
			}
			if r.count("bag_entries_total", "unreadable") == 0 {
				t.Error("nothing is counted")
			}

			// Every value is in what a client of any version writes back.
			for _, version := range []string{"v1", "v2", "v3"} {
				written := r.convert("v3storage", r.convert(version, stored))
				if _, there := metadataOf(written)["annotations"]; there {
					t.Errorf("%s: annotations are stored: %v", version, written)
				}
				for _, value := range leaves(stored["spec"]) {
					if !strings.Contains(textOf(written["spec"]), value) {
						t.Errorf("%s: %s is lost: %s", version, value, textOf(written["spec"]))
					}
				}
				again := r.convert("v1", written)
				if got := textOf(again["spec"]); got != test.shown {
					t.Errorf("%s: read again it shows %s, want %s", version, got, test.shown)
				}
				if diff := textOf(r.convert("v3storage", r.convert("v2", written))["spec"]); diff != textOf(written["spec"]) {
					t.Errorf("%s: the next client changes it to %s", version, diff)
				}
			}
		})
	}
	t.Run("a value that a client sets goes before the one that cannot be read", func(t *testing.T) {
		r := newReplica(t)
		stored := ada()
		stored["spec"] = map[string]any{"familyName": 1}
		shown := r.convert("v1", stored)
		shown["spec"].(map[string]any)["lastName"] = "King"
		written := r.convert("v3storage", shown)["spec"].(map[string]any)
		if written["familyName"] != "King" || !strings.Contains(textOf(written["$propertyBag"]), `{"value":1}`) {
			t.Errorf("%v", written)
		}
	})
	t.Run("among others it does not fail their review", func(t *testing.T) {
		r := newReplica(t)
		bad := ada()
		bad["spec"] = map[string]any{"familyName": 1}
		for _, object := range []any{ada(), bad, ada()} {
			r.convert("v2", object)
		}
	})
	t.Run("of what a client wrote it is an error", func(t *testing.T) {
		r := newReplica(t)
		shown := r.convert("v1", ada())
		shown["spec"].(map[string]any)["lastName"] = 1
		if _, message := r.tryConvert("v3storage", shown); !strings.Contains(message, "spec.lastName: cannot read a number as a string") {
			t.Errorf("%q", message)
		}
	})
	t.Run("more than twenty values go with all of the Spec", func(t *testing.T) {
		r := newReplica(t)
		var grid []any
		for i := range 150 {
			grid = append(grid, map[string]any{"city": i})
		}
		stored := ada()
		stored["spec"] = map[string]any{"familyName": "Lovelace", "grid": []any{grid}}
		written := textOf(r.convert("v3storage", r.convert("v1", stored))["spec"])
		for _, want := range []string{`"city":149`, "Lovelace"} {
			if !strings.Contains(written, want) {
				t.Errorf("%s is lost", want)
			}
		}
	})
}

// leaves are the texts of the scalars in a JSON tree.
func leaves(value any) (all []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, v := range value {
			all = append(all, leaves(v)...)
		}
	case []any:
		for _, v := range value {
			all = append(all, leaves(v)...)
		}
	default:
		return []string{fmt.Sprint(textOf(value))}
	}
	return all
}
