package family

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// ListedTwice returns the problem of a resource that has an object, and is also listed in the Spec of its
// parent's object, or nil.
func (m *Member) ListedTwice(ctx context.Context) error {
	if len(m.Request.Collections) > 0 {
		if err := m.checkOwnLists(ctx); err != nil {
			return err
		}
	}
	if m.Kind.IsElement {
		return m.checkParentLists(ctx)
	}
	return nil
}

// checkOwnLists returns the problem of a Spec that lists a resource that has an object, or nil.
func (m *Member) checkOwnLists(ctx context.Context) error {
	request := m.Request
	listed, err := inline.Names(request.Body, request.Collections)
	if err != nil {
		return err
	}
	for _, c := range request.Collections {
		if len(listed[c.Path]) == 0 {
			continue
		}
		objects, err := m.children(ctx, request.ID, c.Type)
		if err != nil {
			return err
		}
		for _, name := range listed[c.Path] {
			if o := objects[name]; o != nil && !o.foreign && !m.policy(o.Resource).Observes() {
				m.Host.DependOn(o.name)
				return &problem.Problem{Reason: problem.ListedTwice, Stalled: true, Message: fmt.Sprintf(
					"the Spec lists %q under %s, and %s is the same resource: remove it from one of the two",
					name, c.Path, o.name.NameIn(m.Name.Namespace))}
			}
		}
	}
	return nil
}

// checkParentLists returns the problem of a resource that the Spec of its parent's object lists, or nil.
func (m *Member) checkParentLists(ctx context.Context) error {
	parent, err := m.parent(ctx, m.Request.ID)
	if err != nil || parent == nil {
		return err
	}
	m.Host.DependOn(parent.name)
	spec, err := conversion.GetVersionedSpec(parent.Resource, m.scheme)
	if err != nil {
		return nil // which is the parent's problem
	}
	body, err := inline.Body(ctx, spec.(arm.ARMTransformer), new(inline.NoValues))
	if err != nil {
		return nil // likewise
	}
	collections := spec.(arm.ARMTransformer).ARMResource().Collections
	listed, err := inline.Names(body, collections)
	if err != nil {
		return err
	}
	for _, c := range collections {
		if strings.EqualFold(c.Type, m.Request.Type) && slices.Contains(listed[c.Path], strings.ToLower(lastSegment(m.Request.ID))) {
			m.wake(parent.name) // which may not know of this one
			return &problem.Problem{Reason: problem.ListedTwice, Stalled: true, Message: fmt.Sprintf(
				"%s lists this resource under %s: remove it from one of the two", parent.name.NameIn(m.Name.Namespace), c.Path)}
		}
	}
	return nil
}

// hasAbandoned reports whether ARM may still have a child that the Spec listed before and lists no longer,
// and that no object stands for. It removes from the record the names of children that ARM has accepted
// from their objects.
func (m *Member) hasAbandoned(ctx context.Context) (bool, error) {
	request := m.Request
	if len(m.Record.Inline) == 0 {
		return false, nil
	}
	listed, err := inline.Names(request.Body, request.Collections)
	if err != nil {
		return false, err
	}
	next := *m.Record
	next.Inline = maps.Clone(next.Inline)
	changed := false
	for _, c := range request.Collections {
		kept, abandoned, err := m.keptNames(ctx, c, listed[c.Path])
		if abandoned || err != nil {
			return abandoned, err
		}
		if len(kept) < len(m.Record.Inline[c.Path]) {
			next.Inline[c.Path], changed = kept, true
		}
	}
	if !changed {
		return false, nil
	}
	return false, m.writeRecord(ctx, &next)
}

// keptNames returns the names of a collection that stay in the record, or reports that one is abandoned.
func (m *Member) keptNames(ctx context.Context, c arm.Collection, listed []string) (kept []string, abandoned bool, err error) {
	var objects map[string]*child
	for _, name := range m.Record.Inline[c.Path] {
		if slices.Contains(listed, name) {
			kept = append(kept, name)
			continue
		}
		if objects == nil {
			if objects, err = m.children(ctx, m.Request.ID, c.Type); err != nil {
				return nil, false, err
			}
		}
		o := objects[name]
		if o == nil {
			return nil, true, nil
		}
		if m.Host.DependOn(o.name); !o.isAccepted() {
			kept = append(kept, name)
		}
	}
	return kept, false, nil
}
