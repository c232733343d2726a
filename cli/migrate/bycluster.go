package migrate

import (
	"context"
	"fmt"
	"slices"
	"time"

	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/cli/cluster"
)

// unattended is how many looks at a migration that nothing has begun show that nothing works
// on migrations.
const unattended = 15

// byCluster has the cluster rewrite the objects of a kind. It reports whether it has done that,
// and status.storedVersions has the hub alone.
func (m *migrating) byCluster(ctx context.Context, p *pass) (bool, error) {
	if m.itself {
		return false, nil
	}
	_, err := m.Discovery.ServerResourcesForGroupVersion(storagemigrationv1.SchemeGroupVersion.String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// The cluster forgets no fields, and this is not possible any longer when the CRD does not name the versions.
	p.fieldsOnly = true
	err = p.run(ctx)
	p.fieldsOnly = false
	if err != nil {
		return false, nil // it goes on with the others, and tells all
	}
	return m.ask(ctx, p.kind)
}

// ask makes a StorageVersionMigration, or takes the one that a run before has made, and waits
// for its end.
func (m *migrating) ask(ctx context.Context, k kind) (bool, error) {
	wanted := &storagemigrationv1.StorageVersionMigration{
		ObjectMeta: metav1.ObjectMeta{Name: "armature-" + k.crd.Name},
		Spec: storagemigrationv1.StorageVersionMigrationSpec{
			Resource: metav1.GroupResource{Group: k.crd.Spec.Group, Resource: k.crd.Spec.Names.Plural}},
	}
	if old, err := m.Migrations.Get(ctx, wanted.Name, metav1.GetOptions{}); err == nil && ended(old) {
		if err := m.forget(ctx, old); err != nil {
			return false, err
		}
	}
	created, err := m.Migrations.Create(ctx, wanted, metav1.CreateOptions{FieldManager: manager})
	if apierrors.IsAlreadyExists(err) {
		created, err = m.Migrations.Get(ctx, wanted.Name, metav1.GetOptions{})
	}
	if err != nil {
		return false, err
	}
	begin, state := time.Now(), "not begun"
	err = m.progress.During(
		func() string {
			return fmt.Sprintf("%s: the cluster rewrites its objects since %v", k.crd.Name, time.Since(begin).Round(time.Second))
		},
		func() error {
			created, state, err = m.follow(ctx, created)
			return err
		})
	if err != nil {
		return false, err
	}
	if err := m.forget(ctx, created); err != nil {
		return false, err
	}
	crd, err := m.CRDs.Get(ctx, k.crd.Name, metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	if slices.Equal(crd.Status.StoredVersions, []string{k.hub}) {
		return true, nil
	}
	fmt.Fprintf(m.out, "%s: the cluster has not rewritten all objects (%s), so the command does it itself\n", k.crd.Name, state)
	return false, nil
}

// follow waits for the end of a migration, or until it is clear that nothing works on it. It
// returns the migration, and what has become of it.
func (m *migrating) follow(ctx context.Context, of *storagemigrationv1.StorageVersionMigration) (
	*storagemigrationv1.StorageVersionMigration, string, error) {
	for looks := 0; ; looks++ {
		if err := cluster.Sleep(ctx, m.poll); err != nil {
			return of, "", err
		}
		err := cluster.Patiently(ctx, m.patience, func() error {
			got, err := m.Migrations.Get(ctx, of.Name, metav1.GetOptions{})
			if err == nil {
				of = got
			}
			return err
		})
		if apierrors.IsNotFound(err) {
			return of, "somebody has deleted the StorageVersionMigration", nil
		}
		if err != nil {
			return of, "", err
		}
		if ended(of) {
			failed := meta.FindStatusCondition(of.Status.Conditions, string(storagemigrationv1.MigrationFailed))
			if failed != nil && failed.Status == metav1.ConditionTrue {
				return of, failed.Message, nil
			}
			return of, "it left status.storedVersions as it was", nil
		}
		if isTrue(of, storagemigrationv1.MigrationRunning) || looks < unattended {
			continue
		}
		waits, err := m.waits(ctx, of)
		if err != nil {
			return of, "", err
		}
		if !waits {
			return of, "nothing works on its StorageVersionMigration", nil
		}
	}
}

// waits reports whether another migration of the same resource is under way, which comes first.
func (m *migrating) waits(ctx context.Context, of *storagemigrationv1.StorageVersionMigration) (bool, error) {
	all, err := m.Migrations.List(ctx, metav1.ListOptions{})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(all.Items, func(other storagemigrationv1.StorageVersionMigration) bool {
		return other.Name != of.Name && other.Spec.Resource == of.Spec.Resource && isTrue(&other, storagemigrationv1.MigrationRunning)
	}), nil
}

// forget deletes a migration.
func (m *migrating) forget(ctx context.Context, of *storagemigrationv1.StorageVersionMigration) error {
	err := m.Migrations.Delete(ctx, of.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &of.UID}})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// ended reports whether a migration has succeeded or failed, and the controller has noted at
// the CRD what that means.
func ended(of *storagemigrationv1.StorageVersionMigration) bool {
	return (isTrue(of, storagemigrationv1.MigrationSucceeded) || isTrue(of, storagemigrationv1.MigrationFailed)) &&
		!isTrue(of, storagemigrationv1.MigrationRunning)
}

func isTrue(of *storagemigrationv1.StorageVersionMigration, condition storagemigrationv1.MigrationConditionType) bool {
	return meta.IsStatusConditionTrue(of.Status.Conditions, string(condition))
}
