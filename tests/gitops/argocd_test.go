package gitops

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/health"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync"
	synccommon "github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/tracing"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo"
	argodiff "github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/tools/demo/stage"
)

// application does what Argo CD's application controller does with an Application, by the libraries that it consists
// of. CompareAppState and SyncAppState of its package controller, which need its API server, Redis and a repository
// server, are what compare and step are made after.
type application struct {
	*testing.T
	name       string
	serverSide bool // the sync option ServerSideApply=true, with which it also compares on the server

	kubectl   *kube.KubectlCmd
	cluster   cache.ClusterCache
	tracking  argo.ResourceTracking
	overrides map[string]v1alpha1.ResourceOverride
	labelKey  string
	method    v1alpha1.TrackingMethod
}

// newApplication returns an application whose settings are those of the ConfigMap that docs/gitops.md names.
func newApplication(t *testing.T, name string, serverSide bool) *application {
	t.Helper()
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	a := &application{T: t, name: name, serverSide: serverSide, tracking: argo.NewResourceTracking(),
		kubectl: &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}}
	manager := settings.NewSettingsManager(t.Context(), clients, "argocd")
	if a.overrides, err = manager.GetResourceOverrides(); err != nil {
		t.Fatal(err)
	}
	if a.labelKey, err = manager.GetAppInstanceLabelKey(); err != nil {
		t.Fatal(err)
	}
	method, err := manager.GetTrackingMethod()
	if err != nil {
		t.Fatal(err)
	}
	a.method = v1alpha1.TrackingMethod(method)
	a.cluster = cache.NewClusterCache(config, cache.SetKubectl(a.kubectl), cache.SetLogr(logr.Discard()),
		cache.SetSettings(cache.Settings{
			ResourceHealthOverride: lua.ResourceHealthOverrides(a.overrides), ResourcesFilter: everyResource{},
		}),
		cache.SetPopulateResourceInfoHandler(func(o *unstructured.Unstructured, isRoot bool) (any, bool) {
			of := a.tracking.GetAppName(o, a.labelKey, a.method, "")
			return of, isRoot && of != ""
		}))
	a.refresh()
	t.Cleanup(func() { a.cluster.Invalidate() })
	return a
}

// everyResource excludes nothing.
type everyResource struct{}

func (everyResource) IsExcludedResource(_, _, _ string) bool { return false }
func (everyResource) GetLabelSelector(_, _, _ string) string { return "" }

// refresh forgets what is known of the cluster, as a hard refresh does.
func (a *application) refresh() {
	a.Helper()
	a.cluster.Invalidate()
	if err := a.cluster.EnsureSynced(); err != nil {
		a.Fatal(err)
	}
}

// comparison is what Argo CD finds: the pairs of an object of the cluster and its manifest, and how these differ.
type comparison struct {
	sync.ReconciliationResult
	diffs *diff.DiffResultList
}

// compare compares manifests with the cluster.
func (a *application) compare(manifests []*unstructured.Unstructured) *comparison {
	a.Helper()
	targets := copies(manifests)
	for _, o := range targets {
		if err := a.tracking.SetAppInstance(o, a.labelKey, a.name, namespace, a.method, ""); err != nil {
			a.Fatal(err)
		}
	}
	live, err := a.cluster.GetManagedLiveObjs(targets, func(r *cache.Resource) bool { return r.Info == a.name })
	if err != nil {
		a.Fatal(err)
	}
	c := &comparison{ReconciliationResult: sync.Reconcile(targets, live, namespace, a.cluster)}
	builder := argodiff.NewDiffConfigBuilder().WithDiffSettings(nil, a.overrides, false, normalizers.IgnoreNormalizerOpts{}).
		WithTracking(a.labelKey, string(a.method)).WithNoCache().WithLogger(logr.Discard()).
		WithGVKParser(a.cluster.GetGVKParser()).WithManager(common.ArgoCDSSAManager).WithServerSideDiff(a.serverSide)
	if a.serverSide {
		applier, done, err := a.kubectl.ManageServerSideDiffDryRuns(config)
		if err != nil {
			a.Fatal(err)
		}
		defer done()
		builder.WithServerSideDryRunner(diff.NewK8sServerSideDryRunner(applier))
	}
	how, err := builder.Build()
	if err != nil {
		a.Fatal(err)
	}
	if c.diffs, err = argodiff.StateDiffs(a.Context(), c.Live, c.Target, how); err != nil {
		a.Fatal(err)
	}
	return c
}

// outOfSync returns what Argo CD shows as OutOfSync, and how it differs.
func (c *comparison) outOfSync() map[string]string {
	found := map[string]string{}
	for i, target := range c.Target {
		switch live := c.Live[i]; {
		case target == nil:
			found[nameOf(live)] = "it has no manifest"
		case live == nil:
			found[nameOf(target)] = "it is missing"
		case c.diffs.Diffs[i].Modified:
			var has, wants any
			_ = yaml.Unmarshal(c.diffs.Diffs[i].NormalizedLive, &has)
			_ = yaml.Unmarshal(c.diffs.Diffs[i].PredictedLive, &wants)
			found[nameOf(target)] = cmp.Diff(has, wants)
		}
	}
	return found
}

// synced checks that nothing is OutOfSync.
func (a *application) synced(manifests []*unstructured.Unstructured, when string) {
	a.Helper()
	a.refresh()
	for name, differs := range a.compare(manifests).outOfSync() {
		a.Errorf("%s, %s is OutOfSync: %s", when, name, differs)
	}
}

// health returns the health that Argo CD shows of an object of the cluster, nil for none.
func (a *application) health(live *unstructured.Unstructured) *health.HealthStatus {
	a.Helper()
	is, err := health.GetResourceHealth(live, lua.ResourceHealthOverrides(a.overrides))
	if err != nil {
		a.Fatal(err)
	}
	return is
}

// allAre waits until all of Armature's objects have a health, and returns the messages.
func (a *application) allAre(want health.HealthStatusCode, objects []*unstructured.Unstructured) (messages map[string]string) {
	a.Helper()
	await.Until(a.T, "all are "+string(want), func() error {
		messages = map[string]string{}
		var wrong []error
		for _, o := range resources(objects) {
			live := get(a.T, o)
			is := a.health(live)
			if is == nil || is.Status != want {
				wrong = append(wrong, fmt.Errorf("%s: %v: %s", nameOf(o), is, conditionsOf(live)))
				continue
			}
			messages[nameOf(o)] = is.Message
		}
		return errors.Join(wrong...)
	})
	return messages
}

// operation is a sync, or what is left to do of it.
type operation struct {
	*application
	manifests []*unstructured.Unstructured
	phase     synccommon.OperationPhase
	message   string
	results   []synccommon.ResourceSyncResult
	started   metav1.Time
}

// begin begins a sync that also prunes.
func (a *application) begin(manifests []*unstructured.Unstructured) *operation {
	return &operation{application: a, manifests: manifests, phase: synccommon.OperationRunning, started: metav1.Now()}
}

// step compares anew, and does what can be done now.
func (o *operation) step() {
	o.Helper()
	c, propagation := o.compare(o.manifests), metav1.DeletePropagationForeground
	one, done, err := sync.NewSyncContext("revision", c.ReconciliationResult, config, config, o.kubectl, namespace,
		sync.WithLogr(logr.Discard()),
		sync.WithHealthOverride(lua.ResourceHealthOverrides(o.overrides)),
		sync.WithOperationSettings(false, true, false, false),
		sync.WithInitialState(o.phase, o.message, o.results, o.started),
		sync.WithManifestValidation(true),
		sync.WithPrunePropagationPolicy(&propagation),
		sync.WithServerSideApply(o.serverSide),
		sync.WithServerSideApplyManager(common.ArgoCDSSAManager),
		sync.WithClientSideApplyMigration(true, synccommon.DefaultClientSideApplyMigrationManager),
	)
	if err != nil {
		o.Fatal(err)
	}
	defer done()
	one.Sync(o.Context())
	o.phase, o.message, o.results = one.GetState()
}

// end goes on until the sync has ended, and checks that it has succeeded.
func (o *operation) end() {
	o.Helper()
	await.Until(o.T, "the sync ends", func() error {
		if o.step(); !o.phase.Completed() {
			return fmt.Errorf("it goes on: %s", o.message)
		}
		return nil
	})
	if o.phase != synccommon.OperationSucceeded {
		o.Errorf("the sync ended as %s: %s", o.phase, o.message)
		for _, r := range o.results {
			if r.Status != synccommon.ResultCodeSynced && r.Status != synccommon.ResultCodePruned {
				o.Errorf("%s/%s: %s: %s", r.ResourceKey.Kind, r.ResourceKey.Name, r.Status, r.Message)
			}
		}
	}
}

func TestArgoCD(t *testing.T) {
	t.Run("by client-side apply, which is the default", func(t *testing.T) { testApplication(t, false) })
	t.Run("by server-side apply", func(t *testing.T) { testApplication(t, true) })
	t.Run("waves wait until the first one is Healthy", testWaves)
	t.Run("what somebody else manages is no diff", testIgnored)
	t.Run("a refused object is Degraded, and says why", testDegraded)
	t.Run("an observed object is Healthy if ARM has it", testObserved)
	t.Run("a refused deletion is Degraded, and says why", testDeletionDegraded)
	t.Run("what has an owner in the cluster is not pruned alone", testOwned)
}

// testApplication follows all kinds through the life of an application.
func testApplication(t *testing.T, serverSide bool) {
	objects := everything(t)
	a := newApplication(t, "shop", serverSide)
	release := hold(t)
	a.begin(objects).end()
	a.allAre(health.HealthStatusProgressing, objects)
	release()
	a.allAre(health.HealthStatusHealthy, objects)
	a.synced(objects, "when all are Healthy")

	before := versionsOf(t, objects)
	a.begin(objects).end()
	if diff := cmp.Diff(before, versionsOf(t, objects)); diff != "" {
		t.Errorf("a second sync has written objects:\n%s", diff)
	}
	strangers(t, objects)
	a.allAre(health.HealthStatusHealthy, objects)
	a.synced(objects, "when others have written what the manifests do not say")

	of := find(t, objects, "StorageAccount/oldsample")
	patch(t, of, other(of), "controller", `{"spec": {"kind": "BlobStorage"}}`)
	a.refresh()
	if found := a.compare(objects).outOfSync(); len(found) != 1 || !strings.Contains(found[nameOf(of)], "BlobStorage") {
		t.Errorf("a controller has written the Spec of %s: found %v OutOfSync", nameOf(of), found)
	}
	a.begin(objects).end()
	a.allAre(health.HealthStatusHealthy, objects)
	a.synced(objects, "when the sync has set it back")
	if live := get(t, of); live.GetLabels()["team"] != "a" || live.GetAnnotations()[annotation.Refresh] == "" {
		t.Errorf("the sync has removed what a stranger set: found %v and %v", live.GetLabels(), live.GetAnnotations())
	}

	release = hold(t)
	prune := a.begin(nil)
	await.Until(t, "the sync waits for a deletion", func() error {
		if prune.step(); strings.Contains(prune.message, "waiting for deletion of") {
			return nil
		}
		return fmt.Errorf("%s: %s", prune.phase, prune.message)
	})
	group := find(t, objects, "ResourceGroup/newsample")
	await.Until(t, "ARM is asked to delete", func() error {
		if conditions := conditionsOf(get(t, group)); !strings.Contains(conditions, "Deleting") {
			return fmt.Errorf("its conditions are %s", conditions)
		}
		return nil
	})
	for range 3 {
		if prune.step(); prune.phase != synccommon.OperationRunning {
			t.Fatalf("the sync is %s while ARM deletes: %s", prune.phase, prune.message)
		}
	}
	if is := a.health(get(t, group)); is.Status != health.HealthStatusProgressing || !strings.Contains(is.Message, "Deleting") {
		t.Errorf("while ARM deletes, the health is %v, expected Progressing and why", is)
	}
	release()
	prune.end()
	gone(t, objects)
}

// find returns one of some objects by its kind and name.
func find(t *testing.T, objects []*unstructured.Unstructured, name string) *unstructured.Unstructured {
	t.Helper()
	i := slices.IndexFunc(objects, func(o *unstructured.Unstructured) bool { return nameOf(o) == name })
	if i < 0 {
		t.Fatalf("found no %s", name)
	}
	return objects[i]
}

// prune deletes all of an application.
func (a *application) prune(objects []*unstructured.Unstructured) {
	a.Helper()
	a.begin(nil).end()
	gone(a.T, objects)
}

func testWaves(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup", "StorageAccount")
	find(t, objects, "StorageAccount/newsample").SetAnnotations(map[string]string{synccommon.AnnotationSyncWave: "1"})
	a := newApplication(t, "waves", true)
	release := hold(t)
	o := a.begin(objects)
	for range 5 {
		o.step()
	}
	if want := "waiting for healthy state of resources.azure.armature.dev/ResourceGroup/newsample"; o.message != want {
		t.Errorf("while ARM makes the group, the sync says %q, want %q", o.message, want)
	}
	if got := a.compare(objects).outOfSync()["StorageAccount/newsample"]; got != "it is missing" {
		t.Errorf("the second wave did not wait: %s", got)
	}
	release()
	o.end()
	a.allAre(health.HealthStatusHealthy, objects)
	a.prune(objects)
}

// scaled is a namespace for events whose capacity an autoscaler sets in Azure.
const scaled = `apiVersion: eventhub.azure.armature.dev/v20240101
kind: EventHubNamespace
metadata:
  name: scaledsample
  annotations: {armature.dev/ignore: spec.sku.capacity}
spec:
  owner: {name: newsample}
  location: westeurope
  sku: {name: Standard, tier: Standard, capacity: 1}
`

// scale does what an autoscaler does in Azure, and waits until the operator has seen it.
func scale(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	for _, id := range play.ARM.IDs() {
		if !strings.HasSuffix(strings.ToLower(id), "/namespaces/"+o.GetName()) {
			continue
		}
		if !play.ARM.Change(id, "autoscaler", func(body map[string]any) {
			body["sku"] = map[string]any{"name": "Standard", "tier": "Standard", "capacity": 7}
		}) {
			t.Fatalf("ARM is still at work on %s", id)
		}
	}
	patch(t, o, "", "stranger", fmt.Sprintf(`{"metadata": {"annotations": {%q: "after the autoscaler"}}}`, annotation.Refresh))
	await.Until(t, "the operator sees what the autoscaler did", func() error {
		if seen, _, _ := unstructured.NestedInt64(get(t, o).Object, "status", "sku", "capacity"); seen != 7 {
			return fmt.Errorf("its status is %v", get(t, o).Object["status"])
		}
		return nil
	})
}

func testIgnored(t *testing.T) {
	for _, serverSide := range []bool{false, true} {
		objects := append(manifests(t, "newsample", false, "ResourceGroup"), object(t, scaled))
		a := newApplication(t, "scaled", serverSide)
		a.begin(objects).end()
		a.allAre(health.HealthStatusHealthy, objects)
		scale(t, objects[1])
		a.synced(objects, "when an autoscaler has changed the resource")
		a.allAre(health.HealthStatusHealthy, objects)
		a.prune(objects)
	}
}

// wrong is how ARM refuses a resource that somebody has to change, and locked how it refuses a deletion.
var (
	wrong  = refusal{http.MethodPut, "newsample", http.StatusBadRequest, "LocationNotAvailableForResourceType"}
	locked = refusal{http.MethodDelete, "newsample", http.StatusConflict, "ScopeLocked"}
)

func testDegraded(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup")
	a := newApplication(t, "refused", false)
	refuse(t, wrong)
	a.begin(objects).end()
	message := a.allAre(health.HealthStatusDegraded, objects)["ResourceGroup/newsample"]
	if !strings.HasPrefix(message, wrong.code+": ") {
		t.Errorf("the message of the refused object is %q", message)
	}
	a.synced(objects, "when the object is refused")
	a.prune(objects)
}

func testObserved(t *testing.T) {
	group := manifests(t, "newsample", false, "ResourceGroup")
	group[0].SetAnnotations(map[string]string{annotation.Adopt: annotation.AdoptObserve})
	id := "/subscriptions/" + stage.Subscription + "/resourceGroups/newsample"
	play.ARM.Put(id, "2025-04-01", `{"location": "westeurope"}`)
	a := newApplication(t, "observed", false)
	a.begin(group).end()
	a.allAre(health.HealthStatusHealthy, group)
	a.synced(group, "when the resource is observed")
	if is, err := status.Compute(get(t, group[0])); err != nil || is.Status != status.CurrentStatus {
		t.Errorf("kstatus says %v, %v of an observed object, want Current", is, err)
	}
	a.begin(nil).end()
	if _, found := play.ARM.Resource(id); !found {
		t.Error("the observed resource is gone")
	}
	play.ARM.Remove(id)
	gone(t, group)
}

func testDeletionDegraded(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup")
	a := newApplication(t, "kept", false)
	a.begin(objects).end()
	a.allAre(health.HealthStatusHealthy, objects)
	allow := refuse(t, locked)
	prune := a.begin(nil)
	prune.step()
	message := a.allAre(health.HealthStatusDegraded, objects)["ResourceGroup/newsample"]
	if !strings.HasPrefix(message, locked.code+": ") {
		t.Errorf("the message of the refused deletion is %q", message)
	}
	if prune.step(); prune.phase != synccommon.OperationRunning {
		t.Errorf("the sync is %s while ARM refuses the deletion: %s", prune.phase, prune.message)
	}
	allow()
	prune.end()
	gone(t, objects)
}

func testOwned(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup", "StorageAccount")
	a := newApplication(t, "owned", false)
	a.begin(objects).end()
	a.allAre(health.HealthStatusHealthy, objects)
	group, account := find(t, objects, "ResourceGroup/newsample"), find(t, objects, "StorageAccount/newsample")
	a.refresh()
	if found := a.compare([]*unstructured.Unstructured{group}).outOfSync(); len(found) > 0 {
		t.Errorf("found %v OutOfSync; docs/gitops.md says that Argo CD does not see it", found)
	}
	a.begin([]*unstructured.Unstructured{group}).end()
	if is := a.health(get(t, account)); is.Status != health.HealthStatusHealthy {
		t.Errorf("the account is %v, expected that it stays", is)
	}
	a.prune(objects)
}
