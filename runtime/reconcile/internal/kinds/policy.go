package kinds

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// Policy is the value of [annotation.ReconcilePolicy].
type Policy string

const (
	PolicyManage Policy = annotation.PolicyManage
	PolicySkip   Policy = annotation.PolicySkip
	PolicyDetach Policy = annotation.PolicyDetach
)

func PolicyOf(object metav1.Object) Policy {
	if p := Policy(object.GetAnnotations()[annotation.ReconcilePolicy]); p != "" {
		return p
	}
	return PolicyManage
}

func (p Policy) Problem() *problem.Problem {
	switch p {
	case PolicyManage, PolicySkip, PolicyDetach:
		return nil
	}
	return &problem.Problem{Reason: problem.InvalidPolicy, Stalled: true,
		Message: fmt.Sprintf("found %q in the annotation %s, expected %s, %s or %s", string(p), annotation.ReconcilePolicy,
			PolicyManage, PolicySkip, PolicyDetach)}
}
