package payloads_test

import (
	"path/filepath"
	"testing"

	cache "github.com/armature-dev/armature/apis/cache/scheme"
	crm "github.com/armature-dev/armature/apis/crm/scheme"
	depot "github.com/armature-dev/armature/apis/depot/scheme"
	"github.com/armature-dev/armature/tests/specs/payloads"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestExamples converts the examples of the specs in the tree.
func TestExamples(t *testing.T) {
	for _, group := range []struct {
		name     string
		add      func(*runtime.Scheme) error
		expected payloads.Count
		routes   payloads.RouteCount
	}{
		{"cache", cache.AddToScheme, payloads.Count{Files: 38, Requests: 38, Responses: 76},
			payloads.RouteCount{Files: 38, Objects: 76, Routes: 396}},
		{"crm", crm.AddToScheme, payloads.Count{Files: 15, Requests: 15, Responses: 30},
			payloads.RouteCount{Files: 15, Objects: 30, Routes: 498}},
		{"depot", depot.AddToScheme, payloads.Count{Files: 12, Requests: 12, Responses: 24},
			payloads.RouteCount{Files: 12, Objects: 24, Routes: 56}},
	} {
		t.Run(group.name, func(t *testing.T) {
			scheme := runtime.NewScheme()
			if err := group.add(scheme); err != nil {
				t.Fatal(err)
			}
			root := filepath.Join("..", "..", "..", "apis", group.name, "specs")
			payloads.Check(t, root, scheme, "", "", group.expected)
			payloads.CheckVersions(t, root, scheme, group.routes)
			payloads.CheckImport(t, root, group.expected, group.add)
		})
	}
}
