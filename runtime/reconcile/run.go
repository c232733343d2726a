package reconcile

import (
	"errors"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// run is one reconcile of an object.
type run struct {
	op       *Reconciler
	kind     *kinds.Kind
	name     ref
	object   kinds.Resource
	before   kinds.Resource // the object as the API server has it
	memory   *memory
	now      time.Time
	resolver *resolver // resolves what the object refers to
	// sent is the record of what was sent, or nil. confirmed reports whether the record is
	// the operator's own.
	sent      *record.Record
	confirmed bool
	// found has what this reconcile has found out so far. request is set once the Spec is resolved, and
	// credential once the id is known to be free or the deletion is authorized.
	found      decide.Findings
	request    *arm.Request
	credential *credentials.Credential
	// auxiliary has the credential for another tenant, or is nil.
	auxiliary *client.Client
	// progress is the problem that reports an operation which was polled and has not ended, or nil.
	progress error
	// probed is ARM's answer about the resource before the first PUT, nil if it does not have it or was not asked.
	probed *client.Answer
	// adopts reports whether the PUT takes over what ARM has.
	adopts bool
	// absent reports whether ARM was asked for the resource of the request and does not have it.
	absent bool
	// ownerGone reports whether the object has a reference to an owner that no longer exists. Then ARM has deleted what
	// contained the resource: an owner whose resource stays loses these references first.
	ownerGone bool
	// accepted is the record of a PUT that ARM has carried out, as long as it is not written, and acceptedOf the
	// operation of that PUT.
	accepted   *record.Record
	acceptedOf decide.Operation
	// contested is the problem of what somebody changes again and again, or nil.
	contested error
	// doubt is a part of the message of a refused PUT, or "".
	doubt string
	// versioned is the Spec from which the request was made.
	versioned arm.ARMTransformer
	// ignores are the paths of the Spec that somebody else manages in ARM.
	ignores pathSet
	// paths are those that the Spec sets, once specPaths was called.
	paths []string
	// operatorSpec is the part of the Spec that is for the operator itself.
	operatorSpec reference.OperatorSpec
}

// after returns the time after the first wait of a delay.
func (r *run) after(delay decide.Delay) time.Time {
	return r.now.Add(delay.After(1, r.memory.uid, r.now))
}

// countRefusal counts a refusal of a request, and returns when to send it again and what to report.
func (r *run) countRefusal(request decide.Request, refusal decide.Refusal) (next time.Time, say decide.Say) {
	return r.memory.known.Refuse(request, refusal, decide.Moment{Now: r.now, UID: r.memory.uid, Refresh: r.op.options.Refresh})
}

// countARMRefusal counts a refusal by ARM. It returns when to send the request again, and the problem to report, or
// nil if the conditions stay as they are. harmless is true if a ready object stays ready without the answer.
func (r *run) countARMRefusal(request decide.Request, e *client.Error, harmless bool) (next time.Time, p *problem.Problem) {
	refusal := decide.RefusalOf(e)
	refusal.Harmless = harmless && isReady(r.object)
	next, say := r.countRefusal(request, refusal)
	if say == decide.Nothing {
		return next, nil
	}
	return next, refusalProblem(e, r.credential.Name(), say)
}

// comeBack returns the outcome of a refusal: a retry at a time, with the problem p or nil.
func comeBack(next time.Time, p *problem.Problem) decide.Outcome {
	if p == nil {
		return decide.ComeBack(next)
	}
	return decide.ComeBack(next).Because(p)
}

// nextTurn returns when the object is next due in a schedule with an interval.
func (r *run) nextTurn(every time.Duration) time.Time { return decide.Turn(r.memory.uid, every, r.now) }

// policy returns what the operator may do with the resource.
func (r *run) policy() policy.Policy { return r.op.cluster.Namespaces.PolicyOf(r.object) }

// armID returns the ARM id in the record, or "".
func (r *run) armID() string {
	if r.sent == nil {
		return ""
	}
	return r.sent.ID
}

// spec returns the Spec at the API version of requests to ARM, and keeps its operatorSpec in
// the run.
func (r *run) spec() (arm.ARMTransformer, error) {
	versioned, err := conversion.GetVersionedSpec(r.object, r.op.scheme)
	if unsent := (*conversion.UnsentError)(nil); errors.As(err, &unsent) {
		return nil, &problem.Problem{Reason: ReasonVersionLacks, Stalled: true, Message: err.Error()}
	} else if err != nil {
		return nil, &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Message: err.Error()}
	}
	r.operatorSpec = operatorSpecOf(versioned)
	return versioned.(arm.ARMTransformer), nil
}

// specPaths returns the paths of the properties that the Spec of the request sets.
func (r *run) specPaths() (_ []string, err error) {
	if r.paths == nil {
		r.paths, err = paths.Of(r.versioned)
	}
	return r.paths, err
}

// specProblem returns the problem of a Spec from which no request or no id can be made. An
// error of the API server is returned as it is.
func specProblem(err error) error {
	p, isProblem := problem.Of(err)
	switch {
	case isProblem && p.Placeless:
		return p
	case isProblem: // the error also says where in the Spec the problem is
		return &problem.Problem{Reason: p.Reason, Stalled: p.Stalled, After: p.After, Message: err.Error()}
	case kinds.IsAPIError(err):
		return err
	}
	return &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Message: err.Error()}
}
