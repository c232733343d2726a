// Package published tests the groups of the published specs on the examples of
// these specs.
package published_test

import (
	"testing"

	"github.com/armature-dev/armature/tests/specs/payloads"
	"github.com/armature-dev/armature/tests/specs/published"
	"k8s.io/apimachinery/pkg/runtime"
)

// examples are those of all groups.
var examples = payloads.Count{Files: 1390, Requests: 1401, Responses: 2332, Others: 1839, Invalid: 38}

func TestExamples(t *testing.T) {
	t.Run("requests and responses are carried whole", func(t *testing.T) {
		payloads.Check(t, published.Specs(t), scheme(t), "exceptions.txt", "missing.txt", examples)
	})
	t.Run("objects survive clients of every version", func(t *testing.T) {
		payloads.CheckVersions(t, published.Specs(t), scheme(t), payloads.RouteCount{Files: 1390, Objects: 2332, Routes: 11709})
	})
}

func TestImport(t *testing.T) {
	payloads.CheckImport(t, published.Specs(t), examples, published.AddToScheme)
}

// scheme returns a scheme with the types of all groups.
func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := published.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return scheme
}
