// Package policy says what the operator may do with the resource of an object, by the annotations of the object and of
// its namespace.
package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Policy says what the operator may do with the resource of an object.
type Policy struct {
	// Adopt is a value of [annotation.Adopt], Deletion one of [annotation.Deletion], and Drift one of
	// [annotation.Drift].
	Adopt, Deletion, Drift string
	// wrong says what is wrong with the annotations, "" for nothing.
	wrong string
}

// The values of the annotations, the strictest last.
var (
	adopts    = []string{annotation.AdoptExact, annotation.AdoptAdopt, annotation.AdoptCreate, annotation.AdoptObserve}
	deletions = []string{annotation.DeletionDelete, annotation.DeletionDetach, annotation.DeletionProtect}
	drifts    = []string{annotation.DriftIgnore, annotation.DriftReport, annotation.DriftCorrect}
)

// Defaults are the values of the annotations where neither an object nor its namespace says one, "" for the usual ones.
type Defaults struct{ Adopt, Deletion, Drift string }

// Check returns an error if a value is not known.
func (d Defaults) Check() error {
	all := map[string]string{annotation.Adopt: d.Adopt, annotation.Deletion: d.Deletion, annotation.Drift: d.Drift}
	if p := Of(&metav1.ObjectMeta{Annotations: all}, nil, Defaults{}); p.wrong != "" {
		return errors.New(p.wrong)
	}
	return nil
}

// Of returns the policy of an object in a namespace, which may be nil. The object may be stricter than its
// namespace, and not less strict.
func Of(object, namespace metav1.Object, byDefault Defaults) Policy {
	p := Policy{}
	p.Adopt = p.choose(object, namespace, annotation.Adopt, adopts, cmp.Or(byDefault.Adopt, annotation.AdoptCreate))
	deletion := cmp.Or(byDefault.Deletion, annotation.DeletionDelete)
	if sent := record.Of(object); sent != nil && sent.Adopted {
		deletion = cmp.Or(byDefault.Deletion, annotation.DeletionDetach)
	}
	p.Deletion = p.choose(object, namespace, annotation.Deletion, deletions, deletion)
	p.Drift = p.choose(object, namespace, annotation.Drift, drifts, cmp.Or(byDefault.Drift, annotation.DriftReport))
	return p
}

// choose returns the value of an annotation that is one of several, by default that of the namespace.
func (p *Policy) choose(object, namespace metav1.Object, name string, values []string, byDefault string) string {
	limit := ""
	if namespace != nil {
		limit = namespace.GetAnnotations()[name]
	}
	own := object.GetAnnotations()[name]
	for _, found := range []struct{ value, where string }{{own, ""}, {limit, " of the namespace"}} {
		if value := found.value; value != "" && !slices.Contains(values, value) {
			p.wrong = fmt.Sprintf("found %q in the annotation %s%s, expected %s or %s", value, name, found.where,
				strings.Join(values[:len(values)-1], ", "), values[len(values)-1])
			return value
		}
	}
	// Who corrects does not limit who reports: both see what somebody else has changed.
	if own != "" && slices.Index(values, own) < slices.Index(values, limit) && own != annotation.DriftReport {
		p.wrong = fmt.Sprintf("found %q in the annotation %s, and the namespace permits nothing less strict than %s", own, name, limit)
	}
	return cmp.Or(own, limit, byDefault)
}

// TakesOver reports whether what ARM has before the object becomes the object's.
func (p Policy) TakesOver() bool {
	return p.Adopt == annotation.AdoptExact || p.Adopt == annotation.AdoptAdopt
}

// Observes reports whether nothing is sent.
func (p Policy) Observes() bool { return p.Adopt == annotation.AdoptObserve }

// Deletes reports whether the resource is deleted with the object.
func (p Policy) Deletes() bool { return !p.Observes() && p.Deletion == annotation.DeletionDelete }

// Problem says what is wrong with the annotations, whose values may be unknown or not permitted. It is "" if nothing
// is.
func (p Policy) Problem() string { return p.wrong }
