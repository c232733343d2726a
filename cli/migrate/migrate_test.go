package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/internal/progress"
)

// run runs the command on a server, and returns what it prints.
func run(ctx context.Context, s *server, change ...func(*migrating)) (string, error) {
	var out bytes.Buffer
	m := &migrating{groups: []string{group}, out: &out, progress: progress.New(io.Discard), patience: time.Minute,
		poll: time.Millisecond, limiter: flowcontrol.NewFakeAlwaysRateLimiter()}
	for _, c := range change {
		c(m)
	}
	var err error
	if m.Cluster, err = cluster.New(s.config); err != nil {
		return "", err
	}
	err = m.run(ctx)
	return out.String(), err
}

// want reports if not all objects are stored at the hub, or the CRD says otherwise.
func (s *server) want() {
	s.Helper()
	if n := s.at(former); n > 0 {
		s.Errorf("%d objects are stored at %s", n, former)
	}
	if got := s.crd.Status.StoredVersions; !slices.Equal(got, []string{hub}) {
		s.Errorf("status.storedVersions is %q", got)
	}
	if got := s.crd.Annotations[markName]; got != "" {
		s.Errorf("the CRD has the mark %s", got)
	}
}

// wantLeft reports if the CRD does not say that objects may be stored at both versions.
func (s *server) wantLeft(err error) {
	s.Helper()
	if !errors.Is(err, program.ErrLook) {
		s.Errorf("error = %v, want that something is left", err)
	}
	if got := s.crd.Status.StoredVersions; len(got) != 2 {
		s.Errorf("status.storedVersions is %q", got)
	}
}

func has(t *testing.T, out string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(out, want) {
			t.Errorf("it did not print %q:\n%s", want, out)
		}
	}
}

func denied(name string) error {
	return apierrors.NewForbidden(schema.GroupResource{Group: group, Resource: "persons"}, name, errors.New("a policy denies it"))
}

func TestMigrate(t *testing.T) {
	t.Run("status.storedVersions is changed after the last object", func(t *testing.T) {
		s := newServer(t, 2*cluster.Page+1)
		s.onTrim = func() {
			if n := s.at(former); n > 0 {
				t.Errorf("it is changed while %d objects are stored at %s", n, former)
			}
		}
		out, err := run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		s.want()
		has(t, out, "persons.crm.azure.armature.dev: all objects are rewritten, from "+former+" to "+hub)
		if out, err := run(t.Context(), s); err != nil || !strings.HasPrefix(out, "no kind has objects") {
			t.Errorf("once more: %v\n%s", err, out)
		}
	})

	t.Run("what somebody else writes meanwhile stays, and is not written again", func(t *testing.T) {
		s := newServer(t, 3)
		s.onPatch = func(name string) error {
			if object := s.objects[name]; object.Labels == nil {
				object.Labels = map[string]string{"by": "somebody"}
				s.write(name, hub)
			}
			return nil
		}
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
		for name, object := range s.objects {
			if object.Labels["by"] != "somebody" {
				t.Errorf("%s has lost what somebody has written", name)
			}
		}
		if len(s.patches) != 3 {
			t.Errorf("it patched %q, each of which had been written in between", s.patches)
		}
	})

	t.Run("an object that is gone is done", func(t *testing.T) {
		s := newServer(t, 3)
		s.onPatch = func(name string) error {
			if name == "person-0001" {
				s.remove(name)
			}
			return nil
		}
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
	})

	t.Run("an object that cannot be rewritten is named, the others are rewritten, and the CRD stays", func(t *testing.T) {
		s := newServer(t, cluster.Page+10)
		s.onPatch = func(name string) error {
			if name == "person-0003" {
				return denied(name)
			}
			return nil
		}
		out, err := run(t.Context(), s)
		s.wantLeft(err)
		has(t, out, "1 of its objects failed:\n  shop/person-0003: persons.crm.azure.armature.dev \"person-0003\" is forbidden: "+
			"a policy denies it", "1 of 1 kinds are left")
		if n := s.at(former); n != 1 {
			t.Errorf("%d objects are stored at %s, want the one", n, former)
		}
	})

	t.Run("many that cannot be rewritten stop it, and some are named", func(t *testing.T) {
		s := newServer(t, 3*cluster.Page)
		s.onPatch = denied
		out, err := run(t.Context(), s)
		s.wantLeft(err)
		has(t, out, "500 of its objects failed", "  and 490 others\n  the rest was not tried")
		if n := strings.Count(out, "shop/"); n != 10 {
			t.Errorf("it names %d", n)
		}
	})

	t.Run("an object that somebody writes all the time is left", func(t *testing.T) {
		s := newServer(t, 1)
		s.onPatch = func(name string) error {
			s.write(name, former)
			s.objects[name].ResourceVersion = "0" // never since the mark
			return apierrors.NewConflict(schema.GroupResource{}, name, errors.New("it has changed"))
		}
		out, err := run(t.Context(), s)
		s.wantLeft(err)
		has(t, out, "shop/person-0000: somebody else writes it all the time")
	})

	t.Run("lists that are not answered yet are asked for again", func(t *testing.T) {
		s := newServer(t, 3)
		asked := 0
		s.onList = func(metav1.ListOptions) error {
			if asked++; asked < 4 {
				return apierrors.NewTooManyRequestsError("storage is (re)initializing")
			}
			return nil
		}
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
	})

	t.Run("lists that fail leave the kind, and say why", func(t *testing.T) {
		s := newServer(t, 3)
		s.onList = func(options metav1.ListOptions) error {
			if options.Limit > 1 {
				return apierrors.NewInternalError(errors.New("conversion webhook failed for shop/person-0001"))
			}
			return nil
		}
		out, err := run(t.Context(), s)
		s.wantLeft(err)
		has(t, out, "cannot list its objects: Internal error occurred: conversion webhook failed for shop/person-0001")
	})

	for behavior, next := range map[string]string{
		"a token that has expired continues where it was":      "from person-0500",
		"without another token it begins again, and ends well": "",
	} {
		t.Run(behavior, func(t *testing.T) {
			s := newServer(t, 2*cluster.Page)
			expired := false
			s.onList = func(options metav1.ListOptions) error {
				if options.Continue == "" || expired {
					return nil
				}
				expired = true
				err := apierrors.NewResourceExpired("the token is too old")
				err.ErrStatus.Continue = next
				return err
			}
			if _, err := run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			s.want()
			if !expired || len(s.patches) != 2*cluster.Page {
				t.Errorf("expired: %v, %d patches", expired, len(s.patches))
			}
		})
	}

	t.Run("a run that was killed is continued with what is left", func(t *testing.T) {
		s := newServer(t, 2*cluster.Page)
		ctx, kill := context.WithCancel(t.Context())
		s.onPatch = func(string) error {
			if len(s.patches) == cluster.Page+100 {
				kill()
			}
			return nil
		}
		if _, err := run(ctx, s); err == nil || !strings.Contains(err.Error(), "run it again, and it goes on with what is left") {
			t.Fatalf("error = %v", err)
		}
		s.mutex.Lock() // requests that were under way may come yet
		left := s.at(former)
		if left < cluster.Page-100-cluster.Workers || len(s.crd.Status.StoredVersions) != 2 || s.crd.Annotations[markName] == "" {
			t.Fatalf("%d objects are left, the CRD has %v and %v", left, s.crd.Status, s.crd.Annotations)
		}
		s.onPatch, s.patches = nil, nil
		s.mutex.Unlock()
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
		if len(s.patches) > left+cluster.Workers {
			t.Errorf("%d patches, want one for each of the %d objects that are left", len(s.patches), left)
		}
	})

	t.Run("the mark of another generation of the CRD counts for nothing", func(t *testing.T) {
		s := newServer(t, 3)
		s.crd.Annotations = map[string]string{markName: `{"generation": 1, "resourceVersion": "1"}`}
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
	})

	for behavior, change := range map[string]func(*server){
		"a CRD that changes meanwhile stays as it is":        func(s *server) { s.crd.Generation++ },
		"so does one that was deleted and made anew":         func(s *server) { s.crd.UID = "another" },
		"and one that stores at another version all at once": func(s *server) { s.crd.Spec.Versions[0].Storage = false },
		"another write of the CRD while it is trimmed counts": func(s *server) {
			s.onTrim = func() { s.onTrim = nil; s.crd.Generation++; s.crd.ResourceVersion = "x" }
		},
	} {
		t.Run(behavior, func(t *testing.T) {
			s := newServer(t, 3)
			s.onPatch = func(string) error {
				if len(s.patches) == 1 {
					change(s)
				}
				return nil
			}
			out, err := run(t.Context(), s)
			s.wantLeft(err)
			has(t, out, errChanged.Error())
		})
	}

	t.Run("a conflict at the CRD is looked at again", func(t *testing.T) {
		s := newServer(t, 3)
		s.onTrim = func() { s.onTrim = nil; s.crd.ResourceVersion = "x" }
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
	})

	t.Run("it waits for API servers that do not know the CRD yet", func(t *testing.T) {
		s := newServer(t, 3)
		s.crd.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", Time: &metav1.Time{Time: time.Now()}}}
		reads := 0
		s.onRead = func() { // what other servers wrote during a wait is there after it
			switch reads++; reads {
			case 2:
				s.write("late", former)
				s.crd.Generation++ // so it waits once more
			case 3:
				s.write("later", former)
			}
		}
		if _, err := run(t.Context(), s, func(m *migrating) { m.settle = time.Millisecond }); err != nil {
			t.Fatal(err)
		}
		s.want()
		if len(s.objects) != 5 {
			t.Errorf("there are %d objects, want both that came late", len(s.objects))
		}
	})

	t.Run("it does not wait long after a change", func(t *testing.T) {
		s := newServer(t, 3)
		hours := metav1.NewTime(time.Now().Add(-2 * time.Hour))
		s.crd.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", Time: &hours},
			{Manager: manager, Time: &metav1.Time{Time: time.Now()}}}
		if _, err := run(t.Context(), s, func(m *migrating) { m.settle = time.Hour }); err != nil {
			t.Error(err)
		}
	})

	t.Run("a dry run tries each write, and changes nothing", func(t *testing.T) {
		s := newServer(t, 3)
		out, err := run(t.Context(), s, func(m *migrating) { m.dryRun = true })
		if err != nil {
			t.Fatal(err)
		}
		has(t, out, "would rewrite 3 objects, from "+former+" to "+hub)
		if len(s.patches) != 3 || s.at(former) != 3 || len(s.crd.Status.StoredVersions) != 2 || s.crd.Annotations != nil {
			t.Errorf("%d patches, %d left, the CRD has %v and %v", len(s.patches), s.at(former), s.crd.Status, s.crd.Annotations)
		}
		s.onPatch = denied
		out, err = run(t.Context(), s, func(m *migrating) { m.dryRun = true })
		s.wantLeft(err)
		has(t, out, "3 of its objects failed", "a policy denies it")
	})

	t.Run("rights that are missing are all named before anything is done", func(t *testing.T) {
		s := newServer(t, 3)
		s.denied = []string{"storageversions", "customresourcedefinitions"}
		_, err := run(t.Context(), s)
		if err == nil {
			t.Fatal("it ran")
		}
		has(t, err.Error(), "may not write storageversions.armature.dev named "+group+" in the whole cluster",
			"may not patch customresourcedefinitions.apiextensions.k8s.io/status")
		if len(s.patches) > 0 {
			t.Errorf("it patched %q", s.patches)
		}
	})

	t.Run("kinds are chosen as for kubectl", func(t *testing.T) {
		s := newServer(t, 3)
		if _, err := run(t.Context(), s, func(m *migrating) { m.kinds = []string{"Persn"} }); err == nil ||
			!strings.Contains(err.Error(), `no kind is Persn; did you mean "Person"?`) {
			t.Errorf("error = %v", err)
		}
		if out, err := run(t.Context(), s, func(m *migrating) { m.groups = nil }); err != nil || !strings.HasPrefix(out, "no kind") {
			t.Errorf("a CRD of somebody else: %v\n%s", err, out)
		}
		s.crd.Labels = map[string]string{"app.kubernetes.io/part-of": "armature"}
		if _, err := run(t.Context(), s, func(m *migrating) { m.groups, m.kinds = nil, []string{"Pers*"} }); err != nil {
			t.Error(err)
		}
		s.want()
	})
}

// entry returns the fields of a manager at a version.
func entry(manager, version string, operation metav1.ManagedFieldsOperationType) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{Manager: manager, Operation: operation, APIVersion: group + "/" + version, FieldsType: "FieldsV1",
		FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:spec":{"f:` + manager + `":{}}}`)}}
}

const update, apply = metav1.ManagedFieldsOperationUpdate, metav1.ManagedFieldsOperationApply

func TestManagedFields(t *testing.T) {
	for _, test := range []struct {
		behavior     string
		fields, want []metav1.ManagedFieldsEntry
		says         string
	}{
		{"what was written at a version that goes is forgotten, and nothing else",
			[]metav1.ManagedFieldsEntry{entry("operator", former, update), entry("operator", hub, update),
				entry("team", "v20200101", apply)},
			[]metav1.ManagedFieldsEntry{entry("operator", hub, update), entry("team", "v20200101", apply)}, ""},
		{"a list that would be empty is reset", []metav1.ManagedFieldsEntry{entry("operator", former, update)},
			[]metav1.ManagedFieldsEntry{{}}, ""},
		{"who applies at a version that goes keeps its fields, and is named",
			[]metav1.ManagedFieldsEntry{entry("restore", former, apply)}, []metav1.ManagedFieldsEntry{entry("restore", former, apply)},
			"restore applies at " + group + "/" + former + ", in 1 objects; apply its manifests at a version that stays"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			for _, byCluster := range []bool{false, true} {
				s := newServer(t, 1)
				if byCluster {
					s.migrations, s.migrate = map[string]*storagemigrationv1.StorageVersionMigration{}, s.succeed
				}
				s.objects["person-0000"].ManagedFields = test.fields
				out, err := run(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				s.want()
				got := s.objects["person-0000"].ManagedFields
				if fmt.Sprint(got) != fmt.Sprint(test.want) {
					t.Errorf("by the cluster %v: it has\n%v, want\n%v", byCluster, got, test.want)
				}
				has(t, out, test.says)
			}
		})
	}

	t.Run("managers that come meanwhile are kept", func(t *testing.T) {
		s := newServer(t, 1)
		s.objects["person-0000"].ManagedFields = []metav1.ManagedFieldsEntry{entry("operator", former, update)}
		newer := entry("team", "v20210101", update)
		s.onPatch = func(name string) error {
			if len(s.patches) == 0 {
				s.objects[name].ManagedFields = append(s.objects[name].ManagedFields, newer)
				s.write(name, hub)
			}
			return nil
		}
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
		if got := s.objects["person-0000"].ManagedFields; fmt.Sprint(got) != fmt.Sprint([]metav1.ManagedFieldsEntry{newer}) {
			t.Errorf("it has %v", got)
		}
	})
}

// succeed does what kube-controller-manager does with a migration: it rewrites all objects,
// and then changes the CRD.
func (s *server) succeed(of *storagemigrationv1.StorageVersionMigration) {
	if !isTrue(of, storagemigrationv1.MigrationRunning) {
		condition(of, storagemigrationv1.MigrationRunning, true, "")
		return
	}
	if !isTrue(of, storagemigrationv1.MigrationSucceeded) {
		for name, object := range s.objects {
			if object.at != hub {
				s.write(name, hub)
			}
		}
		condition(of, storagemigrationv1.MigrationSucceeded, true, "")
		return
	}
	s.crd.Status.StoredVersions = []string{hub}
	condition(of, storagemigrationv1.MigrationRunning, false, "")
}

func TestByCluster(t *testing.T) {
	serving := func(t *testing.T, migrate func(*storagemigrationv1.StorageVersionMigration)) *server {
		s := newServer(t, 3)
		s.migrations, s.migrate = map[string]*storagemigrationv1.StorageVersionMigration{}, migrate
		return s
	}
	t.Run("the cluster rewrites the objects, and its migration is removed", func(t *testing.T) {
		s := serving(t, nil)
		s.migrate = s.succeed
		out, err := run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		s.want()
		has(t, out, "all objects are rewritten by the cluster")
		if len(s.patches) > 0 || len(s.migrations) > 0 {
			t.Errorf("it patched %q, and left %v", s.patches, s.migrations)
		}
	})

	t.Run("--itself does not ask the cluster", func(t *testing.T) {
		s := serving(t, func(*storagemigrationv1.StorageVersionMigration) { t.Error("it was asked") })
		if _, err := run(t.Context(), s, func(m *migrating) { m.itself = true }); err != nil {
			t.Fatal(err)
		}
		s.want()
	})

	t.Run("where nothing works on migrations it does it itself", func(t *testing.T) {
		s := serving(t, nil)
		out, err := run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		s.want()
		has(t, out, "(nothing works on its StorageVersionMigration), so the command does it itself")
		if len(s.migrations) > 0 {
			t.Errorf("it left %v", s.migrations)
		}
	})

	t.Run("what the cluster gives up it tries itself, and names the object", func(t *testing.T) {
		s := serving(t, func(of *storagemigrationv1.StorageVersionMigration) {
			condition(of, storagemigrationv1.MigrationFailed, true, "2/3 not yet migrated")
		})
		s.onPatch = func(name string) error {
			if name == "person-0001" {
				return denied(name)
			}
			return nil
		}
		out, err := run(t.Context(), s)
		s.wantLeft(err)
		has(t, out, "(2/3 not yet migrated)", "shop/person-0001: ", "a policy denies it")
	})

	t.Run("a migration that was under way is followed, and one that has ended is made anew", func(t *testing.T) {
		for _, done := range []bool{false, true} {
			s := serving(t, nil)
			s.migrate = s.succeed
			old := &storagemigrationv1.StorageVersionMigration{ObjectMeta: metav1.ObjectMeta{Name: "armature-persons." + group, UID: "old"}}
			condition(old, storagemigrationv1.MigrationRunning, !done, "")
			condition(old, storagemigrationv1.MigrationFailed, done, "")
			s.migrations[old.Name] = old
			if _, err := run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			s.want()
			if len(s.patches) > 0 {
				t.Errorf("it patched %q", s.patches)
			}
		}
	})

	t.Run("another migration of the resource comes first", func(t *testing.T) {
		s := serving(t, nil)
		other := &storagemigrationv1.StorageVersionMigration{ObjectMeta: metav1.ObjectMeta{Name: "persons"},
			Spec: storagemigrationv1.StorageVersionMigrationSpec{Resource: metav1.GroupResource{Group: group, Resource: "persons"}}}
		condition(other, storagemigrationv1.MigrationRunning, true, "")
		s.migrations[other.Name] = other
		looks := 0
		s.migrate = func(of *storagemigrationv1.StorageVersionMigration) {
			if looks++; looks > 2*unattended {
				condition(other, storagemigrationv1.MigrationRunning, false, "")
				s.succeed(of)
			}
		}
		if _, err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.want()
		if len(s.patches) > 0 {
			t.Errorf("it patched %q", s.patches)
		}
	})
}
