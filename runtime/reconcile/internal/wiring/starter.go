package wiring

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
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Recheck is how long to wait before asking again what the cluster serves, or what the operator may do.
const Recheck = 15 * time.Second

// starter adds the controllers of kinds to a manager, each when the cluster serves
// the kind.
type starter struct {
	*Connection
	handler  Handler
	discover discoverer
	mutex    sync.Mutex    // for the fields below
	pending  []*kinds.Kind // without a controller, or no longer served
	added    map[*kinds.Kind]bool
}

func newStarter(c *Connection, h Handler) (*starter, error) {
	d, err := discovery.NewDiscoveryClientForConfigAndClient(c.manager.GetConfig(), c.manager.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	d.UseLegacyDiscovery = true // aggregated discovery sends all resources of all groups each time
	return &starter{Connection: c, handler: h, discover: d, pending: c.options.Kinds.All, added: map[*kinds.Kind]bool{}}, nil
}

// warm adds the controllers of the kinds that the cluster serves when the instance starts, so that the
// cache has the objects before the instance leads. From then on it checks the right to write them.
func (s *starter) warm(ctx context.Context) error {
	if err := s.add(ctx); err != nil { // the instance that leads looks again
		log.FromContext(ctx).Error(err, "looking for the kinds that the cluster serves")
	}
	s.Storage.watch(ctx, s.groups)
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

// Start adds the controllers of the kinds that are pending. The manager calls it when the instance leads.
// Nothing is reconciled before it has asked what the cluster serves: that may be more by now than when the
// instance started.
func (s *starter) Start(ctx context.Context) error {
	for next := time.After(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case k := <-s.options.Kinds.Lost:
			s.mutex.Lock()
			if !slices.Contains(s.pending, k) {
				s.pending = append(s.pending, k)
			}
			s.mutex.Unlock()
		case <-next:
		}
		if err := s.add(ctx); err != nil {
			log.FromContext(ctx).Error(err, "looking for kinds that the cluster did not serve")
		} else if !s.options.Kinds.IsDiscovered() {
			s.settle(ctx)
			s.options.Kinds.SetDiscovered(true)
		}
		if next = nil; s.hasPending() || !s.options.Kinds.IsDiscovered() {
			next = time.After(Recheck)
		}
	}
}

// hasPending reports whether there are kinds that the cluster has not served yet.
func (s *starter) hasPending() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.pending) > 0
}

// settle waits until each kind has been listed, or its list has failed once. Otherwise something that
// objects of a kind need would be taken for unused because the cache does not have them yet.
func (s *starter) settle(ctx context.Context) {
	for _, k := range s.options.Kinds.All {
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
	for group, err := range unknown { // which does not hold up the other groups
		log.FromContext(ctx).Error(err, "looking for the kinds of a group", "group", group)
	}
	var pending []*kinds.Kind
	for _, k := range s.pending {
		switch {
		case unknown[k.Group] != nil:
			k.SetAvailability(kinds.Unreadable)
		case served[k.Stored]:
			if !s.added[k] {
				if err := s.addKind(ctx, k); err != nil {
					log.FromContext(ctx).Error(err, "adding the controller of a kind", "kind", k.Stored)
					k.SetAvailability(kinds.Unreadable)
					break
				}
				s.added[k] = true
			}
			k.SetAvailability(kinds.Available)
			continue
		case known[k.GroupKind]:
			if k.SetAvailability(kinds.Unreadable) != kinds.Unreadable {
				log.FromContext(ctx).Info("waiting until the cluster serves the version that objects of a kind are stored at",
					"kind", k.Stored)
			}
		default:
			k.SetAvailability(kinds.Absent)
		}
		pending = append(pending, k)
	}
	s.pending = pending
	return nil
}

// discoverer is the part of a discovery client that is needed.
type discoverer interface {
	ServerGroups() (*metav1.APIGroupList, error)
	ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error)
}

// served returns the versions and the kinds that the cluster serves in the groups of pending kinds, and an
// error for each group of which that is not known. It asks for the names of all groups, and then about
// those groups of pending kinds that exist: a cluster usually has few of the groups that the operator
// knows.
func (s *starter) served() (
	versions map[schema.GroupVersionKind]bool, found map[schema.GroupKind]bool, unknown map[string]error, err error) {
	groups, err := s.discover.ServerGroups()
	if err != nil {
		return nil, nil, nil, err
	}
	versions, found, unknown = map[schema.GroupVersionKind]bool{}, map[schema.GroupKind]bool{}, map[string]error{}
	for _, group := range groups.Groups {
		if !slices.ContainsFunc(s.pending, func(k *kinds.Kind) bool { return k.Group == group.Name }) {
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

// addKind adds the controller of a kind. It does not wait for the list of the kind, which may never arrive:
// the webhook may be down, or the operator may have no right to list.
func (s *starter) addKind(ctx context.Context, k *kinds.Kind) error {
	for index, keys := range Indexes {
		if err := s.cache.IndexField(ctx, k.New(), index, keys); err != nil {
			return err
		}
	}
	informer, err := s.cache.GetInformer(ctx, k.New(), ctrlcache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	if _, err := informer.AddEventHandler(changesOf(k, s.handler)); err != nil {
		return err
	}
	k.SetSynced(informer.HasSynced)
	name := "armature-" + strings.ToLower(k.Kind+"."+k.Group)
	return ctrl.NewControllerManagedBy(s.manager).
		Named(name).
		WatchesRawSource(&objectSource{s, k, source.Informer{Informer: informer, Handler: &handler.EnqueueRequestForObject{},
			Predicates: []predicate.Predicate{predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
				return s.handler.Updated(k, e.ObjectOld, e.ObjectNew)
			}}}}}).
		WithOptions(controller.Options{MaxConcurrentReconciles: s.options.Workers}).
		WithLogConstructor(func(request *reconcile.Request) logr.Logger {
			logger := s.manager.GetLogger().WithValues("controller", name, "controllerGroup", k.Group, "controllerKind", k.Kind)
			if request == nil {
				return logger
			}
			return logger.WithValues("namespace", request.Namespace, "name", request.Name)
		}).
		Complete(reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
			return s.handler.Reconcile(ToEnd(ctx), k, request.NamespacedName)
		}))
}

// objectSource is the source of the objects of a kind. The controller does not wait until it has synced.
type objectSource struct {
	starter *starter
	kind    *kinds.Kind
	from    source.Informer
}

// Start notes the queue of the kind, and starts the source.
func (o *objectSource) Start(ctx context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	o.starter.queues.set(o.kind.GroupKind, q)
	return o.from.Start(ctx, q)
}

// String returns the kind.
func (o *objectSource) String() string { return o.kind.String() }

// changesOf returns the event handler that reports all changes of the objects of a kind.
func changesOf(k *kinds.Kind, h Handler) toolscache.ResourceEventHandler {
	changed := func(old, new any) {
		o, _ := old.(ctrlclient.Object)
		n, _ := new.(ctrlclient.Object)
		if o != nil || n != nil {
			h.Changed(k, o, n)
		}
	}
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(new any) { changed(nil, new) },
		UpdateFunc: changed,
		DeleteFunc: func(old any) {
			if gone, ok := old.(toolscache.DeletedFinalStateUnknown); ok {
				old = gone.Obj
			}
			changed(old, nil)
		},
	}
}

// Indexes are the indexes of the cache, each with the function that returns the keys of an object.
var Indexes = map[string]ctrlclient.IndexerFunc{
	claims.Index: claims.Keys, family.ParentIndex: family.IndexParent, OwnerIndex: indexOwner, CredentialIndex: indexCredential,
}

// OwnerIndex is the index of objects by the uids of their owners.
const OwnerIndex = annotation.Domain + "/owner"

func indexOwner(object ctrlclient.Object) (uids []string) {
	for _, o := range object.GetOwnerReferences() {
		uids = append(uids, string(o.UID))
	}
	return uids
}

// CredentialIndex is the index of objects by the Secrets in their records.
const CredentialIndex = annotation.Domain + "/credential"

func indexCredential(object ctrlclient.Object) []string {
	if s := record.Of(object); s != nil && s.Credential != "" {
		return []string{s.Credential}
	}
	return nil
}
