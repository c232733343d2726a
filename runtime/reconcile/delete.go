package reconcile

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// delete deletes the resource, and takes the finalizer away when it is gone. An
// object that never sent anything, or nothing that ARM took, deletes nothing.
func (r *run) delete(ctx context.Context) (again time.Time, err error) {
	if !controllerutil.ContainsFinalizer(r.object, annotation.ResourceFinalizer) {
		return time.Time{}, nil
	}
	policy := policyOf(r.object)
	if p := policy.problem(); p != nil {
		return time.Time{}, p
	}
	s := r.sent
	if policy != policyManage {
		return r.detach(ctx, s, "the policy is "+string(policy))
	}
	if s != nil && s.Phase == record.Done {
		return r.finish(ctx, s)
	}
	if !s.MayExist() {
		return r.detach(ctx, s, "")
	}
	if wait, err := r.ownerGoes(ctx); err != nil {
		return time.Time{}, err
	} else if wait != nil && !r.confirmed {
		return time.Time{}, wait // then it is gone
	}
	with, err := r.credentialFor(ctx, r.object, r.look)
	if err != nil {
		return time.Time{}, err
	}
	version, err := r.armVersion()
	if err != nil {
		return time.Time{}, err
	}
	if !r.confirmed {
		if again, err := r.confirmToDelete(ctx, with, version); err != nil || !again.IsZero() {
			return again, err
		}
		if s = r.sent; !s.MayExist() {
			return r.detach(ctx, s, "")
		}
	}
	// An older object may have the id, after one was restored from a backup.
	err = r.claim(ctx, s.ID)
	if p, isProblem := problemOf(err); isProblem && p.reason == ReasonConflict {
		return r.detach(ctx, s, p.message)
	} else if err != nil {
		return time.Time{}, err
	}
	if r.memory.operation != nil {
		if again, err := r.followBefore(ctx, with); err != nil || !again.IsZero() {
			return again, err
		}
	}
	if until := r.outcome(); r.now.Before(until) {
		return until, r.waits()
	}
	if wait, err := r.ownerGoes(ctx); err != nil {
		return time.Time{}, err
	} else if wait != nil {
		return time.Time{}, wait
	}
	return r.remove(ctx, with, s, version)
}

// armVersion returns ARM's version of the one that the object is written for. It
// needs no Spec that can be sent.
func (r *run) armVersion() (string, error) {
	gvk, err := conversion.VersionFor(r.object, r.scheme)
	if err != nil {
		return "", err
	}
	versioned, err := r.scheme.New(gvk)
	if err != nil {
		return "", err
	}
	return versioned.(resource).GetSpec().(arm.ARMTransformer).ARMResource().APIVersion, nil
}

// ownerGoes returns why the object has to wait for its owner, with which its
// resource goes, or nil.
func (r *run) ownerGoes(ctx context.Context) (*problem, error) {
	for _, o := range r.object.GetOwnerReferences() {
		k := r.kinds.byOwner(o)
		if k == nil || r.kind.extension || availability(k.availability.Load()) == absent {
			continue
		}
		if availability(k.availability.Load()) == elsewhere {
			return k.unserved(), nil
		}
		what := ref{k.GroupKind, types.NamespacedName{Namespace: r.object.GetNamespace(), Name: o.Name}}
		r.look(what)
		owner := k.new()
		if err := r.reader.Get(ctx, what.NamespacedName, owner); ctrlclient.IgnoreNotFound(err) != nil {
			return nil, err
		} else if err != nil || owner.GetUID() != o.UID || owner.GetDeletionTimestamp().IsZero() {
			continue
		}
		refused := meta.IsStatusConditionTrue(*conditionsOf(owner), DeletionRefused)
		if controllerutil.ContainsFinalizer(owner, annotation.ResourceFinalizer) && policyOf(owner) == policyManage &&
			record.Of(owner) != nil && !refused {
			return &problem{reason: ReasonOwnerDeleting, message: fmt.Sprintf("ARM deletes it with %v", what)}, nil
		}
	}
	return nil, nil
}

// byOwner returns the kind of an owner that is one of these.
func (ks *kinds) byOwner(o metav1.OwnerReference) *kind {
	for _, k := range ks.all {
		if k.Kind == o.Kind && groupOf(o.APIVersion) == k.Group {
			return k
		}
	}
	return nil
}

func groupOf(apiVersion string) string {
	for i := range len(apiVersion) {
		if apiVersion[i] == '/' {
			return apiVersion[:i]
		}
	}
	return ""
}

// remove deletes the resource in ARM, and looks until it is gone.
func (r *run) remove(ctx context.Context, with *credential, s *record.Record, version string) (again time.Time, err error) {
	m := r.memory
	if r.now.Before(m.next) {
		return m.next, nil
	}
	if m.deleted.IsZero() {
		unlock, ok := r.lockFamily(s.ID) // or a PUT of the parent that is under way brings it back
		if !ok {
			return r.now.Add(familyBusy), nil
		}
		defer unlock()
		wrote := m.wrote
		m.wrote = r.now
		answer, err := with.Delete(ctx, client.Request{ID: s.ID, APIVersion: version, Tenant: r.object.GetNamespace(), IfMatch: m.ifMatch})
		e, isRefusal := client.AsError(err)
		switch {
		case isRefusal && e.Gone():
			// A PUT that ARM has not shown yet is not gone.
			if at := wrote.Add(visible); r.now.Before(at) {
				m.wrote, m.next = wrote, at
				return at, &problem{reason: ReasonDeleting, message: "ARM may not show yet what it has made"}
			}
		case isRefusal && e.Status == http.StatusPreconditionFailed && m.ifMatch == "":
			m.ifMatch = "*" // without which some services delete nothing
			return r.now, nil
		case isRefusal && e.Status == http.StatusMethodNotAllowed:
			return r.detach(ctx, s, "ARM cannot delete resources of this kind")
		case isRefusal:
			return r.deletionRefused(e, with)
		case err != nil:
			return time.Time{}, err
		case answer.Operation != nil:
			return r.begun(ctx, answer.Operation)
		case answer.Status == http.StatusNoContent && r.now.Before(wrote.Add(visible)):
			// Which it also says when there is nothing.
			m.next = r.now.Add(visible)
			return m.next, &problem{reason: ReasonDeleting, message: "ARM may not show yet what it has made"}
		}
		m.deleted, m.reads = r.now, 0
	}
	_, err = r.read(ctx, with, s.ID, version, "")
	e, isRefusal := client.AsError(err)
	switch {
	case isRefusal && e.Gone():
		return r.finish(ctx, s)
	case isRefusal && e.Class == client.NotFound:
		return r.deletionRefused(e, with)
	case isRefusal && e.Class != client.Malformed:
		m.reads++
		m.next = r.now.Add(max(e.RetryAfter, r.backoff(m.reads)))
		return m.next, refusal(e, with.Name())
	case err != nil && !isRefusal:
		return time.Time{}, err
	}
	m.reads++
	m.next = r.now.Add(min(r.backoff(m.reads), time.Minute))
	if m.reads > 3 || r.now.Sub(m.deleted) > visible {
		m.deleted, m.reads = time.Time{}, 0 // it was made once more, or ARM did less than it said
	}
	return m.next, &problem{reason: ReasonDeleting, message: "ARM still has the resource"}
}

// deletionRefused decides when a refused DELETE is sent again.
func (r *run) deletionRefused(e *client.Error, with *credential) (again time.Time, err error) {
	m := r.memory
	p := refusal(e, with.Name())
	if e.Class == client.Throttled { // which says nothing about the resource
		m.next = r.now.Add(r.jitter(e.RetryAfter, r.now))
		return m.next, p
	}
	m.failures++
	m.next = r.now.Add(max(e.RetryAfter, r.backoff(m.failures)))
	switch e.Class {
	case client.NotSent:
		return m.next, nil
	case client.Unknown:
		return m.next, p
	}
	p.refused = true
	return m.next, p
}

// detach lets the object go and leaves the resource in ARM. why is "" if it never
// had one.
func (r *run) detach(ctx context.Context, s *record.Record, why string) (again time.Time, err error) {
	if err := r.abandon(ctx); err != nil {
		return time.Time{}, err
	}
	if why != "" {
		id := "the resource"
		if s != nil {
			id = s.ID
		}
		r.events.Eventf(r.object, nil, corev1.EventTypeNormal, "Detached", "Delete", "%s stays in ARM: %s", id, why)
	}
	return r.finish(ctx, s)
}

// abandon takes the references to the object off its children. What refers to an
// owner that is gone is deleted by the garbage collector, and its deletion would
// delete what ARM keeps. A child that sets its reference has the lock, and sees
// afterwards that its owner is being deleted.
//
// The cache knows the children by an index. It may be behind what this process has just
// written, and all that have asked for their owner are known apart from it.
func (r *run) abandon(ctx context.Context) error {
	unlock := r.locks.Lock(r.object.GetUID())
	defer unlock()
	children := r.dependencies.who(r.ref)
	for _, k := range r.kinds.all {
		switch availability(k.availability.Load()) {
		case absent:
			continue
		case elsewhere:
			if k.mayBelongTo(r.kind) {
				return k.unserved()
			}
			continue
		}
		list, err := k.newList()
		if err != nil {
			return err
		}
		err = r.reader.List(ctx, list, ctrlclient.InNamespace(r.ref.Namespace),
			ctrlclient.MatchingFields{ownerIndex: string(r.object.GetUID())})
		if err != nil {
			return err
		}
		err = meta.EachListItem(list, func(item runtime.Object) error {
			child := ref{k.GroupKind, ctrlclient.ObjectKeyFromObject(item.(resource))}
			if !slices.Contains(children, child) {
				children = append(children, child)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, of := range children {
		k := r.kinds.byName[of.GroupKind]
		if k == nil || availability(k.availability.Load()) != available {
			continue
		}
		child := k.new()
		if err := r.live.Get(ctx, of.NamespacedName, child); apierrors.IsNotFound(err) {
			continue
		} else if err != nil {
			return err
		}
		before := child.DeepCopyObject().(resource)
		all := slices.DeleteFunc(child.GetOwnerReferences(), func(o metav1.OwnerReference) bool { return o.UID == r.object.GetUID() })
		if len(all) == len(before.GetOwnerReferences()) {
			continue
		}
		child.SetOwnerReferences(all)
		patch := ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{})
		if err := r.client.Patch(ctx, child, patch); ctrlclient.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// ownerIndex is the index of objects by the uids of their owners.
const ownerIndex = "armature.dev/owner"

func indexOwner(object ctrlclient.Object) (uids []string) {
	for _, o := range object.GetOwnerReferences() {
		uids = append(uids, string(o.UID))
	}
	return uids
}

// finish lets the credentials go, and takes the finalizer away. That the object
// needs nothing of ARM is noted before, as without a credential nobody could find
// out again; and the finalizer goes last, as without the object nobody would know
// which credentials it used.
func (r *run) finish(ctx context.Context, s *record.Record) (again time.Time, err error) {
	names := []string{r.object.GetAnnotations()[annotation.CredentialFrom], CredentialSecret} // held, and then stopped
	if s != nil {
		names = []string{s.Credential, s.Previous}
		if s.Phase != record.Done && s.Credential+s.Previous != "" {
			next := *s
			next.Phase = record.Done
			if err := r.writeRecord(ctx, &next); err != nil {
				return time.Time{}, ctrlclient.IgnoreNotFound(err)
			}
		}
	}
	for _, name := range names {
		err := r.letGo(ctx, name)
		switch p, isProblem := problemOf(err); {
		case isProblem && p.reason == ReasonSecretForbidden && s == nil:
			continue // it was not held either
		case isProblem && p.reason == ReasonVersionUnserved:
			continue // tried again when the object is gone: see release
		}
		if err != nil {
			return time.Time{}, err
		}
	}
	before := r.object.DeepCopyObject().(resource)
	controllerutil.RemoveFinalizer(r.object, annotation.ResourceFinalizer)
	return time.Time{}, ctrlclient.IgnoreNotFound(r.patch(ctx, before))
}

func (r *run) letGo(ctx context.Context, secret string) error {
	if secret == "" {
		return nil
	}
	return r.credentials.Release(ctx, types.NamespacedName{Namespace: r.object.GetNamespace(), Name: secret}, r.object.GetUID())
}
