package wiring

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/go-logr/logr"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// newCache returns a cache of objects. It is not the manager's: nothing starts with a
// manager until all kinds of its cache have been listed, and each kind of this one stands
// alone.
func newCache(m manager.Manager, options Options) (ctrlcache.Cache, error) {
	o := ctrlcache.Options{
		HTTPClient: m.GetHTTPClient(), Scheme: m.GetScheme(), Mapper: m.GetRESTMapper(), DefaultTransform: trim,
		NewInformer: (&lists{options, m.GetScheme(), m.GetLogger()}).newInformer,
	}
	if len(options.Namespaces) > 0 {
		o.DefaultNamespaces = map[string]ctrlcache.Config{}
		for _, name := range options.Namespaces {
			o.DefaultNamespaces[name] = ctrlcache.Config{}
		}
	}
	return ctrlcache.New(m.GetConfig(), o)
}

// trim removes from an object what the operator never reads, before the cache keeps it: who
// manages which field, and the copy of the Spec that `kubectl apply` leaves. A patch leaves both as
// they are.
func trim(object any) (any, error) {
	if o, ok := object.(metav1.Object); ok {
		o.SetManagedFields(nil)
		delete(o.GetAnnotations(), corev1.LastAppliedConfigAnnotation)
	}
	return object, nil
}

// lists notes which lists the API server refuses.
type lists struct {
	options Options
	scheme  *runtime.Scheme
	log     logr.Logger
}

// newInformer returns an informer that notes whether the API server refuses its list.
func (l *lists) newInformer(from toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
	indexers toolscache.Indexers) toolscache.SharedIndexInformer {
	var k *kinds.Kind
	if gvks, _, err := l.scheme.ObjectKinds(example); err == nil {
		k = l.options.Kinds.ByName[gvks[0].GroupKind()]
	}
	if k == nil {
		panic(fmt.Sprintf("%T is cached, and is none of the kinds", example))
	}
	var informer toolscache.SharedIndexInformer
	list := toolscache.ToListerWatcherWithContext(from)
	informer = toolscache.NewSharedIndexInformer(&toolscache.ListWatch{
		ListWithContextFunc: list.ListWithContext,
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			w, err := list.WatchWithContext(ctx, o) // which is after the list, or the list as well
			if err == nil && k.Rights.Set(informer, false) {
				l.log.Info("the operator may list a kind now", "group", k.Group, "kind", k.Kind)
				l.options.Forbidden(k, false)
			}
			return w, err
		},
	}, example, resync, indexers)
	err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, from *toolscache.Reflector, err error) {
		if !apierrors.IsForbidden(err) {
			k.Rights.Fail()
			toolscache.DefaultWatchErrorHandler(ctx, from, err)
		} else if k.Rights.Set(informer, true) { // said once, and not at each try
			l.log.Error(err, k.Forbidden())
			l.options.Forbidden(k, true)
		}
	})
	if err != nil {
		panic(err) // it has not started
	}
	return informer
}
