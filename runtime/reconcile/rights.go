package reconcile

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// Rights says what the operator has no right to.
type Rights struct {
	mutex sync.Mutex
	op    *Reconciler
}

// Missing returns a sentence about each kind that the cluster serves, and that the operator may
// not list, and about each namespace in which it may not write objects of a group. The sentence
// names the roles to apply or to bind.
func (r *Rights) Missing() (sentences []string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.op == nil {
		return nil
	}
	for _, k := range r.op.kinds.All {
		if k.Rights.IsRefused() {
			sentences = append(sentences, k.Forbidden())
		}
	}
	return append(sentences, r.op.storage.sentences()...)
}

func (r *Rights) watch(op *Reconciler) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.op = op
}

// newCache returns a cache of objects. It is not the manager's: nothing starts with a
// manager until all kinds of its cache have been listed, and each kind of this one stands
// alone.
func newCache(m manager.Manager, r *Reconciler) (ctrlcache.Cache, error) {
	options := ctrlcache.Options{
		HTTPClient: m.GetHTTPClient(), Scheme: m.GetScheme(), Mapper: m.GetRESTMapper(),
		DefaultTransform: trim, NewInformer: r.newInformer,
	}
	if all := r.options.ManagedNamespaces; len(all) > 0 {
		options.DefaultNamespaces = map[string]ctrlcache.Config{}
		for _, name := range all {
			options.DefaultNamespaces[name] = ctrlcache.Config{}
		}
	}
	c, err := ctrlcache.New(m.GetConfig(), options)
	if err != nil {
		return nil, err
	}
	return c, m.Add(always{c})
}

// trim takes away from an object what the operator never looks at, before the cache keeps it: who
// manages which field, and the copy of the Spec that `kubectl apply` leaves. A patch leaves both as
// they are.
func trim(object any) (any, error) {
	if o, ok := object.(metav1.Object); ok {
		o.SetManagedFields(nil)
		delete(o.GetAnnotations(), corev1.LastAppliedConfigAnnotation)
	}
	return object, nil
}

// always is a runnable of every instance, the one that leads and the others.
type always struct{ manager.Runnable }

func (always) NeedLeaderElection() bool { return false }

// newInformer returns an informer that notes whether the API server refuses its list.
func (r *Reconciler) newInformer(lists toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
	indexers toolscache.Indexers) toolscache.SharedIndexInformer {
	var k *kinds.Kind
	if gvks, _, err := r.scheme.ObjectKinds(example); err == nil {
		k = r.kinds.ByName[gvks[0].GroupKind()]
	}
	if k == nil {
		panic(fmt.Sprintf("%T is cached, and is none of the kinds", example))
	}
	var informer toolscache.SharedIndexInformer
	from := toolscache.ToListerWatcherWithContext(lists)
	informer = toolscache.NewSharedIndexInformer(&toolscache.ListWatch{
		ListWithContextFunc: from.ListWithContext,
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			w, err := from.WatchWithContext(ctx, o) // which is after the list, or the list as well
			if err == nil && k.Rights.Set(informer, false) {
				r.log.Info("the operator may list a kind now", "group", k.Group, "kind", k.Kind)
				r.metrics.forbidden.DeleteLabelValues(k.Group, k.Kind)
			}
			return w, err
		},
	}, example, resync, indexers)
	err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, from *toolscache.Reflector, err error) {
		if !apierrors.IsForbidden(err) {
			k.Rights.Fail()
			toolscache.DefaultWatchErrorHandler(ctx, from, err)
		} else if k.Rights.Set(informer, true) { // said once, and not at each try
			r.log.Error(err, k.Forbidden())
			r.metrics.forbidden.WithLabelValues(k.Group, k.Kind).Set(1)
		}
	})
	if err != nil {
		panic(err) // it has not started
	}
	return informer
}
