package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/remainder"
)

func TestBudget(t *testing.T) {
	t.Run("a client can read what is over the budget, and cannot write it", testOverBudget)
	t.Run("other annotations take up the room", testOtherAnnotations)
}

// A value that an old version cannot hold may be too large for an annotation. A
// client of that version can get and list the object. Every kind of write is
// refused, with a message that names a version that can write.
func testOverBudget(t *testing.T) {
	installCRM(t)
	spec := full("v20211111").shown("v20211111")
	spec["legalName"] = strings.Repeat("long ", 60_000)
	create(t, "v20211111", "long", spec)
	create(t, "v20211111", "ada", full("v20211111").shown("v20211111"))
	want := specOf(server.Stored(t, storedPersons, "long"))

	for _, version := range []string{"v20110101", "v20130303", "v1alpha1api20120202"} {
		list, err := persons(version).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(list.Items) != 2 {
			t.Fatalf("list at %s: %v, %d objects, want 2", version, err, len(list.Items))
		}
		object := get(t, version, "long")
		specOf(object)["id"] = "00000000-0000-4000-8000-000000000001"
		_, update := persons(version).Update(t.Context(), object, metav1.UpdateOptions{})
		_, merge := persons(version).Patch(t.Context(), "long", types.MergePatchType,
			[]byte(`{"spec": {"id": "00000000-0000-4000-8000-000000000001"}}`), metav1.PatchOptions{})
		_, patch := persons(version).Patch(t.Context(), "long", types.JSONPatchType,
			[]byte(`[{"op": "remove", "path": "/spec/id"}]`), metav1.PatchOptions{})
		applied := `{"apiVersion": "crm.azure.armature.dev/` + version +
			`", "kind": "Person", "metadata": {"name": "long"}, "spec": {"owner": {"name": "people"}, "id": "00000000-0000-4000-8000-000000000001"}}`
		force := true
		_, apply := persons(version).Patch(t.Context(), "long", types.ApplyPatchType, []byte(applied),
			metav1.PatchOptions{FieldManager: "old", Force: &force})
		for how, err := range map[string]error{"update": update, "merge patch": merge, "JSON patch": patch, "server-side apply": apply} {
			if err == nil {
				t.Errorf("%s at %s succeeds, want a refusal", how, version)
				continue
			}
			for _, part := range []string{"Person.crm.azure.armature.dev default/long has ",
				" bytes that this version cannot represent, more than its annotations have room for",
				"read and write it at version v20211111"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s at %s is refused without %q: %v", how, version, part, err)
				}
			}
		}
	}
	if diff := cmp.Diff(want, specOf(server.Stored(t, storedPersons, "long"))); diff != "" {
		t.Errorf("a refused write changed the object (-want +got):\n%s", diff)
	}

	// A version that holds the value can write. After it writes a shorter one, all versions can.
	object := get(t, "v20190909", "long")
	specOf(object)["legalName"] = "short"
	if _, err := persons("v20190909").Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
		t.Fatalf("update at v20190909, which has the legal name: %v", err)
	}
	// The API server also converts the object in its cache, which has the long name
	// for some moments.
	await.Until(t, "the oldest version can", func() error {
		object := get(t, "v20110101", "long")
		specOf(object)["id"] = "00000000-0000-4000-8000-000000000001"
		_, err := persons("v20110101").Update(t.Context(), object, metav1.UpdateOptions{})
		return err
	})
	want["legalName"], want["id"] = "short", "00000000-0000-4000-8000-000000000001"
	if diff := cmp.Diff(want, specOf(server.Stored(t, storedPersons, "long"))); diff != "" {
		t.Errorf("after a short name was written (-want +got):\n%s", diff)
	}
}

// All annotations of an object together may have 256 KiB. Those of other tools
// may leave too little room for the remainder, or none.
func testOtherAnnotations(t *testing.T) {
	installCRM(t)
	create := func(name string, room int) {
		t.Helper()
		object := person("v20211111", name, full("v20211111").shown("v20211111"))
		object.SetAnnotations(map[string]string{"notes": strings.Repeat("n", remainder.MaxAnnotations-len("notes")-room)})
		if _, err := persons("v20211111").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	create("ada", remainder.MaxAnnotations-remainder.MaxOwn) // room for the marker, but not for what old versions cannot hold
	create("grace", 100_000)
	for _, version := range apiVersions {
		list, err := persons(version).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(list.Items) != 2 {
			t.Fatalf("list at %s: %v, %d objects, want 2", version, err, len(list.Items))
		}
	}
	want := specOf(server.Stored(t, storedPersons, "ada"))
	patch := []byte(`{"spec": {"id": "00000000-0000-4000-8000-000000000001"}}`)
	if _, err := persons("v20110101").Patch(t.Context(), "ada", types.MergePatchType, patch,
		metav1.PatchOptions{}); err == nil || !strings.Contains(err.Error(), "read and write it at version v20211111") {
		t.Errorf("a write without room for the remainder: %v, want a refusal", err)
	}
	if diff := cmp.Diff(want, specOf(server.Stored(t, storedPersons, "ada"))); diff != "" {
		t.Errorf("a refused write changed the object (-want +got):\n%s", diff)
	}
	// The remainder of grace fits.
	if _, err := persons("v20110101").Patch(t.Context(), "grace", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Errorf("a write with room for the remainder: %v", err)
	}

	// An object that was stored in another way may have no room even for the marker.
	create("full", 100_000)
	object := server.Stored(t, storedPersons, "full")
	object.SetAnnotations(map[string]string{"notes": strings.Repeat("n", remainder.MaxAnnotations-len("notes")-5)})
	server.Store(t, storedPersons, object)
	if _, marked := get(t, "v20110101", "full").GetLabels()[annotation.RemainderLabel]; !marked {
		t.Errorf("an object without room for the marker does not have the label %s", annotation.RemainderLabel)
	}
	if _, err := persons("v20110101").Patch(t.Context(), "full", types.MergePatchType, patch,
		metav1.PatchOptions{}); err == nil || !strings.Contains(err.Error(), "remove annotations") {
		t.Errorf("a write without room for a marker: %v, want the advice to remove annotations", err)
	}
	// The API server converts the object as it is too, so only a write at the stored version can.
	object = get(t, hub, "full")
	object.SetAnnotations(nil)
	if _, err := persons(hub).Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	// It has the object as it was in its cache for some moments.
	await.Until(t, "the oldest version can", func() error {
		_, err := persons("v20110101").Patch(t.Context(), "full", types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	})
}
