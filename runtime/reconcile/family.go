package reconcile

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// A PUT of a resource with collections deletes the children that it leaves out, and
// writes those that it lists, at its own API version. So it is sent with the children
// that ARM has, apart from those that its Spec listed before and lists no longer;
// nothing is written to its children meanwhile; and each child that is an object looks
// afterwards whether it is still as it was.

// parentIndex is the index of objects by the ARM id of the parent of what they have in
// ARM, or else by their namespace.
const parentIndex = annotation.Domain + "/parent"

func indexParent(object ctrlclient.Object) []string {
	if s := record.Of(object); s.MayExist() {
		return []string{claims.Key(parentID(s.ID))}
	}
	return []string{unsentIn(object.GetNamespace())}
}

func unsentIn(namespace string) string { return "unsent in " + namespace }

// parentID returns the ARM id of the resource that a child belongs to.
func parentID(id string) string {
	for range 2 {
		id = id[:max(strings.LastIndexByte(id, '/'), 0)]
	}
	return id
}

// child is an object whose resource is in a collection.
type child struct {
	ref
	kinds.Resource
	*kinds.Kind
	// sent is its record, nil if it has none that is the operator's own.
	sent *record.Record
	// foreign reports whether it is of another namespace and has no such record. Then it
	// may be that it has the resource, or that somebody says so.
	foreign bool
}

// children returns the objects of a type whose parent has an id, by the names of their
// resources in lower case: all that hold theirs, or may do so, and those of the same
// namespace that have sent nothing yet. Of two of one name, it is the one that holds it, or
// the one of the same namespace.
func (r *run) children(ctx context.Context, parent, armType string) (map[string]*child, error) {
	all := map[string]*child{}
	for _, key := range []string{unsentIn(r.ref.Namespace), claims.Key(parent)} {
		q := kinds.Query{Kinds: r.op.kinds.ByType[strings.ToLower(armType)], Index: parentIndex, Key: key}
		err := r.op.objects.Each(ctx, q, func(k *kinds.Kind, object kinds.Resource) error {
			o, id, err := r.childOf(ctx, k, object, parent)
			if o == nil || err != nil {
				return err
			}
			name := strings.ToLower(lastSegment(id))
			if before := all[name]; before == nil || o.sent != nil && before.sent == nil || before.foreign && !o.foreign {
				all[name] = o
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// childOf returns an object as a child, and the id of its resource, if its parent has an id. Otherwise it returns nil.
func (r *run) childOf(ctx context.Context, k *kinds.Kind, object kinds.Resource, parent string) (_ *child, id string, err error) {
	o := &child{Resource: object, Kind: k, ref: named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(object))}
	s, confirmed, err := r.op.recordOf(ctx, object)
	if err != nil {
		return nil, "", err
	}
	if s.MayExist() {
		id = s.ID
	} else {
		// The cache may show neither that it was sent nor what its parent's id is. One that
		// means nothing that is known yet is not among them.
		its := r.op.newResolver(o.ref, object)
		its.known, its.knownID = r.ref, parent
		id, _ = its.idBySpec(ctx)
	}
	if id == "" || !arm.SameID(parentID(id), parent) {
		return nil, "", nil
	}
	if confirmed && s.MayExist() {
		o.sent = s
	}
	o.foreign = o.sent == nil && o.ref.Namespace != r.ref.Namespace
	return o, id, nil
}

func lastSegment(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// alone returns the problem of a resource that is an object, and is listed in the Spec
// of its parent's object as well.
func (r *run) alone(ctx context.Context) error {
	request := r.request
	if len(request.Collections) > 0 {
		listed, err := inline.Names(request.Body, request.Collections)
		if err != nil {
			return err
		}
		for _, c := range request.Collections {
			if len(listed[c.Path]) == 0 {
				continue
			}
			objects, err := r.children(ctx, request.ID, c.Type)
			if err != nil {
				return err
			}
			for _, name := range listed[c.Path] {
				if o := objects[name]; o != nil && !o.foreign && kinds.PolicyOf(o.Resource) != kinds.PolicySkip {
					r.refs.look(o.ref)
					return &problem.Problem{Reason: ReasonListedTwice, Stalled: true, Message: fmt.Sprintf(
						"the Spec lists %q under %s, and %s is the same resource: remove it from one of the two",
						name, c.Path, r.nameOf(o.ref))}
				}
			}
		}
	}
	if !r.kind.IsElement {
		return nil
	}
	parent, err := r.parent(ctx, request.ID)
	if err != nil || parent == nil {
		return err
	}
	r.refs.look(parent.ref)
	spec, err := conversion.GetVersionedSpec(parent.Resource, r.op.scheme)
	if err != nil {
		return nil // which is the parent's problem
	}
	body, err := arm.Encode(ctx, spec, new(noValues))
	if err != nil {
		return nil // likewise
	}
	collections := spec.(arm.ARMTransformer).ARMResource().Collections
	listed, err := inline.Names(body, collections)
	if err != nil {
		return err
	}
	for _, c := range collections {
		if strings.EqualFold(c.Type, request.Type) && slices.Contains(listed[c.Path], strings.ToLower(lastSegment(request.ID))) {
			r.op.wake(parent.ref) // which may not know of this one
			return &problem.Problem{Reason: ReasonListedTwice, Stalled: true, Message: fmt.Sprintf(
				"%s lists this resource under %s: remove it from one of the two", r.nameOf(parent.ref), c.Path)}
		}
	}
	return nil
}

// noValues resolves nothing, for what is in a body apart from references and secrets. It
// counts the secrets.
type noValues struct{ secrets int }

func (*noValues) OwnerID(context.Context, string, string) (string, error) { return "/", nil }

func (*noValues) ResourceID(context.Context, reference.Resource) (string, error) { return "/", nil }

func (n *noValues) SecretValue(context.Context, reference.Secret) (string, error) {
	n.secrets++
	return "{}", nil
}

// parent returns the object that holds the parent of a resource, nil if there is none.
func (r *run) parent(ctx context.Context, id string) (*child, error) {
	of := parentID(id)
	armType, _ := arm.TypeOf(of)
	var found *child
	for _, k := range r.op.kinds.ByType[strings.ToLower(armType)] {
		if k.Availability() != kinds.Available {
			continue
		}
		q := kinds.Query{Kinds: []*kinds.Kind{k}, Index: claims.Index, Key: claims.Key(of)}
		err := r.op.objects.Each(ctx, q, func(k *kinds.Kind, object kinds.Resource) error {
			s, confirmed, err := r.op.recordOf(ctx, object)
			if confirmed && (found == nil || claims.HoldOf(object, s).Before(claims.HoldOf(found.Resource, found.sent))) {
				found = &child{Resource: object, Kind: k, ref: named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(object)), sent: s}
			}
			return err
		})
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// completeLists reports whether the lists of the Spec are complete.
func (r *run) completeLists() bool { return r.asked.InlineChildren == reference.InlineComplete }

// withChildren adds to a PUT the children that it would delete, and to its record what the Spec lists, besides what it
// listed before.
func (r *run) withChildren(ctx context.Context, s *sending) decide.Outcome {
	request := r.request
	var err error
	if s.listed, err = inline.Names(request.Body, request.Collections); err != nil {
		return decide.Stop(err)
	}
	s.next.Inline = union(s.before.Inline, s.listed)
	answer, o := r.readFirst(ctx, decide.GetRequest, request.ID, request.APIVersion, r.hadBefore(s.before))
	if o.Ends() || answer == nil || answer.Body == nil {
		return o
	}
	s.shown = looks{}
	objects := map[string]map[string]*child{}
	for _, c := range request.Collections {
		if objects[c.Path], err = r.children(ctx, request.ID, c.Type); err != nil {
			return decide.Stop(err)
		}
	}
	s.put.IfMatch = answer.ETag
	s.put.Body, err = inline.Merge(request.Body, answer.Body, request.Collections,
		func(c arm.Collection, element map[string]any) (map[string]any, error) {
			return r.keep(ctx, s, objects[c.Path][inline.Name(element)], c, element)
		})
	if err != nil {
		return decide.Stop(err)
	}
	return s.shown.ask(ctx, r)
}

// keep returns the element of a collection that a PUT has because ARM has it, or nil if the PUT leaves it out. o is its
// object, or nil.
func (r *run) keep(ctx context.Context, s *sending, o *child, c arm.Collection, element map[string]any) (map[string]any, error) {
	name := inline.Name(element)
	wasListed := slices.Contains(s.before.Inline[c.Path], name)
	if o != nil && !o.accepted() && wasListed {
		// ARM has it from the Spec's list still: see heirless.
		s.listed[c.Path] = append(s.listed[c.Path], name)
		r.refs.look(o.ref)
	}
	goes, err := r.goes(ctx, o, element)
	switch {
	case err != nil || goes:
		return nil, err
	case o != nil && o.foreign:
		return element, nil
	case o != nil:
		s.shown.add(r, o, c, element)
		return element, r.addSecrets(ctx, &s.put, o, c, element, r.request.APIVersion)
	case r.completeLists() || wasListed:
		return nil, nil
	}
	return element, nil
}

// hadBefore reports whether ARM may have the resource of the request for all that is known: the object
// has sent it, or did before it was restored from a backup, or its Status shows it. before is the
// record that goes on.
func (r *run) hadBefore(before *record.Record) bool {
	shown := kinds.FieldOf[*string](r.object.GetStatus(), "Id")
	return r.sent.MayExist() || before.ID != "" && before.MayExist() ||
		shown != nil && *shown != nil && arm.SameID(**shown, r.request.ID)
}

// accepted reports whether ARM has what the object sent.
func (o *child) accepted() bool { return o.sent != nil && o.sent.Phase == record.Accepted }

// heirless reports whether ARM has a child that the Spec listed once, and that an object
// was to have, which is gone without having sent it. A name whose object has sent it
// leaves the record.
func (r *run) heirless(ctx context.Context) (bool, error) {
	request := r.request
	if len(r.sent.Inline) == 0 {
		return false, nil
	}
	listed, err := inline.Names(request.Body, request.Collections)
	if err != nil {
		return false, err
	}
	next := *r.sent
	next.Inline = maps.Clone(next.Inline)
	given := false
	for _, c := range request.Collections {
		var kept []string
		var objects map[string]*child
		for _, name := range r.sent.Inline[c.Path] {
			if slices.Contains(listed[c.Path], name) {
				kept = append(kept, name)
				continue
			}
			if objects == nil {
				if objects, err = r.children(ctx, request.ID, c.Type); err != nil {
					return false, err
				}
			}
			o := objects[name]
			if o == nil {
				return true, nil
			}
			if r.refs.look(o.ref); o.accepted() {
				given = true
				continue
			}
			kept = append(kept, name)
		}
		if len(kept) < len(r.sent.Inline[c.Path]) {
			next.Inline[c.Path] = kept
		}
	}
	if !given {
		return false, nil
	}
	return false, r.writeRecord(ctx, &next)
}

// goes reports whether an element is left out of a PUT of its parent, because ARM has taken
// its DELETE, or shows that it deletes it. o is its object, or nil. That this is being
// deleted is not enough: ARM may refuse the DELETE, or may never have been asked.
func (r *run) goes(ctx context.Context, o *child, element map[string]any) (bool, error) {
	if inline.IsDeleting(element) {
		return true, nil
	}
	if o == nil || o.sent == nil || o.GetDeletionTimestamp().IsZero() {
		return false, nil
	}
	// The cache may be behind what this process has noted.
	now := o.Kind.New()
	if err := r.op.live.Get(ctx, o.ref.NamespacedName, now); apierrors.IsNotFound(err) {
		return r.op.departed.has(o.sent.ID), nil // or its resource stays
	} else if err != nil {
		return false, err
	}
	sent, confirmed, err := r.op.recordOf(ctx, now)
	return confirmed && sent.Phase == record.Deleting, err
}

// addSecrets adds to an element what ARM does not show, as the Spec of its object says. Of an
// object of another namespace, that is what ARM has accepted from it.
func (r *run) addSecrets(
	ctx context.Context, put *client.Request, o *child, c arm.Collection, element map[string]any, version string,
) error {
	spec, err := conversion.GetSpecAt(o.Resource, r.op.scheme, o.Kind.VersionAt(version))
	if err != nil { // also if the kind has no such version
		spec, err = conversion.GetVersionedSpec(o.Resource, r.op.scheme)
	}
	if err != nil {
		r.refs.look(o.ref)
		return r.wouldTakeSecrets(o, err)
	}
	none := new(noValues)
	if _, err := arm.Encode(ctx, spec.(arm.ARMTransformer), none); err == nil && none.secrets == 0 {
		return nil
	}
	values := r.op.newResolver(o.ref, o.Resource)
	if o.ref.Namespace != r.ref.Namespace {
		accepted, err := r.op.isAccepted(ctx, o)
		if isOfAPI(err) {
			return err
		} else if err != nil || !accepted {
			r.refs.look(o.ref)
			return r.wouldTakeSecrets(o, cmp.Or(err, error(errUnaccepted)))
		}
	}
	var body []byte
	if err = values.readSecrets(ctx, spec.(arm.ARMTransformer)); err == nil {
		body, err = arm.Encode(ctx, spec.(arm.ARMTransformer), values)
	}
	switch {
	case isOfAPI(err):
		return err
	case err != nil:
		for what := range values.looks {
			r.refs.look(what)
		}
		return r.wouldTakeSecrets(o, err)
	}
	put.Secrets = client.NewSecrets(append(slices.Clone(r.refs.secrets), values.secrets...)...)
	r.refs.secrets = append(r.refs.secrets, values.secrets...)
	own, err := inline.Parse(body)
	if err == nil {
		inline.Fill(element, inline.Element(own, c), func(s string) bool { return slices.Contains(values.secrets, s) })
	}
	return err
}

// errUnaccepted is why a parent waits for a child of another namespace.
var errUnaccepted = &problem.Problem{Reason: ReasonInProgress, Message: "ARM has not accepted what its Spec says now"}

// isAccepted reports whether ARM has accepted what the Spec of a child says now.
func (r *Reconciler) isAccepted(ctx context.Context, o *child) (bool, error) {
	its := &run{op: r, kind: o.Kind, ref: o.ref, object: o.Resource, refs: r.newResolver(o.ref, o.Resource)}
	request, err := its.newRequest(ctx)
	if err != nil || !o.accepted() {
		return false, err
	}
	digest, _, known, err := its.digest(ctx, request, o.sent.Key)
	return known && digest == o.sent.Digest, err
}

// wouldTakeSecrets returns the problem of a PUT that would leave out the secrets of a child,
// because of an error of its Spec, or nil if ARM has none from its object.
func (r *run) wouldTakeSecrets(o *child, cause error) error {
	if o.sent == nil {
		return nil
	}
	next := &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Message: "a PUT would take the secrets away from " + r.nameOf(o.ref)}
	if p, ok := problem.Of(cause); ok {
		next.Reason, next.Stalled = p.Reason, p.Stalled
	}
	if o.ref.Namespace == r.ref.Namespace {
		next.Message += ": " + cause.Error()
	}
	return next
}

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

// compare finds out whether the family has changed the resource since it was sent: whether it has
// children that nobody wants, or its parent's PUT has left it otherwise than it was before.
func (r *run) compare(ctx context.Context) decide.Outcome {
	heirless, err := r.heirless(ctx)
	if err != nil {
		return decide.Stop(err)
	}
	r.found.Changed = heirless || r.op.harmed.has(r.ref)
	if r.sent.Unchecked && !r.found.Changed {
		if o := r.checkChildren(ctx); o.Ends() {
			return o
		}
	}
	r.found.Compared = true
	return decide.GoOn()
}

// readFirst reads a resource for a decision about what to send. There is no answer if ARM does not have it, which a
// single 404 shows if had is false: then ARM has never had it for all that is known.
func (r *run) readFirst(ctx context.Context, request decide.Request, id, version string, had bool) (*client.Answer, decide.Outcome) {
	m := &r.memory.known
	if at := m.NextRead(); r.now.Before(at) {
		return nil, decide.ComeBack(at)
	}
	answered := decide.Answered
	if request == decide.ChildRequest {
		answered = decide.ChildAnswered
	}
	answer, err := r.read(ctx, id, version, "")
	e, isRefusal := client.AsError(err)
	switch {
	case err == nil:
		m.Happened(answered)
		return answer, decide.GoOn()
	case isRefusal && e.Gone() && !had, isRefusal && r.isGone(e, id):
		m.Happened(answered)
		return nil, decide.GoOn()
	case isRefusal && e.Gone():
		return nil, r.readSoon()
	case !isRefusal:
		return nil, decide.Stop(err)
	}
	return nil, comeBack(r.refused(request, e, false))
}
