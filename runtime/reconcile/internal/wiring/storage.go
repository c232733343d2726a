package wiring

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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authentication "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/go-logr/logr"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

// The right that the admission policy of a group requires of whoever writes at a storage version, and the
// ClusterRole of a release that grants it.
const (
	storageResource = "storageversions"
	storageVerb     = "write"
	storageRole     = "armature-storage-writer"
)

// Place is where objects of a group are written: in a namespace, or in all if that is "".
type Place struct{ Group, Namespace string }

// Reviews asks the API server about the operator's account.
type Reviews interface {
	// Allowed reports whether the account has the right to write at storage versions in a place.
	Allowed(context.Context, Place) (bool, error)
	// Account returns the name of the account.
	Account(context.Context) (string, error)
}

// StorageRights knows where the operator may not write at storage versions. A cluster without the admission
// policies does not require the right, so no object waits for it before a write has been denied.
type StorageRights struct {
	reviews    Reviews
	namespaces *Namespaces
	log        logr.Logger

	mutex   sync.Mutex
	account string // "" if it is not known
	asked   map[Place]bool
	// missing holds the places without the right, and whether a write has been denied there since the API
	// server was asked.
	missing map[Place]bool
}

// NewStorageRights returns the rights in the namespaces that the operator manages.
func NewStorageRights(reviews Reviews, namespaces *Namespaces, log logr.Logger) *StorageRights {
	return &StorageRights{reviews: reviews, namespaces: namespaces, log: log, asked: map[Place]bool{}, missing: map[Place]bool{}}
}

// reviews asks an API server.
type reviews struct {
	access *authorization.AuthorizationV1Client
	names  *authentication.AuthenticationV1Client
}

func newReviews(m manager.Manager) (*reviews, error) {
	access, err1 := authorization.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	names, err2 := authentication.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	return &reviews{access, names}, errors.Join(err1, err2)
}

// Allowed is [Reviews].Allowed.
func (r *reviews) Allowed(ctx context.Context, p Place) (bool, error) {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Group: annotation.Domain, Resource: storageResource,
			Verb: storageVerb, Name: p.Group, Namespace: p.Namespace}}}
	review, err := r.access.SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	return err == nil && review.Status.Allowed, err
}

// Account is [Reviews].Account.
func (r *reviews) Account(ctx context.Context) (string, error) {
	review, err := r.names.SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return review.Status.UserInfo.Username, nil
}

// Due returns the places to ask about: once, those of groups in the namespaces that the operator is told to
// manage; and each time, those without the right. With a selector, the namespaces are not known before
// there are objects in them and a write is denied.
func (s *StorageRights) Due(groups []string) (all []Place) {
	namespaces := s.namespaces.Managed
	if len(namespaces) == 0 && s.namespaces.Selector == nil {
		namespaces = []string{""}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, group := range groups {
		for _, namespace := range namespaces {
			if p := (Place{group, namespace}); !s.asked[p] {
				all = append(all, p)
			}
		}
	}
	return slices.AppendSeq(all, maps.Keys(s.missing))
}

// watch asks whether the operator may write the objects of the groups, and logs where it may not, until the
// context ends.
func (s *StorageRights) watch(ctx context.Context, groups func() []string) {
	for ctx.Err() == nil {
		if s.account == "" {
			account, err := s.reviews.Account(ctx)
			if err != nil {
				s.log.V(1).Info("asking for the name of the operator's account", "error", err.Error())
			}
			s.mutex.Lock()
			s.account = account
			s.mutex.Unlock()
		}
		for _, p := range s.Due(groups()) {
			s.Ask(ctx, p)
		}
		select {
		case <-ctx.Done():
		case <-time.After(Recheck):
		}
	}
}

// Ask asks whether the operator has the right in a place, and logs when that changes.
func (s *StorageRights) Ask(ctx context.Context, p Place) {
	allowed, err := s.reviews.Allowed(ctx, p)
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
		s.missing[p] = false // the next write shows whether it is still denied, as the API server does not say
	}
	s.mutex.Unlock()
	switch {
	case err != nil:
		s.log.V(1).Info("asking for the right to write at storage versions",
			"group", p.Group, "namespace", p.Namespace, "error", err.Error())
	case allowed && lacked:
		s.log.Info("the operator may write at storage versions now", "group", p.Group, "namespace", p.Namespace)
	case !allowed && !lacked:
		s.log.Error(nil, s.sentence(p))
	}
}

// Deny notes that a write was denied.
func (s *StorageRights) Deny(p Place, err error) {
	s.mutex.Lock()
	_, known := s.missing[p]
	s.missing[p] = true
	s.mutex.Unlock()
	if !known { // otherwise it was logged before
		s.log.Error(err, s.sentence(p))
	}
}

// Denied returns the problem of a place where a write was denied, or nil if none was or the operator has
// got the right since. Objects are tried again when it has.
func (s *StorageRights) Denied(p Place) *problem.Problem {
	s.mutex.Lock()
	denied := s.missing[p]
	s.mutex.Unlock()
	if !denied {
		return nil
	}
	return &problem.Problem{Reason: problem.WriteForbidden, Stalled: true, Message: s.sentence(p)}
}

// Sentences returns a message about each place without the right.
func (s *StorageRights) Sentences() (all []string) {
	s.mutex.Lock()
	places := slices.Collect(maps.Keys(s.missing))
	s.mutex.Unlock()
	slices.SortFunc(places, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Namespace, b.Namespace))
	})
	for _, p := range places {
		all = append(all, s.sentence(p))
	}
	return all
}

// sentence returns the message that the operator may not write in a place, with the command that mends it.
func (s *StorageRights) sentence(p Place) string {
	s.mutex.Lock()
	account := s.account
	s.mutex.Unlock()
	where, binding, scope := "in namespace "+p.Namespace, "rolebinding", " --namespace "+p.Namespace
	if p.Namespace == "" {
		where, binding, scope = "in all namespaces", "clusterrolebinding", ""
	}
	text := fmt.Sprintf("the operator has no right to write objects of %s %s: bind the ClusterRole %s, with the prefix of its "+
		"release, to its account there", p.Group, where, storageRole)
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

// StorageDenied returns the API group of the objects whose write the policy of storage versions has
// denied, or "".
func StorageDenied(err error) string {
	var status apierrors.APIStatus
	if !apierrors.IsForbidden(err) || !errors.As(err, &status) ||
		!strings.Contains(err.Error(), storageResource+"."+annotation.Domain) || status.Status().Details == nil {
		return ""
	}
	return status.Status().Details.Group
}
