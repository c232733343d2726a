// Package controlplane runs a kube-apiserver with its etcd on loopback, for
// tests and demonstrations. Its main type is [ControlPlane].
package controlplane

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// ControlPlane is a running API server with its etcd, and clients of both.
type ControlPlane struct {
	// Config authenticates as an administrator, and does not limit the rate of
	// requests.
	Config *rest.Config
	// Kubeconfig is a kubeconfig file with the same credentials.
	Kubeconfig []byte
	Client     dynamic.Interface
	Discovery  *discovery.DiscoveryClient
	CRDs       apiextensions.CustomResourceDefinitionInterface
	Etcd       *clientv3.Client
	// Certificates is a folder with tls.crt and tls.key for a webhook on
	// loopback. CA has signed them.
	Certificates string
	CA           []byte

	environment envtest.Environment
}

// Options configure a [ControlPlane].
type Options struct {
	// Binaries is the folder with kube-apiserver and etcd, such as the target
	// tools/controlplane/binaries makes. The environment variable
	// KUBEBUILDER_ASSETS overrides it.
	Binaries string
	// Port is the API server's port, or 0 for any free one.
	Port int
	// Services is the Unix socket of a proxy, through whose CONNECT the API server reaches the
	// Services of webhooks. Without it, it reaches webhooks by URLs alone.
	Services string
	// Nodes has the API server listen at [ServiceAddress], which has to be an address of this
	// machine, and do what it does in a cluster with nodes: it lets them read what their pods need,
	// gives pods their accounts, and reaches the Services of webhooks at the addresses of their pods.
	Nodes bool
}

// ServiceAddress is the address of the Service through which pods reach the API server.
const ServiceAddress = "10.0.0.1"

// Start starts both processes outside of the caller's process group, and waits
// until they answer. If it returns an error, neither process is left.
func Start(options Options) (*ControlPlane, error) {
	p := &ControlPlane{}
	p.environment.UseExistingCluster = new(bool) // whatever the variable USE_EXISTING_CLUSTER says
	p.environment.BinaryAssetsDirectory = options.Binaries
	p.environment.ControlPlaneStartTimeout = 5 * time.Minute
	var apiServerLog, etcdLog tail
	p.environment.ControlPlane.Etcd = &envtest.Etcd{Err: &etcdLog}
	apiServer := p.environment.ControlPlane.GetAPIServer()
	apiServer.Err = &apiServerLog
	certificates, err := os.MkdirTemp("", "apiserver-")
	if err != nil {
		return nil, err
	}
	apiServer.CertDir = certificates // which a restart does not make anew
	// A sandbox without a network has no address that the server could advertise.
	apiServer.Configure().
		Set("advertise-address", "127.0.0.1").
		Set("endpoint-reconciler-type", "none")
	if options.Services != "" {
		file := filepath.Join(certificates, "egress.yaml")
		if err := os.WriteFile(file, fmt.Appendf(nil, egress, options.Services), 0o600); err != nil {
			return nil, err
		}
		apiServer.Configure().Set("egress-selector-config-file", file)
	}
	if options.Nodes {
		apiServer.SecureServing.ListenAddr = envtest.ListenAddr{Address: ServiceAddress, Port: "443"}
		apiServer.Configure().Disable("disable-admission-plugins").
			Set("advertise-address", ServiceAddress).
			Set("authorization-mode", "Node", "RBAC").
			Set("enable-admission-plugins", "NodeRestriction").
			Set("enable-aggregator-routing", "true")
	}
	if options.Port != 0 {
		if err := available(options.Port); err != nil {
			return nil, err
		}
		apiServer.SecureServing.ListenAddr = envtest.ListenAddr{Address: "127.0.0.1", Port: strconv.Itoa(options.Port)}
	}
	config, err := p.environment.Start()
	if err != nil {
		return nil, errors.Join(err, apiServerLog.error("kube-apiserver"), etcdLog.error("etcd"), p.Stop())
	}
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{} // old versions are deprecated
	config.Wrap(func(to http.RoundTripper) http.RoundTripper { return administrator{to} })
	p.Config, p.Kubeconfig = config, p.environment.KubeConfig
	p.Certificates, p.CA = p.environment.WebhookInstallOptions.LocalServingCertDir, p.environment.WebhookInstallOptions.LocalServingCAData
	if err := p.connect(); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// egress has the API server reach what is in the cluster by a proxy.
const egress = `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: HTTPConnect
    transport:
      uds:
        udsName: %q
`

// FreeAddress returns an address on loopback that nothing listens at.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// available returns an error if a port is in use. The API server's own error
// would not say so.
func available(port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return listener.Close()
}

func (p *ControlPlane) connect() error {
	var errs [4]error
	p.Client, errs[0] = dynamic.NewForConfig(p.Config)
	p.Discovery, errs[1] = discovery.NewDiscoveryClientForConfig(p.Config)
	crds, err := apiextensions.NewForConfig(p.Config)
	errs[2] = err
	if err == nil {
		p.CRDs = crds.CustomResourceDefinitions()
	}
	p.Etcd, errs[3] = clientv3.New(clientv3.Config{Endpoints: []string{p.environment.ControlPlane.Etcd.URL.String()}})
	return errors.Join(errs[:]...)
}

// User returns a kubeconfig for a user.
func (p *ControlPlane) User(name string, groups ...string) (kubeconfig []byte, err error) {
	user, err := p.environment.AddUser(envtest.User{Name: name, Groups: groups}, nil)
	if err != nil {
		return nil, err
	}
	return user.KubeConfig()
}

// AccountKey returns the path of the key that signs the tokens of accounts.
func (p *ControlPlane) AccountKey() string {
	return filepath.Join(p.environment.ControlPlane.GetAPIServer().CertDir, "sa-signer.key")
}

// RestartAPIServer stops the API server, calls down if that is not nil, and starts the
// server again, with the same address and certificates.
func (p *ControlPlane) RestartAPIServer(down func()) error {
	apiServer := p.environment.ControlPlane.GetAPIServer()
	// One with watches does not stop in time, and is killed.
	if err := apiServer.Stop(); err != nil && !strings.Contains(err.Error(), "timeout waiting for process") {
		return err
	}
	if down != nil {
		down()
	}
	return apiServer.Start()
}

// Stop ends both processes.
func (p *ControlPlane) Stop() error {
	defer os.RemoveAll(p.environment.ControlPlane.GetAPIServer().CertDir)
	var err error
	if p.Etcd != nil {
		err = p.Etcd.Close()
	}
	return errors.Join(err, p.environment.Stop())
}

// tail keeps the end of what a process writes.
type tail struct {
	mutex sync.Mutex
	text  []byte
}

const tailLength = 1 << 10

func (t *tail) Write(text []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, text...)
	t.text = t.text[max(len(t.text)-tailLength, 0):]
	return len(text), nil
}

func (t *tail) error(process string) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if len(t.text) == 0 {
		return nil
	}
	return fmt.Errorf("the end of the log of %s:\n%s", process, bytes.TrimSpace(t.text))
}
