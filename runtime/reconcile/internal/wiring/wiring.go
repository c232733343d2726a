// Package wiring connects the operator to a cluster. It has the cache of objects, the watches that report
// changes, the controllers of the kinds that the cluster serves, and what the operator may do there. [Connect]
// makes a [Connection] from a manager, and [Connection.Start] adds to the manager everything that runs.
package wiring

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
)

// Cluster is what the operator needs of a cluster. All fields are set.
type Cluster struct {
	// Client writes, and Objects reads the objects of kinds.
	Client     client.Client
	Objects    *kinds.Objects
	Namespaces *Namespaces
	Storage    *StorageRights
	Events     events.EventRecorder
	// Log is for messages that concern no object.
	Log logr.Logger
	// Wake puts an object into the queue of its kind.
	Wake func(named.Object)
	// Watch watches a Secret or a ConfigMap until stop is called, and calls changed when it changes. If on has
	// no name, it watches those of the namespace that have outputs, and wakes the objects that they belong to.
	Watch func(on named.Object, changed func(named.Object)) (stop func())
	// Secret reads a Secret that is watched.
	Secret func(context.Context, types.NamespacedName) (*corev1.Secret, error)
}

// Check returns an error that names the fields that are not set, in their order, or nil.
func (c *Cluster) Check() error {
	var all []error
	for _, field := range []struct {
		name  string
		isSet bool
	}{
		{"Client", c.Client != nil},
		{"Objects", c.Objects != nil && c.Objects.Kinds != nil && c.Objects.Cache != nil && c.Objects.Live != nil},
		{"Namespaces", c.Namespaces != nil},
		{"Storage", c.Storage != nil},
		{"Events", c.Events != nil},
		{"Wake", c.Wake != nil},
		{"Watch", c.Watch != nil},
		{"Secret", c.Secret != nil},
	} {
		if !field.isSet {
			all = append(all, fmt.Errorf("reconcile: the cluster has no %s", field.name))
		}
	}
	return errors.Join(all...)
}

// Handler handles what happens in a cluster.
type Handler interface {
	// Reconcile reconciles an object of a kind.
	Reconcile(context.Context, *kinds.Kind, types.NamespacedName) (reconcile.Result, error)
	// ReleaseUnused releases a Secret that is being deleted and has the finalizer of credentials, if
	// nothing needs it.
	ReleaseUnused(context.Context, types.NamespacedName) (reconcile.Result, error)
	// Updated reports whether an object is to be reconciled because it was updated.
	Updated(k *kinds.Kind, old, new client.Object) bool
	// Changed handles a change of an object on which others may depend. old or new is nil if the object is new
	// or gone.
	Changed(k *kinds.Kind, old, new client.Object)
	// KeysChanged handles a change of the Secret with the keys of records.
	KeysChanged()
	// NamespaceChanged handles a change of a namespace's metadata.
	NamespaceChanged(old, new metav1.Object)
}

// Options are the options of a [Connection].
type Options struct {
	Kinds *kinds.Set
	// Namespaces are those whose objects the operator manages, all if there are none, and Selector selects them by
	// their labels.
	Namespaces []string
	Selector   labels.Selector
	// Defaults are those of the policies of objects.
	Defaults policy.Defaults
	// Workers is how many objects of a kind are reconciled at the same time.
	Workers int
	// Keys is the Secret with the keys of records, and Holder the value of the label of Secrets with the finalizer of
	// credentials.
	Keys   types.NamespacedName
	Holder string
	// Forbidden is called when the API server begins or stops refusing the list of a kind.
	Forbidden func(k *kinds.Kind, is bool)
	// Unlisted is called when the list of a kind begins or stops failing for another reason.
	Unlisted func(k *kinds.Kind, is bool)
}

// Connection is the connection to the cluster of a manager.
type Connection struct {
	Cluster
	options    Options
	manager    manager.Manager
	cache      ctrlcache.Cache
	queues     *queues
	contents   *contents
	namespaces *namespaceInformers
}

// Connect returns the connection of a manager. Nothing runs before it has started.
func Connect(m manager.Manager, options Options) (*Connection, error) {
	cache, err := newCache(m, options)
	if err != nil {
		return nil, err
	}
	reviews, err := newReviews(m)
	if err != nil {
		return nil, err
	}
	informers, err := newNamespaceInformers(m, options.Namespaces)
	if err != nil {
		return nil, err
	}
	live, err := newTolerantReader(m)
	if err != nil {
		return nil, err
	}
	objects := &kinds.Objects{Kinds: options.Kinds, Cache: cache, Live: live}
	queues := &queues{of: map[schema.GroupKind]workqueue.TypedRateLimitingInterface[reconcile.Request]{}}
	contents, err := newContents(m, options.Kinds, queues.add)
	if err != nil {
		return nil, err
	}
	secrets := newSecrets(live, contents.watchesSecrets)
	contents.secretChanged = secrets.changed
	namespaces := &Namespaces{Get: informers.get, Managed: options.Namespaces, Selector: options.Selector, Defaults: options.Defaults}
	return &Connection{
		Cluster: Cluster{
			Client: client.WithFieldOwner(m.GetClient(), fieldOwner), Objects: objects, Namespaces: namespaces,
			Storage: NewStorageRights(reviews, namespaces, m.GetLogger()), Events: m.GetEventRecorder("armature"), Log: m.GetLogger(),
			Wake: queues.add, Watch: contents.watch, Secret: secrets.get,
		},
		options: options, manager: m, cache: cache, queues: queues, contents: contents, namespaces: informers,
	}, nil
}

// fieldOwner is the field manager of what the operator writes. By its prefix the policies let also an account that may
// do everything write at storage versions.
const fieldOwner = "armature-operator"

// Start adds to the manager everything that calls the handler. A kind that the cluster does not serve yet
// gets its controller when it does.
func (c *Connection) Start(h Handler) error {
	s, err := newStarter(c, h)
	if err != nil {
		return err
	}
	c.options.Kinds.SetDiscovered(false)
	return errors.Join(
		c.manager.Add(always{c.cache}),
		c.namespaces.start(c.manager, h),
		c.contents.start(c.manager, c.options.Keys, h),
		c.startHeld(h),
		c.manager.Add(always{manager.RunnableFunc(s.warm)}),
		c.manager.Add(s),
	)
}

// always is a runnable of every instance, whether it leads or not.
type always struct{ manager.Runnable }

// NeedLeaderElection reports false.
func (always) NeedLeaderElection() bool { return false }

// queues holds the queues of the controllers that have started.
type queues struct {
	mutex sync.Mutex
	of    map[schema.GroupKind]workqueue.TypedRateLimitingInterface[reconcile.Request]
}

func (q *queues) set(k schema.GroupKind, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.of[k] = queue
}

func (q *queues) add(object named.Object) {
	q.mutex.Lock()
	queue := q.of[object.GroupKind]
	q.mutex.Unlock()
	if queue != nil {
		queue.Add(reconcile.Request{NamespacedName: object.NamespacedName})
	}
}

type stopKey struct{}

// ToEnd returns a context that a stop of the process does not cancel. [Stopped] reports the stop.
func ToEnd(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), stopKey{}, ctx)
}

// Stopped returns an error if the process is stopping, given a context of [ToEnd]. Then nothing more is
// sent to ARM, and what is under way is finished and recorded.
func Stopped(ctx context.Context) error {
	if stop, ok := ctx.Value(stopKey{}).(context.Context); ok && stop.Err() != nil {
		return fmt.Errorf("the operator stops: %w", stop.Err())
	}
	return nil
}
