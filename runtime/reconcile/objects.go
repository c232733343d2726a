package reconcile

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// objects reads the objects of kinds.
type objects struct {
	kinds *kinds
	cache client.Reader
	live  client.Reader // the API server
}

// notListedError says that the cache does not have the objects of a kind yet.
type notListedError struct{ kind *kind }

func (e *notListedError) Error() string {
	return fmt.Sprintf("the API server has not listed the objects of %v yet", e.kind.stored)
}

// get reads an object of a kind from the cache. It does not wait until the cache has the objects
// of the kind, as that may take for ever.
func (o *objects) get(ctx context.Context, k *kind, name types.NamespacedName, into resource) error {
	if !k.isListed() {
		return &notListedError{k}
	}
	return o.cache.Get(ctx, name, into)
}

// query says which objects to list.
type query struct {
	kinds []*kind
	// optional reports whether a kind is left out if its objects cannot be read now, or not yet. Any other kind is an
	// error then. If it is nil, no kind is optional.
	optional  func(*kind) bool
	namespace string // "" for all
	// index and key select the objects in an index of the cache, unless they are "".
	index, key string
	// limit is how many objects of each kind to read at most, 0 for all.
	limit int64
	// live reads from the API server.
	live bool
}

// each calls do with each object of a query, until it returns an error.
func (o *objects) each(ctx context.Context, q query, do func(*kind, resource) error) error {
	options := []client.ListOption{client.InNamespace(q.namespace)}
	if q.index != "" {
		options = append(options, client.MatchingFields{q.index: q.key})
	}
	if q.limit > 0 {
		options = append(options, client.Limit(q.limit))
	}
	for _, k := range q.kinds {
		if k.availability() == absent {
			continue
		}
		if err := k.isReadable(q.live); err != nil {
			if q.optional != nil && q.optional(k) {
				continue
			}
			return err
		}
		list, err := o.list(ctx, k, q.live, options)
		if err != nil {
			return err
		}
		if err := meta.EachListItem(list, func(item runtime.Object) error { return do(k, item.(resource)) }); err != nil {
			return err
		}
	}
	return nil
}

// isReadable returns why the objects of the kind cannot be read now, or nil.
func (k *kind) isReadable(live bool) error {
	switch {
	case k.availability() == elsewhere, live && !k.isListed():
		return k.notServed()
	case !k.isListed():
		return &notListedError{k}
	}
	return nil
}

func (o *objects) list(ctx context.Context, k *kind, live bool, options []client.ListOption) (client.ObjectList, error) {
	list, err := k.newList()
	if err != nil {
		return nil, err
	}
	if !live {
		return list, o.cache.List(ctx, list, options...)
	}
	err = o.live.List(ctx, list, options...)
	switch {
	case apierrors.IsForbidden(err):
		return nil, &problem{reason: ReasonKindForbidden, stalled: true, message: k.forbidden()}
	case apierrors.IsNotFound(err):
		o.kinds.lose(k) // its CRD is gone, or serves another version
		return nil, k.notServed()
	}
	return list, err
}
