package untypedtest

import (
	"context"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/runtime/untyped"
)

// medium stores the objects of a test. Each method returns the objects as they are
// stored afterwards.
type medium interface {
	// seed stores the first objects.
	seed(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error)
	// move converts the objects to another version.
	move(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error)
	// write stores the objects as a test has changed them.
	write(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error)
}

func (c CRDVersionTest) medium(t *testing.T) medium {
	if c.Client == nil {
		return memory{c}
	}
	return &server{CRDVersionTest: c, t: t}
}

// memory stores nothing: the objects themselves are converted.
type memory struct{ CRDVersionTest }

func (memory) seed(_ string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	return objects, nil
}

func (memory) write(_ string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	return objects, nil
}

func (m memory) move(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	want := m.gvk(version)
	return each(objects, func(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		converted, err := m.Convert(untyped.FromUnstructured(object), want.GroupVersion().String())
		if err != nil {
			return nil, err
		}
		result, err := converted.Unstructured()
		if err != nil {
			return nil, err
		}
		if got := result.GroupVersionKind(); got != want {
			return nil, fmt.Errorf("it became a %s of %s, not a %s of %s", got.Kind, got.GroupVersion(), want.Kind, want.GroupVersion())
		}
		return result, nil
	})
}

// server stores the objects in an API server, which converts them for requests at
// another version.
type server struct {
	CRDVersionTest
	t *testing.T
}

func (s *server) seed(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	return each(objects, func(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		client := s.client(version, object)
		created, err := client.Create(s.t.Context(), object, metav1.CreateOptions{})
		if err != nil {
			return nil, err
		}
		s.t.Cleanup(func() {
			// The test's own context has ended by then, and Test may have deleted the object.
			err := client.Delete(context.Background(), created.GetName(), metav1.DeleteOptions{})
			if err != nil && !apierrors.IsNotFound(err) {
				s.t.Errorf("deleting %s: %v", created.GetName(), err)
			}
		})
		return s.writeStatus(version, created, object.Object["status"])
	})
}

// move also updates the objects at the version, as a client would.
func (s *server) move(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	moved, err := each(objects, func(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		return s.client(version, object).Get(s.t.Context(), object.GetName(), metav1.GetOptions{})
	})
	if err != nil {
		return nil, err
	}
	return s.write(version, moved)
}

func (s *server) write(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	return each(objects, func(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		updated, err := s.client(version, object).Update(s.t.Context(), object, metav1.UpdateOptions{})
		if err != nil {
			return nil, err
		}
		return s.writeStatus(version, updated, object.Object["status"])
	})
}

// writeStatus writes the status, which other writes ignore if the version has a
// status subresource.
func (s *server) writeStatus(version string, object *unstructured.Unstructured, status any) (*unstructured.Unstructured, error) {
	if sub := s.version(version).Subresources; status == nil || sub == nil || sub.Status == nil {
		return object, nil
	}
	object.Object["status"] = status
	return s.client(version, object).UpdateStatus(s.t.Context(), object, metav1.UpdateOptions{})
}

func each(
	objects []*unstructured.Unstructured, do func(*unstructured.Unstructured) (*unstructured.Unstructured, error),
) ([]*unstructured.Unstructured, error) {
	var results []*unstructured.Unstructured
	for i, object := range objects {
		result, err := do(object)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
		results = append(results, result)
	}
	return results, nil
}

func (s *server) client(version string, object *unstructured.Unstructured) dynamic.ResourceInterface {
	resource := s.gvk(version).GroupVersion().WithResource(s.Spec.Names.Plural)
	if object.GetNamespace() == "" {
		return s.Client.Resource(resource)
	}
	return s.Client.Resource(resource).Namespace(object.GetNamespace())
}
