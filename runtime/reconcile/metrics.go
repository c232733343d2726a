package reconcile

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/internal/program"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// meters has the metrics. No label has the name of an object.
type meters struct {
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	toReady   *prometheus.HistogramVec
	throttled *prometheus.HistogramVec
	remaining *prometheus.GaugeVec
	objects   *prometheus.GaugeVec
	forbidden *prometheus.GaugeVec
	unlisted  *prometheus.GaugeVec
	leftOut   *prometheus.CounterVec

	mutex   sync.Mutex
	states  map[ref]objectState
	count   map[objectState]int
	unready map[ref]time.Time // since when an object has not been ready
	drifted map[ref]bool      // the objects whose condition Drifted is true
}

// unreadySince describes the metric of the oldest object of a kind that is not ready.
var unreadySince = prometheus.NewDesc("armature_unready_since_timestamp_seconds",
	"Since when the object of a kind that has been unready for the longest time is not ready, in seconds since 1970.",
	[]string{"group", "kind"}, nil)

// driftedObjects describes the metric of the objects of a kind that have drifted.
var driftedObjects = prometheus.NewDesc("armature_drifted_objects",
	"Objects by kind whose condition Drifted is true, where this instance leads.", []string{"group", "kind"}, nil)

// Describe implements [prometheus.Collector].
func (m *meters) Describe(to chan<- *prometheus.Desc) {
	to <- unreadySince
	to <- driftedObjects
}

// Collect implements [prometheus.Collector].
func (m *meters) Collect(to chan<- prometheus.Metric) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	oldest := map[schema.GroupKind]time.Time{}
	for of, since := range m.unready {
		if at, found := oldest[of.GroupKind]; !found || since.Before(at) {
			oldest[of.GroupKind] = since
		}
	}
	for of, since := range oldest {
		to <- prometheus.MustNewConstMetric(unreadySince, prometheus.GaugeValue, float64(since.Unix()), of.Group, of.Kind)
	}
	drifted := map[schema.GroupKind]int{}
	for of := range m.drifted {
		drifted[of.GroupKind]++
	}
	for of, n := range drifted {
		to <- prometheus.MustNewConstMetric(driftedObjects, prometheus.GaugeValue, float64(n), of.Group, of.Kind)
	}
}

// unreadySinceOf returns since when an object has not been ready, or the zero time if it is ready.
func unreadySinceOf(r kinds.Resource) (since time.Time) {
	switch c := meta.FindStatusCondition(*kinds.ConditionsOf(r), Ready); {
	case c == nil:
		return r.GetCreationTimestamp().Time
	case c.Status != metav1.ConditionTrue:
		return c.LastTransitionTime.Time
	}
	return time.Time{}
}

// observeObject counts an object in the state that its conditions show.
func (m *meters) observeObject(of ref, r kinds.Resource) {
	m.setState(of, stateOf(r, of))
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if since := unreadySinceOf(r); !since.IsZero() {
		m.unready[of] = since
	}
	if meta.IsStatusConditionTrue(*kinds.ConditionsOf(r), Drifted) {
		m.drifted[of] = true
	}
}

// objectState is the state in which an object is counted.
type objectState struct{ group, kind, state, reason string }

// stateOf returns the state that the conditions of an object show.
func stateOf(r kinds.Resource, of ref) objectState {
	s := objectState{of.Group, of.Kind, "reconciling", ""}
	if c := meta.FindStatusCondition(*kinds.ConditionsOf(r), Ready); c != nil {
		s.reason = c.Reason
	}
	switch {
	case isReady(r):
		s.state = "ready"
	case meta.IsStatusConditionTrue(*kinds.ConditionsOf(r), Stalled):
		s.state = "stalled"
	}
	return s
}

// setState counts an object in its present state. The zero state stops counting it.
func (m *meters) setState(of ref, now objectState) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	add := func(s objectState, n int) {
		labels := []string{s.group, s.kind, s.state, s.reason}
		if m.count[s] += n; m.count[s] > 0 {
			m.objects.WithLabelValues(labels...).Set(float64(m.count[s]))
			return
		}
		delete(m.count, s)
		m.objects.DeleteLabelValues(labels...) // so that there are no more series than objects
	}
	delete(m.unready, of)
	delete(m.drifted, of)
	before, found := m.states[of]
	if found && before == now {
		return
	}
	if found {
		add(before, -1)
		delete(m.states, of)
	}
	if now != (objectState{}) {
		add(now, 1)
		m.states[of] = now
	}
}

func newMeters(registry prometheus.Registerer) (*meters, error) {
	m := &meters{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "armature_arm_requests_total",
			Help: "Requests to ARM by ARM type, API version, method and HTTP status; status 0 is no answer."},
			[]string{"type", "version", "method", "code"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "armature_arm_request_duration_seconds",
			Help: "How long requests to ARM took.", Buckets: prometheus.ExponentialBuckets(.05, 2, 12)}, []string{"method"}),
		toReady: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "armature_time_to_ready_seconds",
			Help:    "How long an object took from its creation, or from a change, until it was ready.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 16)}, []string{"group", "kind"}),
		throttled: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "armature_arm_held_seconds",
			Help: "How long requests wait because of ARM's limits, by method.", Buckets: prometheus.ExponentialBuckets(.1, 4, 8)},
			[]string{"method"}),
		remaining: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "armature_arm_remaining_requests",
			Help: "How many requests for a subscription ARM still takes before it asks to wait, by its last answer."},
			[]string{"subscription", "operation"}),
		objects: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "armature_objects",
			Help: "Objects by kind, state (ready, reconciling, stalled, or foreign: another operator manages it) and the " +
				"reason of their condition Ready, where this instance leads."},
			[]string{"group", "kind", "state", "reason"}),
		forbidden: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "armature_kinds_forbidden",
			Help: "Kinds that the cluster serves, and that the operator has no right to list."}, []string{"group", "kind"}),
		unlisted: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "armature_kinds_unlisted",
			Help: "Kinds whose lists by the API server fail, although the operator has the right."}, []string{"group", "kind"}),
		leftOut: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "armature_properties_left_out_total",
			Help: "Answers of ARM in which a property has another type than in the API version, by kind and path."},
			[]string{"group", "kind", "path"}),
		states: map[ref]objectState{}, count: map[objectState]int{}, unready: map[ref]time.Time{}, drifted: map[ref]bool{},
	}
	for _, c := range []prometheus.Collector{m.requests, m.durations, m.toReady, m.throttled, m.remaining, m.objects, m.forbidden,
		m.unlisted, m.leftOut, m, program.BuildInfo()} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// forbid counts a kind while the operator may not list it.
func (m *meters) forbid(k *kinds.Kind, is bool) { mark(m.forbidden, k, is) }

// unlist counts a kind while its lists fail for another reason.
func (m *meters) unlist(k *kinds.Kind, is bool) { mark(m.unlisted, k, is) }

// mark sets a gauge to 1 for a kind, or removes it.
func mark(gauge *prometheus.GaugeVec, k *kinds.Kind, is bool) {
	if !is {
		gauge.DeleteLabelValues(k.Group, k.Kind)
		return
	}
	gauge.WithLabelValues(k.Group, k.Kind).Set(1)
}

// observeRequest counts a request and logs it.
func (m *meters) observeRequest(ctx context.Context, e client.Exchange) {
	method := e.Method
	if e.Poll {
		method = "POLL"
	}
	log.FromContext(ctx).V(1).Info("request to ARM", "method", method, "id", e.ID, "version", e.APIVersion, "status", e.Status,
		"duration", e.Duration, "correlation", e.CorrelationID)
	m.requests.WithLabelValues(typeOf(e.ID), e.APIVersion, method, strconv.Itoa(e.Status)).Inc()
	m.durations.WithLabelValues(method).Observe(e.Duration.Seconds())
	if e.Remaining >= 0 {
		m.remaining.WithLabelValues(client.SubscriptionOf(e.ID), e.Kind).Set(float64(e.Remaining))
	}
}

func (m *meters) observeThrottled(_ context.Context, method string, wait time.Duration) {
	m.throttled.WithLabelValues(method).Observe(wait.Seconds())
}

func (m *meters) countMisfit(k *kinds.Kind, path string) {
	m.leftOut.WithLabelValues(k.Group, k.Kind, path).Inc()
}

func (m *meters) observeReady(k *kinds.Kind, took time.Duration) {
	m.toReady.WithLabelValues(k.Group, k.Kind).Observe(took.Seconds())
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
