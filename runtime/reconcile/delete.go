package reconcile

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
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
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// authorize looks for the credential to delete with.
func (r *run) authorize(ctx context.Context) (err error) {
	if err := r.op.permit(r.ref.Namespace, r.sent.ID, nil); err != nil {
		return err
	}
	r.with, err = r.op.credentialFor(ctx, r.object, r.refs.look)
	r.seen.Authorized = err == nil
	return err
}

// claimToDelete takes the id, or finds out who else has it.
func (r *run) claimToDelete(ctx context.Context) error {
	err := r.claim(ctx, r.sent.ID)
	if p, isProblem := problemOf(err); isProblem && p.reason == ReasonConflict {
		r.seen.Taken, err = p.message, nil
	}
	r.seen.Claimed = err == nil
	return err
}

// armVersion returns ARM's version of the one that the object is written for. It
// needs no Spec that can be sent.
func (r *run) armVersion() (string, error) { return r.op.armVersionOf(r.object) }

// ownerGoes returns why the object has to wait for its owner, with which its
// resource goes, or nil.
func (r *run) ownerGoes(ctx context.Context) (why, err error) {
	for _, o := range r.object.GetOwnerReferences() {
		k := r.op.kinds.byOwner(o)
		if k == nil || r.kind.extension || k.is() == absent {
			continue
		}
		if k.is() == elsewhere {
			return k.unserved(), nil
		}
		what := named.Of(k.GroupKind, types.NamespacedName{Namespace: r.object.GetNamespace(), Name: o.Name})
		r.refs.look(what)
		owner := k.new()
		if err := r.op.get(ctx, k, what.NamespacedName, owner); ctrlclient.IgnoreNotFound(err) != nil {
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

// remove deletes the resource in ARM. Afterwards it is done, or there is a time to come back.
func (r *run) remove(ctx context.Context) (again time.Time, err error) {
	// Or a PUT of the parent that is under way brings it back.
	if again := r.op.turns.take(r.families(r.sent.ID), r.ref, r.now); !again.IsZero() {
		return again, nil
	}
	version, err := r.armVersion()
	if err != nil {
		return time.Time{}, err
	}
	m := &r.memory.known
	wrote := m.Wrote
	m.Wrote = r.now
	answer, err := r.with.Delete(ctx, client.Request{
		ID: r.sent.ID, APIVersion: version, Tenant: r.object.GetNamespace(), IfMatch: m.Deletion.IfMatch})
	e, isRefusal := client.AsError(err)
	switch {
	case isRefusal && e.Gone(), err == nil && answer.Operation == nil && answer.Status == http.StatusNoContent:
		// Which it also says when there is nothing yet.
		m.Wrote = wrote
		if again, p := r.mayCome(ctx, version); p != nil {
			return again, p
		}
	case isRefusal && lacksIfMatch(e) && m.Deletion.IfMatch == "":
		m.Deletion.IfMatch = "*" // without which some services delete nothing
		return r.now, nil
	case isRefusal && e.Status == http.StatusMethodNotAllowed:
		return time.Time{}, r.detach(ctx, "ARM cannot delete resources of this kind")
	case isRefusal:
		return r.deletionRefused(ctx, e)
	case err != nil:
		return time.Time{}, err
	}
	if !isRefusal {
		if err := r.noteDeleting(ctx, record.Deleting); err != nil {
			return time.Time{}, err
		}
	}
	switch {
	case isRefusal: // it is gone
	case answer.Operation != nil:
		return r.begun(answer.Operation)
	}
	m.Deletion.Done, m.Deletion.Reads = r.now, 0
	return time.Time{}, nil
}

// mayCome returns why a resource may still come that ARM says it has not, and when to delete
// it again, or nil.
func (r *run) mayCome(ctx context.Context, version string) (again time.Time, p *problem) {
	m, wrote := &r.memory.known.Deletion, r.memory.known.Wrote
	if r.wentWithParent(wrote) {
		return time.Time{}, nil
	}
	if at := wrote.Add(visible); r.now.Before(at) {
		m.Next = at
		return at, &problem{reason: ReasonDeleting, message: "ARM may not show yet what it has made"}
	}
	// Some services show a resource only when the operation has ended that makes it.
	until := r.sent.Time.Add(operationLimit)
	if r.sent.Phase != record.Sending || r.sent.Exists || m.Ended || !r.now.Before(until) {
		return time.Time{}, nil
	}
	gone, again := r.parentGone(ctx, version)
	if gone {
		return time.Time{}, nil
	}
	m.Reads++
	m.Next = r.now.Add(r.backoff(m.Reads))
	if !again.IsZero() {
		m.Next = again
	}
	return m.Next, &problem{reason: ReasonDeleting, message: fmt.Sprintf("ARM does not have it, and may still be making it: "+
		"nobody knows how its PUT of %s ended. It is deleted as soon as ARM shows it; the object goes at %s at the latest, "+
		"or with the annotation %s: %s, which leaves the resource in Azure", r.sent.Time.Format(time.RFC3339),
		until.Format(time.RFC3339), annotation.ReconcilePolicy, annotation.PolicyDetach)}
}

// parentGone reports whether ARM has not what contains the resource, or returns when to ask once
// more. ARM takes nothing below what it does not have or does not show yet. If ARM refuses to tell,
// as it may where the parent has other API versions, nobody knows.
func (r *run) parentGone(ctx context.Context, version string) (gone bool, again time.Time) {
	parent := parentID(r.sent.ID)
	if _, ok := arm.TypeOf(parent); !ok || r.kind.extension {
		return false, time.Time{}
	}
	answer, again, err := r.readFirst(ctx, parent, version, true)
	return answer == nil && err == nil && again.IsZero(), again
}

// lacksIfMatch reports whether a DELETE may have been refused because it had no If-Match.
func lacksIfMatch(e *client.Error) bool {
	return e.Status == http.StatusPreconditionFailed || e.Status == http.StatusPreconditionRequired ||
		e.Status == http.StatusBadRequest && strings.Contains(strings.ToLower(e.Message), "if-match")
}

// noteDeleting notes whether ARM has taken the DELETE of an element of a collection, for
// which its parent looks.
func (r *run) noteDeleting(ctx context.Context, phase record.Phase) error {
	if !r.kind.isElement || r.sent.Phase == phase {
		return nil
	}
	next := *r.sent
	if next.Phase = phase; !r.confirmed {
		next = record.Record{Phase: phase, UID: r.object.GetUID(), ID: next.ID, Credential: r.with.Secret}
	}
	return r.writeRecord(ctx, &next)
}

// wentWithParent reports whether a resource that contains this one is gone since
// something was last written to this one. ARM takes nothing below what is gone, so there
// is nothing that it has yet to show.
func (r *run) wentWithParent(wrote time.Time) bool {
	return !r.kind.extension && r.op.departed.contained(r.sent.ID, wrote)
}

// departed has the resources that this instance has deleted and then seen to be gone, as
// long as that matters. Whoever does not know waits until ARM must have shown everything.
type departed struct {
	mutex sync.Mutex
	at    map[string]time.Time // by id in lower case
}

// add notes that a resource is gone.
func (d *departed) add(id string, at time.Time) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	maps.DeleteFunc(d.at, func(_ string, old time.Time) bool { return at.Sub(old) > visible })
	if d.at == nil {
		d.at = map[string]time.Time{}
	}
	d.at[strings.ToLower(id)] = at
}

// has reports whether this instance has seen a moment ago that a resource is gone.
func (d *departed) has(id string) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	_, found := d.at[strings.ToLower(id)]
	return found
}

// contained reports whether something that contained a resource is gone since a time.
func (d *departed) contained(id string, since time.Time) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	id = strings.ToLower(id)
	for parent, at := range d.at {
		if strings.HasPrefix(id, parent+"/") && !at.Before(since) {
			return true
		}
	}
	return false
}

// gone looks whether the resource is gone, after its DELETE.
func (r *run) gone(ctx context.Context) (again time.Time, err error) {
	version, err := r.armVersion()
	if err != nil {
		return time.Time{}, err
	}
	m := &r.memory.known.Deletion
	_, err = r.read(ctx, r.sent.ID, version, "")
	e, isRefusal := client.AsError(err)
	switch {
	case isRefusal && e.Gone():
		r.op.departed.add(r.sent.ID, r.now)
		return time.Time{}, r.finish(ctx)
	case isRefusal && e.Class == client.NotFound:
		return r.deletionRefused(ctx, e)
	case isRefusal && e.Class != client.Malformed:
		m.Reads++
		m.Next = r.now.Add(max(e.RetryAfter, r.backoff(m.Reads)))
		return m.Next, refusal(e, r.with.Name())
	case err != nil && !isRefusal:
		return time.Time{}, err
	}
	m.Reads++
	m.Next = r.now.Add(min(r.backoff(m.Reads), time.Minute))
	if m.Reads > 3 || r.now.Sub(m.Done) > visible {
		m.Done, m.Reads = time.Time{}, 0 // it was made once more, or ARM did less than it said
		m.Vain++
		m.Next = r.now.Add(r.backoff(m.Vain))
	}
	return m.Next, &problem{reason: ReasonDeleting, message: "ARM still has the resource"}
}

// deletionRefused decides when a refused DELETE is sent again. Until then the id is not held
// because of a record that is not the operator's own.
func (r *run) deletionRefused(ctx context.Context, e *client.Error) (again time.Time, err error) {
	m := &r.memory.known.Deletion
	p := refusal(e, r.with.Name())
	r.giveUp()
	if e.Class == client.Throttled { // which says nothing about the resource
		m.Next = r.now.Add(r.jitter(e.RetryAfter, r.now))
		return m.Next, p
	}
	m.Failures++
	m.Next = r.now.Add(max(e.RetryAfter, r.backoff(m.Failures)))
	switch e.Class {
	case client.NotSent:
		return m.Next, nil
	case client.Unknown:
		return m.Next, p
	}
	p.refused = true
	p.lasts(e, m.Failures, m.Code)
	m.Code = e.Code
	if r.sent.Phase == record.Deleting {
		if err := r.noteDeleting(ctx, record.Accepted); err != nil {
			return time.Time{}, err
		}
	}
	return m.Next, p
}

// detach lets the object go and leaves the resource in ARM. why is "" if it never
// had one.
func (r *run) detach(ctx context.Context, why string) error {
	if err := r.abandon(ctx); err != nil {
		return err
	}
	if why != "" {
		id := "the resource"
		if r.sent != nil {
			id = r.sent.ID
		}
		r.op.events.Eventf(r.object, nil, corev1.EventTypeNormal, ReasonDetached, "Delete", "%s stays in ARM: %s", id, why)
	}
	return r.finish(ctx)
}

// abandon takes the references to the object off its children. What refers to an
// owner that is gone is deleted by the garbage collector, and its deletion would
// delete what ARM keeps. A child that sets its reference has the lock, and sees
// afterwards that its owner is being deleted.
//
// The cache knows the children by an index. It may be behind what this process has just
// written, and all that have asked for their owner are known apart from it.
func (r *run) abandon(ctx context.Context) error {
	unlock := r.op.locks.Lock(r.object.GetUID())
	defer unlock()
	children := r.op.dependencies.who(r.ref)
	for _, k := range r.op.kinds.all {
		switch k.is() {
		case absent:
			continue
		case elsewhere:
			if k.mayBelongTo(r.kind) {
				return k.unserved()
			}
			continue
		}
		if !k.isSeen() && !k.mayBelongTo(r.kind) {
			continue
		}
		list, err := k.newList()
		if err != nil {
			return err
		}
		err = r.op.list(ctx, k, list, ctrlclient.InNamespace(r.ref.Namespace),
			ctrlclient.MatchingFields{ownerIndex: string(r.object.GetUID())})
		if err != nil {
			return err
		}
		err = meta.EachListItem(list, func(item runtime.Object) error {
			child := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(item.(resource)))
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
		k := r.op.kinds.byName[of.GroupKind]
		if k == nil || k.is() != available {
			continue
		}
		child := k.new()
		if err := r.op.live.Get(ctx, of.NamespacedName, child); apierrors.IsNotFound(err) {
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
		if err := r.op.patch(ctx, child, before); ctrlclient.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// ownerIndex is the index of objects by the uids of their owners.
const ownerIndex = annotation.Domain + "/owner"

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
func (r *run) finish(ctx context.Context) error {
	s := r.sent
	names := []string{r.object.GetAnnotations()[annotation.CredentialFrom], CredentialSecret} // held, and then stopped
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
		err := r.letGo(ctx, name)
		switch p, isProblem := problemOf(err); {
		case isProblem && p.reason == ReasonSecretForbidden && s == nil:
			continue // it was not held either
		case isProblem && p.ofKind():
			continue // tried again when the object is gone: see release
		}
		if err != nil {
			return err
		}
	}
	return ctrlclient.IgnoreNotFound(r.update(ctx, func(object resource) error {
		controllerutil.RemoveFinalizer(object, annotation.ResourceFinalizer)
		return nil
	}))
}

func (r *run) letGo(ctx context.Context, secret string) error {
	if secret == "" {
		return nil
	}
	return r.op.credentials.Release(ctx, types.NamespacedName{Namespace: r.object.GetNamespace(), Name: secret}, r.object.GetUID())
}
