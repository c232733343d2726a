package cluster

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/internal/await"
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

// program is a process of the program that a release has.
type program struct {
	*stage
	log             *written
	metrics, health string // addresses
}

// run runs the program with flags besides those that it needs here.
func (s *stage) run(flags ...string) *program {
	s.Helper()
	p := &program{stage: s, log: &written{}}
	for _, address := range []*string{&p.metrics, &p.health} {
		var err error
		if *address, err = controlplane.FreeAddress(); err != nil {
			s.Fatal(err)
		}
	}
	s.log = p.log
	r := s.role
	r.Flags = append([]string{"--kubeconfig=" + r.Kubeconfig, "--namespace=" + r.Namespace, "--arm-endpoint=" + r.ARM,
		"--credential-namespace=*", "--metrics-address=" + p.metrics, "--health-address=" + p.health}, flags...)
	c := s.launch(r)
	s.Cleanup(func() {
		c.Process.Kill()
		c.Wait() // which says that it was killed
		if s.Failed() {
			s.Logf("the operator wrote %s", p.log.text.String())
		}
	})
	return p
}

// asked returns what the program answers at a URL.
func (p *program) asked(url string) (status int, text string) {
	p.Helper()
	response, err := http.Get("http://" + url)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		p.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// hasMetric returns an error unless the metrics have a line.
func (p *program) hasMetric(line string) error {
	p.Helper()
	if status, text := p.asked(p.metrics + "/metrics"); !strings.Contains(text, line) {
		return fmt.Errorf("the metrics (%d) do not have %s", status, line)
	}
	return nil
}

// TestRights runs the program with the rights of a release, where the roles of some kinds have
// not been applied. The others work, it says once what is missing, and when the roles come it
// goes on without a restart.
func TestRights(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	others := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == "Lock" || kind == "Street" })
	s.asReleaseFor(others)
	p := s.run("--refresh=5s")

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
	await.Until(s.T, "the kinds with rights", func() error {
		unready := s.unready()
		slices.Sort(unready)
		text := strings.Join(unready, "\n")
		const says, todo = "h1: WaitingForReference ", "apply the roles of the group homes of its release"
		if !strings.Contains(text, todo) || !strings.HasPrefix(text, says) || len(unready) != 3 {
			return fmt.Errorf("not ready are: %s", text)
		}
		return nil
	})
	lease := &coordinationv1.Lease{}
	if err := s.Get(t.Context(), client.ObjectKey{Namespace: s.role.Namespace, Name: reconcile.DefaultInstance}, lease); err != nil {
		t.Error(err)
	}
	const sentence = "the operator has no right to list kind Lock of homes.example.com: apply the roles of the group homes of its release"
	if status, text := p.asked(p.health + "/readyz"); status != http.StatusOK || text != "ok" {
		t.Errorf("/readyz: %d %s", status, text)
	}
	if status, text := p.asked(p.health + "/readyz?verbose"); status != http.StatusOK || strings.Count(text, sentence) != 1 {
		t.Errorf("/readyz?verbose: %d %s", status, text)
	}
	const metric = `armature_kinds_forbidden{group="homes.example.com",kind="Lock"} 1`
	if err := p.hasMetric(metric); err != nil {
		t.Error(err)
	}
	// The lists of both kinds have been tried many times by now.
	all := p.log.lines("list kind Lock")
	if len(all) != 1 || !strings.Contains(all[0], sentence) || !strings.Contains(all[0], "locks.homes") {
		t.Errorf("the log has %q, expected one line with %q and the answer", all, sentence)
	}
	if all := p.log.lines("forbidden"); len(all) != 2 {
		t.Errorf("the log has %q, expected one line about each of two kinds", all)
	}

	s.grant("more", []string{"Lock", "Street"})
	await.Until(s.T, "with all rights", s.allReady)
	if _, text := p.asked(p.health + "/readyz?verbose"); strings.Contains(text, "no right") {
		t.Errorf("/readyz?verbose still has %s", text)
	}
	if _, text := p.asked(p.metrics + "/metrics"); strings.Contains(text, "armature_kinds_forbidden{") {
		t.Error("the metrics still have a kind that is forbidden")
	}
}

// TestUnlisted runs the program where the API server cannot list a kind, because the webhook that converts what it has
// stored is not there. The other kinds work, it says what is wrong where an administrator looks, and goes on when the
// webhook comes.
func TestUnlisted(t *testing.T) {
	t.Parallel()
	s := newStageWithout(t)
	s.role.Namespace = "default"
	all := crds()
	street := all[slices.Index(kinds, "Street")]
	storeAt := func(version string) {
		for i := range street.Spec.Versions {
			street.Spec.Versions[i].Storage = street.Spec.Versions[i].Name == version
		}
	}
	storeAt(homes.V2020)
	if err := s.plane.Install(t.Context(), nil, all...); err != nil {
		t.Fatal(err)
	}
	streets := s.plane.Client.Resource(schema.GroupVersionResource{Group: homes.Group, Version: homes.V2020, Resource: "streets"})
	_, err := streets.Namespace("default").Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": homes.Group + "/" + homes.V2020, "kind": "Street", "metadata": map[string]any{"name": "s"},
		"spec": map[string]any{"fields": map[string]any{"owner": map[string]any{"armId": group}}}}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// change changes the CRD as it is.
	change := func(do func(*apiextensionsv1.CustomResourceDefinition)) {
		t.Helper()
		await.Until(t, "the CRD is changed", func() error {
			now, err := s.plane.CRDs.Get(t.Context(), street.Name, metav1.GetOptions{})
			if err == nil {
				do(now)
				_, err = s.plane.CRDs.Update(t.Context(), now, metav1.UpdateOptions{})
			}
			return err
		})
	}
	storeAt(homes.V2020 + "storage")
	change(func(crd *apiextensionsv1.CustomResourceDefinition) {
		crd.Spec.Versions, crd.Spec.Conversion = street.Spec.Versions, controlplane.ConversionAt("127.0.0.1:1", nil)
	})
	refers := &homes.House{ObjectMeta: named("refers")}
	refers.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	refers.Spec.Fields.StreetReference = &reference.Resource{Group: homes.Group, Kind: "Street", Name: "s"}
	other := &homes.House{ObjectMeta: named("other")}
	other.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	for _, o := range []client.Object{refers, other} {
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	p := s.run()
	const (
		sentence = "[!]the API server does not list kind Street of homes.example.com: "
		metric   = `armature_kinds_unlisted{group="homes.example.com",kind="Street"} 1`
	)
	t.Run("the other kinds work", func(t *testing.T) { s.shows(t, "House", "other", "True Succeeded") })
	t.Run("/readyz?verbose and a metric name the kind, and the program stays ready", func(t *testing.T) {
		await.Until(t, "/readyz names it", func() error {
			status, text := p.asked(p.health + "/readyz?verbose")
			if status != http.StatusOK || strings.Count(text, sentence) != 1 || !strings.Contains(text, "conversion webhook") {
				return fmt.Errorf("/readyz?verbose: %d %s", status, text)
			}
			return nil
		})
		if status, text := p.asked(p.health + "/readyz"); status != http.StatusOK || text != "ok" {
			t.Errorf("/readyz: %d %s", status, text)
		}
		await.Until(t, "a metric names it", func() error { return p.hasMetric(metric) })
	})
	t.Run("what depends on the kind says for what it waits", func(t *testing.T) {
		s.shows(t, "House", "refers", "False KindNotListed: the API server does not list kind Street")
	})
	t.Run("it goes on when the kind is listed, and says nothing more", func(t *testing.T) {
		change(func(crd *apiextensionsv1.CustomResourceDefinition) {
			crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
		})
		s.shows(t, "House", "refers", "True Succeeded")
		await.Until(t, "it says nothing more", func() error {
			if status, text := p.asked(p.health + "/readyz?verbose"); status != http.StatusOK || strings.Contains(text, "does not list") {
				return fmt.Errorf("/readyz?verbose: %d %s", status, text)
			}
			status, text := p.asked(p.metrics + "/metrics")
			if status != http.StatusOK || strings.Contains(text, "armature_kinds_unlisted{") {
				return fmt.Errorf("/metrics: %d %s", status, text)
			}
			return nil
		})
	})
}

// guard installs the admission policy of storage versions as a release has it for a group, and lets
// another account than the operator's write there.
func (s *stage) guard() {
	s.Helper()
	policies := manifests.Policies{Group: homes.Group}.Text()
	for document := range strings.SplitSeq(string(policies), "\n---\n") {
		if !strings.Contains(document, "name: storage-versions.") {
			continue
		}
		if _, err := s.plane.Apply(s.Context(), []byte(document)); err != nil {
			s.Fatal(err)
		}
	}
	first := manifests.StorageWriters([]manifests.Account{{Namespace: "armature-system", Name: "first"}})
	if _, err := s.plane.Apply(s.Context(), first); err != nil {
		s.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", s.role.Kubeconfig)
	if err != nil {
		s.Fatal(err)
	}
	operator, err := client.New(config, client.Options{Scheme: s.Scheme()})
	if err != nil {
		s.Fatal(err)
	}
	house := &homes.House{ObjectMeta: named("probe")}
	if err := s.Create(s.Context(), house); err != nil {
		s.Fatal(err)
	}
	await.Until(s.T, "the policy is in force", func() error {
		patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`))
		if err := operator.Patch(s.Context(), house, patch, client.DryRunAll); !controlplane.IsDenied(err) {
			return fmt.Errorf("got %v", err)
		}
		return nil
	})
	if err := s.Delete(s.Context(), house); err != nil {
		s.Fatal(err)
	}
}

// TestWriteRights runs the program as the second operator of a cluster, without the right to write
// at storage versions, which the release gives to the first. It says so where an administrator
// looks, and goes on in each namespace when the right comes, without a restart.
func TestWriteRights(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	admin := s.role.Kubeconfig
	s.asRelease()
	s.guard()
	s.namespace("team-a")
	s.namespace("team-b")
	s.house("team-a", "a", "")
	p := s.run("--namespaces=team-a,team-b")
	const sentence = "no right to write objects of homes.example.com in namespace "
	// lacks returns what /readyz?verbose says of a namespace.
	lacks := func(namespace string) (all []string) {
		_, text := p.asked(p.health + "/readyz?verbose")
		for line := range strings.Lines(text) {
			if strings.Contains(line, sentence+namespace+":") {
				all = append(all, line)
			}
		}
		return all
	}
	told := func(namespace, name string) {
		t.Helper()
		await.Until(s.T, "an event of "+name, func() error {
			var all corev1.EventList
			if err := s.List(t.Context(), &all, client.InNamespace(namespace)); err != nil {
				return err
			}
			for _, e := range all.Items {
				if e.InvolvedObject.Name == name && e.Reason == reconcile.ReasonWriteForbidden &&
					strings.Contains(e.Message, "in namespace "+namespace+": bind the ClusterRole armature-storage-writer") {
					return nil
				}
			}
			return fmt.Errorf("there are %v", all.Items)
		})
	}
	// mend runs the command that the message has, and waits until that has helped an object of the namespace.
	mend := func(namespace, name string) {
		t.Helper()
		found := regexp.MustCompile("`kubectl ([^`]*)`").FindStringSubmatch(strings.Join(lacks(namespace), ""))
		if found == nil {
			t.Fatalf("there is no command in %q", lacks(namespace))
		}
		c := exec.Command(filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl"), strings.Fields(found[1])...)
		c.Env = append(os.Environ(), "KUBECONFIG="+admin)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		s.becomes(namespace, name, reconcile.ReasonSucceeded)
		await.Until(s.T, "the right in "+namespace, func() error {
			status, text := p.asked(p.health + "/readyz?verbose")
			if status != http.StatusOK || strings.Contains(text, sentence+namespace+":") {
				return fmt.Errorf("/readyz?verbose: %d %s", status, text)
			}
			return nil
		})
	}

	told("team-a", "a")
	await.Until(s.T, "what it lacks", func() error {
		if len(lacks("team-a")) != 1 || len(lacks("team-b")) != 1 { // of which there is no object yet
			return fmt.Errorf("%q and %q", lacks("team-a"), lacks("team-b"))
		}
		return nil
	})
	if status, text := p.asked(p.health + "/readyz"); status != http.StatusOK || text != "ok" {
		t.Errorf("/readyz: %d %s", status, text)
	}
	for _, namespace := range []string{"team-a", "team-b"} {
		if all := p.log.lines("homes.example.com in namespace " + namespace + ":"); len(all) != 1 {
			t.Errorf("the log has %q, expected one line", all)
		}
	}
	const metric = `armature_objects{group="homes.example.com",kind="House",reason="WriteForbidden",state="stalled"} 1`
	await.Until(s.T, "the metric", func() error { return p.hasMetric(metric) })
	if len(s.arm.IDs()) > 0 {
		t.Errorf("ARM has %q", s.arm.IDs())
	}

	mend("team-a", "a")
	s.house("team-b", "b", "")
	told("team-b", "b")
	s.house("team-a", "more", "")
	s.becomes("team-a", "more", reconcile.ReasonSucceeded)
	if len(lacks("team-b")) != 1 || len(s.arm.IDs()) != 2 {
		t.Errorf("got %q, and ARM has %q", lacks("team-b"), s.arm.IDs())
	}

	mend("team-b", "b")
}
