package reconcile

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// preparation prepares an object for decisions about it.
type preparation struct{ *run }

// prepare renews the references that an earlier release has written, and marks the object, unless it is new: that is
// marked by the first write into it.
func (r preparation) prepare(ctx context.Context) error {
	isNew := r.sent == nil && len(*kinds.ConditionsOf(r.object)) == 0
	if !isNew || !r.object.GetDeletionTimestamp().IsZero() {
		if err := r.mark(ctx); err != nil {
			return err
		}
	}
	if !r.object.GetDeletionTimestamp().IsZero() {
		return nil
	}
	if r.sent.MayExist() && !r.policy().Observes() {
		// Polls of an operation stay within the scopes, too.
		if err := r.op.cluster.Namespaces.Permit(r.name.Namespace, r.sent.ID, nil); err != nil {
			return err
		}
	}
	return r.renewReferences(ctx)
}

// renewReferences sets the API version in the references to owners to the one that this
// release uses. A later release may not serve the one of an earlier release, and the garbage
// collector would not find the owner then.
func (r preparation) renewReferences(ctx context.Context) error {
	isOld := func(o metav1.OwnerReference) bool {
		k := r.op.kinds.ByOwner(o)
		return k != nil && o.APIVersion != k.ServedVersion()
	}
	all := slices.Clone(r.object.GetOwnerReferences())
	if !slices.ContainsFunc(all, isOld) {
		return nil
	}
	return r.update(ctx, func(object kinds.Resource) error {
		for i, o := range all {
			if isOld(o) {
				all[i].APIVersion = r.op.kinds.ByOwner(o).ServedVersion()
			}
		}
		object.SetOwnerReferences(all)
		return nil
	})
}

// mark marks the object as managed by this operator, unless it is or nothing is left to do for it.
func (r *run) mark(ctx context.Context) error {
	if r.op.operator.manages(r.object) || !r.object.GetDeletionTimestamp().IsZero() &&
		!controllerutil.ContainsFinalizer(r.object, annotation.ResourceFinalizer) {
		return nil
	}
	return r.update(ctx, func(kinds.Resource) error { return nil })
}
