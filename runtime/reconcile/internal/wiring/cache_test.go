package wiring

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

func newHouse() *homes.House { return &homes.House{ObjectMeta: metav1.ObjectMeta{Name: "h"}} }

// TestTrim has what the cache does not keep of an object.
func TestTrim(t *testing.T) {
	h := newHouse()
	h.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "{}", "kept": "yes"}
	h.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl"}}
	got, err := trim(h)
	want := newHouse()
	want.Annotations = map[string]string{"kept": "yes"}
	if err != nil || !equality.Semantic.DeepEqual(got, want) {
		t.Errorf("got %v, error %v", got, err)
	}
	if _, err := trim(newHouse()); err != nil {
		t.Errorf("without annotations: %v", err)
	}
}
