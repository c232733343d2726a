package converttest

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/runtime/convert"
)

// medium is where the objects of a test live.
type medium interface {
	// seed takes the first objects in.
	seed(version string, objects []*unstructured.Unstructured) error
	// move returns the objects at another version.
	move(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error)
	// write keeps what has become of the objects.
	write(version string, objects []*unstructured.Unstructured) error
}

func (c CRDVersionTest) medium(t *testing.T) medium {
	if c.Client == nil {
		return memory{c}
	}
	return &server{CRDVersionTest: c, t: t}
}

// memory needs to keep nothing: the next version comes from the objects themselves.
type memory struct{ CRDVersionTest }

func (memory) seed(string, []*unstructured.Unstructured) error  { return nil }
func (memory) write(string, []*unstructured.Unstructured) error { return nil }

func (m memory) move(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	var moved []*unstructured.Unstructured
	for i, object := range objects {
		converted, err := m.Convert(convert.FromUnstructured(object.DeepCopy()), m.gvk(version).GroupVersion().String())
		if err != nil {
			return nil, err
		}
		result, err := converted.Unstructured()
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
		if got, want := result.GroupVersionKind(), m.gvk(version); got != want {
			return nil, fmt.Errorf("object %d became a %s of %s, not a %s of %s", i, got.Kind, got.GroupVersion(), want.Kind, want.GroupVersion())
		}
		moved = append(moved, result)
	}
	return moved, nil
}

// server is an API server, which converts when it is asked at another version.
type server struct {
	CRDVersionTest
	t *testing.T
}

func (s *server) seed(version string, objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		client := s.client(version, object)
		created, err := client.Create(s.t.Context(), object, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		s.t.Cleanup(func() {
			// The test's own context has ended by then.
			if err := client.Delete(context.Background(), created.GetName(), metav1.DeleteOptions{}); err != nil {
				s.t.Errorf("deleting %s: %v", created.GetName(), err)
			}
		})
		if err := s.writeStatus(version, created, object.Object["status"]); err != nil {
			return err
		}
		*object = *created
	}
	return nil
}

// move also updates the objects at the version, as a client of it would.
func (s *server) move(version string, objects []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	var moved []*unstructured.Unstructured
	for _, object := range objects {
		read, err := s.client(version, object).Get(s.t.Context(), object.GetName(), metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		moved = append(moved, read)
	}
	return moved, s.write(version, moved)
}

func (s *server) write(version string, objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		updated, err := s.client(version, object).Update(s.t.Context(), object, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		if err := s.writeStatus(version, updated, object.Object["status"]); err != nil {
			return err
		}
		*object = *updated
	}
	return nil
}

// writeStatus writes what the API server leaves out of other writes, if the version has a status of its own.
func (s *server) writeStatus(version string, object *unstructured.Unstructured, status any) error {
	if sub := s.version(version).Subresources; status == nil || sub == nil || sub.Status == nil {
		return nil
	}
	object.Object["status"] = status
	updated, err := s.client(version, object).UpdateStatus(s.t.Context(), object, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	*object = *updated
	return nil
}

func (s *server) client(version string, object *unstructured.Unstructured) dynamic.ResourceInterface {
	resource := s.gvk(version).GroupVersion().WithResource(s.Spec.Names.Plural)
	if object.GetNamespace() == "" {
		return s.Client.Resource(resource)
	}
	return s.Client.Resource(resource).Namespace(object.GetNamespace())
}
