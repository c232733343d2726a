package family

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm"
	armclient "github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// child is an object whose resource is in a collection.
type child struct {
	name named.Object
	kinds.Resource
	kind *kinds.Kind
	// sent is its record, nil if it has none that is the operator's own.
	sent *record.Record
	// foreign reports whether it is of another namespace and has no such record. It may have the resource,
	// or somebody may only claim so.
	foreign bool
}

// isAccepted reports whether ARM has what the object sent.
func (c *child) isAccepted() bool { return c.sent != nil && c.sent.Phase == record.Accepted }

// children returns the objects of an ARM type whose resources belong to parent, keyed by the names of the
// resources in lower case: all objects that hold their resource, or may do so, and those of the same
// namespace that have sent nothing yet. Of two objects with one name, it returns the one that holds the
// resource, or the one of the same namespace.
func (m *Member) children(ctx context.Context, parent, armType string) (map[string]*child, error) {
	all := map[string]*child{}
	for _, key := range []string{unsentIn(m.Name.Namespace), claims.Key(parent)} {
		q := kinds.Query{Kinds: m.objects.Kinds.ByType[strings.ToLower(armType)], Index: ParentIndex, Key: key}
		err := m.objects.Each(ctx, q, func(k *kinds.Kind, object kinds.Resource) error {
			c, id, err := m.childOf(ctx, k, object, parent)
			if c == nil || err != nil {
				return err
			}
			name := strings.ToLower(lastSegment(id))
			if before := all[name]; before == nil || c.sent != nil && before.sent == nil || before.foreign && !c.foreign {
				all[name] = c
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// childOf returns an object as a child, and the id of its resource, or nil if the resource does not belong
// to parent.
func (m *Member) childOf(ctx context.Context, k *kinds.Kind, object kinds.Resource, parent string) (_ *child, id string, err error) {
	c := &child{Resource: object, kind: k, name: named.Of(k.GroupKind, client.ObjectKeyFromObject(object))}
	s, confirmed, err := m.keys.Read(ctx, object)
	if err != nil {
		return nil, "", err
	}
	if s.MayExist() {
		id = s.ID
	} else {
		// The cache may show neither that it was sent nor what its parent's id is. If it refers to
		// something unknown, it is not one of the children.
		id, _ = m.Host.Other(c.name, k, object).ID(ctx, m.Name, parent)
	}
	if id == "" || !arm.SameID(ParentID(id), parent) {
		return nil, "", nil
	}
	if confirmed && s.MayExist() {
		c.sent = s
	}
	c.foreign = c.sent == nil && c.name.Namespace != m.Name.Namespace
	return c, id, nil
}

// parent returns the object that holds the parent of a resource, nil if there is none.
func (m *Member) parent(ctx context.Context, id string) (*child, error) {
	of := ParentID(id)
	armType, _ := arm.TypeOf(of)
	var found *child
	for _, k := range m.objects.Kinds.ByType[strings.ToLower(armType)] {
		if k.Availability() != kinds.Available {
			continue
		}
		q := kinds.Query{Kinds: []*kinds.Kind{k}, Index: claims.Index, Key: claims.Key(of)}
		err := m.objects.Each(ctx, q, func(k *kinds.Kind, object kinds.Resource) error {
			s, confirmed, err := m.keys.Read(ctx, object)
			if confirmed && (found == nil || claims.HoldOf(object, s).Before(claims.HoldOf(found.Resource, found.sent))) {
				found = &child{Resource: object, kind: k, name: named.Of(k.GroupKind, client.ObjectKeyFromObject(object)), sent: s}
			}
			return err
		})
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// Put is a PUT of a resource with collections.
type Put struct {
	armclient.Request
	// Next is the record of the PUT, and Before the record that it continues.
	Next, Before *record.Record
	// Listed holds the names that the record lists once ARM has accepted the PUT.
	Listed map[string][]string
	before snapshots
}

// AddChildren adds to a PUT the children that it would delete. To the names that its record lists, it adds
// those in the Spec.
func (m *Member) AddChildren(ctx context.Context, put *Put) decide.Outcome {
	request := m.Request
	var err error
	if put.Listed, err = inline.Names(request.Body, request.Collections); err != nil {
		return decide.Stop(err)
	}
	put.Next.Inline, put.Next.Unchecked = union(put.Before.Inline, put.Listed), put.Before.Unchecked
	answer, o := m.Host.Read(ctx, decide.GetRequest, request.ID, request.APIVersion, m.mayExist(put.Before))
	if o.Ends() || answer == nil || answer.Body == nil {
		return o
	}
	put.before = snapshots{}
	objects := map[string]map[string]*child{}
	for _, c := range request.Collections {
		if objects[c.Path], err = m.children(ctx, request.ID, c.Type); err != nil {
			return decide.Stop(err)
		}
	}
	put.IfMatch = answer.ETag
	put.Body, err = inline.Merge(request.Body, answer.Body, request.Collections,
		func(c arm.Collection, element map[string]any) (map[string]any, error) {
			return m.keep(ctx, put, objects[c.Path][inline.Name(element)], c, element)
		})
	if err != nil {
		return decide.Stop(err)
	}
	o = m.readOthers(ctx, put.before)
	put.Next.Unchecked = put.Before.Unchecked || len(put.before) > 0
	return o
}

// mayExist reports whether ARM may have the resource, as far as anything shows: the object has sent it, or
// did before it was restored from a backup, or its Status shows it. before is the record that a PUT
// continues.
func (m *Member) mayExist(before *record.Record) bool {
	shown := kinds.FieldOf[*string](m.Object.GetStatus(), "Id")
	return m.Record.MayExist() || before.ID != "" && before.MayExist() ||
		shown != nil && *shown != nil && arm.SameID(**shown, m.Request.ID)
}

// keep returns an element of a collection that ARM has, as a PUT of the parent sends it, or nil if the PUT
// leaves it out. o is the object of the element, or nil.
func (m *Member) keep(ctx context.Context, put *Put, o *child, c arm.Collection, element map[string]any) (map[string]any, error) {
	name := inline.Name(element)
	wasListed := slices.Contains(put.Before.Inline[c.Path], name)
	if o != nil && !o.isAccepted() && wasListed {
		// ARM still has it from the Spec's list: see hasAbandoned.
		put.Listed[c.Path] = append(put.Listed[c.Path], name)
		m.Host.DependOn(o.name)
	}
	deleted, err := m.isDeleted(ctx, o, element)
	switch {
	case err != nil || deleted:
		return nil, err
	case o != nil && o.foreign:
		return element, nil
	case o != nil:
		put.before.add(m, o, c, element)
		return element, m.addSecrets(ctx, put, o, c, element)
	case m.Complete || wasListed:
		return nil, nil
	}
	return element, nil
}

// isDeleted reports whether a PUT of the parent leaves an element out because ARM has taken its DELETE, or
// shows that it is deleting it. o is its object, or nil. It is not enough that the object is being deleted:
// ARM may refuse the DELETE, or may never have been asked.
func (m *Member) isDeleted(ctx context.Context, o *child, element map[string]any) (bool, error) {
	if inline.IsDeleting(element) {
		return true, nil
	}
	if o == nil || o.sent == nil || o.GetDeletionTimestamp().IsZero() {
		return false, nil
	}
	// The cache may be behind what this process has noted.
	now := o.kind.New()
	if err := m.objects.Live.Get(ctx, o.name.NamespacedName, now); apierrors.IsNotFound(err) {
		return m.Deleted.Has(o.sent.ID), nil // if not, the resource was kept
	} else if err != nil {
		return false, err
	}
	sent, confirmed, err := m.keys.Read(ctx, now)
	return confirmed && sent.Phase == record.Deleting, err
}

// addSecrets adds to an element the values that ARM does not show, from the Spec of its object. If the
// object is of another namespace, ARM must have accepted that Spec from it.
func (m *Member) addSecrets(ctx context.Context, put *Put, o *child, c arm.Collection, element map[string]any) error {
	spec, err := conversion.GetSpecAt(o.Resource, m.scheme, o.kind.VersionAt(put.APIVersion))
	if err != nil { // also if the kind has no such version
		spec, err = conversion.GetVersionedSpec(o.Resource, m.scheme)
	}
	if err != nil {
		m.Host.DependOn(o.name)
		return m.losesSecrets(o, err)
	}
	none := new(inline.NoValues)
	if _, err := arm.Encode(ctx, spec.(arm.ARMTransformer), none); err == nil && none.Secrets == 0 {
		return nil
	}
	other := m.Host.Other(o.name, o.kind, o.Resource)
	if o.name.Namespace != m.Name.Namespace {
		accepted, err := other.IsAccepted(ctx, o.sent)
		if kinds.IsAPIError(err) {
			return err
		} else if err != nil || !accepted {
			m.Host.DependOn(o.name)
			return m.losesSecrets(o, cmp.Or(err, error(errUnaccepted)))
		}
	}
	body, secrets, err := other.Encode(ctx, spec.(arm.ARMTransformer))
	switch {
	case kinds.IsAPIError(err):
		return err
	case err != nil:
		for _, on := range other.DependsOn() {
			m.Host.DependOn(on)
		}
		return m.losesSecrets(o, err)
	}
	put.Secrets = m.Host.Conceal(secrets)
	own, err := inline.Parse(body)
	if err == nil {
		inline.Fill(element, inline.Element(own, c), func(s string) bool { return slices.Contains(secrets, s) })
	}
	return err
}

// errUnaccepted is why a parent waits for a child of another namespace.
var errUnaccepted = &problem.Problem{Reason: problem.InProgress, Message: "ARM has not accepted what its Spec says now"}

// losesSecrets returns the problem of a PUT that would leave out the secrets of a child because of cause,
// or nil if ARM has none from the child's object.
func (m *Member) losesSecrets(o *child, cause error) error {
	if o.sent == nil {
		return nil
	}
	next := &problem.Problem{Reason: problem.InvalidSpec, Stalled: true,
		Message: "a PUT would take the secrets away from " + o.name.NameIn(m.Name.Namespace)}
	if p, ok := problem.Of(cause); ok {
		next.Reason, next.Stalled = p.Reason, p.Stalled
	}
	if o.name.Namespace == m.Name.Namespace {
		next.Message += ": " + cause.Error()
	}
	return next
}

// union returns the names in a or b, by the paths of collections.
func union(a, b map[string][]string) map[string][]string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string][]string{}
	}
	for path, names := range b {
		both := append(slices.Clone(all[path]), names...)
		slices.Sort(both)
		all[path] = slices.Compact(both)
	}
	return all
}
