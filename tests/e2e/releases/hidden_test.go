package releases_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/tools/controlplane"
)

// TestHidden writes objects through the next webhook while the older one fills the API server's caches, which then hide
// a property. An update is compared with the cached object, so it may be denied until the CRD is replaced, as
// docs/upgrades.md says.
func TestHidden(t *testing.T) {
	const version = "v20190909"
	r := start(t, second)
	r.create([]string{version}, 3)
	r.look("once created")
	r.converter.Handle(r.split(second, third))
	r.touch(len(r.names), version)
	r.waitForCache(version)
	r.converter.Handle(r.handler(third))
	r.getAll("with the webhook of "+third.name, second.versions)

	for i := range 2 {
		err := r.updateOne("person-0", version, i)
		if !controlplane.IsAnnotationLost(err) || !strings.Contains(err.Error(), "use kubectl edit, patch or apply") {
			t.Errorf("an update of what the cache hides: %v, want a denial that says to patch", err)
		}
	}
	if err := r.touchOne("person-0", version); err != nil {
		t.Error(err)
	}
	if err := r.updateOne("person-0", version, 2); err != nil {
		t.Errorf("an update after the patch: %v", err)
	}
	if err := r.writeOne("person-1", version, 1); err != nil {
		t.Errorf("an update that becomes a patch when it is denied: %v", err)
	}
	r.install(third, third.person(t), second.hub(), third.hub())
	if err := r.updateOne("person-2", version, 1); err != nil {
		t.Errorf("an update once the CRD is replaced: %v", err)
	}
	r.look("with the CRD of " + third.name)
}

// split has the webhook of one release convert from the stored version, and that of the next one to it.
func (r *roll) split(from, to release) http.Handler {
	reads, writes := r.handler(from), r.handler(to)
	stored := []byte(`"desiredAPIVersion":"` + stored.Group + "/" + from.hub() + `"`)
	return http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		review, err := io.ReadAll(in.Body)
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		in.Body = io.NopCloser(bytes.NewReader(review))
		if bytes.Contains(review, stored) {
			writes.ServeHTTP(out, in)
		} else {
			reads.ServeHTTP(out, in)
		}
	})
}

// waitForCache waits until the API server's cache of a version has what was written last.
func (r *roll) waitForCache(version string) {
	r.Helper()
	last, err := r.persons(version).Get(r.Context(), r.names[len(r.names)-1], metav1.GetOptions{})
	if err != nil {
		r.Fatal(err)
	}
	_, err = r.persons(version).List(r.Context(), metav1.ListOptions{
		ResourceVersion: last.GetResourceVersion(), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	})
	if err != nil {
		r.Fatal(err)
	}
}
