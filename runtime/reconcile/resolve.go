package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// resolver resolves what an object refers to, in its namespace.
type resolver struct {
	op        *Reconciler
	of        ref
	object    kinds.Resource
	dependsOn map[ref]bool
	// owner is the object that the name of the owner means, or nil before it was read.
	owner     kinds.Resource
	ownerKind *kinds.Kind
	// deleting is true if the id is wanted even of an owner that is being deleted.
	deleting bool
	// ownID is true while the object's own id is resolved.
	ownID bool
	// known is an object whose id is knownID, whatever the cache has, or the zero value.
	known   ref
	knownID string
	// hasSearched reports whether a cycle of dependencies was looked for.
	hasSearched bool
	// values has the values that were read from Secrets, and missing why a value was not found.
	// secrets has all of these values.
	values  map[reference.Secret]string
	missing map[reference.Secret]*problem.Problem
	secrets []string
	// inputs are the texts from other objects for properties that cannot change, by their paths.
	inputs map[string]string
	// configMaps are those that were read, nil if they do not exist.
	configMaps map[ref]*corev1.ConfigMap
}

func (r *Reconciler) newResolver(of ref, object kinds.Resource) *resolver {
	return &resolver{op: r, of: of, object: object, dependsOn: map[ref]bool{}}
}

// dependOn notes that the object depends on another.
func (r *resolver) dependOn(what ref) {
	r.dependsOn[what] = true
	r.op.dependencies.Add(r.of, what)
}

// OwnerID returns the ARM id of the owner with a name.
func (r *resolver) OwnerID(ctx context.Context, armType, name string) (string, error) {
	candidates := r.op.kinds.ByType[strings.ToLower(armType)]
	if len(candidates) == 0 {
		return "", &problem.Problem{Reason: ReasonUnknownKind, Stalled: true,
			Message: fmt.Sprintf("there is no kind for %s here, so %q cannot be its name: set spec.owner.armId", armType, name)}
	}
	var missing error
	for _, k := range candidates {
		id, err := r.id(ctx, k, name, ReasonWaitingForOwner, true)
		if err == nil {
			return id, nil
		}
		if missing == nil || r.owner != nil {
			missing = err
		}
		if r.owner != nil {
			break
		}
	}
	return "", missing
}

// Subscription returns the subscription of an object that names none: the one that its
// credential has for such objects. An object stays in its first subscription, because in
// another one it would be another resource.
func (r *resolver) Subscription(ctx context.Context) (string, error) {
	with, err := r.op.credentialFor(ctx, r.object, r.dependOn)
	if err != nil {
		return "", err
	}
	from, id := "the credential of the operator", with.Subscription
	if with.Secret != "" {
		from = fmt.Sprintf("Secret %s/%s", r.of.Namespace, with.Secret)
	}
	if strings.Contains(id, "/") || id == "." || id == ".." {
		return "", &problem.Problem{Reason: ReasonCredentialInvalid, Stalled: true, Placeless: true,
			Message: fmt.Sprintf("%s: found a path under %s, expected the id of a subscription", from, SubscriptionKey)}
	}
	bound := client.SubscriptionOf(boundID(r.object))
	switch {
	case bound == "" && id == "":
		where := from + ", under " + SubscriptionKey
		if with.Secret == "" {
			where = "the credential of the operator, by --subscription"
		}
		return "", &problem.Problem{Reason: ReasonSubscriptionMissing, Stalled: true, Placeless: true,
			Message: fmt.Sprintf("it names no subscription, and neither does its credential: set "+
				"spec.owner.armId, or a subscription for %s", where)}
	case bound != "" && id != "" && !strings.EqualFold(bound, id):
		return "", &problem.Problem{Reason: ReasonIDChanged, Stalled: true, Placeless: true,
			Message: fmt.Sprintf("%s now has another subscription than /subscriptions/%s, where this object is: "+
				"set it back, or set spec.owner.armId to that one", from, bound)}
	case id == "":
		id = bound
	}
	return "/subscriptions/" + id, nil
}

// boundID returns the ARM id to which an object is bound, or "": the id that was sent, or
// else the id that was read.
func boundID(object kinds.Resource) string {
	if s := record.Of(object); s != nil {
		if !s.MayExist() {
			return ""
		}
		return s.ID
	}
	if id := kinds.FieldOf[*string](object.GetStatus(), "Id"); id != nil && *id != nil {
		return **id
	}
	return ""
}

// ResourceID returns the ARM id of an object by group, kind and name. It is also called for
// owners that may be of any kind.
func (r *resolver) ResourceID(ctx context.Context, to reference.Resource) (string, error) {
	k := r.op.kinds.ByName[schema.GroupKind{Group: to.Group, Kind: to.Kind}]
	if k == nil {
		return "", &problem.Problem{Reason: ReasonUnknownKind, Stalled: true,
			Message: fmt.Sprintf("there is no kind %q of group %q here: give an armId instead of %q", to.Kind, to.Group, to.Name)}
	}
	// ARM has lists in which a resource names itself, such as the databases of a geo-replication.
	// But an object cannot be its own owner: its id would depend on itself.
	if to.Name == r.of.Name && k.GroupKind == r.of.GroupKind && !r.ownID {
		return r.op.idBySpec(ctx, r.object, r.of, r.deleting)
	}
	return r.id(ctx, k, to.Name, ReasonWaitingFor, false)
}

// ResourceIDOf returns the ARM id of an object by group, kind and name, if the kind has one
// of some ARM types.
func (r *resolver) ResourceIDOf(ctx context.Context, to reference.Resource, armTypes []string) (string, error) {
	k := r.op.kinds.ByName[schema.GroupKind{Group: to.Group, Kind: to.Kind}]
	if k == nil {
		return r.ResourceID(ctx, to)
	}
	var expected []string
	for _, t := range armTypes {
		those := r.op.kinds.ByType[strings.ToLower(t)]
		if slices.Contains(those, k) {
			return r.ResourceID(ctx, to)
		}
		for _, other := range those {
			expected = append(expected, fmt.Sprintf("kind %q of group %q", other.Kind, other.Group))
		}
		if those == nil {
			expected = append(expected, "an armId of "+t)
		}
	}
	return "", &problem.Problem{Reason: ReasonWrongKind, Stalled: true, Message: fmt.Sprintf(
		"found kind %q of group %q, expected %s", to.Kind, to.Group, strings.Join(expected, ", or "))}
}

// id returns the ARM id of an object, or a problem if ARM does not have the resource yet.
func (r *resolver) id(ctx context.Context, k *kinds.Kind, name, waiting string, isOwner bool) (string, error) {
	what := named.Of(k.GroupKind, types.NamespacedName{Namespace: r.of.Namespace, Name: name})
	if !r.dependsOn[what] && len(r.dependsOn) >= maxReferences {
		return "", &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Placeless: true,
			Message: fmt.Sprintf("found references to more than %d objects: give the others by their armId", maxReferences)}
	}
	r.dependOn(what)
	if what == r.known {
		return r.knownID, nil
	}
	if k.Availability() != kinds.Available {
		p := k.NotServed()
		p.Reason = waiting
		return "", p
	}
	object := k.New()
	if err := r.op.cluster.Objects.Get(ctx, k, what.NamespacedName, object); apierrors.IsNotFound(err) {
		return "", &problem.Problem{Reason: waiting, Message: fmt.Sprintf("%v does not exist", what)}
	} else if err != nil {
		return "", err
	}
	if isOwner {
		r.owner, r.ownerKind = object, k
	}
	if !object.GetDeletionTimestamp().IsZero() && !r.deleting {
		return "", &problem.Problem{Reason: ReasonOwnerDeleting, Message: fmt.Sprintf("%v is being deleted", what)}
	}
	s, confirmed, err := r.op.keys.Read(ctx, object)
	switch {
	case err != nil:
		return "", err
	case s != nil && s.Exists && confirmed:
		return s.ID, nil
	case r.op.cluster.Namespaces.PolicyOf(object).Observes() && isReady(object):
		return r.op.idBySpec(ctx, object, what, r.deleting)
	case r.deleting && !confirmed && s.MayExist(): // nothing may be left to confirm the record
		return r.op.idBySpec(ctx, object, what, r.deleting)
	}
	message := fmt.Sprintf("%v is not in ARM yet", what)
	if !r.hasSearched { // the first object that is not there tells enough
		r.hasSearched = true
		if around := r.op.dependencies.Cycle(r.of, what); around != nil {
			message += fmt.Sprintf(", because it waits for this one: %v", around)
		}
	}
	return "", &problem.Problem{Reason: waiting, Message: message}
}

// idBySpec returns the ARM id that the Spec of an object gives. If deleting is true its owner
// may be in deletion.
func (r *Reconciler) idBySpec(ctx context.Context, object kinds.Resource, of ref, deleting bool) (string, error) {
	resolver := r.newResolver(of, object)
	resolver.deleting = deleting
	return resolver.idBySpec(ctx)
}

// idBySpec returns the ARM id that the Spec of the object gives.
func (r *resolver) idBySpec(ctx context.Context) (string, error) {
	if p := kinds.Undecodable(r.object); p != nil {
		return "", p
	}
	spec, err := conversion.GetVersionedSpec(r.object, r.op.scheme)
	if err != nil {
		return "", err
	}
	r.ownID = true
	return arm.ID(ctx, spec.(arm.ARMTransformer), r.object.GetName(), r)
}

const (
	// maxReferences is how many objects an object may depend on: a change of each wakes it.
	maxReferences = 1000
	// maxSecrets is how many Secrets a Spec may refer to: each is watched, and read again and again.
	maxSecrets = 64
	// maxMissing is the number of missing Secrets after which a reconcile reads no more of them.
	maxMissing = 5
)

// lookUp sets the properties of a Spec that have their values from other objects. It reads the Secrets that the Spec
// refers to, each once, and keeps the values of the keys that it names.
func (r *resolver) lookUp(ctx context.Context, spec arm.ARMTransformer) error {
	if err := arm.FillIn(ctx, spec, r); err != nil {
		return err
	}
	all := secretCollector{keys: map[string]map[string]bool{}}
	arm.Encode(ctx, spec, &all) // errors are reported by the Encode with the values
	if n := len(all.names); n > maxSecrets {
		return &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Placeless: true,
			Message: fmt.Sprintf("found references to %d Secrets, expected at most %d", n, maxSecrets)}
	}
	r.values, r.missing = map[reference.Secret]string{}, map[reference.Secret]*problem.Problem{}
	var missing []string
	for _, of := range all.names {
		name := types.NamespacedName{Namespace: r.of.Namespace, Name: of}
		if name == r.op.keys.Secret {
			return &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Placeless: true,
				Message: fmt.Sprintf("found a reference to Secret %s, which has the operator's own keys: they are not sent", name)}
		}
		r.dependOn(named.Of(named.SecretKind, name))
		secret, err := r.op.cluster.Secret(ctx, name)
		if apierrors.IsNotFound(err) {
			if missing = append(missing, name.String()); len(missing) == maxMissing {
				return &problem.Problem{Reason: ReasonSecretMissing, Placeless: true,
					Message: fmt.Sprintf("Secrets %s do not exist, and perhaps others", strings.Join(missing, ", "))}
			}
		} else if err != nil {
			return credentials.Unreadable(name, err)
		}
		for key := range all.keys[of] {
			from := reference.Secret{Name: of, Key: key}
			value, found := secret.Data[key]
			switch {
			case err != nil:
				r.missing[from] = &problem.Problem{Reason: ReasonSecretMissing, Message: fmt.Sprintf("Secret %s does not exist", name)}
			case key == "":
				object, wrong := wholeSecret(secret.Data)
				if wrong != nil {
					r.missing[from] = &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true,
						Message: fmt.Sprintf("Secret %s: %v", name, wrong)}
				}
				r.values[from] = object
				for _, value := range secret.Data {
					r.secrets = append(r.secrets, string(value))
				}
			case found:
				r.values[from] = string(value)
				r.secrets = append(r.secrets, string(value))
			default:
				r.missing[from] = &problem.Problem{Reason: ReasonSecretMissing, Message: fmt.Sprintf("Secret %s has no key %q", name, key)}
			}
		}
	}
	return nil
}

// wholeSecret returns the data of a Secret as a JSON object of texts.
func wholeSecret(data map[string][]byte) (string, error) {
	texts := make(map[string]string, len(data))
	var wrong []string
	for key, value := range data {
		if texts[key] = string(value); !utf8.Valid(value) {
			wrong = append(wrong, strconv.Quote(key))
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return "", fmt.Errorf("the values of the keys %s are no UTF-8; expected text, as ARM gets all keys", strings.Join(wrong, ", "))
	}
	object, err := json.Marshal(texts)
	return string(object), err
}

// SecretValue returns the value of a key of a Secret, which lookUp has read before.
func (r *resolver) SecretValue(_ context.Context, from reference.Secret) (string, error) {
	if p := r.missing[from]; p != nil {
		return "", p
	}
	value, found := r.values[from]
	if !found {
		return "", fmt.Errorf("the key %q of Secret %s/%s was not read", from.Key, r.of.Namespace, from.Name)
	}
	return value, nil
}

// secretCollector collects which keys of which Secrets a Spec refers to.
type secretCollector struct {
	inline.NoValues
	names []string
	keys  map[string]map[string]bool
}

func (s *secretCollector) SecretValue(ctx context.Context, from reference.Secret) (string, error) {
	if s.keys[from.Name] == nil {
		s.names = append(s.names, from.Name)
		s.keys[from.Name] = map[string]bool{}
	}
	s.keys[from.Name][from.Key] = true
	return s.NoValues.SecretValue(ctx, from)
}
