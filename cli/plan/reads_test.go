package plan

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

func TestOnlyReads(t *testing.T) {
	got := ""
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Method }))
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL}
	onlyReads(config)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	const house, reviews = "/apis/homes/v1/namespaces/shop/houses/h", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
	for _, row := range []struct {
		path string
		may  string // the methods that are sent
	}{
		{house, "GET HEAD"},
		{house + "?dryRun=All&fieldManager=x", "GET HEAD POST PUT PATCH DELETE OPTIONS"},
		{house + "?dryRun=None", "GET HEAD"},
		{house + "?dryRun=All&dryRun=None", "GET HEAD"},
		{house + "?dryRun=", "GET HEAD"},
		{reviews, "GET HEAD POST"},
		{"/apis/homes/v1/selfsubjectaccessreviews", "GET HEAD"},
		{"/apis/authorization.k8s.io/v1/subjectaccessreviews", "GET HEAD"},
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			got = ""
			request, err := http.NewRequestWithContext(t.Context(), method, server.URL+row.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if response, err := client.Do(request); err == nil {
				response.Body.Close()
			}
			if want := strings.Contains(" "+row.may+" ", " "+method+" "); (got == method) != want {
				t.Errorf("%s %s: the server got %q, want it sent: %v", method, row.path, got, want)
			}
		}
	}
}
