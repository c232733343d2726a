package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	cachescheme "github.com/armature-dev/armature/apis/cache/scheme"
	crmscheme "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/command"
	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tools/controlplane"
)

// stage holds everything that runs.
type stage struct {
	*controlplane.ControlPlane
	folder     string // of all temporary files
	arm        *armtest.Server
	armURL     string
	seen       int    // how many requests to ARM were shown
	metrics    string // URL of the webhook's metrics
	webhook    string // address
	conversion *apiextensionsv1.CustomResourceConversion
	stops      []func() error
}

// groups are the service groups of the story. Their files lie below the folder
// where `bazel run` starts the demo, and so do the binaries.
var (
	groups   = []string{"cache", "crm"}
	binaries = filepath.Join("tools", "controlplane", "binaries", "bin")
)

func crds(group string) string { return filepath.Join("apis", group, "crds") }

// build starts everything. The stage that it returns must be stopped even if it
// returns an error.
func build(ctx context.Context, s *screen, port int) (*stage, error) {
	g := &stage{}
	if _, err := os.Stat(crds(groups[0])); errors.Is(err, fs.ErrNotExist) {
		return g, fmt.Errorf("%s is not in this folder; start the demo with ./bazelw run //tools/demo", crds(groups[0]))
	}
	if err := g.makeFolder(); err != nil {
		return g, err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(cachescheme.AddToScheme(scheme), crmscheme.AddToScheme(scheme)); err != nil {
		return g, err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"API server and etcd", func() error { return g.startControlPlane(port) }},
		{"conversion webhook", func() error { return g.startWebhook(scheme) }},
		{"stand-in for ARM", func() error { return g.startARM("apis") }},
		{"CRDs of cache and crm", func() error { return g.install(ctx) }},
		{"operator", g.startOperator},
	} {
		if err := s.step(step.name, step.do); err != nil {
			return g, err
		}
		if err := ctx.Err(); err != nil {
			return g, err
		}
	}
	return g, nil
}

// room is an upper bound of what etcd and the rest write, in bytes.
const room = 300 << 20

// makeFolder makes the folder of all temporary files, and points TMPDIR there
// for etcd and the API server.
func (g *stage) makeFolder() (err error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(os.TempDir(), &disk); err != nil {
		return fmt.Errorf("%s: %w", os.TempDir(), err)
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < room {
		return fmt.Errorf("%s has %d MB free, and etcd needs %d: make room, or name another folder by TMPDIR", os.TempDir(),
			free>>20, room>>20)
	}
	if g.folder, err = os.MkdirTemp("", "armature-demo-"); err != nil {
		return err
	}
	g.stops = append(g.stops, func() error { return os.RemoveAll(g.folder) })
	return os.Setenv("TMPDIR", g.folder)
}

func (g *stage) startControlPlane(port int) (err error) {
	g.ControlPlane, err = controlplane.Start(controlplane.Options{Binaries: binaries, Port: port})
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is in use: choose another by --port, or leave that out for any free one", port)
	}
	if err != nil {
		return err
	}
	g.stops = append(g.stops, g.ControlPlane.Stop)
	return os.WriteFile(g.kubeconfig(), g.Kubeconfig, 0o600)
}

func (g *stage) kubeconfig() string { return filepath.Join(g.folder, "kubeconfig") }

// log creates the log of a program.
func (g *stage) log(program string) (*os.File, error) { return os.Create(g.logOf(program)) }

func (g *stage) logOf(program string) string { return filepath.Join(g.folder, program+".log") }

// startWebhook starts the server that the target tools/webhook runs too.
func (g *stage) startWebhook(scheme *runtime.Scheme) error {
	log, err := g.log("webhook")
	if err != nil {
		return err
	}
	metrics := prometheus.NewRegistry()
	handler, err := webhook.New(webhook.Options{Scheme: scheme, Metrics: metrics, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		return err
	}
	server, err := webhook.NewServer(handler, webhook.ServerOptions{
		Address:    "127.0.0.1:0",
		Operations: "127.0.0.1:0",
		CertFile:   filepath.Join(g.Certificates, "tls.crt"),
		KeyFile:    filepath.Join(g.Certificates, "tls.key"),
		Metrics:    metrics,
		Drain:      -1,
	})
	if err != nil {
		return err
	}
	g.background(server.Run)
	g.metrics = "http://" + server.Operations() + "/metrics"
	g.conversion = controlplane.ConversionAt(server.Address(), g.CA)
	return nil
}

// startARM starts the stand-in for ARM with the specs in a folder.
func (g *stage) startARM(specs string) (err error) {
	if g.arm, err = armtest.New(os.DirFS(specs)); err != nil {
		return err
	}
	g.stops = append(g.stops, g.arm.Close)
	g.armURL, err = g.arm.Listen("127.0.0.1:0")
	return err
}

func (g *stage) install(ctx context.Context) error {
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, group := range groups {
		crds, err := controlplane.ReadCRDs(crds(group))
		if err != nil {
			return err
		}
		all = append(all, crds...)
	}
	return g.Install(ctx, g.conversion, all...)
}

// startOperator starts what the target tools/operator runs too.
func (g *stage) startOperator() error {
	log, err := g.log("operator")
	if err != nil {
		return err
	}
	g.background(func(ctx context.Context) error {
		return command.Run(ctx, g.operatorFlags("0"), log, cachescheme.AddToScheme, crmscheme.AddToScheme)
	})
	return nil
}

// operatorFlags are those of an operator that manages the namespace default. health is
// where it says whether it is ready.
func (g *stage) operatorFlags(health string) []string {
	return []string{
		"--kubeconfig=" + g.kubeconfig(), "--namespace=default", "--leader-elect=false",
		"--arm-endpoint=" + g.armURL, "--credential-namespace=default",
		"--metrics-address=0", "--health-address=" + health, "--log-level=debug",
	}
}

// newRequests returns the requests to ARM that have not been shown.
func (g *stage) newRequests() []armtest.Request {
	all := g.arm.Requests()[g.seen:]
	g.seen += len(all)
	return all
}

// background calls run with a context that ends when the stage is stopped.
func (g *stage) background(run func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	g.stops = append(g.stops, func() error { cancel(); return <-done })
}

// stop stops everything, in the reverse order of its start.
func (g *stage) stop() error {
	var errs []error
	for len(g.stops) > 0 {
		last := len(g.stops) - 1
		errs = append(errs, g.stops[last]())
		g.stops = g.stops[:last]
	}
	return errors.Join(errs...)
}

// keep prints commands to try, and then what ARM gets, until the context ends.
func (g *stage) keep(ctx context.Context, s *screen) error {
	s.print("", s.bold("It keeps running until ctrl-C. To try in another terminal:"), "")
	for _, try := range [][2]string{
		{"", "export KUBECONFIG=" + g.kubeconfig()},
		{"at the default version, which is the newest", "kubectl get redis,persons"},
		{"as Bob sees it, with the annotation; edits of his lose nothing", "kubectl edit redis." + oldest + ".cache.azure.com sessions"},
		{"as it is stored", "kubectl get redis." + newest + "storage.cache.azure.com sessions -o yaml"},
		{"ARM gets it at the newest version from now on", "kubectl annotate redis sessions " + annotation.APIVersion + "=" + newest},
		{"a version's properties", "kubectl explain persons.spec --api-version=crm.azure.com/" + newestPerson},
		{"what ARM has", "curl '" + g.armURL + sessionsID + "?api-version=2024-03-01'"},
		{"what the webhook has carried", "curl -s " + g.metrics + " | grep remainder_entries"},
		{"what the webhook and the operator say", "less " + g.logOf("webhook") + " " + g.logOf("operator")},
	} {
		if try[0] != "" {
			s.print("   " + s.dim("# "+try[0]))
		}
		s.print("   " + try[1])
	}
	return g.watch(ctx, s)
}
