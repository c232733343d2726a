package kinds

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// Policy is the value of [annotation.ReconcilePolicy].
type Policy string

// The policies.
const (
	// PolicyManage lets the operator create, update and delete the resource.
	PolicyManage Policy = annotation.PolicyManage
	// PolicySkip lets the operator keep the Status up to date, and write nothing.
	PolicySkip Policy = annotation.PolicySkip
	// PolicyDetach is PolicyManage, except that the resource stays when the object is deleted.
	PolicyDetach Policy = annotation.PolicyDetach
)

// PolicyOf returns the policy of an object, by default [PolicyManage].
func PolicyOf(object metav1.Object) Policy {
	if p := Policy(object.GetAnnotations()[annotation.ReconcilePolicy]); p != "" {
		return p
	}
	return PolicyManage
}

// Problem returns the problem of a policy with an unknown value, or nil.
func (p Policy) Problem() *problem.Problem {
	switch p {
	case PolicyManage, PolicySkip, PolicyDetach:
		return nil
	}
	return &problem.Problem{Reason: problem.InvalidPolicy, Stalled: true,
		Message: fmt.Sprintf("found %q in the annotation %s, expected %s, %s or %s", string(p), annotation.ReconcilePolicy,
			PolicyManage, PolicySkip, PolicyDetach)}
}
