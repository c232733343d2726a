package reconcile

import (
	"crypto/sha256"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// operatorOf returns the operator that manages an object according to its mark, or "". The mark of
// a copy does not count, because it has the uid of the original.
func operatorOf(object metav1.Object) string {
	operator, uid, _ := strings.Cut(object.GetAnnotations()[annotation.Operator], "@")
	if uid != string(object.GetUID()) {
		return ""
	}
	return operator
}

// OperatorOf returns the namespace and the name of the operator that manages most of some objects, "" if none is
// managed.
func OperatorOf(objects []ctrlclient.Object) (namespace, name string) {
	counts, most := map[string]int{}, ""
	for _, object := range objects {
		if by := operatorOf(object); by != "" {
			if counts[by]++; counts[by] > counts[most] || counts[by] == counts[most] && by < most {
				most = by
			}
		}
	}
	namespace, name, _ = strings.Cut(most, "/")
	return namespace, name
}

// operator is the name of this operator in marks, as namespace/name.
type operator struct{ name string }

// newOperator returns the operator that options describe.
func newOperator(options Options) operator {
	return operator{options.Namespace + "/" + options.Instance}
}

// holder returns a hash of the operator's name, for labels, which cannot hold the name itself.
func (o operator) holder() string { return fmt.Sprintf("%x", sha256.Sum256([]byte(o.name)))[:16] }

// isForeign reports whether another operator manages an object.
func (o operator) isForeign(object metav1.Object) bool {
	by := operatorOf(object)
	return by != "" && by != o.name
}

// manages reports whether this operator manages an object.
func (o operator) manages(object metav1.Object) bool { return operatorOf(object) == o.name }

// mark marks an object as managed by this operator. If two operators mark it at the same time, one succeeds, because a
// write fails if the object has changed. For the same reason all later writes fail if another operator has taken over
// the object, and there is a write before each PUT.
func (o operator) mark(object metav1.Object) {
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[annotation.Operator] = o.name + "@" + string(object.GetUID())
	object.SetAnnotations(annotations)
}

// leave leaves an object to the operator that manages it. Only that operator writes the Status,
// so leave reports this by an event and a metric.
func (r *Reconciler) leave(object kinds.Resource, of ref, m *memory) {
	r.unmanage(of)
	r.metrics.setState(of, objectState{of.Group, of.Kind, "foreign", ReasonManagedByAnother})
	if by := operatorOf(object); m.leftTo != by {
		m.leftTo = by
		r.cluster.Events.Eventf(object, nil, corev1.EventTypeWarning, ReasonManagedByAnother, "Reconcile",
			"operator %s manages it, and %s leaves it alone: let them manage different namespaces, or remove the annotation %s "+
				"to hand it over", by, r.operator.name, annotation.Operator)
	}
}
