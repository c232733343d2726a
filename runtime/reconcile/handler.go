package reconcile

import (
	"cmp"
	"context"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/changes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// handler makes a Reconciler a [wiring.Handler].
type handler struct{ *Reconciler }

func (h handler) Reconcile(ctx context.Context, k *kinds.Kind, name types.NamespacedName) (reconcile.Result, error) {
	return h.reconcile(ctx, k, name)
}

func (h handler) ReleaseUnused(ctx context.Context, secret types.NamespacedName) (reconcile.Result, error) {
	return h.releaseUnused(ctx, secret)
}

// Updated reports whether somebody has changed an object. If so, a refused request is retried
// at once: somebody who has mended something in Azure has no other way to say so.
func (h handler) Updated(k *kinds.Kind, old, new ctrlclient.Object) bool {
	if !isChange(old, new) {
		return false
	}
	h.memories.tryAgain([]ref{named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(new))})
	return true
}

// Changed wakes the objects that depend on one, if its view has changed, or those that take an output of it, if only
// its outputs have.
func (h handler) Changed(k *kinds.Kind, old, new ctrlclient.Object) {
	name := named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(cmp.Or(new, old)))
	before, isOld := old.(kinds.Resource)
	after, isNew := new.(kinds.Resource)
	switch takers := h.dependencies.Dependents(name.Outputs()); {
	case !isOld || !isNew || viewOf(k, before, h.cluster.Namespaces.PolicyOf(before)) !=
		viewOf(k, after, h.cluster.Namespaces.PolicyOf(after)):
		h.wakeDependents(name)
	case len(takers) > 0 && !maps.Equal(h.plainValues(k, before), h.plainValues(k, after)):
		h.wakeDependents(name.Outputs())
	}
}

// KeysChanged reads the keys of records again. It wakes nothing, because no object depends on them.
func (h handler) KeysChanged() {
	if err := h.keys.Reload(context.Background()); err != nil {
		h.cluster.Log.Error(err, "reading the keys of records again")
	}
}

// NamespaceChanged wakes the objects of a namespace if its change concerns what is done about them.
func (h handler) NamespaceChanged(old, new metav1.Object) {
	if !h.cluster.Namespaces.Concerns(old, new) {
		return
	}
	for _, object := range h.memories.tryNamespace(new.GetName()) {
		h.cluster.Wake(object)
	}
}

// isChange reports whether somebody has changed an object. A new Status does not count, nor
// does what the operator itself writes, unless somebody removes it.
func isChange(old, new ctrlclient.Object) bool {
	relevant := func(o ctrlclient.Object) []any {
		annotations := maps.Clone(o.GetAnnotations())
		delete(annotations, annotation.Sent)
		delete(annotations, annotation.Operator)
		delete(annotations, annotation.SentAPIVersion)
		return []any{o.GetGeneration(), o.GetDeletionTimestamp(), annotations, o.GetUID()}
	}
	return !equality.Semantic.DeepEqual(relevant(old), relevant(new)) ||
		// A write at another version may not change the generation.
		changes.Spec{}.Update(event.UpdateEvent{ObjectOld: old, ObjectNew: new}) ||
		controllerutil.ContainsFinalizer(old, annotation.ResourceFinalizer) &&
			!controllerutil.ContainsFinalizer(new, annotation.ResourceFinalizer) ||
		record.Of(old) != nil && record.Of(new) == nil || operatorOf(old) != "" && operatorOf(new) == ""
}

// view has the facts about an object that others depend on.
type view struct {
	id                       string
	exists, mayExist, signed bool
	ready, deleting, refused bool
	uid                      types.UID
	finalizer, undecodable   bool
	policy                   policy.Policy
	// accepted is when the last accepted PUT of a resource with lists of children was sent: a
	// child may have waited for it.
	accepted time.Time
}

// viewOf returns the view of an object of a kind with a policy.
func viewOf(k *kinds.Kind, r kinds.Resource, policy policy.Policy) view {
	v := view{deleting: !r.GetDeletionTimestamp().IsZero(), uid: r.GetUID(), policy: policy,
		undecodable: kinds.Undecodable(r) != nil}
	// If the operator manages the resource, the record says whether ARM has it.
	v.ready = policy.Observes() && isReady(r)
	if s := record.Of(r); s != nil {
		v.id, v.exists, v.mayExist, v.signed = s.ID, s.Exists, s.MayExist(), s.IsSigned()
		if k.HasElements && s.Phase == record.Accepted {
			v.accepted = s.Time
		}
	}
	for _, c := range *kinds.ConditionsOf(r) {
		v.refused = v.refused || c.Type == DeletionRefused && c.Status == metav1.ConditionTrue
	}
	for _, f := range r.GetFinalizers() {
		v.finalizer = v.finalizer || f == annotation.ResourceFinalizer
	}
	return v
}
