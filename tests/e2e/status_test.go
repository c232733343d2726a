package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// TestStatus writes what no Status has, at versions whose CRD has no schema of the Status.
// What would be harmful is refused, and the rest is dropped before it is stored.
func TestStatus(t *testing.T) {
	installCRM(t)
	create(t, newest, "ada", full(newest).shown(newest))
	ready := func(edit string, value any) []any {
		c := map[string]any{"type": "Ready", "status": "True", "reason": "Told", "message": "m",
			"lastTransitionTime": "2026-01-02T03:04:05Z"}
		if edit != "" {
			c[edit] = value
		}
		return []any{c}
	}
	good := map[string]any{"provisioningState": "Succeeded", "conditions": ready("", nil)}
	for _, test := range []struct {
		reason string
		status map[string]any
		stored map[string]any // nil if it is refused
		err    string
	}{
		{"what a Status has", good, good, ""},
		{"what no Status has", map[string]any{"provisioningState": "Succeeded", "conditions": ready("", nil), "junk": "x"}, good, ""},
		{"a bag, which only stored objects have", map[string]any{"provisioningState": "Succeeded", "conditions": ready("", nil),
			"$propertyBag": map[string]any{"email": map[string]any{"value": "x", "version": "2021-11-11"}}}, good, ""},
		{"text that is a number", map[string]any{"provisioningState": int64(3)}, nil,
			"status.provisioningState: cannot read a number as a string"},
		{"text that is an object", map[string]any{"provisioningState": map[string]any{"a": []any{}}}, nil,
			"status.provisioningState: cannot read an object as a string"},
		{"a condition with another status", map[string]any{"conditions": ready("status", "Maybe")}, nil, "supported values"},
		{"one condition twice", map[string]any{"conditions": append(ready("", nil), ready("", nil)...)}, nil, "Duplicate value"},
		{"a generation that is text", map[string]any{"observedGeneration": "1"}, nil, "observedGeneration"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			for _, version := range []string{old, oldest} {
				object := get(t, version, "ada")
				object.Object["status"] = test.status
				_, err := persons(version).UpdateStatus(t.Context(), object, metav1.UpdateOptions{})
				if test.stored == nil {
					if err == nil || !strings.Contains(err.Error(), test.err) {
						t.Errorf("%s: error = %v, want %q", version, err, test.err)
					}
				} else if err != nil {
					t.Errorf("%s: %v", version, err)
				} else if diff := cmp.Diff(test.stored, server.Stored(t, storedPersons, "ada").Object["status"]); diff != "" {
					t.Errorf("%s: stored (-want +got):\n%s", version, diff)
				}
				if _, err := persons(version).List(t.Context(), metav1.ListOptions{}); err != nil {
					t.Errorf("%s: a list afterwards: %v", version, err)
				}
			}
		})
	}
	t.Run("two managers apply a condition each", func(t *testing.T) {
		for manager, condition := range map[string]string{"a": "Ready", "b": "Audited"} {
			applied := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"conditions": ready("type", condition)}}}
			applied.SetGroupVersionKind(storedPersons.WithVersion(old).GroupVersion().WithKind("Person"))
			applied.SetName("ada")
			options := metav1.ApplyOptions{FieldManager: manager, Force: true}
			if _, err := persons(old).ApplyStatus(t.Context(), "ada", applied, options); err != nil {
				t.Fatal(err)
			}
		}
		conditions, _, _ := unstructured.NestedSlice(get(t, newest, "ada").Object, "status", "conditions")
		if len(conditions) != 2 {
			t.Errorf("found the conditions %v", conditions)
		}
	})
	t.Run("an apply of the Spec leaves the Status as it is", func(t *testing.T) {
		before := get(t, newest, "ada").Object["status"]
		for version, property := range map[string]string{old: "firstName", oldest: "sortKey"} {
			manifest := `{"apiVersion": "crm.azure.armature.dev/` + version + `", "kind": "Person", "spec": {"` + property + `": "x"}, ` +
				`"status": {"junk": [1, {"a": "b"}]}}`
			if _, err := persons(version).Patch(t.Context(), "ada", types.ApplyYAMLPatchType, []byte(manifest),
				metav1.PatchOptions{FieldManager: version, Force: new(true)}); err != nil {
				t.Fatal(err)
			}
			if got := specOf(get(t, version, "ada"))[property]; got != "x" {
				t.Errorf("%s: %s is %v", version, property, got)
			}
		}
		if diff := cmp.Diff(before, get(t, newest, "ada").Object["status"]); diff != "" {
			t.Errorf("the Status (-before +after):\n%s", diff)
		}
	})
}
