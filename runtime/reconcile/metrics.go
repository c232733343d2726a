package reconcile

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/armature-dev/armature/runtime/arm/client"
)

// meters are the metrics. Their labels have no names of objects.
type meters struct {
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	toReady   *prometheus.HistogramVec
}

func newMeters(registry prometheus.Registerer) (*meters, error) {
	m := &meters{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "armature_arm_requests_total",
			Help: "Requests to ARM by ARM type, API version, method and HTTP status; status 0 is no answer."},
			[]string{"type", "version", "method", "code"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "armature_arm_request_duration_seconds",
			Help: "How long requests to ARM took.", Buckets: prometheus.ExponentialBuckets(.05, 2, 12)}, []string{"method"}),
		toReady: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "armature_ready_age_seconds",
			Help: "How old an object was when it became ready.", Buckets: prometheus.ExponentialBuckets(1, 2, 16)}, []string{"group", "kind"}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.durations, m.toReady} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// observe counts a request, and logs it.
func (m *meters) observe(ctx context.Context, e client.Exchange) {
	method := e.Method
	if e.Poll {
		method = "POLL"
	}
	log.FromContext(ctx).V(1).Info("request to ARM", "method", method, "id", e.ID, "version", e.APIVersion, "status", e.Status,
		"duration", e.Duration, "correlation", e.CorrelationID)
	m.requests.WithLabelValues(typeOf(e.ID), e.APIVersion, method, strconv.Itoa(e.Status)).Inc()
	m.durations.WithLabelValues(method).Observe(e.Duration.Seconds())
}

func (m *meters) ready(k *kind, age time.Duration) {
	m.toReady.WithLabelValues(k.Group, k.Kind).Observe(age.Seconds())
}

// typeOf returns the ARM type of an id, in lower case.
func typeOf(id string) string {
	id = strings.ToLower(id)
	at := strings.LastIndex(id, "/providers/")
	if at < 0 {
		return "microsoft.resources"
	}
	segments := strings.Split(id[at+len("/providers/"):], "/")
	armType := segments[0]
	for i := 1; i < len(segments); i += 2 {
		armType += "/" + segments[i]
	}
	return armType
}
