package wiring

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// contents watches the metadata of Secrets and ConfigMaps: each by its name, as kubelets do, or, if these
// are many, all of their namespace; and those of a namespace that have outputs by their label. It keeps the
// content of none.
type contents struct {
	client metadata.Interface
	kinds  *kinds.Set
	wake   func(named.Object)
	// secretChanged is called with the namespace of a Secret that has changed, if all of its Secrets are watched.
	secretChanged func(namespace string)
	// ctx ends with the manager. Controllers start with the manager, so nothing is watched before.
	ctx context.Context
	end context.CancelFunc

	mutex sync.Mutex
	of    map[named.Object]*watched // by kind and namespace
}

// watched has the Secrets or the ConfigMaps of a namespace that are watched.
type watched struct {
	// names holds, for each name, the function that ends its watch. It does nothing while all watches the
	// name.
	names map[string]func()
	// all ends the watch of the namespace, nil if there is none, and hasAll reports whether that has begun.
	all     func()
	hasAll  toolscache.InformerSynced
	changed func(named.Object)
}

// maxWatches is how many watches a namespace may have before it has one for all. Whoever
// may write objects there may name as many Secrets as they like, and each watch costs the
// operator and the API server memory.
const maxWatches = 32

func newContents(m manager.Manager, set *kinds.Set, wake func(named.Object)) (*contents, error) {
	c, err := metadata.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(context.Background())
	return &contents{client: c, kinds: set, wake: wake, secretChanged: func(string) {}, ctx: ctx, end: end,
		of: map[named.Object]*watched{}}, nil
}

// start watches the Secret with the keys of records, which somebody may rotate, until the manager ends.
func (w *contents) start(m manager.Manager, keys types.NamespacedName, h Handler) error {
	return m.Add(manager.RunnableFunc(func(ctx context.Context) error {
		defer w.end()
		w.byName(named.Of(named.SecretKind, keys), func(named.Object) { h.KeysChanged() })
		<-ctx.Done()
		return nil
	}))
}

// watch is [Cluster].Watch.
func (w *contents) watch(on named.Object, changed func(named.Object)) (stop func()) {
	if on.Name == "" {
		end, _ := w.inform(on, func(o *metav1.ListOptions) { o.LabelSelector = annotation.OutputOf }, func(o metav1.Object) {
			if owner, found := OwnerOf(w.kinds, o); found {
				w.wake(owner)
			}
		})
		return end
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	of := namespaceOf(on)
	n := w.of[of]
	if n == nil {
		n = &watched{names: map[string]func(){}, changed: changed}
		w.of[of] = n
	}
	n.names[on.Name] = func() {}
	if n.all == nil && len(n.names) <= maxWatches {
		n.names[on.Name], _ = w.byName(on, changed)
	} else if n.all == nil {
		end, begun := w.byNamespace(of, changed)
		w.replace(slices.Collect(maps.Values(n.names)), begun)
		for name := range n.names {
			n.names[name] = func() {}
		}
		n.all, n.hasAll = end, begun
	}
	return func() { w.unwatch(on) }
}

// OwnerOf returns the object that a Secret or a ConfigMap with outputs belongs to.
func OwnerOf(set *kinds.Set, content metav1.Object) (_ named.Object, found bool) {
	owner := metav1.GetControllerOf(content)
	if owner == nil {
		return named.Object{}, false
	}
	k := set.ByOwner(*owner)
	if k == nil {
		return named.Object{}, false
	}
	return named.Of(k.GroupKind, types.NamespacedName{Namespace: content.GetNamespace(), Name: owner.Name}), true
}

// unwatch ends the watch of a Secret or a ConfigMap.
func (w *contents) unwatch(what named.Object) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	of := namespaceOf(what)
	n := w.of[of]
	n.names[what.Name]()
	delete(n.names, what.Name)
	if len(n.names) == 0 {
		delete(w.of, of)
	}
	if n.all != nil && len(n.names) <= maxWatches/2 { // so that one more or less does not change it each time
		var begun []toolscache.InformerSynced
		for name := range n.names {
			one := of
			one.Name = name
			end, ready := w.byName(one, n.changed)
			n.names[name], begun = end, append(begun, ready)
		}
		w.replace([]func(){n.all}, begun...)
		n.all = nil
	}
}

// namespaceOf returns the name that stands for the Secrets or the ConfigMaps in the namespace of the given
// one.
func namespaceOf(what named.Object) named.Object {
	what.Name = ""
	return what
}

// replace ends watches after those that take their place have begun, so that no change is missed in
// between.
func (w *contents) replace(old []func(), begun ...toolscache.InformerSynced) {
	go func() {
		toolscache.WaitForCacheSync(w.ctx.Done(), begun...)
		for _, end := range old {
			end()
		}
	}()
}

// byName watches a Secret or a ConfigMap.
func (w *contents) byName(on named.Object, changed func(named.Object)) (end func(), begun toolscache.InformerSynced) {
	return w.inform(on, func(o *metav1.ListOptions) {
		o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, on.Name).String()
	}, func(metav1.Object) { changed(on) })
}

// byNamespace watches the Secrets or the ConfigMaps of a namespace.
func (w *contents) byNamespace(of named.Object, changed func(named.Object)) (end func(), begun toolscache.InformerSynced) {
	return w.inform(of, func(*metav1.ListOptions) {}, func(o metav1.Object) {
		on := of
		on.Name = o.GetName()
		if of.GroupKind == named.SecretKind {
			w.secretChanged(of.Namespace)
		}
		if w.isWatched(on) {
			changed(on)
		}
	})
}

// watchesSecrets reports whether all Secrets of a namespace are watched.
func (w *contents) watchesSecrets(namespace string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	n := w.of[named.Of(named.SecretKind, types.NamespacedName{Namespace: namespace})]
	return n != nil && n.all != nil && n.hasAll()
}

// isWatched reports whether a Secret or a ConfigMap is watched.
func (w *contents) isWatched(on named.Object) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	n := w.of[namespaceOf(on)]
	return n != nil && n.names[on.Name] != nil
}

// inform starts a watch that calls tell with each object that changes. It returns a function that ends the
// watch, and one that reports whether it has begun and tell was called with what there was, or has ended before that.
func (w *contents) inform(what named.Object, choose func(*metav1.ListOptions), tell func(metav1.Object)) (
	end func(), begun toolscache.InformerSynced) {
	ctx, cancel := context.WithCancel(w.ctx)
	informer := newMetadataInformer(w.client, strings.ToLower(what.Kind)+"s", what.Namespace, choose)
	wake := func(object any) {
		if gone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		if o, ok := object.(metav1.Object); ok {
			tell(o)
		}
	}
	handler, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: wake, UpdateFunc: func(_, object any) { wake(object) }, DeleteFunc: wake,
	})
	if err != nil { // of an informer that has ended
		cancel()
	}
	go informer.RunWithContext(ctx)
	return cancel, func() bool { return ctx.Err() != nil || handler.HasSynced() }
}

// newMetadataInformer returns an informer of the metadata of Secrets or ConfigMaps.
func newMetadataInformer(
	c metadata.Interface, plural, namespace string, choose func(*metav1.ListOptions),
) toolscache.SharedIndexInformer {
	informer := metadatainformer.NewFilteredMetadataInformer(
		c, schema.GroupVersionResource{Version: "v1", Resource: plural}, namespace, 0, toolscache.Indexers{}, choose).Informer()
	informer.SetTransform(func(object any) (any, error) {
		if o, ok := object.(*metav1.PartialObjectMetadata); ok {
			// An annotation of kubectl contains the content.
			o.Annotations, o.ManagedFields = nil, nil
		}
		return object, nil
	})
	return informer
}

// startHeld adds to the manager a controller that reconciles the Secrets that this operator holds and that
// are being deleted.
func (c *Connection) startHeld(h Handler) error {
	namespaces := c.options.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	b := ctrl.NewControllerManagedBy(c.manager).Named("armature-credentials")
	for _, namespace := range namespaces {
		informer := newMetadataInformer(c.contents.client, "secrets", namespace, func(o *metav1.ListOptions) {
			o.LabelSelector = labels.Set{annotation.CredentialHolder: c.options.Holder}.String()
		})
		err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, from *toolscache.Reflector, err error) {
			// The role may be bound in some namespaces only, even without --namespaces.
			if !apierrors.IsForbidden(err) {
				toolscache.DefaultWatchErrorHandler(ctx, from, err)
			}
		})
		if err != nil {
			return err
		}
		if err := c.manager.Add(runnable(informer)); err != nil {
			return err
		}
		b = b.WatchesRawSource(&source.Informer{Informer: informer, Handler: &handler.EnqueueRequestForObject{},
			Predicates: []predicate.Predicate{predicate.NewPredicateFuncs(IsDeleting)}})
	}
	return b.Complete(reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		return h.ReleaseUnused(ctx, request.NamespacedName)
	}))
}

// runnable returns an informer as a runnable of a manager.
func runnable(informer toolscache.SharedIndexInformer) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error { informer.RunWithContext(ctx); return nil })
}

// IsDeleting reports whether an object is being deleted.
func IsDeleting(o ctrlclient.Object) bool { return !o.GetDeletionTimestamp().IsZero() }
