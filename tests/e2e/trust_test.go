package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/event"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/changes"
)

// TestTrust is without policies, which deny some of this already.
func TestTrust(t *testing.T) {
	installCRM(t)
	withoutPolicies(t)
	t.Run("the webhook sees the UID and the generation of what is written", testSeenMetadata)
	t.Run("an annotation that no key has signed is refused", testForged)
	t.Run("an object is restored from what kubectl get has shown", testRestoreSigned)
	t.Run("a key is replaced", testRotation)
	t.Run("a Spec that changes without a new generation is noticed", testSpecChange)
}

// seen is the metadata of an object that was converted to the stored version.
type seen struct {
	UID                  string
	Generation           int64
	ResourceVersion      string
	From                 string
	DeletionTimestampSet bool
}

// recorder is a webhook that notes what is written.
type recorder struct {
	http.Handler
	mu  sync.Mutex
	all []seen
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	body, _ := io.ReadAll(in.Body)
	in.Body = io.NopCloser(bytes.NewReader(body))
	var review struct {
		Request struct {
			DesiredAPIVersion string                       `json:"desiredAPIVersion"`
			Objects           []*unstructured.Unstructured `json:"objects"`
		} `json:"request"`
	}
	_ = json.Unmarshal(body, &review)
	r.mu.Lock()
	if strings.HasSuffix(review.Request.DesiredAPIVersion, hub) {
		for _, o := range review.Request.Objects {
			r.all = append(r.all, seen{
				string(o.GetUID()), o.GetGeneration(), o.GetResourceVersion(), o.GetAPIVersion(),
				o.GetDeletionTimestamp() != nil,
			})
		}
	}
	r.mu.Unlock()
	r.Handler.ServeHTTP(w, in)
}

// last returns what was written last.
func (r *recorder) last(t *testing.T) seen {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) == 0 {
		t.Fatal("nothing was converted to the stored version")
	}
	last := r.all[len(r.all)-1]
	t.Logf("%d conversions to the stored version: %+v", len(r.all), r.all)
	r.all = nil
	return last
}

// docs/annotations.md says what this shows.
func testSeenMetadata(t *testing.T) {
	installCRM(t)
	r := &recorder{Handler: converter(t, crm.AddToScheme)}
	crmWebhook.Handle(r)
	t.Cleanup(func() { crmWebhook.Handle(converter(t, crm.AddToScheme)) })
	created := create(t, old, "ada", map[string]any{"owner": map[string]any{"name": "people"}, "firstName": "Ada"})
	uid := string(created.GetUID())
	check := func(what string, generation int64, deleting bool) {
		t.Helper()
		if diff := cmp.Diff(seen{uid, generation, "", "crm.azure.armature.dev/" + old, deleting}, r.last(t)); diff != "" {
			t.Errorf("%s: seen (-want +got):\n%s", what, diff)
		}
	}
	check("create", 1, false)
	object := get(t, old, "ada")
	specOf(object)["firstName"] = "Ada B."
	unstructured.RemoveNestedField(object.Object, "metadata", "uid")
	object.SetGeneration(77)
	if _, err := persons(old).Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	check("an update without a UID, with a generation of the client", 2, false)
	for what, patch := range map[string]string{"label": `{"metadata":{"labels":{"a":"b"},"generation":99}}`,
		"finalizer": `{"metadata":{"finalizers":["example.com/f"]}}`} {
		if _, err := persons(old).Patch(t.Context(), "ada", types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		check("a merge patch of a "+what, 2, false)
	}
	apply := person(old, "ada", map[string]any{"owner": map[string]any{"name": "people"}, "firstName": "Ada C."})
	if _, err := persons(old).Apply(t.Context(), "ada", apply, metav1.ApplyOptions{FieldManager: "m", Force: true}); err != nil {
		t.Fatal(err)
	}
	check("server-side apply", 3, false)
	if _, err := persons(old).UpdateStatus(t.Context(), get(t, old, "ada"), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	// An update that changes nothing is not written.
	r.mu.Lock()
	r.all = nil
	r.mu.Unlock()
	if err := persons(old).Delete(t.Context(), "ada", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	check("a deletion that waits for a finalizer", 4, true)
	if _, err := persons(old).Patch(t.Context(), "ada", types.MergePatchType,
		[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	applied, err := persons(old).Apply(t.Context(), "grace",
		person(old, "grace", map[string]any{"owner": map[string]any{"name": "people"}}), metav1.ApplyOptions{FieldManager: "m"})
	if err != nil {
		t.Fatal(err)
	}
	uid = string(applied.GetUID())
	check("server-side apply that creates", 1, false)
}

// carrying is a Person that was written at the newest version, as an old one shows it.
func carrying(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	create(t, "v20211111", name, full("v20211111").shown("v20211111"))
	shown := get(t, "v20130303", name)
	if shown.GetAnnotations()[annotation.Remainder] == "" {
		t.Fatalf("it carries nothing: %v", shown)
	}
	return shown
}

func testForged(t *testing.T) {
	installCRM(t)
	shown := carrying(t, "ada")
	before := server.Stored(t, storedPersons, "ada")
	text := shown.GetAnnotations()[annotation.Remainder]
	forged := strings.Replace(text, `"value":"`, `"value":"forged `, 1)
	if forged == text {
		t.Fatalf("nothing to forge in %s", text)
	}
	patch, _ := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{annotation.Remainder: forged}}})
	_, err := persons("v20130303").Patch(t.Context(), "ada", types.MergePatchType, patch, metav1.PatchOptions{})
	if err == nil || !strings.Contains(err.Error(), "was not written by this webhook") {
		t.Errorf("got %v", err)
	}
	t.Log(err)
	if diff := cmp.Diff(specOf(before), specOf(server.Stored(t, storedPersons, "ada"))); diff != "" {
		t.Errorf("the write changed what is stored (-before +after):\n%s", diff)
	}
}

func testRestoreSigned(t *testing.T) {
	installCRM(t)
	shown := carrying(t, "ada")
	before := server.Stored(t, storedPersons, "ada")
	if err := persons("v20130303").Delete(t.Context(), "ada", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	manifest := shown.DeepCopy()
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
		unstructured.RemoveNestedField(manifest.Object, "metadata", field)
	}
	if _, err := persons("v20130303").Create(t.Context(), manifest.DeepCopy(), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	after := server.Stored(t, storedPersons, "ada")
	if diff := cmp.Diff(specOf(before), specOf(after)); diff != "" || before.GetUID() == after.GetUID() {
		t.Errorf("restored (-before +after):\n%s", diff)
	}

	// A copy with another name takes nothing from the annotation.
	clone := manifest.DeepCopy()
	clone.SetName("grace")
	if _, err := persons("v20130303").Create(t.Context(), clone, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if cmp.Diff(specOf(before), specOf(server.Stored(t, storedPersons, "grace"))) == "" {
		t.Error("the clone has what another object carried")
	}

	// What the object becomes after that is not undone by the old manifest.
	for _, name := range []string{"King", "Byron"} {
		object := get(t, "v20211111", "ada")
		specOf(object)["familyName"] = name
		if _, err := persons("v20211111").Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := persons("v20130303").Apply(t.Context(), "ada", manifest, metav1.ApplyOptions{FieldManager: "m", Force: true})
	if err == nil || !strings.Contains(err.Error(), "is of an earlier state of the object") {
		t.Errorf("an old manifest is applied: %v", err)
	}
	t.Log(err)
}

// testRotation replaces the key that signs. The API server has converted objects
// in its cache, and converts them back for a write, so that a key may go only when
// the cache has been made anew.
func testRotation(t *testing.T) {
	installCRM(t)
	t.Cleanup(func() { crmWebhook.Handle(converter(t, crm.AddToScheme)) })
	shown := carrying(t, "ada")
	label := func(value string) error {
		_, err := persons(old).Patch(t.Context(), "ada", types.MergePatchType,
			[]byte(`{"metadata":{"labels":{"a":"`+value+`"}}}`), metav1.PatchOptions{})
		return err
	}
	for _, keys := range [][]string{{"k", "l"}, {"l", "k"}} {
		crmWebhook.Handle(converterWith(t, keysOf(keys...), crm.AddToScheme))
		if err := label(keys[0]); err != nil {
			t.Errorf("with the keys %v: %v", keys, err)
		}
	}
	object := get(t, old, "ada")
	object.SetAnnotations(shown.GetAnnotations()) // which k has signed
	if _, err := persons(old).Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
		t.Errorf("what the former key has signed: %v", err)
	}

	// The cache has objects as the only key of this webhook has signed them.
	crmWebhook.Handle(converterWith(t, keysOf("m"), crm.AddToScheme))
	if err := label("gone"); err == nil || !strings.Contains(err.Error(), "the key that signed it is gone") {
		t.Errorf("without the former key: %v", err)
	}
	for _, versions := range []string{`["v1","v1beta1"]`, `["v1"]`} { // as docs/webhook.md has it
		patch := `{"spec":{"conversion":{"webhook":{"conversionReviewVersions":` + versions + `}}}}`
		if _, err := server.CRDs.Patch(t.Context(), "persons.crm.azure.armature.dev", types.MergePatchType, []byte(patch),
			metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	await.Until(t, "the cache is made anew", func() error { return label("anew") })
}

// The API server compares what the version of the request shows.
func testSpecChange(t *testing.T) {
	installCRM(t)
	shown := carrying(t, "ada")
	before := server.Stored(t, storedPersons, "ada")
	annotations := shown.GetAnnotations()
	delete(annotations, annotation.Remainder)
	shown.SetAnnotations(annotations)
	if _, err := persons("v20130303").Update(t.Context(), shown, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	after := server.Stored(t, storedPersons, "ada")
	if before.GetGeneration() != after.GetGeneration() {
		t.Fatalf("the generation moved from %d to %d", before.GetGeneration(), after.GetGeneration())
	}
	if cmp.Diff(specOf(before), specOf(after)) == "" {
		t.Fatal("the Spec is as before")
	}
	if !(changes.Spec{}).Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}) {
		t.Error("the change is not noticed")
	}
}

// TestUnreadable has an object that was written at the storage version, which
// has no schema, among others.
func TestUnreadable(t *testing.T) {
	installCRM(t)
	for i, version := range apiVersions {
		bad := fmt.Sprintf("bad-%d", i)
		for _, name := range []string{"good", bad} {
			create(t, "v20211111", name, full("v20211111").shown("v20211111"))
		}
		watched, err := persons(version).Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + bad})
		if err != nil {
			t.Fatal(err)
		}
		next(t, watched) // what is there
		stored := get(t, hub, bad)
		specOf(stored)["familyName"] = int64(3)
		stored.SetFinalizers([]string{"example.com/f"})
		if _, err := persons(hub).Update(t.Context(), stored, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := next(t, watched); got.Type != "MODIFIED" {
			t.Errorf("%s: the watch has %s %v", version, got.Type, got.Object)
		}
		watched.Stop()
		list, err := persons(version).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(list.Items) != 2 {
			t.Fatalf("%s: listed %d: %v", version, len(list.Items), err)
		}
		object := get(t, version, bad)
		if got := object.GetAnnotations()[annotation.Unreadable]; got != "spec.familyname" {
			t.Errorf("%s: the annotation is %q", version, got)
		}
		patch := []byte(`{"metadata":{"labels":{"a":"b"}}}`)
		if _, err := persons(version).Patch(t.Context(), bad, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Errorf("%s: a label: %v", version, err)
		}
		text, _ := json.Marshal(server.Stored(t, storedPersons, bad).Object)
		if !strings.Contains(string(text), `"familyname":{"value":3}`) || strings.Contains(string(text), annotation.Unreadable) {
			t.Errorf("%s: stored as %s", version, text)
		}
		if err := persons(version).Delete(t.Context(), bad, metav1.DeleteOptions{}); err != nil {
			t.Errorf("%s: delete: %v", version, err)
		}
		if _, err := persons(version).Patch(t.Context(), bad, types.MergePatchType,
			[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
			t.Errorf("%s: the finalizer: %v", version, err)
		}
		await.True(t, bad+" is gone", func() bool {
			_, err := persons(hub).Get(t.Context(), bad, metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		})
		if err := persons(version).Delete(t.Context(), "good", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}
