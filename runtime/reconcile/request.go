package reconcile

import (
	"context"
	"fmt"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// BeforeSender is a Spec with a hook that changes the request before it is sent.
type BeforeSender interface {
	BeforeSend(context.Context, *arm.Request) error
}

// resolution makes a request from the Spec of an object.
type resolution struct{ *run }

// resolve makes the request, and compares it with the PUT that ARM is at work on.
func (r resolution) resolve(ctx context.Context) error {
	r.found.Resolved = true
	request, err := r.newRequest(ctx)
	if err == nil {
		r.request, r.found.ID = request, request.ID
	}
	if o := r.memory.known.Operation; err == nil && o.Current != nil {
		var digest string
		var known bool
		digest, _, known, err = r.digest(ctx, request, o.Pending.Key)
		r.found.Pending = !known || digest == o.Pending.Digest
	}
	if _, isProblem := problem.Of(err); isProblem {
		r.found.Unresolved = err
		return nil
	}
	r.found.Orphan = r.ownerReference(ctx) != nil
	return err
}

// compareDigests compares the request with the record.
func (r resolution) compareDigests(ctx context.Context) (err error) {
	if r.found.Digest, _, _, err = r.digest(ctx, r.request, ""); err != nil {
		return err
	}
	if r.sent == nil {
		return nil
	}
	digest, _, known, err := r.digest(ctx, r.request, r.sent.Key)
	r.found.Same = known && digest == r.sent.Digest
	if err == nil && !known && r.op.keys.Trusts {
		r.found.Same, err = foretelling{r.run}.same(ctx)
	}
	return err
}

// checkFree finds the credential, and returns an error if another object has the resource.
func (r resolution) checkFree(ctx context.Context) (err error) {
	if r.credential, err = r.op.credentialFor(ctx, r.object, r.resolver.dependOn); err != nil {
		return err
	}
	if r.auxiliary, err = r.op.auxiliaryFor(ctx, r.object, r.resolver.dependOn); err != nil {
		return err
	}
	if err := (claiming{r.run}).checkHolder(ctx, r.request.ID); err != nil {
		return err
	}
	if err := r.member().ListedTwice(ctx); err != nil {
		return err
	}
	r.found.Free = true
	return r.compareDigests(ctx)
}

// releasePrevious releases the credential that was used before the present one.
func (r resolution) releasePrevious(ctx context.Context) error {
	if err := r.releaseCredential(ctx, r.sent.Previous); err != nil {
		return err
	}
	next := *r.sent
	next.Previous = ""
	return r.writeRecord(ctx, &next)
}

// newRequest makes a request from the Spec.
func (r resolution) newRequest(ctx context.Context) (*arm.Request, error) {
	if conversion.IsNewer(r.object, r.op.scheme) {
		return nil, &problem.Problem{Reason: ReasonVersionUnserved, Message: fmt.Sprintf(
			"the object is written for %s, which this release of the operator does not know: install the operator of the "+
				"same release as the CRDs, or set the annotation %s to an older version",
			r.object.OriginalGVK().Version, annotation.APIVersion)}
	}
	spec, err := r.spec()
	if err != nil {
		return nil, err
	}
	r.versioned, r.paths = spec, nil
	if r.ignores, err = r.ignoredBy(spec); err != nil {
		return nil, err
	}
	if err := r.resolver.lookUp(ctx, spec); err != nil {
		return nil, specProblem(err)
	}
	if err := r.checkInputs(ctx); err != nil {
		return nil, err
	}
	request, err := arm.NewRequest(ctx, spec, r.object.GetName(), r.resolver)
	if err != nil {
		return nil, specProblem(err)
	}
	if hook, ok := spec.(BeforeSender); ok {
		if err := hook.BeforeSend(ctx, request); err != nil {
			return nil, &problem.Problem{Reason: ReasonHook, Stalled: true, Message: err.Error()}
		}
	}
	if err := r.op.cluster.Namespaces.Permit(r.name.Namespace, request.ID, request.Body); err != nil {
		return nil, err
	}
	return request, nil
}
