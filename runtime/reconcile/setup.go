package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/dependencies"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// Options are the options of [Setup].
type Options struct {
	// Kinds are the kinds to manage, by default all of the scheme.
	Kinds []schema.GroupKind
	// Namespace is the namespace of the operator, which has the Secret KeySecret.
	Namespace string
	// Instance is the name of this operator among those of its namespace, by default
	// armature-operator. With the namespace it names the operator in the mark that each
	// object gets, [annotation.Operator]. No other operator touches an object with that mark.
	Instance string
	// KeySecret is the name of the Secret with the keys of digests, by default
	// armature-digest-keys. It is created if it does not exist.
	KeySecret string
	// ManagedNamespaces are the namespaces whose objects the operator manages, by default all.
	// ManagedSelector selects namespaces by their labels.
	ManagedNamespaces []string
	ManagedSelector   labels.Selector
	// Adopt, Deletion and Drift are the values of the annotations of these names where neither an object nor its
	// namespace says one, by default [annotation.AdoptCreate], [annotation.DeletionDelete] and
	// [annotation.DriftReport].
	Adopt, Deletion, Drift string
	// Credential is the operator's own credential. Without it, only namespaces with a
	// credential of their own are served.
	Credential azcore.TokenCredential
	// CredentialNamespaces are the namespaces that the operator's own credential serves, "*"
	// for all. Whoever may create objects in one of them reaches what the credential reaches.
	CredentialNamespaces []string
	// WorkloadIdentityNamespaces are the namespaces whose Secrets may use the operator's own
	// token of workload identity, "*" for all. Such a Secret reaches what any application that
	// trusts the operator reaches.
	WorkloadIdentityNamespaces []string
	// ExchangeAudience is the audience of the tokens of ServiceAccounts that the cloud's
	// authority exchanges, by default the one of the cloud.
	ExchangeAudience string
	// Subscription is the id of the subscription of resources that belong in a subscription,
	// name none as their owner, and use the operator's own credential.
	Subscription string
	// NewCredential makes the credential of a Secret, by default with azidentity.
	NewCredential func(CredentialSource) (azcore.TokenCredential, error)
	// Cloud is the cloud of ARM, by default the public one.
	Cloud cloud.Configuration
	// Transport sends requests to ARM, by default over HTTPS.
	Transport azpolicy.Transporter
	// Allow refuses requests by an error, as in [client.Options]. While it does,
	// nothing is reconciled. [Lease.Allow] is such a function.
	Allow func(context.Context) error
	// RequestTimeout is how long a request to ARM can take, by default [client.Longest],
	// which is the least that ARM's services need. An instance that takes over waits as
	// long for requests of another instance, so all instances need the same value.
	RequestTimeout time.Duration
	// Outage is how long ARM may answer, while a region or a service fails, that it does not have what it has, by
	// default five minutes. What would destroy something if such an answer were wrong takes answers over as long.
	Outage time.Duration
	// Refresh is how often each resource is read from ARM, by default each hour.
	Refresh time.Duration
	// Workers is how many objects of a kind are reconciled at the same time, by default
	// ten: ARM takes ten writes a second, and needs about a second for each.
	Workers int
	// Metrics takes the metrics, by default controller-runtime's registry.
	Metrics prometheus.Registerer
	// Tracing makes spans of reconciles and of requests to ARM, by default none.
	Tracing trace.TracerProvider
	// Rights, if set, reports which rights the operator lacks.
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
	if err := o.policies().Check(); err != nil {
		return fmt.Errorf("reconcile: Options.Adopt, Options.Deletion or Options.Drift: %w", err)
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
	if o.Outage == 0 {
		o.Outage = decide.Outage
	}
	if o.Refresh == 0 {
		o.Refresh = time.Hour
	}
	if o.Refresh < 0 {
		return fmt.Errorf("reconcile: found Options.Refresh %s, expected no time below zero", o.Refresh)
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

// policies returns the default policies of objects.
func (o *Options) policies() policy.Defaults {
	return policy.Defaults{Adopt: o.Adopt, Deletion: o.Deletion, Drift: o.Drift}
}

// newReconciler returns a Reconciler for a cluster.
func newReconciler(options Options, cluster wiring.Cluster, metrics *meters) (*Reconciler, error) {
	if err := cluster.Check(); err != nil {
		return nil, err
	}
	cluster.Client = writer{cluster.Client}
	keys := &record.Keys{Reader: cluster.Objects.Live, Writer: cluster.Client,
		Secret: types.NamespacedName{Namespace: options.Namespace, Name: options.KeySecret}, Now: options.Now}
	memories := &memories{now: options.Now, byObject: map[ref]*memory{}, retry: map[ref]bool{}, wanted: map[ref]bool{}}
	tracer := options.Tracing.Tracer("github.com/armature-dev/armature/runtime/reconcile")
	store := newCredentials(options, &cluster, keys, metrics, tracer)
	graph := dependencies.New(func(on ref, changed func(ref)) (stop func()) {
		end := cluster.Watch(on, changed)
		return func() {
			if end(); on.GroupKind == named.SecretKind {
				store.Forget(on.NamespacedName)
			}
		}
	}, func(on ref, dependents []ref) {
		if on.GroupKind == named.SecretKind {
			store.Changed(on.NamespacedName)
		}
		memories.tryAgain(dependents)
		for _, object := range dependents {
			cluster.Wake(object)
		}
	})
	options.Rights.connect(&cluster)
	return &Reconciler{
		cluster: cluster, options: options, scheme: cluster.Client.Scheme(), kinds: cluster.Objects.Kinds,
		operator: newOperator(options), memories: memories, keys: keys, credentials: store,
		dependencies: graph, families: family.New(
			cluster.Objects, keys, cluster.Client.Scheme(), cluster.Namespaces.PolicyOf, cluster.Wake, options.Now),
		metrics: metrics, tracer: tracer, evaluation: maxEvaluation,
	}, nil
}

// Setup adds the controllers to a manager. A kind that the cluster does not serve yet
// gets its controller when the cluster serves it.
func Setup(m manager.Manager, options Options) error {
	if err := options.complete(); err != nil {
		return err
	}
	set, err := kinds.New(m.GetScheme(), options.Kinds)
	if err != nil {
		return err
	}
	metrics, err := newMeters(options.Metrics)
	if err != nil {
		return err
	}
	connection, err := wiring.Connect(m, wiring.Options{
		Kinds: set, Namespaces: options.ManagedNamespaces, Selector: options.ManagedSelector, Workers: options.Workers,
		Defaults: options.policies(),
		Keys:     types.NamespacedName{Namespace: options.Namespace, Name: options.KeySecret},
		Holder:   newOperator(options).holder(), Forbidden: metrics.forbid, Unlisted: metrics.unlist,
	})
	if err != nil {
		return err
	}
	r, err := newReconciler(options, connection.Cluster, metrics)
	if err != nil {
		return err
	}
	return connection.Start(handler{r})
}
