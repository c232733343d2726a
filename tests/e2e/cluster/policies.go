package cluster

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/tools/controlplane"
)

// resources has the resources of the kinds that [Cluster.Apply] applies.
var resources = map[string]schema.GroupVersionResource{
	"ValidatingAdmissionPolicy": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"},
	"ValidatingAdmissionPolicyBinding": {Group: "admissionregistration.k8s.io", Version: "v1",
		Resource: "validatingadmissionpolicybindings"},
	"MutatingWebhookConfiguration": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"},
	"ClusterRole":                  {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
	"ClusterRoleBinding":           {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"},
	"RoleBinding":                  {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
}

// Apply applies the objects in a text of YAML, and returns a function that deletes them.
func (c *Cluster) Apply(t testing.TB, text string) (remove func()) {
	t.Helper()
	ctx := context.Background() // not the test's, because cleanups apply too when that has ended
	client := func(object *unstructured.Unstructured) dynamic.ResourceInterface {
		return c.Client.Resource(resources[object.GetKind()]).Namespace(object.GetNamespace())
	}
	var applied []*unstructured.Unstructured
	for in := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text))); ; {
		document, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		object := &unstructured.Unstructured{}
		if err == nil {
			err = yaml.Unmarshal(document, &object.Object)
		}
		for tries := 0; err == nil; tries++ {
			_, err = client(object).Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "test", Force: true})
			if err == nil || tries == 5 || !apierrors.IsTimeout(err) {
				break
			}
			err = nil // the API server was busy with the documents of many CRDs
		}
		if err != nil {
			t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
		}
		applied = append(applied, object)
	}
	return func() {
		for _, object := range applied {
			if err := client(object).Delete(ctx, object.GetName(), metav1.DeleteOptions{}); err != nil {
				t.Error(err)
			}
		}
	}
}

// ReadPolicies returns the admission policies in the folder that a group's target crds
// makes.
func ReadPolicies(t testing.TB, folder string) string {
	t.Helper()
	text, err := controlplane.ReadPolicies(folder)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// InstallPolicies installs the admission policies in the folder that a group's
// target crds makes, and waits until denied returns an error that a policy has
// made. It returns a function that removes them and waits until denied returns
// none.
func (c *Cluster) InstallPolicies(t testing.TB, folder string, denied func() error) (remove func()) {
	t.Helper()
	deleteAll := c.Apply(t, ReadPolicies(t, folder))
	Eventually(t, func() bool { return IsDenied(denied()) })
	return func() {
		deleteAll()
		Eventually(t, func() bool { return !IsDenied(denied()) })
	}
}

// IsDenied reports whether an admission policy has denied a request.
func IsDenied(err error) bool { return controlplane.IsDenied(err) }

// Eventually waits until a condition holds: an API server takes notice of roles
// and policies after some moments.
func Eventually(t testing.TB, condition func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(context.Background(), 50*time.Millisecond, 5*time.Minute, true,
		func(context.Context) (bool, error) { return condition(), nil })
	if err != nil {
		t.Fatal(err)
	}
}
