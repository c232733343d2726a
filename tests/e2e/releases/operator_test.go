package releases_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/log"

	armaturetypes "github.com/armature-dev/armature/cli/types"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/tests/e2e/cluster"
	depot20170301 "github.com/armature-dev/armature/tests/e2e/releases/depot20170301/scheme"
	depot20180601 "github.com/armature-dev/armature/tests/e2e/releases/depot20180601/scheme"
)

const (
	depotGroup = "depot.azure.armature.dev"
	v2017      = "v20170301alpha1"
	v2018      = "v20180601alpha1"
)

var (
	former = release{"depot20170301", []string{v2017}, depot20170301.AddToScheme, nil}
	next   = release{"depot20180601", []string{v2017, v2018}, depot20180601.AddToScheme, nil}
)

// TestOperator replaces webhook, CRDs and operator of a release by those of the next,
// and back, and forward again, each operator while operations of ARM are under way
// that it has started. The hub moves. At no moment is anything sent but what objects
// say, at their own version, and the garbage collector finds their owners.
func TestOperator(t *testing.T) {
	u := newUpgrade(t)
	u.create(v2017, 0, 4)
	u.operate(former)
	u.settle("with the first release", v2017, v2017)

	u.plan(next)
	u.converter.Handle(next.webhook(t))
	u.change()
	u.settle("with the next webhook", v2017, v2017)
	u.installCRDs(next, next.crds(t), v2017, v2018)
	u.change()
	u.create(v2017, 4, 5)
	u.create(v2018, 5, 7)
	u.settle("with the next CRDs and the operator of the first release", v2017, v2017)
	u.replaceOperator(next)
	u.settle("with the next release", v2018, v2017, v2018)

	u.replaceOperator(former)
	u.settle("with the operator back", v2017, v2017)
	u.installCRDs(former, u.withStored(former, next), v2017)
	u.change()
	u.create(v2017, 7, 8)
	u.settle("with operator and CRDs back", v2017, v2017)
	u.installCRDs(next, next.crds(t), v2017, v2018)
	u.replaceOperator(next)
	u.settle("forward again", v2018, v2017, v2018)

	// A later release serves the first one's version no longer.
	crds := next.crds(t)
	for _, crd := range crds {
		crd.Spec.Versions = slices.DeleteFunc(crd.Spec.Versions,
			func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == v2017 })
		crd.Spec.Versions[slices.IndexFunc(crd.Spec.Versions,
			func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == former.hub() })].Served = false
	}
	u.installCRDs(next, crds, v2018)
	u.settle("without the first release's version", v2018, v2017, v2018)

	for _, m := range u.things {
		if m.kind == "Depot" {
			if err := u.resources(m.kind, v2018).Delete(t.Context(), m.name, metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	await.Until(t, "everything is gone", func() error {
		if left := append(u.collect(), u.arm.IDs()...); len(left) > 0 {
			return fmt.Errorf("%q are left", left)
		}
		return nil
	})
}

// upgrade is a cluster with an operator, and what its users have made.
type upgrade struct {
	*testing.T
	*cluster.Cluster
	converter *cluster.Webhook
	arm       *armtest.Server
	stop      func() // stops the operator
	things    []*made
	// hub is the version that the CRDs store, and served has their API versions.
	hub    string
	served []string
}

// made is an object that a user has made.
type made struct {
	kind, name, id string
	// version is the API version that the user writes it at.
	version string
	// size is what the user wants, and puts how many PUTs that permits.
	size, puts int
}

// property is the one in which the size is.
func (m *made) property() string {
	if m.kind == "Depot" {
		return "capacity"
	}
	return "shelves"
}

// armVersion returns ARM's version of an API version.
func armVersion(version string) string {
	return map[string]string{v2017: "2017-03-01-preview", v2018: "2018-06-01-preview"}[version]
}

func newUpgrade(t *testing.T) *upgrade {
	t.Helper()
	log.SetLogger(logr.Discard())
	server := cluster.New(t)
	arm, err := armtest.New(os.DirFS(filepath.Join("..", "..", "..", "apis", "depot", "specs")))
	if err != nil {
		t.Fatal(err)
	}
	arm.Behave(armtest.Behavior{Seed: 1, Slowest: 5 * time.Second, RetryAfter: time.Second, Rates: armtest.Rates{
		armtest.AsyncOperation: .5, armtest.LocationOperation: .4, armtest.MissingParent: 1, armtest.Busy: 1, armtest.NewURL: .4}})
	u := &upgrade{T: t, Cluster: server, arm: arm, stop: func() {}}
	t.Cleanup(func() {
		u.stop()
		if t.Failed() {
			t.Logf("injected:\n%s", strings.Join(arm.Injected(), "\n"))
		}
	})
	u.converter = cluster.NewWebhook(t, former.webhook(t))
	t.Cleanup(u.converter.Stop)
	u.installCRDs(former, former.crds(t), v2017)
	return u
}

// installCRDs installs CRDs with the policies of their release.
func (u *upgrade) installCRDs(of release, crds []*apiextensionsv1.CustomResourceDefinition, served ...string) {
	u.Helper()
	u.Install(u.T, u.converter, crds...)
	u.hub, u.served = of.hub(), served
	newest := served[len(served)-1]
	u.InstallPolicies(u.T, filepath.Join(of.name, "crds"), func() error {
		depot := &unstructured.Unstructured{Object: map[string]any{"apiVersion": depotGroup + "/" + newest, "kind": "Depot",
			"metadata": map[string]any{"name": "probe", "annotations": map[string]any{annotation.APIVersion: "none"}},
			"spec":     map[string]any{"owner": map[string]any{"armId": resourceGroup}}}}
		_, err := u.resources("Depot", newest).Create(u.Context(), depot, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	})
}

// withStored returns the CRDs of a release with the storage version of another, at
// which objects may be stored.
func (u *upgrade) withStored(of, also release) []*apiextensionsv1.CustomResourceDefinition {
	u.Helper()
	crds := of.crds(u.T)
	for i, crd := range also.crds(u.T) {
		crds[i] = withStored(u.T, crds[i], crd)
	}
	return crds
}

func (u *upgrade) resources(kind, version string) dynamic.ResourceInterface {
	resource := schema.GroupVersionResource{Group: depotGroup, Version: version, Resource: strings.ToLower(kind) + "s"}
	return u.Client.Resource(resource).Namespace("default")
}

const resourceGroup = "/subscriptions/s/resourceGroups/g"

// create makes depots with numbers from first until end, each with two racks.
func (u *upgrade) create(version string, first, end int) {
	u.Helper()
	for i := first; i < end; i++ {
		depot := fmt.Sprintf("depot%d", i)
		id := resourceGroup + "/providers/Contoso.Depot/depots/" + depot
		for j := range 2 {
			rack := fmt.Sprintf("rack%d-%d", i, j)
			u.make(&made{kind: "Rack", name: rack, id: id + "/racks/" + rack, version: version}, map[string]any{"name": depot})
		}
		u.make(&made{kind: "Depot", name: depot, id: id, version: version}, map[string]any{"armId": resourceGroup})
	}
}

func (u *upgrade) make(m *made, owner map[string]any) {
	u.Helper()
	m.size, m.puts = 1, 1
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": depotGroup + "/" + m.version, "kind": m.kind,
		"metadata": map[string]any{"name": m.name}, "spec": map[string]any{"owner": owner, m.property(): int64(m.size)}}}
	if _, err := u.resources(m.kind, m.version).Create(u.Context(), o, metav1.CreateOptions{}); err != nil {
		u.Fatal(err)
	}
	u.things = append(u.things, m)
}

// change gives all that users have made another content, but for the first depot and
// its racks. Who cannot write at the version of an object writes at an older one, which
// does not move it.
func (u *upgrade) change() {
	u.Helper()
	for _, m := range u.things[3:] {
		m.size++
		m.puts++
		at := m.version
		if !slices.Contains(u.served, at) {
			at = u.served[0]
		}
		patch := fmt.Sprintf(`{"spec":{%q:%d}}`, m.property(), m.size)
		if _, err := u.resources(m.kind, at).Patch(u.Context(), m.name, types.MergePatchType, []byte(patch),
			metav1.PatchOptions{}); err != nil {
			u.Fatal(err)
		}
	}
}

// operate starts the operator of a release.
func (u *upgrade) operate(of release) {
	u.Helper()
	scheme := runtime.NewScheme()
	if err := of.addToScheme(scheme); err != nil {
		u.Fatal(err)
	}
	if err := corev1.AddToScheme(scheme); err != nil {
		u.Fatal(err)
	}
	u.stop = u.Operate(u.T, scheme, u.arm, reconcile.Options{})
}

// plan checks that a plan by the programs of another release, which convert by themselves, has nothing to do.
func (u *upgrade) plan(by release) {
	u.Helper()
	url, err := u.arm.Listen("127.0.0.1:0")
	if err != nil {
		u.Fatal(err)
	}
	u.Cleanup(func() { u.arm.Close() })
	armature, err := armaturetypes.New(nil, by.addToScheme)
	if err != nil {
		u.Fatal(err)
	}
	var printed bytes.Buffer
	armature.SetOut(&printed)
	armature.SetErr(&printed)
	armature.SetArgs([]string{"plan", "--all", "--kubeconfig=" + u.KubeconfigOf(u.T, ""), "--arm-endpoint=" + url})
	err = armature.ExecuteContext(u.Context())
	if want := fmt.Sprintf("Plan: %d unchanged.\n", len(u.things)); err != nil || printed.String() != want {
		u.Errorf("got %v\n%s\nwant %s", err, printed.String(), want)
	}
}

// replaceOperator changes objects, and replaces the operator by that of another
// release while operations are under way. How those end, the next one does not know.
func (u *upgrade) replaceOperator(by release) {
	u.Helper()
	u.change()
	await.Until(u.T, "three operations are under way", func() error {
		if n := len(u.underWay()); n < 3 {
			return fmt.Errorf("%d are", n)
		}
		return nil
	})
	u.stop()
	for _, m := range u.underWay() {
		m.puts++
	}
	u.operate(by)
}

// underWay returns what the operator has sent without knowing how that ends.
func (u *upgrade) underWay() (all []*made) {
	u.Helper()
	for _, m := range u.things {
		if strings.Contains(u.get(m, u.served[0]).GetAnnotations()[annotation.Sent], `"phase":"sending"`) {
			all = append(all, m)
		}
	}
	return all
}

func (u *upgrade) get(m *made, version string) *unstructured.Unstructured {
	u.Helper()
	o, err := u.resources(m.kind, version).Get(u.Context(), m.name, metav1.GetOptions{})
	if err != nil {
		u.Fatal(err)
	}
	return o
}

// settle waits until all is as it should be, and then checks what ARM got. The operator
// refers to owners at a version, and knows those in sent.
func (u *upgrade) settle(when, refersTo string, sent ...string) {
	u.Helper()
	begin := time.Now()
	await.Until(u.T, when, func() error {
		var wrong []error
		for _, m := range u.things {
			wrong = append(wrong, u.check(m, refersTo, slices.Contains(sent, m.version)))
		}
		return errors.Join(wrong...)
	})
	taken := map[string]int{}
	for _, r := range u.arm.Requests() {
		if r.Method != "PUT" {
			continue
		}
		m := u.things[slices.IndexFunc(u.things, func(m *made) bool { return strings.EqualFold(m.id, r.ID) })]
		if r.APIVersion != armVersion(m.version) {
			u.Errorf("%s: ARM got %s at %s, and it is written at %s", when, m.name, r.APIVersion, armVersion(m.version))
		}
		if r.Status < 300 {
			taken[m.name]++
		} else if r.Status != http.StatusConflict { // busy
			u.Errorf("%s: ARM refused %s with %d: %s", when, m.name, r.Status, r.Body)
		}
	}
	for _, m := range u.things {
		if taken[m.name] > m.puts {
			u.Errorf("%s: ARM took %d PUTs of %s, and there were %d reasons", when, taken[m.name], m.name, m.puts)
		}
		if noted, _, _ := unstructured.NestedString(u.get(m, u.hub).Object, "spec", "originalVersion"); noted != m.version {
			u.Errorf("%s: %s notes the original version %q, want %s", when, m.name, noted, m.version)
		}
	}
	u.Logf("%6.1f s %s: ARM got %d requests so far", time.Since(begin).Seconds(), when, len(u.arm.Requests()))
}

// check returns what is not yet as it should be with an object, of which the operator
// knows the version or not.
func (u *upgrade) check(m *made, refersTo string, known bool) error {
	u.Helper()
	o := u.get(m, u.served[0])
	var wrong []error
	add := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("%s: "+format, append([]any{m.name}, args...)...))
	}
	var of struct {
		Status struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &of); err != nil {
		u.Fatal(err)
	}
	ready := meta.FindStatusCondition(of.Status.Conditions, reconcile.Ready)
	switch {
	case ready == nil:
		add("no condition")
	case known && (ready.Status != metav1.ConditionTrue || ready.ObservedGeneration != o.GetGeneration()):
		add("%s %s", ready.Reason, ready.Message)
	case !known && ready.Reason != reconcile.ReasonVersionUnserved:
		add("%s, want %s", ready.Reason, reconcile.ReasonVersionUnserved)
	}
	if body, _ := u.arm.Resource(m.id); known {
		var has struct{ Properties map[string]any }
		if err := json.Unmarshal(body, &has); err != nil || has.Properties[m.property()] != float64(m.size) {
			add("ARM has %s, want the %s %d", body, m.property(), m.size)
		}
	}
	if m.kind == "Rack" && known && len(o.GetOwnerReferences()) != 1 {
		add("it has the owners %v", o.GetOwnerReferences())
	}
	for _, owner := range o.GetOwnerReferences() {
		if owner.APIVersion != depotGroup+"/"+refersTo {
			add("its owner is referred to at %s, want %s", owner.APIVersion, refersTo)
		} else if found, err := u.finds(owner); !found {
			add("the garbage collector does not find its owner: %v", err)
		}
	}
	return errors.Join(wrong...)
}

// finds reports whether the garbage collector finds an owner: by its apiVersion and
// kind in what the API server serves, then by its name, with the same uid. An error
// says that it cannot tell.
func (u *upgrade) finds(owner metav1.OwnerReference) (bool, error) {
	u.Helper()
	served, err := restmapper.GetAPIGroupResources(u.Discovery)
	if err != nil {
		return false, err
	}
	gv, err := schema.ParseGroupVersion(owner.APIVersion)
	if err != nil {
		return false, err
	}
	mapping, err := restmapper.NewDiscoveryRESTMapper(served).RESTMapping(gv.WithKind(owner.Kind).GroupKind(), gv.Version)
	if err != nil {
		return false, err
	}
	o, err := u.Client.Resource(mapping.Resource).Namespace("default").Get(u.Context(), owner.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return err == nil && o.GetUID() == owner.UID, err
}

// collect does what the garbage collector does: it deletes the objects whose owner is
// gone. It returns what there is.
func (u *upgrade) collect() (left []string) {
	u.Helper()
	for _, kind := range []string{"Rack", "Depot"} {
		list, err := u.resources(kind, u.served[0]).List(u.Context(), metav1.ListOptions{})
		if err != nil {
			u.Fatal(err)
		}
		for _, o := range list.Items {
			left = append(left, kind+" "+o.GetName())
			for _, owner := range o.GetOwnerReferences() {
				found, err := u.finds(owner)
				if err != nil {
					u.Fatal(err)
				}
				if found || o.GetDeletionTimestamp() != nil {
					continue
				}
				if err := u.resources(kind, u.served[0]).Delete(u.Context(), o.GetName(),
					metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
					u.Fatal(err)
				}
			}
		}
	}
	return left
}
