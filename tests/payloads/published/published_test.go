// Package published runs the examples of the published specs through the
// types of all groups that are made of them.
package published_test

import (
	"testing"

	"github.com/armature-dev/armature/tests/payloads"
	"github.com/armature-dev/armature/tests/published"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestEveryPublishedExampleIsCarriedWhole(t *testing.T) {
	payloads.Check(t, published.Specs(), scheme(t), "exceptions.txt", payloads.Count{Files: 573, Requests: 574, Responses: 890, Invalid: 8})
}

func TestEveryPublishedExampleSurvivesClientsOfEveryVersion(t *testing.T) {
	payloads.CheckVersions(t, published.Specs(), scheme(t), payloads.Roads{Files: 573, Objects: 890, Roads: 3134})
}

// scheme has the types of all groups.
func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := published.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return scheme
}
