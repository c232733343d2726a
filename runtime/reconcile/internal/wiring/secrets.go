package wiring

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/flowcontrol"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// secretsAtOnce is how many Secrets of a namespace are read one by one at once, and secretsPerSecond how many
	// each second after that: one namespace does not use up what the API server grants the operator.
	secretsAtOnce, secretsPerSecond = 64, 20
	// listKept is how long the Secrets of a list are kept, if none changes, and listEvery how long after a list there
	// is no other one of the namespace.
	listKept, listEvery = 30 * time.Second, 5 * time.Second
	// listSize is how many bytes of Secrets are kept of a list.
	listSize = 8 << 20
)

// secrets reads Secrets from the API server, each by itself, or, if many of a namespace are read at once, as after a
// start, all of the namespace by one list. A list is kept for a short time, and only while a watch of the namespace
// would report that one of its Secrets has changed.
type secrets struct {
	api ctrlclient.Reader
	// watchesAll reports whether all Secrets of a namespace are watched.
	watchesAll func(namespace string) bool

	mutex sync.Mutex
	of    map[string]*listedSecrets // by namespace
}

// listedSecrets has the Secrets of a namespace.
type listedSecrets struct {
	single  flowcontrol.RateLimiter
	changes atomic.Int64 // how many changes of Secrets the watch has reported

	mutex sync.Mutex // held while they are listed
	// list has the Secrets by their names, nil if there is no list. It is valid as long as the number of changes is at.
	// If it is complete, there are no others.
	list     map[string]*corev1.Secret
	complete bool
	at       int64
	listed   time.Time
}

func newSecrets(api ctrlclient.Reader, watchesAll func(string) bool) *secrets {
	return &secrets{api: api, watchesAll: watchesAll, of: map[string]*listedSecrets{}}
}

// in returns the Secrets of a namespace.
func (s *secrets) in(namespace string) *listedSecrets {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	n := s.of[namespace]
	if n == nil {
		n = &listedSecrets{single: flowcontrol.NewTokenBucketRateLimiter(secretsPerSecond, secretsAtOnce)}
		s.of[namespace] = n
	}
	return n
}

// changed notes that a Secret of a namespace has changed. Call it before anything is woken because of that.
func (s *secrets) changed(namespace string) { s.in(namespace).changes.Add(1) }

// get is [Cluster].Secret.
func (s *secrets) get(ctx context.Context, name types.NamespacedName) (*corev1.Secret, error) {
	n := s.in(name.Namespace)
	listed, known := n.find(ctx, s, name)
	switch {
	case listed != nil:
		return listed.DeepCopy(), nil
	case known:
		return new(corev1.Secret), apierrors.NewNotFound(corev1.Resource("secrets"), name.Name)
	}
	secret := new(corev1.Secret)
	return secret, s.api.Get(ctx, name, secret)
}

// find returns a Secret from the list, which it makes if many are read, or nil. It reports whether the list shows that
// the Secret is there, or is not. If neither, it returns when another one may be read by itself.
func (n *listedSecrets) find(ctx context.Context, s *secrets, name types.NamespacedName) (_ *corev1.Secret, known bool) {
	n.mutex.Lock()
	watched := s.watchesAll(name.Namespace)
	if !watched || n.changes.Load() != n.at {
		n.list = nil
	}
	mayRead := n.list == nil && n.single.TryAccept()
	if n.list == nil && !mayRead && watched && time.Since(n.listed) >= listEvery {
		n.read(ctx, s.api, name.Namespace)
	}
	secret, complete := n.list[name.Name], n.list != nil && n.complete
	n.mutex.Unlock()
	if secret != nil || complete {
		return secret, true
	}
	if !mayRead {
		_ = n.single.Wait(ctx) // if the context has ended, the read fails
	}
	return nil, false
}

// read lists the Secrets of a namespace. If it fails, they are read one by one.
func (n *listedSecrets) read(ctx context.Context, api ctrlclient.Reader, namespace string) {
	at, list, size := n.changes.Load(), map[string]*corev1.Secret{}, 0
	n.listed, n.complete = time.Now(), true
	for next := ""; ; {
		var page corev1.SecretList
		err := api.List(ctx, &page, ctrlclient.InNamespace(namespace), ctrlclient.Limit(500), ctrlclient.Continue(next))
		if err != nil {
			return
		}
		for i := range page.Items {
			if size += page.Items[i].Size(); size > listSize {
				n.complete = false
				break
			}
			list[page.Items[i].Name] = &page.Items[i]
		}
		if next = page.Continue; next == "" || !n.complete {
			break
		}
	}
	n.list, n.at = list, at
	time.AfterFunc(listKept, func() {
		n.mutex.Lock()
		defer n.mutex.Unlock()
		if time.Since(n.listed) >= listKept {
			n.list = nil
		}
	})
}
