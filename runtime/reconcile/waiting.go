package reconcile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// recheck is how long to wait before asking again what the cluster serves, or what the operator may do.
const recheck = 15 * time.Second

// starter adds the controllers of kinds to a manager, each when the cluster serves
// the kind.
type starter struct {
	manager  manager.Manager
	op       *Reconciler
	queues   *queues
	discover discoverer
	cache    ctrlcache.Cache
	mutex    sync.Mutex // for what follows
	left     []*kinds.Kind
	added    map[*kinds.Kind]bool
}

func newStarter(m manager.Manager, r *Reconciler, c ctrlcache.Cache, q *queues) (*starter, error) {
	d, err := discovery.NewDiscoveryClientForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	d.UseLegacyDiscovery = true // the other one sends all resources of all groups each time
	return &starter{manager: m, op: r, queues: q, discover: d, cache: c, left: r.kinds.All, added: map[*kinds.Kind]bool{}}, nil
}

// warm adds the controllers of the kinds that the cluster serves when the instance starts, so
// that the cache has the objects before it leads. From then on it looks for the right to write
// them.
func (s *starter) warm(ctx context.Context) error {
	if err := s.add(ctx); err != nil { // the instance that leads looks again
		log.FromContext(ctx).Error(err, "looking for the kinds that the cluster serves")
	}
	s.op.watchStorage(ctx, s.groups)
	return nil
}

// groups returns the API groups of the kinds that have controllers.
func (s *starter) groups() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := map[string]bool{}
	for k := range s.added {
		all[k.Group] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// Start adds the controllers of the kinds that are left. An instance that leads
// calls it, and nothing is reconciled before it has looked: the cluster may serve
// more by now than when the instance started.
func (s *starter) Start(ctx context.Context) error {
	for next := time.After(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case k := <-s.op.kinds.Lost:
			s.mutex.Lock()
			if !slices.Contains(s.left, k) {
				s.left = append(s.left, k)
			}
			s.mutex.Unlock()
		case <-next:
		}
		if err := s.add(ctx); err != nil {
			log.FromContext(ctx).Error(err, "looking for kinds that the cluster did not serve")
		} else if !s.op.kinds.IsDiscovered() {
			s.settle(ctx)
			s.op.kinds.SetDiscovered(true)
		}
		if next = nil; s.lacks() || !s.op.kinds.IsDiscovered() {
			next = time.After(recheck)
		}
	}
}

// lacks reports whether there are kinds that the cluster has not served yet.
func (s *starter) lacks() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.left) > 0
}

// settle waits until each kind has been listed, or its list has failed once: what the objects
// of a kind need is not taken for unused because the cache is not there yet.
func (s *starter) settle(ctx context.Context) {
	for _, k := range s.op.kinds.All {
		for !k.IsListed() && !k.Rights.HasFailed() && ctx.Err() == nil {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// add adds the controllers of the kinds that the cluster serves by now.
func (s *starter) add(ctx context.Context) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	served, known, unknown, err := s.served()
	if err != nil {
		return err
	}
	for group, err := range unknown { // which holds up no other one
		log.FromContext(ctx).Error(err, "looking for the kinds of a group", "group", group)
	}
	var left []*kinds.Kind
	for _, k := range s.left {
		switch {
		case unknown[k.Group] != nil:
			k.SetAvailability(kinds.Elsewhere)
		case served[k.Stored]:
			if !s.added[k] {
				if err := s.addKind(ctx, k); err != nil {
					log.FromContext(ctx).Error(err, "adding the controller of a kind", "kind", k.Stored)
					k.SetAvailability(kinds.Elsewhere)
					break
				}
				s.added[k] = true
			}
			k.SetAvailability(kinds.Available)
			continue
		case known[k.GroupKind]:
			if k.SetAvailability(kinds.Elsewhere) != kinds.Elsewhere {
				log.FromContext(ctx).Info("waiting until the cluster serves the version that objects of a kind are stored at",
					"kind", k.Stored)
			}
		default:
			k.SetAvailability(kinds.Absent)
		}
		left = append(left, k)
	}
	s.left = left
	return nil
}

// discoverer is the part of a discovery client that is needed.
type discoverer interface {
	ServerGroups() (*metav1.APIGroupList, error)
	ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error)
}

// served returns what the cluster serves of the kinds that are left, and of which groups that
// is not known. It asks for the names of all groups, and then about the groups of such kinds
// that there are: mostly a cluster has few of the groups that the operator knows.
func (s *starter) served() (
	versions map[schema.GroupVersionKind]bool, found map[schema.GroupKind]bool, unknown map[string]error, err error) {
	groups, err := s.discover.ServerGroups()
	if err != nil {
		return nil, nil, nil, err
	}
	versions, found, unknown = map[schema.GroupVersionKind]bool{}, map[schema.GroupKind]bool{}, map[string]error{}
	for _, group := range groups.Groups {
		if !slices.ContainsFunc(s.left, func(k *kinds.Kind) bool { return k.Group == group.Name }) {
			continue
		}
		for _, version := range group.Versions {
			list, err := s.discover.ServerResourcesForGroupVersion(version.GroupVersion)
			if apierrors.IsNotFound(err) {
				continue // it has gone meanwhile
			} else if err != nil {
				unknown[group.Name] = fmt.Errorf("%s: %w", version.GroupVersion, err)
				break
			}
			for _, r := range list.APIResources {
				kind := schema.FromAPIVersionAndKind(version.GroupVersion, r.Kind)
				versions[kind], found[kind.GroupKind()] = true, true
			}
		}
	}
	return versions, found, unknown, nil
}

// addKind adds the controller of a kind. It does not wait for the list of the kind, which may
// never come: the webhook may be away, or the operator may have no right to it.
func (s *starter) addKind(ctx context.Context, k *kinds.Kind) error {
	for index, keys := range map[string]ctrlclient.IndexerFunc{
		claims.Index: claims.Keys, family.ParentIndex: family.IndexParent, ownerIndex: indexOwner, credentialIndex: indexCredential} {
		if err := s.cache.IndexField(ctx, k.New(), index, keys); err != nil {
			return err
		}
	}
	informer, err := s.cache.GetInformer(ctx, k.New(), ctrlcache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	if _, err := informer.AddEventHandler(s.op.wakeDependents(k)); err != nil {
		return err
	}
	k.SetSynced(informer.HasSynced)
	name := "armature-" + strings.ToLower(k.Kind+"."+k.Group)
	return ctrl.NewControllerManagedBy(s.manager).
		Named(name).
		WatchesRawSource(&objectSource{s, k, source.Informer{Informer: informer, Handler: &handler.EnqueueRequestForObject{},
			Predicates: []predicate.Predicate{s.op.updates(k)}}}).
		WithOptions(controller.Options{MaxConcurrentReconciles: s.op.options.Workers}).
		WithLogConstructor(func(request *reconcile.Request) logr.Logger {
			logger := s.manager.GetLogger().WithValues("controller", name, "controllerGroup", k.Group, "controllerKind", k.Kind)
			if request == nil {
				return logger
			}
			return logger.WithValues("namespace", request.Namespace, "name", request.Name)
		}).
		Complete(reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
			return s.op.reconcile(toEnd(ctx), k, request.NamespacedName)
		}))
}

// objectSource is the source of the objects of a kind. It is one that is not waited for.
type objectSource struct {
	starter *starter
	kind    *kinds.Kind
	from    source.Informer
}

func (o *objectSource) Start(ctx context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	o.starter.queues.set(o.kind.GroupKind, q)
	return o.from.Start(ctx, q)
}

func (o *objectSource) String() string { return o.kind.String() }

type stopKey struct{}

// toEnd returns a context that a stop of the process does not end, but after which
// nothing more is sent to ARM: what is under way ends, and is noted.
func toEnd(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), stopKey{}, ctx)
}

// allow refuses requests to ARM by an error.
func (r *Reconciler) allow(ctx context.Context) error {
	if stop, ok := ctx.Value(stopKey{}).(context.Context); ok && stop.Err() != nil {
		return fmt.Errorf("the operator stops: %w", stop.Err())
	}
	if r.options.Allow != nil {
		return r.options.Allow(ctx)
	}
	return nil
}
