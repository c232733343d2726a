package credentials

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/locks"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Options are the options of a [Store]. All of them must be set, except Own, Subscription and the lists.
type Options struct {
	// API writes Secrets and asks for tokens, Live reads Secrets without a cache.
	API  ctrlclient.Client
	Live ctrlclient.Reader
	// Client makes an ARM client.
	Client func(azcore.TokenCredential, *client.Throttle) (*client.Client, error)
	// New makes the credential of a Secret, as [New] does.
	New   func(Source) (azcore.TokenCredential, error)
	Cloud cloud.Configuration
	// Audience is the audience of the tokens of ServiceAccounts.
	Audience string
	// Own is the operator's own credential, nil for none, and Subscription its default subscription.
	Own          azcore.TokenCredential
	Subscription string
	// Namespaces are the namespaces that Own serves. The Secrets of TokenNamespaces may use the operator's
	// own token for workload identity. "*" stands for all namespaces.
	Namespaces, TokenNamespaces []string
	// InUse reports whether an object with another uid than leaving needs a Secret for its deletion.
	InUse func(ctx context.Context, secret types.NamespacedName, leaving types.UID) (bool, error)
	// UsesOwn reports whether an object of a namespace has sent something with the
	// namespace's own credential.
	UsesOwn func(ctx context.Context, namespace string) (bool, error)
	// Terminates reports whether a namespace is being deleted.
	Terminates func(namespace string) bool
	// Holder identifies this operator in the label [annotation.CredentialHolder].
	Holder string
	Now    func() time.Time
}

// Credential signs the requests about an object.
type Credential struct {
	// content is a digest of the Secret's content.
	content [sha256.Size]byte
	// Secret is the name of a Secret in the object's namespace, or "" for the operator's own credential.
	Secret string
	// Subscription is the id of the subscription of resources whose Spec names none, or "".
	Subscription string
	// deleting reports whether the Secret is being deleted. Then only objects that have sent something with
	// it may use it.
	deleting bool
	// throttle is the throttle of its principal.
	throttle *client.Throttle
	*client.Client
}

// Name returns how a message refers to the credential.
func (c *Credential) Name() string {
	if c.Secret == "" {
		return "of the operator"
	}
	return "of Secret " + c.Secret
}

// Store keeps a client for each credential.
type Store struct {
	options Options
	locks   locks.Locks // by Secret

	mutex   sync.Mutex
	clients map[types.NamespacedName]*Credential // by Secret, the zero name is the operator's own
	// stale holds the credentials whose Secret was written after it was read. They are used again if the
	// Secret still has the same content, as their tokens are still good.
	stale map[types.NamespacedName]*Credential
	// throttles are keyed by principal: ARM counts the requests of a principal, whichever Secret they come
	// from. A throttle stays while it holds back requests, as ARM's limits do not end when a Secret
	// changes.
	throttles map[string]*throttle
	// absent holds the Secrets that do not exist, so that objects without a credential of their own do not
	// ask the API server each time. Each of these Secrets is watched.
	absent map[types.NamespacedName]bool
	held   map[types.NamespacedName]bool // the Secrets that have the finalizer
	// changes counts the changes that watches reported: what was read before a change is not kept.
	changes int
}

// NewStore returns a Store without credentials.
func NewStore(options Options) *Store {
	return &Store{
		options: options, clients: map[types.NamespacedName]*Credential{}, stale: map[types.NamespacedName]*Credential{},
		throttles: map[string]*throttle{}, absent: map[types.NamespacedName]bool{}, held: map[types.NamespacedName]bool{},
	}
}

// For returns the credential of an object with a record, which may be nil. An object that is being deleted
// keeps the credential that it was sent with if confirmed, that is if the record is the operator's own.
// beforeRead is called with each Secret before it is read.
func (s *Store) For(ctx context.Context, object metav1.Object, sent *record.Record, confirmed bool,
	beforeRead func(types.NamespacedName)) (*Credential, error) {
	of := func(name string, inUse bool) (*Credential, error) {
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: name}
		beforeRead(secret)
		return s.ofSecret(ctx, secret, annotation.CredentialFrom, inUse)
	}
	deleting := !object.GetDeletionTimestamp().IsZero()
	// A record that is not the operator's own does not show which Secret was used, so a deletion may
	// use any that the namespace has, also one that is being deleted.
	uses := func(name string) bool { return sent.MayExist() && (sent.Credential == name || deleting && !confirmed) }
	if deleting && confirmed {
		if sent.Credential == "" {
			return s.own(object.GetNamespace())
		}
		return of(sent.Credential, true)
	}
	if name, err := secretIn(object, annotation.CredentialFrom); err != nil {
		return nil, err
	} else if name != "" {
		return of(name, uses(name))
	}
	c, err := of(SecretName, uses(SecretName))
	if missing, ok := err.(*Error); !ok || !missing.absent {
		return c, err
	}
	own, ownErr := s.own(object.GetNamespace())
	if ownErr != nil {
		return nil, err
	}
	// A namespace must not gain rights because its Secret is lost.
	if used, err := s.options.UsesOwn(ctx, object.GetNamespace()); err != nil {
		return nil, err
	} else if used {
		return nil, &Error{Reason: Missing, Message: fmt.Sprintf("Secret %s/%s is gone, and objects of the namespace have been "+
			"sent with it; the operator's own credential does not replace it: create the Secret again", object.GetNamespace(), SecretName)}
	}
	return own, nil
}

// Auxiliary returns the client with the credential for another tenant that an object names, or nil. beforeRead is
// called with the Secret before it is read.
func (s *Store) Auxiliary(ctx context.Context, object metav1.Object, beforeRead func(types.NamespacedName)) (*client.Client, error) {
	name, err := secretIn(object, annotation.AuxiliaryCredentialFrom)
	if name == "" || err != nil {
		return nil, err
	}
	secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: name}
	beforeRead(secret)
	c, err := s.ofSecret(ctx, secret, annotation.AuxiliaryCredentialFrom, false)
	if err != nil {
		return nil, err
	}
	return c.Client, nil
}

// secretIn returns the name of a Secret in an annotation, or "".
func secretIn(object metav1.Object, of string) (string, error) {
	name := object.GetAnnotations()[of]
	if name != "" && len(validation.IsDNS1123Subdomain(name)) > 0 {
		return "", &Error{Reason: Invalid, Message: fmt.Sprintf(
			"found %q in the annotation %s, expected the name of a Secret in namespace %s, which is the object's own", name, of,
			object.GetNamespace())}
	}
	return name, nil
}

// own returns the operator's own credential, if it serves the namespace.
func (s *Store) own(namespace string) (*Credential, error) {
	if s.options.Own == nil || !includes(s.options.Namespaces, namespace) {
		return nil, &Error{Reason: Missing, Message: fmt.Sprintf(
			"the operator's own credential does not serve namespace %s: put one into Secret %s", namespace, SecretName)}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.clients[types.NamespacedName{}]
	if c == nil {
		c = &Credential{Subscription: s.options.Subscription, throttle: s.throttle("")}
		var err error
		if c.Client, err = s.options.Client(s.options.Own, c.throttle); err != nil {
			return nil, err
		}
		s.clients[types.NamespacedName{}] = c
	}
	return c, nil
}

// includes reports whether a list of namespaces includes one.
func includes(namespaces []string, namespace string) bool {
	return slices.Contains(namespaces, namespace) || slices.Contains(namespaces, "*")
}

// ofSecret returns the credential in a Secret, whose name is in the annotation by, unless it is [SecretName]. inUse
// reports whether the object has sent something with it, and so may use the Secret while that is being deleted.
func (s *Store) ofSecret(ctx context.Context, name types.NamespacedName, by string, inUse bool) (*Credential, error) {
	unlock := s.locks.Lock(name)
	defer unlock()
	s.mutex.Lock()
	c, absent, held, changes := s.clients[name], s.absent[name], s.held[name], s.changes
	s.mutex.Unlock()
	switch {
	case c != nil && c.deleting && !inUse:
		return nil, deletingError(name)
	case c != nil && (held || !inUse):
		return c, nil
	}
	missing := &Error{Reason: Missing, absent: true, Message: fmt.Sprintf(
		"there is no Secret %s, and the operator's own credential does not serve namespace %s", name, name.Namespace)}
	if name.Name != SecretName || by != annotation.CredentialFrom {
		missing.Message = fmt.Sprintf("there is no Secret %s, which the annotation %s names", name, by)
	}
	if absent {
		return nil, missing
	}
	var secret corev1.Secret
	if err := s.options.Live.Get(ctx, name, &secret); apierrors.IsNotFound(err) {
		s.keep(changes, func() {
			s.absent[name] = true
			delete(s.clients, name)
			delete(s.stale, name)
		})
		return nil, missing
	} else if err != nil {
		return nil, Unreadable(name, err)
	}
	if !secret.DeletionTimestamp.IsZero() && !inUse {
		return nil, deletingError(name)
	}
	c, err := s.credential(name, &secret)
	if err != nil {
		return nil, err
	}
	s.keep(changes, func() {
		s.clients[name] = c
		delete(s.stale, name)
	})
	if inUse && !held {
		// Somebody may have recreated the Secret since, or removed the finalizer. If the object has
		// released the Secret, and a cache does not show that yet, it releases the Secret once more.
		err = s.hold(ctx, name, &secret, changes)
	}
	return c, err
}

// deletingError returns the error for an object that may not use a Secret that is being deleted, because it
// has sent nothing with it.
func deletingError(name types.NamespacedName) error {
	return &Error{Reason: Missing, Message: fmt.Sprintf("Secret %s is being deleted, and will be gone when no object "+
		"needs it any more: name another one in the annotation %s", name, annotation.CredentialFrom)}
}

// keep calls note, which stores something that was read, unless the watches have reported a change since.
func (s *Store) keep(changes int, note func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.changes == changes {
		note()
	}
}

// credential returns the credential in a Secret. If the content is the same as before, it keeps the client
// with its tokens: in a namespace that is being deleted there may be no new ones.
func (s *Store) credential(name types.NamespacedName, secret *corev1.Secret) (*Credential, error) {
	if secret.Labels[annotation.OutputOf] != "" { // whoever may create objects chooses its content
		return nil, &Error{Reason: Invalid, Message: fmt.Sprintf(
			"Secret %s holds outputs of an object, so it cannot be a credential: name another one in the annotation %s",
			name, annotation.CredentialFrom)}
	}
	made := &Credential{content: digestOf(secret.Data), Secret: name.Name, Subscription: text(secret.Data, SubscriptionKey),
		deleting: !secret.DeletionTimestamp.IsZero()}
	s.mutex.Lock()
	made.throttle = s.throttle(principalOf(secret.Data))
	for _, before := range []*Credential{s.clients[name], s.stale[name]} {
		if before != nil && before.content == made.content {
			made.Client = before.Client
		}
	}
	s.mutex.Unlock()
	if made.Client != nil {
		return made, nil
	}
	token, err := s.options.New(Source{Content: secret.Data, Cloud: s.options.Cloud,
		OperatorToken: includes(s.options.TokenNamespaces, name.Namespace), AccountToken: s.accountTokens(name)})
	if err != nil {
		var values []string
		for _, v := range secret.Data {
			values = append(values, string(v), strings.TrimSpace(string(v)))
		}
		return nil, &Error{Reason: Invalid, Message: client.NewSecrets(values...).Remove(fmt.Sprintf("Secret %s: %v", name, err))}
	}
	made.Client, err = s.options.Client(token, made.throttle)
	return made, err
}

// refusedFor is how long the API server is not asked again after it refused a token, so that thousands of
// objects do not all ask.
const refusedFor = 30 * time.Second

// accountTokens returns a function that requests tokens of ServiceAccounts in the namespace of a Secret.
func (s *Store) accountTokens(secret types.NamespacedName) func(context.Context, string) (string, error) {
	var mutex sync.Mutex
	var refusal *Error
	var until time.Time
	return func(ctx context.Context, account string) (string, error) {
		mutex.Lock()
		defer mutex.Unlock()
		if s.options.Now().Before(until) {
			return "", refusal
		}
		lifetime := int64(10 * time.Minute / time.Second) // the shortest that is allowed; the token is used at once
		request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
			Audiences: []string{s.options.Audience}, ExpirationSeconds: &lifetime}}
		err := s.options.API.SubResource("token").Create(ctx,
			&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: secret.Namespace, Name: account}}, request)
		switch {
		case err == nil:
			return request.Status.Token, nil
		case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause),
			apierrors.IsForbidden(err) && s.options.Terminates(secret.Namespace): // whose Role may be gone
			refusal = &Error{Reason: TokenForbidden, Message: fmt.Sprintf("namespace %s is being deleted, and there is no new token of "+
				"ServiceAccount %s in it: put %s into Secret %s in place of %s, or set the annotation %s of the object to %s, which "+
				"leaves its resource in Azure. Another time delete the objects first, and then the namespace", secret.Namespace, account,
				ClientSecretKey, secret.Name, ServiceAccountKey, annotation.Deletion, annotation.DeletionDetach)}
		case apierrors.IsForbidden(err):
			refusal = &Error{Reason: TokenForbidden, Message: fmt.Sprintf("the operator has no right to tokens of ServiceAccount %s/%s, "+
				"which Secret %s names: apply what `armature identity --namespace %s --service-account %s` prints",
				secret.Namespace, account, secret.Name, secret.Namespace, account)}
		case apierrors.IsNotFound(err):
			refusal = &Error{Reason: Invalid, Message: fmt.Sprintf("Secret %s names the ServiceAccount %s, which does not exist",
				secret, account)}
		default:
			return "", &Error{Reason: NoToken, Message: fmt.Sprintf("the API server gives no token of ServiceAccount %s/%s: %v",
				secret.Namespace, account, err)}
		}
		until = s.options.Now().Add(refusedFor)
		return "", refusal
	}
}

// throttle is the throttle of a principal.
type throttle struct {
	client.Throttle
	lastUsed time.Time // when it was last asked for
}

// throttleKept is how long a throttle that nobody uses is kept.
const throttleKept = time.Hour

// throttle returns the throttle of a principal. If that is new, it drops the throttles that nobody uses and
// that hold back nothing: whoever may write a Secret may name any number of principals. The caller holds
// the mutex.
func (s *Store) throttle(principal string) *client.Throttle {
	now := s.options.Now()
	if s.throttles[principal] == nil {
		used := map[*client.Throttle]bool{}
		for _, all := range []map[types.NamespacedName]*Credential{s.clients, s.stale} {
			for _, c := range all {
				used[c.throttle] = true
			}
		}
		maps.DeleteFunc(s.throttles, func(_ string, t *throttle) bool {
			return now.Sub(t.lastUsed) > throttleKept && !used[&t.Throttle] && !t.Holds(now)
		})
		s.throttles[principal] = new(throttle)
	}
	s.throttles[principal].lastUsed = now
	return &s.throttles[principal].Throttle
}

// principalOf returns a name for the principal in the content of a Secret.
func principalOf(content map[string][]byte) string {
	return strings.ToLower(text(content, TenantKey) + "/" + text(content, ClientKey))
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

// Hold puts a finalizer on the Secret of a credential; otherwise the deletion of a namespace would remove
// the Secret before the objects that need it. It locks the Secret: the caller calls unlock after the
// object's record says that it uses the Secret.
func (s *Store) Hold(ctx context.Context, namespace string, with *Credential) (unlock func(), err error) {
	if with.Secret == "" {
		return func() {}, nil
	}
	name := types.NamespacedName{Namespace: namespace, Name: with.Secret}
	unlock = s.locks.Lock(name)
	s.mutex.Lock()
	held, changes := s.held[name], s.changes
	s.mutex.Unlock()
	if held {
		return unlock, nil
	}
	var secret corev1.Secret
	if err = s.options.Live.Get(ctx, name, &secret); err != nil {
		err = Unreadable(name, err)
	} else {
		err = s.hold(ctx, name, &secret, changes)
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// hold puts the finalizer on a Secret that was read, and the label by which such Secrets are found, unless
// the Secret is being deleted: then it is too late for them.
func (s *Store) hold(ctx context.Context, name types.NamespacedName, secret *corev1.Secret, changes int) error {
	before := secret.DeepCopy()
	added := controllerutil.AddFinalizer(secret, annotation.CredentialFinalizer)
	if added || secret.Labels[annotation.CredentialHolder] == "" {
		metav1.SetMetaDataLabel(&secret.ObjectMeta, annotation.CredentialHolder, s.options.Holder)
		added = true
	}
	if added && secret.DeletionTimestamp.IsZero() {
		patch := ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{})
		if err := s.options.API.Patch(ctx, secret, patch); err != nil {
			if strings.Contains(err.Error(), "denied") { // by an admission policy or a webhook, whatever the rights are
				return err
			}
			return Unreadable(name, err)
		}
	}
	s.keep(changes, func() { s.held[name] = true })
	return nil
}

// Changed notes that a Secret may have changed, so that it is read again. Its client is used again if the
// content is the same.
func (s *Store) Changed(name types.NamespacedName) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.changed(name)
}

// changed is Changed for a caller that holds the mutex.
func (s *Store) changed(name types.NamespacedName) {
	s.changes++
	if c := s.clients[name]; c != nil {
		s.stale[name] = c
	}
	delete(s.clients, name)
	delete(s.absent, name)
	delete(s.held, name)
}

// Forget drops what is known of a Secret that is no longer watched.
func (s *Store) Forget(name types.NamespacedName) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.changed(name)
	delete(s.stale, name)
}

// Release removes the finalizer from a Secret, unless an object with another uid than leaving needs the
// Secret for its deletion.
func (s *Store) Release(ctx context.Context, name types.NamespacedName, leaving types.UID) error {
	unlock := s.locks.Lock(name)
	defer unlock()
	s.mutex.Lock()
	absent := s.absent[name]
	s.mutex.Unlock()
	if absent {
		return nil
	}
	var secret corev1.Secret
	if err := s.options.Live.Get(ctx, name, &secret); apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return Unreadable(name, err)
	}
	before := secret.DeepCopy()
	if !controllerutil.RemoveFinalizer(&secret, annotation.CredentialFinalizer) {
		return nil
	}
	delete(secret.Labels, annotation.CredentialHolder)
	inUse, err := s.options.InUse(ctx, name, leaving)
	if err != nil || inUse {
		return err
	}
	s.Changed(name)
	err = s.options.API.Patch(ctx, &secret, ctrlclient.MergeFromWithOptions(before, ctrlclient.MergeFromWithOptimisticLock{}))
	return ctrlclient.IgnoreNotFound(err)
}

// Unreadable returns the error of reading a Secret or writing its finalizer. If the operator has no right
// to the Secret, that is an [Error] that says how to grant it.
func Unreadable(name types.NamespacedName, err error) error {
	if !apierrors.IsForbidden(err) {
		return err
	}
	return &Error{Reason: SecretForbidden, Message: fmt.Sprintf(
		"the operator has no right to Secret %s: bind the ClusterRole of its release that may get, list, patch and watch secrets "+
			"to its account in namespace %s", name, name.Namespace)}
}
