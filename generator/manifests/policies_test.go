package manifests

import "testing"

func TestVersions(t *testing.T) {
	got := versions(map[string][]string{"B": {"v1", "v2"}, "A": {"v1", "v2"}, "C": {"v2"}})
	if want := "[{'kinds': ['A', 'B'], 'versions': ['v1', 'v2']}, {'kinds': ['C'], 'versions': ['v2']}]"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}
