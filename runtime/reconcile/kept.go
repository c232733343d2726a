package reconcile

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// kept finds what ARM keeps although the Spec no longer sets it: some services change by a PUT only what its body has.
type kept struct{ *run }

// pathsWith returns the paths of the Spec, and those of the record before that ARM may still have.
func (r kept) pathsWith(before *record.Record) (paths.Hashes, error) {
	spec, err := r.specPaths()
	if err != nil {
		return nil, err
	}
	if r.memory.paths != nil {
		return paths.Hash(spec, r.memory.paths), nil
	}
	return paths.Hash(spec, before.Paths), nil
}

// compare compares ARM's answer after an accepted PUT with what the Spec set once, and reports what ARM keeps.
func (r kept) compare(body []byte) {
	r.memory.paths = nil
	if r.sent == nil || r.sent.Phase != record.Accepted || r.versioned == nil || len(body) == 0 {
		return
	}
	spec, err := r.specPaths()
	if err != nil || !r.sent.Paths.HasOthers(spec) {
		r.setCondition(nil)
		return
	}
	shown, err := r.shown(body)
	if err != nil { // the Status says what does not fit
		return
	}
	keeps, hashes := r.sent.Paths.Kept(spec, shown)
	r.memory.paths = paths.Hash(spec, hashes)
	r.setCondition(keeps)
}

// shown returns the paths that a body sets, read as that of a Spec, without the lists of children, which have another
// way to stay.
func (r kept) shown(body []byte) ([]string, error) {
	body, err := inline.Without(body, r.request.Collections)
	if err != nil {
		return nil, err
	}
	spec, err := r.specOf(body)
	if err != nil {
		return nil, err
	}
	return paths.Of(spec)
}

// setCondition sets the condition that names what ARM keeps.
func (r kept) setCondition(keeps []string) {
	conditions := kinds.ConditionsOf(r.object)
	if len(keeps) == 0 {
		meta.RemoveStatusCondition(conditions, Drifted)
		return
	}
	meta.SetStatusCondition(conditions, metav1.Condition{
		Type: Drifted, Status: metav1.ConditionTrue, Reason: ReasonKept, ObservedGeneration: r.object.GetGeneration(),
		Message: limit("ARM keeps " + listed(keeps) + ", which the Spec no longer sets: the service changes only what it is " +
			"sent; set what you want there, or take it away in Azure"),
	})
}
