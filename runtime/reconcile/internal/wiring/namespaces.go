package wiring

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
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/scope"
)

// namespaceInformers hold the metadata of namespaces: all, or those that are named.
type namespaceInformers struct {
	informers []toolscache.SharedIndexInformer
	forbidden atomic.Bool // the API server says that the operator may not read them
}

func newNamespaceInformers(m manager.Manager, names []string) (*namespaceInformers, error) {
	c, err := metadata.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{""}
	}
	n := &namespaceInformers{}
	for _, name := range names {
		informer := metadatainformer.NewFilteredMetadataInformer(c, schema.GroupVersionResource{Version: "v1", Resource: "namespaces"},
			"", 0, toolscache.Indexers{}, func(o *metav1.ListOptions) {
				if name != "" {
					o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()
				}
			}).Informer()
		err := errors.Join(
			informer.SetTransform(func(object any) (any, error) {
				if o, ok := object.(*metav1.PartialObjectMetadata); ok {
					o.ManagedFields = nil
				}
				return object, nil
			}),
			informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, from *toolscache.Reflector, err error) {
				n.forbidden.Store(apierrors.IsForbidden(err))
				toolscache.DefaultWatchErrorHandler(ctx, from, err)
			}))
		if err != nil {
			return nil, err
		}
		n.informers = append(n.informers, informer)
	}
	return n, nil
}

// start adds the informers to a manager, and reports changes to a handler.
func (n *namespaceInformers) start(m manager.Manager, h Handler) error {
	for _, informer := range n.informers {
		_, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { n.forbidden.Store(false) }, // its objects are retried anyway
			UpdateFunc: func(old, new any) { h.NamespaceChanged(old.(metav1.Object), new.(metav1.Object)) },
		})
		if err == nil {
			err = m.Add(runnable(informer))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ErrUnknownNamespace is the error of a namespace whose metadata has not been received yet. Nothing is done
// in it, as an annotation may limit it.
var ErrUnknownNamespace = errors.New("the namespace is not known yet")

// get returns the metadata of a namespace.
func (n *namespaceInformers) get(name string) (metav1.Object, error) {
	for _, i := range n.informers {
		if object, found, err := i.GetStore().GetByKey(name); err == nil && found {
			return object.(metav1.Object), nil
		}
	}
	if n.forbidden.Load() {
		return nil, NamespaceForbidden(name)
	}
	return nil, ErrUnknownNamespace
}

// NamespaceForbidden returns the problem of a namespace that the operator may not read.
func NamespaceForbidden(name string) error {
	return &problem.Problem{Reason: problem.NamespaceForbidden, Stalled: true, Message: fmt.Sprintf(
		"the operator has no right to read namespace %s, which may be limited: apply the role of its release that lets it get, "+
			"list and watch namespaces, and its binding", name)}
}

// Namespaces knows which namespaces the operator manages, and what their objects may reach.
type Namespaces struct {
	// Get returns the metadata of a namespace.
	Get func(name string) (metav1.Object, error)
	// Managed are the namespaces to manage, all if there are none, and Selector selects them by
	// their labels.
	Managed  []string
	Selector labels.Selector
	// Defaults are those of the policies of objects.
	Defaults policy.Defaults
}

// Manages reports whether the operator manages the objects of a namespace.
func (n *Namespaces) Manages(name string) (bool, error) {
	if len(n.Managed) > 0 && !slices.Contains(n.Managed, name) {
		return false, nil
	}
	namespace, err := n.Get(name)
	if _, isProblem := problem.Of(err); isProblem && n.Selector != nil {
		return false, ErrUnknownNamespace // the objects may be those of another operator
	} else if err != nil {
		return true, err
	}
	return n.selects(namespace), nil
}

// Terminates reports whether a namespace is being deleted, as far as that is known.
func (n *Namespaces) Terminates(name string) bool {
	namespace, err := n.Get(name)
	return err == nil && !namespace.GetDeletionTimestamp().IsZero()
}

// selects reports whether the selector matches the labels of a namespace.
func (n *Namespaces) selects(namespace metav1.Object) bool {
	return n.Selector == nil || n.Selector.Matches(labels.Set(namespace.GetLabels()))
}

// Concerns reports whether a change of a namespace changes what is done about its objects.
func (n *Namespaces) Concerns(old, new metav1.Object) bool {
	for _, name := range []string{annotation.Scopes, annotation.Adopt, annotation.Deletion, annotation.Drift} {
		before, had := old.GetAnnotations()[name]
		after, has := new.GetAnnotations()[name]
		if before != after || had != has {
			return true
		}
	}
	return n.selects(old) != n.selects(new)
}

// PolicyOf returns the policy of an object, within what its namespace permits.
func (n *Namespaces) PolicyOf(object metav1.Object) policy.Policy {
	namespace, err := n.Get(object.GetNamespace())
	if err != nil {
		namespace = nil // then nothing is done about its objects
	}
	return policy.Of(object, namespace, n.Defaults)
}

// Permit returns nil if the operator may send a request about an ARM id for the objects of a namespace, and
// the reason if it may not. body is that of the request, or nil.
func (n *Namespaces) Permit(namespace, id string, body []byte) error {
	metadata, err := n.Get(namespace)
	if err != nil {
		return err
	}
	text, limited := metadata.GetAnnotations()[annotation.Scopes]
	if !limited {
		return nil
	}
	scopes, err := scope.Parse(text)
	if err != nil {
		return &problem.Problem{Reason: problem.ScopesInvalid, Stalled: true, Message: fmt.Sprintf(
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
	return &problem.Problem{Reason: problem.OutsideScopes, Stalled: true, Message: fmt.Sprintf(
		"found %s%s, and namespace %s may reach only %s, as its annotation %s says", id, at, namespace, text, annotation.Scopes)}
}
