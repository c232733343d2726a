package plan

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// onlyReads lets the clients of a configuration send nothing to the API server but reads, dry runs, and questions about
// the caller's own rights.
func onlyReads(config *rest.Config) {
	config.Wrap(func(to http.RoundTripper) http.RoundTripper { return reads{to} })
}

// reads is a transport that refuses what could change something.
type reads struct{ http.RoundTripper }

// RoundTrip sends a request, or refuses it.
func (r reads) RoundTrip(request *http.Request) (*http.Response, error) {
	isRead := request.Method == http.MethodGet || request.Method == http.MethodHead
	isDryRun := slices.Equal(request.URL.Query()["dryRun"], []string{metav1.DryRunAll})
	isQuestion := request.Method == http.MethodPost && strings.HasPrefix(request.URL.Path, "/apis/authorization.k8s.io/") &&
		strings.HasSuffix(request.URL.Path, "/selfsubjectaccessreviews")
	if !isRead && !isDryRun && !isQuestion {
		return nil, fmt.Errorf("a plan does not send %s %s", request.Method, request.URL.Path)
	}
	return r.RoundTripper.RoundTrip(request)
}
