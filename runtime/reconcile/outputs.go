package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reference"
)

// operatorSpecOf returns the operatorSpec of a Spec.
func operatorSpecOf(spec any) reference.OperatorSpec {
	if asked := kinds.FieldOf[*reference.OperatorSpec](spec, "OperatorSpec"); asked != nil && *asked != nil {
		return **asked
	}
	return reference.OperatorSpec{}
}

// delivery writes the outputs of an object.
type delivery struct{ *run }

// deliver writes the outputs that the Spec asks for, when the resource is as the Spec
// says. If fresh is true it sends the actions whose answers have outputs; otherwise it does so
// only if an output is missing or differs from what this instance last wrote. The reconcile
// goes on if all outputs are there. If not, only that problem is reported.
func (r delivery) deliver(ctx context.Context, fresh bool) decide.Outcome {
	wanted, wrong := outputs.Wanted(r.object.GetNamespace(), r.request.Outputs, r.operatorSpec)
	if wrong != nil {
		return decide.Stop(&problem.Problem{Reason: ReasonInvalidSpec, Stalled: true, Message: strings.Join(wrong, "; ")})
	}
	// Before its last change the Spec may have asked for other outputs.
	cleans := !isReady(r.object) && r.object.GetGeneration() > 1 && len(r.request.Outputs) > 0
	if len(wanted) == 0 && !cleans {
		return decide.GoOn()
	}
	own, err := r.ownOutputs(ctx, wanted, cleans)
	if err != nil {
		return decide.Stop(err)
	}
	x, err := r.compile(wanted)
	if err != nil {
		return decide.Stop(err)
	}
	contents, problems, o := r.contents(ctx, wanted, own, x, fresh)
	if o.Ends() {
		return o
	}
	for _, c := range wanted {
		all, err := r.write(ctx, c, own[c.Object], contents[c.Object])
		if err != nil {
			return decide.Stop(err)
		}
		problems = append(problems, all...)
		delete(own, c.Object)
	}
	for what, object := range own {
		uid, version := object.GetUID(), object.GetResourceVersion()
		err := r.op.cluster.Client.Delete(ctx, object, ctrlclient.Preconditions{UID: &uid, ResourceVersion: &version})
		if ctrlclient.IgnoreNotFound(err) != nil {
			return decide.Stop(err)
		}
		delete(r.memory.outputs, what)
	}
	if len(problems) > 0 {
		next, _ := r.countRefusal(decide.PostRequest, decide.Refusal{Kind: decide.Unreadable})
		return decide.ComeBack(next).Because(problems[0])
	}
	return decide.GoOn()
}

// stopAfterDelivery returns the outcome of a reconcile whose last step is deliver, with the outcome o.
func stopAfterDelivery(o decide.Outcome) decide.Outcome {
	if !o.Ends() {
		return decide.Stop(nil)
	}
	return o
}

// ownOutputs returns the Secrets and ConfigMaps that belong to the object: those of the
// wanted kinds, or all.
func (r delivery) ownOutputs(ctx context.Context, wanted []*outputs.Container, all bool) (map[ref]ctrlclient.Object, error) {
	own := map[ref]ctrlclient.Object{}
	for kind, list := range map[schema.GroupKind]ctrlclient.ObjectList{
		named.SecretKind: &corev1.SecretList{}, named.ConfigMapKind: &corev1.ConfigMapList{}} {
		wants := slices.ContainsFunc(wanted, func(c *outputs.Container) bool { return c.GroupKind == kind })
		if wants {
			r.resolver.dependOn(outputs.In(kind, r.object.GetNamespace()))
		}
		if !wants && !all {
			continue
		}
		err := r.op.cluster.Objects.Live.List(ctx, list, ctrlclient.InNamespace(r.object.GetNamespace()),
			ctrlclient.MatchingLabels{annotation.OutputOf: string(r.object.GetUID())})
		if apierrors.IsForbidden(err) && !wants { // without the right, there are none
			continue
		} else if apierrors.IsForbidden(err) {
			return nil, &problem.Problem{Reason: ReasonOutputRefused, Stalled: true, Message: err.Error()}
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

// contents returns what goes into the keys of the Secrets and ConfigMaps. It sends actions only if it has to. What
// would be made of their answers keeps what is there otherwise. problems has an entry for each missing value.
func (r delivery) contents(ctx context.Context, wanted []*outputs.Container, own map[ref]ctrlclient.Object, x *expressing, fresh bool) (
	contents map[ref]map[string]outputs.Content, problems []*problem.Problem, o decide.Outcome) {
	actions, isComplete := r.actions(wanted, own, x)
	asks := len(actions) > 0 && (fresh || !isComplete)
	if at := r.memory.known.NextRead(); asks && !fresh && r.now.Before(at) {
		return nil, nil, decide.ComeBack(at)
	}
	answers, o := r.answers(ctx, actions, asks)
	if o.Ends() {
		return nil, nil, o
	}
	contents, problems = map[ref]map[string]outputs.Content{}, x.problems
	limited, cancel := context.WithTimeout(ctx, r.op.evaluation)
	defer cancel()
	evaluator := x.evaluator(limited, answers)
	for _, c := range wanted {
		all := map[string]outputs.Content{}
		contents[c.Object] = all
		for _, key := range slices.Sorted(maps.Keys(c.Keys)) {
			content, p := outputs.Content{}, (*problem.Problem)(nil)
			if source := c.Keys[key]; source.Expression != "" {
				content, p = evaluator.content(c, source, asks)
			} else {
				content, p = contentOf(source.Output, answers, asks)
			}
			if all[key] = content; p != nil {
				problems = append(problems, p)
			}
		}
	}
	if ctx.Err() != nil { // what an expression was interrupted by is not its fault
		return nil, nil, decide.Stop(ctx.Err())
	}
	slices.SortStableFunc(problems, func(a, b *problem.Problem) int { return strings.Compare(a.Message, b.Message) })
	return contents, problems, decide.GoOn()
}

// contentOf returns what an output has.
func contentOf(output arm.Output, answers map[string][]byte, asks bool) (outputs.Content, *problem.Problem) {
	keeps := outputs.Content{Keeps: output.Action != ""}
	if keeps.Keeps && !asks {
		return keeps, nil
	}
	value, err := output.Value(answers[output.Action])
	if err == nil {
		return outputs.Content{Value: value}, nil
	}
	source := "the Status"
	if output.Action != "" {
		source = "the answer of " + output.Action
	}
	return keeps, &problem.Problem{Reason: ReasonOutputMissing, Message: fmt.Sprintf("the output %s in %s: %v", output.Name, source, err)}
}

// actions returns the names of the actions whose answers have outputs, in order. isComplete reports whether each
// of these outputs is there as this instance knows it.
func (r delivery) actions(wanted []*outputs.Container, own map[ref]ctrlclient.Object, x *expressing) (names []string, isComplete bool) {
	isComplete = true
	for _, c := range wanted {
		data := map[string][]byte{}
		if object := own[c.Object]; object != nil {
			data = outputs.Data(object)
			known := r.memory.outputs[c.Object]
			isComplete = isComplete && (known == "" || known == object.GetResourceVersion())
		}
		for key, source := range c.Keys {
			needs := x.actionsOf(source)
			names = append(names, needs...)
			isComplete = isComplete && (len(needs) == 0 || data[key] != nil)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), isComplete
}

// answers returns the Status under "" and, if asks is true, the answers of the actions by name.
func (r delivery) answers(ctx context.Context, actions []string, asks bool) (map[string][]byte, decide.Outcome) {
	status, err := r.op.statusOf(r.object)
	if err != nil {
		return nil, decide.Stop(err)
	}
	answers := map[string][]byte{"": status}
	if !asks {
		return answers, decide.GoOn()
	}
	for _, action := range actions {
		var o decide.Outcome
		if answers[action], o = r.post(ctx, action); o.Ends() {
			return nil, o
		}
	}
	return answers, decide.GoOn()
}

// post sends an action and returns the answer.
func (r delivery) post(ctx context.Context, action string) ([]byte, decide.Outcome) {
	got, err := r.credential.Post(ctx, client.Request{
		ID: r.request.ID + "/" + action, APIVersion: r.request.APIVersion, Tenant: r.object.GetNamespace(),
	})
	e, isRefusal := client.AsError(err)
	switch {
	case err == nil && got.Operation == nil && got.Body != nil:
		return got.Body, decide.GoOn()
	case err == nil:
		next, _ := r.countRefusal(decide.PostRequest, decide.Refusal{Kind: decide.Unreadable})
		return nil, decide.ComeBack(next).Because(&problem.Problem{Reason: ReasonUnreadable, Stalled: true,
			Message: fmt.Sprintf("the action %s: found HTTP status %d without an object, expected 200 and an object", action, got.Status)})
	case !isRefusal:
		return nil, decide.Stop(err)
	}
	next, p := r.countARMRefusal(decide.PostRequest, e, true)
	if p != nil {
		p.Message = "the action " + action + ": " + p.Message
	}
	return nil, comeBack(next, p)
}

// write writes a Secret or a ConfigMap that has its contents and nothing else. own is the existing one, or nil.
func (r delivery) write(ctx context.Context, c *outputs.Container, own ctrlclient.Object, contents map[string]outputs.Content) (
	problems []*problem.Problem, err error) {
	isController := true
	next := c.Fill(own, contents, metav1.OwnerReference{
		APIVersion: r.kind.ServedVersion(), Kind: r.kind.Kind, Name: r.object.GetName(), UID: r.object.GetUID(),
		Controller: &isController,
	})
	if is, want := c.TypeOf(next); is != want {
		problems = append(problems, &problem.Problem{Reason: ReasonSecretTypeFixed, Stalled: true, Message: fmt.Sprintf(
			"%v has the type %s, which cannot change: delete it, and it is made again with the type %s", c.Object, is, want)})
	}
	switch {
	case own == nil:
		if err = r.op.cluster.Client.Create(ctx, next); apierrors.IsAlreadyExists(err) {
			p, err := r.otherOwner(ctx, c)
			if p == nil {
				return nil, err
			}
			return []*problem.Problem{p}, err
		}
	case !equality.Semantic.DeepEqual(own, next):
		err = r.op.cluster.Client.Update(ctx, next)
	}
	if err != nil {
		text := conceal(next, err.Error())
		answered := apierrors.APIStatus(nil)
		if passes := apierrors.IsConflict(err) || apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) ||
			apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err); passes || !errors.As(err, &answered) {
			return nil, &concealed{err, text}
		}
		return append(problems, &problem.Problem{Reason: ReasonOutputRefused, Stalled: true,
			Message: fmt.Sprintf("the API server refuses %v: %s", c.Object, text)}), nil
	}
	if r.memory.outputs == nil {
		r.memory.outputs = map[ref]string{}
	}
	r.memory.outputs[c.Object] = next.GetResourceVersion()
	return problems, nil
}

// concealed is an error without the secrets in its text.
type concealed struct {
	error
	text string
}

func (c *concealed) Error() string { return c.text }

func (c *concealed) Unwrap() error { return c.error }

// otherOwner returns the problem of a Secret or a ConfigMap that exists and does not belong
// to the object.
func (r delivery) otherOwner(ctx context.Context, c *outputs.Container) (*problem.Problem, error) {
	r.resolver.dependOn(c.Object)
	there := outputs.New(c.Object)
	if err := r.op.cluster.Objects.Live.Get(ctx, c.NamespacedName, there); apierrors.IsNotFound(err) {
		return &problem.Problem{Reason: ReasonOutputTaken, Message: fmt.Sprintf(
			"%v existed and was then deleted: it is created at the next attempt", c.Object)}, nil
	} else if err != nil {
		return nil, err
	}
	p := &problem.Problem{Reason: ReasonOutputTaken, Stalled: true}
	switch owner := metav1.GetControllerOf(there); {
	case owner == nil:
		p.Message = fmt.Sprintf("%v exists and belongs to nobody: delete it, or name another one in spec.operatorSpec", c.Object)
	case owner.UID == r.object.GetUID(): // somebody took the label away
		outputs.Label(there, owner.UID)
		p.Stalled, p.Message = false, fmt.Sprintf("%v had no label %s", c.Object, annotation.OutputOf)
		return p, r.op.cluster.Client.Update(ctx, there)
	default:
		p.Message = fmt.Sprintf("%v belongs to %s %s: name another one in spec.operatorSpec", c.Object, owner.Kind, owner.Name)
		// If it belonged to a deleted object of the same name, the garbage collector deletes it.
		p.Stalled = owner.Kind != r.kind.Kind || owner.Name != r.object.GetName()
	}
	return p, nil
}
