package reconcile

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// The types of conditions. All but Ready exist only while they are true, as kstatus expects of
// Reconciling and Stalled.
const (
	// Ready is true if ARM has done what the Spec says.
	Ready = "Ready"
	// Reconciling is true while work is in progress or is tried again. With it,
	// Ready=False is only a warning.
	Reconciling = "Reconciling"
	// Stalled is true if somebody has to change something. With it, Ready=False is
	// an error.
	Stalled = "Stalled"
	// DeletionRefused is true while ARM refuses to delete the resource.
	DeletionRefused = "DeletionRefused"
	// StatusIncomplete is true while the Status lacks properties because their types in ARM's
	// answer differ from those in the API version. The object can still be Ready.
	StatusIncomplete = "StatusIncomplete"
	// Drifted is true while ARM has something otherwise than the Spec says and than the last PUT has left it, or has
	// what the Spec no longer sets. The object can still be Ready. It is unknown while nothing shows what that PUT has
	// left.
	Drifted = "Drifted"
	// Adopted is true if ARM had the resource before the object, which has taken it over.
	Adopted = "Adopted"
	// StaysInAzure is true if the resource stays when the object is deleted. It is a column of kubectl's.
	StaysInAzure = "StaysInAzure"
)

// Reasons of conditions, apart from ARM's codes.
const (
	ReasonSucceeded       = "Succeeded"
	ReasonInProgress      = problem.InProgress
	ReasonDeleting        = "Deleting"
	ReasonDeletionSlow    = "DeletionTakesLong"
	ReasonWaitingForOwner = "WaitingForOwner"
	ReasonOwnerDeleting   = "OwnerDeleting"
	ReasonWaitingFor      = "WaitingForReference"
	ReasonSecretMissing   = "SecretMissing"
	ReasonSecretForbidden = credentials.SecretForbidden
	ReasonTokenForbidden  = credentials.TokenForbidden
	// ReasonConfigMapForbidden means that the operator may not read a ConfigMap that a Spec takes a value from.
	ReasonConfigMapForbidden = "ConfigMapForbidden"
	ReasonUnknownKind        = "UnknownKind"
	ReasonWrongKind          = "WrongKind"
	// ReasonValueUnusable means that ARM cannot be given the value that another object has.
	ReasonValueUnusable = "ValueUnusable"
	// ReasonValueChanged means that another object has another value now than ARM got, for a property that cannot
	// change.
	ReasonValueChanged = "ValueChanged"
	// ReasonOutsideScopes means that the annotation [annotation.Scopes] of the namespace does not
	// permit what the object names, ReasonScopesInvalid that the annotation is invalid.
	ReasonOutsideScopes      = problem.OutsideScopes
	ReasonScopesInvalid      = problem.ScopesInvalid
	ReasonNamespaceForbidden = problem.NamespaceForbidden
	// ReasonManagedByAnother means that another operator manages the object. Only an event
	// and a metric have it.
	ReasonManagedByAnother = "ManagedByAnother"
	ReasonInvalidSpec      = problem.InvalidSpec
	ReasonInvalidPolicy    = problem.InvalidPolicy
	ReasonVersionLacks     = "VersionLacksProperties"
	ReasonIDChanged        = "ARMIDChanged"
	ReasonConflict         = "ClaimedByAnother"
	// ReasonListedTwice means that a resource has an object and is also listed in the Spec of
	// its parent's object. Both objects report it.
	ReasonListedTwice = problem.ListedTwice
	// ReasonUnconfirmed means that the annotation [annotation.Sent] names a resource, but
	// the operator cannot check that it wrote the annotation itself.
	ReasonUnconfirmed       = "RecordUnconfirmed"
	ReasonCredentialMissing = credentials.Missing
	ReasonCredentialInvalid = credentials.Invalid
	// ReasonSubscriptionMissing means that the resource belongs in a subscription, and neither
	// the Spec nor the credential names one.
	ReasonSubscriptionMissing = "SubscriptionMissing"
	ReasonThrottled           = client.ThrottledCode
	ReasonNotVisible          = "NotVisibleYet"
	// ReasonProtected means that the object is deleted, and its annotation protects the resource.
	ReasonProtected = "Protected"
	// ReasonHoldsOthers means that the object is deleted, and its resource contains one that is to stay.
	ReasonHoldsOthers = "HoldsOthers"
	// Only an event and the condition Adopted have ReasonAdopted.
	ReasonAdopted = "Adopted"
	// ReasonAlreadyExists means that ARM has the resource, and not from the object.
	ReasonAlreadyExists   = "AlreadyExists"
	ReasonNotFound        = "NotFoundInARM"
	ReasonFailedInARM     = "FailedInARM"
	ReasonVersionUnserved = problem.VersionNotServed
	// ReasonKindForbidden means that the operator needs to know the objects of a kind that it
	// may not list.
	ReasonKindForbidden = problem.KindForbidden
	// ReasonKindNotListed means that the operator needs to know the objects of a kind whose lists fail.
	ReasonKindNotListed = problem.KindNotListed
	// ReasonWriteForbidden means that the operator may not write the object. Only an event and
	// a metric have it, because a condition is a write too.
	ReasonWriteForbidden = problem.WriteForbidden
	// ReasonWriteRefused means that the API server refuses what the operator has to write into the
	// object. If it refuses the condition as well, an event and a metric have this reason.
	ReasonWriteRefused = "WriteRefused"
	// ReasonKeysInvalid means that the Secret with the operator's keys has no current one.
	ReasonKeysInvalid = "KeysInvalid"
	// ReasonUndecodable means that what the API server has stored is no object of the kind.
	ReasonUndecodable = problem.Undecodable
	ReasonUnreadable  = "UnreadableAnswer"
	ReasonHook        = "HookFailed"
	// ReasonNoToken, ReasonNoAnswer and ReasonNotSent mean that there is no answer from ARM.
	ReasonNoToken  = client.NoToken
	ReasonNoAnswer = client.NoAnswer
	ReasonNotSent  = client.NotSentCode
	// ReasonObserved means that the object is only observed, and so its deletion deletes nothing.
	ReasonObserved = "Observed"
	// ReasonDetached means that the deletion of the object does not delete the resource.
	ReasonDetached = "Detached"
	// Only events have ReasonAPIVersionChanged.
	ReasonAPIVersionChanged = "APIVersionChanged"
	// Only the condition StatusIncomplete has ReasonOtherTypes.
	ReasonOtherTypes = "OtherTypes"
	// Only the condition Drifted and its events have ReasonKept, ReasonChanged and ReasonNoBaseline.
	ReasonKept       = "KeptByARM"
	ReasonChanged    = "ChangedInARM"
	ReasonNoBaseline = "NotCompared"
	// Only an event has ReasonNoETag.
	ReasonNoETag = "NoETag"
	// ReasonContested means that somebody changes in ARM again and again what the operator corrects.
	ReasonContested     = "ChangedAgain"
	ReasonOutputMissing = "OutputMissing"
	ReasonOutputTaken   = "OutputBelongsToAnother"
	ReasonOutputRefused = "OutputRefused"
	// ReasonExpressionInvalid means that an expression does not compile, ReasonExpressionFailed that it has no value.
	ReasonExpressionInvalid = "ExpressionInvalid"
	ReasonExpressionFailed  = "ExpressionFailed"
	// ReasonSecretTypeFixed means that a Secret has another type than the Spec asks for.
	ReasonSecretTypeFixed = "SecretTypeFixed"
)

// reasons lists all reasons. docs/conditions.md says what each means, and what to do.
var reasons = []string{
	ReasonSucceeded, ReasonInProgress, ReasonDeleting, ReasonDeletionSlow, ReasonWaitingForOwner,
	ReasonOwnerDeleting, ReasonWaitingFor, ReasonSecretMissing, ReasonSecretForbidden,
	ReasonTokenForbidden, ReasonUnknownKind, ReasonWrongKind, ReasonOutsideScopes, ReasonValueUnusable, ReasonValueChanged,
	ReasonConfigMapForbidden,
	ReasonScopesInvalid, ReasonNamespaceForbidden, ReasonManagedByAnother, ReasonInvalidSpec,
	ReasonInvalidPolicy, ReasonVersionLacks, ReasonIDChanged, ReasonConflict, ReasonListedTwice,
	ReasonUnconfirmed, ReasonCredentialMissing, ReasonCredentialInvalid,
	ReasonSubscriptionMissing, ReasonThrottled, ReasonNotVisible, ReasonAlreadyExists, ReasonProtected,
	ReasonHoldsOthers, ReasonAdopted, ReasonNotFound, ReasonFailedInARM,
	ReasonVersionUnserved, ReasonKindForbidden, ReasonKindNotListed, ReasonWriteForbidden, ReasonWriteRefused,
	ReasonKeysInvalid, ReasonUndecodable, ReasonUnreadable,
	ReasonHook, ReasonNoToken, ReasonNoAnswer, ReasonNotSent, ReasonObserved, ReasonDetached, ReasonAPIVersionChanged,
	ReasonOutputMissing, ReasonOutputTaken, ReasonOutputRefused, ReasonOtherTypes,
	ReasonExpressionInvalid, ReasonExpressionFailed, ReasonSecretTypeFixed,
	ReasonKept, ReasonChanged, ReasonNoBaseline, ReasonContested, ReasonNoETag,
}

// refusalProblem returns the problem of a request that ARM refused. credential is the name of the credential that
// signed the request.
func refusalProblem(e *client.Error, credential string, say decide.Say) *problem.Problem {
	if p, isOfCredential := problem.Of(e); isOfCredential {
		return p
	}
	p := &problem.Problem{Reason: reasonOf(e.Code), Message: e.Message, Stalled: say != decide.Waiting}
	if e.Class == client.Unauthorized || e.Code == client.NoToken {
		p.Message = "credential " + credential + ": " + p.Message
	}
	if e.Fixed() {
		p.Message += "; it cannot change once the resource exists: set it back, or delete this object and create another one"
	}
	if e.CorrelationID != "" {
		p.Message += " (correlation " + e.CorrelationID + ")"
	}
	if say == decide.Lasting {
		p.Message += "; it is still tried every 10 minutes"
	}
	return p
}

var notInReason = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// reasonOf turns ARM's code into a reason that Kubernetes permits.
func reasonOf(code string) string {
	reason := strings.Trim(notInReason.ReplaceAllString(code, "_"), "_")
	if reason == "" || reason[0] >= '0' && reason[0] <= '9' {
		reason = "Code" + reason
	}
	return reason[:min(len(reason), 128)] // the most that an event may have
}

// setReady sets Ready to true with the message means if p is nil, or else the conditions to
// the problem p. It reports whether the status or the reason of Ready changed.
func setReady(r kinds.Resource, p *problem.Problem, means string) (changed bool) {
	all := kinds.ConditionsOf(r)
	generation := r.GetGeneration()
	*kinds.ObservedGenerationOf(r) = &generation
	set := func(name string, status metav1.ConditionStatus, reason, message string) {
		meta.SetStatusCondition(all, metav1.Condition{
			Type: name, Status: status, Reason: reason, Message: message, ObservedGeneration: generation})
	}
	old := meta.FindStatusCondition(*all, Ready)
	var before metav1.Condition
	if old != nil {
		before = *old
	}
	abnormal := map[string]bool{}
	if p == nil {
		if isReady(r) && before.Message != "" {
			means = before.Message // since then
		}
		set(Ready, metav1.ConditionTrue, ReasonSucceeded, means)
	} else {
		message := limit(p.Message)
		set(Ready, metav1.ConditionFalse, p.Reason, message)
		abnormal[Stalled], abnormal[Reconciling], abnormal[DeletionRefused] = p.Stalled, !p.Stalled, p.Refused
		for name, is := range abnormal {
			if is {
				set(name, metav1.ConditionTrue, p.Reason, message)
			}
		}
	}
	for _, name := range []string{Stalled, Reconciling, DeletionRefused} {
		if !abnormal[name] {
			meta.RemoveStatusCondition(all, name)
		}
	}
	return before.Status != meta.FindStatusCondition(*all, Ready).Status || before.Reason != meta.FindStatusCondition(*all, Ready).Reason
}

// eventReasons has the reasons of the events about a generation of an object since it was last
// ready, so that a retry does not repeat an event.
type eventReasons struct {
	generation int64
	reasons    []string
}

// isNew reports whether there was no event with a reason yet, and notes the reason.
func (t *eventReasons) isNew(reason string, generation int64) bool {
	if t.generation == generation && slices.Contains(t.reasons, reason) {
		return false
	}
	if t.generation != generation || reason == ReasonSucceeded || slices.Contains(t.reasons, ReasonSucceeded) {
		t.generation, t.reasons = generation, nil
	}
	t.reasons = append(t.reasons, reason)
	return true
}

// limit shortens a message to what a condition can hold.
func limit(message string) string {
	const most = 8 << 10
	message = strings.ToValidUTF8(message, "�")
	for i := most; len(message) > most && i > 0; i-- {
		if utf8.RuneStart(message[i]) {
			return message[:i] + "…"
		}
	}
	return message
}

// setStays sets the condition that says whether the resource stays when the object is deleted, and why. It reports
// whether the condition changed.
func (r *run) setStays() (changed bool) {
	p := r.policy()
	reason, message := "", ""
	switch {
	case p.Problem() != "":
	case p.Observes():
		reason, message = ReasonObserved, "the annotation "+annotation.Adopt+" says observe"
	case p.Deletion == annotation.DeletionProtect:
		reason, message = ReasonProtected, "the annotation "+annotation.Deletion+" says protect"
	case r.kind.NoDelete:
		reason, message = ReasonDetached, "ARM cannot delete the resource"
	case p.Deletion == annotation.DeletionDetach:
		reason, message = ReasonDetached, "the resource was there before the object, or the annotation "+annotation.Deletion+" says detach"
	}
	all := kinds.ConditionsOf(r.object)
	if reason == "" {
		return meta.RemoveStatusCondition(all, StaysInAzure)
	}
	return meta.SetStatusCondition(all, metav1.Condition{Type: StaysInAzure, Status: metav1.ConditionTrue, Reason: reason, Message: message,
		ObservedGeneration: r.object.GetGeneration()})
}

// readyMessage returns the message of Ready=True: what it means, and since when it is true.
func (r *run) readyMessage() string {
	what := "ARM has what the Spec says"
	if r.policy().Observes() {
		what = "the Status is what ARM has; nothing is sent, as it is only observed"
	} else if version := r.object.GetAnnotations()[annotation.SentAPIVersion]; version != "" {
		what += " at API version " + version
	}
	return what + ", since " + r.now.UTC().Format("2006-01-02 15:04:05 UTC")
}

// isReady reports whether Ready is true for the present generation of the object.
func isReady(r kinds.Resource) bool {
	c := meta.FindStatusCondition(*kinds.ConditionsOf(r), Ready)
	return c != nil && c.Status == metav1.ConditionTrue && c.ObservedGeneration == r.GetGeneration()
}

// report writes the Status with the conditions of the problem p, or with Ready=True if p is nil.
// Every problem passes through here before anybody can read it, so report removes from its
// message the secrets that the run has read, wherever the message comes from.
func (r *run) report(ctx context.Context, p *problem.Problem) error {
	if p != nil {
		p.Message = client.NewSecrets(r.resolver.secrets...).Remove(p.Message)
	}
	adoption{r}.setCondition()
	means := r.readyMessage()
	changed := setReady(r.object, p, means)
	r.setStays()
	if !equality.Semantic.DeepEqual(r.before, r.object) {
		if err := r.writeStatus(ctx); err != nil {
			return err
		}
		r.before = r.object.DeepCopyObject().(kinds.Resource)
	}
	if changed {
		reason, message, kind := ReasonSucceeded, means, corev1.EventTypeNormal
		if p != nil {
			reason, message = p.Reason, p.Message
			if p.Stalled {
				kind = corev1.EventTypeWarning
			}
		}
		// Events with these three reasons would add nothing to the condition.
		if reason != ReasonInProgress && reason != ReasonDeleting && reason != ReasonThrottled {
			r.op.event(r.object, r.memory, kind, reason, message)
		}
		level := 1
		if p != nil && p.Stalled {
			level = 0
		}
		log.FromContext(ctx).V(level).Info("condition changed", "reason", reason, "message", message, "armID", r.armID())
	}
	if p == nil && !r.memory.since.IsZero() {
		r.op.metrics.observeReady(r.kind, r.now.Sub(r.memory.since))
		r.memory.since = time.Time{}
	}
	return nil
}

// writeStatus writes the Status, of an object that this operator has marked, unless the API server refuses the mark. Of
// an object that does not decode it writes only what it has changed.
func (r *run) writeStatus(ctx context.Context) error {
	if err := r.mark(ctx); errors.As(err, new(*refusedWrite)) {
		r.object.SetAnnotations(r.before.GetAnnotations())
	} else if err != nil {
		return err
	}
	if kinds.Undecodable(r.object) == nil {
		return r.op.cluster.Client.Status().Update(ctx, r.object)
	}
	patch, err := ctrlclient.MergeFrom(r.before).Data(r.object)
	if err != nil {
		return err
	}
	var stored unstructured.Unstructured // the answer does not decode either
	stored.SetGroupVersionKind(r.kind.Stored)
	stored.SetNamespace(r.name.Namespace)
	stored.SetName(r.name.Name)
	return r.op.cluster.Client.Status().Patch(ctx, &stored, ctrlclient.RawPatch(types.MergePatchType, patch))
}

// event records an event of an object, unless there was one with the same reason.
func (r *Reconciler) event(object kinds.Resource, m *memory, kind, reason, message string) {
	if m.events.isNew(reason, object.GetGeneration()) {
		r.cluster.Events.Eventf(object, nil, kind, reason, "Reconcile", "%s", strings.ToValidUTF8(message[:min(len(message), 1000)], ""))
	}
}
