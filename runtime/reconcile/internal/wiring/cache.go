package wiring

import (
	"context"
	"fmt"
	"sync/atomic"
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

// newCache returns a cache of objects. It is not the manager's: a manager starts nothing until all kinds of
// its cache have been listed, and in this one a kind does not hold up the others.
func newCache(m manager.Manager, options Options) (ctrlcache.Cache, error) {
	o := ctrlcache.Options{
		HTTPClient: tolerantClient(m), Scheme: m.GetScheme(), Mapper: m.GetRESTMapper(), DefaultTransform: trim,
		NewInformer: (&informerFactory{options, m.GetScheme(), m.GetLogger()}).newInformer,
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

// informerFactory makes informers that note whether the API server refuses their lists.
type informerFactory struct {
	options Options
	scheme  *runtime.Scheme
	log     logr.Logger
}

// newInformer returns an informer that notes whether the API server refuses its list.
func (f *informerFactory) newInformer(from toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
	indexers toolscache.Indexers) toolscache.SharedIndexInformer {
	var k *kinds.Kind
	if gvks, _, err := f.scheme.ObjectKinds(example); err == nil {
		k = f.options.Kinds.ByName[gvks[0].GroupKind()]
	}
	if k == nil {
		panic(fmt.Sprintf("%T is cached, and is none of the kinds", example))
	}
	var informer toolscache.SharedIndexInformer
	fail := func(ctx context.Context, err error) {
		if ctx.Err() == nil && isFailure(err) && k.Rights.Fail(informer, err) {
			f.log.Error(err, "the API server does not list a kind", "group", k.Group, "kind", k.Kind)
			f.options.Unlisted(k, true)
		}
	}
	succeed := func() {
		if k.Rights.Succeed(informer) {
			f.log.Info("the API server lists a kind again", "group", k.Group, "kind", k.Kind)
			f.options.Unlisted(k, k.Rights.Failure() != nil)
		}
	}
	list := toolscache.ToListerWatcherWithContext(from)
	var tolerant atomic.Bool // an object did not decode in the last list
	informer = toolscache.NewSharedIndexInformer(&toolscache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			objects, err := list.ListWithContext(ctx, o)
			tolerant.Store(mayNotDecode(ctx, err))
			if tolerant.Load() {
				objects, err = list.ListWithContext(tolerate(ctx), o)
			}
			fail(ctx, err)
			return objects, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if tolerant.Load() {
				ctx = tolerate(ctx)
			}
			w, err := list.WatchWithContext(ctx, o) // a watch follows the list, or includes it
			if err != nil {
				fail(ctx, err) // the informer may try a watch for ever that includes the list
				return nil, err
			}
			if k.Rights.Set(informer, false) {
				f.log.Info("the operator may list a kind now", "group", k.Group, "kind", k.Kind)
				f.options.Forbidden(k, false)
			}
			if o.SendInitialEvents == nil {
				succeed()
				return w, nil
			}
			return watch.Filter(w, func(e watch.Event) (watch.Event, bool) {
				if e.Type == watch.Bookmark { // the list is complete
					succeed()
				}
				return e, true
			}), nil
		},
	}, example, resync, indexers)
	err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, from *toolscache.Reflector, err error) {
		if fail(ctx, err); !apierrors.IsForbidden(err) {
			toolscache.DefaultWatchErrorHandler(ctx, from, err)
		} else if k.Rights.Set(informer, true) { // logged once, and not at each attempt
			f.log.Error(err, k.Forbidden())
			f.options.Forbidden(k, true)
		}
	})
	if err != nil {
		panic(err) // it has not started
	}
	return informer
}

// isFailure reports whether an error means that a list fails. Refusals are noted apart, what the cluster does not serve
// has no objects that the operator could list, and an informer that is behind lists anew.
func isFailure(err error) bool {
	return err != nil && !apierrors.IsForbidden(err) && !apierrors.IsNotFound(err) &&
		!apierrors.IsResourceExpired(err) && !apierrors.IsGone(err)
}
