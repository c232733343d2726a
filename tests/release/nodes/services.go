package nodes

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// connect is the proxy through which the API server reaches Services.
func (n *Nodes) connect(out http.ResponseWriter, in *http.Request) {
	address, err := n.lookUp(in)
	if err != nil {
		http.Error(out, err.Error(), http.StatusServiceUnavailable)
		return
	}
	to, err := net.Dial("tcp", address)
	if err != nil {
		http.Error(out, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer to.Close()
	out.WriteHeader(http.StatusOK)
	from, buffered, err := http.NewResponseController(out).Hijack()
	if err != nil {
		return
	}
	defer from.Close()
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(to, buffered); to.(*net.TCPConn).CloseWrite() })
	both.Go(func() { _, _ = io.Copy(from, to); from.(*net.UnixConn).CloseWrite() })
	both.Wait()
}

// lookUp returns the address of a ready pod of the Service that a request wants to reach.
func (n *Nodes) lookUp(in *http.Request) (string, error) {
	host, port, err := net.SplitHostPort(in.Host)
	if in.URL.Host != "" {
		host, port, err = net.SplitHostPort(in.URL.Host)
	}
	if err != nil {
		return "", err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return "", err
	}
	services, err := n.clients.CoreV1().Services(metav1.NamespaceAll).List(in.Context(), metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	for i := range services.Items {
		s := &services.Items[i]
		if s.Spec.ClusterIP != host {
			continue
		}
		for _, p := range s.Spec.Ports {
			if int(p.Port) == number {
				return n.ready(s, p.TargetPort.StrVal)
			}
		}
	}
	return "", fmt.Errorf("no Service listens at %s:%s", host, port)
}

// ready returns the address of a port of a pod that a Service leads to, of each in turn.
func (n *Nodes) ready(of *corev1.Service, port string) (string, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	var addresses []string
	for key, d := range n.deployments {
		if key.Namespace != of.Namespace {
			continue
		}
		for _, p := range d.pods {
			if p.ready && labels.SelectorFromSet(of.Spec.Selector).Matches(labels.Set(p.labels)) {
				addresses = append(addresses, p.ports[port])
			}
		}
	}
	if len(addresses) == 0 {
		return "", fmt.Errorf("the Service %s/%s has no pod that is ready", of.Namespace, of.Name)
	}
	n.turn++
	return addresses[n.turn%len(addresses)], nil
}
