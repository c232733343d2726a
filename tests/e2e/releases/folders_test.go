package releases_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/cli/check"
	"github.com/armature-dev/armature/internal/await"
	releases "github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/controlplane"
)

// in returns the release as an administrator gets it.
func (r release) in(t *testing.T, name string) release {
	t.Helper()
	r.folder = releases.Read(t, name)
	return r
}

// judge returns what `armature check` finds, by code.
func judge(t *testing.T, before, after release) map[string][]check.Finding {
	t.Helper()
	command := check.New()
	var out bytes.Buffer
	command.SetOut(&out)
	command.SetArgs([]string{before.folder.Folder, after.folder.Folder, "--output=json"})
	if err := command.Execute(); err != nil {
		t.Fatalf("armature check: %v\n%s", err, &out)
	}
	var report struct{ Findings []check.Finding }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	found := map[string][]check.Finding{}
	for _, f := range report.Findings {
		found[f.Code] = append(found[f.Code], f)
	}
	return found
}

// TestFolders takes a cluster from the folder of one release to that of the next, back
// and forward again, as docs/upgrades.md says, while clients read and write at all
// versions. What `armature check` foretells is what happens.
func TestFolders(t *testing.T) {
	before, after := second.in(t, "release20201010"), third.in(t, "release20211111")
	if found := judge(t, before, before); len(found) > 0 {
		t.Errorf("from a release to itself: %v", found)
	}
	found := judge(t, before, after)
	want := []string{"change-proposed", "hub-moved", "policy-changed", "way-back"}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Fatalf("found %q: %v", got, found)
	}
	// The later one has the first enum that is open.
	if changed := found["policy-changed"]; len(changed) != 1 || changed[0].Message != "known-values.crm.azure.armature.dev is new" {
		t.Errorf("of the policies found %v", changed)
	}
	if moved := found["hub-moved"]; !slices.ContainsFunc(moved, func(f check.Finding) bool {
		return f.Kind == "Person" && f.Version == third.hub()
	}) {
		t.Errorf("the hub moves to %s, found %v", third.hub(), moved)
	}
	if changes := found["change-proposed"]; !slices.ContainsFunc(changes, func(f check.Finding) bool {
		return f.Version == "2021-11-11" && f.Kind == "Location" && f.Path == "postCode"
	}) {
		t.Errorf("only a tool has assessed Location.postCode of 2021-11-11, found %v", changes)
	}

	r := start(t, before)
	r.create(before.versions, objects())
	r.look("once created")
	r.migration()
	held := r.hold(before.versions)
	r.writing(before.versions, func() {
		r.answerBoth(before, after)
		time.Sleep(2 * time.Second) // for writes through either webhook, which hide properties from gets until the older one is gone
		r.converter.Handle(r.handler(after))
		r.install(after, after.person(t), before.hub(), after.hub())
	})
	r.writeBack(held)
	r.look("with the CRD of the next release")
	r.create([]string{"v20211111"}, 10)
	r.look("with some written since 2021-11-11")

	// The way back, with what the command says about it.
	refused := r.replace(before.person(t))
	for _, f := range found["way-back"] {
		isStored := f.Kind == "Person" && strings.HasSuffix(f.Version, "storage")
		if isStored && (refused == nil || !strings.Contains(refused.Error(), f.Version)) {
			t.Errorf("the API server refuses the old CRD because of %s: %v", f.Version, refused)
		}
	}
	r.writing(before.versions, func() {
		r.install(before, withStored(t, before.person(t), after.person(t)), before.hub(), after.hub())
	})
	r.look("with the CRD back")
	r.writing(before.versions, func() { r.install(after, after.person(t), before.hub(), after.hub()) })
	r.look("forward again")
}

// migration returns the StorageVersionMigration in docs/upgrades.md, and its resource.
func migration(t *testing.T) (*unstructured.Unstructured, schema.GroupVersionResource) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "upgrades.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(page), "```yaml\napiVersion: storagemigration.k8s.io/")
	block, _, _ = strings.Cut("apiVersion: storagemigration.k8s.io/"+block, "```")
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(block), &object.Object); err != nil || !found {
		t.Fatalf("docs/upgrades.md has no StorageVersionMigration: %v", err)
	}
	if got, _, _ := unstructured.NestedString(object.Object, "spec", "resource", "resource"); got != stored.Resource {
		t.Errorf("it migrates %q, want %s", got, stored.Resource)
	}
	return object, object.GroupVersionKind().GroupVersion().WithResource("storageversionmigrations")
}

// migration asks the API server whether it accepts the StorageVersionMigration in
// docs/upgrades.md, if it has the kind. [TestMigration] lets kube-controller-manager do it.
func (r *roll) migration() {
	r.Helper()
	object, resource := migration(r.T)
	if r.Before(r.T, "1.37") {
		return
	}
	_, err := r.Client.Resource(resource).Create(r.Context(), object, metav1.CreateOptions{
		DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict,
	})
	if err != nil {
		r.Errorf("the StorageVersionMigration of docs/upgrades.md: %v", err)
	}
}

// TestMigration has objects at the storage version of the release before, which the
// cluster moves as docs/upgrades.md says. ARMATURE_CONTROLLER_MANAGER names the program
// that does it.
func TestMigration(t *testing.T) {
	program := os.Getenv("ARMATURE_CONTROLLER_MANAGER")
	if program == "" {
		t.Skip("ARMATURE_CONTROLLER_MANAGER names no kube-controller-manager: .ci/migration builds one")
	}
	r := start(t, second)
	r.create(second.versions, objects())
	r.look("once created")
	r.forward(second, third, second.hub(), third.hub())
	if found := r.Versions(t, stored); found[second.hub()] < len(r.names)/2 {
		t.Fatalf("before the migration objects are stored at %v, want most at %s", found, second.hub())
	}

	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, r.Kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	manager := exec.Command(program, "--kubeconfig="+kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port=0",
		"--controllers=garbage-collector-controller,storage-version-migrator-controller")
	var output bytes.Buffer
	manager.Stderr = &output
	if err := manager.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = manager.Process.Kill()
		_ = manager.Wait()
		if t.Failed() {
			t.Logf("kube-controller-manager: %s", &output)
		}
	})

	object, resource := migration(t)
	if _, err := r.Client.Resource(resource).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	clients, err := kubernetes.NewForConfig(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the migration succeeds, and no longer runs", func() error {
		got, err := clients.StoragemigrationV1().StorageVersionMigrations().Get(t.Context(), object.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		conditions := got.Status.Conditions
		if meta.IsStatusConditionTrue(conditions, string(storagemigrationv1.MigrationSucceeded)) &&
			meta.IsStatusConditionFalse(conditions, string(storagemigrationv1.MigrationRunning)) {
			return nil
		}
		return fmt.Errorf("its conditions are %v", conditions)
	})
	r.wantMigrated(third.hub())
	r.look("once migrated")
}

// writing calls do while a client writes back at versions what it has read there, without
// a pause. Each write must succeed. It takes the first objects, of which no other client
// holds any.
func (r *roll) writing(versions []string, do func()) {
	r.Helper()
	ctx, cancel := context.WithCancel(r.Context())
	done := make(chan error)
	writes := 0
	go func() {
		var err error
		for ; ctx.Err() == nil && err == nil; writes++ {
			version, name := versions[writes%len(versions)], r.names[writes*7%(len(r.names)/2)]
			if err = r.writeOne(name, version, writes); err != nil {
				err = fmt.Errorf("write %d, of %s at %s: %w", writes, name, version, err)
			}
		}
		done <- err
	}()
	do()
	cancel()
	if err := <-done; err != nil {
		r.Error(err)
	}
	r.Logf("%d objects written meanwhile", writes)
}

// writeOne reads an object and writes it back, with a label. A write may be denied because of the annotation that the
// object has by then, or has in the API server's cache ([TestHidden]): then it becomes a patch, as the message says.
func (r *roll) writeOne(name, version string, number int) error {
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error { return r.updateOne(name, version, number) })
	if controlplane.IsAnnotationLost(err) {
		return r.touchOne(name, version)
	}
	return err
}

// updateOne reads an object and writes it back once, with a label.
func (r *roll) updateOne(name, version string, number int) error {
	object, err := r.persons(version).Get(r.Context(), name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := unstructured.SetNestedField(object.Object, fmt.Sprint(number), "metadata", "labels", "written"); err != nil {
		return err
	}
	_, err = r.persons(version).Update(r.Context(), object, metav1.UpdateOptions{})
	return err
}
