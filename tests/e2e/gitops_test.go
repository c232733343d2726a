package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	armaturetypes "github.com/armature-dev/armature/cli/types"
	"github.com/armature-dev/armature/runtime/annotation"
)

// TestGitOps shows what docs/gitops.md says. A manifest is at one of two versions,
// of which only the newer one has a residential address.
func TestGitOps(t *testing.T) {
	installCRM(t)
	t.Run("a diff is empty while nobody has changed what the manifest says", testDiff)
	t.Run("a diff shows what a client of another version has changed", testDrift)
	t.Run("a revert to an older version leaves what only the newer one has", testRevert)
	t.Run("a revert that asks for exactly its manifest reverts", testExactRevert)
	t.Run("with the annotation exact, a label strips nothing", testExactBystander)
	t.Run("a copy under another name has what its manifest shows", testCopy)
	t.Run("a backup at the storage version is restored as it was", testRestore)
	t.Run("what export prints of an object that was read at an old version makes the same object anew", testExport)
}

const oldest, newest = "v20190909", "v20211111"

// manifest returns a manifest of a person at one of the two versions. With exact
// it asks for exactly what it says.
func manifest(version, name string, exact bool) *unstructured.Unstructured {
	spec := map[string]any{"owner": map[string]any{"name": "people"}, "familyName": "Lovelace", "sortKey": "lovelace"}
	if version == newest {
		spec["residentialAddress"] = map[string]any{"countryCode": "GB"}
	}
	object := person(version, name, spec)
	if exact {
		object.SetAnnotations(map[string]string{annotation.Exact: version})
	}
	return object
}

// applied is how a tool applies a manifest: as the manager of what it says, by
// server-side apply. The error is that of conflicts, unless it forces.
func applied(t *testing.T, object *unstructured.Unstructured, force bool, dryRun ...string) (*unstructured.Unstructured, error) {
	t.Helper()
	options := metav1.ApplyOptions{FieldManager: "gitops", Force: force, DryRun: dryRun}
	return persons(object.GroupVersionKind().Version).Apply(t.Context(), object.GetName(), object, options)
}

func mustApply(t *testing.T, object *unstructured.Unstructured) {
	t.Helper()
	if _, err := applied(t, object, true); err != nil {
		t.Fatalf("apply %s at %s: %v", object.GetName(), object.GroupVersionKind().Version, err)
	}
}

// patched is a client of a version that patches an object.
func patched(t *testing.T, version, name, patch string) {
	t.Helper()
	options := metav1.PatchOptions{FieldManager: "somebody"}
	if _, err := persons(version).Patch(t.Context(), name, types.MergePatchType, []byte(patch), options); err != nil {
		t.Fatalf("patch %s at %s: %v", name, version, err)
	}
}

// shownAt returns a property of the Spec at the newer version.
func shownAt(t *testing.T, name, property string) any {
	t.Helper()
	return specOf(get(t, newest, name))[property]
}

// difference returns how an apply that is not carried out would change the object.
// Argo CD and Flux compute the same.
func difference(t *testing.T, object *unstructured.Unstructured) string {
	t.Helper()
	would, err := applied(t, object, true, metav1.DryRunAll)
	if err != nil {
		t.Fatal(err)
	}
	live := get(t, object.GroupVersionKind().Version, object.GetName())
	for _, o := range []*unstructured.Unstructured{would, live} {
		o.SetManagedFields(nil)
	}
	return cmp.Diff(live.Object, would.Object)
}

func testDiff(t *testing.T) {
	for _, version := range []string{oldest, newest} {
		name := "diff-" + version
		mustApply(t, manifest(version, name, false))
		if diff := difference(t, manifest(version, name, false)); diff != "" {
			t.Errorf("after the apply at %s:\n%s", version, diff)
		}
		patched(t, newest, name,
			`{"spec": {"residentialAddress": {"countryCode": "GB", "lines": ["London"]}, "legalName": "Ada Lovelace"}}`)
		patched(t, "v20130303", name, `{"metadata": {"labels": {"a": "b"}}, "spec": {"middleName": "B."}}`)
		if diff := difference(t, manifest(version, name, false)); diff != "" {
			t.Errorf("beside clients of other versions, the manifest at %s differs:\n%s", version, diff)
		}
		before := get(t, version, name).GetResourceVersion()
		mustApply(t, manifest(version, name, false))
		if after := get(t, version, name).GetResourceVersion(); after != before {
			t.Errorf("an apply at %s that changes nothing writes the object", version)
		}
		if shownAt(t, name, "legalName") != "Ada Lovelace" || shownAt(t, name, "residentialAddress") == nil {
			t.Errorf("the apply at %s has taken away what others set", version)
		}
	}
}

func testDrift(t *testing.T) {
	mustApply(t, manifest(oldest, "drift", false))
	patched(t, newest, "drift", `{"spec": {"residentialAddress": {"countryCode": "GB"}, "sortKey": "ada"}}`)
	if diff := difference(t, manifest(oldest, "drift", false)); diff == "" {
		t.Error("no diff, though a client of the newer version has changed the sort key")
	}
	if _, err := applied(t, manifest(oldest, "drift", false), false); !apierrors.IsConflict(err) {
		t.Errorf("an apply that does not force: %v, want a conflict", err)
	}
	mustApply(t, manifest(oldest, "drift", false))
	if got := shownAt(t, "drift", "sortKey"); got != "lovelace" {
		t.Errorf("the sort key is %v after the apply", got)
	}
	if shownAt(t, "drift", "residentialAddress") == nil {
		t.Error("the apply has taken away the address")
	}
}

// reverts are the two ways in which tools apply. The second computes a merge patch
// from the manifests before and after.
var reverts = map[string]func(t *testing.T, name string, exact bool){
	"server-side": func(t *testing.T, name string, exact bool) {
		mustApply(t, manifest(newest, name, exact))
		mustApply(t, manifest(oldest, name, exact))
	},
	"client-side": func(t *testing.T, name string, exact bool) {
		before, after := manifest(newest, name, exact), manifest(oldest, name, exact)
		if _, err := persons(newest).Create(t.Context(), before, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		patch := map[string]any{"metadata": after.Object["metadata"], "spec": maps.Clone(specOf(after))}
		for property := range specOf(before) {
			if _, kept := specOf(after)[property]; !kept {
				patch["spec"].(map[string]any)[property] = nil
			}
		}
		text, err := json.Marshal(patch)
		if err != nil {
			t.Fatal(err)
		}
		patched(t, oldest, name, string(text))
	},
}

func testRevert(t *testing.T) {
	for how, revert := range reverts {
		name := "revert-" + how
		revert(t, name, false)
		if shownAt(t, name, "residentialAddress") == nil {
			t.Errorf("%s: the address is gone, and docs/gitops.md says that it stays", how)
		}
		if diff := difference(t, manifest(oldest, name, false)); diff != "" && how == "server-side" {
			t.Errorf("%s: the diff is not empty:\n%s", how, diff)
		}
	}
	const preview = "v20221212alpha1"
	with := manifest(newest, "removed", false)
	with.SetAPIVersion("crm.azure.armature.dev/" + preview)
	specOf(with)["pronouns"] = "she"
	without := with.DeepCopy()
	delete(specOf(without), "pronouns")
	pronouns := func() any { return specOf(get(t, preview, "removed"))["pronouns"] }

	t.Run("it is gone if the newer manifest dropped it first", func(t *testing.T) {
		mustApply(t, with)
		mustApply(t, without)
		mustApply(t, manifest(oldest, "removed", false))
		if got := pronouns(); got != nil {
			t.Errorf("the pronouns are still there: %v", got)
		}
	})

	t.Run("a patch at the newer version removes it", func(t *testing.T) {
		mustApply(t, with)
		mustApply(t, manifest(oldest, "removed", false))
		if got := pronouns(); got != "she" {
			t.Fatalf("the pronouns are %v, and docs/gitops.md says that they stay", got)
		}
		patched(t, preview, "removed", `{"spec": {"pronouns": null}}`)
		if got := pronouns(); got != nil {
			t.Errorf("the pronouns are still there: %v", got)
		}
	})
}

func testExactRevert(t *testing.T) {
	for how, revert := range reverts {
		name := "exact-" + how
		revert(t, name, true)
		if got := shownAt(t, name, "residentialAddress"); got != nil {
			t.Errorf("%s: the address is still there: %v", how, got)
		}
		if got := shownAt(t, name, "sortKey"); got != "lovelace" {
			t.Errorf("%s: the sort key is %v", how, got)
		}
	}
}

func testExactBystander(t *testing.T) {
	mustApply(t, manifest(newest, "exact", true))
	mustApply(t, manifest(oldest, "exact", true))
	patched(t, newest, "exact", `{"spec": {"residentialAddress": {"countryCode": "IE"}}}`)
	for _, write := range []struct {
		what string
		do   func()
	}{
		{"a label", func() { patched(t, oldest, "exact", `{"metadata": {"labels": {"a": "b"}}}`) }},
		{"a finalizer", func() { patched(t, oldest, "exact", `{"metadata": {"finalizers": ["example.com/a"]}}`) }},
		{"no more finalizer", func() { patched(t, oldest, "exact", `{"metadata": {"finalizers": null}}`) }},
		{"a Status", func() {
			object := get(t, oldest, "exact")
			object.Object["status"] = map[string]any{"familyName": "Lovelace"}
			if _, err := persons(oldest).UpdateStatus(t.Context(), object, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}},
		{"the same manifest", func() { mustApply(t, manifest(oldest, "exact", true)) }},
	} {
		write.do()
		if got, _ := shownAt(t, "exact", "residentialAddress").(map[string]any); got["countryCode"] != "IE" {
			t.Errorf("%s has changed the address: %v", write.what, got)
		}
	}
	changed := manifest(oldest, "exact", true)
	specOf(changed)["sortKey"] = "ada"
	mustApply(t, changed)
	if got := shownAt(t, "exact", "residentialAddress"); got != nil {
		t.Errorf("after another manifest the address is still there: %v", got)
	}
}

func testCopy(t *testing.T) {
	mustApply(t, manifest(newest, "original", false))
	live := get(t, oldest, "original")
	if live.GetAnnotations()[annotation.Remainder] == "" {
		t.Fatal("the old version carries nothing")
	}
	copied := person(oldest, "copy", specOf(live))
	copied.SetAnnotations(live.GetAnnotations())
	if _, err := persons(oldest).Create(t.Context(), copied, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := shownAt(t, "copy", "residentialAddress"); got != nil {
		t.Errorf("the copy has the address of the original: %v", got)
	}
}

func testRestore(t *testing.T) {
	mustApply(t, manifest(newest, "saved", false))
	patched(t, "v20130303", "saved", `{"spec": {"middleName": "B."}}`)
	saved := get(t, hub, "saved")
	if err := persons(hub).Delete(t.Context(), "saved", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	restored := person(hub, "saved", specOf(saved))
	if _, err := persons(hub).Create(t.Context(), restored, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(specOf(saved), specOf(get(t, hub, "saved"))); diff != "" {
		t.Errorf("(-saved +restored):\n%s", diff)
	}
}

// testExport makes the object again where it has another uid, as in another
// cluster.
func testExport(t *testing.T) {
	mustApply(t, manifest(newest, "exported", false))
	saved := get(t, hub, "exported")
	text, err := yaml.Marshal(get(t, oldest, "exported").Object)
	if err != nil {
		t.Fatal(err)
	}
	if err := persons(hub).Delete(t.Context(), "exported", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	armature, err := armaturetypes.New(nil, crm.AddToScheme)
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	armature.SetIn(bytes.NewReader(text))
	armature.SetOut(&printed)
	armature.SetArgs([]string{"export", "-f", "-"})
	if err := armature.Execute(); err != nil {
		t.Fatal(err)
	}
	exported := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(printed.Bytes(), &exported.Object); err != nil {
		t.Fatal(err)
	}
	mustApply(t, exported)
	if diff := cmp.Diff(specOf(saved), specOf(get(t, hub, "exported"))); diff != "" {
		t.Errorf("(-saved +made anew):\n%s", diff)
	}
}
