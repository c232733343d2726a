package cluster

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// TestAPIServerRestart restarts the API server while the operator works.
func TestAPIServerRestart(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := newStage(t)
	s.arm.Behave(armtest.Behavior{Slowest: time.Second, Rates: armtest.Rates{armtest.AsyncOperation: .5, armtest.MissingParent: 1}})
	s.populate(100)
	s.start()
	s.restartAPIServer()
}

// restartAPIServer restarts the API server when all is ready, and checks that the operator
// sends nothing because of that, and goes on.
func (s *stage) restartAPIServer() {
	s.Helper()
	await.Until(s.T, "ready before the restart", s.allReady)
	before, begin := len(s.arm.Requests()), time.Now()
	if err := s.plane.RestartAPIServer(func() { time.Sleep(5 * time.Second) }); err != nil {
		s.Fatal(err)
	}
	h := &homes.House{ObjectMeta: metav1.ObjectMeta{Namespace: "team-0", Name: "h0"}}
	await.Until(s.T, "the API server answers", func() error { return s.Get(s.Context(), client.ObjectKeyFromObject(h), h) })
	s.edit(h, `{"spec":{"fields":{"rooms":77}}}`)
	await.Until(s.T, "a change after the restart", func() error {
		if has := s.rooms(houseID(0)); has != 77 {
			return fmt.Errorf("ARM has %d rooms", has)
		}
		return nil
	})
	await.Until(s.T, "ready after the restart", s.allReady)
	time.Sleep(5 * time.Second) // for whatever else there is to come
	for _, r := range s.arm.Requests()[before:] {
		if r.Method != http.MethodGet && r.ID != houseID(0) {
			s.Errorf("ARM got %s %s because the API server was restarted", r.Method, r.ID)
		}
	}
	s.Logf("%s after the stop of the API server all was ready, with %d requests to ARM", time.Since(begin).Round(time.Second/10),
		len(s.arm.Requests())-before)
}
