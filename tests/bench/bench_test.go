// Package bench measures the generator, and the compiler on generated code. See
// README.md. Exact counts are an ordinary test, in sizes/.
package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"sigs.k8s.io/yaml"
)

func TestMain(m *testing.M) {
	if os.Getenv(asMeter) != "" {
		os.Exit(meter(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func TestMeasure(t *testing.T) {
	t.Run("an action may print warnings", func(t *testing.T) {
		dir := t.TempDir()
		verb := filepath.Join(dir, "verb")
		if err := os.WriteFile(verb, []byte("#!/bin/sh\necho a warning >&2\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if u := measure(t, dir, action{"ArmCRD", []string{verb}}); u.Peak == 0 {
			t.Errorf("got %+v, want the memory of the process", u)
		}
	})
}

// BenchmarkGenerate runs each generating action of some groups as a process with
// Bazel's arguments, but without Bazel and its sandbox.
func BenchmarkGenerate(b *testing.B) {
	for _, test := range []struct{ name, label string }{
		{"storage", "//apis/storage/..."},
		{"all", "//apis/..."},
	} {
		b.Run(test.name, func(b *testing.B) {
			r := open(b)
			actions, dir := r.actions(b, test.label), r.scratch(b)
			var best *totals
			for b.Loop() {
				b.StopTimer()
				if err := os.RemoveAll(filepath.Join(dir, bin, "apis")); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				t := newTotals()
				for _, a := range actions {
					t.add(a.Mnemonic, measure(b, dir, a))
				}
				if best == nil || t.cpu < best.cpu {
					best = t
				}
			}
			b.ReportMetric(best.cpu.Seconds(), "cpu-s")
			b.ReportMetric(float64(best.peak)/1e6, "peak-MB")
			b.Logf("%d actions\n%s", len(actions), best)
		})
	}
}

// totals is the usage of all actions, and of those of each kind.
type totals struct {
	cpu    time.Duration
	peak   int64
	byKind map[string]*kind
}

type kind struct {
	count     int
	cpu, most time.Duration
	peak      int64
}

func newTotals() *totals { return &totals{byKind: map[string]*kind{}} }

func (t *totals) add(mnemonic string, u usage) {
	t.cpu, t.peak = t.cpu+u.CPU, max(t.peak, u.Peak)
	k := t.byKind[mnemonic]
	if k == nil {
		k = &kind{}
		t.byKind[mnemonic] = k
	}
	k.count++
	k.cpu, k.most, k.peak = k.cpu+u.CPU, max(k.most, u.CPU), max(k.peak, u.Peak)
}

func (t *totals) String() string {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "action\tcount\tCPU\tslowest\tpeak MB\t")
	for _, m := range mnemonics {
		if k := t.byKind[m]; k != nil {
			fmt.Fprintf(w, "%s\t%d\t%.3f s\t%.3f s\t%.0f\t\n", m, k.count, k.cpu.Seconds(), k.most.Seconds(), float64(k.peak)/1e6)
		}
	}
	fmt.Fprintf(w, "all\t\t%.3f s\t\t%.0f\t\n", t.cpu.Seconds(), float64(t.peak)/1e6)
	w.Flush()
	return table.String()
}

// BenchmarkCompile compiles storage with two versions, 2019-06-01 and 2021-04-01.
// The imports of the four packages are in the Go build cache. It reports the
// elapsed time as s, and the CPU time of all cores as cpu-s.
func BenchmarkCompile(b *testing.B) {
	r := open(b)
	built := r.scratch(b)
	const config = "apis/storage/group.yaml"
	withoutChanges(b, filepath.Join(r.root, config), filepath.Join(built, "group.yaml"))
	for _, a := range withVersions(r.actions(b, "//apis/storage/..."), "2019-06-01", "2021-04-01") {
		for i, arg := range a.Arguments {
			a.Arguments[i] = strings.ReplaceAll(arg, config, "group.yaml")
		}
		measure(b, built, a)
	}
	packages := []string{"v20190601", "v20190601storage", "v20210401", "v20210401storage"}
	dir := b.TempDir()
	var n int
	compile := func() (elapsed, cpu time.Duration) {
		n++
		args := append([]string{"build", "-overlay", overlay(b, r.root, built, dir, packages, n)}, paths(packages)...)
		cmd := exec.Command("go", args...)
		cmd.Dir = r.root
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	compile() // so that the imports are in the cache
	elapsed, cpu := time.Hour, time.Hour
	for b.Loop() {
		e, c := compile()
		elapsed, cpu = min(elapsed, e), min(cpu, c)
	}
	b.ReportMetric(elapsed.Seconds(), "s")
	b.ReportMetric(cpu.Seconds(), "cpu-s")
	var lines int
	for _, p := range packages {
		lines += countLines(b, filepath.Join(dir, p))
	}
	b.ReportMetric(float64(lines), "lines")
}

// withoutChanges copies a group.yaml without its changes, since fewer versions do not
// need all of them.
func withoutChanges(b *testing.B, from, to string) {
	b.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		b.Fatal(err)
	}
	var config map[string]any
	if err := yaml.Unmarshal(text, &config); err != nil {
		b.Fatal(err)
	}
	delete(config, "changes")
	if text, err = yaml.Marshal(config); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		b.Fatal(err)
	}
}

// date matches a date in the name of a file or package.
var date = regexp.MustCompile(`\b(\d{4})-(\d\d)-(\d\d)|/?v1(?:alpha|beta)(\d{4})(\d\d)(\d\d)`)

// withVersions returns the actions that generate a group's Go files if the group
// has only the given versions.
func withVersions(actions []action, versions ...string) []action {
	others := func(arg string) bool {
		for _, m := range date.FindAllStringSubmatch(arg, -1) {
			if !slices.Contains(versions, strings.Join(m[1:4], "-")) && !slices.Contains(versions, strings.Join(m[4:], "-")) {
				return true
			}
		}
		return false
	}
	var found []action
	for _, a := range actions {
		switch a.Mnemonic {
		case "ArmConfig", "ArmPlan":
			a.Arguments = slices.DeleteFunc(slices.Clone(a.Arguments), others)
			found = append(found, a)
		case "ArmLoad", "ArmTypes", "ArmStorage", "ArmConvert":
			if !others(a.Arguments[len(a.Arguments)-1]) {
				found = append(found, a)
			}
		}
	}
	return found
}

func paths(packages []string) []string {
	var paths []string
	for _, p := range packages {
		paths = append(paths, "./apis/storage/"+p)
	}
	return paths
}

// overlay returns an overlay with which one call of go sees the generated files
// in the checkout. Each has a new last line, so that go compiles it.
func overlay(b *testing.B, root, built, dir string, packages []string, n int) string {
	b.Helper()
	replace := map[string]string{}
	for _, p := range packages {
		files, err := filepath.Glob(filepath.Join(built, bin, "apis/storage", p, "*.go"))
		if err != nil {
			b.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			text = fmt.Appendf(text, "\n// Compilation %d at %d.\n", n, time.Now().UnixNano())
			to := filepath.Join(dir, p, filepath.Base(file))
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(to, text, 0o644); err != nil {
				b.Fatal(err)
			}
			replace[filepath.Join(root, "apis/storage", p, filepath.Base(file))] = to
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		b.Fatal(err)
	}
	return file
}

func countLines(b *testing.B, folder string) int {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		b.Fatal(err)
	}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		lines += strings.Count(string(text), "\n")
	}
	return lines
}

// BenchmarkNothingToDo builds all groups again when nothing has changed.
func BenchmarkNothingToDo(b *testing.B) {
	r := open(b)
	r.bazel(b, "build", "//apis/...")
	for b.Loop() {
		r.bazel(b, "build", "//apis/...")
	}
}
