package kinds

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// UndecodableAnnotation is on what was read of an object that the API server has stored and that is none of its kind,
// and says why. With its second slash it is no name of an annotation, so it is never stored and nobody else can set it.
const UndecodableAnnotation = annotation.Domain + "/read/undecodable"

// Undecodable returns the problem of an object of which the metadata, and perhaps the Status, could be read and no
// more, or nil.
func Undecodable(object metav1.Object) *problem.Problem {
	why := object.GetAnnotations()[UndecodableAnnotation]
	if why == "" {
		return nil
	}
	return &problem.Problem{Reason: problem.Undecodable, Stalled: true, Message: why +
		"; somebody has written the object so at its storage version, and nothing is done for it before that value is corrected"}
}
