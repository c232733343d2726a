package controlplane

import (
	"net/http"
	"regexp"

	"k8s.io/client-go/transport"
)

// administrator sends the requests of an account that may do everything. Its writes at storage versions name a field
// manager, as the policies require of such an account. A user whom it impersonates sends what the caller says.
type administrator struct{ to http.RoundTripper }

var atStorageVersion = regexp.MustCompile(`^/apis/[^/]+/[^/]+storage/`)

// RoundTrip sends a request.
func (a administrator) RoundTrip(r *http.Request) (*http.Response, error) {
	query := r.URL.Query()
	if r.Method == http.MethodGet || r.Header.Get(transport.ImpersonateUserHeader) != "" || query.Has("fieldManager") ||
		!atStorageVersion.MatchString(r.URL.Path) {
		return a.to.RoundTrip(r)
	}
	query.Set("fieldManager", "armature-administrator")
	r = r.Clone(r.Context())
	r.URL.RawQuery = query.Encode()
	return a.to.RoundTrip(r)
}
