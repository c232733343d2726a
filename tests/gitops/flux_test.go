package gitops

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
)

// group is the API group of Flux's Kustomizations.
const group = "kustomize.toolkit.fluxcd.io"

// kustomization does what Flux's kustomize-controller does with a Kustomization, by the library that it consists of.
// The functions apply, checkHealth, prune and finalize of its package controller are what these methods are made after.
type kustomization struct {
	*testing.T
	name    string
	manager *ssa.ResourceManager
}

func newKustomization(t *testing.T, name string) *kustomization {
	t.Helper()
	c, err := ctrlclient.New(config, ctrlclient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	poller := polling.NewStatusPoller(c, c.RESTMapper(), polling.Options{})
	return &kustomization{t, name, ssa.NewResourceManager(c, poller, ssa.Owner{Field: "kustomize-controller", Group: group})}
}

// apply applies manifests, and returns what became of each.
func (k *kustomization) apply(manifests []*unstructured.Unstructured) *ssa.ChangeSet {
	k.Helper()
	objects := copies(manifests)
	k.manager.SetOwnerLabels(objects, k.name, namespace)
	if err := normalize.UnstructuredList(objects); err != nil {
		k.Fatal(err)
	}
	options := ssa.DefaultApplyOptions()
	options.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	options.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	options.ForceSelector = map[string]string{group + "/force": "enabled"}
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{corev1.LastAppliedConfigAnnotation},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "kustomize-controller", OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{group + "/ssa": "Merge"},
	}
	set, err := k.manager.ApplyAllStaged(k.Context(), objects, options)
	if err != nil {
		k.Fatal(err)
	}
	return set
}

// changed returns what an apply has changed.
func changed(set *ssa.ChangeSet) []string {
	var all []string
	for _, e := range set.Entries {
		if e.Action != ssa.UnchangedAction {
			all = append(all, e.String())
		}
	}
	return all
}

// diff returns which objects differ from their manifests, and how.
func (k *kustomization) diff(manifests []*unstructured.Unstructured) map[string]string {
	k.Helper()
	objects, found := copies(manifests), map[string]string{}
	k.manager.SetOwnerLabels(objects, k.name, namespace)
	for i, o := range objects {
		entry, live, merged, err := k.manager.Diff(k.Context(), o, ssa.DefaultDiffOptions())
		if err != nil {
			k.Fatal(err)
		}
		if entry.Action != ssa.UnchangedAction {
			found[nameOf(manifests[i])] = entry.String() + cmp.Diff(live, merged)
		}
	}
	return found
}

// wait waits until all that was applied is current.
func (k *kustomization) wait(set *ssa.ChangeSet, timeout time.Duration) error {
	return k.manager.WaitForSetWithContext(k.Context(), set.ToObjMetadataSet(),
		ssa.WaitOptions{Interval: time.Second, Timeout: timeout, FailFast: true})
}

// delete deletes what has the labels of the Kustomization.
func (k *kustomization) delete(manifests []*unstructured.Unstructured) *ssa.ChangeSet {
	k.Helper()
	set, err := k.manager.DeleteAll(k.Context(), copies(manifests), ssa.DeleteOptions{
		PropagationPolicy: metav1.DeletePropagationBackground,
		Inclusions:        k.manager.GetOwnerLabels(k.name, namespace),
		Exclusions:        map[string]string{group + "/prune": "disabled", group + "/reconcile": "disabled", group + "/ssa": "Ignore"},
	})
	if err != nil {
		k.Fatal(err)
	}
	return set
}

// terminated waits until all that was deleted is gone.
func (k *kustomization) terminated(set *ssa.ChangeSet, timeout time.Duration) error {
	return k.manager.WaitForSetTermination(set, ssa.WaitOptions{Interval: time.Second, Timeout: timeout})
}

// remove deletes all, and waits.
func (k *kustomization) remove(manifests []*unstructured.Unstructured) {
	k.Helper()
	if err := k.terminated(k.delete(manifests), patience); err != nil {
		k.Error(err)
	}
	gone(k.T, manifests)
}

// allAre waits until all of Armature's objects have a status.
func (k *kustomization) allAre(want status.Status, objects []*unstructured.Unstructured) {
	k.Helper()
	await.Until(k.T, "all are "+want.String(), func() error {
		var wrong []error
		for _, o := range resources(objects) {
			live := get(k.T, o)
			if is, err := status.Compute(live); err != nil || is.Status != want {
				wrong = append(wrong, fmt.Errorf("%s: %v, %v: %s", nameOf(o), is, err, conditionsOf(live)))
			}
		}
		return errors.Join(wrong...)
	})
}

func TestFlux(t *testing.T) {
	t.Run("all kinds", testKustomization)
	t.Run("what somebody else manages is no diff", testFluxIgnored)
	t.Run("a refused object fails the wait, which names it", testFluxRefused)
	t.Run("a refused deletion is waited for", testFluxDeletionRefused)
	t.Run("an object without a manifest is pruned, although it has an owner", testFluxPrunes)
	t.Run("an annotation that kubectl has set is removed", testFluxUndoes)
}

// testKustomization follows all kinds through the life of a Kustomization.
func testKustomization(t *testing.T) {
	objects := everything(t)
	k := newKustomization(t, "shop")
	release := hold(t)
	set := k.apply(objects)
	k.allAre(status.InProgressStatus, objects)
	err := k.wait(set, 5*time.Second)
	if err == nil || !strings.Contains(err.Error(), "timeout waiting for: [") ||
		!strings.Contains(err.Error(), "StorageAccount/default/newsample status: 'InProgress'") {
		t.Errorf("while ARM is at work, the wait ended with: %v", err)
	}
	release()
	if err := k.wait(set, patience); err != nil {
		t.Error(err)
	}
	k.allAre(status.CurrentStatus, objects)
	unchanged := func(when string) {
		t.Helper()
		for _, differs := range k.diff(objects) {
			t.Errorf("%s: %s", when, differs)
		}
		before := versionsOf(t, objects)
		for _, is := range changed(k.apply(objects)) {
			t.Errorf("an apply %s: %s", when, is)
		}
		if diff := cmp.Diff(before, versionsOf(t, objects)); diff != "" {
			t.Errorf("an apply %s has written objects:\n%s", when, diff)
		}
	}
	unchanged("when all are current")
	strangers(t, objects)
	k.allAre(status.CurrentStatus, objects)
	unchanged("when others have written what the manifests do not say")

	of := find(t, objects, "StorageAccount/oldsample")
	patch(t, of, other(of), "controller", `{"spec": {"kind": "BlobStorage"}}`)
	if found := k.diff(objects); len(found) != 1 || !strings.Contains(found[nameOf(of)], "BlobStorage") {
		t.Errorf("a controller has written the Spec of %s: found the diff %v", nameOf(of), found)
	}
	if found := changed(k.apply(objects)); !slices.Equal(found, []string{"StorageAccount/default/oldsample configured"}) {
		t.Errorf("a controller has written the Spec of %s: the apply changed %q", nameOf(of), found)
	}
	k.allAre(status.CurrentStatus, objects)
	unchanged("when the apply has set it back")

	own := deletable(t, objects)
	release = hold(t)
	deleted := k.delete(objects)
	if err := k.terminated(deleted, 5*time.Second); err == nil || !strings.Contains(err.Error(), "termination timeout") {
		t.Errorf("while ARM deletes, the wait ended with: %v", err)
	}
	k.allAre(status.TerminatingStatus, own)
	release()
	if err := k.terminated(deleted, patience); err != nil {
		t.Error(err)
	}
	gone(t, objects)
}

func testFluxIgnored(t *testing.T) {
	objects := append(manifests(t, "newsample", false, "ResourceGroup"), object(t, scaled))
	k := newKustomization(t, "scaled")
	k.apply(objects)
	k.allAre(status.CurrentStatus, objects)
	scale(t, objects[1])
	if found := k.diff(objects); len(found) > 0 {
		t.Errorf("an autoscaler has changed the resource: %v", found)
	}
	k.allAre(status.CurrentStatus, objects)
	k.remove(objects)
}

func testFluxRefused(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup", "StorageAccount")
	k := newKustomization(t, "refused")
	refuse(t, wrong)
	err := k.wait(k.apply(objects), patience)
	if err == nil || !strings.Contains(err.Error(), "failed early due to stalled resources") ||
		!strings.Contains(err.Error(), "ResourceGroup/default/newsample status: 'Failed'") {
		t.Errorf("the wait for a refused object ended with: %v", err)
	}
	k.remove(objects)
}

func testFluxDeletionRefused(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup")
	k := newKustomization(t, "kept")
	k.apply(objects)
	k.allAre(status.CurrentStatus, objects)
	allow := refuse(t, locked)
	deleted := k.delete(objects)
	err := k.terminated(deleted, 5*time.Second)
	if err == nil || !strings.Contains(err.Error(), "ResourceGroup/default/newsample termination timeout") {
		t.Errorf("while ARM refuses the deletion, the wait ended with: %v", err)
	}
	k.allAre(status.TerminatingStatus, objects)
	allow()
	if err := k.terminated(deleted, patience); err != nil {
		t.Error(err)
	}
	gone(t, objects)
}

func testFluxPrunes(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup", "StorageAccount")
	k := newKustomization(t, "owned")
	k.apply(objects)
	k.allAre(status.CurrentStatus, objects)
	account := []*unstructured.Unstructured{find(t, objects, "StorageAccount/newsample")}
	if err := k.terminated(k.delete(account), patience); err != nil {
		t.Error(err)
	}
	k.allAre(status.CurrentStatus, manifests(t, "newsample", false, "ResourceGroup"))
	k.remove(objects)
}

// testFluxUndoes shows why docs/gitops.md says that annotations belong into the manifest.
func testFluxUndoes(t *testing.T) {
	objects := manifests(t, "newsample", false, "ResourceGroup")
	k := newKustomization(t, "annotated")
	k.apply(objects)
	k.allAre(status.CurrentStatus, objects)
	patch(t, objects[0], "", "kubectl-annotate",
		fmt.Sprintf(`{"metadata": {"annotations": {%q: %q}}}`, annotation.Deletion, annotation.DeletionDetach))
	k.apply(objects)
	if value, found := get(t, objects[0]).GetAnnotations()[annotation.Deletion]; found {
		t.Errorf("the annotation is still %q; docs/gitops.md says that Flux removes it", value)
	}
	k.remove(objects)
}
