package apiversion

import "testing"

func TestStorage(t *testing.T) {
	const api, stored = "v20200601", "v20200601storage"
	if got := Storage(api); got != stored {
		t.Errorf("Storage(%s): got %s, want %s", api, got, stored)
	}
	for name, isStorage := range map[string]bool{api: false, stored: true} {
		if got, is := CutStorage(name); got != api || is != isStorage {
			t.Errorf("CutStorage(%s): got %s, %v, want %s, %v", name, got, is, api, isStorage)
		}
		if got := IsStorage(name); got != isStorage {
			t.Errorf("IsStorage(%s): got %v, want %v", name, got, isStorage)
		}
	}
}
