// Package commandtest helps to test programs that are made of package command.
package commandtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// Kubeconfig starts an API server that serves no kind, and returns the path of a
// kubeconfig for it. Each of observers is called with each request.
func Kubeconfig(t *testing.T, observers ...func(*http.Request)) string {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, observe := range observers {
			observe(r)
		}
		answer := map[string]string{
			"/api":    `{"kind": "APIVersions", "versions": ["v1"]}`,
			"/apis":   `{"kind": "APIGroupList", "apiVersion": "v1", "groups": []}`,
			"/api/v1": `{"kind": "APIResourceList", "groupVersion": "v1", "resources": []}`,
		}[r.URL.Path]
		if answer == "" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer)
	}))
	t.Cleanup(api.Close)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	text := `{"clusters": [{"name": "a", "cluster": {"server": "` + api.URL +
		`"}}], "contexts": [{"name": "a", "context": {"cluster": "a"}}], "current-context": "a"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
