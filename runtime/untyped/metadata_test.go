package untyped

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const described = `{"apiVersion":"example.com/v1alpha1","kind":"Widget","metadata":{
	"name": "w", "namespace": "n", "uid": "u", "generation": 3, "creationTimestamp": "2020-02-02T02:02:02Z",
	"finalizers": ["example.com/f"], "labels": {"l": "1"}, "annotations": {"a": "1"},
	"managedFields": [{"manager": "m", "fieldsV1": {"f:spec": {}}}]}}`

// edited converts an object with a mapping that edits its metadata, and returns the
// metadata of the result.
func edited(t *testing.T, object string, edit func(metadata map[string]any)) (map[string]any, error) {
	t.Helper()
	convert := mustMake(t, to(Edit(func(object *unstructured.Unstructured) error {
		edit(object.Object["metadata"].(map[string]any))
		return nil
	})))
	got, err := convert(raw(object), "example.com/v1beta1")
	if err != nil {
		return nil, err
	}
	return field(t, got, "metadata").(map[string]any), nil
}

func TestMetadata(t *testing.T) {
	t.Run("is restored, except labels and annotations", testRestoredMetadata)
	t.Run("that a mapping changes is an error", testChangedMetadata)
}

func testRestoredMetadata(t *testing.T) {
	before := field(t, raw(described), "metadata").(map[string]any)
	for name, c := range map[string]struct {
		edit                func(map[string]any)
		labels, annotations any
	}{
		"nothing done": {
			func(map[string]any) {}, map[string]any{"l": "1"}, map[string]any{"a": "1"},
		},
		"labels and annotations written": {
			func(m map[string]any) {
				m["labels"] = map[string]any{"l": "2"}
				m["annotations"].(map[string]any)["b"] = "2"
			},
			map[string]any{"l": "2"}, map[string]any{"a": "1", "b": "2"},
		},
		"labels taken away": {
			func(m map[string]any) { delete(m, "labels") }, nil, map[string]any{"a": "1"},
		},
		"the last annotation taken away": {
			func(m map[string]any) { delete(m["annotations"].(map[string]any), "a") }, map[string]any{"l": "1"}, nil,
		},
		"all else left out": {
			func(m map[string]any) {
				for field := range m {
					if field != "labels" && field != "annotations" {
						delete(m, field)
					}
				}
			},
			map[string]any{"l": "1"}, map[string]any{"a": "1"},
		},
		"all else empty, as Go types leave it": {
			func(m map[string]any) { m["creationTimestamp"] = nil; m["finalizers"] = []any{}; m["uid"] = "" },
			map[string]any{"l": "1"}, map[string]any{"a": "1"},
		},
		"all of it left out": {
			func(m map[string]any) { clear(m) }, map[string]any{"l": "1"}, map[string]any{"a": "1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := edited(t, described, c.edit)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]any{}
			for field, value := range before {
				want[field] = value
			}
			delete(want, "labels")
			delete(want, "annotations")
			if c.labels != nil {
				want["labels"] = c.labels
			}
			if c.annotations != nil {
				want["annotations"] = c.annotations
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func testChangedMetadata(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(map[string]any)
		want string
	}{
		"another name": {func(m map[string]any) { m["name"] = "x" },
			"mapping v1alpha1 → v1beta1 changed metadata.name; of metadata only labels and annotations may change"},
		"several fields": {func(m map[string]any) { m["uid"] = "x"; m["finalizers"] = []any{"x"} },
			"changed metadata.finalizers, metadata.uid;"},
		"a new field": {func(m map[string]any) { m["ownerReferences"] = []any{map[string]any{}} },
			"changed metadata.ownerReferences;"},
		"inside of a field": {func(m map[string]any) { m["managedFields"].([]any)[0].(map[string]any)["manager"] = "x" },
			"changed metadata.managedFields;"},
		"a label that is a number": {func(m map[string]any) { m["labels"] = map[string]any{"l": 1} },
			`made metadata.labels["l"] of type int, not a string`},
		"labels that are a list": {func(m map[string]any) { m["labels"] = []any{"l"} }, "made metadata.labels of type []interface {}"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := edited(t, described, c.edit)
			checkError(t, err, "Widget n/w, v1alpha1 → v1beta1", c.want)
		})
	}
}
