package reconcile

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// kept finds what ARM keeps although the Spec no longer sets it: some services change by a PUT only what its body has.
type kept struct{ *run }

// pathsWith returns the paths of the Spec, and those of the record before that ARM may still have.
func (r kept) pathsWith(before *record.Record) (paths.Hashes, error) {
	spec, err := paths.Of(r.versioned)
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
	spec, err := paths.Of(r.versioned)
	if err != nil || !r.sent.Paths.HasOthers(spec) {
		r.report(nil)
		return
	}
	shown, err := r.shown(body)
	if err != nil { // the Status says what does not fit
		return
	}
	keeps, hashes := r.sent.Paths.Kept(spec, shown)
	r.memory.paths = paths.Hash(spec, hashes)
	r.report(keeps)
}

// shown returns the paths that a body sets, read as that of a Spec, without the lists of children, which have another
// way to stay.
func (r kept) shown(body []byte) ([]string, error) {
	root, err := inline.Parse(body)
	if err != nil {
		return nil, err
	}
	for _, c := range r.request.Collections {
		inline.Remove(root, c)
	}
	if body, err = json.Marshal(root); err != nil {
		return nil, err
	}
	spec := reflect.New(reflect.TypeOf(r.versioned).Elem()).Interface()
	keep := func(string, string) (reference.Secret, error) { return reference.Secret{Name: "-", Key: "-"}, nil }
	if _, err := (arm.Decoder{KeepSecret: keep}).Decode(body, spec); err != nil {
		return nil, err
	}
	return paths.Of(spec)
}

// report sets the condition that names what ARM keeps.
func (r kept) report(keeps []string) {
	conditions := kinds.ConditionsOf(r.object)
	if len(keeps) == 0 {
		meta.RemoveStatusCondition(conditions, Drifted)
		return
	}
	const most = 10
	if rest := len(keeps) - most; rest > 0 {
		keeps = append(keeps[:most:most], fmt.Sprintf("and %d more", rest))
	}
	meta.SetStatusCondition(conditions, metav1.Condition{
		Type: Drifted, Status: metav1.ConditionTrue, Reason: ReasonKept, ObservedGeneration: r.object.GetGeneration(),
		Message: limit("ARM keeps " + strings.Join(keeps, ", ") + ", which the Spec no longer sets: the service changes only what it is " +
			"sent; set what you want there, or take it away in Azure"),
	})
}
