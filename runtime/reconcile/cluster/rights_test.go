package cluster

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
	"github.com/armature-dev/armature/tools/controlplane"
)

// written keeps what a process writes.
type written struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (w *written) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.text.Write(text)
}

// lines returns the lines that have a text.
func (w *written) lines(with string) (all []string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for line := range strings.SplitSeq(w.text.String(), "\n") {
		if strings.Contains(line, with) {
			all = append(all, line)
		}
	}
	return all
}

// TestRights runs the program with the rights of a release, where the roles of some kinds have
// not been applied. The others work, it says once what is missing, and when the roles come it
// goes on without a restart.
func TestRights(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	others := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == "Lock" || kind == "Street" })
	s.asReleaseFor(others)
	var addresses []string
	for range 2 {
		address, err := controlplane.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, address)
	}
	log := &written{}
	s.log = log
	r := s.role
	r.Flags = []string{"--kubeconfig=" + r.Kubeconfig, "--namespace=" + r.Namespace, "--arm-endpoint=" + r.ARM,
		"--credential-namespace=*", "--metrics-address=" + addresses[0], "--health-address=" + addresses[1], "--refresh=5s"}
	c := s.launch(r)
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait() // which says that it was killed
		if t.Failed() {
			t.Logf("the operator wrote %s", log.text.String())
		}
	})
	asked := func(url string) (status int, text string) {
		response, err := http.Get("http://" + url)
		if err != nil {
			return 0, err.Error()
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}

	house, door := &homes.House{ObjectMeta: named("h0")}, &homes.Door{ObjectMeta: named("d0-0")}
	house.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	door.Spec.Fields.Owner = &reference.Owner{Name: "h0"}
	lock := &homes.Lock{ObjectMeta: named("l0-0")}
	lock.Spec.Fields.Owner = &reference.Owner{Name: "d0-0"}
	// A house may refer to a street, which the operator may not see.
	refers := &homes.House{ObjectMeta: named("h1")}
	refers.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	refers.Spec.Fields.StreetReference = &reference.Resource{Group: homes.Group, Kind: "Street", Name: "s"}
	street := &homes.Street{ObjectMeta: named("s")}
	street.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	for _, o := range []client.Object{lock, street, refers, house, door} {
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	s.eventually("the kinds with rights", func() string {
		unready := s.unready()
		slices.Sort(unready)
		text := strings.Join(unready, "\n")
		const says, todo = "h1: WaitingForReference ", "apply the roles of the group homes of its release"
		if !strings.Contains(text, todo) || !strings.HasPrefix(text, says) || len(unready) != 3 {
			return text
		}
		return ""
	})
	lease := &coordinationv1.Lease{}
	if err := s.Get(t.Context(), client.ObjectKey{Namespace: r.Namespace, Name: reconcile.DefaultInstance}, lease); err != nil {
		t.Error(err)
	}
	const sentence = "the operator has no right to list kind Lock of homes.example.com: apply the roles of the group homes of its release"
	if status, text := asked(addresses[1] + "/readyz"); status != http.StatusOK || text != "ok" {
		t.Errorf("/readyz: %d %s", status, text)
	}
	if status, text := asked(addresses[1] + "/readyz?verbose"); status != http.StatusOK || strings.Count(text, sentence) != 1 {
		t.Errorf("/readyz?verbose: %d %s", status, text)
	}
	const metric = `armature_kinds_forbidden{group="homes.example.com",kind="Lock"} 1`
	if _, text := asked(addresses[0] + "/metrics"); !strings.Contains(text, metric) {
		t.Errorf("the metrics do not have %s", metric)
	}
	// The lists of both kinds have been tried many times by now.
	all := log.lines("list kind Lock")
	if len(all) != 1 || !strings.Contains(all[0], sentence) || !strings.Contains(all[0], "locks.homes") {
		t.Errorf("the log has %q, expected one line with %q and the answer", all, sentence)
	}
	if all := log.lines("forbidden"); len(all) != 2 {
		t.Errorf("the log has %q, expected one line about each of two kinds", all)
	}

	s.grant("more", []string{"Lock", "Street"})
	s.eventually("with all rights", func() string { return strings.Join(s.unready(), "\n") })
	if _, text := asked(addresses[1] + "/readyz?verbose"); strings.Contains(text, "no right") {
		t.Errorf("/readyz?verbose still has %s", text)
	}
	if _, text := asked(addresses[0] + "/metrics"); strings.Contains(text, "armature_kinds_forbidden{") {
		t.Error("the metrics still have a kind that is forbidden")
	}
}
