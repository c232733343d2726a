// Package changes has predicates for controllers: which updates of a resource concern
// them. Its main type is [Spec], a predicate of controller-runtime.
package changes

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/remainder"
)

// Spec is a predicate that ignores updates that change neither the Spec of a
// resource nor whether it is being deleted. It takes the place of
// predicate.GenerationChangedPredicate for a controller of stored resources. The
// generation does not tell all changes of a stored Spec: the API server compares
// what the version of the request shows, and a write at an old version can change
// what only newer versions have.
type Spec struct{ predicate.Funcs }

// Update reports whether the Spec differs or a deletion began.
func (Spec) Update(e event.UpdateEvent) bool {
	if e.ObjectOld == nil || e.ObjectNew == nil {
		return false
	}
	if e.ObjectOld.GetDeletionTimestamp().IsZero() != e.ObjectNew.GetDeletionTimestamp().IsZero() {
		return true
	}
	before, err1 := remainder.DigestOf(specOf(e.ObjectOld))
	after, err2 := remainder.DigestOf(specOf(e.ObjectNew))
	return err1 != nil || err2 != nil || before != after
}

// specOf returns the Spec of an object, or all of an object that has none.
func specOf(object client.Object) any {
	switch object := object.(type) {
	case conversion.KubernetesResource:
		return object.GetSpec()
	case *unstructured.Unstructured:
		return object.Object["spec"]
	}
	return object
}
