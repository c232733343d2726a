package reconcile

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/credentials"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// CredentialSecret is the name of the Secret with the credential of a namespace.
const CredentialSecret = credentials.SecretName

// The keys of a Secret with a credential. Tenant and client are always required.
const (
	TenantKey              = credentials.TenantKey
	ClientKey              = credentials.ClientKey
	ClientSecretKey        = credentials.ClientSecretKey
	CertificateKey         = credentials.CertificateKey
	CertificatePasswordKey = credentials.CertificatePasswordKey
	// ServiceAccountKey is the key of the name of a ServiceAccount of the namespace that the
	// identity in Azure trusts. It replaces a client secret or a certificate.
	ServiceAccountKey = credentials.ServiceAccountKey
	// SubscriptionKey is the key of the subscription of resources whose Spec names none.
	SubscriptionKey = credentials.SubscriptionKey
)

// credential signs the requests about an object.
type credential = credentials.Credential

// CredentialSource has the values from which a credential is made.
type CredentialSource = credentials.Source

// newCredentials returns the credentials of the operator and of the namespaces.
func newCredentials(o Options, cluster *wiring.Cluster, keys *record.Keys, metrics *meters, tracer trace.Tracer) *credentials.Store {
	use := &credentialUse{cluster.Objects, keys}
	return credentials.NewStore(credentials.Options{
		API: cluster.Client, Live: cluster.Objects.Live, New: o.NewCredential, Cloud: o.Cloud, Audience: o.ExchangeAudience,
		Client: func(token azcore.TokenCredential, throttle *client.Throttle) (*client.Client, error) {
			return newClient(o, cluster, metrics, tracer, token, throttle)
		},
		Own: o.Credential, Subscription: o.Subscription,
		Namespaces: o.CredentialNamespaces, TokenNamespaces: o.WorkloadIdentityNamespaces,
		InUse: use.inUse, UsesOwn: use.usesOwn, Terminates: cluster.Namespaces.Terminates,
		Holder: newOperator(o).holder(), Now: o.Now,
	})
}

// newClient returns a client of ARM with a credential.
func newClient(o Options, cluster *wiring.Cluster, metrics *meters, tracer trace.Tracer, token azcore.TokenCredential,
	throttle *client.Throttle) (*client.Client, error) {
	return client.New(client.Options{
		Throttle: throttle, Cloud: o.Cloud, Credential: token, Transport: o.Transport, Timeout: o.RequestTimeout,
		Allow:   func(ctx context.Context) error { return allow(ctx, o) },
		Permit:  func(namespace, id string) error { return cluster.Namespaces.Permit(namespace, id, nil) },
		Observe: metrics.observeRequest, Held: metrics.observeThrottled, Tracer: tracer, Now: o.Now, InsecureHTTP: o.InsecureHTTP,
	})
}

// allow returns an error if no request may be sent to ARM now.
func allow(ctx context.Context, o Options) error {
	if err := wiring.Stopped(ctx); err != nil || o.Allow == nil {
		return err
	}
	return o.Allow(ctx)
}

// credentialFor returns the credential of an object.
func (r *Reconciler) credentialFor(ctx context.Context, object kinds.Resource, dependOn func(ref)) (*credential, error) {
	sent, confirmed, err := r.keys.Read(ctx, object)
	if err != nil {
		return nil, err
	}
	return r.credentials.For(ctx, object, sent, confirmed, dependOnSecret(dependOn))
}

// auxiliaryFor returns the client with the credential for another tenant that an object names, or nil.
func (r *Reconciler) auxiliaryFor(ctx context.Context, object kinds.Resource, dependOn func(ref)) (*client.Client, error) {
	return r.credentials.Auxiliary(ctx, object, dependOnSecret(dependOn))
}

func dependOnSecret(dependOn func(ref)) func(types.NamespacedName) {
	return func(secret types.NamespacedName) { dependOn(named.Of(named.SecretKind, secret)) }
}

// credentialUse finds the objects that use a credential.
type credentialUse struct {
	objects *kinds.Objects
	keys    *record.Keys
}

// usesOwn reports whether an object of a namespace was sent with the namespace's own
// credential, by a record that is the operator's own: anybody could have written any other.
func (u *credentialUse) usesOwn(ctx context.Context, namespace string) (bool, error) {
	own := types.NamespacedName{Namespace: namespace, Name: CredentialSecret}
	return isFound(u.visit(ctx, own, 0, func(_ *kinds.Kind, object kinds.Resource) error {
		if _, confirmed, err := u.keys.Read(ctx, object); err != nil || !confirmed {
			return err
		}
		return errFound
	}))
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

// visit calls do with the cached objects whose records say that they were sent with the credential of a
// Secret, or with a few of each kind if limit is not 0: there may be thousands, and each is copied. It
// leaves out a kind whose objects cannot be read now.
func (u *credentialUse) visit(ctx context.Context, secret types.NamespacedName, limit int64,
	do func(*kinds.Kind, kinds.Resource) error) error {
	return u.objects.Each(ctx, kinds.Query{
		Kinds: u.objects.Kinds.All, Optional: func(*kinds.Kind) bool { return true },
		Namespace: secret.Namespace, Index: wiring.CredentialIndex, Key: secret.Name, Limit: limit,
	}, do)
}

// inUse reports whether an object, other than the one with the uid leaving, was sent with the
// credential of a Secret and still needs it.
func (u *credentialUse) inUse(ctx context.Context, name types.NamespacedName, leaving types.UID) (bool, error) {
	uses := func(object kinds.Resource) bool {
		s := record.Of(object)
		return s.MayExist() && s.Credential == name.Name && object.GetUID() != leaving &&
			controllerutil.ContainsFinalizer(object, annotation.ResourceFinalizer)
	}
	// The cache usually has one. It may be behind, so ask the API server about that object,
	// or else about all.
	err := u.visit(ctx, name, 5, func(_ *kinds.Kind, object kinds.Resource) error {
		if !uses(object) {
			return nil
		}
		if err := u.objects.Live.Get(ctx, ctrlclient.ObjectKeyFromObject(object), object); apierrors.IsNotFound(err) ||
			err == nil && !uses(object) {
			return nil
		} else if err != nil {
			return err
		}
		return errFound
	})
	if err == nil {
		all := kinds.Query{Kinds: u.objects.Kinds.All, Namespace: name.Namespace, Live: true}
		err = u.objects.Each(ctx, all, func(_ *kinds.Kind, object kinds.Resource) error {
			if uses(object) {
				return errFound
			}
			return nil
		})
	}
	return isFound(err)
}

// releaseUnused removes the finalizer from a Secret that is being deleted, if no object needs
// it. Usually the deletion of the last such object has done so. But somebody may have removed
// the finalizer of that object while no operator was running.
func (r *Reconciler) releaseUnused(ctx context.Context, name types.NamespacedName) (reconcile.Result, error) {
	if !r.kinds.IsDiscovered() {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	if allow(ctx, r.options) != nil {
		return reconcile.Result{RequeueAfter: decide.FirstRetry}, nil
	}
	err := r.credentials.Release(ctx, name, "")
	if _, isProblem := problem.Of(err); isProblem { // the objects of a kind cannot be listed now, or the Secret cannot be read
		return reconcile.Result{RequeueAfter: wiring.Recheck}, nil
	} else if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	return reconcile.Result{}, err
}
