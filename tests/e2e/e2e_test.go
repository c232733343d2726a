// Package e2e runs the generated APIs on a real kube-apiserver and etcd. It
// takes the binaries that KUBEBUILDER_ASSETS names, or builds them once with
// controlplane/build.sh.
package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
)

func TestMain(m *testing.M) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		build := exec.Command("controlplane/build.sh")
		build.Stderr = os.Stderr
		folder, err := build.Output()
		if err != nil {
			fmt.Fprintf(os.Stderr, "controlplane/build.sh: %v; to use other binaries, set KUBEBUILDER_ASSETS to their folder\n", err)
			os.Exit(1)
		}
		os.Setenv("KUBEBUILDER_ASSETS", strings.TrimSpace(string(folder)))
	}
	os.Exit(m.Run())
}

// start runs an API server with the CRDs of some folders and a conversion
// webhook over the types of a scheme, until the test ends.
func start(t *testing.T, scheme *runtime.Scheme, folders ...string) *rest.Config {
	t.Helper()
	env := &envtest.Environment{
		Scheme:                scheme,
		CRDDirectoryPaths:     folders,
		ErrorIfCRDPathMissing: true,
	}
	// A sandbox without a network has no address that the server could advertise.
	env.ControlPlane.GetAPIServer().Configure().
		Set("advertise-address", "127.0.0.1").
		Set("endpoint-reconciler-type", "none")
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	})

	options := env.WebhookInstallOptions
	server := webhook.NewServer(webhook.Options{
		Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir,
	})
	server.Register("/convert", conversion.NewWebhookHandler(scheme, conversion.NewRegistry()))
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- server.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	for server.StartedChecker()(&http.Request{}) != nil {
		select {
		case err := <-stopped:
			t.Fatalf("the webhook stopped: %v", err)
		default:
		}
	}
	return config
}

// crds is the folder that //apis/crm:crds makes.
func crds(t *testing.T, group string) string {
	t.Helper()
	folder := filepath.Join("..", "..", "apis", group, "crds")
	if _, err := os.Stat(folder); err != nil {
		t.Fatalf("%v: run this test with `./bazelw test //tests/e2e:e2e_test`, which builds the folder", err)
	}
	return folder
}

func persons(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "crm.azure.com", Version: version, Resource: "persons"}
}

func TestCRM(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := crm.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	config := start(t, scheme, crds(t, "crm"))
	t.Run("a client that names no version gets the newest GA one", func(t *testing.T) { testDefaultVersion(t, config) })
	t.Run("a person written at any version is read at the others", func(t *testing.T) { testPersonAtOtherVersions(t, config) })
}

// Kubernetes serves its preferred version to who asks for none, such as
// `kubectl get persons`. An old one would lose what only newer ones have.
func testDefaultVersion(t *testing.T, config *rest.Config) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := client.ServerGroups()
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups.Groups {
		if group.Name == "crm.azure.com" {
			if got, want := group.PreferredVersion.Version, "v1beta20211111"; got != want {
				t.Errorf("the preferred version is %s, want %s", got, want)
			}
			return
		}
	}
	t.Errorf("the server does not have the group: %v", groups)
}

// The case of the first three versions of the CRM service: nothing changes, and
// then a property is added.
func testPersonAtOtherVersions(t *testing.T, config *rest.Config) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	versions := []string{"v1beta20110101", "v1beta20120202", "v1beta20130303"}
	for _, written := range versions {
		spec := map[string]any{
			"azureName": "ada",
			"firstName": "Ada",
			"lastName":  "Lovelace",
			"id":        "0a1b2c3d-0000-4000-8000-0123456789ab",
			"owner":     map[string]any{"name": "people"},
		}
		if written == "v1beta20130303" {
			spec["middleName"] = "King"
		}
		name := "ada-" + strings.TrimPrefix(written, "v1beta")
		person := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "crm.azure.com/" + written,
			"kind":       "Person",
			"metadata":   map[string]any{"name": name, "namespace": "default"},
			"spec":       spec,
		}}
		if _, err := client.Resource(persons(written)).Namespace("default").Create(ctx, person, metav1.CreateOptions{}); err != nil {
			t.Fatalf("create at %s: %v", written, err)
		}
		for _, read := range versions {
			got, err := client.Resource(persons(read)).Namespace("default").Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				t.Fatalf("written at %s, read at %s: %v", written, read, err)
			}
			want := runtime.DeepCopyJSON(spec)
			if read != "v1beta20130303" {
				delete(want, "middleName")
			}
			if diff := cmp.Diff(want, got.Object["spec"]); diff != "" {
				t.Errorf("written at %s, read at %s (-want +got):\n%s", written, read, diff)
			}
		}
	}
}
