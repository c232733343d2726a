package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/internal/specpath"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// pathSet is a set of paths of a Spec.
type pathSet []string

// ignoredBy returns the paths that somebody else manages in ARM, as the annotation [annotation.Ignore] of the object
// says. The request is made from the Spec.
func (r *run) ignoredBy(spec arm.ARMTransformer) (pathSet, error) {
	all := pathSet(specpath.SplitList(r.object.GetAnnotations()[annotation.Ignore]))
	var wrong []string
	for i, path := range all {
		if err := paths.Check(spec, path); err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		all[i] = specpath.Clean(path)
	}
	if len(wrong) > 0 {
		return nil, &problem.Problem{Reason: ReasonInvalidPolicy, Stalled: true, Message: fmt.Sprintf(
			"the annotation %s at version %s: %s", annotation.Ignore, spec.ARMResource().APIVersion, strings.Join(wrong, "; "))}
	}
	return all, nil
}

// has reports whether a path, or one that it is below, is in the set.
func (s pathSet) has(path string) bool {
	return slices.ContainsFunc(s, func(p string) bool { return path == p || specpath.IsBelow(path, p) })
}

// isInside reports whether a path below another one is in the set.
func (s pathSet) isInside(path string) bool {
	return slices.ContainsFunc(s, func(p string) bool { return specpath.IsBelow(p, path) })
}

func (r *run) keeper() arm.Keeper {
	return arm.Keeper{Spec: r.versioned, Keeps: r.ignores.has, Inside: r.ignores.isInside}
}

// keepIgnored changes a PUT so that it has what ARM shows now at the paths that somebody else manages. If the resource
// changes before ARM gets the PUT, ARM refuses it, unless the service has no ETags.
func (r sending) keepIgnored(ctx context.Context, s *outgoing) decide.Outcome {
	if len(r.ignores) == 0 || r.absent {
		return decide.GoOn()
	}
	shown, o := r.shownBefore(ctx, s)
	if shown == nil {
		return o
	}
	body, err := r.keeper().Keep(s.Body, shown.Body)
	if err != nil {
		return decide.Stop(&problem.Problem{Reason: ReasonUnreadable, Stalled: true, Message: err.Error()})
	}
	if err := r.op.cluster.Namespaces.Permit(r.name.Namespace, s.ID, body); err != nil {
		return decide.Stop(err)
	}
	if s.Body, s.IfMatch = body, shown.ETag; s.IfMatch == "" {
		r.op.event(r.object, r.memory, corev1.EventTypeWarning, ReasonNoETag, fmt.Sprintf(
			"ARM shows no ETag of %s: what changes in %s between the operator's GET and its PUT is lost", s.ID, listed(r.ignores)))
	}
	return decide.GoOn()
}
