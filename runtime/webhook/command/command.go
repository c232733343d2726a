// Package command has the main function of conversion webhooks, [Main]. The macro
// arm_webhook makes a binary that calls it with the groups of its choice.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"k8s.io/apimachinery/pkg/runtime"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/internal/program"
	"github.com/armature-dev/armature/runtime/internal/tracing"
	"github.com/armature-dev/armature/runtime/webhook"
)

// Main runs the webhook until the program is told to stop, and exits. Each group is a
// function that adds its types to a scheme.
func Main(groups ...func(*runtime.Scheme) error) { program.Main(Run, groups...) }

// settings has the values of the flags.
type settings struct {
	handler  webhook.Options
	server   webhook.ServerOptions
	certDir  string
	keyDir   string
	tracing  tracing.Flags
	logLevel slog.Level
}

func parse(arguments []string, output io.Writer) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("webhook", flag.ContinueOnError)
	flags.StringVar(&s.server.Address, "address", ":9443", "where conversion reviews come to, at the path /convert, with TLS")
	flags.StringVar(&s.server.Operations, "operations-address", ":8080", "where /healthz, /readyz and /metrics are, without TLS")
	flags.StringVar(&s.certDir, "cert-dir", "/tmp/k8s-webhook-server/serving-certs",
		"folder with tls.crt and tls.key, which are read again when they change")
	flags.StringVar(&s.server.ClientCAFile, "client-ca-file", "",
		"authorities that sign the certificates of the clients that may send reviews, in PEM, which are read "+
			"again when they change; if empty, anybody may")
	flags.Func("client-name", "a common name or DNS name of which a client's certificate must have one; may be "+
		"given many times, and needs --client-ca-file", func(name string) error {
		s.server.ClientNames = append(s.server.ClientNames, name)
		return nil
	})
	flags.StringVar(&s.keyDir, "key-dir", "/etc/armature/keys",
		"folder with the keys that sign the annotation "+annotation.Remainder+", which are read again when they "+
			"change: the file current signs, all are accepted")
	flags.DurationVar(&s.server.Drain, "drain", 5*time.Second, "how long new reviews are still taken after the signal to stop")
	flags.IntVar(&s.handler.Workers, "workers", 0, "how many objects are decoded and converted at once; 0 is one for each CPU")
	flags.Int64Var(&s.handler.Memory, "memory-bytes", 0,
		"how much memory all reviews together may take; 0 is five eighths of GOMEMLIMIT, or 512 MiB without one")
	flags.Int64Var(&s.handler.MaxBytes, "max-review-bytes", 32<<20, "how large a review may be")
	flags.IntVar(&s.handler.MaxDepth, "max-depth", 1000, "how deep an object may be nested when it is written")
	flags.DurationVar(&s.handler.Timeout, "timeout", 25*time.Second, "how long a review may take; the API server waits 30s")
	s.tracing.Register(flags, "which part of reviews is traced, where the API server has not decided that")
	flags.TextVar(&s.logLevel, "log-level", slog.LevelInfo, "debug, info, warn or error")
	if err := program.Parse(flags, arguments, output, (*flag.FlagSet).PrintDefaults); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("there are arguments that are no flags: %q", flags.Args())
	}
	s.server.CertFile, s.server.KeyFile = filepath.Join(s.certDir, "tls.crt"), filepath.Join(s.certDir, "tls.key")
	if s.server.Drain == 0 {
		s.server.Drain = -1
	}
	return s, nil
}

// Run runs the webhook for groups until the context ends.
func Run(ctx context.Context, arguments []string, output io.Writer, groups ...func(*runtime.Scheme) error) (err error) {
	s, err := parse(arguments, output)
	if err != nil {
		return err
	}
	logs := slog.NewJSONHandler(output, &slog.HandlerOptions{Level: s.logLevel})
	s.handler.Logger = slog.New(logs)
	ctrllog.SetLogger(logr.FromSlogHandler(logs)) // for the watcher of the certificate

	s.handler.Scheme = runtime.NewScheme()
	for _, add := range groups {
		if err := add(s.handler.Scheme); err != nil {
			return err
		}
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		program.BuildInfo())
	s.handler.Metrics, s.server.Metrics = metrics, metrics
	var flush func() error
	if s.handler.Tracing, flush, err = s.tracing.Provider(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, flush()) }()
	keys, err := webhook.NewKeyFolder(s.keyDir, s.handler.Logger)
	if err != nil {
		return err
	}
	s.handler.Keys = keys.Keys
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go func() { _ = keys.Start(background) }() // Start does not fail
	handler, err := webhook.New(s.handler)
	if err != nil {
		return err
	}
	server, err := webhook.NewServer(handler, s.server)
	if err != nil {
		return err
	}
	return server.Run(ctx)
}
