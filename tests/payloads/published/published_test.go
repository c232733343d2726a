// Package published runs the examples of the published specs through the
// types of all groups that are made of them.
package published_test

import (
	"os"
	"path/filepath"
	"testing"

	authorization "github.com/armature-dev/armature/apis/authorization/scheme"
	batch "github.com/armature-dev/armature/apis/batch/scheme"
	cache "github.com/armature-dev/armature/apis/cache/scheme"
	compute "github.com/armature-dev/armature/apis/compute/scheme"
	containerservice "github.com/armature-dev/armature/apis/containerservice/scheme"
	dataprotection "github.com/armature-dev/armature/apis/dataprotection/scheme"
	dbforpostgresql "github.com/armature-dev/armature/apis/dbforpostgresql/scheme"
	documentdb "github.com/armature-dev/armature/apis/documentdb/scheme"
	eventgrid "github.com/armature-dev/armature/apis/eventgrid/scheme"
	keyvault "github.com/armature-dev/armature/apis/keyvault/scheme"
	kusto "github.com/armature-dev/armature/apis/kusto/scheme"
	servicebus "github.com/armature-dev/armature/apis/servicebus/scheme"
	signalrservice "github.com/armature-dev/armature/apis/signalrservice/scheme"
	storage "github.com/armature-dev/armature/apis/storage/scheme"
	"github.com/armature-dev/armature/tests/payloads"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestEveryPublishedExampleIsCarriedWhole(t *testing.T) {
	payloads.Check(t, root(), scheme(t), "exceptions.txt", payloads.Count{Files: 573, Requests: 574, Responses: 890, Invalid: 8})
}

func TestEveryPublishedExampleSurvivesClientsOfEveryVersion(t *testing.T) {
	payloads.CheckVersions(t, root(), scheme(t), payloads.Roads{Files: 573, Objects: 890, Roads: 3134})
}

// scheme has the types of all groups.
func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		authorization.AddToScheme, batch.AddToScheme, cache.AddToScheme, compute.AddToScheme, containerservice.AddToScheme,
		dataprotection.AddToScheme, dbforpostgresql.AddToScheme, documentdb.AddToScheme, eventgrid.AddToScheme,
		keyvault.AddToScheme, kusto.AddToScheme, servicebus.AddToScheme, signalrservice.AddToScheme, storage.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

// root is the folder of the Swagger specs, which the build hands in.
func root() string {
	return filepath.Join(os.Getenv("TEST_SRCDIR"), filepath.Dir(os.Getenv("SPECS")), "azure-rest-api-specs", "specification")
}
