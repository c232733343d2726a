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
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
	"github.com/armature-dev/armature/runtime/reference"
)

// operatorSpecOf returns what a Spec asks of the operator.
func operatorSpecOf(spec any) reference.OperatorSpec {
	if asked := fieldOf[*reference.OperatorSpec](spec, "OperatorSpec"); asked != nil && *asked != nil {
		return **asked
	}
	return reference.OperatorSpec{}
}

// deliver writes the outputs that the Spec asks for, when the resource is as the Spec
// says. fresh asks ARM for what actions answer; otherwise that is done only if
// something is missing, or not as this instance knows it. It reports whether all is
// there. If not, nothing else is to be reported but the problem.
func (r *run) deliver(ctx context.Context, fresh bool) (again time.Time, done bool, err error) {
	wanted, wrong := outputs.Wanted(r.object.GetNamespace(), r.request.Outputs, r.asked)
	if wrong != nil {
		return time.Time{}, false, &problem{reason: ReasonInvalidSpec, stalled: true, message: strings.Join(wrong, "; ")}
	}
	// The Spec may have asked for others before it was changed.
	cleans := !isReady(r.object) && r.object.GetGeneration() > 1 && len(r.request.Outputs) > 0
	if len(wanted) == 0 && !cleans {
		return time.Time{}, true, nil
	}
	own, err := r.ownOutputs(ctx, wanted, cleans)
	if err != nil {
		return time.Time{}, false, err
	}
	values, problems, again, err := r.values(ctx, wanted, own, fresh)
	if err != nil || values == nil {
		return again, false, err
	}
	for _, c := range wanted {
		p, err := r.write(ctx, c, own[c.Object], values)
		if err != nil {
			return time.Time{}, false, err
		}
		if p != nil {
			problems = append(problems, p)
		}
		delete(own, c.Object)
	}
	for what, object := range own {
		uid, version := object.GetUID(), object.GetResourceVersion()
		err := r.op.client.Delete(ctx, object, ctrlclient.Preconditions{UID: &uid, ResourceVersion: &version})
		if ctrlclient.IgnoreNotFound(err) != nil {
			return time.Time{}, false, err
		}
		delete(r.memory.outputs, what)
	}
	if len(problems) > 0 {
		r.memory.known.Reads.Failures++
		r.memory.known.Reads.Next = r.now.Add(r.backoff(r.memory.known.Reads.Failures))
		return r.memory.known.Reads.Next, false, problems[0]
	}
	return time.Time{}, true, nil
}

// ownOutputs returns the Secrets and ConfigMaps that belong to the object: those of the
// kinds that it wants, or all.
func (r *run) ownOutputs(ctx context.Context, wanted []*outputs.Container, all bool) (map[ref]ctrlclient.Object, error) {
	own := map[ref]ctrlclient.Object{}
	for kind, list := range map[schema.GroupKind]ctrlclient.ObjectList{
		named.SecretKind: &corev1.SecretList{}, named.ConfigMapKind: &corev1.ConfigMapList{}} {
		wants := slices.ContainsFunc(wanted, func(c *outputs.Container) bool { return c.GroupKind == kind })
		if wants {
			r.refs.look(outputs.In(kind, r.object.GetNamespace()))
		}
		if !wants && !all {
			continue
		}
		err := r.op.live.List(ctx, list, ctrlclient.InNamespace(r.object.GetNamespace()),
			ctrlclient.MatchingLabels{annotation.OutputOf: string(r.object.GetUID())})
		if apierrors.IsForbidden(err) {
			return nil, &problem{reason: ReasonOutputRefused, stalled: true, message: err.Error()}
		} else if err != nil {
			return nil, err
		}
		err = meta.EachListItem(list, func(item runtime.Object) error {
			if object := item.(ctrlclient.Object); metav1.IsControlledBy(object, r.object) {
				own[named.Of(kind, ctrlclient.ObjectKeyFromObject(object))] = object
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return own, nil
}

// values returns the values of all outputs, by name. What an action answers is asked
// for if need be, and else is nil. There are no values at all if ARM has to be asked
// later. Problems are what is missing.
func (r *run) values(ctx context.Context, wanted []*outputs.Container, own map[ref]ctrlclient.Object, fresh bool) (
	values map[string][]byte, problems []*problem, again time.Time, err error) {
	m := r.memory
	actions, asks := map[string]bool{}, fresh
	for _, c := range wanted {
		data := map[string][]byte{}
		if object := own[c.Object]; object != nil {
			data = outputs.Data(object)
			asks = asks || m.outputs[c.Object] != "" && m.outputs[c.Object] != object.GetResourceVersion()
		}
		for key, o := range c.Outputs {
			if actions[o.Action] = true; data[key] == nil && o.Action != "" {
				asks = true
			}
		}
	}
	delete(actions, "") // the Status
	asks = asks && len(actions) > 0
	if asks && !fresh && r.now.Before(m.known.Reads.Next) {
		return nil, nil, m.known.Reads.Next, nil
	}
	status, err := conversion.GetVersionedStatus(r.object, r.op.scheme)
	if err != nil {
		return nil, nil, time.Time{}, err
	}
	answers := map[string][]byte{}
	if answers[""], err = json.Marshal(status); err != nil {
		return nil, nil, time.Time{}, err
	}
	if asks {
		for _, action := range slices.Sorted(maps.Keys(actions)) {
			if answers[action], again, err = r.ask(ctx, action); answers[action] == nil {
				return nil, nil, again, err
			}
		}
	}
	values = map[string][]byte{}
	for _, c := range wanted {
		for _, o := range c.Outputs {
			if o.Action != "" && !asks {
				continue
			}
			value, err := o.Value(answers[o.Action])
			if err != nil {
				source := "the Status"
				if o.Action != "" {
					source = "the answer of " + o.Action
				}
				problems = append(problems, &problem{
					reason: ReasonOutputMissing, message: fmt.Sprintf("the output %s in %s: %v", o.Name, source, err)})
				continue
			}
			values[o.Name] = value
		}
	}
	slices.SortFunc(problems, func(a, b *problem) int { return strings.Compare(a.message, b.message) })
	return values, problems, time.Time{}, nil
}

// ask returns what an action answers, or nil if it has to be asked later.
func (r *run) ask(ctx context.Context, action string) (answer []byte, again time.Time, err error) {
	m := &r.memory.known.Reads
	got, err := r.with.Post(ctx, client.Request{
		ID: r.request.ID + "/" + action, APIVersion: r.request.APIVersion, Tenant: r.object.GetNamespace(),
	})
	if err == nil && got.Operation == nil && got.Body != nil {
		return got.Body, time.Time{}, nil
	}
	m.Failures++
	m.Next = r.now.Add(r.backoff(m.Failures))
	if err == nil {
		return nil, m.Next, &problem{reason: ReasonUnreadable, stalled: true,
			message: fmt.Sprintf("the action %s: found HTTP status %d without an object, expected 200 and an object", action, got.Status)}
	}
	e, ok := client.AsError(err)
	if !ok {
		return nil, time.Time{}, err
	}
	m.Next = r.now.Add(max(e.RetryAfter, r.backoff(m.Failures)))
	switch {
	case e.Class == client.NotSent, e.Class == client.Throttled:
		return nil, m.Next, nil
	case isReady(r.object) && m.Failures < 5 && (e.Class == client.Unknown || e.Class == client.Retriable):
		return nil, m.Next, nil // what was written before is still there
	}
	p := refusal(e, r.with.Name())
	p.message = "the action " + action + ": " + p.message
	return nil, m.Next, p
}

// write makes a Secret or a ConfigMap have the outputs that are meant for it and
// nothing else. own is the one that there is, or nil. Where a value is not known, what
// an action answered before stays.
func (r *run) write(ctx context.Context, c *outputs.Container, own ctrlclient.Object, values map[string][]byte) (*problem, error) {
	isController := true
	next := c.Fill(own, values, metav1.OwnerReference{
		APIVersion: r.kind.servedVersion(), Kind: r.kind.Kind, Name: r.object.GetName(), UID: r.object.GetUID(),
		Controller: &isController,
	})
	var err error
	switch {
	case own == nil:
		if err = r.op.client.Create(ctx, next); apierrors.IsAlreadyExists(err) {
			return r.foreign(ctx, c)
		}
	case !equality.Semantic.DeepEqual(own, next):
		err = r.op.client.Update(ctx, next)
	}
	if apierrors.IsInvalid(err) || apierrors.IsForbidden(err) {
		var secrets []string
		for _, value := range outputs.Data(next) {
			secrets = append(secrets, string(value))
		}
		return &problem{reason: ReasonOutputRefused, stalled: true,
			message: fmt.Sprintf("the API server refuses %v: %s", c.Object, client.NewSecrets(secrets...).Remove(err.Error()))}, nil
	} else if err != nil {
		return nil, err
	}
	if r.memory.outputs == nil {
		r.memory.outputs = map[ref]string{}
	}
	r.memory.outputs[c.Object] = next.GetResourceVersion()
	return nil, nil
}

// foreign returns the problem of a Secret or a ConfigMap that is there and does not
// belong to the object.
func (r *run) foreign(ctx context.Context, c *outputs.Container) (*problem, error) {
	r.refs.look(c.Object)
	there := outputs.New(c.Object)
	if err := r.op.live.Get(ctx, c.NamespacedName, there); apierrors.IsNotFound(err) {
		return &problem{reason: ReasonOutputTaken, message: fmt.Sprintf("%v was there a moment ago", c.Object)}, nil
	} else if err != nil {
		return nil, err
	}
	p := &problem{reason: ReasonOutputTaken, stalled: true}
	switch owner := metav1.GetControllerOf(there); {
	case owner == nil:
		p.message = fmt.Sprintf("%v exists and belongs to nobody: delete it, or name another one in spec.operatorSpec", c.Object)
	case owner.UID == r.object.GetUID(): // somebody took the label away
		outputs.Label(there, owner.UID)
		p.stalled, p.message = false, fmt.Sprintf("%v had no label %s", c.Object, annotation.OutputOf)
		return p, r.op.client.Update(ctx, there)
	default:
		p.message = fmt.Sprintf("%v belongs to %s %s: name another one in spec.operatorSpec", c.Object, owner.Kind, owner.Name)
		// One that was deleted leaves it to the garbage collector.
		p.stalled = owner.Kind != r.kind.Kind || owner.Name != r.object.GetName()
	}
	return p, nil
}

// outputChanged wakes the object that a Secret or a ConfigMap with outputs belongs to.
func (r *Reconciler) outputChanged(what metav1.Object) {
	owner := metav1.GetControllerOf(what)
	if owner == nil {
		return
	}
	if k := r.kinds.byOwner(*owner); k != nil {
		r.wake(named.Of(k.GroupKind, types.NamespacedName{Namespace: what.GetNamespace(), Name: owner.Name}))
	}
}
