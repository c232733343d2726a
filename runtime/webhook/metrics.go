package webhook

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/armature-dev/armature/runtime/untyped"
)

// metrics has the metrics for Prometheus. Those that count objects have the labels
// group, kind, from and to; the last two are versions.
type metrics struct {
	reviews  *prometheus.CounterVec
	inFlight prometheus.Gauge
	duration prometheus.Histogram

	objects        *prometheus.CounterVec
	objectDuration *prometheus.HistogramVec
	bytesIn        *prometheus.CounterVec
	bytesOut       *prometheus.CounterVec
	bag            *prometheus.CounterVec
	remainder      *prometheus.CounterVec
	remainderBytes *prometheus.CounterVec
	annotations    *prometheus.CounterVec
	refusals       *prometheus.CounterVec
	failures       *prometheus.CounterVec
	panics         *prometheus.CounterVec
}

// The outcomes of a review.
const (
	converted = "converted"
	failed    = "failed"    // an object does not convert
	invalid   = "invalid"   // the body is not a ConversionReview
	tooLarge  = "too_large" // it exceeds a limit
	timedOut  = "timed_out"
	busy      = "busy"      // there was no memory for it
	cancelled = "cancelled" // the client does not wait for the answer
)

func newMetrics(registerer prometheus.Registerer) (*metrics, error) {
	labels := []string{"group", "kind", "from", "to"}
	counter := func(name, help string, more ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "armature", Subsystem: "conversion", Name: name, Help: help}, append(labels[:4:4], more...))
	}
	m := &metrics{
		reviews: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "armature", Subsystem: "conversion", Name: "reviews_total",
			Help: "Conversion reviews, by result.",
		}, []string{"result"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: "armature", Subsystem: "conversion", Name: "reviews_in_flight",
			Help: "Conversion reviews that are being answered.",
		}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "armature", Subsystem: "conversion", Name: "review_duration_seconds",
			Help:    "Time from the first byte of a conversion review to the last byte of its answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}),
		objects: counter("objects_total", "Objects that conversion was asked for."),
		objectDuration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "armature", Subsystem: "conversion", Name: "object_duration_seconds",
			Help:    "Time to decode, convert and encode an object.",
			Buckets: []float64{.00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .1, 1},
		}, labels),
		bytesIn:  counter("in_bytes_total", "Bytes of the objects that came."),
		bytesOut: counter("out_bytes_total", "Bytes of the objects that went."),
		bag: counter("bag_entries_total",
			"Entries of property bags that were stashed, recalled, or found unreadable and kept.", "event"),
		remainder: counter("remainder_entries_total",
			"Entries of remainders that objects were given to carry, that were applied, or dropped because a "+
				"client changed their place.", "event"),
		remainderBytes: counter("remainder_bytes_total", "Bytes of the remainders that objects carry in their annotation."),
		annotations: counter("remainder_unreadable_total",
			"Annotations that were not read: damaged, of another object, of an older or a newer format, not "+
				"signed by a key, of an earlier state of the object.", "event"),
		refusals: counter("refusals_total", "Objects whose conversion was refused because a write would have lost data."),
		failures: counter("failures_total", "Objects that did not convert, refusals and panics included."),
		panics:   counter("panics_total", "Panics in conversions, hooks and mappings."),
	}
	if registerer == nil {
		return m, nil
	}
	var errs []error
	for _, c := range []prometheus.Collector{m.reviews, m.inFlight, m.duration, m.objects, m.objectDuration, m.bytesIn,
		m.bytesOut, m.bag, m.remainder, m.remainderBytes, m.annotations, m.refusals, m.failures, m.panics} {
		errs = append(errs, registerer.Register(c))
	}
	return m, errors.Join(errs...)
}

// routeMetrics has the metrics of one route, which are looked up once.
type routeMetrics struct {
	objects, bytesIn, bytesOut     prometheus.Counter
	duration                       prometheus.Observer
	stashed, recalled, unreadable  prometheus.Counter
	carried, applied, dropped      prometheus.Counter
	remainderBytes                 prometheus.Counter
	damaged, foreign, older, newer prometheus.Counter
	forged, stale                  prometheus.Counter
	refusals, failures, panics     prometheus.Counter
}

func (m *metrics) route(r *route) *routeMetrics {
	l := []string{r.group, r.kind, r.from, r.to}
	with := func(event string) []string { return append(l[:4:4], event) }
	return &routeMetrics{
		objects:        m.objects.WithLabelValues(l...),
		bytesIn:        m.bytesIn.WithLabelValues(l...),
		bytesOut:       m.bytesOut.WithLabelValues(l...),
		duration:       m.objectDuration.WithLabelValues(l...),
		stashed:        m.bag.WithLabelValues(with("stashed")...),
		recalled:       m.bag.WithLabelValues(with("recalled")...),
		unreadable:     m.bag.WithLabelValues(with("unreadable")...),
		carried:        m.remainder.WithLabelValues(with("carried")...),
		applied:        m.remainder.WithLabelValues(with("applied")...),
		dropped:        m.remainder.WithLabelValues(with("dropped")...),
		remainderBytes: m.remainderBytes.WithLabelValues(l...),
		damaged:        m.annotations.WithLabelValues(with("damaged")...),
		foreign:        m.annotations.WithLabelValues(with("foreign")...),
		older:          m.annotations.WithLabelValues(with("older")...),
		newer:          m.annotations.WithLabelValues(with("newer")...),
		forged:         m.annotations.WithLabelValues(with("forged")...),
		stale:          m.annotations.WithLabelValues(with("stale")...),
		refusals:       m.refusals.WithLabelValues(l...),
		failures:       m.failures.WithLabelValues(l...),
		panics:         m.panics.WithLabelValues(l...),
	}
}

// observe counts one object.
func (m *routeMetrics) observe(a *attempt, took time.Duration, out int, err error) {
	m.objects.Inc()
	m.duration.Observe(took.Seconds())
	add(m.bytesIn, len(a.raw))
	add(m.bytesOut, out)
	add(m.stashed, a.context.Tally.Stashed)
	add(m.recalled, a.context.Tally.Recalled)
	add(m.unreadable, a.context.Tally.Unreadable)
	remainder := &a.context.Remainder
	add(m.carried, remainder.Carried)
	add(m.applied, remainder.Applied)
	add(m.dropped, remainder.Dropped)
	add(m.damaged, remainder.Damaged)
	add(m.foreign, remainder.Foreign)
	add(m.older, remainder.Older)
	add(m.newer, remainder.Newer)
	add(m.forged, remainder.Forged)
	add(m.stale, remainder.Stale)
	add(m.refusals, remainder.Refused+remainder.Newer+remainder.Forged+remainder.Stale)
	if err == nil {
		add(m.remainderBytes, a.carried)
		return
	}
	m.failures.Inc()
	if panicked := (*untyped.PanicError)(nil); errors.As(err, &panicked) {
		m.panics.Inc()
	}
}

func add(c prometheus.Counter, n int) {
	if n > 0 {
		c.Add(float64(n))
	}
}
