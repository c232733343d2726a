package reconcile

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// deletion deletes the resource of an object that is being deleted, and releases the object.
type deletion struct{ *run }

// authorize finds the credential to delete with.
func (r deletion) authorize(ctx context.Context) (err error) {
	if err := r.op.cluster.Namespaces.Permit(r.name.Namespace, r.sent.ID, nil); err != nil {
		return err
	}
	r.credential, err = r.op.credentialFor(ctx, r.object, r.resolver.dependOn)
	r.found.Authorized = err == nil
	return err
}

// claimToDelete claims the id, or notes which other object holds it. A record that is not the operator's own claims
// nothing before the DELETE.
func (r deletion) claimToDelete(ctx context.Context) error {
	take := claiming{r.run}.claim
	if !r.confirmed {
		take = claiming{r.run}.checkHolder
	}
	err := take(ctx, r.sent.ID)
	if p, isProblem := problem.Of(err); isProblem && p.Reason == ReasonConflict {
		r.found.Taken, err = p.Message, nil
	}
	r.found.Claimed = err == nil
	return err
}

// checkOwner notes whether the object waits for its owner, because ARM deletes the resource with the owner's.
func (r deletion) checkOwner(ctx context.Context) (err error) {
	r.found.OwnerDeleting, err = r.deletingOwner(ctx)
	r.found.OwnerChecked = err == nil
	return err
}

// deletingOwner returns why the object waits for the deletion of its owner, or nil if it does not. It notes whether an
// owner is gone.
func (r deletion) deletingOwner(ctx context.Context) (why, err error) {
	for _, o := range r.object.GetOwnerReferences() {
		k := r.op.kinds.ByOwner(o)
		if k == nil || r.kind.Extension || k.Availability() == kinds.Absent {
			continue
		}
		if k.Availability() == kinds.Unreadable {
			return k.NotServed(), nil
		}
		what := named.Of(k.GroupKind, types.NamespacedName{Namespace: r.object.GetNamespace(), Name: o.Name})
		r.resolver.dependOn(what)
		owner := k.New()
		if err := r.op.cluster.Objects.Get(ctx, k, what.NamespacedName, owner); ctrlclient.IgnoreNotFound(err) != nil {
			return nil, err
		} else if err != nil || owner.GetUID() != o.UID {
			r.ownerGone = true
			continue
		} else if owner.GetDeletionTimestamp().IsZero() {
			continue
		}
		refused := meta.IsStatusConditionTrue(*kinds.ConditionsOf(owner), DeletionRefused)
		if controllerutil.ContainsFinalizer(owner, annotation.ResourceFinalizer) && r.op.cluster.Namespaces.PolicyOf(owner).Deletes() &&
			record.Of(owner) != nil && !refused {
			return &problem.Problem{Reason: ReasonOwnerDeleting, Message: fmt.Sprintf("ARM deletes it with %v", what)}, nil
		}
	}
	return nil, nil
}

// verify reads the resource before its deletion. If ARM has created it after the record, it is not the object's, and
// stays. What cannot be read now is not deleted either, unless ARM permits nothing but the DELETE.
func (r deletion) verify(ctx context.Context) decide.Outcome {
	version, err := kinds.ARMVersionOf(r.object, r.op.scheme)
	if err != nil {
		return decide.Stop(err)
	}
	answer, err := r.read(ctx, r.sent.ID, version, "")
	e, isRefusal := client.AsError(err)
	switch {
	case err != nil && !isRefusal:
		return decide.Stop(err)
	case isRefusal && e.Class != client.NotFound && e.Class != client.Unauthorized:
		return comeBack(r.countARMRefusal(decide.GoneRequest, e, false))
	case err == nil:
		if createdAt, later := r.sent.Predates(answer.Body); later && r.confirmed {
			r.found.Taken = fmt.Sprintf("it is not this object's, as it was created at %s, and the last PUT of this object was at %s",
				createdAt.UTC().Format(time.RFC3339), r.sent.Time.Format(time.RFC3339))
		} else if err := r.noteMade(ctx); err != nil {
			return decide.Stop(err)
		}
	}
	r.found.Verified = true
	return decide.GoOn()
}

// noteMade notes in the record that ARM has made the resource of a PUT whose outcome was unknown. An instance that did
// not know that would wait for a day after the deletion, since ARM might still make it.
func (r deletion) noteMade(ctx context.Context) error {
	if r.sent.Phase != record.Sending || r.sent.Exists {
		return nil
	}
	next := *r.sent
	if r.confirmed {
		next.Exists = true
		return r.writeRecord(ctx, &next)
	}
	next.Phase = record.Accepted
	return r.writeUnsigned(ctx, &next, next.Unsigned())
}

// deleteResource deletes the resource in ARM. If ARM has deleted it, the reconcile goes on.
func (r deletion) deleteResource(ctx context.Context) decide.Outcome {
	// Otherwise a PUT of the parent that is in progress could bring it back.
	if at := r.op.families.TakeTurn(r.name, r.kind, r.sent.ID); !at.IsZero() {
		return decide.ComeBack(at)
	}
	version, err := kinds.ARMVersionOf(r.object, r.op.scheme)
	if err == nil {
		err = r.checkInside(ctx)
	}
	if err == nil && !r.confirmed {
		err = claiming{r.run}.claim(ctx, r.sent.ID)
	}
	if err != nil {
		return decide.Stop(err)
	}
	m := &r.memory.known
	wrote := m.Wrote
	m.Wrote = r.now
	foretelling{r.run}.delete(version)
	answer, err := r.credential.Delete(ctx, client.Request{
		ID: r.sent.ID, APIVersion: version, Tenant: r.object.GetNamespace(), IfMatch: m.Deletion.IfMatch})
	e, isRefusal := client.AsError(err)
	switch {
	case isRefusal && lacksIfMatch(e) && m.Deletion.IfMatch == "":
		m.Deletion.IfMatch = "*" // some services delete nothing without it
		return decide.ComeBack(r.now)
	case isRefusal && e.Status == http.StatusMethodNotAllowed && r.kind.NoDelete:
		return decide.Stop(r.detach(ctx, "ARM cannot delete resources of this type"))
	case isRefusal && saysGone(e), err == nil && answer.Operation == nil && answer.Status == http.StatusNoContent:
		// ARM also answers this if the resource does not exist yet.
		m.Wrote = wrote
		return r.nothingDeleted(ctx, e, version)
	case isRefusal:
		if missing := r.readRefused(ctx, e, version); missing != nil {
			m.Wrote = wrote
			return r.nothingDeleted(ctx, missing, version)
		}
		return r.deletionRefused(ctx, e)
	case err != nil:
		return decide.Stop(err)
	}
	if err := r.noteDeleting(ctx, record.Deleting); err != nil {
		return decide.Stop(err)
	}
	if answer.Operation != nil {
		return polling{r.run}.awaitOperation(answer.Operation)
	}
	m.Deletion.Done, m.Deletion.Confirmed = r.now, true
	m.Happened(decide.Deleted)
	return decide.GoOn()
}

// checkInside returns a problem if the resource contains one that is to stay, by its object: ARM deletes what a
// resource contains with it. It looks at the objects that have this one as their owner, and at theirs.
func (r deletion) checkInside(ctx context.Context) error {
	var stays error
	owners := []types.UID{r.object.GetUID()}
	for at := 0; at < len(owners) && stays == nil; at++ {
		err := r.op.cluster.Objects.Each(ctx, kinds.Query{
			Kinds: r.op.kinds.All, Optional: func(*kinds.Kind) bool { return true }, Namespace: r.name.Namespace,
			Index: wiring.OwnerIndex, Key: string(owners[at]),
		}, func(k *kinds.Kind, object kinds.Resource) error {
			owners = append(owners, object.GetUID())
			of := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(object))
			sent := record.Of(object)
			if r.op.cluster.Namespaces.PolicyOf(object).Deletes() || !sent.MayExist() {
				return nil
			}
			r.resolver.dependOn(of)
			stays = &problem.Problem{Reason: ReasonHoldsOthers, Stalled: true, Refused: true, Message: fmt.Sprintf(
				"ARM would delete the resource of %s with it, and that is to stay: delete its object first, or change its annotations "+
					"%s and %s, or set %s of this object to %s", of.NameIn(r.name.Namespace), annotation.Adopt, annotation.Deletion,
				annotation.Deletion, annotation.DeletionDetach)}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return stays
}

// readRefused reads the resource whose DELETE ARM has refused, and returns the answer that ARM does not have it, or
// nil: its scope may be gone, for example. ARM is not asked if the same request may succeed soon.
func (r deletion) readRefused(ctx context.Context, refusal *client.Error, version string) *client.Error {
	if mayPass(refusal) {
		return nil
	}
	_, err := r.read(ctx, r.sent.ID, version, "")
	if e, isRefusal := client.AsError(err); isRefusal && saysGone(e) {
		return e
	}
	return nil
}

// nothingDeleted handles an answer that ARM has nothing to delete.
func (r deletion) nothingDeleted(ctx context.Context, e *client.Error, version string) decide.Outcome {
	if o := r.awaitAppearance(ctx, version); o.Ends() {
		return o
	}
	m := &r.memory.known
	r.noteMissing(e, r.sent.ID)
	m.Deletion.Done, m.Deletion.Confirmed = r.now, false
	m.Happened(decide.Deleted)
	return decide.GoOn()
}

// awaitAppearance waits while a resource that ARM does not have may still appear, and reports until when.
func (r deletion) awaitAppearance(ctx context.Context, version string) decide.Outcome {
	m := &r.memory.known
	if r.wentWithParent(m.Wrote) {
		return decide.GoOn()
	}
	if at := m.Wrote.Add(decide.Visible); r.now.Before(at) {
		m.Postpone(decide.GoneRequest, at)
		return decide.ComeBack(at).Because(&problem.Problem{Reason: ReasonDeleting, Message: "ARM may not show yet what it has made"})
	}
	// Some services show a resource only after the operation that creates it has ended.
	until := r.sent.Time.Add(operationLimit)
	isMade := r.sent.Phase != record.Sending || r.sent.Exists || r.sent.Adopted || m.Deletion.Ended
	if isMade || !r.now.Before(until) {
		return decide.GoOn()
	}
	gone, again := r.parentGone(ctx, version)
	if gone {
		return decide.GoOn()
	}
	at, _ := r.countRefusal(decide.GoneRequest, decide.Refusal{Kind: decide.NotShown})
	if sooner, isSet := again.At(); isSet {
		m.Postpone(decide.GoneRequest, sooner)
		at = sooner
	}
	return decide.ComeBack(at).Because(&problem.Problem{Reason: ReasonDeleting, Message: fmt.Sprintf(
		"ARM does not have it, and may still be making it: nobody knows how its PUT of %s ended. It is deleted as soon as ARM "+
			"shows it; the object goes at %s at the latest, or with the annotation %s: %s, which leaves the resource in Azure",
		r.sent.Time.Format(time.RFC3339), until.Format(time.RFC3339), annotation.Deletion, annotation.DeletionDetach)})
}

// parentGone reports whether ARM no longer has the resource that contains this one, or returns when to ask again.
// ARM creates nothing below a resource that it does not have or does not show yet. If ARM refuses to answer, as it
// may if the parent has other API versions, parentGone returns false.
func (r deletion) parentGone(ctx context.Context, version string) (gone bool, again decide.Outcome) {
	parent := family.ParentID(r.sent.ID)
	if _, ok := arm.TypeOf(parent); !ok || r.kind.Extension {
		return false, decide.GoOn()
	}
	answer, o := r.readFirst(ctx, decide.GetRequest, parent, version, decide.ReleaseUndone)
	return answer == nil && !o.Ends(), o
}

// noteDeleting notes in the record whether ARM has accepted the DELETE of an element of a
// collection. The element's parent reads it there.
func (r deletion) noteDeleting(ctx context.Context, phase record.Phase) error {
	if !r.kind.IsElement || r.sent.Phase == phase {
		return nil
	}
	next := *r.sent
	if next.Phase = phase; !r.confirmed {
		next = record.Record{Phase: phase, UID: r.object.GetUID(), ID: next.ID, Credential: r.credential.Secret}
	}
	return r.writeRecord(ctx, &next)
}

// wentWithParent reports whether a resource that contains this one was deleted after the last
// write to this one. ARM creates nothing below a deleted resource, so nothing can still
// appear.
func (r deletion) wentWithParent(wrote time.Time) bool {
	return !r.kind.Extension && r.op.families.Deleted.Contained(r.sent.ID, wrote)
}

// checkGone finds out whether the resource is gone, after its DELETE.
func (r deletion) checkGone(ctx context.Context) decide.Outcome {
	version, err := kinds.ARMVersionOf(r.object, r.op.scheme)
	if err != nil {
		return decide.Stop(err)
	}
	_, err = r.read(ctx, r.sent.ID, version, "")
	e, isRefusal := client.AsError(err)
	m := &r.memory.known
	switch {
	case isRefusal && saysGone(e):
		return r.finishIfGone(ctx, e, version)
	case isRefusal && e.Class == client.NotFound:
		return r.deletionRefused(ctx, e)
	case isRefusal && e.Class != client.Malformed:
		if !m.Deletion.Confirmed {
			m.Deletion.Done = time.Time{} // the next DELETE may tell more
		}
		return comeBack(r.countARMRefusal(decide.GoneRequest, e, false))
	case err != nil && !isRefusal:
		return decide.Stop(err)
	}
	at, _ := r.countRefusal(decide.GoneRequest, decide.Refusal{Kind: decide.StillThere})
	if m.Refusals[decide.GoneRequest].Count > 3 || r.now.Sub(m.Deletion.Done) > decide.Visible {
		m.Deletion.Done = time.Time{} // it was created again, or ARM did not delete it
		m.Happened(decide.InVain)
		at, _ = r.countRefusal(decide.DeleteRequest, decide.Refusal{Kind: decide.StillThere})
	}
	return decide.ComeBack(at).Because(&problem.Problem{Reason: ReasonDeleting, Message: "ARM still has the resource"})
}

// finishIfGone releases the object if ARM's answer shows, with those before it, that the resource is gone.
func (r deletion) finishIfGone(ctx context.Context, e *client.Error, version string) decide.Outcome {
	m, use, done := &r.memory.known, decide.ReleaseUndone, "nothing"
	if m.Deletion.Confirmed || r.ownerGone || r.wentWithParent(m.Wrote) {
		use, done = decide.Release, "it"
	}
	proven, again := r.isAbsent(ctx, e, decide.GoneRequest, use, r.sent.ID, version)
	if proven {
		r.op.families.Deleted.Add(r.sent.ID, r.now)
		return decide.Stop(r.finish(ctx))
	}
	if r.postpone(decide.GoneRequest, again); again.Cause() != nil {
		return again
	}
	return again.Because(&problem.Problem{Reason: ReasonDeleting, Message: fmt.Sprintf(
		"ARM has deleted %s, and answers that there is no such resource: the object goes at %s if ARM still says so", done,
		r.memory.missing[arm.IDKey(r.sent.ID)].Until(use, r.op.options.Outage).UTC().Format(time.RFC3339))})
}

// deletionRefused decides when a refused DELETE is sent again. If the record is not the
// operator's own, the object does not hold the id until then.
func (r deletion) deletionRefused(ctx context.Context, e *client.Error) decide.Outcome {
	next, p := r.countARMRefusal(decide.DeleteRequest, e, false)
	if p == nil || e.Class == client.Throttled || e.Class == client.Unknown { // these say nothing about the resource
		return comeBack(next, p)
	}
	p.Refused = true
	if r.sent.Phase == record.Deleting {
		if err := r.noteDeleting(ctx, record.Accepted); err != nil {
			return decide.Stop(err)
		}
	}
	return comeBack(next, p)
}

// detach releases the object and leaves its resource in ARM. why is "" if it never had a
// resource.
func (r deletion) detach(ctx context.Context, why string) error {
	if err := r.releaseChildren(ctx); err != nil {
		return err
	}
	if why != "" {
		id := "the resource"
		if r.sent != nil {
			id = r.sent.ID
		}
		r.op.cluster.Events.Eventf(r.object, nil, corev1.EventTypeNormal, ReasonDetached, "Delete", "%s stays in ARM: %s", id, why)
	}
	return r.finish(ctx)
}

// releaseChildren removes the references to the object from its children. The garbage
// collector deletes an object whose owner does not exist, and that deletion would delete
// resources that ARM is to keep. A child needs the same lock to set its reference, and then
// finds that its owner is being deleted.
//
// The cache finds the children by an index. It may lack what this process has just written,
// so the children that depend on the object are added.
func (r deletion) releaseChildren(ctx context.Context) error {
	unlock := r.op.locks.Lock(r.object.GetUID())
	defer unlock()
	children := r.op.dependencies.Dependents(r.name)
	err := r.op.cluster.Objects.Each(ctx, kinds.Query{
		Kinds: r.op.kinds.All, Optional: func(k *kinds.Kind) bool { return !k.MayBelongTo(r.kind) },
		Namespace: r.name.Namespace, Index: wiring.OwnerIndex, Key: string(r.object.GetUID()),
	}, func(k *kinds.Kind, object kinds.Resource) error {
		child := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(object))
		if !slices.Contains(children, child) {
			children = append(children, child)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, of := range children {
		k := r.op.kinds.ByName[of.GroupKind]
		if k == nil || k.Availability() != kinds.Available {
			continue
		}
		child := k.New()
		if err := r.op.cluster.Objects.Live.Get(ctx, of.NamespacedName, child); apierrors.IsNotFound(err) {
			continue
		} else if err != nil {
			return err
		}
		before := child.DeepCopyObject().(kinds.Resource)
		all := slices.DeleteFunc(child.GetOwnerReferences(), func(o metav1.OwnerReference) bool { return o.UID == r.object.GetUID() })
		if len(all) == len(before.GetOwnerReferences()) {
			continue
		}
		child.SetOwnerReferences(all)
		if err := r.op.patch(ctx, child, before); ctrlclient.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// finish releases the credentials and then removes the finalizer. It first notes in the record
// that the object needs nothing from ARM any more, because without a credential nobody could
// find that out again. The finalizer is last, because without the object nobody would know
// which credentials it used.
func (r deletion) finish(ctx context.Context) error {
	s := r.sent
	names := []string{r.object.GetAnnotations()[annotation.CredentialFrom], CredentialSecret} // in case the operator held one, and stopped
	if s != nil {
		names = []string{s.Credential, s.Previous}
		if s.Phase != record.Done && s.Credential+s.Previous != "" {
			next := *s
			next.Phase = record.Done
			if err := r.writeRecord(ctx, &next); err != nil {
				return ctrlclient.IgnoreNotFound(err)
			}
		}
	}
	for _, name := range names {
		err := r.releaseCredential(ctx, name)
		switch p, isProblem := problem.Of(err); {
		case isProblem && p.Reason == ReasonSecretForbidden && s == nil:
			continue // then it was never held
		case isProblem && p.OfKind():
			continue // tried again when the object is gone: see release
		}
		if err != nil {
			return err
		}
	}
	return ctrlclient.IgnoreNotFound(r.update(ctx, func(object kinds.Resource) error {
		controllerutil.RemoveFinalizer(object, annotation.ResourceFinalizer)
		return nil
	}))
}

// releaseCredential releases the credential of a Secret, if secret is not "".
func (r *run) releaseCredential(ctx context.Context, secret string) error {
	if secret == "" {
		return nil
	}
	return r.op.credentials.Release(ctx, types.NamespacedName{Namespace: r.object.GetNamespace(), Name: secret}, r.object.GetUID())
}

// unconfirmed returns the problem of a record that is not the operator's own.
func unconfirmed(id, what string) *problem.Problem {
	return &problem.Problem{Reason: ReasonUnconfirmed, Stalled: true, Message: fmt.Sprintf(
		"the annotation %s names %s, and the operator has no key that shows that it wrote this itself; %s", annotation.Sent, id, what)}
}

// confirm decides about the deletion of an object whose record is not the operator's own,
// because its key is lost, or because somebody else wrote it. The resource that its Spec and its
// owner mean is deleted if it is of the object's type: ARM decides whether the credential may.
// Otherwise the object is released only if ARM has nothing under the id.
func (r deletion) confirm(ctx context.Context) decide.Outcome {
	id := r.sent.ID
	if armType, ok := arm.TypeOf(id); !ok || !slices.Contains(r.kind.ARMTypes, strings.ToLower(armType)) {
		return decide.Stop(unconfirmed(id, "it is not of the object's type, and is not deleted: remove the annotation"))
	}
	spec, err := r.spec()
	if err == nil {
		var means string
		r.resolver.deleting = true
		if means, err = arm.ID(ctx, spec, r.object.GetName(), r.resolver); kinds.IsAPIError(err) {
			return decide.Stop(err)
		}
		r.found.Meant = err == nil && arm.SameID(means, id)
	}
	if r.found.Meant {
		return decide.GoOn()
	}
	version, err := kinds.ARMVersionOf(r.object, r.op.scheme)
	if err != nil {
		return decide.Stop(err)
	}
	answer, o := r.readFirst(ctx, decide.GetRequest, id, version, decide.ReleaseUndone)
	if o.Ends() {
		return o
	}
	if answer != nil {
		return decide.Stop(unconfirmed(id, fmt.Sprintf("the Spec does not mean it, and it is not deleted: "+
			"set azureName and owner back, or %s to %s, which leaves it in Azure", annotation.Deletion, annotation.DeletionDetach)))
	}
	if o := r.awaitAppearance(ctx, version); o.Ends() {
		return o
	}
	r.sent = &record.Record{Phase: record.Refused, UID: r.sent.UID, ID: id, Credential: r.sent.Credential, Previous: r.sent.Previous}
	return decide.GoOn()
}
