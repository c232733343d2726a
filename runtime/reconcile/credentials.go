package reconcile

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// CredentialSecret is the name of the Secret that has the credential of a namespace.
const CredentialSecret = credentials.SecretName

// The keys of a Secret with a credential. Tenant and client are needed always.
const (
	TenantKey              = credentials.TenantKey
	ClientKey              = credentials.ClientKey
	ClientSecretKey        = credentials.ClientSecretKey
	CertificateKey         = credentials.CertificateKey
	CertificatePasswordKey = credentials.CertificatePasswordKey
	// ServiceAccountKey has the name of a ServiceAccount of the namespace, which the
	// identity in Azure trusts. It stands in place of a client secret or a certificate.
	ServiceAccountKey = credentials.ServiceAccountKey
	// SubscriptionKey has the subscription of resources whose Spec names none.
	SubscriptionKey = credentials.SubscriptionKey
)

// credential signs the requests about an object.
type credential = credentials.Credential

// CredentialSource is what a credential is made of.
type CredentialSource = credentials.Source

// newCredentials returns the credentials of the operator and of the namespaces.
func (r *Reconciler) newCredentials() *credentials.Store {
	o := r.options
	return credentials.NewStore(credentials.Options{
		API: r.client, Live: r.live, Client: r.newClient, New: o.NewCredential, Cloud: o.Cloud, Audience: o.ExchangeAudience,
		Own: o.Credential, Subscription: o.Subscription,
		Namespaces: o.CredentialNamespaces, TokenNamespaces: o.WorkloadIdentityNamespaces,
		InUse: r.inUse, UsesOwn: r.usesOwn, Terminates: r.terminates, Holder: r.holder(), Now: o.Now,
	})
}

// holder stands for this operator in labels, which cannot have its name.
func (r *Reconciler) holder() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(r.name())))[:16]
}

// credentialFor returns the credential of an object.
func (r *Reconciler) credentialFor(ctx context.Context, object kinds.Resource, look func(ref)) (*credential, error) {
	sent, confirmed, err := r.recordOf(ctx, object)
	if err != nil {
		return nil, err
	}
	return r.credentials.For(ctx, object, sent, confirmed, func(secret types.NamespacedName) { look(named.Of(named.SecretKind, secret)) })
}

// credentialIndex is the index of objects by the Secrets in their records.
const credentialIndex = annotation.Domain + "/credential"

func indexCredential(object ctrlclient.Object) []string {
	if s := record.Of(object); s != nil && s.Credential != "" {
		return []string{s.Credential}
	}
	return nil
}

// usesOwn reports whether an object of a namespace has sent something with the
// namespace's own credential.
func (r *Reconciler) usesOwn(ctx context.Context, namespace string) (bool, error) {
	own := types.NamespacedName{Namespace: namespace, Name: CredentialSecret}
	return isFound(r.fewOf(ctx, own, func(*kinds.Kind, kinds.Resource) error { return errFound }))
}

// errFound ends a search.
var errFound = errors.New("found")

// isFound reports whether a search ended with [errFound].
func isFound(err error) (bool, error) {
	if errors.Is(err, errFound) {
		return true, nil
	}
	return false, err
}

// fewOf calls do with some of the objects that the cache has and that have sent something
// with the credential of a Secret: thousands may have, and each is copied. Of a kind whose
// objects cannot be read now nothing is known, and it holds up no other.
func (r *Reconciler) fewOf(ctx context.Context, secret types.NamespacedName, do func(*kinds.Kind, kinds.Resource) error) error {
	return r.objects.Each(ctx, kinds.Query{
		Kinds: r.kinds.All, Optional: func(*kinds.Kind) bool { return true },
		Namespace: secret.Namespace, Index: credentialIndex, Key: secret.Name, Limit: 5,
	}, do)
}

// inUse reports whether an object other than one has sent something with the
// credential of a Secret, and is not gone.
func (r *Reconciler) inUse(ctx context.Context, name types.NamespacedName, leaving types.UID) (bool, error) {
	uses := func(object kinds.Resource) bool {
		s := record.Of(object)
		return s.MayExist() && s.Credential == name.Name && object.GetUID() != leaving &&
			controllerutil.ContainsFinalizer(object, annotation.ResourceFinalizer)
	}
	// The cache mostly knows one. It may be behind, so the API server has the last
	// word, about that one or else about all.
	err := r.fewOf(ctx, name, func(_ *kinds.Kind, object kinds.Resource) error {
		if !uses(object) {
			return nil
		}
		if err := r.live.Get(ctx, ctrlclient.ObjectKeyFromObject(object), object); apierrors.IsNotFound(err) ||
			err == nil && !uses(object) {
			return nil
		} else if err != nil {
			return err
		}
		return errFound
	})
	if err == nil {
		err = r.objects.Each(ctx, kinds.Query{Kinds: r.kinds.All, Namespace: name.Namespace, Live: true}, func(_ *kinds.Kind, object kinds.Resource) error {
			if uses(object) {
				return errFound
			}
			return nil
		})
	}
	return isFound(err)
}

// releaseUnused takes the finalizer off a Secret that is being deleted, if no object needs
// it. Mostly the last one that did has done so. But somebody may have taken the finalizer
// of that one away while no operator was there.
func (r *Reconciler) releaseUnused(ctx context.Context, name types.NamespacedName) (reconcile.Result, error) {
	if !r.kinds.IsDiscovered() {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	if r.allow(ctx) != nil {
		return reconcile.Result{RequeueAfter: decide.FirstRetry}, nil
	}
	err := r.credentials.Release(ctx, name, "")
	if _, isProblem := problem.Of(err); isProblem { // the objects of a kind cannot be seen now, or the Secret cannot be read
		return reconcile.Result{RequeueAfter: recheck}, nil
	} else if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	return reconcile.Result{}, err
}
