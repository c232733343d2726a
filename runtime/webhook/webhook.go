// Package webhook implements the conversion webhook of all groups: it answers the
// ConversionReviews of an API server. Its main types are [Handler], an
// http.Handler for the path /convert, and [Server], which runs one with TLS,
// health, readiness and metrics.
//
// Objects of kinds with Go types convert through these types, from spoke to hub
// to spoke. Objects of other kinds convert through functions of package
// untyped. A conversion can change only labels and annotations of an object's
// metadata; the rest is copied from the request to the response, byte for byte.
//
// An answer names the objects that failed, their versions, and the paths of properties.
// It does not contain values of properties.
//
// docs/webhook.md lists the promises of the webhook. These tests check them:
//
//	TestConvert   the order of objects, untouched objects, exact values
//	TestMetadata  what a conversion may change of the metadata
//	TestFailures  bad objects, panics, bodies that are not reviews, incomplete kinds
//	TestLimits    size, depth and time
//	TestMetrics   the counts for each kind and pair of versions
//	TestServer    TLS, new certificates, health, shutdown
//	FuzzReview    that the API server can read the answer to any body
package webhook

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/runtime/untyped"
)

// Options configures a [Handler]. One of Scheme and Untyped is
// required; all other fields have defaults.
type Options struct {
	// Scheme has the Go types of all versions that convert. One version of each
	// kind is a Hub, and the others are Convertible.
	Scheme *runtime.Scheme
	// Untyped has the kinds that have no Go types.
	Untyped map[schema.GroupKind]untyped.ConvertFunction

	// Keys returns the keys that sign and verify the annotations of package remainder: see
	// [KeyFolder]. Without keys all annotations are trusted.
	Keys func() *remainder.Keys

	// Workers is how many objects of all reviews together are decoded and
	// converted at once. The default is one for each CPU.
	Workers int
	// Memory is how many bytes all reviews together may take, for their bodies,
	// for decoded objects and for the answers. A review waits for its turn.
	// The default is five eighths of GOMEMLIMIT, or 512 MiB without one.
	Memory int64
	// MaxBytes is how many bytes a review may have, 32 MiB by default: an API server
	// accepts requests of 3 MiB, adds at most 1.5 MiB of the stored object, and
	// escapes a character as at most six.
	MaxBytes int64
	// MaxDepth is how deep an object may be nested when it is written, 1,000 by
	// default. Objects that are read may be deeper.
	MaxDepth int
	// Timeout is how long a review may take from its first byte to its answer.
	// The default of 25 s is below the 30 s that the API server waits, so that
	// its user reads the message.
	Timeout time.Duration

	// Metrics registers the metrics; by default they are not registered.
	Metrics prometheus.Registerer
	// Tracing makes a span of each review; by default there are none.
	Tracing trace.TracerProvider
	// Logger is [slog.Default] by default. It gets names of objects and stacks
	// of panics, but no contents of objects.
	Logger *slog.Logger
}

const (
	defaultMaxBytes = 32 << 20
	defaultMaxDepth = 1000
	defaultTimeout  = 25 * time.Second
)

// Handler answers ConversionReviews. It is an http.Handler.
type Handler struct {
	options Options
	kinds   map[schema.GroupKind]*kind
	routes  sync.Map // of *route by routeKey
	unknown *route   // for objects of unknown kinds or versions
	// routeCount is at least the number of routes.
	routeCount atomic.Int64
	metrics    *metrics
	tracer     trace.Tracer
	budget     *budget
}

var _ http.Handler = (*Handler)(nil)

// New returns a Handler. It fails if a kind has a hub but not all of its versions
// convert with it, and lists all such kinds.
func New(options Options) (*Handler, error) {
	if options.Scheme == nil && len(options.Untyped) == 0 {
		return nil, errors.New("webhook: there is nothing to convert: neither a Scheme nor Untyped kinds")
	}
	options.Workers = cmp.Or(options.Workers, goruntime.GOMAXPROCS(0))
	options.Memory = cmp.Or(options.Memory, defaultMemory())
	options.MaxBytes = cmp.Or(options.MaxBytes, defaultMaxBytes)
	options.MaxDepth = cmp.Or(options.MaxDepth, defaultMaxDepth)
	options.Timeout = cmp.Or(options.Timeout, defaultTimeout)
	options.Logger = cmp.Or(options.Logger, slog.Default())
	if options.Keys == nil {
		options.Keys = func() *remainder.Keys { return nil }
	}
	if options.Tracing == nil {
		options.Tracing = noop.NewTracerProvider()
	}
	h := &Handler{options: options, tracer: options.Tracing.Tracer("github.com/armature-dev/armature/runtime/webhook")}
	var err1, err2, err3 error
	h.kinds, err1 = kindsOf(options.Scheme, options.Untyped)
	h.metrics, err2 = newMetrics(options.Metrics)
	h.budget, err3 = newBudget(options.Memory, options.MaxBytes, options.Workers, options.Timeout)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	h.unknown = &route{}
	h.unknown.metrics = h.metrics.route(&route{group: "unknown", kind: "unknown", from: "unknown", to: "unknown"})
	return h, nil
}
