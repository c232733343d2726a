// Package e2e runs the generated APIs on a real kube-apiserver and etcd. All
// tests share one API server, one after the other.
package e2e

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// server is the API server that all tests share.
var server *cluster.Cluster

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if server, err = cluster.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if crmWebhook != nil {
		crmWebhook.Stop()
	}
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// crds returns the folder that the target crds of a group makes.
func crds(group string) string { return filepath.Join("..", "..", "apis", group, "crds") }

// keysOf returns keys for tests, the first of which signs.
func keysOf(names ...string) *remainder.Keys {
	var secrets [][]byte
	for _, name := range names {
		secrets = append(secrets, []byte(strings.Repeat(name, remainder.MinKey)))
	}
	keys, err := remainder.NewKeys(secrets...)
	if err != nil {
		panic(err)
	}
	return keys
}

// converter returns a handler that converts the kinds of groups, and signs what
// clients are shown.
func converter(t *testing.T, groups ...func(*runtime.Scheme) error) http.Handler {
	t.Helper()
	return converterWith(t, keysOf("k"), groups...)
}

// converterWith returns a handler that has the keys, which may be nil.
func converterWith(t *testing.T, keys *remainder.Keys, groups ...func(*runtime.Scheme) error) http.Handler {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, register := range groups {
		if err := register(scheme); err != nil {
			t.Fatal(err)
		}
	}
	handler, err := webhook.New(webhook.Options{Scheme: scheme, Keys: func() *remainder.Keys { return keys },
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// crmWebhook converts crm. installCRM starts it.
var crmWebhook *cluster.Webhook

// installCRM installs the group crm with its admission policies, or deletes its objects if it is installed.
func installCRM(t *testing.T) {
	t.Helper()
	if crmWebhook == nil {
		crmWebhook = cluster.NewWebhook(t, converter(t, crm.AddToScheme))
		server.Install(t, crmWebhook, cluster.ReadCRDs(t, crds("crm"))...)
		installPolicies(t)
	}
	clearCRM(t)
}

// clearCRM deletes all objects of crm. It fails if an earlier test has left one with a
// finalizer, which every later test would see.
func clearCRM(t *testing.T) {
	t.Helper()
	for _, resource := range []string{"persons", "parties"} {
		all := server.Client.Resource(schema.GroupVersionResource{Group: "crm.azure.armature.dev", Version: hub,
			Resource: resource}).Namespace("default")
		// An API server ends a request after a minute, in which it has deleted some of thousands of objects.
		for tries := 10; ; tries-- {
			err := all.DeleteCollection(context.Background(), metav1.DeleteOptions{}, metav1.ListOptions{})
			if err == nil {
				break
			}
			if tries == 1 {
				t.Fatal(err)
			}
		}
		left, err := all.List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(left.Items) > 0 {
			object := left.Items[0]
			t.Fatalf("an earlier test left %s %s with the finalizers %q", object.GetKind(), object.GetName(), object.GetFinalizers())
		}
	}
}

var storedPersons = schema.GroupResource{Group: "crm.azure.armature.dev", Resource: "persons"}

// hub is the version at which persons are stored.
const hub = "v20211111storage"

// persons returns a client of the Persons in the namespace default at a version.
func persons(version string) dynamic.ResourceInterface {
	return server.Client.Resource(storedPersons.WithVersion(version)).Namespace("default")
}

// serving returns copies of CRDs that serve only the given versions.
func serving(crds []*apiextensionsv1.CustomResourceDefinition, versions ...string) []*apiextensionsv1.CustomResourceDefinition {
	var result []*apiextensionsv1.CustomResourceDefinition
	for _, crd := range crds {
		crd = crd.DeepCopy()
		for i := range crd.Spec.Versions {
			v := &crd.Spec.Versions[i]
			v.Served = v.Served && slices.Contains(versions, v.Name)
		}
		result = append(result, crd)
	}
	return result
}

// person returns a Person at a version.
func person(version, name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "crm.azure.armature.dev/" + version,
		"kind":       "Person",
		"metadata":   map[string]any{"name": name, "namespace": "default"},
		"spec":       spec,
	}}
}

func create(t *testing.T, version, name string, spec map[string]any) *unstructured.Unstructured {
	t.Helper()
	created, err := persons(version).Create(t.Context(), person(version, name, spec), metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("create %s at %s: %v", name, version, err)
	}
	return created
}

func get(t *testing.T, version, name string) *unstructured.Unstructured {
	t.Helper()
	object, err := persons(version).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatalf("get %s at %s: %v", name, version, err)
	}
	return object
}
