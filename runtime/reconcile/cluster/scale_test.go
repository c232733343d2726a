package cluster

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
	"github.com/armature-dev/armature/tools/controlplane"
)

// TestScale measures what many objects cost, while ARM takes a hundredth of its time.
func TestScale(t *testing.T) {
	objects := night.Times(0, 2000)
	if objects == 0 {
		t.Skip("ARMATURE_NIGHT is not set: .ci/nightly runs this, which takes minutes")
	}
	s := newStage(t)
	s.arm.Behave(armtest.Behavior{Seed: 1, Slowest: 2 * time.Second, RetryAfter: 200 * time.Millisecond,
		WriteOnly: []string{"password"}, Rates: armtest.Rates{
			armtest.AsyncOperation: .5, armtest.LocationOperation: .2, armtest.StateOperation: .1, armtest.NewURL: .4,
			armtest.NoResource: .25, armtest.ShowsState: .6,
			armtest.MissingParent: 1, armtest.Busy: 1, armtest.OtherCase: .2, armtest.SpelledLocation: .3, armtest.NotEchoed: 1}})
	s.populate(objects)

	m := s.measure()
	begin := time.Now()
	served := s.served()
	m.until("all are ready", "armature_time_to_ready_seconds_count", objects)
	await.Until(s.T, "all are ready", s.allReady)
	var house homes.House
	if err := s.Get(s.Context(), types.NamespacedName{Namespace: "team-0", Name: "h0"}, &house); err != nil {
		t.Fatal(err)
	}
	if n := len(house.Annotations[corev1.LastAppliedConfigAnnotation]); n == 0 {
		t.Error("what kubectl leaves in an object is gone")
	}
	v := m.read()
	perObject := v["rest_client_requests_total"] / float64(objects)
	t.Logf("%d objects were ready after %s: %.0f s of CPU, at most %.0f MB, %.2f requests to the API server and "+
		"%.2f to ARM for each object\nby method: %v\nreconciles: %.0f",
		objects, time.Since(begin).Round(time.Second), v["process_cpu_seconds_total"], m.peak(), perObject,
		v["armature_arm_requests_total"]/float64(objects), m.by("rest_client_requests_total", "method"),
		v["controller_runtime_reconcile_total"])
	t.Logf("what the API server served meanwhile, for each object: %s", more(served, s.served(), float64(objects)))
	if perObject > 8 {
		t.Errorf("the API server got %.2f requests for each object, want at most 8", perObject)
	}
	if mb := m.peak(); mb > 280 {
		t.Errorf("the operator took %.0f MB, want at most 280", mb)
	}
	m.stop()

	before := len(s.arm.Requests())
	m = s.measure()
	begin = time.Now()
	served = s.served()
	m.until("all are looked at", "armature_objects", objects)
	took := time.Since(begin)
	asked := len(s.arm.Requests()) - before
	v = m.read()
	t.Logf("after a restart all were looked at in %s: %.0f s of CPU, at most %.0f MB, %.0f requests to the API server, %d to ARM",
		took.Round(time.Second/10),
		v["process_cpu_seconds_total"], m.peak(), v["rest_client_requests_total"], asked)
	t.Logf("what the API server served meanwhile: %s", more(served, s.served(), 1))
	if due := objects * int(took/time.Second+5) / 3600; asked > due*2+20 {
		t.Errorf("ARM got %d requests, and about %d refreshes were due", asked, due)
	}
	if took > 30*time.Second {
		t.Errorf("it took %s, want at most 30 seconds", took)
	}
	const minutes = 2
	start := v
	served = s.served()
	var each []int
	for range minutes {
		n := len(s.arm.Requests())
		time.Sleep(time.Minute)
		each = append(each, len(s.arm.Requests())-n)
	}
	v = m.read()
	rate := func(name string) float64 { return (v[name] - start[name]) / minutes }
	t.Logf("in peace, each minute: %.1f s of CPU, %.0f requests to the API server, %v to ARM; %.0f MB are in use",
		rate("process_cpu_seconds_total"),
		rate("rest_client_requests_total"), each, v["process_resident_memory_bytes"]/1e6)
	t.Logf("what the API server served then, each minute: %s", more(served, s.served(), minutes))
	if mean := objects / 60; slices.Max(each) > 2*mean+20 || slices.Min(each) < mean/2-20 {
		t.Errorf("ARM got %v requests in the minutes, want about %d in each", each, mean)
	}
	for _, r := range s.arm.Requests()[before:] {
		if r.Method != http.MethodGet {
			t.Errorf("ARM got %s %s though everything was ready", r.Method, r.ID)
		}
	}
	s.restartAPIServer()
	if mb := m.peak(); mb > 280 {
		t.Errorf("the operator took %.0f MB, want at most 280", mb)
	}
	m.stop()

	// What records without a signature say is sent once more.
	unsigned := s.records(func(record map[string]any) { delete(record, "mac") })
	before = len(s.arm.Requests())
	m = s.measure()
	begin = time.Now()
	await.Until(s.T, "all records are signed", func() error {
		time.Sleep(2 * time.Second) // it reads all objects
		if n := len(s.records(nil)); n > 0 {
			return fmt.Errorf("%d of %d are not", n, len(unsigned))
		}
		return nil
	})
	t.Logf("%d records without a signature were signed in %s: at most %.0f MB, %d requests to ARM",
		len(unsigned), time.Since(begin).Round(time.Second/10), m.peak(), len(s.arm.Requests())-before)
	if len(unsigned) != objects {
		t.Errorf("%d objects had a record, want all %d", len(unsigned), objects)
	}
	puts := map[string]int{}
	for _, r := range s.arm.Requests()[before:] {
		if r.Method == http.MethodPut {
			puts[r.ID]++
		} else if r.Method != http.MethodGet {
			t.Errorf("ARM got %s %s because of a record without a signature", r.Method, r.ID)
		}
	}
	for id, n := range puts {
		if n > 1 {
			t.Errorf("ARM got %d PUTs of %s because of a record without a signature", n, id)
		}
	}
}

// records changes the records of all objects, unless change is nil, and returns the names
// of the objects whose records have no signature then.
func (s *stage) records(change func(map[string]any)) (unsigned []string) {
	s.Helper()
	for _, list := range []client.ObjectList{&homes.HouseList{}, &homes.DoorList{}, &homes.LockList{}} {
		if err := s.List(s.Context(), list); err != nil {
			s.Fatal(err)
		}
		err := meta.EachListItem(list, func(item runtime.Object) error {
			o := item.(client.Object)
			record := map[string]any{}
			if err := json.Unmarshal([]byte(o.GetAnnotations()[annotation.Sent]), &record); err != nil {
				return fmt.Errorf("%s: %w", o.GetName(), err)
			}
			if change != nil {
				change(record)
				text, err := json.Marshal(record)
				if err != nil {
					return err
				}
				patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
					"annotations": map[string]string{annotation.Sent: string(text)}}})
				if err != nil {
					return err
				}
				if err := s.Patch(s.Context(), o, client.RawPatch(types.MergePatchType, patch)); err != nil {
					return err
				}
			}
			if record["mac"] == nil {
				unsigned = append(unsigned, o.GetNamespace()+"/"+o.GetName())
			}
			return nil
		})
		if err != nil {
			s.Fatal(err)
		}
	}
	return unsigned
}

// populate makes objects in ten namespaces: of ten, one is a house, three are
// doors with a password, and six are locks. Each has what kubectl leaves.
func (s *stage) populate(objects int) {
	s.Helper()
	var all []client.Object
	applied := map[string]string{corev1.LastAppliedConfigAnnotation: strings.Repeat("x", 1500)}
	for i := range 10 {
		ns := fmt.Sprintf("team-%d", i)
		for _, o := range []client.Object{
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns, Annotations: takeOver}},
			&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "pw"}, Data: map[string][]byte{"k": []byte("canary")}},
		} {
			if err := s.Create(s.Context(), o); err != nil {
				s.Fatal(err)
			}
		}
	}
	for i := range objects {
		house := i / 10
		in := func(name string) metav1.ObjectMeta {
			return metav1.ObjectMeta{Namespace: fmt.Sprintf("team-%d", house%10), Name: name, Annotations: applied}
		}
		switch at := i % 10; {
		case at == 0:
			h := &homes.House{ObjectMeta: in(fmt.Sprintf("h%d", house))}
			h.Spec.Fields.Owner = &reference.Owner{ARMID: group}
			h.Spec.Fields.Rooms = new(int64(7))
			h.Spec.Fields.OperatorSpec = &reference.OperatorSpec{Expressions: map[string]reference.Expression{
				"sign": {ConfigMap: h.Name, Key: "sign", Value: `string(outputs.rooms) + " rooms of " + self.metadata.name`}}}
			all = append(all, h)
		case at <= 3:
			d := &homes.Door{ObjectMeta: in(fmt.Sprintf("d%d-%d", house, at))}
			d.Spec.Fields.Owner = &reference.Owner{Name: fmt.Sprintf("h%d", house)}
			d.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
			all = append(all, d)
		default:
			l := &homes.Lock{ObjectMeta: in(fmt.Sprintf("l%d-%d", house, at))}
			l.Spec.Fields.Owner = &reference.Owner{Name: fmt.Sprintf("d%d-%d", house, at%3+1)}
			l.Spec.Fields.ColorFrom = &reference.Value{Group: homes.Group, Kind: "House", Name: fmt.Sprintf("h%d", house), Output: "id"}
			all = append(all, l)
		}
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := i; j < len(all); j += 8 {
				if err := s.Create(s.Context(), all[j]); err != nil {
					s.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	if s.Failed() {
		s.FailNow()
	}
}

// served returns how many requests the API server has answered, by verb and resource. Those of
// this test and its own are among them, and a watch counts when it ends.
func (s *stage) served() map[string]float64 {
	s.Helper()
	c, err := discovery.NewDiscoveryClientForConfig(s.plane.Config)
	if err != nil {
		s.Fatal(err)
	}
	text, err := c.RESTClient().Get().AbsPath("/metrics").DoRaw(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	all := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		labels, is := strings.CutPrefix(line, "apiserver_request_total{")
		labels, value, found := strings.Cut(labels, "} ")
		if !is || !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil {
			s.Fatal(err)
		}
		of := map[string]string{}
		for _, label := range strings.Split(labels, `",`) {
			name, value, _ := strings.Cut(label, `="`)
			of[name] = strings.TrimSuffix(value, `"`)
		}
		all[strings.TrimSpace(of["verb"]+" "+of["resource"]+" "+of["subresource"])] += n
	}
	return all
}

// more prints what was served more than before, divided by a number.
func more(before, after map[string]float64, by float64) string {
	var all []string
	for _, what := range slices.SortedFunc(maps.Keys(after), func(a, b string) int {
		return cmp.Compare(after[b]-before[b], after[a]-before[a])
	}) {
		if n := (after[what] - before[what]) / by; n >= .005 {
			all = append(all, fmt.Sprintf("%s %.2f", what, n))
		}
	}
	return strings.Join(all, ", ")
}

// measured is an operator that is looked at.
type measured struct {
	*stage
	pid  int
	url  string
	stop func()
}

func (s *stage) measure() *measured {
	s.Helper()
	address, err := controlplane.FreeAddress()
	if err != nil {
		s.Fatal(err)
	}
	r := s.role
	r.Metrics = address
	c := s.launch(r)
	stop := sync.OnceFunc(func() {
		c.Process.Kill()
		c.Wait() // which says that it was killed
	})
	s.Cleanup(stop)
	return &measured{s, c.Process.Pid, "http://" + r.Metrics + "/metrics", stop}
}

// lines calls do with each value of the metrics.
func (m *measured) lines(do func(name, labels string, value float64)) bool {
	response, err := http.Get(m.url)
	if err != nil {
		return false // it has just started
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		series, text, _ := strings.Cut(lines.Text(), " ")
		if at := strings.LastIndexByte(lines.Text(), ' '); at > 0 {
			series, text = lines.Text()[:at], lines.Text()[at+1:]
		}
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			name, labels, _ := strings.Cut(series, "{")
			do(name, labels, value)
		}
	}
	return true
}

// read returns the sums of all metrics.
func (m *measured) read() map[string]float64 {
	all := map[string]float64{}
	m.lines(func(name, _ string, value float64) { all[name] += value })
	return all
}

// by returns the sums of a metric by a label.
func (m *measured) by(metric, label string) map[string]float64 {
	all := map[string]float64{}
	m.lines(func(name, labels string, value float64) {
		if _, rest, found := strings.Cut(labels, label+`="`); found && name == metric {
			of, _, _ := strings.Cut(rest, `"`)
			all[of] += value
		}
	})
	return all
}

// until waits until the sum of a metric is as large as a number.
func (m *measured) until(what, metric string, n int) {
	m.Helper()
	await.Until(m.T, what, func() error {
		if is := m.read()[metric]; is < float64(n) {
			return fmt.Errorf("%s is %.0f, want %d", metric, is, n)
		}
		return nil
	})
}

// peak returns the most memory that the operator has had, in MB.
func (m *measured) peak() float64 {
	m.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.pid))
	if err != nil {
		m.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		m.Fatal(err)
	}
	return kb / 1e3
}
