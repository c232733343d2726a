// Package published has what the tests of published specs share: the groups that
// are generated from these specs, and the folder of the specs. Its main variable is
// [Groups].
package published

import (
	"os"
	"path/filepath"
	"testing"

	app "github.com/armature-dev/armature/apis/app/scheme"
	appconfiguration "github.com/armature-dev/armature/apis/appconfiguration/scheme"
	authorization "github.com/armature-dev/armature/apis/authorization/scheme"
	batch "github.com/armature-dev/armature/apis/batch/scheme"
	cache "github.com/armature-dev/armature/apis/cache/scheme"
	cognitiveservices "github.com/armature-dev/armature/apis/cognitiveservices/scheme"
	communication "github.com/armature-dev/armature/apis/communication/scheme"
	compute "github.com/armature-dev/armature/apis/compute/scheme"
	containerinstance "github.com/armature-dev/armature/apis/containerinstance/scheme"
	containerregistry "github.com/armature-dev/armature/apis/containerregistry/scheme"
	containerservice "github.com/armature-dev/armature/apis/containerservice/scheme"
	datafactory "github.com/armature-dev/armature/apis/datafactory/scheme"
	dataprotection "github.com/armature-dev/armature/apis/dataprotection/scheme"
	dbformysql "github.com/armature-dev/armature/apis/dbformysql/scheme"
	dbforpostgresql "github.com/armature-dev/armature/apis/dbforpostgresql/scheme"
	documentdb "github.com/armature-dev/armature/apis/documentdb/scheme"
	eventgrid "github.com/armature-dev/armature/apis/eventgrid/scheme"
	eventhub "github.com/armature-dev/armature/apis/eventhub/scheme"
	keyvault "github.com/armature-dev/armature/apis/keyvault/scheme"
	kubernetesconfiguration "github.com/armature-dev/armature/apis/kubernetesconfiguration/scheme"
	kusto "github.com/armature-dev/armature/apis/kusto/scheme"
	machinelearningservices "github.com/armature-dev/armature/apis/machinelearningservices/scheme"
	managedidentity "github.com/armature-dev/armature/apis/managedidentity/scheme"
	monitor "github.com/armature-dev/armature/apis/monitor/scheme"
	network "github.com/armature-dev/armature/apis/network/scheme"
	notificationhubs "github.com/armature-dev/armature/apis/notificationhubs/scheme"
	operationalinsights "github.com/armature-dev/armature/apis/operationalinsights/scheme"
	resources "github.com/armature-dev/armature/apis/resources/scheme"
	search "github.com/armature-dev/armature/apis/search/scheme"
	servicebus "github.com/armature-dev/armature/apis/servicebus/scheme"
	signalrservice "github.com/armature-dev/armature/apis/signalrservice/scheme"
	sql "github.com/armature-dev/armature/apis/sql/scheme"
	storage "github.com/armature-dev/armature/apis/storage/scheme"
	web "github.com/armature-dev/armature/apis/web/scheme"
	"k8s.io/apimachinery/pkg/runtime"
)

// Group is a group with published specs.
type Group struct {
	Name        string // of its folder
	AddToScheme func(*runtime.Scheme) error
}

// Groups are all, by their names.
var Groups = []Group{
	{"app", app.AddToScheme},
	{"appconfiguration", appconfiguration.AddToScheme},
	{"authorization", authorization.AddToScheme},
	{"batch", batch.AddToScheme},
	{"cache", cache.AddToScheme},
	{"cognitiveservices", cognitiveservices.AddToScheme},
	{"communication", communication.AddToScheme},
	{"compute", compute.AddToScheme},
	{"containerinstance", containerinstance.AddToScheme},
	{"containerregistry", containerregistry.AddToScheme},
	{"containerservice", containerservice.AddToScheme},
	{"datafactory", datafactory.AddToScheme},
	{"dataprotection", dataprotection.AddToScheme},
	{"dbformysql", dbformysql.AddToScheme},
	{"dbforpostgresql", dbforpostgresql.AddToScheme},
	{"documentdb", documentdb.AddToScheme},
	{"eventgrid", eventgrid.AddToScheme},
	{"eventhub", eventhub.AddToScheme},
	{"keyvault", keyvault.AddToScheme},
	{"kubernetesconfiguration", kubernetesconfiguration.AddToScheme},
	{"kusto", kusto.AddToScheme},
	{"machinelearningservices", machinelearningservices.AddToScheme},
	{"managedidentity", managedidentity.AddToScheme},
	{"monitor", monitor.AddToScheme},
	{"network", network.AddToScheme},
	{"notificationhubs", notificationhubs.AddToScheme},
	{"operationalinsights", operationalinsights.AddToScheme},
	{"resources", resources.AddToScheme},
	{"search", search.AddToScheme},
	{"servicebus", servicebus.AddToScheme},
	{"signalrservice", signalrservice.AddToScheme},
	{"sql", sql.AddToScheme},
	{"storage", storage.AddToScheme},
	{"web", web.AddToScheme},
}

// AddToScheme registers all groups.
func AddToScheme(scheme *runtime.Scheme) error {
	for _, group := range Groups {
		if err := group.AddToScheme(scheme); err != nil {
			return err
		}
	}
	return nil
}

// Specs returns the folder of the Swagger specs, which the build names in the
// environment variable SPECS. It skips the test if there are none.
func Specs(t testing.TB) string {
	t.Helper()
	folder := specs()
	if folder == "" {
		t.Skip("there are no published specs: the bodies of requests are those of their examples")
	}
	return folder
}

// HasSpecs reports whether there are Swagger specs.
func HasSpecs() bool { return specs() != "" }

func specs() string {
	folder := filepath.Join(os.Getenv("TEST_SRCDIR"), filepath.Dir(os.Getenv("SPECS")), "azure-rest-api-specs", "specification")
	if _, err := os.Stat(folder); err != nil {
		return ""
	}
	return folder
}
