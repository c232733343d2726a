package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
)

func TestCRM(t *testing.T) {
	t.Run("a client that names no version gets the newest GA version", testPreferred)
	t.Run("a Person written at any version is read at all others", testAllPairs)
	t.Run("list and watch of objects stored at several versions", testMixedStored)
}

// Kubernetes serves its preferred version to a client that names none, such as
// `kubectl get persons`.
func testPreferred(t *testing.T) {
	installCRM(t)
	if got, want := server.Preferred(t, "crm.azure.armature.dev"), "v20211111"; got != want {
		t.Errorf("the preferred version is %s, want %s", got, want)
	}
	for _, crd := range []string{"persons.crm.azure.armature.dev", "parties.crm.azure.armature.dev"} {
		for _, wrong := range server.Conditions(t, crd) {
			t.Error(wrong)
		}
	}
}

// full returns the model of a Person that has all properties of a version, each
// with a different value.
func full(version string) *model {
	m := &model{spec: map[string]any{}, labels: map[string]string{}, owners: map[string]map[string]bool{}, original: version}
	var edits []edit
	for i, path := range visible(version) {
		value := any(fmt.Sprintf("%s %d", path, i))
		switch path[strings.LastIndexByte(path, '.')+1:] {
		case "id":
			value = "0a1b2c3d-0000-4000-8000-0123456789ab"
		case "latitude", "longitude":
			value = float64(i) + 0.5
		case "countryCode":
			value = "IE"
		case "lines":
			value = []any{"12 Harbour Street", "", "Cork"}
		}
		edits = append(edits, edit{path, value})
	}
	m.edit(version, "walk", edits)
	return m
}

func testAllPairs(t *testing.T) {
	installCRM(t)
	for _, written := range apiVersions {
		m := full(written)
		name := "ada-" + written
		create(t, written, name, m.shown(written))
		for _, wrong := range append(
			m.learn(specOf(get(t, "v20130303", name)), oldNames, "v20130303"),
			m.learn(specOf(get(t, "v20211111", name)), newNames, "v20211111")...) {
			t.Errorf("written at %s: %s", written, wrong)
		}
		for _, read := range apiVersions {
			if diff := cmp.Diff(m.shown(read), specOf(get(t, read, name))); diff != "" {
				t.Errorf("written at %s, read at %s (-want +got):\n%s", written, read, diff)
			}
		}
	}
}

// In a cluster that has had many releases, objects are stored at many versions.
// A client lists and watches all of them at one version.
func testMixedStored(t *testing.T) {
	installCRM(t)
	want := map[string]string{}
	for i, version := range []string{"v1alpha1api20110101storage", "v1alpha1api20130303storage",
		"v1alpha1api20140404storage", "v1alpha1api20150505storage", "v1beta20160606storage"} {
		name := fmt.Sprintf("stored-%d", i)
		create(t, hub, name, map[string]any{"owner": map[string]any{"name": "people"}})
		stored := server.Stored(t, storedPersons, name)
		stored.SetAPIVersion("crm.azure.armature.dev/" + version)
		names := map[string]any{"knownAs": name, "familyName": name}
		if i < 2 {
			names = map[string]any{"firstName": name, "lastName": name}
		}
		spec := specOf(stored)
		for key, value := range names {
			spec[key] = value
		}
		server.Store(t, storedPersons, stored)
		want[name] = name
	}
	create(t, "v20211111", "new", map[string]any{
		"owner": map[string]any{"name": "people"}, "residentialAddress": map[string]any{}, "knownAs": "new",
	})
	want["new"] = "new"
	if found := server.Versions(t, storedPersons); len(found) != 6 {
		t.Fatalf("objects are stored at %v, want six versions", found)
	}

	for _, version := range []string{"v20211111", "v20190909", "v20140404alpha1", "v1alpha1api20150505", "v1beta20160606"} {
		list, err := persons(version).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, item := range list.Items {
			if item.GetAPIVersion() != "crm.azure.armature.dev/"+version {
				t.Errorf("the list of %s has a %s", version, item.GetAPIVersion())
			}
			got[item.GetName()], _, _ = unstructured.NestedString(item.Object, "spec", "knownAs")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("known as, listed at %s (-want +got):\n%s", version, diff)
		}
	}

	watched, err := persons("v20130303").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watched.Stop()
	for range want { // those that exist already
		if event := next(t, watched); event.Type != watch.Added || firstName(event) == "" {
			t.Errorf("got %s of %v, want what is there", event.Type, event.Object)
		}
	}
	object := get(t, "v20190909", "stored-1")
	specOf(object)["id"] = "0a1b2c3d-0000-4000-8000-0123456789ab"
	if _, err := persons("v20190909").Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	event := next(t, watched)
	if got := event.Object.(*unstructured.Unstructured); event.Type != watch.Modified ||
		got.GetAPIVersion() != "crm.azure.armature.dev/v20130303" || firstName(event) != "stored-1" || specOf(got)["id"] == nil {
		t.Errorf("got %s of %v, want the change at 2013-03-03", event.Type, got)
	}
	if version := server.Stored(t, storedPersons, "stored-1").GetAPIVersion(); version != "crm.azure.armature.dev/"+hub {
		t.Errorf("the written object is stored at %s, want %s", version, hub)
	}
}

func firstName(event watch.Event) string {
	name, _, _ := unstructured.NestedString(event.Object.(*unstructured.Unstructured).Object, "spec", "firstName")
	return name
}

// next returns the next event of a watch.
func next(t *testing.T, watched watch.Interface) watch.Event {
	t.Helper()
	for event := range watched.ResultChan() {
		if event.Type != watch.Bookmark {
			return event
		}
	}
	t.Fatal("the watch ended")
	return watch.Event{}
}
