package untypedtest

import (
	"context"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/runtime/untyped"
)

// standIn does as much of an API server's work as the tests need: it stores objects
// at one version, converts them to the version of a request, and keeps their status
// apart. tests/e2e runs the same test against a real API server.
type standIn struct {
	t       *testing.T
	convert untyped.ConvertFunction
	stored  map[string]*unstructured.Unstructured
	log     []string
}

const storage = "example.com/v2"

func (s *standIn) Resource(resource schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	return endpoint{standIn: s, resource: resource}
}

// endpoint panics for methods that are not implemented here.
type endpoint struct {
	dynamic.NamespaceableResourceInterface
	*standIn
	resource  schema.GroupVersionResource
	namespace string
}

func (e endpoint) Namespace(namespace string) dynamic.ResourceInterface {
	e.namespace = namespace
	return e
}

func (e endpoint) Create(_ context.Context, object *unstructured.Unstructured, _ metav1.CreateOptions,
	_ ...string) (*unstructured.Unstructured, error) {
	object = object.DeepCopy()
	if e.statusApart() {
		unstructured.RemoveNestedField(object.Object, "status")
	}
	return e.store("create", object)
}

func (e endpoint) Update(_ context.Context, object *unstructured.Unstructured, _ metav1.UpdateOptions,
	_ ...string) (*unstructured.Unstructured, error) {
	object = object.DeepCopy()
	old, err := e.Get(context.Background(), object.GetName(), metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	if e.statusApart() {
		object.Object["status"] = old.Object["status"]
	}
	return e.store("update", object)
}

// statusApart reports whether a version has a status subresource; see spec.
func (e endpoint) statusApart() bool { return e.resource.Version != "v3" }

func (e endpoint) UpdateStatus(_ context.Context, object *unstructured.Unstructured,
	_ metav1.UpdateOptions) (*unstructured.Unstructured, error) {
	if !e.statusApart() {
		return nil, apierrors.NewNotFound(e.resource.GroupResource(), "status")
	}
	changed, err := e.Get(context.Background(), object.GetName(), metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	changed.Object["status"] = object.Object["status"]
	return e.store("status", changed)
}

func (e endpoint) Get(_ context.Context, name string, _ metav1.GetOptions, _ ...string) (*unstructured.Unstructured, error) {
	object, found := e.stored[e.namespace+"/"+name]
	if !found {
		return nil, apierrors.NewNotFound(e.resource.GroupResource(), name)
	}
	return e.at(object, e.resource.GroupVersion().String())
}

func (e endpoint) Delete(_ context.Context, name string, _ metav1.DeleteOptions, _ ...string) error {
	if _, err := e.Get(context.Background(), name, metav1.GetOptions{}); err != nil {
		return err
	}
	delete(e.stored, e.namespace+"/"+name)
	return nil
}

func (e endpoint) store(how string, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	e.standIn.log = append(e.standIn.log, how+" "+e.resource.Version)
	if object.GetNamespace() != e.namespace || object.GetAPIVersion() != e.resource.GroupVersion().String() {
		e.t.Errorf("%s of a %s in %q at %s in %q", how, object.GetAPIVersion(), object.GetNamespace(), e.resource, e.namespace)
	}
	stored, err := e.at(object, storage)
	if err != nil {
		return nil, err
	}
	e.stored[e.namespace+"/"+object.GetName()] = stored
	return e.at(stored, e.resource.GroupVersion().String())
}

func (e endpoint) at(object *unstructured.Unstructured, apiVersion string) (*unstructured.Unstructured, error) {
	converted, err := e.convert(untyped.FromUnstructured(object), apiVersion)
	if err != nil {
		return nil, err
	}
	return converted.Unstructured()
}
