// Package cluster runs a kube-apiserver and etcd for end-to-end tests, and a
// conversion webhook whose failures are the test's to choose. Its main types
// are [Cluster] and [Webhook].
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"
)

// Cluster is a running API server with its etcd.
type Cluster struct {
	// Config is an administrator's, without a limit on the rate of requests.
	Config    *rest.Config
	Client    dynamic.Interface
	Discovery *discovery.DiscoveryClient
	CRDs      apiextensions.CustomResourceDefinitionInterface
	// Warnings are what the API server has said of CRDs that it took all the same.
	Warnings []string

	environment envtest.Environment
	etcd        *clientv3.Client
}

// Start starts the binaries in the folder that KUBEBUILDER_ASSETS names, or
// those that a script builds, which prints their folder.
func Start(script string) (*Cluster, error) {
	c := &Cluster{}
	if c.environment.BinaryAssetsDirectory = os.Getenv("KUBEBUILDER_ASSETS"); c.environment.BinaryAssetsDirectory == "" {
		build := exec.Command(script)
		build.Stderr = os.Stderr
		folder, err := build.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w; to use other binaries, set KUBEBUILDER_ASSETS to their folder", script, err)
		}
		c.environment.BinaryAssetsDirectory = strings.TrimSpace(string(folder))
	}
	// A sandbox without a network has no address that the server could advertise.
	c.environment.ControlPlane.GetAPIServer().Configure().
		Set("advertise-address", "127.0.0.1").
		Set("endpoint-reconciler-type", "none")
	c.environment.ControlPlaneStartTimeout = 2 * time.Minute
	config, err := c.environment.Start()
	if err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{} // old versions are deprecated
	c.Config = config
	if err := c.connect(); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *Cluster) connect() error {
	var errs [4]error
	c.Client, errs[0] = dynamic.NewForConfig(c.Config)
	c.Discovery, errs[1] = discovery.NewDiscoveryClientForConfig(c.Config)
	config := rest.CopyConfig(c.Config)
	config.WarningHandler = warnings{c}
	crds, err := apiextensions.NewForConfig(config)
	errs[2] = err
	if err == nil {
		c.CRDs = crds.CustomResourceDefinitions()
	}
	c.etcd, errs[3] = clientv3.New(clientv3.Config{Endpoints: []string{c.environment.ControlPlane.Etcd.URL.String()}})
	return errors.Join(errs[:]...)
}

type warnings struct{ *Cluster }

func (w warnings) HandleWarningHeader(_ int, _ string, text string) {
	w.Warnings = append(w.Warnings, text)
}

// Stop ends both processes.
func (c *Cluster) Stop() error {
	var err error
	if c.etcd != nil {
		err = c.etcd.Close()
	}
	return errors.Join(err, c.environment.Stop())
}

// ReadCRDs reads the folder that a group's target crds makes.
func ReadCRDs(t testing.TB, folder string) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs in %s (%v): run the test with ./bazelw test, which builds them", folder, err)
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(text, crd); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		crds = append(crds, crd)
	}
	return crds
}

// Install creates CRDs or replaces their specs, and waits until the API server
// serves what they say. webhook converts, unless it is nil.
func (c *Cluster) Install(t testing.TB, webhook *Webhook, crds ...*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	ctx := context.Background() // for a cleanup, whose test is over
	for _, crd := range crds {
		crd = crd.DeepCopy()
		if webhook != nil {
			crd.Spec.Conversion = webhook.Conversion()
		}
		installed, err := c.CRDs.Get(ctx, crd.Name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			_, err = c.CRDs.Create(ctx, crd, metav1.CreateOptions{})
		case err == nil:
			installed.Spec = crd.Spec
			_, err = c.CRDs.Update(ctx, installed, metav1.UpdateOptions{})
		}
		if err != nil {
			t.Fatalf("installing %s: %v", crd.Name, err)
		}
	}
	for _, crd := range crds {
		if err := c.waitFor(ctx, crd); err != nil {
			t.Fatal(err)
		}
	}
}

// waitFor waits until just the versions that a CRD serves are served.
func (c *Cluster) waitFor(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	var wrong string
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		wrong = ""
		for _, v := range crd.Spec.Versions {
			served, err := c.serves(schema.GroupVersionResource{Group: crd.Spec.Group, Version: v.Name, Resource: crd.Spec.Names.Plural})
			if err != nil {
				return false, err
			}
			if served != v.Served {
				wrong = fmt.Sprintf("%s is served: %v", v.Name, served)
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the API server to serve %s as it says (%s): %w", crd.Name, wrong, err)
	}
	return nil
}

func (c *Cluster) serves(resource schema.GroupVersionResource) (bool, error) {
	list, err := c.Discovery.ServerResourcesForGroupVersion(resource.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == resource.Resource }), nil
}

// Uninstall deletes CRDs with all of their objects, and waits until they are gone.
func (c *Cluster) Uninstall(t testing.TB, crds ...*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	ctx := context.Background() // for a cleanup, whose test is over
	for _, crd := range crds {
		if err := c.CRDs.Delete(ctx, crd.Name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, crd := range crds {
		err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
			_, err := c.CRDs.Get(ctx, crd.Name, metav1.GetOptions{})
			return apierrors.IsNotFound(err), nil
		})
		if err != nil {
			t.Fatalf("deleting %s: %v", crd.Name, err)
		}
	}
}

// Stored is an object as it is in etcd.
func (c *Cluster) Stored(t testing.TB, resource schema.GroupResource, name string) *unstructured.Unstructured {
	t.Helper()
	response, err := c.etcd.Get(t.Context(), key(resource, name))
	if err != nil {
		t.Fatal(err)
	}
	if len(response.Kvs) != 1 {
		t.Fatalf("etcd has nothing at %s", key(resource, name))
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(response.Kvs[0].Value); err != nil {
		t.Fatal(err)
	}
	return object
}

// Store puts an object into etcd, whatever it is.
func (c *Cluster) Store(t testing.TB, resource schema.GroupResource, object *unstructured.Unstructured) {
	t.Helper()
	text, err := object.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.etcd.Put(t.Context(), key(resource, object.GetName()), string(text)); err != nil {
		t.Fatal(err)
	}
}

// Versions counts the objects of a resource in etcd by the version they are stored at.
func (c *Cluster) Versions(t testing.TB, resource schema.GroupResource) map[string]int {
	t.Helper()
	response, err := c.etcd.Get(t.Context(), "/registry/"+resource.Group+"/"+resource.Resource+"/", clientv3.WithPrefix())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, kv := range response.Kvs {
		object := metav1.TypeMeta{}
		if err := json.Unmarshal(kv.Value, &object); err != nil {
			t.Fatalf("%s: %v", kv.Key, err)
		}
		found[strings.TrimPrefix(object.APIVersion, resource.Group+"/")]++
	}
	return found
}

func key(resource schema.GroupResource, name string) string {
	return "/registry/" + resource.Group + "/" + resource.Resource + "/default/" + name
}

// Conditions lists what an API server says against a CRD: a condition of
// establishment that is not true, or any other one, such as a schema that is
// not structural.
func (c *Cluster) Conditions(t testing.TB, name string) []string {
	t.Helper()
	crd, err := c.CRDs.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[apiextensionsv1.CustomResourceDefinitionConditionType]bool{apiextensionsv1.Established: true, apiextensionsv1.NamesAccepted: true}
	var wrong []string
	for _, condition := range crd.Status.Conditions {
		if !wanted[condition.Type] || condition.Status != apiextensionsv1.ConditionTrue {
			wrong = append(wrong, fmt.Sprintf("%s: %s is %s: %s", name, condition.Type, condition.Status, condition.Message))
		}
		delete(wanted, condition.Type)
	}
	for condition := range wanted {
		wrong = append(wrong, fmt.Sprintf("%s: no condition %s", name, condition))
	}
	return wrong
}

// Memory is how many bytes the API server has resident.
func (c *Cluster) Memory(t testing.TB) int64 {
	t.Helper()
	metrics, err := c.Discovery.RESTClient().Get().AbsPath("/metrics").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(metrics)) {
		if value, is := strings.CutPrefix(line, "process_resident_memory_bytes "); is {
			bytes, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return int64(bytes)
		}
	}
	t.Fatal("the API server does not say how much memory it has")
	return 0
}

// Preferred is the version of a group that a client gets that names none.
func (c *Cluster) Preferred(t testing.TB, name string) string {
	t.Helper()
	groups, err := c.Discovery.ServerGroups()
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups.Groups {
		if group.Name == name {
			return group.PreferredVersion.Version
		}
	}
	t.Fatalf("the server does not have the group %s: %v", name, groups)
	return ""
}
