package reconcile

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
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

// contentChanged wakes the objects that look at a Secret or a ConfigMap.
func (r *Reconciler) contentChanged(what ref) {
	if what.GroupKind == named.SecretKind {
		if what.NamespacedName == r.keys.Secret {
			if err := r.keys.Reload(context.Background()); err != nil {
				r.log.Error(err, "reading the keys of records again")
			}
		}
		r.credentials.Changed(what.NamespacedName)
	}
	all := r.dependencies.Dependents(what)
	r.mutex.Lock()
	for _, who := range all {
		r.stirred[who] = true
	}
	r.mutex.Unlock()
	for _, who := range all {
		r.wake(who)
	}
}

// unwatched drops what is kept of a Secret or a ConfigMap of which nobody tells any more.
func (r *Reconciler) unwatched(what ref) {
	if what.GroupKind == named.SecretKind {
		r.credentials.Forget(what.NamespacedName)
	}
}

// contentWatches watches the metadata of Secrets and ConfigMaps: each by its name, as
// kubelets do, or where these are many all of their namespace, and by their label those of
// a namespace that have outputs. No content of any is kept.
type contentWatches struct {
	client metadata.Interface
	op     *Reconciler
	ctx    context.Context
	ready  chan struct{}

	mutex sync.Mutex
	of    map[ref]*watched // by kind and namespace
}

// watched has the Secrets or the ConfigMaps of a namespace that somebody looks at.
type watched struct {
	names map[string]func() // what ends the watch of one, which does nothing where all watches it
	all   func()            // what ends the watch of the namespace, nil if there is none
}

// mostWatches is how many watches a namespace may have before it has one for all. Whoever
// may write objects there may name as many Secrets as they like, and each watch costs the
// operator and the API server memory.
const mostWatches = 32

func newContentWatches(m manager.Manager, r *Reconciler) (*contentWatches, error) {
	c, err := metadata.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	w := &contentWatches{client: c, op: r, ready: make(chan struct{}), of: map[ref]*watched{}}
	return w, m.Add(manager.RunnableFunc(func(ctx context.Context) error {
		w.ctx = ctx
		close(w.ready)
		end, _ := w.byName(named.Of(named.SecretKind, r.keys.Secret)) // which somebody may rotate
		defer end()
		<-ctx.Done()
		return nil
	}))
}

// watch watches a Secret or a ConfigMap, or those of [outputsIn], until stop is called.
func (w *contentWatches) watch(what ref) (stop func()) {
	<-w.ready // controllers start with the manager, and so does this
	if what.Name == "" {
		end, _ := w.start(what, func(o *metav1.ListOptions) { o.LabelSelector = annotation.OutputOf }, w.op.outputChanged)
		return end
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	of := namespaceOf(what)
	n := w.of[of]
	if n == nil {
		n = &watched{names: map[string]func(){}}
		w.of[of] = n
	}
	n.names[what.Name] = func() {}
	if n.all == nil && len(n.names) <= mostWatches {
		n.names[what.Name], _ = w.byName(what)
	} else if n.all == nil {
		end, begun := w.byNamespace(of)
		w.replace(slices.Collect(maps.Values(n.names)), begun)
		for name := range n.names {
			n.names[name] = func() {}
		}
		n.all = end
	}
	return func() { w.unwatch(what) }
}

// unwatch ends the watch of a Secret or a ConfigMap.
func (w *contentWatches) unwatch(what ref) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	of := namespaceOf(what)
	n := w.of[of]
	n.names[what.Name]()
	delete(n.names, what.Name)
	if len(n.names) == 0 {
		delete(w.of, of)
	}
	if n.all != nil && len(n.names) <= mostWatches/2 { // so that one more or less does not change it each time
		var begun []toolscache.InformerSynced
		for name := range n.names {
			one := of
			one.Name = name
			end, ready := w.byName(one)
			n.names[name], begun = end, append(begun, ready)
		}
		w.replace([]func(){n.all}, begun...)
		n.all = nil
	}
}

// namespaceOf returns the Secrets or the ConfigMaps of the namespace of one.
func namespaceOf(what ref) ref {
	what.Name = ""
	return what
}

// replace ends watches when those that take their place have begun, so that no change is
// missed in between.
func (w *contentWatches) replace(old []func(), begun ...toolscache.InformerSynced) {
	go func() {
		toolscache.WaitForCacheSync(w.ctx.Done(), begun...)
		for _, end := range old {
			end()
		}
	}()
}

// byName watches a Secret or a ConfigMap.
func (w *contentWatches) byName(what ref) (end func(), begun toolscache.InformerSynced) {
	return w.start(what, func(o *metav1.ListOptions) {
		o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, what.Name).String()
	}, func(metav1.Object) { w.op.contentChanged(what) })
}

// byNamespace watches the Secrets or the ConfigMaps of a namespace.
func (w *contentWatches) byNamespace(of ref) (end func(), begun toolscache.InformerSynced) {
	return w.start(of, func(*metav1.ListOptions) {}, func(o metav1.Object) {
		what := of
		what.Name = o.GetName()
		w.op.contentChanged(what) // which wakes nobody if nobody looks at it
	})
}

// start starts a watch that tells of each change, and returns what ends it, and what
// reports whether it has begun, or has ended before.
func (w *contentWatches) start(what ref, choose func(*metav1.ListOptions), tell func(metav1.Object)) (
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
	_, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: wake, UpdateFunc: func(_, object any) { wake(object) }, DeleteFunc: wake,
	})
	if err != nil {
		cancel()
	}
	go informer.RunWithContext(ctx)
	return cancel, func() bool { return informer.HasSynced() || ctx.Err() != nil }
}

// newMetadataInformer returns an informer of the metadata of Secrets or ConfigMaps.
func newMetadataInformer(
	c metadata.Interface, plural, namespace string, choose func(*metav1.ListOptions),
) toolscache.SharedIndexInformer {
	informer := metadatainformer.NewFilteredMetadataInformer(
		c, schema.GroupVersionResource{Version: "v1", Resource: plural}, namespace, 0, toolscache.Indexers{}, choose).Informer()
	informer.SetTransform(func(object any) (any, error) {
		if o, ok := object.(*metav1.PartialObjectMetadata); ok {
			// An annotation of kubectl has the content.
			o.Annotations, o.ManagedFields = nil, nil
		}
		return object, nil
	})
	return informer
}

// addHeld adds a controller to a manager that looks at the Secrets which this operator holds
// and which are being deleted: see releaseUnused.
func addHeld(m manager.Manager, w *contentWatches) error {
	namespaces := w.op.options.ManagedNamespaces
	if len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	b := ctrl.NewControllerManagedBy(m).Named("armature-credentials")
	for _, namespace := range namespaces {
		informer := newMetadataInformer(w.client, "secrets", namespace, func(o *metav1.ListOptions) {
			o.LabelSelector = labels.Set{annotation.CredentialHolder: w.op.holder()}.String()
		})
		err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, from *toolscache.Reflector, err error) {
			// The role may be bound in some namespaces alone, without --namespaces.
			if !apierrors.IsForbidden(err) {
				toolscache.DefaultWatchErrorHandler(ctx, from, err)
			}
		})
		if err != nil {
			return err
		}
		if err := m.Add(manager.RunnableFunc(func(ctx context.Context) error { informer.RunWithContext(ctx); return nil })); err != nil {
			return err
		}
		b = b.WatchesRawSource(&source.Informer{Informer: informer, Handler: &handler.EnqueueRequestForObject{},
			Predicates: []predicate.Predicate{predicate.NewPredicateFuncs(isGoing)}})
	}
	return b.Complete(reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		return w.op.releaseUnused(ctx, request.NamespacedName)
	}))
}

// isGoing reports whether an object is being deleted.
func isGoing(o ctrlclient.Object) bool { return !o.GetDeletionTimestamp().IsZero() }
