package family

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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

// precedes reports whether the child has the resource rather than another one with the same name. Two signed
// records are compared as [claims.Hold] says: an old one may have been written back.
func (c *child) precedes(other *child) bool {
	switch {
	case c.sent != nil && other.sent != nil:
		return claims.HoldOf(c.Resource, c.sent).Before(claims.HoldOf(other.Resource, other.sent))
	case c.sent != nil || other.sent != nil:
		return c.sent != nil
	}
	return other.foreign && !c.foreign
}

// children returns the objects of an ARM type whose resources belong to parent, keyed by the names of the
// resources in lower case: all objects that hold their resource, or may do so, and those of the same
// namespace that have sent nothing yet. Of two objects with one name, it returns the one that holds the
// resource, or the one of the same namespace.
func (m *Member) children(ctx context.Context, parent, armType string) (map[string]*child, error) {
	all := map[string]*child{}
	for _, key := range []string{unsentIn(m.Name.Namespace), arm.IDKey(parent)} {
		q := kinds.Query{Kinds: m.objects.Kinds.ByType[strings.ToLower(armType)], Index: ParentIndex, Key: key}
		err := m.objects.Each(ctx, q, func(k *kinds.Kind, object kinds.Resource) error {
			c, id, err := m.childOf(ctx, k, object, parent)
			if c == nil || err != nil {
				return err
			}
			name := strings.ToLower(lastSegment(id))
			if before := all[name]; before == nil || c.precedes(before) {
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
	if claims.Holds(object, s, confirmed) {
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
		q := kinds.Query{Kinds: []*kinds.Kind{k}, Index: claims.Index, Key: arm.IDKey(of)}
		err := m.objects.Each(ctx, q, func(k *kinds.Kind, object kinds.Resource) error {
			s, confirmed, err := m.keys.Read(ctx, object)
			if !claims.Holds(object, s, confirmed) {
				return err
			}
			c := &child{Resource: object, kind: k, name: named.Of(k.GroupKind, client.ObjectKeyFromObject(object)), sent: s}
			if found == nil || c.precedes(found) {
				found = c
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
	answer, o := m.Host.Read(ctx, decide.GetRequest, request.ID, request.APIVersion, m.putIfAbsent(put.Before))
	if o.Ends() {
		return o
	}
	objects := map[string]map[string]*child{}
	for _, c := range request.Collections {
		if objects[c.Path], err = m.children(ctx, request.ID, c.Type); err != nil {
			return decide.Stop(err)
		}
	}
	if answer == nil {
		return m.checkNone(ctx, objects)
	} else if answer.Body == nil {
		return o
	}
	put.before = snapshots{}
	put.IfMatch = cmp.Or(put.IfMatch, answer.ETag) // that of an earlier read, on which the body depends
	shown, o := m.addUnlisted(ctx, answer.Body, objects)
	if o.Ends() {
		return o
	}
	put.Body, err = inline.Merge(put.Body, shown, request.Collections,
		func(c arm.Collection, element map[string]any) (map[string]any, error) {
			return m.keep(ctx, put, objects[c.Path][inline.Name(element)], c, element)
		})
	if later := (*notNow)(nil); errors.As(err, &later) {
		return later.outcome
	} else if err != nil {
		return decide.Stop(err)
	}
	o = m.readOthers(ctx, put.before)
	put.Next.Unchecked = put.Before.Unchecked || len(put.before) > 0
	return o
}

// checkNone checks, of a parent that ARM does not have, that it has no child with a record either. objects has the
// children of each collection.
func (m *Member) checkNone(ctx context.Context, objects map[string]map[string]*child) decide.Outcome {
	for _, c := range m.Request.Collections {
		for _, o := range objects[c.Path] {
			answer, outcome := m.readChild(ctx, o, decide.OmitWithParent)
			switch {
			case outcome.Ends():
				return outcome
			case answer != nil:
				return m.Host.Contradict(m.Request.ID, "has "+lastSegment(o.sent.ID)+" in it")
			}
		}
	}
	return decide.GoOn()
}

// addUnlisted returns the body that ARM shows of the parent, with the children that have a record and that its lists
// lack, although ARM has them: a list may be older than a child.
func (m *Member) addUnlisted(ctx context.Context, body []byte, objects map[string]map[string]*child) ([]byte, decide.Outcome) {
	shown, err := arm.ParseObject(body)
	if err != nil {
		return nil, decide.Stop(err)
	}
	first, added := decide.GoOn(), false
	for _, c := range m.Request.Collections {
		listed := inline.Elements(shown, c)
		for name, o := range objects[c.Path] {
			if slices.ContainsFunc(listed, func(e map[string]any) bool { return inline.Name(e) == name }) {
				continue
			}
			answer, outcome := m.readChild(ctx, o, decide.Omit)
			if outcome.Ends() && !first.Ends() {
				first = outcome // the others are asked for too, so that they do not wait one after the other
			}
			if answer == nil || answer.Body == nil {
				continue
			}
			element, err := arm.ParseObject(answer.Body)
			if err == nil {
				err = inline.Add(shown, c, inline.Element(element, c))
			}
			if err != nil {
				return nil, decide.Stop(err)
			}
			added = true
		}
	}
	if first.Ends() || !added {
		return body, first
	}
	body, err = json.Marshal(shown)
	return body, decide.GoOnUnless(err)
}

// readChild reads a child whose record says that ARM may have it, at the API version of the parent if its kind has
// that. The answer is nil if ARM does not have it, with the proof that the use takes, or has taken its DELETE.
func (m *Member) readChild(ctx context.Context, o *child, use decide.Use) (*armclient.Answer, decide.Outcome) {
	if o.sent == nil || o.sent.Phase == record.Deleting {
		return nil, decide.GoOn()
	}
	version := m.Request.APIVersion
	if o.kind.VersionAt(version) == "" {
		var err error
		if version, err = kinds.ARMVersionOf(o.Resource, m.scheme); err != nil {
			return nil, decide.GoOn() // nothing can be sent for it either
		}
	}
	return m.Host.Read(ctx, decide.ChildRequest, o.sent.ID, version, use)
}

// putIfAbsent returns what a PUT does if ARM does not have the resource: as far as anything shows, ARM had it if the
// object has sent it, or did before it was restored from a backup, or if its Status shows it. before is the record that
// the PUT continues.
func (m *Member) putIfAbsent(before *record.Record) decide.Use {
	shown := kinds.FieldOf[*string](m.Object.GetStatus(), "Id")
	isShown := shown != nil && *shown != nil && arm.SameID(**shown, m.Request.ID)
	switch r := m.Record; {
	case !isShown && r != nil && r.Phase == record.Sending && !r.Exists:
		return decide.Report // the first PUT, whose outcome is unknown
	case isShown, r.MayExist(), before.ID != "" && before.MayExist():
		return decide.Recreate
	}
	return decide.FirstPut
}

// keep returns an element of a collection that ARM has, as a PUT of the parent sends it, or nil if the PUT
// leaves it out. o is the object of the element, or nil.
func (m *Member) keep(ctx context.Context, put *Put, o *child, c arm.Collection, element map[string]any) (map[string]any, error) {
	name := inline.Name(element)
	wasListed := slices.Contains(put.Before.Inline[c.Path], name)
	if inline.IsDeleting(element) {
		return nil, nil
	}
	if o != nil && o.foreign && wasListed {
		// The parent's record is signed, and that of the object is not, so the object has no say
		// once it has had the chance to have its record signed.
		if err := m.Host.AwaitRecord(o.name, o.Resource); err != nil {
			return nil, err
		}
		o = nil
	}
	if o != nil && !o.foreign {
		deleted, outdated, err := m.isDeleted(ctx, o)
		if err != nil || deleted {
			return nil, err
		}
		if outdated {
			o = nil
		}
	}
	if o != nil && !o.isAccepted() && wasListed {
		// ARM still has it from the Spec's list: see hasAbandoned.
		put.Listed[c.Path] = append(put.Listed[c.Path], name)
		m.Host.DependOn(o.name)
	}
	switch {
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

// isDeleted reports whether a PUT of the parent leaves a child out because ARM has taken its DELETE. It is
// not enough that the object is being deleted: ARM may refuse the DELETE, or may never have been asked. It
// reports that the child's record is outdated if ARM has created the resource after it.
func (m *Member) isDeleted(ctx context.Context, o *child) (deleted, outdated bool, err error) {
	if o.sent == nil || o.GetDeletionTimestamp().IsZero() {
		return false, false, nil
	}
	// The cache may be behind what this process has noted.
	now := o.kind.New()
	if err := m.objects.Live.Get(ctx, o.name.NamespacedName, now); apierrors.IsNotFound(err) {
		return m.Deleted.Has(o.sent.ID), false, nil // if not, the resource was kept
	} else if err != nil {
		return false, false, err
	}
	sent, confirmed, err := m.keys.Read(ctx, now)
	if err != nil || !confirmed || sent.Phase != record.Deleting {
		return false, false, err
	}
	outdated, err = m.isOutdated(ctx, now, sent)
	return !outdated, outdated, err
}

// isOutdated reports whether ARM has created the resource of a child after a record of it, by reading the
// child. If it cannot be read now, the error is a *notNow.
func (m *Member) isOutdated(ctx context.Context, object kinds.Resource, sent *record.Record) (bool, error) {
	version, err := kinds.ARMVersionOf(object, m.scheme)
	if err != nil {
		return false, err
	}
	answer, o := m.Host.Read(ctx, decide.ChildRequest, sent.ID, version, decide.Report)
	if o.Ends() {
		return false, &notNow{o}
	}
	if answer == nil {
		return false, nil
	}
	_, later := sent.Predates(answer.Body)
	return later, nil
}

// notNow is the error of a PUT that cannot be made now.
type notNow struct{ outcome decide.Outcome }

func (*notNow) Error() string { return "a child cannot be read now" }

// specAt returns the Spec of a child's object at an API version of ARM, or at its own if the kind has no such version.
func (m *Member) specAt(o *child, apiVersion string) (arm.ARMTransformer, error) {
	spec, err := conversion.GetSpecAt(o.Resource, m.scheme, o.kind.VersionAt(apiVersion))
	if err != nil {
		spec, err = conversion.GetVersionedSpec(o.Resource, m.scheme)
	}
	if err != nil {
		return nil, err
	}
	return spec.(arm.ARMTransformer), nil
}

// addSecrets adds to an element the values that ARM does not show, from the Spec of its object. If the
// object is of another namespace, ARM must have accepted that Spec from it.
func (m *Member) addSecrets(ctx context.Context, put *Put, o *child, c arm.Collection, element map[string]any) error {
	if p := kinds.Undecodable(o.Resource); p != nil {
		m.Host.DependOn(o.name)
		return m.losesSecrets(o, p)
	}
	spec, err := m.specAt(o, put.APIVersion)
	if err != nil {
		m.Host.DependOn(o.name)
		return m.losesSecrets(o, err)
	}
	none := new(inline.NoValues)
	if _, err := inline.Body(ctx, spec, none); err == nil && none.Secrets == 0 {
		return nil
	}
	if spec, err = m.specAt(o, put.APIVersion); err != nil { // one without placeholders
		return err
	}
	if m.policy(o.Resource).Observes() {
		m.Host.DependOn(o.name)
		return m.losesSecrets(o, errors.New("it is only observed, so nothing of its Spec is sent"))
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
		if outdated, err := m.isOutdated(ctx, o.Resource, o.sent); err != nil || outdated {
			return err // the resource is somebody else's by now
		}
	}
	body, secrets, err := other.Encode(ctx, spec)
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
	own, err := arm.ParseObject(body)
	if err == nil {
		inline.Fill(element, inline.Element(own, c), func(s string) bool { return slices.Contains(secrets, s) })
	}
	return err
}

// errUnaccepted is why a parent waits for a child of another namespace.
var errUnaccepted = &problem.Problem{Reason: problem.InProgress, Message: "ARM has not accepted what its Spec says now"}

// losesSecrets returns the problem of a PUT that would leave out the secrets of a child because of cause,
// or nil if ARM has none that the Spec of the child's object says.
func (m *Member) losesSecrets(o *child, cause error) error {
	if o.sent == nil && !m.policy(o.Resource).Observes() {
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
