package reconcile

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// TestSeries writes a golden file of the series of an operator after most events that it measures.
// tests/promql runs the queries of the release on them.
func TestSeries(t *testing.T) {
	w := newWorld(t, armtest.Behavior{Limits: true})
	w.create(newHouse("h", 3))
	w.create(newHouse("stalled", 300))
	w.create(newDoor("waits", "none"))
	w.create(newHouse("i", 3))
	w.pass(time.Minute)
	w.arm.Misfit(houseID, "rooms", "three")
	w.changeInARM(strings.TrimSuffix(houseID, "h")+"i", set("rooms", json.Number("9")))
	w.pass(2 * time.Hour)
	w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.LostRequest: 1}})
	edit(w, "i", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	w.pass(time.Second)
	w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Throttled: 1}})
	w.pass(10 * time.Minute)

	w.op.metrics.observeThrottled(t.Context(), http.MethodPut, time.Second)
	w.op.metrics.forbid(w.kind("Lock"), true)
	w.op.metrics.unlist(w.kind("Door"), true)

	// What controller-runtime measures of a queue and of an election.
	queue := workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
		workqueue.TypedRateLimitingQueueConfig[string]{Name: "armature-House.homes.example.com"})
	defer queue.ShutDown()
	queue.Add("a")
	item, _ := queue.Get()
	queue.Done(item)
	_, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: DefaultInstance},
			LockConfig: resourcelock.ResourceLockConfig{Identity: "a"},
		},
		Name: DefaultInstance, LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	})
	if err != nil {
		t.Fatal(err)
	}

	// What it measures of a controller, which ends at once.
	ended, end := context.WithCancel(t.Context())
	end()
	again := true
	one, err := controller.NewTypedUnmanaged("armature-House.homes.example.com", controller.Options{SkipNameValidation: &again,
		Reconciler: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil })})
	if err == nil {
		err = one.Start(ended)
	}
	if err != nil {
		t.Fatal(err)
	}

	answer := httptest.NewRecorder()
	promhttp.HandlerFor(prometheus.Gatherers{w.options.Metrics.(*prometheus.Registry), metrics.Registry}, promhttp.HandlerOpts{}).
		ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	var series []string
	for line := range strings.Lines(answer.Body.String()) {
		name := regexp.MustCompile(`^(armature_arm_|armature_[^ab]|workqueue_(depth|queue)|leader_|controller_runtime_reconcile_errors)`)
		if at := strings.LastIndexByte(line, ' '); name.MatchString(line) {
			series = append(series, line[:at])
		}
	}
	slices.Sort(series)
	golden.Equal(t, "testdata/series.txt", strings.Join(series, "\n")+"\n")
}
