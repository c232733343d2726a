package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/armature-dev/armature/runtime/annotation"
)

func TestStorage(t *testing.T) {
	t.Run("etcd has the hub's version, with bags and without the annotation", testStored)
	t.Run("a damaged bag entry stays, and other objects can be read", testDamagedEntry)
}

func testStored(t *testing.T) {
	installCRM(t)
	create(t, "v20190909", "ada", full("v20190909").shown("v20190909"))
	object := get(t, "v20130303", "ada")
	if _, carried := object.GetAnnotations()[annotation.Remainder]; !carried {
		t.Fatalf("at 2013-03-03 the object has no annotation %s: %v", annotation.Remainder, object)
	}
	specOf(object)["middleName"] = "King"
	if _, err := persons("v20130303").Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}

	stored := server.Stored(t, storedPersons, "ada")
	if got := stored.GetAPIVersion(); got != "crm.azure.armature.dev/"+hub {
		t.Errorf("the object is stored at %s, want %s", got, hub)
	}
	if len(stored.GetAnnotations()) > 0 {
		t.Errorf("the object is stored with annotations: %v", stored.GetAnnotations())
	}
	text, err := json.Marshal(stored.Object)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), annotation.Remainder) {
		t.Errorf("the stored object has %s: %s", annotation.Remainder, text)
	}
	spec := specOf(stored)
	if got := spec["originalVersion"]; got != "v20190909" {
		t.Errorf("originalVersion is %v, want v20190909, since a client of an older version does not change it", got)
	}
	address, _ := spec["mailingAddress"].(map[string]any)
	if coordinates, _ := address["coordinates"].(map[string]any); coordinates["latitude"] == nil || coordinates["longitude"] == nil {
		t.Errorf("latitude and longitude have not moved into coordinates: %v", address)
	}
	for where, bag := range map[string]any{"spec": spec["$propertyBag"], "spec.mailingAddress": address["$propertyBag"]} {
		want := map[string][]string{"spec": {"middlename"},
			"spec.mailingAddress": {"city", "country", "fulladdress", "postcode"}}[where]
		entries, _ := bag.(map[string]any)
		for _, name := range want {
			if !slices.ContainsFunc(keys(entries), func(key string) bool { base, _, _ := strings.Cut(key, "@"); return base == name }) {
				t.Errorf("the bag of %s has no %s: %v", where, name, keys(entries))
			}
		}
	}
}

func keys(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Lists with a damaged object must work. A write of the object must leave the
// damaged entry as it is.
func testDamagedEntry(t *testing.T) {
	installCRM(t)
	for _, name := range []string{"ada", "grace"} {
		create(t, "v20190909", name, full("v20190909").shown("v20190909"))
	}
	corrupt := map[string]any{"version": "2019-09-09", "value": map[string]any{"city": "is no object"}}
	stored := server.Stored(t, storedPersons, "ada")
	path := []string{"spec", "mailingAddress", "$propertyBag"}
	bag, _, err := unstructured.NestedMap(stored.Object, path...)
	if err != nil || len(bag) == 0 {
		t.Fatalf("the address has no bag: %v", err)
	}
	at := keys(bag)[slices.IndexFunc(keys(bag), func(key string) bool { return strings.HasPrefix(key, "city") })]
	bag[at] = corrupt
	if err := unstructured.SetNestedMap(stored.Object, bag, path...); err != nil {
		t.Fatal(err)
	}
	server.Store(t, storedPersons, stored)

	for _, version := range apiVersions {
		list, err := persons(version).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Errorf("list at %s: %v", version, err)
		} else if len(list.Items) != 2 {
			t.Errorf("list at %s: %d objects, want 2", version, len(list.Items))
		}
	}
	for _, version := range []string{"v20211111", "v20190909", "v20130303"} {
		object := get(t, version, "ada")
		address, _ := specOf(object)["mailingAddress"].(map[string]any)
		if city, shown := address["city"]; shown {
			t.Errorf("%s shows a city: %v", version, city)
		}
		object.SetLabels(map[string]string{"written-at": version})
		if required(version) == "" {
			specOf(object)["id"] = "00000000-0000-4000-8000-" + date(version) + "0000"
		}
		if _, err := persons(version).Update(t.Context(), object, metav1.UpdateOptions{}); err != nil {
			t.Fatalf("update at %s: %v", version, err)
		}
		after, _, _ := unstructured.NestedMap(server.Stored(t, storedPersons, "ada").Object, path...)
		if diff := cmp.Diff(corrupt, after[at]); diff != "" {
			t.Errorf("a write at %s changed the entry (-want +got):\n%s", version, diff)
		}
	}
}
