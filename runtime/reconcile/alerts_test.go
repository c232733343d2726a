package reconcile

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

func TestObjectsMetric(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	counts := func() map[string]float64 {
		w.Helper()
		families, err := w.options.Metrics.(*prometheus.Registry).Gather()
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]float64{}
		for _, f := range families {
			for _, m := range f.Metric {
				if f.GetName() == "armature_objects" {
					all[m.Label[1].GetValue()+" "+m.Label[3].GetValue()+" "+m.Label[2].GetValue()] = m.GetGauge().GetValue()
				}
			}
		}
		return all
	}
	expect := func(what string, want map[string]float64) {
		t.Helper()
		if got := counts(); !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	w.create(newHouse("h", 3))
	w.create(newHouse("i", 3))
	w.create(newHouse("j", 300))
	w.create(newDoor("d", "none"))
	w.pass(time.Minute)
	all := map[string]float64{"House ready Succeeded": 2, "House stalled InvalidRequestContent": 1, "Door reconciling WaitingForOwner": 1}
	expect("at first", all)
	w.start()
	w.pass(time.Second)
	expect("after a restart, of what nothing was asked about", all)
	edit(w, "j", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(3)) })
	w.delete(get[homes.House](w, "i"))
	w.delete(get[homes.Door](w, "d"))
	w.pass(time.Minute)
	expect("after changes", map[string]float64{"House ready Succeeded": 2})
}

// TestUnreadyMetric checks that the metric says since when the oldest object of a kind is not ready.
func TestUnreadyMetric(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	since := func() map[string]float64 {
		all := map[string]float64{}
		families, err := w.options.Metrics.(*prometheus.Registry).Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			for _, m := range f.Metric {
				if f.GetName() == "armature_unready_since_timestamp_seconds" {
					all[m.Label[1].GetValue()] = m.GetGauge().GetValue()
				}
			}
		}
		return all
	}
	of := func(r kinds.Resource) float64 {
		return float64(meta.FindStatusCondition(*kinds.ConditionsOf(r), Ready).LastTransitionTime.Unix())
	}
	w.create(newHouse("ready", 3))
	w.create(newHouse("h", 300))
	w.create(newHouse("i", 300))
	w.pass(time.Minute)
	old := get[homes.House](w, "h")
	meta.FindStatusCondition(old.Status.Conditions, Ready).LastTransitionTime = metav1.NewTime(w.now.Add(-time.Hour))
	if err := w.store.Status().Update(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"House": of(old)}
	w.start()
	w.pass(time.Minute)
	if got := since(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	w.delete(old)
	w.pass(time.Minute)
	want["House"] = of(get[homes.House](w, "i"))
	if got := since(); !maps.Equal(got, want) {
		t.Errorf("without the oldest: got %v, want %v", got, want)
	}
	edit(w, "i", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(3)) })
	w.pass(time.Minute)
	if got := since(); len(got) != 0 {
		t.Errorf("when all are ready: got %v", got)
	}
}

// TestAlerts checks that the alerts of the release query existing metrics with existing labels,
// and that the docs say what to do about each.
func TestAlerts(t *testing.T) {
	text, err := os.ReadFile("../../release/operator/monitoring/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile("../../docs/monitoring.md")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Spec struct {
			Groups []struct {
				Name  string
				Rules []struct {
					Alert, Expr, For    string
					Labels, Annotations map[string]string
				}
			}
		}
	}
	if err := yaml.UnmarshalStrict(withoutHead(text), &rules); err != nil {
		t.Fatal(err)
	}
	labels := describe(t)
	seen := map[string]bool{}
	for _, group := range rules.Spec.Groups {
		for _, alert := range group.Rules {
			if seen[alert.Alert] || alert.For == "" || alert.Annotations["summary"] == "" || alert.Labels["severity"] == "" {
				t.Errorf("%s: want another name, a time, a summary and a severity in %+v", alert.Alert, alert)
			}
			seen[alert.Alert] = true
			if !strings.Contains(string(docs), "\n| `"+alert.Alert+"` | ") {
				t.Errorf("%s: docs/monitoring.md does not say what to do", alert.Alert)
			}
			by := checkQuery(t, alert.Alert, alert.Expr, labels)
			for _, used := range regexp.MustCompile(`\$labels\.(\w+)`).FindAllStringSubmatch(alert.Annotations["summary"], -1) {
				if !by[used[1]] {
					t.Errorf("%s: the summary has the label %s, which the result of %s does not", alert.Alert, used[1], alert.Expr)
				}
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("found the alerts %v", seen)
	}
}

// checkQuery checks that a query uses existing metrics with existing labels, and returns the labels
// of its result.
func checkQuery(t *testing.T, name, query string, labels map[string][]string) (by map[string]bool) {
	t.Helper()
	asked := map[string]bool{}
	for _, found := range selector.FindAllStringSubmatch(query, -1) {
		metric := found[1]
		if metric == "histogram_quantile" || strings.Contains(query, `"`+metric) || strings.Contains(query, "$__"+metric) {
			continue
		}
		known, exists := labels[regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(metric, "")]
		if !exists {
			t.Errorf("%s: there is no metric %s", name, metric)
		}
		for _, label := range known {
			asked[label] = true
		}
		for _, used := range regexp.MustCompile(`(\w+)(?:=|!=|=~|!~)"`).FindAllStringSubmatch(found[2], -1) {
			if !slices.Contains(known, used[1]) {
				t.Errorf("%s: the metric %s has the labels %q, not %s", name, metric, known, used[1])
			}
		}
	}
	if len(asked) == 0 {
		t.Errorf("%s: %s asks for no metric with labels", name, query)
	}
	asked["le"] = true
	by = map[string]bool{}
	for _, found := range regexp.MustCompile(`by \(([^)]*)\)`).FindAllStringSubmatch(query, -1) {
		for label := range strings.SplitSeq(found[1], ", ") {
			if by[label] = true; !asked[label] {
				t.Errorf("%s: no metric of %s has the label %s", name, query, label)
			}
		}
	}
	return by
}

// selector finds the metrics in a query, with their matchers.
var selector = regexp.MustCompile(`([a-z]+(?:_[a-z]+)+)(\{[^}]*\})?`)

// TestDashboard checks the same of the dashboard, and that legends have labels of the results.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../release/operator/monitoring/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title, Description string
			Targets            []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	labels := describe(t)
	seen := map[string]bool{}
	for _, panel := range dashboard.Panels {
		if seen[panel.Title] || panel.Title == "" || panel.Description == "" || len(panel.Targets) == 0 {
			t.Errorf("%q: want another title, a description and a query", panel.Title)
		}
		seen[panel.Title] = true
		for _, target := range panel.Targets {
			by := checkQuery(t, panel.Title, target.Expr, labels)
			for _, used := range regexp.MustCompile(`\{\{(\w+)\}\}`).FindAllStringSubmatch(target.LegendFormat, -1) {
				if !by[used[1]] {
					t.Errorf("%s: the legend has the label %s, which the result of %s does not", panel.Title, used[1], target.Expr)
				}
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("found the panels %v", seen)
	}
}

// withoutHead returns what follows the metadata, as its fields do not matter here.
func withoutHead(text []byte) []byte {
	_, spec, _ := strings.Cut(string(text), "\nspec:\n")
	return []byte("spec:\n" + spec)
}

// describe returns the labels of all metrics of the program.
func describe(t *testing.T) map[string][]string {
	own := prometheus.NewRegistry()
	if _, err := newMeters(own); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, registry := range []interface{ Describe(chan<- *prometheus.Desc) }{own, metrics.Registry.(*prometheus.Registry)} {
		descriptions := make(chan *prometheus.Desc)
		go func() {
			defer close(descriptions)
			registry.Describe(descriptions)
		}()
		for d := range descriptions {
			found := regexp.MustCompile(`fqName: "(\w+)".*variableLabels: \{([^}]*)\}`).FindStringSubmatch(d.String())
			if found == nil {
				t.Fatalf("cannot read %s", d)
			}
			all[found[1]] = strings.FieldsFunc(found[2], func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	return all
}
