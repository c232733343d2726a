package reconcile

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// CredentialSecret is the name of the Secret that has the credential of a namespace.
const CredentialSecret = "armature-credential"

// The keys of a Secret with a credential. Tenant and client are needed always.
const (
	TenantKey              = "AZURE_TENANT_ID"
	ClientKey              = "AZURE_CLIENT_ID"
	ClientSecretKey        = "AZURE_CLIENT_SECRET"
	CertificateKey         = "AZURE_CLIENT_CERTIFICATE"
	CertificatePasswordKey = "AZURE_CLIENT_CERTIFICATE_PASSWORD"
	// SubscriptionKey has the subscription of resources whose Spec names none.
	SubscriptionKey = "AZURE_SUBSCRIPTION_ID"
)

// PrivateCloud reports whether a cloud has an authority that is none of Azure's own.
// Those know nothing of it, and may not be reached from there.
func PrivateCloud(at cloud.Configuration) bool {
	host := strings.TrimSuffix(at.ActiveDirectoryAuthorityHost, "/")
	for _, public := range []cloud.Configuration{{}, cloud.AzurePublic, cloud.AzureChina, cloud.AzureGovernment} {
		if host == strings.TrimSuffix(public.ActiveDirectoryAuthorityHost, "/") {
			return false
		}
	}
	return true
}

// NewCredential makes a credential of the content of a Secret, with azidentity: of
// a client secret, a certificate, or without either by workload identity, whose
// token is that of the operator. So a Secret with no secret in it speaks with the
// operator's identity, and trusted says whether its namespace may.
func NewCredential(content map[string][]byte, at cloud.Configuration, trusted bool) (azcore.TokenCredential, error) {
	// What comes of a file, or of echo, ends with the end of a line.
	text := func(key string) string { return strings.TrimSpace(string(content[key])) }
	options := azpolicy.ClientOptions{Cloud: at}
	for _, key := range []string{TenantKey, ClientKey} {
		if text(key) == "" {
			return nil, fmt.Errorf("found the keys %q, expected %s too", slices.Sorted(maps.Keys(content)), key)
		}
	}
	switch {
	case text(ClientSecretKey) != "":
		return azidentity.NewClientSecretCredential(text(TenantKey), text(ClientKey), text(ClientSecretKey),
			&azidentity.ClientSecretCredentialOptions{ClientOptions: options, DisableInstanceDiscovery: PrivateCloud(at)})
	case text(CertificateKey) != "":
		certificates, key, err := azidentity.ParseCertificates(content[CertificateKey], content[CertificatePasswordKey])
		if err != nil {
			return nil, fmt.Errorf("%s: found no certificate with its key in PEM or PKCS #12", CertificateKey)
		}
		return azidentity.NewClientCertificateCredential(text(TenantKey), text(ClientKey), certificates, key,
			&azidentity.ClientCertificateCredentialOptions{ClientOptions: options, DisableInstanceDiscovery: PrivateCloud(at)})
	case !trusted:
		return nil, fmt.Errorf("found neither %s nor %s: workload identity is for the namespaces that the "+
			"operator serves with its own identity", ClientSecretKey, CertificateKey)
	}
	return azidentity.NewWorkloadIdentityCredential(&azidentity.WorkloadIdentityCredentialOptions{
		ClientOptions: options, DisableInstanceDiscovery: PrivateCloud(at), TenantID: text(TenantKey), ClientID: text(ClientKey),
		TokenFilePath: os.Getenv("AZURE_FEDERATED_TOKEN_FILE")})
}

// credential signs the requests about an object.
type credential struct {
	// content is a digest of that of the Secret.
	content [sha256.Size]byte
	secret  string // in the object's namespace, or "" for the operator's own
	// subscription is the id of that of resources whose Spec names none, or "".
	subscription string
	*client.Client
}

func (c *credential) name() string {
	if c.secret == "" {
		return "of the operator"
	}
	return "of Secret " + c.secret
}

// credentials keeps a client for each credential.
type credentials struct {
	mutex   sync.Mutex
	clients map[types.NamespacedName]*credential // by Secret, the zero name is the operator's own
	// touched has those whose Secret somebody has written since it was read. They are used
	// again if it has the same content, as their tokens are still good.
	touched map[types.NamespacedName]*credential
	// throttles are by principal: ARM counts what one has sent, by whichever Secret. They
	// stay, as ARM's limits do not end when a Secret changes.
	throttles map[string]*client.Throttle
	// absent has the Secrets that do not exist, so that objects without a credential
	// of their own do not ask for one each time. Each is watched.
	absent map[types.NamespacedName]bool
	held   map[types.NamespacedName]bool // the Secrets that have the finalizer
	// changes counts what the watches tell: what was read before is not kept.
	changes int
}

func newCredentials() credentials {
	return credentials{
		clients: map[types.NamespacedName]*credential{}, touched: map[types.NamespacedName]*credential{},
		throttles: map[string]*client.Throttle{},
		absent:    map[types.NamespacedName]bool{}, held: map[types.NamespacedName]bool{},
	}
}

// credentialFor returns the credential of an object. One that has sent something
// and is being deleted keeps what it was sent with.
func (r *Reconciler) credentialFor(ctx context.Context, object resource, look func(ref)) (*credential, error) {
	s := record.Of(object)
	uses := func(name string) bool { return s.MayExist() && s.Credential == name }
	if s != nil && !object.GetDeletionTimestamp().IsZero() {
		if s.Credential == "" {
			return r.ownCredential(object.GetNamespace())
		}
		return r.secretCredential(ctx, types.NamespacedName{Namespace: object.GetNamespace(), Name: s.Credential}, true, look)
	}
	if name := object.GetAnnotations()[annotation.CredentialFrom]; name != "" {
		if len(validation.IsDNS1123Subdomain(name)) > 0 {
			return nil, &problem{reason: ReasonCredentialInvalid, stalled: true, message: fmt.Sprintf(
				"found %q in the annotation %s, expected the name of a Secret in namespace %s, which is the object's own", name,
				annotation.CredentialFrom, object.GetNamespace())}
		}
		return r.secretCredential(ctx, types.NamespacedName{Namespace: object.GetNamespace(), Name: name}, uses(name), look)
	}
	c, err := r.secretCredential(ctx, types.NamespacedName{Namespace: object.GetNamespace(), Name: CredentialSecret},
		uses(CredentialSecret), look)
	if p, isProblem := problemOf(err); isProblem && p.reason == ReasonCredentialMissing {
		if own, ownErr := r.ownCredential(object.GetNamespace()); ownErr == nil {
			return own, nil
		}
	}
	return c, err
}

// ownCredential returns the operator's own, in the namespaces that it serves.
func (r *Reconciler) ownCredential(namespace string) (*credential, error) {
	if !r.trusts(namespace) {
		return nil, &problem{reason: ReasonCredentialMissing, stalled: true,
			message: fmt.Sprintf("the operator's own credential does not serve namespace %s: put one into Secret %s", namespace,
				CredentialSecret)}
	}
	r.credentials.mutex.Lock()
	defer r.credentials.mutex.Unlock()
	c := r.credentials.clients[types.NamespacedName{}]
	if c == nil {
		own, err := r.newClient(r.options.Credential, r.credentials.throttle(""))
		if err != nil {
			return nil, err
		}
		c = &credential{subscription: r.options.Subscription, Client: own}
		r.credentials.clients[types.NamespacedName{}] = c
	}
	return c, nil
}

// trusts reports whether the operator's own credential serves a namespace.
func (r *Reconciler) trusts(namespace string) bool {
	return slices.Contains(r.options.Namespaces, namespace) || slices.Contains(r.options.Namespaces, "*")
}

// secretCredential returns the credential in a Secret. inUse reports whether the
// object has sent something with it, and so may use it while it is being deleted.
func (r *Reconciler) secretCredential(ctx context.Context, name types.NamespacedName, inUse bool, look func(ref)) (*credential, error) {
	look(ref{secretKind, name})
	unlock := r.locks.lock(name)
	defer unlock()
	r.credentials.mutex.Lock()
	c, absent, changes := r.credentials.clients[name], r.credentials.absent[name], r.credentials.changes
	r.credentials.mutex.Unlock()
	if c != nil {
		return c, nil
	}
	missing := &problem{reason: ReasonCredentialMissing, stalled: true,
		message: fmt.Sprintf("there is no Secret %s, and the operator's own credential does not serve namespace %s", name, name.Namespace)}
	if name.Name != CredentialSecret {
		missing.message = fmt.Sprintf("there is no Secret %s, which the annotation %s names", name, annotation.CredentialFrom)
	}
	if absent {
		return nil, missing
	}
	keep := func(do func()) {
		r.credentials.mutex.Lock()
		defer r.credentials.mutex.Unlock()
		if r.credentials.changes == changes {
			do()
		}
	}
	var secret corev1.Secret
	if err := r.live.Get(ctx, name, &secret); apierrors.IsNotFound(err) {
		keep(func() {
			r.credentials.absent[name] = true
			delete(r.credentials.touched, name)
		})
		return nil, missing
	} else if err != nil {
		return nil, unreadable(name, err)
	}
	if !secret.DeletionTimestamp.IsZero() && !inUse {
		// It may have the finalizer of a stop between that and the first use.
		if err := r.releaseLocked(ctx, name, ""); err != nil {
			return nil, err
		}
		return nil, &problem{reason: ReasonCredentialMissing, stalled: true, message: fmt.Sprintf("Secret %s is being deleted", name)}
	}
	content := digestOf(secret.Data)
	r.credentials.mutex.Lock()
	c = r.credentials.touched[name]
	r.credentials.mutex.Unlock()
	if c != nil && c.content == content && secret.DeletionTimestamp.IsZero() {
		keep(func() { r.credentials.clients[name] = c })
		return c, nil
	}
	token, err := r.options.NewCredential(secret.Data, r.options.Cloud, r.trusts(name.Namespace))
	if err != nil {
		var values []string
		for _, v := range secret.Data {
			values = append(values, string(v), strings.TrimSpace(string(v)))
		}
		return nil, &problem{reason: ReasonCredentialInvalid, stalled: true,
			message: client.NewSecrets(values...).Remove(fmt.Sprintf("Secret %s: %v", name, err))}
	}
	r.credentials.mutex.Lock()
	throttle := r.credentials.throttle(principalOf(secret.Data))
	r.credentials.mutex.Unlock()
	theirs, err := r.newClient(token, throttle)
	if err != nil {
		return nil, err
	}
	c = &credential{content, name.Name, strings.TrimSpace(string(secret.Data[SubscriptionKey])), theirs}
	// What is being deleted is not kept, as nobody says when its last user goes.
	if secret.DeletionTimestamp.IsZero() {
		keep(func() {
			r.credentials.clients[name] = c
			delete(r.credentials.touched, name)
		})
	}
	return c, nil
}

// throttle returns that of a principal. The caller has the lock.
func (c *credentials) throttle(principal string) *client.Throttle {
	if c.throttles[principal] == nil {
		c.throttles[principal] = new(client.Throttle)
	}
	return c.throttles[principal]
}

// principalOf names the principal of the content of a Secret.
func principalOf(content map[string][]byte) string {
	text := func(key string) string { return strings.ToLower(strings.TrimSpace(string(content[key]))) }
	return text(TenantKey) + "/" + text(ClientKey)
}

// digestOf returns a digest of the content of a Secret.
func digestOf(content map[string][]byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(content)) {
		fmt.Fprintf(h, "%q %q\n", key, content[key])
	}
	h.Sum(sum[:0])
	return sum
}

// holdCredential puts a finalizer on the Secret of a credential, without which the
// deletion of a namespace would take it before the objects that need it. Its lock
// is held until the object says that it uses the Secret.
func (r *Reconciler) holdCredential(ctx context.Context, namespace string, with *credential) (unlock func(), err error) {
	if with.secret == "" {
		return func() {}, nil
	}
	name := types.NamespacedName{Namespace: namespace, Name: with.secret}
	unlock = r.locks.lock(name)
	if err := r.hold(ctx, name); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// hold is holdCredential under the lock of the Secret.
func (r *Reconciler) hold(ctx context.Context, name types.NamespacedName) error {
	r.credentials.mutex.Lock()
	held := r.credentials.held[name]
	r.credentials.mutex.Unlock()
	if held {
		return nil
	}
	var secret corev1.Secret
	if err := r.live.Get(ctx, name, &secret); err != nil {
		return unreadable(name, err)
	}
	before := secret.DeepCopy()
	if secret.DeletionTimestamp.IsZero() && controllerutil.AddFinalizer(&secret, annotation.CredentialFinalizer) {
		patch := ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{})
		if err := r.client.Patch(ctx, &secret, patch); err != nil {
			return unreadable(name, err)
		}
	}
	r.credentials.mutex.Lock()
	r.credentials.held[name] = true
	r.credentials.mutex.Unlock()
	return nil
}

// forgetCredential lets a Secret be read again.
func (r *Reconciler) forgetCredential(name types.NamespacedName) {
	r.credentials.mutex.Lock()
	defer r.credentials.mutex.Unlock()
	r.credentials.changes++
	if c := r.credentials.clients[name]; c != nil {
		r.credentials.touched[name] = c
	}
	delete(r.credentials.clients, name)
	delete(r.credentials.absent, name)
	delete(r.credentials.held, name)
}

// releaseCredential takes the finalizer of a Secret away, unless an object other
// than one needs the Secret for its deletion.
func (r *Reconciler) releaseCredential(ctx context.Context, name types.NamespacedName, leaving types.UID) error {
	unlock := r.locks.lock(name)
	defer unlock()
	return r.releaseLocked(ctx, name, leaving)
}

// releaseLocked is releaseCredential under the lock of the Secret.
func (r *Reconciler) releaseLocked(ctx context.Context, name types.NamespacedName, leaving types.UID) error {
	r.credentials.mutex.Lock()
	absent := r.credentials.absent[name]
	r.credentials.mutex.Unlock()
	if absent {
		return nil
	}
	var secret corev1.Secret
	if err := r.live.Get(ctx, name, &secret); apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return unreadable(name, err)
	}
	before := secret.DeepCopy()
	if !controllerutil.RemoveFinalizer(&secret, annotation.CredentialFinalizer) {
		return nil
	}
	inUse, err := r.inUse(ctx, name, leaving)
	if err != nil || inUse {
		return err
	}
	r.forgetCredential(name)
	err = r.client.Patch(ctx, &secret, ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{}))
	return ctrlclient.IgnoreNotFound(err)
}

// inUse reports whether an object other than one has sent something with the
// credential of a Secret, and is not gone.
func (r *Reconciler) inUse(ctx context.Context, name types.NamespacedName, leaving types.UID) (bool, error) {
	found := errors.New("found")
	uses := func(object resource) bool {
		s := record.Of(object)
		return s.MayExist() && s.Credential == name.Name && object.GetUID() != leaving &&
			controllerutil.ContainsFinalizer(object, annotation.ResourceFinalizer)
	}
	// The cache mostly knows one. It may be behind, so the API server has the last
	// word, about that one or else about all.
	err := r.each(ctx, r.reader, r.kinds.all, name.Namespace, func(object resource) error {
		if !uses(object) {
			return nil
		}
		if err := r.live.Get(ctx, ctrlclient.ObjectKeyFromObject(object), object); apierrors.IsNotFound(err) ||
			err == nil && !uses(object) {
			return nil
		} else if err != nil {
			return err
		}
		return found
	})
	if err == nil {
		err = r.each(ctx, r.live, r.kinds.all, name.Namespace, func(object resource) error {
			if uses(object) {
				return found
			}
			return nil
		})
	}
	if errors.Is(err, found) {
		return true, nil
	}
	return false, err
}
