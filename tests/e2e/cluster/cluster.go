// Package cluster runs a kube-apiserver and etcd for end-to-end tests, and a
// conversion webhook that a test can make fail. Its main types are [Cluster] and
// [Webhook].
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/rest"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/tools/controlplane"
)

// Cluster is a running API server with its etcd.
type Cluster struct {
	*controlplane.ControlPlane
	// Warnings are the API server's warnings about CRDs that it accepted.
	Warnings []string
}

// Start starts the binaries in the folder that KUBEBUILDER_ASSETS names.
func Start() (*Cluster, error) { return StartWith(controlplane.Options{}) }

// StartWith does what [Start] does, with options.
func StartWith(options controlplane.Options) (*Cluster, error) {
	plane, err := controlplane.Start(options)
	if err != nil {
		return nil, err
	}
	c := &Cluster{ControlPlane: plane}
	config := rest.CopyConfig(c.Config)
	config.WarningHandler = warnings{c}
	crds, err := apiextensions.NewForConfig(config)
	if err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	c.CRDs = crds.CustomResourceDefinitions()
	return c, nil
}

// New starts a cluster that runs until the test ends.
func New(t testing.TB) *Cluster {
	t.Helper()
	c, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// Before reports whether the API server is older than a version, such as "1.37".
// docs/stability.md says what an older one lacks, and .ci/kubernetes-servers runs
// tests on them.
func (c *Cluster) Before(t testing.TB, version string) bool {
	t.Helper()
	info, err := c.Discovery.ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	is, err := utilversion.ParseGeneric(info.GitVersion)
	if err != nil {
		t.Fatal(err)
	}
	return is.LessThan(utilversion.MustParseGeneric(version))
}

type warnings struct{ *Cluster }

func (w warnings) HandleWarningHeader(_ int, _ string, text string) {
	w.Warnings = append(w.Warnings, text)
}

// ReadCRDs reads the CRDs in the folder that a group's target crds makes.
func ReadCRDs(t testing.TB, folder string) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crds, err := controlplane.ReadCRDs(folder)
	if err != nil {
		t.Fatal(err)
	}
	return crds
}

// Install creates CRDs or replaces their specs, and waits until the API server
// serves the versions that they list as served. webhook converts their objects.
func (c *Cluster) Install(t testing.TB, webhook *Webhook, crds ...*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	// Not the test's context, because cleanups install too, when that has ended.
	if err := c.ControlPlane.Install(context.Background(), webhook.Conversion(), crds...); err != nil {
		t.Fatal(err)
	}
}

// Uninstall deletes CRDs with all of their objects, and waits until they are gone. It
// returns how many objects there were.
//
// It lists them first at the stored version. If nobody has read them there when a CRD is
// deleted, the API server's finalizer takes minutes at times, as if objects were left.
func (c *Cluster) Uninstall(t testing.TB, crds ...*apiextensionsv1.CustomResourceDefinition) (objects int) {
	t.Helper()
	ctx := context.Background() // not the test's, because cleanups uninstall when that has ended
	for _, crd := range crds {
		for _, v := range crd.Spec.Versions {
			if !v.Storage {
				continue
			}
			list, err := c.Client.Resource(schema.GroupVersionResource{Group: crd.Spec.Group, Version: v.Name,
				Resource: crd.Spec.Names.Plural}).List(ctx, metav1.ListOptions{})
			if err != nil {
				t.Fatalf("listing %s before it is deleted: %v", crd.Name, err)
			}
			objects += len(list.Items)
		}
	}
	for _, crd := range crds {
		permit := fmt.Appendf(nil, `{"metadata": {"annotations": {%q: %q}}}`, annotation.Deletion, annotation.DeletionDelete)
		_, err := c.CRDs.Patch(ctx, crd.Name, types.MergePatchType, permit, metav1.PatchOptions{}) // for the group's policy
		if err == nil {
			err = c.CRDs.Delete(ctx, crd.Name, metav1.DeleteOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, crd := range crds {
		// The API server's finalizer waits up to a minute for the objects to go, and tries again, for
		// five minutes at times although none is left. Its conditions show each try.
		await.Until(t, crd.Name+" is deleted", func() error {
			left, err := c.CRDs.Get(ctx, crd.Name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return nil
			}
			objects := c.Versions(t, schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural})
			if len(objects) > 0 {
				return fmt.Errorf("objects are left in etcd: %v", objects)
			}
			return fmt.Errorf("%v, its conditions are %v", err, left.Status.Conditions)
		})
	}
	return objects
}

// Stored returns an object as it is in etcd.
func (c *Cluster) Stored(t testing.TB, resource schema.GroupResource, name string) *unstructured.Unstructured {
	t.Helper()
	object, err := c.ControlPlane.Stored(t.Context(), resource, name)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// Store puts an object into etcd, without validation or conversion.
func (c *Cluster) Store(t testing.TB, resource schema.GroupResource, object *unstructured.Unstructured) {
	t.Helper()
	text, err := object.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Etcd.Put(t.Context(), controlplane.Key(resource, object.GetName()), string(text)); err != nil {
		t.Fatal(err)
	}
}

// Versions counts the objects of a resource in etcd by the version they are stored at.
func (c *Cluster) Versions(t testing.TB, resource schema.GroupResource) map[string]int {
	t.Helper()
	// Not the test's context, because cleanups ask, too.
	response, err := c.Etcd.Get(context.Background(), "/registry/"+resource.Group+"/"+resource.Resource+"/", clientv3.WithPrefix())
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

// Conditions lists the conditions that are wrong with a CRD: those of its
// establishment that are missing or not true, and any others, such as that a
// schema is not structural.
func (c *Cluster) Conditions(t testing.TB, name string) []string {
	t.Helper()
	crd, err := c.CRDs.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[apiextensionsv1.CustomResourceDefinitionConditionType]bool{
		apiextensionsv1.Established: true, apiextensionsv1.NamesAccepted: true,
	}
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

// Memory returns how many bytes of the API server are resident.
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
	t.Fatal("the API server's metrics do not have process_resident_memory_bytes")
	return 0
}

// Preferred returns the version of a group that a client gets if it names none.
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
