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

// prepare marks the object and renews the references that an earlier release has written.
func (r preparation) prepare(ctx context.Context) error {
	if err := r.mark(ctx); err != nil {
		return err
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

// mark marks an object as managed by this operator, before anything else is written or
// sent for it. If two operators mark it at the same time, one succeeds, because the write
// fails if the object has changed. For the same reason all later writes fail if another
// operator has taken over the object, and there is a write before each PUT.
func (r preparation) mark(ctx context.Context) error {
	if operatorOf(r.object) == r.op.operator.name || !r.object.GetDeletionTimestamp().IsZero() &&
		!controllerutil.ContainsFinalizer(r.object, annotation.ResourceFinalizer) {
		return nil
	}
	return r.update(ctx, func(object kinds.Resource) error {
		annotations := object.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[annotation.Operator] = r.op.operator.name + "@" + string(object.GetUID())
		object.SetAnnotations(annotations)
		return nil
	})
}
