package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/changes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/dependencies"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Options are those of [Setup].
type Options struct {
	// Kinds are the kinds to manage, by default all of the scheme.
	Kinds []schema.GroupKind
	// Namespace is the operator's own, where the Secret KeySecret is.
	Namespace string
	// Instance is the name of this operator among those of its namespace, by default
	// armature-operator. With the namespace it names the operator in the mark that each
	// object gets, [annotation.Operator], and no other operator touches the object then.
	Instance string
	// KeySecret is the name of the Secret with the keys of digests, by default
	// armature-digest-keys. It is made if there is none.
	KeySecret string
	// ManagedNamespaces are those whose objects the operator manages, by default all, and
	// ManagedSelector selects them by their labels.
	ManagedNamespaces []string
	ManagedSelector   labels.Selector
	// Credential is the operator's own. Without it, only namespaces with a credential
	// of their own are served.
	Credential azcore.TokenCredential
	// CredentialNamespaces are those that the operator's own credential serves, "*" for
	// all. In any of them, whoever may create objects reaches what the credential reaches.
	CredentialNamespaces []string
	// WorkloadIdentityNamespaces are those whose Secrets may speak by the operator's own
	// token of workload identity, "*" for all. Such a Secret reaches what any application
	// reaches that trusts the operator.
	WorkloadIdentityNamespaces []string
	// ExchangeAudience is the audience of the tokens of ServiceAccounts that the cloud's
	// authority exchanges, by default the one of the cloud.
	ExchangeAudience string
	// Subscription is the id of the one where resources are that are in a
	// subscription, name none as their owner, and use the operator's own credential.
	Subscription string
	// NewCredential makes the credential of a Secret, by default with azidentity.
	NewCredential func(CredentialSource) (azcore.TokenCredential, error)
	// Cloud is the one to speak with, by default the public one.
	Cloud cloud.Configuration
	// Transport sends requests to ARM, by default over HTTPS.
	Transport azpolicy.Transporter
	// Allow refuses requests by an error, as in [client.Options]. While it does,
	// nothing is reconciled. [Lease.Allow] is one.
	Allow func(context.Context) error
	// RequestTimeout is how long a request to ARM can be under way, by default
	// [client.Longest], which is the least that ARM's services need. An instance that
	// takes over waits as long for what another has sent, so all have the same.
	RequestTimeout time.Duration
	// Refresh is how often ARM is asked how a resource is, by default each hour.
	Refresh time.Duration
	// Resend is how often what has not changed is sent to ARM once more, by default
	// never. It undoes what somebody changed in Azure beside the operator, which
	// cannot be told from reading, as ARM does not answer with what it was sent. Each
	// time costs every object a PUT.
	Resend time.Duration
	// Workers is how many objects of a kind are reconciled at the same time, by
	// default ten: ARM takes ten writes a second, and needs about one for each.
	Workers int
	// Metrics takes the metrics, by default controller-runtime's registry.
	Metrics prometheus.Registerer
	// Tracing makes spans of reconciles and of requests to ARM, by default none.
	Tracing trace.TracerProvider
	// Rights says what the operator lacks, for whoever reads it, by default nobody.
	Rights *Rights
	// Now returns the time, by default [time.Now].
	Now func() time.Time
	// InsecureHTTP permits tokens over HTTP, for tests.
	InsecureHTTP bool
}

// DefaultInstance is the default of [Options].Instance.
const DefaultInstance = "armature-operator"

func (o *Options) complete() error {
	if o.Namespace == "" {
		return errors.New("reconcile: Options.Namespace is not set, expected the namespace that the operator runs in")
	}
	if o.Instance == "" {
		o.Instance = DefaultInstance
	}
	if o.KeySecret == "" {
		o.KeySecret = "armature-digest-keys"
	}
	if o.NewCredential == nil {
		o.NewCredential = credentials.New
	}
	if o.Cloud.Services == nil {
		o.Cloud = cloud.AzurePublic
	}
	if o.ExchangeAudience == "" {
		o.ExchangeAudience = credentials.ExchangeAudience(o.Cloud)
	}
	if o.RequestTimeout == 0 {
		o.RequestTimeout = client.Longest
	}
	if o.Refresh == 0 {
		o.Refresh = time.Hour
	}
	if o.Refresh < 0 || o.Resend < 0 {
		return fmt.Errorf("reconcile: found Options.Refresh %s and Resend %s, expected no time below zero", o.Refresh, o.Resend)
	}
	if o.Workers == 0 {
		o.Workers = 10
	}
	if o.Metrics == nil {
		o.Metrics = metrics.Registry
	}
	if o.Tracing == nil {
		o.Tracing = noop.NewTracerProvider()
	}
	if o.Rights == nil {
		o.Rights = &Rights{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return nil
}

// newReconciler returns a Reconciler without what a manager gives it.
func newReconciler(options Options, c ctrlclient.Client, live ctrlclient.Reader) (*Reconciler, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	all, err := kinds.New(c.Scheme(), options.Kinds)
	if err != nil {
		return nil, err
	}
	meters, err := newMeters(options.Metrics)
	if err != nil {
		return nil, err
	}
	r := &Reconciler{
		client: c, objects: &kinds.Objects{Kinds: all, Cache: c, Live: live}, live: live, scheme: c.Scheme(), options: options, kinds: all, metrics: meters,
		dependencies: dependencies.New(nil),
		keys: &record.Keys{Reader: live, Writer: c,
			Secret: types.NamespacedName{Namespace: options.Namespace, Name: options.KeySecret}, Now: options.Now},
		tracer:   options.Tracing.Tracer("github.com/armature-dev/armature/runtime/reconcile"),
		memories: map[ref]*memory{},
		stirred:  map[ref]bool{},
		storage:  storageRights{asked: map[place]bool{}, missing: map[place]bool{}},
	}
	options.Rights.watch(r)
	r.credentials = r.newCredentials()
	r.families = family.New(r.objects, r.keys, r.scheme, func(of ref) { r.wake(of) }, options.Now)
	all.SetDiscovered(true)
	return r, nil
}

// newClient returns a client of ARM with a credential.
func (r *Reconciler) newClient(token azcore.TokenCredential, throttle *client.Throttle) (*client.Client, error) {
	return client.New(client.Options{
		Throttle: throttle,
		Cloud:    r.options.Cloud, Credential: token, Transport: r.options.Transport,
		Timeout: r.options.RequestTimeout, Allow: r.allow, Permit: func(namespace, id string) error { return r.permit(namespace, id, nil) },
		Observe: r.metrics.observe, Held: r.metrics.hold,
		Tracer: r.tracer, Now: r.options.Now, InsecureHTTP: r.options.InsecureHTTP,
	})
}

// Setup adds the controllers to a manager. A kind that the cluster does not serve
// yet gets its controller when it does.
func Setup(m manager.Manager, options Options) error {
	r, err := newReconciler(options, m.GetClient(), m.GetAPIReader())
	if err != nil {
		return err
	}
	r.events = m.GetEventRecorder("armature")
	r.log = m.GetLogger()
	if err := r.storage.connect(m); err != nil {
		return err
	}
	cached, err := newCache(m, r)
	if err != nil {
		return err
	}
	r.objects.Cache = cached
	namespaces, err := newNamespaces(m, r)
	if err != nil {
		return err
	}
	r.namespace = namespaces.get
	contents, err := newContentWatches(m, r)
	if err != nil {
		return err
	}
	r.dependencies.Watch = func(what ref) (stop func()) {
		end := contents.watch(what)
		return func() {
			end()
			r.unwatched(what)
		}
	}
	if err := addHeld(m, contents); err != nil {
		return err
	}
	queues := &queues{of: map[schema.GroupKind]workqueue.TypedRateLimitingInterface[reconcile.Request]{}}
	r.wake = queues.add
	starter, err := newStarter(m, r, cached, queues)
	if err != nil {
		return err
	}
	r.kinds.SetDiscovered(false)
	return errors.Join(m.Add(always{manager.RunnableFunc(starter.warm)}), m.Add(starter))
}

// queues are those of the controllers that have started.
type queues struct {
	mutex sync.Mutex
	of    map[schema.GroupKind]workqueue.TypedRateLimitingInterface[reconcile.Request]
}

func (q *queues) set(k schema.GroupKind, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.of[k] = queue
}

func (q *queues) add(r ref) {
	q.mutex.Lock()
	queue := q.of[r.GroupKind]
	q.mutex.Unlock()
	if queue != nil {
		queue.Add(reconcile.Request{NamespacedName: r.NamespacedName})
	}
}

// updates lets pass what a reconcile has to see.
func (r *Reconciler) updates(k *kinds.Kind) predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return r.edited(k, e.ObjectOld, e.ObjectNew) }}
}

// edited reports whether somebody has changed an object. Then what was refused is tried
// at once: whoever has mended something in Azure has no other way to say so.
func (r *Reconciler) edited(k *kinds.Kind, old, new ctrlclient.Object) bool {
	if !isChange(old, new) {
		return false
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.stirred[named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(new))] = true
	return true
}

// isChange reports whether an object has changed: not by a new Status, and not by what
// the operator itself writes, unless somebody takes that away.
func isChange(old, new ctrlclient.Object) bool {
	relevant := func(o ctrlclient.Object) []any {
		annotations := maps.Clone(o.GetAnnotations())
		delete(annotations, annotation.Sent)
		delete(annotations, annotation.Operator)
		delete(annotations, annotation.SentAPIVersion)
		return []any{o.GetGeneration(), o.GetDeletionTimestamp(), annotations, o.GetUID()}
	}
	return !equality.Semantic.DeepEqual(relevant(old), relevant(new)) ||
		// The generation counts what the version of a write shows.
		changes.Spec{}.Update(event.UpdateEvent{ObjectOld: old, ObjectNew: new}) ||
		controllerutil.ContainsFinalizer(old, annotation.ResourceFinalizer) &&
			!controllerutil.ContainsFinalizer(new, annotation.ResourceFinalizer) ||
		record.Of(old) != nil && record.Of(new) == nil || operatorOf(old) != "" && operatorOf(new) == ""
}

// wakeDependents wakes the objects that look at one of a kind when it changes in a
// way that they can see.
func (r *Reconciler) wakeDependents(k *kinds.Kind) toolscache.ResourceEventHandler {
	wake := func(object any) {
		if gone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		if o, ok := object.(ctrlclient.Object); ok {
			r.changed(named.Of(k.GroupKind, ctrlclient.ObjectKeyFromObject(o)))
		}
	}
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc: wake,
		UpdateFunc: func(old, new any) {
			before, ok1 := old.(kinds.Resource)
			after, ok2 := new.(kinds.Resource)
			if !ok1 || !ok2 || viewOf(k, before) != viewOf(k, after) {
				wake(new)
			}
		},
		DeleteFunc: wake,
	}
}

// view holds what others see of an object.
type view struct {
	id                       string
	exists, mayExist, signed bool
	ready, deleting, refused bool
	uid                      types.UID
	finalizer                bool
	policy                   kinds.Policy
	// accepted is when what has lists of children was sent that ARM has accepted: a child may
	// have waited for that.
	accepted time.Time
}

func viewOf(k *kinds.Kind, r kinds.Resource) view {
	v := view{deleting: !r.GetDeletionTimestamp().IsZero(), uid: r.GetUID(), policy: kinds.PolicyOf(r)}
	// Of one that the operator manages, the record says that it is in ARM.
	v.ready = v.policy == kinds.PolicySkip && isReady(r)
	if s := record.Of(r); s != nil {
		v.id, v.exists, v.mayExist, v.signed = s.ID, s.Exists, s.MayExist(), s.IsSigned()
		if k.HasElements && s.Phase == record.Accepted {
			v.accepted = s.Time
		}
	}
	for _, c := range *kinds.ConditionsOf(r) {
		v.refused = v.refused || c.Type == DeletionRefused && c.Status == metav1.ConditionTrue
	}
	for _, f := range r.GetFinalizers() {
		v.finalizer = v.finalizer || f == annotation.ResourceFinalizer
	}
	return v
}

// changed wakes the objects that look at one.
func (r *Reconciler) changed(what ref) {
	for _, who := range r.dependencies.Dependents(what) {
		r.wake(who)
	}
}
