package releases_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"

	"github.com/armature-dev/armature/cli/migrate"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// migrateCommand runs armature migrate, and returns what it prints.
func (r *roll) migrateCommand(ctx context.Context, arguments ...string) (string, error) {
	r.Helper()
	kubeconfig := filepath.Join(r.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, r.Kubeconfig, 0o600); err != nil {
		r.Fatal(err)
	}
	var out bytes.Buffer
	c := migrate.New([]string{stored.Group})
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetOut(&out)
	c.SetArgs(append(arguments, "--kubeconfig="+kubeconfig))
	err := c.ExecuteContext(ctx)
	return out.String(), err
}

// storedVersions returns what the CRD says of the versions at which objects may be stored.
func (r *roll) storedVersions() []string {
	r.Helper()
	crd, err := r.CRDs.Get(r.Context(), stored.String(), metav1.GetOptions{})
	if err != nil {
		r.Fatal(err)
	}
	return crd.Status.StoredVersions
}

// wantMigrated reports if not all objects are stored at a version, or the CRD says otherwise.
func (r *roll) wantMigrated(version string) {
	r.Helper()
	if found := r.Versions(r.T, stored); len(found) != 1 || found[version] != len(r.names) {
		r.Errorf("objects are stored at %v, want all %d at %s", found, len(r.names), version)
	}
	if got := r.storedVersions(); !slices.Equal(got, []string{version}) {
		r.Errorf("status.storedVersions is %q, want %s alone", got, version)
	}
}

// TestMigrate has armature migrate rewrite the objects of a release after the next one's CRDs
// came, while clients write at all versions. It is stopped half-way, and continues.
func TestMigrate(t *testing.T) {
	r := start(t, second)
	r.create(second.versions, night.Times(200, 10_000))
	r.look("once created")
	for i, write := range []func(name string) error{
		func(name string) error { // as the operator does
			patch := fmt.Sprintf(`{"metadata": {"annotations": {"note": "%s"}}}`, name)
			_, err := r.persons(second.hub()).Patch(t.Context(), name, types.MergePatchType, []byte(patch),
				metav1.PatchOptions{FieldManager: "armature-operator"})
			return err
		},
		func(name string) error {
			patch := fmt.Sprintf(`{"apiVersion": "crm.azure.armature.dev/v20130303", "kind": "Person",
				"metadata": {"name": "%s", "labels": {"team": "a"}}}`, name)
			_, err := r.persons("v20130303").Patch(t.Context(), name, types.ApplyPatchType, []byte(patch),
				metav1.PatchOptions{FieldManager: "team"})
			return err
		},
	} {
		if err := write(r.names[len(r.names)-1]); err != nil {
			t.Fatalf("write %d: %v", i, err)
		}
	}
	r.converter.Handle(r.handler(third))

	// The CRD comes while clients write, and migrate at once, before the API server stores at the next hub.
	r.writing(second.versions, func() {
		r.Install(t, r.converter, third.person(t))
		if out, err := r.migrateCommand(t.Context(), "--dry-run"); err != nil {
			t.Fatalf("a dry run: %v\n%s", err, out)
		}
		if got := r.storedVersions(); !slices.Equal(got, []string{second.hub(), third.hub()}) {
			t.Errorf("after a dry run status.storedVersions is %q", got)
		}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer stop()
			for ctx.Err() == nil && r.Versions(t, stored)[third.hub()] < len(r.names)*3/4 {
				time.Sleep(10 * time.Millisecond)
			}
		}()
		out, err := r.migrateCommand(ctx, "--itself", "--settle=5s", "--rate=100")
		if err == nil || !strings.Contains(err.Error(), "stopped") {
			t.Fatalf("it was stopped half-way: %v\n%s", err, out)
		}
		if found := r.Versions(t, stored); found[second.hub()] == 0 || len(r.storedVersions()) != 2 {
			t.Errorf("half-way objects are stored at %v, and the CRD has %q", found, r.storedVersions())
		}
		done := r.timed("the rest migrated")
		if out, err = r.migrateCommand(t.Context(), "--itself", "--settle=5s", "--rate=1000"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		done()
	})
	r.release = third
	r.wantMigrated(third.hub())
	r.look("once migrated")

	object, err := r.persons(third.hub()).Get(t.Context(), r.names[len(r.names)-1], metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var managers []string
	for _, m := range object.GetManagedFields() {
		managers = append(managers, m.Manager+" "+strings.TrimPrefix(m.APIVersion, "crm.azure.armature.dev/"))
	}
	if !slices.Contains(managers, "team v20130303") || slices.Contains(managers, "operator "+second.hub()) ||
		slices.ContainsFunc(managers, func(m string) bool { return strings.HasPrefix(m, "armature-migrate") }) {
		t.Errorf("the fields have the managers %q", managers)
	}
	// The former storage version can go, which the API server would refuse otherwise.
	crd := third.person(t)
	for i, v := range crd.Spec.Versions {
		if v.Name == second.hub() {
			crd.Spec.Versions = slices.Delete(crd.Spec.Versions, i, i+1)
			break
		}
	}
	if err := r.replace(crd); err != nil {
		t.Errorf("a CRD without %s: %v", second.hub(), err)
	}
}

// policy denies each update of an object.
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: frozen
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - apiGroups: [crm.azure.armature.dev]
      apiVersions: ['*']
      operations: [UPDATE]
      resources: [persons]
  validations:
  - expression: object.metadata.name != 'person-3'
    message: nobody may change it
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: frozen
spec:
  policyName: frozen
  validationActions: [Deny]
`

// TestMigrateByCluster has the cluster rewrite the objects. The API server serves the migrations,
// but no controller runs: a double does what kube-controller-manager does. TestMigration has the
// real one.
func TestMigrateByCluster(t *testing.T) {
	r := start(t, second)
	if r.Before(t, "1.37") {
		t.Skip("the API server has no StorageVersionMigration, so the command does it itself, as in TestMigrate")
	}
	r.create(second.versions, objects())
	r.look("once created")
	r.forward(second, third, second.hub(), third.hub())

	remove := r.Apply(t, policy)
	try := func() error {
		_, err := r.persons("v20130303").Patch(t.Context(), "person-3", types.MergePatchType,
			[]byte(`{"metadata": {"labels": {"a": "b"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	}
	cluster.AwaitDenied(t, try)
	clients, err := kubernetes.NewForConfig(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("an object that a policy denies is named, and keeps the version", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go r.controller(ctx, clients)
		out, err := r.migrateCommand(ctx, "--settle=0")
		if !errors.Is(err, program.ErrLook) {
			t.Errorf("error = %v, want that something is left", err)
		}
		for _, want := range []string{"the command does it itself", "1 of its objects failed:\n  default/person-3: ",
			"nobody may change it"} {
			if !strings.Contains(out, want) {
				t.Errorf("it did not print %q:\n%s", want, out)
			}
		}
		if found := r.Versions(t, stored); found[second.hub()] != 1 || len(r.storedVersions()) != 2 {
			t.Errorf("objects are stored at %v, and the CRD has %q", found, r.storedVersions())
		}
	})
	remove()
	await.Until(t, "no policy denies it any longer", try)
	t.Run("the cluster rewrites the objects", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go r.controller(ctx, clients)
		out, err := r.migrateCommand(ctx, "--settle=0")
		if err != nil || !strings.Contains(out, "all objects are rewritten by the cluster") {
			t.Errorf("%v\n%s", err, out)
		}
		r.wantMigrated(third.hub())
		left, err := clients.StoragemigrationV1().StorageVersionMigrations().List(ctx, metav1.ListOptions{})
		if err != nil || len(left.Items) > 0 {
			t.Errorf("it left %v, %v", left, err)
		}
	})
	r.look("once migrated")
}

// controller does what kube-controller-manager does with a StorageVersionMigration of Persons, of
// which there is one at a time: it patches each object at the version that the API server prefers,
// gives up with the first that fails, and then notes the outcome at the CRD.
func (r *roll) controller(ctx context.Context, clients kubernetes.Interface) {
	migrations := clients.StoragemigrationV1().StorageVersionMigrations()
	set := func(name string, conditions ...metav1.Condition) error {
		return retry.RetryOnConflict(retry.DefaultRetry, func() error {
			m, err := migrations.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			for _, c := range conditions {
				meta.SetStatusCondition(&m.Status.Conditions, c)
			}
			_, err = migrations.UpdateStatus(ctx, m, metav1.UpdateOptions{})
			return err
		})
	}
	condition := func(name storagemigrationv1.MigrationConditionType, status metav1.ConditionStatus, message string) metav1.Condition {
		return metav1.Condition{Type: string(name), Status: status, Reason: "Double", Message: message}
	}
	work := func(m storagemigrationv1.StorageVersionMigration) error {
		if err := set(m.Name, condition(storagemigrationv1.MigrationRunning, metav1.ConditionTrue, "")); err != nil {
			return err
		}
		objects := r.persons(third.versions[len(third.versions)-1])
		outcome := condition(storagemigrationv1.MigrationSucceeded, metav1.ConditionTrue, "")
		for _, name := range r.names {
			if _, err := objects.Patch(ctx, name, types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}); err != nil {
				outcome = condition(storagemigrationv1.MigrationFailed, metav1.ConditionTrue, err.Error())
				break
			}
		}
		if err := set(m.Name, outcome); err != nil {
			return err
		}
		if outcome.Type == string(storagemigrationv1.MigrationSucceeded) {
			patch := fmt.Sprintf(`{"status": {"storedVersions": ["%s"]}}`, third.hub())
			_, err := r.CRDs.Patch(ctx, stored.String(), types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
			if err != nil {
				return err
			}
		}
		return set(m.Name, condition(storagemigrationv1.MigrationRunning, metav1.ConditionFalse, ""))
	}
	for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		all, err := migrations.List(ctx, metav1.ListOptions{})
		if err != nil {
			continue
		}
		for _, m := range all.Items {
			if len(m.Status.Conditions) > 0 {
				continue
			}
			if err := work(m); err != nil && ctx.Err() == nil {
				r.Errorf("the double of kube-controller-manager: %v", err)
			}
		}
	}
}
