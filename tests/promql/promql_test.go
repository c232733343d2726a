package promql

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/teststorage"
	"sigs.k8s.io/yaml"
)

const root = "../.."

// monitored are the folders with alerts and a dashboard, by the file with the series of their program,
// which a test of the program has written.
var monitored = map[string]string{
	"runtime/webhook/testdata/series.txt":   "release/monitoring",
	"runtime/reconcile/testdata/series.txt": "release/operator/monitoring",
}

// world is a Prometheus that has scraped a program for two hours.
type world struct {
	*testing.T
	engine  *promql.Engine
	storage *teststorage.TestStorage
	now     time.Time
	parser  parser.Parser
}

// newWorld returns a world with the series of a file, all of which grow by one each minute, apart from
// points in time.
func newWorld(t *testing.T, file string) *world {
	t.Helper()
	w := &world{
		T: t, storage: teststorage.New(t), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		parser: parser.NewParser(parser.Options{}),
		engine: promql.NewEngine(promql.EngineOpts{MaxSamples: 1 << 20, Timeout: time.Minute}),
	}
	t.Cleanup(func() { w.engine.Close() })
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	appender := w.storage.Appender(t.Context())
	for line := range strings.Lines(string(text)) {
		series, err := w.parser.ParseMetric(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		with := labels.NewBuilder(series)
		with.Set("namespace", "armature-system").Set("pod", "a") // as a PodMonitor adds
		for minute := range 121 {
			at := w.now.Add(time.Duration(minute-120) * time.Minute)
			value := float64(minute)
			if strings.Contains(line, "_timestamp_seconds") {
				value = float64(w.now.Unix())
			}
			if _, err := appender.Append(0, with.Labels(), at.UnixMilli(), value); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := appender.Commit(); err != nil {
		t.Fatal(err)
	}
	return w
}

// ask returns the labels of what a query has as its result.
func (w *world) ask(query string) []labels.Labels {
	w.Helper()
	q, err := w.engine.NewInstantQuery(w.Context(), w.storage, nil, query, w.now)
	if err != nil {
		w.Errorf("%s: %v", query, err)
		return nil
	}
	defer q.Close()
	result := q.Exec(w.Context())
	vector, err := result.Vector()
	if err != nil || len(result.Warnings) > 0 {
		w.Errorf("%s: %v, %v", query, err, result.Warnings)
	}
	var all []labels.Labels
	for _, sample := range vector {
		all = append(all, sample.Metric)
	}
	return all
}

// checkShape checks a query, whatever the values are that it compares with: that there are the metrics
// that it asks for, with all labels that it names, and that its sides fit together.
func (w *world) checkShape(query string) {
	w.Helper()
	expr, err := w.parser.ParseExpr(query)
	if err != nil {
		w.Errorf("%s: %v", query, err)
		return
	}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if selector, is := node.(*parser.VectorSelector); is {
			for i, m := range selector.LabelMatchers {
				if m.Name != labels.MetricName {
					selector.LabelMatchers[i] = labels.MustNewMatcher(labels.MatchNotEqual, m.Name, "")
				}
			}
			if len(w.ask(selector.String())) == 0 {
				w.Errorf("%s: there is no %s", query, selector)
			}
		}
		return nil
	})
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if sum, is := node.(*parser.AggregateExpr); is {
			for _, label := range sum.Grouping {
				found := false
				for _, one := range w.ask(sum.String()) {
					found = found || one.Get(label) != ""
				}
				if !found {
					w.Errorf("%s: no result of %s has the label %s", query, sum, label)
				}
			}
		}
		return nil
	})
	if comparison, is := expr.(*parser.BinaryExpr); is && comparison.Op.IsComparisonOperator() {
		expr = comparison.LHS
	}
	if call, is := expr.(*parser.Call); is && call.Func.Name == "absent" {
		expr = call.Args[0]
	}
	if len(w.ask(expr.String())) == 0 {
		w.Errorf("%s: there is nothing to compare in %s", query, expr)
	}
}

func TestAlerts(t *testing.T) {
	for series, folder := range monitored {
		t.Run(folder, func(t *testing.T) {
			w := newWorld(t, series)
			text, err := os.ReadFile(filepath.Join(root, folder, "alerts.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			var rules struct {
				Spec struct {
					Groups []struct {
						Rules []struct{ Alert, Expr string }
					}
				}
			}
			if err := yaml.Unmarshal(text, &rules); err != nil {
				t.Fatal(err)
			}
			alerts := 0
			for _, group := range rules.Spec.Groups {
				for _, alert := range group.Rules {
					alerts++
					t.Run(alert.Alert, func(t *testing.T) {
						w := *w
						w.T = t
						w.checkShape(alert.Expr)
						w.ask(alert.Expr)
					})
				}
			}
			if alerts < 5 {
				t.Errorf("found %d alerts", alerts)
			}
		})
	}
}

var legend = regexp.MustCompile(`\{\{(\w+)\}\}`)

func TestDashboards(t *testing.T) {
	for series, folder := range monitored {
		t.Run(folder, func(t *testing.T) {
			w := newWorld(t, series)
			text, err := os.ReadFile(filepath.Join(root, folder, "dashboard.json"))
			if err != nil {
				t.Fatal(err)
			}
			var dashboard struct {
				Panels []struct {
					Title   string
					Targets []struct{ Expr, LegendFormat string }
				}
			}
			if err := json.Unmarshal(text, &dashboard); err != nil {
				t.Fatal(err)
			}
			if len(dashboard.Panels) < 5 {
				t.Errorf("found %d panels", len(dashboard.Panels))
			}
			for _, panel := range dashboard.Panels {
				t.Run(panel.Title, func(t *testing.T) {
					w := *w
					w.T = t
					for _, target := range panel.Targets {
						query := strings.ReplaceAll(target.Expr, "$__rate_interval", "5m")
						w.checkShape(query)
						results := w.ask(query)
						if len(results) == 0 {
							t.Errorf("%s has no result", query)
						}
						for _, one := range results {
							for _, name := range legend.FindAllStringSubmatch(target.LegendFormat, -1) {
								if one.Get(name[1]) == "" {
									t.Errorf("the legend %s has a label that %s lacks", target.LegendFormat, one)
								}
							}
						}
					}
				})
			}
		})
	}
}
