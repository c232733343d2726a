// Package nodes does, for tests of releases, what a cluster has beside its API server: a registry, and nodes that run
// Deployments. Its main type is [Nodes].
//
// It is a double, and knows what releases of Armature need: a pod is a process on loopback, which runs the program of
// its image with the arguments, Secrets and account of the Deployment; pods are replaced as by a rolling update; a
// Service leads to those that are ready. It isolates nothing, and has neither limits nor network policies. With
// ARMATURE_NODE, as in .ci/nodes, it is a real node.
package nodes

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/armature-dev/armature/tests/e2e/cluster"
	"github.com/armature-dev/armature/tools/controlplane"
)

// Nodes are those of a cluster, which runs until the test ends.
type Nodes struct {
	*cluster.Cluster
	// Registry is the name of the registry that the cluster pulls images from.
	Registry string
	// MayRestart says that the test itself has containers of a real node end. Otherwise it is an error if one does.
	MayRestart atomic.Bool

	t       testing.TB
	clients kubernetes.Interface
	// arguments are more of a container, by its name.
	arguments map[string][]string
	folder    string // for what pods have
	images    images

	mutex       sync.Mutex // of what the proxy and the controller share
	deployments map[types.NamespacedName]*deployment
	turn        int // how often a Service led to a pod
}

// Start starts a cluster with an API server, etcd, a registry and nodes. arguments are given to the containers of some
// names, beside those of their Deployments, such as the address of what stands in for ARM.
func Start(t testing.TB, arguments map[string][]string) *Nodes {
	t.Helper()
	n := &Nodes{t: t, arguments: arguments, folder: t.TempDir(), deployments: map[types.NamespacedName]*deployment{}}
	n.images = images{folder: t.TempDir(), programs: map[string]string{}}
	pulled := httptest.NewServer(registry.New(registry.Logger(discard())))
	t.Cleanup(pulled.Close)
	n.Registry = pulled.Listener.Addr().String()
	if Real() {
		n.startPlane(controlplane.Options{Nodes: true})
		n.startReal()
		return n
	}

	// The path of a socket has at most 107 bytes, and that of the test's folder may have more.
	sockets, err := os.MkdirTemp("/tmp", "nodes-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	listener, err := net.Listen("unix", filepath.Join(sockets, "services"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := &http.Server{Handler: http.HandlerFunc(n.connect), ErrorLog: discard()}
	go proxy.Serve(listener)
	t.Cleanup(func() { proxy.Close() })
	n.startPlane(controlplane.Options{Services: listener.Addr().String()})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); n.control(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-ended
		n.stopAll()
	})
	return n
}

// startPlane starts the API server and etcd.
func (n *Nodes) startPlane(options controlplane.Options) {
	n.t.Helper()
	var err error
	if n.Cluster, err = cluster.StartWith(options); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		if err := n.Stop(); err != nil {
			n.t.Error(err)
		}
	})
	if n.clients, err = kubernetes.NewForConfig(n.Config); err != nil {
		n.t.Fatal(err)
	}
}

// Push pushes an image to the registry under a name, as crane does. It keeps its digest.
func (n *Nodes) Push(repository string, index v1.ImageIndex) {
	n.t.Helper()
	to, err := name.NewRepository(n.Registry + "/" + repository)
	if err == nil {
		err = remote.WriteIndex(to.Tag("pushed"), index)
	}
	if err != nil {
		n.t.Fatal(err)
	}
}

// pause is how often the nodes look at the cluster.
const pause = 100 * time.Millisecond

// control runs what the cluster's Deployments say, and empties namespaces that go, until the context ends.
func (n *Nodes) control(ctx context.Context) {
	for {
		if err := errors.Join(n.runDeployments(ctx), n.endNamespaces(ctx)); err != nil && ctx.Err() == nil {
			n.t.Logf("nodes: %v", err) // an API server may be busy; the next turn tries again
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// runDeployments brings all Deployments nearer to what they say.
func (n *Nodes) runDeployments(ctx context.Context) error {
	list, err := n.clients.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	found := map[types.NamespacedName]bool{}
	var errs []error
	for i := range list.Items {
		of := &list.Items[i]
		key := types.NamespacedName{Namespace: of.Namespace, Name: of.Name}
		found[key] = true
		n.mutex.Lock()
		d := n.deployments[key]
		if d == nil {
			d = &deployment{}
			n.deployments[key] = d
		}
		n.mutex.Unlock()
		if err := n.advance(ctx, of, d); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", key, err))
		}
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for key, d := range n.deployments {
		if !found[key] {
			for _, p := range d.pods {
				p.stop()
			}
			delete(n.deployments, key)
		}
	}
	return errors.Join(errs...)
}

// stopAll stops all pods, and shows what they wrote if the test has failed.
func (n *Nodes) stopAll() {
	for key, d := range n.deployments {
		for _, p := range d.pods {
			p.stop()
		}
		if n.t.Failed() {
			for _, p := range d.pods {
				n.t.Logf("a pod of %s:\n%s", key, p.end())
			}
		}
	}
}

// endNamespaces deletes what is in namespaces that are being deleted, and then lets them go.
func (n *Nodes) endNamespaces(ctx context.Context) error {
	list, err := n.clients.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		namespace := &list.Items[i]
		if namespace.DeletionTimestamp == nil {
			continue
		}
		if err := n.empty(ctx, namespace.Name); err != nil {
			return err
		}
		namespace.Spec.Finalizers = nil
		if _, err := n.clients.CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// empty deletes what a release has in a namespace.
func (n *Nodes) empty(ctx context.Context, namespace string) error {
	apps, core := n.clients.AppsV1().Deployments(namespace), n.clients.CoreV1()
	all := metav1.ListOptions{}
	services, err := core.Services(namespace).List(ctx, all)
	if err != nil {
		return err
	}
	errs := []error{
		apps.DeleteCollection(ctx, metav1.DeleteOptions{}, all),
		core.Secrets(namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, all),
		core.ServiceAccounts(namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, all),
	}
	for _, s := range services.Items {
		errs = append(errs, core.Services(namespace).Delete(ctx, s.Name, metav1.DeleteOptions{}))
	}
	return errors.Join(errs...)
}
