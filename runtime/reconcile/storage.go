package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authentication "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// The right for which the admission policy of a group asks when somebody writes at a storage
// version, and the ClusterRole of a release that has it.
const (
	storageResource = "storageversions"
	storageVerb     = "write"
	storageRole     = "armature-storage-writer"
)

// place is where objects of a group are written: in a namespace, or in all if that is "".
type place struct{ group, namespace string }

// storageRights says where the operator may not write at storage versions. A cluster without the
// admission policies does not ask for the right, so no object waits for it before a write has been
// denied.
type storageRights struct {
	// ask asks the API server whether the operator has the right in a place, and who asks for the
	// name of the operator's account.
	ask func(context.Context, place) (bool, error)
	who func(context.Context) (string, error)

	mutex   sync.Mutex
	account string // "" if it is not known
	asked   map[place]bool
	// missing has the places without the right, and whether a write has been denied there since
	// the API server was asked.
	missing map[place]bool
}

// connect sets the questions to the API server of a manager.
func (s *storageRights) connect(m manager.Manager) error {
	reviews, err1 := authorization.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	names, err2 := authentication.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	s.ask = func(ctx context.Context, p place) (bool, error) {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Group: annotation.Domain, Resource: storageResource,
				Verb: storageVerb, Name: p.group, Namespace: p.namespace}}}
		review, err := reviews.SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		return err == nil && review.Status.Allowed, err
	}
	s.who = func(ctx context.Context) (string, error) {
		review, err := names.SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if err != nil {
			return "", err
		}
		return review.Status.UserInfo.Username, nil
	}
	return errors.Join(err1, err2)
}

// due returns the places to ask about: those of groups in the namespaces that the operator is told
// to manage, once, and again those without the right. With a selector nobody knows the namespaces
// before there are objects in them, and a write is denied.
func (r *Reconciler) due(groups []string) (all []place) {
	namespaces := r.options.ManagedNamespaces
	if len(namespaces) == 0 && r.options.ManagedSelector == nil {
		namespaces = []string{""}
	}
	s := &r.storage
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, group := range groups {
		for _, namespace := range namespaces {
			if p := (place{group, namespace}); !s.asked[p] {
				all = append(all, p)
			}
		}
	}
	return slices.AppendSeq(all, maps.Keys(s.missing))
}

// watchStorage asks whether the operator may write the objects of the groups, and says where it
// may not, until the context ends.
func (r *Reconciler) watchStorage(ctx context.Context, groups func() []string) {
	s := &r.storage
	for ctx.Err() == nil {
		if s.account == "" {
			account, err := s.who(ctx)
			if err != nil {
				r.log.V(1).Info("asking for the name of the operator's account", "error", err.Error())
			}
			s.mutex.Lock()
			s.account = account
			s.mutex.Unlock()
		}
		for _, p := range r.due(groups()) {
			r.look(ctx, p)
		}
		select {
		case <-ctx.Done():
		case <-time.After(recheck):
		}
	}
}

// look asks whether the operator has the right in a place, and says it if that changes.
func (r *Reconciler) look(ctx context.Context, p place) {
	s := &r.storage
	allowed, err := s.ask(ctx, p)
	s.mutex.Lock()
	_, lacked := s.missing[p]
	if err == nil {
		s.asked[p] = true
	}
	switch {
	case allowed:
		delete(s.missing, p)
	case err == nil && !lacked:
		s.missing[p] = false
	case err != nil && lacked:
		s.missing[p] = false // who was denied tries again, as nobody else can say
	}
	s.mutex.Unlock()
	switch {
	case err != nil:
		r.log.V(1).Info("asking for the right to write at storage versions",
			"group", p.group, "namespace", p.namespace, "error", err.Error())
	case allowed && lacked:
		r.log.Info("the operator may write at storage versions now", "group", p.group, "namespace", p.namespace)
	case !allowed && !lacked:
		r.log.Error(nil, s.sentence(p))
	}
}

// deny notes that a write was denied.
func (r *Reconciler) deny(p place, err error) {
	s := &r.storage
	s.mutex.Lock()
	_, known := s.missing[p]
	s.missing[p] = true
	s.mutex.Unlock()
	if !known { // or it was said before
		r.log.Error(err, s.sentence(p))
	}
}

// denied reports whether a write was denied in a place, and the operator has not got the right
// since.
func (s *storageRights) denied(p place) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.missing[p]
}

// sentences returns one about each place without the right.
func (s *storageRights) sentences() (all []string) {
	s.mutex.Lock()
	places := slices.Collect(maps.Keys(s.missing))
	s.mutex.Unlock()
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(strings.Compare(a.group, b.group), strings.Compare(a.namespace, b.namespace))
	})
	for _, p := range places {
		all = append(all, s.sentence(p))
	}
	return all
}

// sentence says that the operator may not write in a place, and has the command that mends it.
func (s *storageRights) sentence(p place) string {
	s.mutex.Lock()
	account := s.account
	s.mutex.Unlock()
	where, binding, scope := "in namespace "+p.namespace, "rolebinding", " --namespace "+p.namespace
	if p.namespace == "" {
		where, binding, scope = "in all namespaces", "clusterrolebinding", ""
	}
	text := fmt.Sprintf("the operator has no right to write objects of %s %s: bind the ClusterRole %s, with the prefix of its "+
		"release, to its account there", p.group, where, storageRole)
	if account == "" {
		return text
	}
	subject := "--user " + account
	if name, found := strings.CutPrefix(account, "system:serviceaccount:"); found {
		subject, account = "--serviceaccount "+name, name
	}
	return fmt.Sprintf("%s, as by `kubectl create %s %s-%s%s --clusterrole %s %s`", text, binding, storageRole,
		strings.ReplaceAll(account, ":", "-"), scope, storageRole, subject)
}

// storageDenied returns the API group of the objects whose write the policy of storage versions has
// denied, or "".
func storageDenied(err error) string {
	var status apierrors.APIStatus
	if !apierrors.IsForbidden(err) || !errors.As(err, &status) ||
		!strings.Contains(err.Error(), storageResource+"."+annotation.Domain) || status.Status().Details == nil {
		return ""
	}
	return status.Status().Details.Group
}

// unwritable says of an object that the operator may not write it, by an event and a metric: a
// condition is a write too.
func (r *Reconciler) unwritable(object kinds.Resource, of ref, m *memory, p *problem.Problem) {
	setReady(object, p, "")
	r.metrics.shows(of, object)
	r.event(object, m, corev1.EventTypeWarning, p.Reason, p.Message)
}

// unwritten is the problem of an object of which a write was denied, as the operator lacks the
// right in a place. It is tried again when the operator has it.
func (r *Reconciler) unwritten(at place) *problem.Problem {
	return &problem.Problem{Reason: ReasonWriteForbidden, Stalled: true, Message: r.storage.sentence(at)}
}

// refusedWrite is the API server's refusal of what the operator writes into an object.
type refusedWrite struct{ error }

func (w *refusedWrite) Unwrap() error { return w.error }

// written returns the error of a write of an object. It is a *refusedWrite if the same write will
// be refused again: by an admission policy, or as the object is too large.
func written(err error) error {
	text := err.Error()
	if apierrors.IsForbidden(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) ||
		apierrors.IsRequestEntityTooLargeError(err) || strings.Contains(text, "request is too large") || // of etcd
		strings.Contains(text, "message larger than max") {
		return &refusedWrite{err}
	}
	return err
}

// writeRefused says that the API server refuses what is written into the object, where it can: by a
// condition, without what else is new. It returns when to try again.
func (r *run) writeRefused(ctx context.Context, why *refusedWrite) (again time.Duration) {
	p := &problem.Problem{Reason: ReasonWriteRefused, Stalled: true,
		Message: "the API server refuses what the operator writes into the object: " + why.Error()}
	r.object = r.before.DeepCopyObject().(kinds.Resource)
	if r.report(ctx, p) != nil {
		r.op.unwritable(r.object, r.ref, r.memory, p)
	}
	next, _ := r.refuse(decide.WriteRequest, decide.Refusal{})
	return next.Sub(r.now)
}
