// Package rehearsal lets the operator work on a cluster in memory, with a clock of its own, and with an ARM that is
// only read: what the operator would write stays in memory, and what it would send is answered as ARM would answer it.
// Its main types are [Cluster] and [ARM].
package rehearsal

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// Options are the options of a [Cluster].
type Options struct {
	Scheme *runtime.Scheme
	Kinds  *kinds.Set
	// Objects are those of the kinds, at their stored versions, and those of other kinds that are to be other than in
	// the cluster.
	Objects []client.Object
	// Selected reports whether the operator works on an object.
	Selected func(client.Object) bool
	// Live reads other objects from the cluster.
	Live client.Reader
	// Defaults are those of the policies of objects.
	Defaults policy.Defaults
	// Start is the time at the start.
	Start time.Time
}

// Cluster is a cluster in memory. Nothing in it waits, or runs in parallel: each step reconciles one object, and the
// clock goes on to when the next one is due.
type Cluster struct {
	store    *store
	options  Options
	now      time.Time
	handler  wiring.Handler
	queue    map[named.Object]time.Time
	watching map[named.Object]func(named.Object)
}

// New returns a cluster.
func New(options Options) (*Cluster, error) {
	c := &Cluster{options: options, now: options.Start, store: newStore(options.Scheme, options.Live),
		queue: map[named.Object]time.Time{}, watching: map[named.Object]func(named.Object){}}
	c.store.now = func() metav1.Time { return metav1.NewTime(c.now) }
	c.store.changed = c.changed
	for _, object := range options.Objects {
		of, err := c.store.of(object, client.ObjectKeyFromObject(object))
		if err != nil {
			return nil, err
		}
		if object.GetUID() == "" {
			c.store.isNew(object)
		} else if object.GetResourceVersion() == "" { // as a dry run returns what is new
			c.store.setVersion(object)
		}
		c.store.asked[of] = true
		c.store.put(of, object)
	}
	return c, nil
}

// Now returns the time.
func (c *Cluster) Now() time.Time { return c.now }

// Wiring returns the cluster as the operator sees it.
func (c *Cluster) Wiring() wiring.Cluster {
	namespaces := &wiring.Namespaces{Get: c.namespace, Defaults: c.options.Defaults}
	return wiring.Cluster{
		Client: c.store, Objects: &kinds.Objects{Kinds: c.options.Kinds, Cache: c.store, Live: c.store}, Namespaces: namespaces,
		Storage: wiring.NewStorageRights(allowed{}, namespaces, logr.Discard()), Events: unheard{}, Log: logr.Discard(),
		Wake: func(of named.Object) { c.enqueue(of, c.now) },
		Watch: func(on named.Object, changed func(named.Object)) (stop func()) {
			c.watching[on] = changed
			return func() { delete(c.watching, on) }
		},
		Secret: func(ctx context.Context, name types.NamespacedName) (*corev1.Secret, error) {
			secret := new(corev1.Secret)
			return secret, c.store.Get(ctx, name, secret)
		},
	}
}

// namespace returns a namespace. One that nobody has made has nothing to say: whoever applies objects makes it first.
func (c *Cluster) namespace(name string) (metav1.Object, error) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	err := c.store.Get(context.Background(), types.NamespacedName{Name: name}, namespace)
	if client.IgnoreNotFound(err) != nil {
		return nil, wiring.NamespaceForbidden(name)
	}
	return namespace, nil
}

// Handle sets what reconciles objects, and puts those that are selected into its queue: owners before what belongs to
// them, so that what is gone with its owner is looked for when that is there again.
func (c *Cluster) Handle(h wiring.Handler) {
	c.handler = h
	for of := range c.store.objects {
		if k := c.options.Kinds.ByName[of.GroupKind]; k != nil {
			c.enqueue(of, c.now.Add(depthOf(k)*time.Second))
		}
	}
}

// depthOf returns how deep in others the resources of a kind lie at most.
func depthOf(k *kinds.Kind) (depth time.Duration) {
	for _, armType := range k.ARMTypes {
		depth = max(depth, time.Duration(strings.Count(armType, "/")))
	}
	if k.Extension {
		depth += 10
	}
	return depth
}

// enqueue puts an object into the queue, if it is there and selected.
func (c *Cluster) enqueue(of named.Object, at time.Time) {
	object := c.store.objects[of]
	if _, isKind := object.(kinds.Resource); !isKind || !c.options.Selected(object) {
		return
	}
	if old, found := c.queue[of]; !found || at.Before(old) {
		c.queue[of] = at
	}
}

// compare orders objects.
func compare(a, b named.Object) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Group, b.Group), strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(a.Name, b.Name))
}

// Step reconciles the object that is due first, unless that is after a time. It returns that object, and false if there
// is none.
func (c *Cluster) Step(ctx context.Context, until time.Time) (of named.Object, found bool, err error) {
	var at time.Time
	for other, due := range c.queue {
		if !found || cmp.Or(due.Compare(at), compare(other, of)) < 0 {
			of, at, found = other, due, true
		}
	}
	if !found || at.After(until) {
		return of, false, nil
	}
	if at.After(c.now) {
		c.now = at
	}
	delete(c.queue, of)
	result, err := c.handler.Reconcile(ctx, c.options.Kinds.ByName[of.GroupKind], of.NamespacedName)
	if err != nil {
		return of, true, fmt.Errorf("%v: %w", of, err)
	}
	if result.RequeueAfter > 0 {
		c.enqueue(of, c.now.Add(result.RequeueAfter))
	}
	return of, true, nil
}

// Objects calls do with each object of the kinds that is selected, as it is now, in their order.
func (c *Cluster) Objects(do func(named.Object, kinds.Resource)) {
	for _, of := range slices.SortedFunc(maps.Keys(c.store.objects), compare) {
		if object, isKind := c.store.objects[of].(kinds.Resource); isKind && c.options.Selected(object) {
			do(of, object)
		}
	}
}

// changed tells the operator of a change, as its watches do.
func (c *Cluster) changed(of named.Object, before, after client.Object) {
	if c.handler == nil {
		return
	}
	object := after
	if object == nil {
		object = before
	}
	resource, isKind := object.(kinds.Resource)
	if !isKind {
		if tell := c.watching[of]; tell != nil {
			tell(of)
		}
		if c.watching[outputs.In(of.GroupKind, of.Namespace)] != nil {
			if owner, found := wiring.OwnerOf(c.options.Kinds, object); found {
				c.enqueue(owner, c.now)
			}
		}
		return
	}
	k := c.options.Kinds.ByName[of.GroupKind]
	if before == nil || after == nil || c.handler.Updated(k, before, resource) {
		c.enqueue(of, c.now)
	}
	c.handler.Changed(k, before, after)
}

// allowed is an API server that lets the operator write everywhere.
type allowed struct{}

func (allowed) Allowed(context.Context, wiring.Place) (bool, error) { return true, nil }

func (allowed) Account(context.Context) (string, error) { return "", nil }

// unheard takes the events that nobody hears.
type unheard struct{}

func (unheard) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {}
