package release

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// review asks for conversions that succeed and fail, so that every counter has
// been used.
const review = `{
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
  "request": {"uid": "1", "desiredAPIVersion": "cache.azure.armature.dev/v20241101", "objects": [{
    "apiVersion": "cache.azure.armature.dev/v20170201", "kind": "Redis",
    "metadata": {"name": "sessions", "namespace": "default", "uid": "2"},
    "spec": {"owner": {"name": "shop"}}
  }]}
}`

// The alerts must ask for metrics that the image's program has, with labels that
// these have.
func TestMonitoring(t *testing.T) {
	r := read(t)
	r.Add(t, "mine/kustomization.yaml", r.Example(t, "../release/monitoring"))
	objects := render(t, r, "mine")
	pod := deployment(t, objects).Spec.Template
	monitor := only(t, "PodMonitor", objects)
	for label, value := range mapOf(monitor, "spec", "selector", "matchLabels") {
		if pod.Labels[label] != value {
			t.Errorf("the PodMonitor selects %s=%v, pods have %v", label, value, pod.Labels)
		}
	}
	endpoints, _, _ := unstructured.NestedSlice(monitor.Object, "spec", "podMetricsEndpoints")
	for _, endpoint := range endpoints {
		if port, _ := endpoint.(map[string]any)["port"].(string); portNamed(pod.Spec, port) == 0 {
			t.Errorf("the PodMonitor scrapes the port %q, which the pod does not have", port)
		}
	}

	authority := NewAuthority(t)
	webhook := r.Start(t, authority, pod.Spec.Containers[0].Args...)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority.Bundle)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	answer, err := client.Post("https://"+webhook.Address+"/convert", "application/json", strings.NewReader(review))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !bytes.Contains(text, []byte(`"Success"`)) {
		t.Fatalf("%v: %s", err, text)
	}
	answer, err = http.Get("http://" + webhook.Operations + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}

	rules := only(t, "PrometheusRule", objects)
	groups, _, _ := unstructured.NestedSlice(rules.Object, "spec", "groups")
	var alerts []string
	for _, group := range groups {
		rules, _, _ := unstructured.NestedSlice(group.(map[string]any), "rules")
		for _, rule := range rules {
			var alert struct {
				Alert, Expr         string
				Labels, Annotations map[string]string
			}
			text, err := json.Marshal(rule)
			if err == nil {
				err = json.Unmarshal(text, &alert)
			}
			if err != nil {
				t.Fatal(err)
			}
			alerts = append(alerts, alert.Alert)
			names := regexp.MustCompile(`armature_[a-z_]+`).FindAllString(alert.Expr, -1)
			if len(names) == 0 || alert.Labels["severity"] == "" || alert.Annotations["summary"] == "" {
				t.Errorf("%s: want metrics, a severity and a summary in %s", alert.Alert, text)
			}
			for _, name := range names {
				if !regexp.MustCompile(`(?m)^` + name + `[{ ]`).Match(metrics) {
					t.Errorf("%s: the program has no metric %s", alert.Alert, name)
				}
			}
			for _, used := range regexp.MustCompile(`\$labels\.(\w+)`).FindAllStringSubmatch(alert.Annotations["summary"], -1) {
				if !regexp.MustCompile(`by \([^)]*\b` + used[1] + `\b`).MatchString(alert.Expr) {
					t.Errorf("%s: the summary has the label %s, which the result of %s does not", alert.Alert, used[1], alert.Expr)
				}
			}
		}
	}
	checkDashboard(t, only(t, "ConfigMap", objects), metrics)
	slices.Sort(alerts)
	if len(slices.Compact(slices.Clone(alerts))) != len(alerts) || len(alerts) == 0 {
		t.Errorf("the alerts are %v, want different ones", alerts)
	}
}

// checkDashboard checks that Grafana's sidecar finds a dashboard, and that its queries ask for metrics
// that the program has, with labels that these have.
func checkDashboard(t *testing.T, o Object, metrics []byte) {
	t.Helper()
	data := mapOf(o, "data")
	if o.GetLabels()["grafana_dashboard"] != "1" || len(data) != 1 {
		t.Errorf("found %v with %d files, want the label grafana_dashboard and one file", o.GetLabels(), len(data))
	}
	for name, text := range data {
		var dashboard struct {
			UID    string
			Panels []struct {
				Title   string
				Targets []struct{ Expr, LegendFormat string }
			}
		}
		if err := json.Unmarshal([]byte(text), &dashboard); err != nil || !strings.HasSuffix(name, ".json") || len(dashboard.Panels) < 8 {
			t.Fatalf("%s has %d panels: %v", name, len(dashboard.Panels), err)
		}
		for _, panel := range dashboard.Panels {
			for _, target := range panel.Targets {
				metric := regexp.MustCompile(`armature_[a-z_]+`).FindString(target.Expr)
				line := regexp.MustCompile(`(?m)^` + metric + `[{ ].*$`).Find(metrics)
				if metric == "" || line == nil {
					t.Errorf("%s: the program has no metric %q of %s", panel.Title, metric, target.Expr)
				}
				by := map[string]bool{}
				for _, found := range regexp.MustCompile(`by \(([^)]*)\)`).FindAllStringSubmatch(target.Expr, -1) {
					for label := range strings.SplitSeq(found[1], ", ") {
						if by[label] = true; !bytes.Contains(line, []byte(label+`="`)) {
							t.Errorf("%s: %s has no label %s", panel.Title, line, label)
						}
					}
				}
				for _, used := range regexp.MustCompile(`\{\{(\w+)\}\}`).FindAllStringSubmatch(target.LegendFormat, -1) {
					if !by[used[1]] {
						t.Errorf("%s: the legend has the label %s, which the result of %s does not", panel.Title, used[1], target.Expr)
					}
				}
			}
		}
	}
}

func mapOf(o Object, fields ...string) map[string]string {
	found, _, _ := unstructured.NestedStringMap(o.Object, fields...)
	return found
}
