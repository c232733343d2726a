package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/scope"
)

// namespaces has the metadata of the namespaces of the objects: all, or those that are
// named.
type namespaces struct {
	informers []toolscache.SharedIndexInformer
	forbidden atomic.Bool // the API server says that the operator may not see them
}

// newNamespaces watches namespaces with a manager, and wakes their objects.
func newNamespaces(m manager.Manager, r *Reconciler) (*namespaces, error) {
	c, err := metadata.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	names := r.options.ManagedNamespaces
	if len(names) == 0 {
		names = []string{""}
	}
	n := &namespaces{}
	for _, name := range names {
		informer := metadatainformer.NewFilteredMetadataInformer(c, schema.GroupVersionResource{Version: "v1", Resource: "namespaces"},
			"", 0, toolscache.Indexers{}, func(o *metav1.ListOptions) {
				if name != "" {
					o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()
				}
			}).Informer()
		err := informer.SetTransform(func(object any) (any, error) {
			if o, ok := object.(*metav1.PartialObjectMetadata); ok {
				o.ManagedFields = nil
			}
			return object, nil
		})
		if err != nil {
			return nil, err
		}
		err = informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, from *toolscache.Reflector, err error) {
			n.forbidden.Store(apierrors.IsForbidden(err))
			toolscache.DefaultWatchErrorHandler(ctx, from, err)
		})
		if err != nil {
			return nil, err
		}
		_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { n.forbidden.Store(false) }, // its objects look again by themselves
			UpdateFunc: func(old, object any) { r.namespaceChanged(old.(metav1.Object), object.(metav1.Object)) },
		})
		if err != nil {
			return nil, err
		}
		n.informers = append(n.informers, informer)
		if err := m.Add(manager.RunnableFunc(func(ctx context.Context) error { informer.RunWithContext(ctx); return nil })); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// errNotSeen is the error of a namespace whose metadata has not come yet. Nothing is done in
// it, as it may be limited.
var errNotSeen = errors.New("the namespace is not known yet")

// get returns the metadata of a namespace.
func (n *namespaces) get(name string) (metav1.Object, error) {
	for _, i := range n.informers {
		if object, found, err := i.GetStore().GetByKey(name); err == nil && found {
			return object.(metav1.Object), nil
		}
	}
	if n.forbidden.Load() {
		return nil, &problem.Problem{Reason: ReasonNamespaceForbidden, Stalled: true, Message: fmt.Sprintf(
			"the operator has no right to read namespace %s, which may be limited: apply the role of its release by which it gets, "+
				"lists and watches namespaces, and the binding", name)}
	}
	return nil, errNotSeen
}

// manages reports whether the operator is to manage the objects of a namespace.
func (r *Reconciler) manages(name string) (bool, error) {
	if all := r.options.ManagedNamespaces; len(all) > 0 && !slices.Contains(all, name) {
		return false, nil
	}
	n, err := r.namespace(name)
	if _, isProblem := problem.Of(err); isProblem && r.options.ManagedSelector != nil {
		return false, errNotSeen // the objects may be those of another operator
	} else if err != nil {
		return true, err
	}
	return r.selects(n), nil
}

// terminates reports whether a namespace is being deleted, as far as that is known.
func (r *Reconciler) terminates(name string) bool {
	n, err := r.namespace(name)
	return err == nil && !n.GetDeletionTimestamp().IsZero()
}

// selects reports whether the labels of a namespace are those of the ones to manage.
func (r *Reconciler) selects(namespace metav1.Object) bool {
	s := r.options.ManagedSelector
	return s == nil || s.Matches(labels.Set(namespace.GetLabels()))
}

// permit returns why the operator may send no request about an ARM id for the objects of
// a namespace, with a body or nil.
func (r *Reconciler) permit(namespace, id string, body []byte) error {
	n, err := r.namespace(namespace)
	if err != nil {
		return err
	}
	text, limited := n.GetAnnotations()[annotation.Scopes]
	if !limited {
		return nil
	}
	scopes, err := scope.Parse(text)
	if err != nil {
		return &problem.Problem{Reason: ReasonScopesInvalid, Stalled: true, Message: fmt.Sprintf(
			"the annotation %s of namespace %s allows nothing: %v", annotation.Scopes, namespace, err)}
	}
	at := ""
	if scopes.Allow(id) {
		if body == nil {
			return nil
		}
		if id, at, err = scopes.Outside(body); err != nil || id == "" {
			return err
		}
		at = " in " + at
	}
	return &problem.Problem{Reason: ReasonOutsideScopes, Stalled: true, Message: fmt.Sprintf(
		"found %s%s, and namespace %s may reach only %s, as its annotation %s says", id, at, namespace, text, annotation.Scopes)}
}

// namespaceChanged wakes the objects of a namespace that has changed in a way that they
// can see.
func (r *Reconciler) namespaceChanged(old, now metav1.Object) {
	before, limited := old.GetAnnotations()[annotation.Scopes]
	after, stillLimited := now.GetAnnotations()[annotation.Scopes]
	if before == after && limited == stillLimited && r.selects(old) == r.selects(now) {
		return
	}
	var all []ref
	r.mutex.Lock()
	for of := range r.memories {
		if of.Namespace == now.GetName() {
			r.stirred[of] = true
			all = append(all, of)
		}
	}
	r.mutex.Unlock()
	for _, of := range all {
		r.wake(of)
	}
}
