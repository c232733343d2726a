// Package webhook_test compares the conversion webhook with
// controller-runtime's handler, over the same scheme and in the same run.
package webhook_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/armature-dev/armature/apis/storage/scheme"
	"github.com/armature-dev/armature/runtime/webhook"
)

// handlers returns Armature's handler and controller-runtime's.
func handlers(t testing.TB) map[string]http.Handler {
	t.Helper()
	s := k8sruntime.NewScheme()
	if err := scheme.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	own, err := webhook.New(webhook.Options{Scheme: s, Timeout: time.Hour, MaxBytes: 256 << 20, Memory: 4 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]http.Handler{"armature": own, "stock": conversion.NewWebhookHandler(s, conversion.NewRegistry())}
}

// BenchmarkSingle reports the median time of a review of one StorageAccount of
// 6 KB. The two handlers take turns.
func BenchmarkSingle(b *testing.B) {
	h := handlers(b)
	for _, d := range directions {
		for _, kind := range []string{"6KB", "6KB+managedFields"} {
			object := account(b, d.from)
			if kind != "6KB" {
				object = managed(b, object)
			}
			body, err := io.ReadAll(newReview(object, 1, d.to))
			if err != nil {
				b.Fatal(err)
			}
			b.Run(d.name+"/"+kind, func(b *testing.B) {
				times, cpu := map[string][]time.Duration{}, map[string]time.Duration{}
				for b.Loop() {
					for name, handler := range h {
						before := cpuTime(b)
						for range 20 {
							times[name] = append(times[name], answer(b, handler, body))
						}
						cpu[name] += cpuTime(b) - before
					}
				}
				own, stock := median(times["armature"]), median(times["stock"])
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(cpu["armature"])/float64(cpu["stock"]), "CPU-of-stock")
				b.ReportMetric(float64(own.Nanoseconds())/1000, "µs-p50")
				b.ReportMetric(float64(stock.Nanoseconds())/1000, "µs-p50-stock")
				b.ReportMetric(float64(own)/float64(stock), "of-stock")
			})
		}
	}
}

func answer(b *testing.B, handler http.Handler, body []byte) time.Duration {
	request := httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body))
	recorder := httptest.NewRecorder()
	start := time.Now()
	handler.ServeHTTP(recorder, request)
	took := time.Since(start)
	if !bytes.Contains(recorder.Body.Bytes(), []byte(`"status":"Success"`)) {
		b.Fatal(recorder.Body)
	}
	return took
}

// cpuTime returns the CPU time of the process, including garbage collection. It
// does not depend on other work of the machine.
func cpuTime(b testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// BenchmarkReview reports the objects per second and the peak memory of reviews
// of 10,000 objects of 10 kB. Each handler has its own process, and they take
// turns.
func BenchmarkReview(b *testing.B) {
	for _, d := range directions {
		for _, kind := range []string{"plain", "managedFields"} {
			b.Run(d.name+"/"+kind, func(b *testing.B) {
				best := map[string]figures{}
				for b.Loop() {
					for _, name := range []string{"stock", "armature"} {
						f := inProcess(b, name, d.from, d.to, kind)
						f.speed = max(f.speed, best[name].speed)
						best[name] = f
					}
				}
				b.ReportMetric(0, "ns/op")
				own, stock := best["armature"], best["stock"]
				b.ReportMetric(own.speed, "objects/s")
				b.ReportMetric(stock.speed, "objects/s-stock")
				b.ReportMetric(own.speed/stock.speed, "times-stock")
				b.ReportMetric(own.cpu/stock.cpu, "CPU-of-stock")
				b.ReportMetric(own.memory, "MB")
				b.ReportMetric(stock.memory, "MB-stock")
				b.ReportMetric(own.memory/stock.memory, "memory-of-stock")
			})
		}
	}
}

type figures struct {
	speed  float64 // objects per second
	cpu    float64 // seconds
	memory float64 // MB
}

const childEnv = "ARMATURE_BENCH_REVIEW"

func inProcess(b *testing.B, arguments ...string) figures {
	child := exec.Command(os.Args[0], "-test.run=^TestMain$")
	child.Env = append(os.Environ(), childEnv+"="+strings.Join(arguments, ","), "GOMAXPROCS=2")
	child.Stderr = os.Stderr
	output, err := child.Output()
	var f figures
	if _, scanned := fmt.Sscan(string(output), &f.speed, &f.cpu, &f.memory); err != nil || scanned != nil {
		b.Fatalf("%v: %s", err, output)
	}
	return f
}

func TestMain(m *testing.M) {
	if arguments := os.Getenv(childEnv); arguments != "" {
		a := strings.Split(arguments, ",")
		measure(a[0], a[1], a[2], a[3])
		return
	}
	os.Exit(m.Run())
}

// measure prints the figures of one handler.
func measure(name, from, to, kind string) {
	const count, size = 10_000, 10_000
	var t fatal
	object := account(t, from)
	if kind == "managedFields" {
		object = managed(t, object)
	}
	object = lengthened(t, object, size)
	handler := handlers(t)[name]
	var took time.Duration
	const rounds = 2
	for range rounds {
		r := newReview(object, count, to)
		request := httptest.NewRequest(http.MethodPost, "/convert", r)
		request.ContentLength = r.size()
		w := &counter{header: http.Header{}}
		start := time.Now()
		handler.ServeHTTP(w, request)
		if took == 0 || time.Since(start) < took {
			took = time.Since(start)
		}
		if w.bytes < count*size/2 {
			t.Fatal(w.bytes, "bytes came back, beginning", string(w.first))
		}
	}
	fmt.Println(count/took.Seconds(), cpuTime(t).Seconds(), peak(t))
}

// counter counts the bytes of an answer and discards them.
type counter struct {
	header http.Header
	bytes  int
	first  []byte
}

func (c *counter) Header() http.Header { return c.header }
func (c *counter) WriteHeader(int)     {}
func (c *counter) Write(p []byte) (int, error) {
	if c.bytes == 0 {
		c.first = slices.Clone(p[:min(len(p), 1000)])
	}
	c.bytes += len(p)
	return len(p), nil
}

// peak returns the peak memory of the process in MB.
func peak(t testing.TB) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes / 1000
}

// fatal is the testing.TB of a process that does not run a test.
type fatal struct{ testing.TB }

func (fatal) Helper() {}
func (fatal) Fatal(arguments ...any) {
	fmt.Fprintln(os.Stderr, arguments...)
	runtime.Goexit()
}
func (fatal) Fatalf(format string, arguments ...any) {
	fatal{}.Fatal(fmt.Sprintf(format, arguments...))
}
