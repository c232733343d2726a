package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/rehearsal"
)

// PlanOptions are the options of [Plan].
type PlanOptions struct {
	// Options are those of the operator. Its own credential is that of the caller, nil for a stand-in, and serves all
	// namespaces.
	Options
	// Scheme has the kinds.
	Scheme *runtime.Scheme
	// Objects are those of the kinds, at their stored versions, and those of other kinds that are to be other than in
	// the cluster. They belong to the plan then.
	Objects []ctrlclient.Object
	// Old are the objects that the cluster has in place of some of these, which files change.
	Old []ctrlclient.Object
	// Selected reports whether the plan is about an object. It knows the others as well.
	Selected func(ctrlclient.Object) bool
	// Live reads Secrets, ConfigMaps and Namespaces from the cluster. What it refuses is unknown.
	Live ctrlclient.Reader
	// StandIn reports whether Transport leads to a stand-in for ARM, which takes all requests.
	StandIn bool
	// Wait waits before each request to ARM, longer if ARM has refused it for now.
	Wait func(ctx context.Context, refused time.Duration) error
	// Progress is told how many objects are settled, of how many.
	Progress func(settled, all int)
}

// Plan returns what the operator would do about objects, in their order: with its own code, on a cluster in memory, and
// with an ARM that gets GET and HEAD alone. Nothing is written.
func Plan(ctx context.Context, o PlanOptions) ([]*Foretold, error) {
	o.Metrics, o.Allow = prometheus.NewRegistry(), nil
	o.CredentialNamespaces = []string{"*"}
	if o.Credential == nil {
		o.Credential = noCredential{}
	}
	own := o.Credential
	o.NewCredential = func(CredentialSource) (azcore.TokenCredential, error) { return own, nil }
	if o.Refresh == 0 {
		o.Refresh = never
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	set, err := kinds.New(o.Scheme, o.Kinds)
	if err != nil {
		return nil, err
	}
	set.SetDiscovered(true)
	p := &planner{options: o, foretold: map[ref]*Foretold{}, maybe: map[ref]string{}, old: map[ref]kinds.Resource{}}
	for _, object := range o.Old {
		gvk, err := apiutil.GVKForObject(object, o.Scheme)
		if err != nil {
			return nil, err
		}
		p.old[named.Of(gvk.GroupKind(), ctrlclient.ObjectKeyFromObject(object))] = object.(kinds.Resource)
	}
	if err := p.findKeys(ctx); err != nil {
		return nil, err
	}
	p.cluster, err = rehearsal.New(rehearsal.Options{Scheme: o.Scheme, Kinds: set, Objects: p.options.Objects, Selected: o.Selected,
		Live: tolerant{o.Live, credentialsOf(o.Objects)}, Defaults: o.policies(), Start: o.Now()})
	if err != nil {
		return nil, err
	}
	p.arm = &rehearsal.ARM{Base: o.Transport, Takes: o.StandIn, Kinds: set, Scheme: o.Scheme, Wait: o.Wait}
	o.Transport, o.Now = p.arm, p.cluster.Now
	metrics, err := newMeters(o.Metrics)
	if err != nil {
		return nil, err
	}
	if p.op, err = newReconciler(o.Options, p.cluster.Wiring(), metrics); err != nil {
		return nil, err
	}
	p.op.planner, p.op.keys.Trusts = p, p.trusts
	return p.run(ctx)
}

// noCredential is a credential for a stand-in, which looks at none.
type noCredential struct{}

func (noCredential) GetToken(context.Context, azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: "none", ExpiresOn: time.Now().Add(time.Hour)}, nil
}

// never is longer than a plan lasts by its own clock.
const never = 10 * 365 * 24 * time.Hour

// Foretold is what the operator would do about an object.
type Foretold struct {
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Action is what becomes of the resource.
	Action PlannedAction `json:"action"`
	ID     string        `json:"id,omitempty"`
	// Requests are those that would change something in ARM, in their order.
	Requests []ForetoldRequest `json:"requests,omitempty"`
	// Changes are those of the resource.
	Changes []PlannedChange `json:"changes,omitempty"`
	// Maybe says why a plan cannot know whether the requests would be sent, or "".
	Maybe string `json:"maybe,omitempty"`
	// Drifted says what somebody else has changed in ARM, or "".
	Drifted string `json:"drifted,omitempty"`
	// Reason and Message say why the object would not be ready.
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// PlannedAction is what becomes of a resource.
type PlannedAction string

// The actions.
const (
	PlanCreate  PlannedAction = "create"
	PlanChange  PlannedAction = "change"
	PlanAdopt   PlannedAction = "adopt"
	PlanDelete  PlannedAction = "delete"
	PlanDetach  PlannedAction = "detach"
	PlanNothing PlannedAction = "none"
	// PlanWait means that something else has to happen first, and PlanRefuse that somebody has to change something.
	PlanWait   PlannedAction = "wait"
	PlanRefuse PlannedAction = "refuse"
	// PlanUnknown means that the caller may not read what the operator reads.
	PlanUnknown PlannedAction = "unknown"
)

// ForetoldRequest is a request that would change something in ARM.
type ForetoldRequest struct {
	Method     string `json:"method"`
	ID         string `json:"id"`
	APIVersion string `json:"apiVersion"`
	// Body has placeholders for secrets and for what is only known after the apply.
	Body string `json:"body,omitempty"`

	sent []byte
}

// PlannedChange is a change of a property.
type PlannedChange struct {
	Path string `json:"path"`
	// Before is what ARM shows, as JSON, "" for nothing, and After what it would be sent.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Deletes reports whether a resource of its own would be deleted, because the list leaves it out.
	Deletes bool `json:"deletes,omitempty"`
}

// planner is what a plan notes while the operator rehearses.
type planner struct {
	options  PlanOptions
	cluster  *rehearsal.Cluster
	arm      *rehearsal.ARM
	op       *Reconciler
	foretold map[ref]*Foretold
	// trusts reports whether the caller has no keys of records, and takes them for the operator's own.
	trusts bool
	// maybe says, by object, why it is not known whether it would be sent.
	maybe map[ref]string
	// old are the objects that files change.
	old map[ref]kinds.Resource
	// requests counts what was foretold.
	requests int
}

// findKeys finds out whether the caller may read the keys of records. Without them, a plan has keys of its own, and
// trusts the records.
func (p *planner) findKeys(ctx context.Context) error {
	name := types.NamespacedName{Namespace: p.options.Namespace, Name: p.options.KeySecret}
	err := p.options.Live.Get(ctx, name, new(corev1.Secret))
	switch {
	case apierrors.IsForbidden(err) || apierrors.IsNotFound(err):
		p.trusts = true
		p.options.Objects = append(slices.Clone(p.options.Objects), &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name}, Data: record.NewKey()})
		return nil
	}
	return err
}

// credentialsOf returns the names of the Secrets with credentials of namespaces.
func credentialsOf(objects []ctrlclient.Object) map[string]bool {
	all := map[string]bool{CredentialSecret: true}
	for _, object := range objects {
		for _, name := range []string{annotation.CredentialFrom, annotation.AuxiliaryCredentialFrom} {
			all[object.GetAnnotations()[name]] = true
		}
	}
	return all
}

// tolerant reads for a caller who may not read the credentials of namespaces, and does not need them: a plan has the
// credential of the caller.
type tolerant struct {
	ctrlclient.Reader
	credentials map[string]bool
}

func (t tolerant) Get(ctx context.Context, name ctrlclient.ObjectKey, into ctrlclient.Object, options ...ctrlclient.GetOption) error {
	err := t.Reader.Get(ctx, name, into, options...)
	if secret, is := into.(*corev1.Secret); is && t.credentials[name.Name] && apierrors.IsForbidden(err) {
		secret.Namespace, secret.Name, secret.UID, secret.ResourceVersion = name.Namespace, name.Name, "unread", "unread"
		return nil
	}
	return err
}

// quiet is how long nothing more is foretold at the end of a plan, by its own clock: longer than any object waits
// before it looks again at what it waits for.
const quiet = 15 * time.Minute

// mostSteps is how often each object is reconciled at most, on average.
const mostSteps = 200

// run lets the operator work until nothing is left to do.
func (p *planner) run(ctx context.Context) ([]*Foretold, error) {
	var all []ref
	p.cluster.Objects(func(of ref, object kinds.Resource) {
		all = append(all, of)
		p.foretold[of] = &Foretold{Group: of.Group, Kind: of.Kind, Namespace: of.Namespace, Name: of.Name, Action: PlanNothing}
		p.op.memories.want(of)
	})
	if err := p.readAhead(ctx); err != nil {
		return nil, err
	}
	p.cluster.Handle(handler{p.op})
	failed, seen := map[ref]error{}, map[ref]bool{}
	until := p.cluster.Now().Add(p.options.Outage + quiet)
	var of ref
	for steps, requests := 0, 0; ; steps++ {
		if steps > mostSteps*(len(all)+10) {
			return nil, fmt.Errorf("the plan does not come to an end after %d steps, the last of %v", steps, of)
		}
		var found bool
		var err error
		of, found, err = p.cluster.Step(ctx, until)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !found {
			break
		}
		if delete(failed, of); err != nil {
			failed[of] = err
		}
		if p.requests > requests {
			requests, until = p.requests, p.cluster.Now().Add(p.options.Outage+quiet)
		}
		if seen[of] = true; p.options.Progress != nil {
			p.options.Progress(len(seen), len(all))
		}
	}
	left := map[ref]kinds.Resource{}
	p.cluster.Objects(func(of ref, object kinds.Resource) { left[of] = object })
	var result []*Foretold
	for _, of := range all {
		f := p.foretold[of]
		p.conclude(f, of, left[of], failed[of])
		result = append(result, f)
	}
	return result, nil
}

// readers is how many resources are read at the same time.
const readers = 10

// readAhead reads what ARM has of the objects that have been sent, many at the same time: the operator, by the clock of
// a plan, does one thing after the other. What cannot be read now is read, or reported, when its turn comes.
func (p *planner) readAhead(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(readers)
	p.cluster.Objects(func(of ref, object kinds.Resource) {
		sent := record.Of(object)
		version, err := kinds.ARMVersionOf(object, p.op.scheme)
		if err != nil || !sent.MayExist() {
			return
		}
		credential, err := p.op.credentialFor(ctx, object, func(ref) {})
		if err != nil {
			return
		}
		group.Go(func() error {
			_, _ = credential.Get(ctx, client.Request{ID: sent.ID, APIVersion: version, Tenant: of.Namespace})
			return ctx.Err()
		})
	})
	return group.Wait()
}

// unreadable are the reasons of objects that the operator may know more about than the caller.
var unreadable = []string{ReasonSecretForbidden, ReasonConfigMapForbidden, ReasonNamespaceForbidden, ReasonTokenForbidden,
	ReasonKindForbidden, ReasonNoToken, ReasonNoAnswer, "AuthorizationFailed", "LinkedAuthorizationFailed"}

// conclude sets what becomes of an object. object is nil if it would be gone.
func (p *planner) conclude(f *Foretold, of ref, object kinds.Resource, failed error) {
	f.Maybe = p.maybe[of]
	if object == nil {
		if f.Action == PlanNothing {
			f.Action = PlanDetach
		}
		return
	}
	if f.ID == "" {
		f.ID = boundID(object)
	}
	conditions := *kinds.ConditionsOf(object)
	if meta.IsStatusConditionTrue(conditions, Drifted) {
		f.Drifted = meta.FindStatusCondition(conditions, Drifted).Message
	}
	if failed != nil {
		f.Action, f.Message = PlanUnknown, failed.Error()
		return
	}
	ready := meta.FindStatusCondition(conditions, Ready)
	if ready == nil || ready.Status == metav1.ConditionTrue {
		return
	}
	f.Reason, f.Message = ready.Reason, ready.Message
	if f.Action != PlanNothing {
		return
	}
	switch {
	case slices.Contains(unreadable, ready.Reason):
		f.Action = PlanUnknown
	case meta.IsStatusConditionTrue(conditions, Stalled):
		f.Action = PlanRefuse
	default:
		f.Action = PlanWait
	}
}
