package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

const (
	// maxConfigMaps is how many ConfigMaps a Spec may take values from: each is watched, and read again and again.
	maxConfigMaps = 64
	// maxValue is how many bytes a value from another object may have.
	maxValue = 4096
)

// Value returns the text that an object of the namespace has: an output of a resource, or a key of a ConfigMap.
func (r *resolver) Value(ctx context.Context, of arm.Taker, from reference.Value) (string, error) {
	text, err := r.value(ctx, from)
	if err == nil && of.CreateOnly {
		if r.inputs == nil {
			r.inputs = map[string]string{}
		}
		r.inputs[of.Path] = text
	}
	return text, err
}

// value is Value without noting it.
func (r *resolver) value(ctx context.Context, from reference.Value) (string, error) {
	name := types.NamespacedName{Namespace: r.of.Namespace, Name: from.Name}
	of := schema.GroupKind{Group: from.Group, Kind: from.Kind}
	k := r.op.kinds.ByName[of]
	switch {
	case of == named.ConfigMapKind:
		return r.configMapValue(ctx, name, from.Output)
	case of == named.SecretKind:
		return "", &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Message: fmt.Sprintf(
			"found Secret %q: ARM shows this property to all who may read it, so it is taken from an output or a ConfigMap", from.Name)}
	case k == nil:
		return "", &problem.Problem{Reason: ReasonUnknownKind, Stalled: true,
			Message: fmt.Sprintf("there is no kind %q of group %q here: set the value itself", from.Kind, from.Group)}
	}
	output, found := k.Outputs[from.Output]
	switch {
	case !found:
		return "", &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true,
			Message: fmt.Sprintf("kind %s of group %s has no output %q%s", k.Kind, k.Group, from.Output, expectedOutputs(k))}
	case output.Action != "":
		return "", &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true,
			Message: fmt.Sprintf("the output %s of kind %s is a secret, which ARM would show in this property%s", output.Name, k.Kind,
				expectedOutputs(k))}
	}
	if _, err := r.id(ctx, k, from.Name, ReasonWaitingFor, false); err != nil {
		return "", err
	}
	r.dependOn(named.Of(of, name).Outputs())
	object := k.New()
	if err := r.op.cluster.Objects.Get(ctx, k, name, object); err != nil {
		return "", err
	}
	status, err := r.op.statusOf(object)
	var value []byte
	if err == nil {
		value, err = output.Value(status)
	}
	if err != nil {
		return "", &problem.Problem{Reason: ReasonWaitingFor, After: r.await(named.Of(of, name), object),
			Message: fmt.Sprintf("%v has no output %s yet: %v", named.Of(of, name), output.Name, err)}
	}
	return usable(named.Of(of, name), output.Name, value)
}

// checkInputs returns the problem of a value that has changed since ARM got it, in a property that cannot change.
func (r *run) checkInputs(ctx context.Context) error {
	if !r.confirmed || !r.sent.MayExist() {
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(r.resolver.inputs)) {
		was, known := r.sent.Inputs[path]
		is, hasKey, err := r.op.keys.Input(ctx, r.sent.Key, path, r.resolver.inputs[path])
		switch {
		case err != nil:
			return err
		case known && hasKey && is != was:
			return &problem.Problem{Reason: ReasonValueChanged, Stalled: true, Placeless: true, Message: fmt.Sprintf(
				"%s has another value now than ARM has, in the object that it is taken from, and it cannot change: nothing is sent "+
					"until it has the old value again, or this object is made anew", path)}
		}
	}
	return nil
}

// inputHashes returns the inputs of the record of a PUT, by the key with an id.
func (r *run) inputHashes(ctx context.Context, key string) (map[string]string, error) {
	var hashes map[string]string
	for path, text := range r.resolver.inputs {
		hash, found, err := r.op.keys.Input(ctx, key, path, text)
		if err != nil || !found {
			return nil, err
		}
		if hashes == nil {
			hashes = map[string]string{}
		}
		hashes[path] = hash
	}
	return hashes, nil
}

// await lets an object be read from ARM again, which has not shown an output of it, and returns when to look for that.
// ARM makes some values a moment after the resource, so the older the resource is, the longer that takes.
func (r *resolver) await(of ref, object kinds.Resource) time.Duration {
	age := maxAwait
	if s := record.Of(object); s != nil {
		age = r.op.memories.now().Sub(s.Time)
	}
	r.op.memories.want(of)
	r.op.cluster.Wake(of)
	return min(max(age/4, minAwait), maxAwait)
}

// minAwait and maxAwait are how long an object waits at least and at most before it asks again for an output.
const minAwait, maxAwait = 2 * time.Second, 10 * time.Minute

// plainOutputs returns the names of the outputs of a kind that are no secrets, sorted.
func plainOutputs(k *kinds.Kind) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(k.Outputs)), func(name string) bool { return k.Outputs[name].Action != "" })
}

// expectedOutputs returns the end of a message about an output that a kind does not have.
func expectedOutputs(k *kinds.Kind) string {
	plain := plainOutputs(k)
	if len(plain) == 0 {
		return "; it has none that is not a secret"
	}
	return ", expected one of " + strings.Join(plain, ", ")
}

// plainValues returns the values of the outputs in the Status of an object, by name. Others may take them.
func (r *Reconciler) plainValues(k *kinds.Kind, object kinds.Resource) map[string]string {
	values := map[string]string{}
	status, err := r.statusOf(object)
	if err != nil {
		return values
	}
	for _, name := range plainOutputs(k) {
		if value, err := k.Outputs[name].Value(status); err == nil {
			values[name] = string(value)
		}
	}
	return values
}

// statusOf returns the Status of an object as JSON, at the version that the object is written for.
func (r *Reconciler) statusOf(object kinds.Resource) ([]byte, error) {
	status, err := conversion.GetVersionedStatus(object, r.scheme)
	if err != nil {
		return nil, err
	}
	return json.Marshal(status)
}

// configMapValue returns the value of a key of a ConfigMap.
func (r *resolver) configMapValue(ctx context.Context, name types.NamespacedName, key string) (string, error) {
	of := named.Of(named.ConfigMapKind, name)
	if r.configMaps == nil {
		r.configMaps = map[ref]*corev1.ConfigMap{}
	}
	found, known := r.configMaps[of]
	if !known {
		if len(r.configMaps) == maxConfigMaps {
			return "", &problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Placeless: true,
				Message: fmt.Sprintf("found references to more than %d ConfigMaps", maxConfigMaps)}
		}
		r.dependOn(of)
		found = new(corev1.ConfigMap)
		switch err := r.op.cluster.Objects.Live.Get(ctx, name, found); {
		case apierrors.IsNotFound(err):
			found = nil
		case apierrors.IsForbidden(err):
			return "", &problem.Problem{Reason: ReasonConfigMapForbidden, Stalled: true, Message: fmt.Sprintf(
				"the operator has no right to %v: bind the ClusterRole of its release that may get, list and watch configmaps to its "+
					"account in namespace %s", of, name.Namespace)}
		case err != nil:
			return "", err
		}
		r.configMaps[of] = found
	}
	if found == nil {
		return "", &problem.Problem{Reason: ReasonWaitingFor, Message: fmt.Sprintf("%v does not exist", of)}
	}
	value, hasKey := found.Data[key]
	_, hasBytes := found.BinaryData[key]
	switch {
	case hasBytes:
		return "", unusable(of, key, "bytes, expected text")
	case !hasKey:
		return "", &problem.Problem{Reason: ReasonWaitingFor, Message: fmt.Sprintf("%v has no key %q", of, key)}
	}
	return usable(of, key, []byte(value))
}

// usable returns a value that another object has, if ARM can be given it.
func usable(of ref, name string, value []byte) (string, error) {
	switch {
	case len(value) == 0:
		return "", unusable(of, name, "no text")
	case len(value) > maxValue:
		return "", unusable(of, name, fmt.Sprintf("%d bytes, expected at most %d", len(value), maxValue))
	}
	return string(value), nil
}

func unusable(of ref, name, found string) error {
	return &problem.Problem{Reason: ReasonValueUnusable, Stalled: true, Message: fmt.Sprintf("%s of %v: found %s", name, of, found)}
}
