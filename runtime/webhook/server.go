package webhook

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

// ServerOptions configures a [Server]. CertFile and KeyFile are
// required.
type ServerOptions struct {
	// Address is the address for reviews, with TLS, ":9443" by default.
	Address string
	// CertFile and KeyFile have the certificate with its chain, and its key, in
	// PEM. They are read again when they change.
	CertFile, KeyFile string
	// ClientCAFile has the certificate authorities, in PEM, for the certificates of clients
	// that send reviews. It is read again when it changes. Without it clients need no
	// certificate.
	ClientCAFile string
	// ClientNames are the allowed names of clients. A client's certificate must have one
	// of them as its common name or as a DNS name. Without ClientNames any name is
	// allowed. They need ClientCAFile.
	ClientNames []string
	// Operations is the address for /healthz, /readyz and /metrics, without TLS,
	// ":8080" by default.
	Operations string
	// Metrics has the metrics that /metrics shows; without it there is no such path.
	Metrics interface {
		prometheus.Gatherer
		prometheus.Registerer
	}
	// Drain is how long the server still accepts new reviews after it has begun to stop
	// and reports that it is not ready, so that clients can notice. The default is 5 s;
	// a negative value means no time.
	Drain time.Duration
}

// Server runs a [Handler].
type Server struct {
	options    ServerOptions
	handler    *Handler
	logger     *slog.Logger
	reviews    *connections
	operations net.Listener
	watcher    *certwatcher.CertWatcher
	clients    *clients // nil if anybody may send reviews
	ready      atomic.Bool
}

const (
	// certificateInterval is how often the certificate is read even if no event reports a change.
	certificateInterval = 10 * time.Second
	// overtime is how much longer than the timeout of a review an answer or a shutdown may take.
	overtime = 5 * time.Second
	// maxConnections is how many connections for reviews there may be. An API server keeps
	// up to 25 open.
	maxConnections = 256
	// maxOperations is how many connections for health and metrics there may be.
	maxOperations = 32
	// maxHeader is how many bytes the header of a request may have.
	maxHeader = 16 << 10
)

// NewServer reads the certificate and listens. Connections wait until
// [Server.Run] accepts them.
func NewServer(handler *Handler, options ServerOptions) (*Server, error) {
	options.Address = cmp.Or(options.Address, ":9443")
	options.Operations = cmp.Or(options.Operations, ":8080")
	options.Drain = max(cmp.Or(options.Drain, 5*time.Second), 0)
	s := &Server{options: options, handler: handler, logger: handler.options.Logger}
	var err error
	if s.watcher, err = certwatcher.New(options.CertFile, options.KeyFile); err != nil {
		return nil, fmt.Errorf("certificate %q with key %q: %w", options.CertFile, options.KeyFile, err)
	}
	s.watcher.WithWatchInterval(certificateInterval)
	if s.clients, err = newClients(options.ClientCAFile, options.ClientNames); err != nil {
		return nil, err
	}
	reviews, err := net.Listen("tcp", options.Address)
	if err != nil {
		return nil, fmt.Errorf("reviews: %w", err)
	}
	if s.operations, err = net.Listen("tcp", options.Operations); err != nil {
		reviews.Close()
		return nil, fmt.Errorf("health and metrics: %w", err)
	}
	s.reviews = newConnections(reviews, maxConnections, &s.ready)
	s.operations = netutil.LimitListener(s.operations, maxOperations)
	if options.Metrics != nil {
		if err := errors.Join(options.Metrics.Register(s.expiryMetric()), options.Metrics.Register(s.connectionsMetric())); err != nil {
			return nil, errors.Join(err, s.reviews.Close(), s.operations.Close())
		}
	}
	return s, nil
}

// Address returns the address where the server listens for reviews.
func (s *Server) Address() string { return s.reviews.Addr().String() }

// Operations returns the address where the server serves health and metrics.
func (s *Server) Operations() string { return s.operations.Addr().String() }

// Run serves until the context ends, and then finishes the reviews that are under way.
func (s *Server) Run(ctx context.Context) error {
	reviews := s.reviewServer()
	operations := s.operationsServer()
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stopped := make(chan error, 3)
	go func() { stopped <- s.watcher.Start(background) }()
	go func() { stopped <- operations.Serve(s.operations) }()
	go func() { stopped <- reviews.ServeTLS(s.reviews, "", "") }()
	s.ready.Store(true)
	s.logger.Info("ready for conversion reviews", "address", s.Address(), "operations", s.Operations())

	var err error
	select {
	case err = <-stopped:
	case <-ctx.Done():
		s.ready.Store(false)
		s.logger.Info("stopping")
		time.Sleep(s.options.Drain)
	}
	s.ready.Store(false)
	end, cancelEnd := context.WithTimeout(background, s.handler.options.Timeout+overtime)
	defer cancelEnd()
	return errors.Join(err, reviews.Shutdown(end), operations.Shutdown(end))
}

// reviewServer returns the server for reviews. It has HTTP/1.1 only: with HTTP/2 a review of
// many objects would delay others on the same connection, and flow control makes large bodies
// slow.
func (s *Server) reviewServer() *http.Server {
	mux := http.NewServeMux()
	mux.Handle("/convert", s.handler)
	timeout := s.handler.options.Timeout
	config := &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"http/1.1"},
		GetCertificate: s.watcher.GetCertificate,
	}
	if s.clients != nil {
		s.clients.require(config)
	}
	return &http.Server{
		// An API server that keeps its connection would send further reviews to this server. It may be the release
		// before, which does not know the versions in the CRDs of the next one. An idle connection is not closed,
		// because the next review may be under way, and would be lost.
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ends(r.Context(), w.Header())
			mux.ServeHTTP(w, r)
		}),
		ConnContext:       withConnection,
		ConnState:         noteState,
		MaxHeaderBytes:    maxHeader,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      timeout + overtime,
		IdleTimeout:       2 * time.Minute, // more than the API server's 90 s, so that it closes first
		TLSConfig:         config,
		TLSNextProto:      map[string]func(*http.Server, *tls.Conn, http.Handler){},
		ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelInfo),
	}
}

func (s *Server) operationsServer() *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !s.ready.Load() {
			http.Error(w, "not ready: starting or stopping", http.StatusServiceUnavailable)
			return
		}
		if expiry := s.expires(); !time.Now().Before(expiry) {
			message := fmt.Sprintf("not ready: the certificate %s expired at %s", s.options.CertFile, expiry.UTC().Format(time.RFC3339))
			http.Error(w, message, http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	if s.options.Metrics != nil {
		mux.Handle("/metrics", promhttp.HandlerFor(s.options.Metrics, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	}
	return &http.Server{
		Handler: mux, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
	}
}

// connectionsMetric returns a metric with the number of connections for reviews.
func (s *Server) connectionsMetric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "armature", Subsystem: "conversion", Name: "connections",
		Help: fmt.Sprintf("Connections for conversion reviews, of which there are at most %d.", maxConnections),
	}, func() float64 { return float64(s.reviews.count()) })
}

// expires returns the time at which the server's certificate expires.
func (s *Server) expires() time.Time {
	certificate, err := s.watcher.GetCertificate(nil)
	if err != nil {
		return time.Time{}
	}
	return certificate.Leaf.NotAfter
}

// expiryMetric returns a metric with the result of [Server.expires].
func (s *Server) expiryMetric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "armature", Subsystem: "conversion", Name: "certificate_expiry_timestamp_seconds",
		Help: "When the webhook's certificate expires, in seconds since 1970.",
	}, func() float64 { return float64(s.expires().Unix()) })
}
