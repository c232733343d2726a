package e2e

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func apply(t *testing.T, version, name, manager string, spec map[string]any) {
	t.Helper()
	text, err := json.Marshal(person(version, name, spec))
	if err != nil {
		t.Fatal(err)
	}
	force := true
	options := metav1.PatchOptions{FieldManager: manager, Force: &force}
	if _, err := persons(version).Patch(t.Context(), name, types.ApplyPatchType, text, options); err != nil {
		t.Fatalf("%s applies at %s: %v", manager, version, err)
	}
}

func TestServerSideApply(t *testing.T) {
	t.Run("a property that its manager no longer applies is removed", testNoLongerApplied)
	t.Run("what a manager applies at another version is there once it applies again", testAppliedAgain)
}

// An object of the Spec has other properties at the newer version, and all that it
// has at the older one are the manager's. To remove these, the API server converts
// the object to the older version and leaves null there, with which goes what the
// manager applies now. The next apply is at the same version as the last, and
// converts nothing.
func testAppliedAgain(t *testing.T) {
	installCRM(t)
	owner := map[string]any{"name": "people"}
	apply(t, "v20180808", "ada", "gitops", map[string]any{"owner": owner, "mailingAddress": map[string]any{"city": "Cork"}})
	want := map[string]any{
		"owner": owner, "residentialAddress": map[string]any{},
		"mailingAddress": map[string]any{"lines": []any{"12 Harbour Street"}},
	}
	for range 2 {
		apply(t, newest, "ada", "gitops", want)
	}
	got := specOf(get(t, "v20221212alpha1", "ada"))
	if diff := cmp.Diff(want["mailingAddress"], got["mailingAddress"]); diff != "" {
		t.Errorf("(-applied +got):\n%s", diff)
	}
}

// The property stays if another manager has written at a version that does not
// have it, which stays lists. The API server converts the object to that version
// and there removes, by path, what is not in the result. The annotation that
// carries the property is one path with one value, and is the same in both.
// Nothing is lost, but the property must be removed in another way.
func testNoLongerApplied(t *testing.T) {
	installCRM(t)
	stays := map[string]bool{"v20110101": true, "v20130303": true}
	for _, other := range []string{"v20110101", "v20130303", "v20190909", "v20211111"} {
		name := "ada-" + other
		want := map[string]any{"owner": map[string]any{"name": "people"}}
		if required(other) != "" {
			want[required(other)] = map[string]any{"countryCode": "IE"}
		}
		create(t, other, name, want)
		want["residentialAddress"] = map[string]any{"countryCode": "IE"}
		want["sortKey"] = "lovelace ada"
		want["id"] = "0a1b2c3d-0000-4000-8000-0123456789ab"
		apply(t, "v20211111", name, "gitops", want)
		delete(want, "id") // which all versions have
		if apply(t, "v20211111", name, "gitops", want); !stays[other] {
			delete(want, "sortKey")
		}
		without := map[string]any{"owner": want["owner"], "residentialAddress": want["residentialAddress"]}
		apply(t, "v20211111", name, "gitops", without)
		if diff := cmp.Diff(want, specOf(get(t, "v20211111", name))); diff != "" {
			t.Errorf("beside a manager at %s (-want +got):\n%s", other, diff)
		}
	}
}
