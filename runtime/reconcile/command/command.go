// Package command has the main function of operators, [Main]. The macro
// arm_operator makes a binary that calls it with the groups of its choice.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-logr/logr"
	_ "golang.org/x/crypto/x509roots/fallback" // authorities, as the image has no files
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/internal/program"
	"github.com/armature-dev/armature/runtime/internal/tracing"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// GCPercent is the percentage of the garbage collector, as GOGC, unless that is set. What the operator has in memory
// lives long, so that less garbage beside it saves a sixth of the memory and costs little CPU (docs/operator-costs.md).
const GCPercent = 60

// Main runs the operator for groups, each by the function that adds it to a
// scheme, until it is told to stop, and exits.
func Main(groups ...func(*runtime.Scheme) error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(GCPercent)
	}
	program.Main(Run, groups...)
}

// settings has the values of the flags.
type settings struct {
	options   reconcile.Options
	namespace string
	keys      string
	metrics   metrics
	health    string
	profiles  string
	elect     bool
	lease     time.Duration
	rate      int
	stop      time.Duration
	tracing   tracing.Flags
	logLevel  slog.Level
	azure     azure
}

// ownNamespace is the file in which a pod finds its namespace.
const ownNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// newSettings adds the flags to a set, and returns what has their values.
func newSettings(flags *flag.FlagSet) *settings {
	s := &settings{}
	config.RegisterFlags(flags) // --kubeconfig
	flags.StringVar(&s.namespace, "namespace", "",
		"the operator's own namespace, where its lease and the keys of its digests are; by default that of its pod")
	flags.StringVar(&s.keys, "webhook-keys", "",
		"name of the Secret in the operator's own namespace with the keys of the webhook, which is made if there is none; none if empty")
	flags.StringVar(&s.options.Instance, "instance", reconcile.DefaultInstance,
		"name of this operator among those of its namespace, and of its lease")
	flags.Func("namespaces", "the namespaces whose objects are managed, with commas between them; all unless it is set",
		func(text string) error {
			s.options.ManagedNamespaces = append(s.options.ManagedNamespaces, strings.Split(text, ",")...)
			return nil
		})
	flags.Func("selector", "which namespaces are managed, by their labels, such as team=a", func(text string) (err error) {
		s.options.ManagedSelector, err = labels.Parse(text)
		return err
	})
	s.metrics.register(flags)
	flags.StringVar(&s.health, "health-address", ":8081", "where /healthz and /readyz are, without TLS; 0 for nowhere")
	flags.StringVar(&s.profiles, "pprof-address", "", "where /debug/pprof is, without TLS; nowhere if empty")
	flags.BoolVar(&s.elect, "leader-elect", true, "work only while no other instance does, by a lease")
	flags.DurationVar(&s.lease, "lease-duration", 15*time.Second,
		"how long after its last sign of life an instance leads; longer where the API server is slow, and it "+
			"takes as long until another takes over")
	flags.IntVar(&s.options.Workers, "workers", 10, "how many objects of a kind are reconciled at once")
	flags.IntVar(&s.rate, "api-requests-per-second", 100, "how many requests a second the API server gets, besides watches; 0 for no limit")
	flags.DurationVar(&s.options.Refresh, "refresh", time.Hour, "how often ARM is asked how a resource is")
	flags.StringVar(&s.options.Adopt, "adopt", annotation.AdoptCreate,
		"what is done about resources that are there before their objects, unless these or their namespaces say it: create, "+
			"adopt, exact or observe")
	flags.StringVar(&s.options.Deletion, "deletion", "",
		"what becomes of resources when their objects are deleted, unless these or their namespaces say it: delete, detach or protect; "+
			"by default delete, and detach of what was taken over")
	flags.StringVar(&s.options.Drift, "drift", annotation.DriftReport,
		"what is done about what others change in ARM, unless objects or their namespaces say it: report, correct or ignore")
	flags.DurationVar(&s.stop, "stop-timeout", 30*time.Second, "how long requests that are under way may take after the signal to stop")
	flags.TextVar(&s.logLevel, "log-level", slog.LevelInfo, "debug, info, warn or error; debug has the requests to ARM")
	s.tracing.Register(flags, "which part of reconciles is traced")
	s.azure.register(flags, &s.options)
	return s
}

func parse(arguments []string, output io.Writer) (*settings, error) {
	flags := flag.NewFlagSet("operator", flag.ContinueOnError)
	s := newSettings(flags)
	if err := program.Parse(flags, arguments, output, usage); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("there are arguments that are no flags: %q", flags.Args())
	}
	if s.options.Refresh <= 0 {
		return nil, fmt.Errorf("--refresh: found %s, expected more than zero", s.options.Refresh)
	}
	if s.options.Workers < 1 || s.rate < 0 {
		return nil, fmt.Errorf("--workers and --api-requests-per-second: found %d and %d, expected 1 or more, and 0 or more",
			s.options.Workers, s.rate)
	}
	for _, name := range s.options.ManagedNamespaces {
		if faults := validation.IsDNS1123Label(name); len(faults) > 0 {
			return nil, fmt.Errorf("--namespaces: found %q, expected names with commas between them", name)
		}
	}
	if faults := validation.IsDNS1123Subdomain(s.keys); s.keys != "" && len(faults) > 0 {
		return nil, fmt.Errorf("--webhook-keys: found %q, expected the name of a Secret: %s", s.keys, faults[0])
	}
	if faults := validation.IsDNS1123Subdomain(s.options.Instance); len(faults) > 0 {
		return nil, fmt.Errorf("--instance: found %q, expected the name of a lease: %s", s.options.Instance, faults[0])
	}
	if s.metrics.certDir != "" && !s.metrics.secure {
		return nil, errors.New("--metrics-cert-dir: found a folder without --metrics-secure, which serves metrics with TLS: set both")
	}
	if s.lease < minLease {
		return nil, fmt.Errorf("--lease-duration: found %s, expected %s or more", s.lease, minLease)
	}
	if s.namespace == "" {
		text, err := os.ReadFile(ownNamespace)
		if err != nil {
			return nil, errors.New("--namespace is not set, and this is no pod, whose namespace it would be: name the operator's own, " +
				"such as --namespace=armature-system")
		}
		s.namespace = string(text)
	}
	s.options.Namespace = s.namespace
	return s, s.azure.complete(&s.options)
}

// topics are what the flags are about, in the order of --help.
var topics = []struct {
	title string
	flags []string
}{
	{"Azure", []string{"cloud", "arm-endpoint", "arm-audience", "authority", "ca-file", "credential", "credential-namespace",
		"workload-identity-namespace", "exchange-audience", "subscription"}},
	{"Work", []string{"namespaces", "selector", "workers", "refresh", "adopt", "deletion", "drift", "api-requests-per-second"}},
	{"The cluster and the other instances", []string{
		"kubeconfig", "namespace", "instance", "leader-elect", "lease-duration", "stop-timeout", "webhook-keys"}},
	{"What can be seen of it", []string{"metrics-address", "metrics-secure", "metrics-cert-dir", "health-address", "pprof-address",
		"log-level", "otlp-endpoint", "otlp-insecure", "trace-ratio"}},
}

// usage writes the help.
func usage(flags *flag.FlagSet) {
	fmt.Fprintf(flags.Output(), "Usage: %s [flags]\n", flags.Name())
	for _, topic := range topics {
		fmt.Fprintf(flags.Output(), "\n%s:\n", topic.title)
		part := flag.NewFlagSet("", flag.ContinueOnError)
		part.SetOutput(flags.Output())
		for _, name := range topic.flags {
			f := flags.Lookup(name)
			part.Var(f.Value, f.Name, f.Usage)
			part.Lookup(name).DefValue = f.DefValue
		}
		part.PrintDefaults()
	}
}

// Run runs the operator for groups until the context ends.
func Run(ctx context.Context, arguments []string, output io.Writer, groups ...func(*runtime.Scheme) error) (err error) {
	s, err := parse(arguments, output)
	if err != nil {
		return err
	}
	logs := slog.NewJSONHandler(output, &slog.HandlerOptions{Level: s.logLevel})
	scheme := runtime.NewScheme()
	for _, add := range append(groups, corev1.AddToScheme) {
		if err := add(scheme); err != nil {
			return err
		}
	}
	cluster, err := config.GetConfig()
	switch {
	case clientcmd.IsEmptyConfig(err):
		return errors.New("there is no cluster: this is no pod, and neither --kubeconfig nor KUBECONFIG names a file")
	case err != nil:
		return fmt.Errorf("--kubeconfig: %w", err)
	}
	logger := logr.FromSlogHandler(logs)
	ctrllog.SetLogger(logger) // not before, as GetConfig logs what is an error here
	klog.SetLogger(logger)    // of the leader election and the informers
	cluster.QPS, cluster.Burst = float32(s.rate), 2*s.rate
	if s.rate == 0 {
		cluster.QPS = -1
	}
	var flush func() error
	if s.options.Tracing, flush, err = s.tracing.Provider(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, flush()) }()
	m, err := s.manager(cluster, scheme, logger)
	if err != nil {
		return err
	}
	if s.keys != "" {
		core, err := corev1client.NewForConfig(cluster)
		if err != nil {
			return err
		}
		// Not by the manager: what that starts may wait for objects, and these for the webhook.
		go makeWebhookKeys(ctx, core.Secrets(s.namespace), s.keys, 10*time.Second, logger)
	}
	return m.Start(ctx)
}

// minLease is the shortest lease whose renewal an API server has time to answer.
const minLease = 5 * time.Second

// manager returns the manager with the controllers.
func (s *settings) manager(cluster *rest.Config, scheme *runtime.Scheme, logger logr.Logger) (ctrl.Manager, error) {
	// The shares of the lease that controller-runtime has by default.
	renew, retry := s.lease*2/3, s.lease*2/15
	options := ctrl.Options{
		Scheme:                  scheme,
		Logger:                  logger,
		Metrics:                 s.metrics.options(),
		PprofBindAddress:        s.profiles,
		GracefulShutdownTimeout: &s.stop,
	}
	if s.elect {
		host, err := os.Hostname()
		if err != nil {
			return nil, err
		}
		lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, s.namespace, s.options.Instance,
			resourcelock.ResourceLockConfig{Identity: host + "_" + string(uuid.NewUUID())}, cluster, renew)
		if err != nil {
			return nil, err
		}
		lease := reconcile.NewLease(lock, s.lease)
		options.LeaderElection, options.LeaderElectionResourceLockInterface = true, lease
		options.LeaderElectionID = reconcile.DefaultInstance // in metrics, for which there are alerts
		options.LeaseDuration, options.RenewDeadline, options.RetryPeriod = &s.lease, &renew, &retry
		options.LeaderElectionReleaseOnCancel = true // the process ends after that
		s.options.Allow = lease.Allow
	}
	m, err := ctrl.NewManager(cluster, options)
	if err != nil {
		return nil, err
	}
	s.options.Rights = &reconcile.Rights{}
	return m, errors.Join(addHealth(m, s.health, s.options.Rights), reconcile.Setup(m, s.options))
}
