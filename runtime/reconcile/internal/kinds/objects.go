package kinds

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// Objects reads the objects of kinds.
type Objects struct {
	Kinds *Set
	Cache client.Reader
	Live  client.Reader // the API server
}

// NotListedError says that the cache does not have the objects of a kind yet.
type NotListedError struct{ Kind *Kind }

// Error returns the message, which names the version that is not listed.
func (e *NotListedError) Error() string {
	return fmt.Sprintf("the API server has not listed the objects of %v yet", e.Kind.Stored)
}

// Get reads an object of a kind from the cache. It does not wait until the cache has the objects of the
// kind, as that may take forever.
func (o *Objects) Get(ctx context.Context, k *Kind, name types.NamespacedName, into Resource) error {
	if !k.IsListed() {
		return &NotListedError{k}
	}
	return o.Cache.Get(ctx, name, into)
}

// Query says which objects to list.
type Query struct {
	Kinds []*Kind
	// Optional reports whether a kind is left out if its objects cannot be read now, or not yet. Any other
	// such kind is an error. If Optional is nil, no kind is left out.
	Optional  func(*Kind) bool
	Namespace string // "" for all
	// Index and Key select the objects in an index of the cache, unless they are "".
	Index, Key string
	// Limit is how many objects of each kind to read at most, 0 for all.
	Limit int64
	// Live reads from the API server.
	Live bool
}

// Each calls do with each object of a query, until it returns an error.
func (o *Objects) Each(ctx context.Context, q Query, do func(*Kind, Resource) error) error {
	options := []client.ListOption{client.InNamespace(q.Namespace)}
	if q.Index != "" {
		options = append(options, client.MatchingFields{q.Index: q.Key})
	}
	if q.Limit > 0 {
		options = append(options, client.Limit(q.Limit))
	}
	for _, k := range q.Kinds {
		if k.Availability() == Absent {
			continue
		}
		if err := k.isReadable(q.Live); err != nil {
			if q.Optional != nil && q.Optional(k) {
				continue
			}
			return err
		}
		list, err := o.list(ctx, k, q.Live, options)
		if err != nil {
			return err
		}
		if err := meta.EachListItem(list, func(item runtime.Object) error { return do(k, item.(Resource)) }); err != nil {
			return err
		}
	}
	return nil
}

// isReadable returns why the objects of the kind cannot be read now, or nil.
func (k *Kind) isReadable(live bool) error {
	switch {
	case k.Availability() == Unreadable, live && !k.IsListed():
		return k.NotServed()
	case !k.IsListed():
		return &NotListedError{k}
	}
	return nil
}

func (o *Objects) list(ctx context.Context, k *Kind, live bool, options []client.ListOption) (client.ObjectList, error) {
	list, err := k.NewList()
	if err != nil {
		return nil, err
	}
	if !live {
		return list, o.Cache.List(ctx, list, options...)
	}
	err = o.Live.List(ctx, list, options...)
	switch {
	case apierrors.IsForbidden(err):
		return nil, &problem.Problem{Reason: problem.KindForbidden, Stalled: true, Message: k.Forbidden()}
	case apierrors.IsNotFound(err):
		o.Kinds.lose(k) // its CRD is gone, or serves another version
		return nil, k.NotServed()
	}
	return list, err
}

// IsAPIError reports whether an error comes from the API server, and not from a Spec.
func IsAPIError(err error) bool {
	var status apierrors.APIStatus
	var notListed *NotListedError
	return errors.As(err, &status) || errors.As(err, &notListed) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
