// Package webhook_test tests the conversion webhook with generated types.
package webhook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/webhook"
)

const (
	first  = "v20110101"
	newest = "v20211111"
	hub    = "v20211111storage"
)

type fixture struct {
	*testing.T
	handler *webhook.Handler
	metrics *prometheus.Registry
	spans   *tracetest.SpanRecorder
	log     *bytes.Buffer
	scheme  *runtime.Scheme
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{
		T: t, metrics: prometheus.NewRegistry(), spans: tracetest.NewSpanRecorder(), log: &bytes.Buffer{},
		scheme: runtime.NewScheme(),
	}
	if err := crm.AddToScheme(f.scheme); err != nil {
		t.Fatal(err)
	}
	var err error
	f.handler, err = webhook.New(webhook.Options{
		Scheme: f.scheme, Metrics: f.metrics, Logger: slog.New(slog.NewTextHandler(f.log, nil)),
		Tracing: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(f.spans)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// object is a JSON object.
type object = map[string]any

func person(version string, spec object) object {
	return object{
		"apiVersion": "crm.azure.armature.dev/" + version, "kind": "Person",
		"metadata": object{"name": "ada", "namespace": "default", "uid": "u", "managedFields": []any{object{"manager": "m"}}},
		"spec":     spec,
	}
}

func (f *fixture) review(to string, objects ...object) *apiextensionsv1.ConversionResponse {
	f.Helper()
	request := object{"uid": "the-uid", "desiredAPIVersion": "crm.azure.armature.dev/" + to, "objects": objects}
	body, err := json.Marshal(object{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request})
	if err != nil {
		f.Fatal(err)
	}
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body)))
	var review apiextensionsv1.ConversionReview
	if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil || review.Response == nil {
		f.Fatalf("%v: %s", err, w.Body)
	}
	return review.Response
}

func (f *fixture) convert(to string, from object) object {
	f.Helper()
	response := f.review(to, from)
	if response.Result.Status != metav1.StatusSuccess {
		f.Fatal(response.Result.Message)
	}
	var converted object
	if err := json.Unmarshal(response.ConvertedObjects[0].Raw, &converted); err != nil {
		f.Fatal(err)
	}
	return converted
}

// count returns the sum of a metric over all series that have the labels.
func (f *fixture) count(metric string, labels ...string) (sum float64) {
	families, err := f.metrics.Gather()
	if err != nil {
		f.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			have := []string{family.GetName()}
			for _, l := range m.GetLabel() {
				have = append(have, l.GetName()+"="+l.GetValue())
			}
			if !slices.ContainsFunc(append(labels, metric), func(want string) bool { return !slices.Contains(have, want) }) {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func TestAllPairs(t *testing.T) {
	f := newFixture(t)
	versions := map[string]bool{}
	for gvk := range f.scheme.AllKnownTypes() {
		if gvk.Group == "crm.azure.armature.dev" && gvk.Kind == "Person" && !strings.HasSuffix(gvk.Version, "storage") {
			versions[gvk.Version] = true
		}
	}
	original := f.convert(hub, person(newest, object{
		"azureName": "ada", "knownAs": "Ada", "familyName": "Lovelace", "legalName": "Augusta Ada King", "sortKey": "LOVELACE",
		"residentialAddress": object{"city": "London"},
	}))
	for _, from := range slices.Sorted(maps.Keys(versions)) {
		shown := f.convert(from, original)
		if diff := cmp.Diff(original, f.convert(hub, shown)); diff != "" {
			t.Errorf("read at %s and written back (-stored before +stored after):\n%s", from, diff)
		}
		for to := range versions {
			if diff := cmp.Diff(shown, f.convert(from, f.convert(to, shown))); diff != "" {
				t.Errorf("from %s to %s and back:\n%s", from, to, diff)
			}
		}
	}
}

// The annotation carries what an old version cannot hold, and metrics count it.
func TestRemainder(t *testing.T) {
	f := newFixture(t)
	stored := f.convert(hub, person(newest, object{
		"azureName": "ada", "sortKey": "LOVELACE", "residentialAddress": object{"city": "London"},
	}))
	shown := f.convert(first, stored)
	value, _ := shown["metadata"].(object)["annotations"].(object)[annotation.Remainder].(string)
	route := []string{"group=crm.azure.armature.dev", "kind=Person", "from=" + hub, "to=" + first}
	if got := f.count("armature_conversion_remainder_bytes_total", route...); value == "" || got != float64(len(value)) {
		t.Errorf("%v bytes are counted, want the length of %q", got, value)
	}
	carried := f.count("armature_conversion_remainder_entries_total", append(route, "event=carried")...)
	if carried == 0 {
		t.Error("no entry is counted")
	}
	f.convert(hub, shown)
	back := []string{"group=crm.azure.armature.dev", "kind=Person", "from=" + first, "to=" + hub}
	if got := f.count("armature_conversion_remainder_entries_total", append(back, "event=applied")...); got != carried {
		t.Errorf("%v entries were applied, want %v", got, carried)
	}
	shown["metadata"].(object)["annotations"].(object)[annotation.Remainder] = "{damaged"
	f.convert(hub, shown)
	if got := f.count("armature_conversion_remainder_unreadable_total", append(back, "event=damaged")...); got != 1 {
		t.Errorf("%v annotations were damaged, want 1", got)
	}
	shown["metadata"].(object)["annotations"].(object)[annotation.Remainder] = value
	shown["metadata"].(object)["name"] = "other"
	f.convert(hub, shown)
	if got := f.count("armature_conversion_remainder_unreadable_total", append(back, "event=foreign")...); got != 1 {
		t.Errorf("%v annotations were foreign, want 1", got)
	}
}

// A write that would lose data is refused, and metrics count it.
func TestRefusal(t *testing.T) {
	f := newFixture(t)
	stored := f.convert(hub, person(newest, object{"azureName": "ada", "sortKey": strings.Repeat("x", 300_000)}))
	shown := f.convert(first, stored)
	response := f.review(hub, shown)
	for _, want := range []string{"Person.crm.azure.armature.dev default/ada of " + first + " does not convert to " + hub,
		"read and write it at version " + newest} {
		if !strings.Contains(response.Result.Message, want) {
			t.Errorf("the message %[2]q does not have %[1]q", want, response.Result.Message)
		}
	}
	for _, metric := range []string{"refusals", "failures"} {
		if got := f.count("armature_conversion_"+metric+"_total", "from="+first, "to="+hub); got != 1 {
			t.Errorf("%v %s, want 1", got, metric)
		}
	}
}

// Metrics count the entries of bags, and the log names objects with unreadable ones.
func TestBagEntries(t *testing.T) {
	f := newFixture(t)
	stored := f.convert(hub, person("v20221212alpha1", object{"azureName": "ada", "pronouns": "she"}))
	if got := f.count("armature_conversion_bag_entries_total", "from=v20221212alpha1", "event=stashed"); got != 1 {
		t.Errorf("%v entries were stashed, want 1", got)
	}
	f.convert("v20221212alpha1", stored)
	if got := f.count("armature_conversion_bag_entries_total", "to=v20221212alpha1", "event=recalled"); got != 1 {
		t.Errorf("%v entries were recalled, want 1", got)
	}
	bag := stored["spec"].(object)["$propertyBag"].(object)
	for name := range bag {
		bag[name] = object{"value": object{"SECRET": 1.0}, "version": "2022-12-12-preview"}
	}
	shown := f.convert("v20221212alpha1", stored)
	if got := f.count("armature_conversion_bag_entries_total", "to=v20221212alpha1", "event=unreadable"); got != 1 {
		t.Errorf("%v entries were unreadable, want 1", got)
	}
	if log := f.log.String(); !strings.Contains(log, "entries of a bag cannot be read") ||
		!strings.Contains(log, "default/ada") || strings.Contains(log, "SECRET") {
		t.Errorf("logged %q", log)
	}
	if diff := cmp.Diff(stored["spec"], f.convert(hub, shown)["spec"]); diff != "" {
		t.Errorf("the unreadable entry changed (-before +after):\n%s", diff)
	}
}

// The span of a review is a child of the API server's span.
func TestTracing(t *testing.T) {
	f := newFixture(t)
	r := httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(
		`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"the-uid","desiredAPIVersion":"crm.azure.armature.dev/v20110101","objects":[]}}`))
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	f.handler.ServeHTTP(httptest.NewRecorder(), r)
	spans := f.spans.Ended()
	if len(spans) != 1 {
		t.Fatalf("%d spans, want 1", len(spans))
	}
	if s := spans[0]; s.Name() != "ConversionReview" || s.Parent().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("found the span %s of the trace %s, want ConversionReview of the API server's", s.Name(), s.Parent().TraceID())
	}
	if text := fmt.Sprint(spans[0].Attributes()); !strings.Contains(text, "the-uid") ||
		!strings.Contains(text, "crm.azure.armature.dev/v20110101") {
		t.Errorf("the attributes do not have the review's UID and version: %s", text)
	}
}
